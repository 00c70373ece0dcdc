#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// What the grader asks of a runner, and what a runner answers. Everything here is plain data.
namespace wire {

/// The word that fresh buffers and results are filled with: a quiet NaN as a float, and two of them
/// are one as a double, so that anything computed from memory nobody wrote shows.
constexpr std::uint32_t poison = 0x7FFFDEADU;

/// What guard zones and fresh buffers are filled with in every other call: NaNs show who reads them,
/// but a kernel that adds to a NaN leaves it as it was, and fmin() passes over one. As a float this is
/// guard_value.
constexpr std::uint32_t finite_guard = 0x4640E6B7U;
constexpr float guard_value = 12345.6787F;

/// One OpenCL device as a student sees it in --list-devices.
struct DeviceInfo {
    std::string name;
    std::string platform;
    std::string version;
    std::string driver;
    std::string type; ///< "CPU", "GPU", "accelerator" or "other"
    std::size_t max_work_group_size = 0;
    std::uint64_t local_memory = 0;   ///< bytes a work-group can have
    std::uint64_t global_memory = 0;  ///< bytes
    std::uint64_t max_allocation = 0; ///< bytes of the largest buffer
    std::vector<std::string> extensions;
    std::size_t compute_units = 1;
};

/// OpenCL C source and the options it is built with.
struct ProgramSource {
    std::string source;
    std::string options;
};

/// Limits a call must find on its device, as if the device were smaller; 0 leaves the device's own.
struct Limits {
    std::size_t max_work_group_size = 0;
    std::size_t kernel_work_group_size = 0;
    std::size_t local_memory = 0; ///< bytes
    std::size_t compute_units = 0;
};

/// Where an argument lies in the shared memory that comes with a call.
struct ByteRange {
    std::size_t offset = 0;
    std::size_t size = 0;
};

/// A kernel of the grader's own that a student's function is timed against.
struct Baseline {
    ProgramSource program;
    std::string kernel;
    std::vector<std::size_t> buffers; ///< bytes of the buffer behind each of the first arguments
    std::size_t local_memory = 0;     ///< bytes of the local argument after them; 0: there is none
    std::size_t global_size = 0;      ///< work-items
    std::size_t work_group_size = 0;  ///< work-items
};

struct ListDevices {};

/// Use device `index` of the list from now on; a negative index takes the best one.
struct OpenDevice {
    int index = -1;
};

/// Build a program and tell which kernels it has.
struct InspectProgram {
    ProgramSource program;
};

/// Run one of the lab's functions once. Two memory files come with it: the arguments (read-only)
/// and `result_capacity` bytes for the result.
struct CallFunction {
    std::string function;
    ProgramSource program;
    std::vector<ByteRange> arguments;
    std::size_t result_capacity = 0;
    Limits limits;
    /// Poison fresh buffers, put guard zones around them, watch read-only ones.
    bool checked = true;
    std::uint32_t guard = poison;  ///< the word that guard zones are filled with
    bool withhold_kernels = false; ///< let launches succeed without running anything
    bool interpreted = false;      ///< hand every launch over as a KernelLaunch
    /// Ask by a Reveal what is read back after a launch, if it is no more than so many bytes.
    std::size_t visible_bytes = 0;
    int rounds = 0;     ///< above 0: time its launches beside the baseline, in so many rounds
    double seconds = 0; ///< then no launch begins another round; 0: all do
    Baseline baseline;
};

/// What a kernel is given for one of its parameters.
struct LaunchArgument {
    enum class Kind {
        value,  ///< the bytes at `bytes`
        local,  ///< bytes.size bytes of local memory; bytes.offset means nothing
        buffer, ///< global memory, which holds the bytes at `bytes` before the launch
    };
    Kind kind = Kind::value;
    ByteRange bytes;
    bool read_only = false;  ///< a buffer that kernels may not write to
    bool write_only = false; ///< a buffer that kernels may not read
};

/// Work-items, or groups, in all of a size of up to three dimensions.
inline std::size_t volume(const std::array<std::size_t, 3>& size) {
    return size[0] * size[1] * size[2];
}

/// A launch to be carried out elsewhere. Memory that comes with it holds the arguments; arguments of
/// overlapping ranges share memory.
struct KernelLaunch {
    std::string kernel;
    unsigned dimensions = 1;
    std::array<std::size_t, 3> global_offset{0, 0, 0};
    std::array<std::size_t, 3> global_size{1, 1, 1};
    std::array<std::size_t, 3> work_group_size{1, 1, 1}; ///< all 0: left to the implementation
    std::vector<LaunchArgument> arguments;
    std::size_t memory_size = 0; ///< bytes
};

/// Interpret a launch and watch it. Its memory comes with it, and holds what the kernel has left in
/// its buffers afterwards.
struct Interpret {
    ProgramSource program;
    KernelLaunch launch;
    /// Leave what the kernel does when work-items get in each other's way at compare-and-swaps.
    bool contended = false;
    /// Run the first and the last group alone: for launches that are too large for more.
    bool ends_only = false;
    /// Say what the kernel does: otherwise only its results are wanted, of a launch of any size.
    bool watched = true;
    /// Not 0: try orders, drawn from this, in which work-items of all groups take turns.
    std::uint64_t seed = 0;
    int order = 0;              ///< not 0: leave what the drawn order of this number makes
    bool explain_order = false; ///< and say in a finding what happens there
};

/// Carry a launch out on the open device. Its memory comes with it, and holds what the kernel has
/// left in its buffers afterwards. The answer is a CallReply.
struct CarryOut {
    ProgramSource program;
    KernelLaunch launch;
    Limits limits;
    bool checked = true;          ///< put guard zones around the buffers, watch read-only ones
    std::uint32_t guard = poison; ///< the word that guard zones are filled with
    int rounds = 0;               ///< above 0: time it beside the baseline, in so many rounds
    double seconds = 0;           ///< then it begins no other round; 0: all do
    Baseline baseline;            ///< without a kernel: there is none
};

/// The answer to a KernelLaunch, and to a Reveal.
struct LaunchDone {
    std::string error;             ///< why it did not take place; "" if it did
    int code = 0;                  ///< then OpenCL's error code, or 0
    std::uint64_t nanoseconds = 0; ///< device time, start to end; 0: unknown
};

using Request = std::variant<ListDevices, OpenDevice, InspectProgram, CallFunction, Interpret,
                             LaunchDone, CarryOut>;

/// The answer to ListDevices.
struct DeviceList {
    std::vector<DeviceInfo> devices;
};

/// The answer to OpenDevice.
struct OpenedDevice {
    int index = 0;
    DeviceInfo device;
};

struct KernelInfo {
    std::string name;
    std::size_t work_group_size = 0; ///< the largest work-group this kernel can run with
};

/// The answer to InspectProgram.
struct ProgramInfo {
    bool built = false;
    std::string build_log;
    std::vector<KernelInfo> kernels;
};

/// One kernel launch, as seen between the student's code and the OpenCL library.
struct Launch {
    std::string kernel;
    std::array<std::size_t, 3> global_size{1, 1, 1};
    std::array<std::size_t, 3> work_group_size{0, 0, 0}; ///< all 0: left to the implementation
    std::size_t local_memory = 0;                        ///< bytes given as local arguments
    std::uint64_t nanoseconds = 0;                       ///< device time, start to end
};

/// Somebody wrote outside a buffer.
struct GuardHit {
    std::size_t buffer_size = 0;  ///< bytes
    std::int64_t byte_offset = 0; ///< from the beginning of the buffer; negative lies before it
};

/// A buffer made with CL_MEM_READ_ONLY that a kernel wrote to all the same.
struct ReadOnlyHit {
    std::size_t buffer_size = 0; ///< bytes
    std::size_t byte_offset = 0; ///< the first byte that differs
};

/// A command of the host's that uses a part of a buffer.
struct BufferUse {
    std::string call;    ///< "enqueueWriteBuffer", ...; the kernel's name where it is a launch
    int launch = -1;     ///< its number in the call, from 0; -1: it is none
    int argument = -1;   ///< the launch's argument
    bool writes = false; ///< of a launch: it may
    ByteRange bytes;     ///< of the whole buffer; of a launch: the argument, all of it
    int queue = 0;       ///< 0: the one that the host was given
    bool in_order = true;
};

/// Two commands on the same bytes, one of them a write, that nothing orders. What launches do with
/// their arguments is for others to say.
struct UnorderedUses {
    BufferUse earlier; ///< as the host enqueued them
    BufferUse later;
};

/// How a call of a student's function ended, if it ended at all.
enum class Outcome {
    returned,
    not_implemented, ///< it called not_implemented(); `message` says what is missing
    opencl_error,    ///< an OpenCL function failed; see `call`, `error_code` and `detail`
    exception,       ///< it threw something else; `message` is its text
    build_failed,    ///< the kernels do not compile; see `build_log`
    refused,         ///< the harness could not make the call; `message` says why
};

/// The answer to CallFunction.
struct CallReply {
    Outcome outcome = Outcome::refused;
    std::string message;
    std::string file;   ///< where not_implemented() was called
    int line = 0;       ///< likewise
    std::string call;   ///< the OpenCL function that failed
    std::string detail; ///< what it was asked to do
    int error_code = 0;
    std::string build_log;
    std::size_t result_size =
        0; ///< bytes the result has, of which result_capacity at most are there
    std::vector<Launch> launches;
    std::vector<std::size_t> reads; ///< bytes of each transfer from the device to the host
    std::vector<GuardHit> guard_hits;
    std::vector<ReadOnlyHit> read_only_hits;
    bool any_order = false; ///< several queues, or one that keeps no order, were used
    std::vector<UnorderedUses> unordered;
    bool unwaited_read = false;  ///< a read was started, and nobody has waited until it ended
    bool unwaited_write = false; ///< likewise
    int modified_argument = -1;  ///< index of an argument the function changed on the host
    double seconds = 0;          ///< wall time of the whole call
    /// Device time of all launches together, in ns, two for each round.
    std::vector<std::uint64_t> function_times;
    std::vector<std::uint64_t> baseline_times; ///< likewise
};

/// Adds the times of one more launch to those of its call. The call has as many rounds as its launch
/// that has fewest, and the baseline that was timed beside its first one.
void add_times(CallReply& call, const std::vector<std::uint64_t>& launch_times,
               const std::vector<std::uint64_t>& baseline_times);

/// The answer to a request that could not be carried out at all.
struct Refusal {
    std::string reason;
};

/// A mistake that was seen while a kernel was interpreted.
struct Finding {
    std::string kind; ///< "data-race", ...; see labgrind/findings.hpp
    std::string kernel;
    int line = 0;       ///< of the kernel file, from 1; 0: unknown
    int other_line = 0; ///< the other side, where there is one
    std::string message;
    std::uint64_t count = 1; ///< times it was seen at these lines
};

/// What interpreted launches of one kernel did, all counts summed over work-items.
struct WorkCounts {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t work_items = 0;
    std::uint64_t groups = 0;
    /// Of floating-point numbers, and whatever else makes one number of two that come from memory;
    /// a vector's lanes count one each.
    std::uint64_t additions = 0;
    std::uint64_t barriers = 0; ///< by groups
    std::uint64_t local_loads = 0;
    std::uint64_t local_stores = 0;
    std::uint64_t global_loads = 0;
    std::uint64_t global_stores = 0;
    std::uint64_t global_bytes_loaded = 0;
    std::uint64_t global_bytes_stored = 0;
    std::uint64_t transactions = 0;       ///< segments of 128 bytes fetched by 32 work-items
    std::uint64_t bank_conflicts = 0;     ///< cycles that local memory needs beyond one an access
    std::uint64_t divergent_branches = 0; ///< of which 32 work-items take both sides
    std::uint64_t busiest_item_additions = 0;  ///< most of one work-item
    std::uint64_t busiest_group_additions = 0; ///< of that work-item's whole group
    std::uint64_t lone_additions = 0;      ///< by groups of which one work-item does more than half
    std::uint64_t busiest_item_bytes = 0;  ///< different ones loaded by one work-item, at most
    std::uint64_t busiest_group_bytes = 0; ///< likewise by one group, of global memory
    std::uint64_t idlest_group_bytes = 0;  ///< likewise, at least
    std::uint64_t groups_with_atomics = 0; ///< those with atomic operations on global memory
};

/// Which bytes of its memory a launch uses.
struct Footprint {
    bool known = false;
    std::vector<ByteRange> read;
    std::vector<ByteRange> written;
    std::vector<ByteRange> atomic; ///< by atomic operations
};

/// The answer to Interpret.
struct Analysis {
    std::string failure;    ///< why the launch could not be watched; "" if it was
    bool cut_short = false; ///< a finding ended the launch before its end
    int contended_line = 0; ///< where work-items compare and swap the same word; 0: nowhere
    std::vector<Finding> findings;
    WorkCounts work;
    Footprint footprint;
    std::vector<int> other_orders; ///< drawn ones with other results, each with its own
    /// Where and why the program need not do the same on every device; "": it does.
    int difference_line = 0;
    std::string difference;
};

/// Asks for the data that the memory which comes with this stands for, where data is kept from the
/// runner.
struct Reveal {
    std::size_t size = 0; ///< bytes
};

/// A KernelLaunch and a Reveal are no answers: they ask for a LaunchDone while a CallFunction is
/// under way.
using Reply = std::variant<DeviceList, OpenedDevice, ProgramInfo, CallReply, Refusal, KernelLaunch,
                           Analysis, Reveal>;

/// Text for the channel, and back. Decoding throws std::runtime_error for anything malformed.
std::string encode(const Request& request);
std::string encode(const Reply& reply);
Request decode_request(const std::string& text);
Reply decode_reply(const std::string& text);

} // namespace wire
