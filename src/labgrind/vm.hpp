#pragma once

#include "labgrind/ir.hpp"
#include "wire/span.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A machine that carries out launches of kernels, one instruction of one work-item at a time. It
/// knows OpenCL and nothing of mistakes: a Watcher looks for those.
namespace labgrind::vm {

using ir::Address;

/// Sizes and positions in up to three dimensions.
using Size3 = std::array<std::size_t, 3>;
inline std::size_t volume(const Size3& size) { return size[0] * size[1] * size[2]; }
/// The number of a position in a box, x first.
inline std::size_t linear(const Size3& id, const Size3& size) {
    return id[0] + size[0] * (id[1] + size[1] * id[2]);
}
inline Size3 position(std::size_t number, const Size3& size) {
    return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
}

/// A value as it stands in a register: lanes without padding.
struct Operand {
    const std::byte* data = nullptr;
    std::size_t lane_size = 0; ///< bytes
    std::size_t lanes = 1;

    std::size_t size() const { return lane_size * lanes; }
    std::uint64_t get_unsigned(std::size_t lane = 0) const {
        std::uint64_t value = 0;
        std::memcpy(&value, data + lane * lane_size, std::min<std::size_t>(lane_size, 8));
        return value;
    }
    std::int64_t get_signed(std::size_t lane = 0) const {
        const std::size_t shift = 64 - 8 * std::min<std::size_t>(lane_size, 8);
        return static_cast<std::int64_t>(get_unsigned(lane) << shift) >> shift;
    }
    Address get_address() const { return get_unsigned(); }
};

/// A built-in function that computes with values alone: it writes what it makes of them to `result`.
using Pure = std::function<void(wire::Span<const Operand> arguments, std::byte* result)>;

class Execution;

/// How a built-in function is carried out: by what it computes, or by the machine.
struct Builtin {
    Pure pure;
    void (Execution::*execute)() = nullptr;
};

/// More than any device has: a kernel with more is no kernel that somebody waits for.
constexpr std::size_t most_private_bytes = std::size_t{1} << 20; ///< of a work-item
constexpr std::size_t most_local_bytes = std::size_t{1} << 24;

/// A kind of memory: pieces of it with numbers, from 1.
class Memory {
  public:
    explicit Memory(unsigned space,
                    std::size_t most_bytes = std::numeric_limits<std::size_t>::max())
        : space_(space), most_bytes_(most_bytes) {}

    unsigned space() const { return space_; }
    /// A new piece of `size` bytes, full of `filling`. Throws Stuck where that is too much.
    Address allocate(std::size_t size, std::byte filling = std::byte{0});
    /// The last pieces are given back: `count` stay.
    void shrink(std::size_t count) {
        if (count == pieces_.size())
            return;
        bytes_.resize(pieces_[count].begin);
        pieces_.resize(count);
    }
    std::size_t pieces() const { return pieces_.size(); }
    /// Of all bytes.
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
    /// Of a valid address, until the next piece is allocated.
    std::byte* at(Address address) { return bytes_.data() + index_of(address); }
    const std::byte* at(Address address) const { return bytes_.data() + index_of(address); }
    /// Of a piece that there is.
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

class Group;
class Launch;
class Watcher;

/// A work-item: where it is, and what its variables hold.
class WorkItem {
  public:
    enum class State { ready, waits, finished };

    WorkItem(Group& group, std::size_t number);

    State state() const { return state_; }
    /// Executes one instruction, and tells the watcher. Only for one that is ready.
    void step();
    /// Waits no more.
    void go_on() { state_ = State::ready; }
    /// What step() will execute.
    const ir::Instruction* next() const {
        return frames_.back().block->instructions[frames_.back().next];
    }

    /// What a value holds, in the function that runs now or in one that has called it.
    Operand operand(const ir::Value* value) const;
    /// The instruction that is executed now, or the one that it waits at.
    const ir::Instruction* current() const { return current_; }
    /// What has called the function that runs now; null: it is the kernel.
    const ir::Instruction* caller() const { return frames_.back().call; }
    /// Where the jump came from that led to the block that runs now.
    const ir::Block* previous_block() const { return frames_.back().previous; }

    Group& group() const { return *group_; }
    std::size_t number() const { return number_; } ///< within the group
    const Size3& local_id() const { return local_id_; }
    Size3 global_id() const;
    Memory& private_memory() { return private_memory_; }
    const Memory& private_memory() const { return private_memory_; }
    /// The memory of an address space that this work-item sees.
    Memory& memory(unsigned space);

  private:
    struct Frame {
        const ir::Function* function = nullptr;
        const ir::Block* block = nullptr;
        const ir::Block* previous = nullptr;
        std::size_t next = 0;                  ///< instruction of the block
        const ir::Instruction* call = nullptr; ///< that this function was called by; null: a kernel
        std::size_t pieces = 0;                ///< of private memory before it began
        std::vector<std::byte> registers;
    };

    friend class Execution;

    const Frame& frame_of(const ir::Value& value) const;
    void begin(const ir::Function& function, const ir::Instruction* call);

    Group* group_;
    std::size_t number_;
    Size3 local_id_;
    State state_ = State::ready;
    const ir::Instruction* current_ = nullptr;
    std::size_t copies_ = 0; ///< that it has asked for
    Memory private_memory_{ir::private_space, most_private_bytes};
    std::vector<Frame> frames_; ///< those who have called come first
};

/// A copy between local and global memory that a group has asked for.
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
    std::size_t asked = 0; ///< work-items that have come by
    bool done = false;
};

/// A work-group: its work-items, and the memory they share.
class Group {
  public:
    Group(Launch& launch, std::size_t number);
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    Group(Group&&) = delete;
    Group& operator=(Group&&) = delete;
    ~Group() = default;

    Launch& launch() const { return *launch_; }
    std::size_t number() const { return number_; }
    const Size3& id() const { return id_; }
    Memory& local_memory() { return local_memory_; }
    const Memory& local_memory() const { return local_memory_; }
    std::vector<WorkItem>& items() { return items_; }
    std::vector<AsyncCopy>& copies() { return copies_; }

    /// Runs all of its work-items to their end, in turn from one barrier to the next.
    void run();
    /// Lets all go on that wait: nobody else has not ended.
    void meet();

  private:
    void copy(AsyncCopy& copy);

    Launch* launch_;
    std::size_t number_;
    Size3 id_;
    Memory local_memory_{ir::local_space, most_local_bytes};
    std::vector<WorkItem> items_;
    std::vector<AsyncCopy> copies_;
};

/// What a kernel is given for one of its parameters.
struct Given {
    std::vector<std::byte> value; ///< a plain value, or the address of a buffer
    std::size_t local_size = 0;   ///< bytes of local memory, for a pointer to that
};

/// A kernel on its way.
class Launch {
  public:
    /// The arguments have to fit the kernel's parameters. `global_memory` begins with the module's
    /// own constants, see constants_of().
    Launch(const ir::Module& module, const ir::Function& kernel, Memory& global_memory,
           std::vector<Given> arguments, Watcher& watcher);

    Size3 global_offset{0, 0, 0};
    Size3 global_size{1, 1, 1};
    Size3 group_size{1, 1, 1};
    unsigned dimensions = 1;

    /// Runs groups (all of them, or those of these numbers) one after the other.
    void run(const std::vector<std::size_t>& groups);

    Size3 group_counts() const {
        return {global_size[0] / group_size[0], global_size[1] / group_size[1],
                global_size[2] / group_size[2]};
    }
    const ir::Module& module() const { return *module_; }
    const ir::Function& kernel() const { return *kernel_; }
    const std::vector<Given>& arguments() const { return arguments_; }
    Memory& global_memory() { return *global_memory_; }
    Watcher& watcher() const { return *watcher_; }
    /// What a built-in function does.
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
    std::vector<Builtin> builtins_; ///< by the number of the function, those that have been called
};

/// Global memory that holds a module's own constants.
Memory constants_of(const ir::Module& module);

/// The machine cannot go on, through nobody's fault but its own.
struct Stuck : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Is told what happens, before it happens where it says so, and may end a launch by throwing.
class Watcher {
  public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    Watcher(Watcher&&) = delete;
    Watcher& operator=(Watcher&&) = delete;
    virtual ~Watcher() = default;

    virtual void on_group_begins(Group& group) = 0;
    virtual void on_group_ends(Group& group) = 0;
    virtual void on_item_ends(WorkItem& item) = 0;
    /// All of the group that have not ended wait; `flags` are the barrier's.
    virtual void on_barrier(Group& group, std::uint32_t flags) = 0;
    /// `instruction` has been executed; `result` may be changed.
    virtual void on_executed(WorkItem& item, const ir::Instruction& instruction,
                             std::byte* result) = 0;
    /// Before plain accesses, also such that lie outside.
    virtual void on_load(WorkItem& item, Memory& memory, Address address, std::size_t size) = 0;
    virtual void on_store(WorkItem& item, Memory& memory, Address address, std::size_t size,
                          const std::byte* data) = 0;
    /// Before an atomic operation on memory that is there.
    virtual void on_atomic(WorkItem& item, Memory& memory, Address address, std::size_t size) = 0;
    /// Before the parts of an asynchronous copy.
    virtual void on_copy(Group& group, Memory& memory, Address address, std::size_t size,
                         bool write) = 0;
    /// Work-items of a group have asked for other copies than the first, or not all have.
    virtual void on_copy_divergence(WorkItem& item) = 0;
};

/// Looks at nothing.
class Unwatched : public Watcher {
  public:
    void on_group_begins(Group& /*group*/) override {}
    void on_group_ends(Group& /*group*/) override {}
    void on_item_ends(WorkItem& /*item*/) override {}
    void on_barrier(Group& /*group*/, std::uint32_t /*flags*/) override {}
    void on_executed(WorkItem& /*item*/, const ir::Instruction& /*instruction*/,
                     std::byte* /*result*/) override {}
    void on_load(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/,
                 std::size_t /*size*/) override {}
    void on_store(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/, std::size_t /*size*/,
                  const std::byte* /*data*/) override {}
    void on_atomic(WorkItem& /*item*/, Memory& /*memory*/, Address /*address*/,
                   std::size_t /*size*/) override {}
    void on_copy(Group& /*group*/, Memory& /*memory*/, Address /*address*/, std::size_t /*size*/,
                 bool /*write*/) override {}
    void on_copy_divergence(WorkItem& /*item*/) override {}
};

} // namespace labgrind::vm
