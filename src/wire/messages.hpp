#pragma once

#include "wire/trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

/// The grader's requests to a runner, and the runner's replies. Everything here is plain data.
namespace wire {

/// The word that fills new buffers and results: a quiet NaN as a float, and two of these
/// words form a NaN double, so that anything computed from uninitialized memory shows.
constexpr std::uint32_t poison = 0x7FFFDEADU;

/// The word that fills guard zones and new buffers in every other call: NaNs reveal reads, but a
/// kernel that adds to a NaN leaves it unchanged, and fmin() ignores one. As a float it is
/// guard_value.
constexpr std::uint32_t finite_guard = 0x4640E6B7U;
constexpr float guard_value = 12345.6787F;

/// The bytes that fill memory which the host's code allocates, in calls with `poison` and in the others:
/// a large negative and a large positive float. GCC puts the first into uninitialized variables.
constexpr std::uint8_t heap_byte = 0xFE;
constexpr std::uint8_t other_heap_byte = 0x7E;
constexpr std::uint32_t word_of(std::uint8_t byte) { return byte * 0x01010101U; }

/// Whether `word` is what fills new buffers and allocated memory, so that probably nothing has written it.
constexpr bool is_filling(std::uint32_t word) {
    return word == poison || word == finite_guard || word == word_of(heap_byte) ||
           word == word_of(other_heap_byte);
}

/// The kinds of devices, from the worst to the best one for the labs.
enum class DeviceType { other, cpu, accelerator, gpu, last = gpu };

/// "GPU", as --list-devices shows it.
std::string to_string(DeviceType type);

/// One OpenCL device as a student sees it in --list-devices.
struct DeviceInfo {
    std::string name;
    std::string platform;
    std::string version;
    std::string driver;
    DeviceType type = DeviceType::other;
    std::size_t max_work_group_size = 0;
    std::uint64_t local_memory = 0; ///< bytes per work-group
    std::vector<std::string> extensions;
    std::size_t compute_units = 1;
};

/// OpenCL C source and its build options.
struct ProgramSource {
    std::string source;
    std::string options;
};

/// What the device reports to a call as if it were another one; 0 keeps the device's own number.
struct Limits {
    std::size_t max_work_group_size = 0;
    std::size_t kernel_work_group_size = 0;
    std::size_t local_memory = 0;  ///< bytes
    std::size_t compute_units = 0; ///< more or fewer; the others can only be lower
    /// A CPU says that it is a GPU, and any other device that it is a CPU.
    bool other_type = false;
    /// Every kernel allows the largest work-groups of the device, which does not launch it.
    bool ignores_kernels = false;
    std::uint64_t added_time = 0; ///< ns that every command seems to take longer
};

/// The place of an argument in the shared memory that comes with a call.
struct ByteRange {
    std::size_t offset = 0;
    std::size_t size = 0;
};

/// The bytes that lie in both; of size 0 if there are none.
inline ByteRange common_bytes(const ByteRange& a, const ByteRange& b) {
    const std::size_t begin = std::max(a.offset, b.offset);
    const std::size_t end = std::min(a.offset + a.size, b.offset + b.size);
    return {begin, end > begin ? end - begin : 0};
}

inline bool overlap(const ByteRange& a, const ByteRange& b) { return common_bytes(a, b).size != 0; }

/// A kernel of the grader. A student's function is timed against it.
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

/// Build a program and report its kernels.
struct InspectProgram {
    ProgramSource program;
};

/// Transfers that wait until they have ended although the host says CL_FALSE.
enum class Blocking {
    as_written, ///< none
    writes,     ///< those with enqueueWriteBuffer
    reads,      ///< those with enqueueReadBuffer
    last = reads,
};

/// Run one of the lab's functions once. Two memory files come with it: the arguments (read-only)
/// and `result_capacity` bytes for the result.
struct CallFunction {
    std::string function;
    ProgramSource program;
    std::vector<ByteRange> arguments;
    std::size_t result_capacity = 0;
    Limits limits;
    /// Poison new buffers, put guard zones around them, watch read-only ones.
    bool checked = true;
    std::uint32_t guard = poison;   ///< the word that fills guard zones
    bool withhold_kernels = false;  ///< let launches succeed without running anything
    bool interpreted = false;       ///< send every launch as a KernelLaunch
    bool counts_host_words = false; ///< see CallReply::host_words
    /// Send a Reveal for each read after a launch of at most this many bytes.
    std::size_t visible_bytes = 0;
    Blocking blocking = Blocking::as_written;
    int rounds = 0;     ///< above 0: time its launches beside the baseline, in this many rounds
    double seconds = 0; ///< after this time no launch begins another round; 0: no limit
    Baseline baseline;
};

/// The argument for one parameter of a kernel.
struct LaunchArgument {
    enum class Kind {
        value,         ///< the bytes at `bytes`
        local,         ///< bytes.size bytes of local memory; bytes.offset is unused
        buffer,        ///< global memory, which contains the bytes at `bytes` before the launch
        last = buffer, ///< see messages.cpp
    };
    Kind kind = Kind::value;
    ByteRange bytes;
    bool read_only = false;   ///< a buffer that kernels must not write
    bool write_only = false;  ///< a buffer that kernels must not read
    std::uint64_t buffer = 0; ///< the same number for parts of the same buffer; 0: not a buffer
};

/// Returns the number of work-items, or groups, of a size of up to three dimensions.
inline std::size_t volume(const std::array<std::size_t, 3>& size) {
    return size[0] * size[1] * size[2];
}

/// A launch to run elsewhere. The memory that comes with it contains the arguments; arguments with
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

/// A schedule of a launch: a kind, and a number among those of that kind. Kinds with the best
/// explanations come first.
struct Schedule {
    /// Of several with wrong results, the first kind explains the mistake best: a result that is wrong
    /// with late writes or early reads may be wrong without them, too.
    enum class Kind {
        usual,          ///< one group after the other; work-items switch only where they must
        standoff,       ///< one holds a lock for as long as another takes to give up waiting for it
        opposite,       ///< the groups run one after the other, from the last to the first
        one_stop,       ///< one work-item stops for as long as others can run
        two_stops,      ///< two do, at places that are drawn
        stale_and_stop, ///< uninitialized memory holds old values, and one work-item stops
        uncertain_standoff, ///< a standoff in which the other may have done something else for long
        starving,           ///< others are always faster than the first work-item
        gathering,          ///< every work-item stops when it reaches one instruction
        drawn,              ///< the work-items that run next are drawn
        late,               ///< the writes of one instruction take effect late
        late_and_stop,      ///< likewise, and one work-item stops
        early,              ///< the reads of one instruction take effect early
        early_and_drawn,    ///< likewise, and one work-item stops, or those that run next are drawn
        last = early_and_drawn, ///< see messages.cpp
    };

    Kind kind = Kind::usual;
    std::uint64_t number = 0;

    bool is_usual() const { return kind == Kind::usual; }
    bool operator==(const Schedule& other) const {
        return kind == other.kind && number == other.number;
    }
    bool operator<(const Schedule& other) const {
        return std::tie(kind, number) < std::tie(other.kind, other.number);
    }
};

/// How a launch is interpreted.
struct Interpretation {
    static constexpr std::uint64_t most_computed = 3'000'000'000;

    /// Return the result with the work-items of each group in lockstep, if the launch can end so:
    /// then a missing barrier does not change it.
    bool in_lock_step = false;
    /// Run only the first and the last group, for launches that are too large for more.
    bool ends_only = false;
    bool traced = false; ///< return a trace of the launch, and no findings
    /// Not 0: try schedules drawn from this seed, in which work-items of all groups take turns.
    std::uint64_t seed = 0;
    Schedule schedule = {};         ///< not the usual one: only return its results
    bool explains_schedule = false; ///< and say in a finding what happens in it
    /// The most instructions of a launch; runs of it that explain a finding have no limit.
    std::uint64_t most_instructions = most_computed;
    bool lists_changes = false; ///< return the changes of what the launch executes
};

/// Interpret a launch and analyze it. Its memory comes with it, and contains the kernel's buffers
/// afterwards.
struct Interpret {
    ProgramSource program = {};
    KernelLaunch launch = {};
    Interpretation how = {};
    /// Report what the kernel does; otherwise only compute its results, for a launch of any size.
    bool watched = true;
    std::string change = {}; ///< not "": change the program before, see Change
};

/// Run a launch on the open device. Its memory comes with it, and contains the kernel's buffers
/// afterwards. The answer is a CallReply.
struct CarryOut {
    ProgramSource program;
    KernelLaunch launch;
    Limits limits;
    bool checked = true;          ///< put guard zones around the buffers, watch read-only ones
    std::uint32_t guard = poison; ///< the word that fills guard zones
    int rounds = 0;               ///< above 0: time it beside the baseline, in this many rounds
    double seconds = 0;           ///< after this time it begins no other round; 0: no limit
    Baseline baseline;            ///< none if it has no kernel
};

/// The answer to a KernelLaunch or a Reveal.
struct LaunchDone {
    std::string error;             ///< why it failed; "" if it did not
    int code = 0;                  ///< OpenCL's error code if it failed, or 0
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

/// What the host has set an argument of a kernel to.
struct GivenArgument {
    int index = 0;
    LaunchArgument::Kind kind = LaunchArgument::Kind::value;
    std::size_t size = 0;    ///< bytes of the value, of the local memory or of the buffer
    std::uint64_t value = 0; ///< of a value of up to 8 bytes: these bytes
    int buffer = 0;          ///< the buffer's number in the call, from 1; 0: not a buffer
    bool read_only = false;  ///< a buffer created with CL_MEM_READ_ONLY
    bool is_kept = false;    ///< a buffer created in an earlier call
    std::size_t offset = 0;  ///< of a sub-buffer: the first of its bytes in the buffer
};

/// One kernel launch, as seen between the student's code and the OpenCL library.
struct Launch {
    std::string kernel;
    std::array<std::size_t, 3> global_size{1, 1, 1};
    std::array<std::size_t, 3> work_group_size{0, 0, 0}; ///< all 0: left to the implementation
    std::size_t local_memory = 0;                        ///< bytes given as local arguments
    std::uint64_t nanoseconds = 0;                       ///< device time, start to end
    std::vector<GivenArgument> arguments = {};           ///< by index, as far as they are set
    std::array<std::size_t, 3> global_offset{0, 0, 0};
    /// Where the host launched it, innermost first; empty for all but the first launches of a call.
    std::vector<std::uint64_t> frames = {};
};

/// What the host enqueues, or does without a queue.
enum class HostCommand {
    launch,
    create, ///< a buffer with its first bytes
    read,
    read_rect,
    write,
    write_rect,
    fill,
    copy,
    copy_rect,
    map,
    unmap,
    migrate,
    marker,
    barrier,
    last = barrier,
};

/// The function or class of the C++ bindings that makes it: "enqueueReadBuffer".
std::string name_of(HostCommand command);

inline bool is_copy(HostCommand command) {
    return command == HostCommand::copy || command == HostCommand::copy_rect;
}

/// A host command that reads, writes, fills or copies a part of a buffer, or maps or unmaps it.
struct Transfer {
    HostCommand command = HostCommand::read;
    int buffer = 0;                          ///< as in GivenArgument
    ByteRange bytes = {};                    ///< of the buffer
    bool writes = false;                     ///< the buffer; otherwise it reads
    std::size_t launches = 0;                ///< how many launches the call had made before
    std::vector<std::uint32_t> pattern = {}; ///< the words that a fill repeats
    bool blocking = false;                   ///< the call waits until the transfer has ended
};

/// What the host asked an event for.
struct AskedTime {
    enum class Command { launch, transfer, other, last = other };
    enum class Moment { queued, submitted, started, ended, last = ended };
    Command command = Command::other;
    Moment moment = Moment::queued;
};

/// A write outside a buffer.
struct GuardHit {
    std::size_t buffer_size = 0;  ///< bytes
    std::int64_t byte_offset = 0; ///< from the beginning of the buffer; negative lies before it
};

/// A buffer with CL_MEM_READ_ONLY that a kernel wrote to.
struct ReadOnlyHit {
    std::size_t buffer_size = 0; ///< bytes
    std::size_t byte_offset = 0; ///< the first byte that differs
};

/// A host command that uses a part of a buffer.
struct BufferUse {
    HostCommand command = HostCommand::launch;
    std::string kernel = {}; ///< of a launch
    int launch = -1;         ///< its number in the call, from 0; -1: not a launch
    int argument = -1;       ///< the launch's argument
    bool writes = false;     ///< of a launch: it can write
    ByteRange bytes;         ///< of the whole buffer; of a launch: the whole argument
    int queue = 0;           ///< 0: the queue that the host was given
    bool in_order = true;
    std::size_t offset = 0; ///< in bytes, as the host gives it
};

/// Two unordered commands on the same bytes, one of them a write. What launches do with their
/// arguments is not known here.
struct UnorderedUses {
    BufferUse earlier; ///< as the host enqueued them
    BufferUse later;
};

/// How a call of a student's function ended, if it ended at all.
enum class Outcome {
    unknown, ///< none that the harness knows
    returned,
    not_implemented,     ///< it called not_implemented(); `message` says what is missing
    opencl_error,        ///< an OpenCL function failed; see `call` and `error_code`
    exception,           ///< it threw another std::exception; `message` is its text
    unknown_exception,   ///< it threw anything else
    build_failed,        ///< the kernels do not compile; see `build_log`
    last = build_failed, ///< see messages.cpp
};

constexpr bool is_exception(Outcome outcome) {
    return outcome == Outcome::exception || outcome == Outcome::unknown_exception;
}

/// What a call of a student's function did with OpenCL.
struct Evidence {
    std::vector<Launch> launches;
    std::vector<std::size_t> reads; ///< bytes of each transfer from the device to the host
    /// What the last read after a launch has brought, if it was short.
    std::vector<std::uint32_t> last_read;
    /// In the order of the calls. If there are very many, none of them.
    std::vector<Transfer> transfers;
    std::vector<AskedTime> asked_times; ///< the first ones
    std::vector<GuardHit> guard_hits;
    std::vector<ReadOnlyHit> read_only_hits;
    bool any_order = false; ///< OpenCL may run a command before, or beside, an earlier one
    std::vector<UnorderedUses> unordered;
    bool unwaited_read = false;       ///< the host has not waited until a read ended
    bool unwaited_write = false;      ///< likewise
    bool unwaited_map = false;        ///< the host unmapped a buffer before its map had ended
    bool unset_event = false;         ///< the host waited for a user event that it never set
    bool changed_source = false;      ///< the host changed memory that a write could still read
    bool changed_host_memory = false; ///< likewise, of a buffer with CL_MEM_USE_HOST_PTR
    /// Where the host made that read or write, or that buffer, innermost first.
    std::vector<std::uint64_t> careless_frames;
};

/// The answer to CallFunction.
struct CallReply : Evidence {
    Outcome outcome = Outcome::unknown;
    std::string message;
    std::string file; ///< where not_implemented() was called
    int line = 0;     ///< likewise
    std::string call; ///< the OpenCL function that failed; the journal has its arguments
    int error_code = 0;
    std::vector<std::uint64_t> frames; ///< where the host threw, innermost first
    std::string build_log;
    /// Bytes of the result, of which at most result_capacity are available.
    std::size_t result_size = 0;
    /// If a launch failed: the launches before it, and then that one.
    std::vector<Launch> attempted;
    bool changed_input = false; ///< the function changed an argument on the host
    /// Words of the result that are neither in an argument nor read back, so the host computed them.
    std::size_t host_words = 0;
    double seconds = 0; ///< wall time of the whole call
    /// Device time of all launches together, in ns, two for each round.
    std::vector<std::uint64_t> function_times;
    std::vector<std::uint64_t> baseline_times; ///< likewise
};

/// Adds the times of one more launch to those of its call. The call has as many rounds as the
/// launch with the fewest, and the baseline that was timed beside its first launch.
void add_times(CallReply& call, const std::vector<std::uint64_t>& launch_times,
               const std::vector<std::uint64_t>& baseline_times);

/// The answer to a request that could not be carried out at all.
struct Refusal {
    std::string reason;
};

/// The kinds of mistakes that labgrind distinguishes.
enum class FindingKind {
    data_race,
    barrier_flag, ///< a barrier for the other address space
    divergent_barrier,
    out_of_bounds,
    misaligned, ///< a vector or a number that does not begin at a multiple of its size
    uninitialized,
    division_by_zero, ///< of integers, and the result is used
    endless_loop,
    unpromised_wait, ///< a loop that ends only if others continue, which OpenCL does not promise
    missing_fence,   ///< after taking or before releasing a lock
    plain_unlock,    ///< by an ordinary store
    unlock_not_held,
    never_unlocked,
    barrier_in_lock,
    lock_step_hang,
    no_retry,
    wrong_order,             ///< the results are wrong in some schedule
    lock_not_free,           ///< from the start, and ignored
    reads_write_only,        ///< a read of such a buffer
    writes_read_only,        ///< a write to such a buffer
    last = writes_read_only, ///< see messages.cpp
};

/// A kind with its name in result.json, and in words.
struct KindOfFinding {
    FindingKind kind;
    std::string_view name;
    const char* words;
};

constexpr std::size_t number_of_kinds = static_cast<std::size_t>(FindingKind::last) + 1;

/// All kinds, in the order of FindingKind.
constexpr std::array<KindOfFinding, number_of_kinds> kinds_of_findings{{
    {FindingKind::data_race, "data-race", "data race"},
    {FindingKind::barrier_flag, "barrier-flag", "wrong barrier flag"},
    {FindingKind::divergent_barrier, "divergent-barrier", "barrier not reached by all work-items"},
    {FindingKind::out_of_bounds, "out-of-bounds", "out-of-bounds access"},
    {FindingKind::misaligned, "misaligned", "misaligned access"},
    {FindingKind::uninitialized, "uninitialised", "uninitialized memory"}, // old results have this
    {FindingKind::division_by_zero, "division-by-zero", "division by 0"},
    {FindingKind::endless_loop, "endless-loop", "endless or very long loop"},
    {FindingKind::unpromised_wait, "unpromised-wait", "wait that may never end"},
    {FindingKind::missing_fence, "missing-fence", "missing fence"},
    {FindingKind::plain_unlock, "plain-unlock", "lock released by an ordinary store"},
    {FindingKind::unlock_not_held, "unlock-not-held",
     "lock released by a work-item that does not hold it"},
    {FindingKind::never_unlocked, "never-unlocked", "lock never released"},
    {FindingKind::barrier_in_lock, "barrier-in-lock", "barrier while a lock is held"},
    {FindingKind::lock_step_hang, "lock-step-hang", "lock that hangs work-items in lockstep"},
    {FindingKind::no_retry, "no-retry", "failed attempt"},
    {FindingKind::wrong_order, "wrong-order", "wrong in another schedule"},
    {FindingKind::lock_not_free, "lock-not-free", "lock that is not 0 at the start"},
    {FindingKind::reads_write_only, "reads-write-only", "read of a write-only buffer"},
    {FindingKind::writes_read_only, "writes-read-only", "write to a read-only buffer"},
}};

/// Returns the entry of `kind`. Throws std::out_of_range for a kind that has none.
constexpr const KindOfFinding& kind_of_finding(FindingKind kind) {
    return kinds_of_findings.at(static_cast<std::size_t>(kind));
}

inline std::string to_string(FindingKind kind) { return std::string(kind_of_finding(kind).name); }

constexpr bool has_kinds_in_order() {
    for (std::size_t i = 0; i < kinds_of_findings.size(); ++i) {
        if (static_cast<std::size_t>(kinds_of_findings[i].kind) != i)
            return false;
    }
    return true;
}
static_assert(has_kinds_in_order());

/// A mistake that was found while a kernel was interpreted.
struct Finding {
    FindingKind kind = FindingKind::data_race;
    std::string kernel;
    int line = 0;                  ///< of the kernel file, from 1; 0: unknown
    int other_line = 0;            ///< the other side, where there is one
    std::string message;           ///< what happens
    std::string explanation = {};  ///< continues the message: "; both accesses must be atomic"
    bool may_be_elsewhere = false; ///< the message says only where work-items take turns
    /// Of a data race: both sides are always in the same work-group, and a barrier could order them.
    bool within_group = false;
    /// Of a data race: the sides are in different groups, which share no element on purpose.
    bool between_groups = false;
    /// Of a data race: work-items of a group store to one element in the same step.
    bool is_shared_store = false;
    /// Of a data race: two groups store to one element, and nothing reads it.
    bool both_store = false;
    bool asks = false; ///< the explanation names several mistakes, of which one is the cause
    bool is_explained = false;  ///< of a data race between groups: the message says why it exists
    int argument = -1;          ///< the kernel's parameter that was read; -1: it does not matter
    bool is_endless = false;    ///< the launch does not end because of it
    bool while_waiting = false; ///< it happens only if groups wait or are late
    /// What has effects at many lines, or what explains a result that is wrong in some schedule: one
    /// finding for each cause and line is enough. "" if it has one effect.
    std::string cause = {};
    std::vector<int> more_lines = {}; ///< to show: calls, and what runs only in a schedule; 0: none
};

/// The message of `finding` with its explanation.
std::string text_of(const Finding& finding);

/// What interpreted launches of one kernel did; all counts are sums over work-items.
struct WorkCounts {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t work_items = 0;
    std::uint64_t groups = 0;
    /// Additions to numbers from memory, and any other operations that combine two of them into one;
    /// each lane of a vector counts as one.
    std::uint64_t additions = 0;
    std::uint64_t comparisons = 0; ///< of numbers from memory; each lane of a vector counts as one
    std::uint64_t barriers = 0;    ///< by groups
    std::uint64_t local_loads = 0;
    std::uint64_t local_stores = 0;
    std::uint64_t global_loads = 0;
    std::uint64_t global_stores = 0;
    std::uint64_t global_bytes_loaded = 0;
    std::uint64_t global_bytes_stored = 0;
    std::uint64_t transactions = 0;            ///< segments of 128 bytes fetched by 32 work-items
    std::uint64_t bank_conflicts = 0;          ///< cycles of local memory beyond one per access
    std::uint64_t divergent_branches = 0;      ///< branches of which 32 work-items take both sides
    std::uint64_t busiest_item_additions = 0;  ///< most of one work-item
    std::uint64_t busiest_group_additions = 0; ///< of that work-item's whole group
    std::uint64_t lone_additions = 0; ///< by groups of which one work-item does more than half
    /// Most additions of a group that come one after another: from barrier to barrier, those of the
    /// work-item that does the most. In other words, the span of the group's work.
    std::uint64_t longest_span = 0;
    std::uint64_t busiest_item_bytes = 0;  ///< most different bytes loaded by one work-item
    std::uint64_t busiest_group_bytes = 0; ///< likewise by one group, of global memory
    std::uint64_t idlest_group_bytes = 0;  ///< likewise, the fewest
    std::uint64_t global_atomics = 0;      ///< atomic operations on global memory
    std::uint64_t groups_with_atomics = 0; ///< groups with some
    /// Different bytes of global memory that are stored to or changed by atomic operations.
    std::uint64_t global_bytes_changed = 0;
    std::map<int, std::uint64_t> additions_by_line;           ///< of the kernel file
    std::map<int, std::uint64_t> global_bytes_loaded_by_line; ///< likewise
};

/// How the counts of several launches are combined into one.
enum class Total { sum, largest, smallest, of_busiest_item };

/// One of the numbers of WorkCounts, with its name in messages and in result.json, and in words.
struct WorkCount {
    const char* name;
    std::uint64_t WorkCounts::*value;
    Total total;
    const char* words;
};

/// All numbers of WorkCounts.
constexpr std::array<WorkCount, 25> work_counts{{
    {"launches", &WorkCounts::launches, Total::sum, "launches of this kernel"},
    {"work_items", &WorkCounts::work_items, Total::sum, "work-items of these launches"},
    {"groups", &WorkCounts::groups, Total::sum, "work-groups of these launches"},
    {"additions", &WorkCounts::additions, Total::sum,
     "additions by all work-items; each lane of a vector counts as one"},
    {"busiest_item_additions", &WorkCounts::busiest_item_additions, Total::largest,
     "additions by the work-item that does the most"},
    {"busiest_group_additions", &WorkCounts::busiest_group_additions, Total::of_busiest_item,
     "additions by the whole group of that work-item"},
    {"lone_additions", &WorkCounts::lone_additions, Total::sum,
     "additions in groups in which one work-item does most of them"},
    {"longest_span", &WorkCounts::longest_span, Total::largest,
     "the largest span of a group: from each barrier to the next, only the additions of its "
     "busiest work-item count"},
    {"comparisons", &WorkCounts::comparisons, Total::sum,
     "comparisons of numbers from memory; each lane of a vector counts as one"},
    {"barriers", &WorkCounts::barriers, Total::sum,
     "barriers that groups reach; each costs a wait of the whole group"},
    {"local_loads", &WorkCounts::local_loads, Total::sum, "loads from local memory"},
    {"local_stores", &WorkCounts::local_stores, Total::sum, "stores to local memory"},
    {"global_loads", &WorkCounts::global_loads, Total::sum,
     "loads from global memory; a float4 is one"},
    {"global_stores", &WorkCounts::global_stores, Total::sum,
     "stores to global memory; a float4 is one"},
    {"global_bytes_loaded", &WorkCounts::global_bytes_loaded, Total::sum,
     "bytes loaded from global memory, often the limit on speed"},
    {"global_bytes_stored", &WorkCounts::global_bytes_stored, Total::sum,
     "bytes stored to global memory"},
    {"global_bytes_changed", &WorkCounts::global_bytes_changed, Total::sum,
     "different bytes of global memory stored to or changed atomically"},
    {"busiest_item_bytes", &WorkCounts::busiest_item_bytes, Total::largest,
     "different bytes loaded by the work-item that loads the most"},
    {"busiest_group_bytes", &WorkCounts::busiest_group_bytes, Total::largest,
     "different bytes of global memory loaded by the group that loads the most"},
    {"idlest_group_bytes", &WorkCounts::idlest_group_bytes, Total::smallest,
     "the same for the group that loads the least"},
    {"transactions", &WorkCounts::transactions, Total::sum,
     "segments of 128 bytes that 32 neighboring work-items fetch together; few are needed if they "
     "load neighboring elements"},
    {"bank_conflicts", &WorkCounts::bank_conflicts, Total::sum,
     "extra cycles because work-items use the same bank of local memory"},
    {"divergent_branches", &WorkCounts::divergent_branches, Total::sum,
     "branches of which 32 neighboring work-items take both sides"},
    {"global_atomics", &WorkCounts::global_atomics, Total::sum,
     "atomic operations on global memory"},
    {"groups_with_atomics", &WorkCounts::groups_with_atomics, Total::sum,
     "groups with atomic operations on global memory"},
}};
static_assert(sizeof(WorkCounts) == sizeof(std::string) +
                                        work_counts.size() * sizeof(std::uint64_t) +
                                        2 * sizeof(std::map<int, std::uint64_t>),
              "work_counts lists each number once");

/// The bytes of its memory that a launch uses.
struct Footprint {
    bool known = false;
    std::vector<ByteRange> read = {};
    std::vector<ByteRange> written = {};
    std::vector<ByteRange> atomic = {}; ///< by atomic operations
    /// By parameter of the kernel: the first line that stores through it in the kernel itself; 0: none.
    std::vector<int> store_lines = {};
};

/// A small change of a program that may correct it.
struct Change {
    std::string key;   ///< identifies it in every build of the same source
    int line = 0;      ///< of the kernel file
    std::string wrong; ///< what is changed, if it is wrong: "the comparison <"; "" for an insertion
    std::string right; ///< what comes in its place, or before the line; "" if there are no words
    bool omits = false;           ///< it only leaves something out
    bool decides_on_wait = false; ///< of a loop's condition on what other work-items have written
    bool adds = false;            ///< it adds a term or a factor to what is written
    bool is_slight = false; ///< another comparison, component, or number instead of one in the line
    /// Identifies what the launch leaves in its buffers with this change; 0: not known.
    std::uint64_t effect = 0;

    bool inserts_barrier() const { return wrong.empty(); }
};

/// The effect of a launch that accesses memory outside its buffers.
constexpr std::uint64_t effect_of_failure = 1;

/// What a work-group has last read from a word of a buffer.
struct WordRead {
    std::size_t group = 0;
    std::size_t argument = 0; ///< the kernel's parameter, from 0
    std::size_t word = 0;     ///< its number in the buffer
    std::uint32_t value = 0;
};

/// The answer to Interpret.
struct Analysis {
    std::string failure;    ///< why the launch could not be analyzed; "" if it was
    bool cut_short = false; ///< a finding ended the launch early
    std::vector<Finding> findings;
    /// The first use of an element of a buffer that nothing has written, if there is one. It is a
    /// mistake only if the result depends on it: padding may stay unwritten.
    std::vector<Finding> unwritten;
    WorkCounts work;
    Footprint footprint;
    std::vector<Schedule> other_schedules; ///< with other results, each different
    std::vector<Finding> explanations;     ///< mistakes, if one of those results is wrong
    /// In a schedule that is explained: from the buffers with atomic operations.
    std::vector<WordRead> last_reads;
    /// Where and why the program may behave differently on other devices; "" if it may not.
    int difference_line = 0;
    std::string difference;
    Trace trace;                    ///< empty unless it was asked for
    std::vector<Change> changes;    ///< likewise
    std::uint64_t effect = 0;       ///< without a change, as in Change; known with `changes`
    bool has_atomics = false;       ///< the program has atomic operations; likewise
    std::uint64_t instructions = 0; ///< that a launch took that was not watched
    /// Likewise: to local and global memory, by line; if changes are listed or one is made.
    std::map<int, std::uint64_t> stores;
    std::map<int, std::uint64_t> loads; ///< likewise
    std::string warnings; ///< of labgrind's compiler about the program, as it prints them
};

/// Asks for the data behind the placeholders in the memory, if the runner gets no data.
struct Reveal {
    std::size_t size = 0; ///< bytes
};

/// A KernelLaunch and a Reveal are not answers: they ask for a LaunchDone while a CallFunction is
/// under way.
using Reply = std::variant<DeviceList, OpenedDevice, ProgramInfo, CallReply, Refusal, KernelLaunch,
                           Analysis, Reveal>;

/// Convert messages to text for the channel and back. Decoding throws std::runtime_error for
/// malformed text.
std::string encode(const Request& request);
std::string encode(const Reply& reply);
Request decode_request(const std::string& text);
Reply decode_reply(const std::string& text);

} // namespace wire
