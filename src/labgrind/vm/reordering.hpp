#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

/// OpenCL 1.2 orders accesses of a work-item to different words of global memory only at a fence or
/// a barrier, also if they are atomic.
namespace labgrind::vm {

/// Whether other work-items may see what `instruction` writes to global memory later than what its
/// work-item writes after it: an atomic operation whose result is not used, or a volatile store.
bool may_be_late(const ir::Instruction& instruction);

/// Whether `item` may read with its next instruction what a word of global memory held earlier: a
/// volatile load, or an atomic operation that changes nothing, such as atomic_or(word, 0).
bool may_be_early(const WorkItem& item);

/// The writes of one work-item that no other one sees yet: until a fence, each may take effect at
/// any time.
class LateWrites {
  public:
    bool empty() const { return writes_.empty(); }

    /// Executes the next instruction of `item`, and keeps what it writes from the others.
    void step(WorkItem& item);

    /// Whether the writes take effect before `next`: it is a fence, or uses one of the words.
    bool end_before(const WorkItem& item, const ir::Instruction& next) const;

    /// All of them take effect.
    void settle(Memory& global_memory);

  private:
    struct Write {
        Address address = 0;
        std::size_t size = 0;
        std::uint64_t value = 0;
        bool adds = false; ///< `value` is a difference
    };

    bool overlap(Address address, std::size_t size) const;

    std::vector<Write> writes_;
};

/// An instruction that reads as early as it may.
struct EarlyRead {
    const ir::Instruction* read = nullptr;
    /// The accesses that determine its address.
    std::vector<const ir::Instruction*> sources;
};

/// What the words of global memory held before. A work-item may read a word as early as after its
/// last fence, after its last access to that word, and after its group has made the last access that
/// determines the address. Work-items have their number in the launch.
class EarlierValues {
  public:
    EarlierValues(const EarlyRead& early, std::size_t items, std::size_t group_size)
        : early_(&early), group_size_(group_size), items_(items), sources_(items / group_size) {}

    /// Executes the next instruction of `item`, whose number is `number`. If it read a value that has
    /// been replaced since, returns the line of the atomic or volatile access that should have come
    /// before, 0 if that is not known.
    std::optional<int> step(WorkItem& item, std::size_t number);

    /// The group of a work-item has met at the barrier where the work-item waits.
    void meet(const WorkItem& item, std::size_t number);

  private:
    struct Item {
        std::uint64_t fence = 0;                   ///< the time of its last one
        std::map<Address, std::uint64_t> accesses; ///< the time of its last one, by word
        int line = 0;                              ///< of its last signal since the fence
    };
    struct Change {
        std::uint64_t time = 0;
        std::uint64_t before = 0;
    };

    std::uint64_t value_at(std::uint64_t time, Address word, std::uint64_t now) const;
    void fence(Item& item) const;

    const EarlyRead* early_;
    std::size_t group_size_;
    std::uint64_t time_ = 0; ///< a number of accesses
    std::vector<Item> items_;
    std::vector<std::uint64_t> sources_;             ///< the time of the last one, by group
    std::map<Address, std::vector<Change>> changes_; ///< by word
};

} // namespace labgrind::vm
