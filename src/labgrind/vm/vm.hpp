#pragma once

#include "labgrind/vm/ir.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A virtual machine that runs kernels, one instruction of one work-item at a time. It knows OpenCL
/// but does not look for mistakes: a Watcher does.
namespace labgrind::vm {

using ir::Address;

/// Sizes and positions in up to three dimensions.
using Size3 = std::array<std::size_t, 3>;
inline std::size_t volume(const Size3& size) { return size[0] * size[1] * size[2]; }
/// The linear index of a position in a box, x first.
inline std::size_t linear(const Size3& id, const Size3& size) {
    return id[0] + size[0] * (id[1] + size[1] * id[2]);
}
inline Size3 position(std::size_t number, const Size3& size) {
    return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
}

/// The first bytes at `data` as a number: all `size`, or eight.
inline std::uint64_t number_at(const std::byte* data, std::size_t size) {
    std::uint64_t number = 0;
    switch (size) { // a copy of a known size takes one instruction
    case 4:
        std::memcpy(&number, data, 4);
        break;
    case 8:
        std::memcpy(&number, data, 8);
        break;
    default:
        std::memcpy(&number, data, std::min<std::size_t>(size, 8));
    }
    return number;
}

/// A value in a register: lanes without padding.
struct Operand {
    const std::byte* data = nullptr;
    std::size_t lane_size = 0; ///< bytes
    std::size_t lanes = 1;

    std::size_t size() const { return lane_size * lanes; }
    std::uint64_t get_unsigned(std::size_t lane = 0) const {
        return number_at(data + lane * lane_size, lane_size);
    }
    std::int64_t get_signed(std::size_t lane = 0) const {
        const std::size_t shift = 64 - 8 * std::min<std::size_t>(lane_size, 8);
        return static_cast<std::int64_t>(get_unsigned(lane) << shift) >> shift;
    }
    Address get_address() const { return get_unsigned(); }
};

/// A lane of floating-point numbers; they have 2, 4 or 8 bytes.
double get_float(const Operand& operand, std::size_t lane);
/// The bits of `value` as a floating-point number of `size` bytes.
std::uint64_t float_bits(double value, std::size_t size);

/// A built-in function that only computes with values, and writes its result to `result`.
using Pure = std::function<void(std::span<const Operand> arguments, std::byte* result)>;

class Execution;

/// How a built-in function runs: as a pure function, or by the machine.
struct Builtin {
    Pure pure;
    void (Execution::*execute)() = nullptr;
};

/// More than any device has: no sensible kernel needs more.
constexpr std::size_t most_private_bytes = std::size_t{1} << 20; ///< of a work-item
constexpr std::size_t most_local_bytes = std::size_t{1} << 24;

/// The memory of one address space: pieces with numbers, from 1.
class Memory {
  public:
    explicit Memory(unsigned space,
                    std::size_t most_bytes = std::numeric_limits<std::size_t>::max())
        : space_(space), most_bytes_(most_bytes) {}

    unsigned space() const { return space_; }
    /// Makes room for that many pieces, of so many bytes in all.
    void reserve(std::size_t pieces, std::size_t bytes) {
        pieces_.reserve(pieces);
        bytes_.reserve(bytes);
    }
    /// Adds a piece of `size` bytes, filled with `filling`. Throws Stuck if that is too much.
    Address allocate(std::size_t size, std::byte filling = std::byte{0});
    /// Frees the last pieces, so that `count` remain.
    void shrink(std::size_t count) {
        if (count == pieces_.size())
            return;
        bytes_.resize(pieces_[count].begin);
        pieces_.resize(count);
    }
    std::size_t pieces() const { return pieces_.size(); }
    /// A hash of all bytes.
    std::size_t hash() const {
        return std::hash<std::string_view>()(
            {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}); // NOLINT: bytes
    }
    bool is_valid(Address address, std::size_t size = 1) const {
        const std::uint32_t buffer = ir::buffer_of(address);
        const std::uint64_t offset = ir::offset_of(address);
        return buffer != 0 && buffer <= pieces_.size() && offset <= size_of(buffer) &&
               size <= size_of(buffer) - offset;
    }
    /// The bytes at a valid address; the pointer is valid until the next allocation.
    std::byte* at(Address address) { return bytes_.data() + index_of(address); }
    const std::byte* at(Address address) const { return bytes_.data() + index_of(address); }
    /// The number of `size` bytes, at most 8, at a valid address.
    std::uint64_t number_at(Address address, std::size_t size) const {
        return vm::number_at(at(address), size);
    }
    /// The size of an existing piece in bytes.
    std::size_t size_of(std::uint32_t buffer) const { return pieces_[buffer - 1].size; }

  private:
    struct Piece {
        std::size_t begin;
        std::size_t size;
    };

    std::size_t index_of(Address address) const {
        return pieces_[ir::buffer_of(address) - 1].begin + ir::offset_of(address);
    }

    unsigned space_;
    std::size_t most_bytes_;
    std::vector<Piece> pieces_;
    std::vector<std::byte> bytes_; ///< of all pieces
};

/// A contiguous part of an asynchronous copy, in bytes.
struct CopySize {
    std::size_t whole;
    std::size_t element;
};

/// The flags of a barrier or a fence.
constexpr std::uint32_t local_flag = 1;  ///< CLK_LOCAL_MEM_FENCE
constexpr std::uint32_t global_flag = 2; ///< CLK_GLOBAL_MEM_FENCE

class Group;
class Launch;
class Watcher;

/// A work-item: its position in the program, and the values of its variables.
class WorkItem {
  public:
    enum class State { ready, waits, finished };

    WorkItem(Group& group, std::size_t number);

    State state() const { return state_; }
    /// Executes one instruction, and notifies the watcher. The work-item must be ready.
    void step();
    /// Stops waiting.
    void go_on() { state_ = State::ready; }
    /// The instruction that step() executes next.
    const ir::Instruction* next() const { return *frames_.back().next; }

    /// What a value holds, in the current function or in one of its callers.
    Operand operand(const ir::Value* value) const;
    /// The current instruction, or the one that it waits at.
    const ir::Instruction* current() const { return current_; }
    /// The line of the call of the current function; 0: it is the kernel.
    int called_at() const {
        const ir::Instruction* const call = frames_.back().call;
        return call == nullptr ? 0 : call->line;
    }
    /// The lines of the calls that it is in, the innermost first; none: it is in the kernel,
    /// or has ended.
    std::vector<int> call_lines() const;
    /// The block that control came from before the current block.
    const ir::Block* previous_block() const { return frames_.back().previous; }
    /// 1 if it is behind another work-item of its group, 0 if both are at the same place, -1 if it is
    /// ahead. In each running function, the kernel first, the numbers of the block and of the next
    /// instruction decide: in a block of a loop, a smaller one is further behind.
    int lag_to(const WorkItem& other) const;

    Group& group() const { return *group_; }
    std::size_t number() const { return number_; } ///< within the group
    std::size_t number_in_launch() const;
    const Size3& local_id() const { return local_id_; }
    Size3 global_id() const;
    Memory& private_memory() { return private_memory_; }
    const Memory& private_memory() const { return private_memory_; }
    /// The memory of an address space, as this work-item sees it.
    Memory& memory(unsigned space);

  private:
    struct Frame {
        const ir::Function* function = nullptr;
        const ir::Block* block = nullptr;
        const ir::Block* previous = nullptr;
        const ir::Instruction* const* next = nullptr; ///< in the block's list of instructions
        const ir::Instruction* call = nullptr;        ///< that called this function; null: a kernel
        std::size_t pieces = 0;                       ///< of private memory before it began
        std::size_t registers = 0;                    ///< where its registers begin

        void jump_to(const ir::Block& target) {
            previous = block;
            block = &target;
            next = target.instructions.data();
        }
    };

    friend class Execution;

    const Frame& frame_of(const ir::Value& value) const;
    std::byte* registers_of(const Frame& frame) { return registers_.data() + frame.registers; }
    void begin(const ir::Function& function, const ir::Instruction* call);

    Group* group_;
    std::size_t number_;
    Size3 local_id_;
    State state_ = State::ready;
    const ir::Instruction* current_ = nullptr;
    std::size_t copies_ = 0; ///< that it has started
    Memory private_memory_{ir::private_space, most_private_bytes};
    std::vector<Frame> frames_;        ///< callers first
    std::vector<std::byte> registers_; ///< of all frames
};

/// A copy between local and global memory that a group has started.
struct AsyncCopy {
    const ir::Instruction* asked_by = nullptr;
    Address to = 0;
    Address from = 0;
    unsigned to_space = 0;
    unsigned from_space = 0;
    std::size_t element = 0; ///< bytes
    std::size_t count = 0;   ///< elements
    std::size_t to_stride = 1;
    std::size_t from_stride = 1;
    std::uint64_t event = 0;
    std::size_t asked = 0; ///< work-items that have started it
    bool done = false;
};

/// A work-group: its work-items, and the memory they share.
class Group {
  public:
    Group(Launch& launch, std::size_t number);
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    ~Group() = default;

    Launch& launch() const { return *launch_; }
    std::size_t number() const { return number_; }
    const Size3& id() const { return id_; }
    Memory& local_memory() { return local_memory_; }
    const Memory& local_memory() const { return local_memory_; }
    std::vector<WorkItem>& items() { return items_; }
    std::vector<AsyncCopy>& copies() { return copies_; }

    /// Runs all its work-items to their end.
    void run();
    /// Releases all waiting work-items. All others must have ended.
    void meet();

  private:
    void run_in_turn();
    void run_in_lock_step();
    void copy(AsyncCopy& copy);

    Launch* launch_;
    std::size_t number_;
    Size3 id_;
    Memory local_memory_{ir::local_space, most_local_bytes};
    std::vector<WorkItem> items_;
    std::vector<AsyncCopy> copies_;
};

/// The argument for one parameter of a kernel.
struct Given {
    std::vector<std::byte> value; ///< a plain value, or the address of a buffer
    std::size_t local_size = 0;   ///< bytes of local memory, for a pointer to local memory
};

/// A kernel that runs.
class Launch {
  public:
    /// The arguments must fit the kernel's parameters. `global_memory` begins with the module's
    /// constants, see constants_of().
    Launch(const ir::Module& module, const ir::Function& kernel, Memory& global_memory,
           std::vector<Given> arguments, Watcher& watcher);

    Size3 global_offset{0, 0, 0};
    Size3 global_size{1, 1, 1};
    Size3 group_size{1, 1, 1};
    unsigned dimensions = 1;
    /// The work-items of a group take each step together, and those that are ahead wait for the
    /// others, as in a warp. Otherwise they run one after the other between barriers.
    bool in_lock_step = false;

    /// Runs the groups with these numbers one after the other.
    void run(const std::vector<std::size_t>& groups);

    /// An access outside all memory, by the work-item with this number in the launch.
    struct Stray {
        std::size_t item = 0;
        const ir::Instruction* access = nullptr;
        Address address = 0;
        bool writes = false;
    };
    /// The first one since forget_stray(), if there was any.
    const std::optional<Stray>& stray() const { return stray_; }
    void forget_stray() { stray_.reset(); }
    void note_stray(const WorkItem& item, Address address, bool writes);

    Size3 group_counts() const {
        return {global_size[0] / group_size[0], global_size[1] / group_size[1],
                global_size[2] / group_size[2]};
    }
    const ir::Module& module() const { return *module_; }
    const ir::Function& kernel() const { return *kernel_; }
    const std::vector<Given>& arguments() const { return arguments_; }
    Memory& global_memory() { return *global_memory_; }
    Watcher& watcher() const { return *watcher_; }
    /// How a built-in function runs.
    const Builtin& builtin(const ir::Function& function) {
        Builtin& known = builtins_[function.number];
        if (!known.pure && known.execute == nullptr)
            known = find_builtin(function);
        return known;
    }

  private:
    static Builtin find_builtin(const ir::Function& function);

    const ir::Module* module_;
    const ir::Function* kernel_;
    Memory* global_memory_;
    std::vector<Given> arguments_;
    Watcher* watcher_;
    std::vector<Builtin> builtins_; ///< by the number of the function; those called so far
    std::optional<Stray> stray_;
};

/// Global memory that holds a module's constants.
Memory constants_of(const ir::Module& module);

/// The machine cannot continue, because of a limit of its own.
struct Stuck : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Is notified of what happens, in some cases before it happens. Can end a launch by throwing.
class Watcher {
  public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    virtual ~Watcher() = default;

    virtual void on_group_begins(Group& /*group*/) {}
    virtual void on_group_ends(Group& /*group*/) {}
    virtual void on_item_ends(WorkItem& /*item*/) {}
    /// All work-items of the group that have not ended wait; `flags` are the barrier's.
    virtual void on_barrier(Group& /*group*/, std::uint32_t /*flags*/) {}
    /// `instruction` has been executed; `result` may be changed.
    virtual void on_executed(WorkItem& /*item*/, const ir::Instruction& /*instruction*/,
                             std::byte* /*result*/) {}
    /// Before plain accesses, including those out of bounds.
    virtual void on_load(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/,
                         std::size_t /*size*/) {}
    virtual void on_store(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/,
                          std::size_t /*size*/, const std::byte* /*data*/) {}
    /// Before an atomic operation on valid memory.
    virtual void on_atomic(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/,
                           std::size_t /*size*/) {}
    /// Before each part of an asynchronous copy.
    virtual void on_copy(Group& /*group*/, Memory& /*memory*/, Address /*address*/,
                         CopySize /*part*/, bool /*write*/) {}
    /// Not all work-items of a group have started the same copies.
    virtual void on_copy_divergence(WorkItem& /*item*/) {}
    /// `instruction` is about to divide integers, perhaps by 0.
    virtual void on_division(WorkItem& /*item*/, const ir::Instruction& /*instruction*/) {}
};

} // namespace labgrind::vm
