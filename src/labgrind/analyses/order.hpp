#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace labgrind {

/// A group's asynchronous copies count as accesses by a work-item with this number plus the
/// group's.
constexpr std::uint32_t copies = std::uint32_t{1} << 31;

/// The epoch of an access: which work-item made it, and after how many barriers of its group and
/// how many release fences of its own. All numbers count from 0.
struct Epoch {
    std::uint32_t item = 0;
    std::uint32_t group = 0;
    std::uint32_t phase = 0;  ///< barriers of the group before it
    std::uint32_t fences = 0; ///< release fences of the item before it
};

/// A vector clock: it covers what happened before, of some groups all before a phase and of some
/// work-items all before a fence.
class VectorClock {
  public:
    bool covers(const Epoch& epoch) const {
        return (!groups_.empty() && bound(groups_, epoch.group) > epoch.phase) ||
               (!items_.empty() && bound(items_, epoch.item) > epoch.fences);
    }
    void add_group(std::uint32_t group, std::uint32_t phases) { raise(groups_, group, phases); }
    void add_item(std::uint32_t item, std::uint32_t fences) { raise(items_, item, fences); }
    void join(const VectorClock& other);
    bool empty() const { return groups_.empty() && items_.empty(); }
    void clear();

  private:
    /// Bounds by number, sorted.
    using Bounds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    static std::uint32_t bound(const Bounds& bounds, std::uint32_t key);
    static void raise(Bounds& bounds, std::uint32_t key, std::uint32_t value);
    static void merge(Bounds& into, const Bounds& from);

    Bounds groups_;
    Bounds items_;
};

/// The happens-before relation of one launch for one address space. OpenCL 1.2's atomics order
/// nothing by themselves: a release fence before one publishes its work-item's clock, and an
/// acquire fence after one that reads it joins that clock, as C11's fences do (ISO C11, 7.17.4). A
/// barrier is a fence for the address spaces in its flags, and joins the clocks of all work-items
/// of a group. For other address spaces the work-items still meet: what one of them has released with a
/// fence before the barrier, or read atomically, any of them can acquire with a fence after it, or pass on
/// with an atomic operation. Work-items run one at a time.
class Order {
    struct Item {
        std::uint32_t fences = 0;
        VectorClock own;                    ///< beyond the clock that the whole group shares
        std::vector<std::uint64_t> reading; ///< words read atomically since the last fence
        VectorClock seen;                   ///< clocks of such words, from before the last barrier
    };

  public:
    /// What is known about the group that runs.
    struct OfGroup {
        std::uint32_t group = 0;
        std::uint32_t first = 0;
        std::uint32_t phase = 0;
        VectorClock shared = {};      ///< the clock that all work-items of the group share
        VectorClock met = {};         ///< released before barriers for other address spaces only
        VectorClock met_seen = {};    ///< read atomically before them
        std::vector<Item> items = {}; ///< followed by the one that copies
    };
    /// Continues with another group, and returns what is known about this one.
    OfGroup switch_to(OfGroup other) { return std::exchange(now_, std::move(other)); }

    /// From now on work-items of `group` run; `first` is the lowest of their numbers.
    void begin_group(std::uint32_t group, std::uint32_t first, std::uint32_t size);

    Epoch epoch(std::uint32_t item) const;
    /// Whether `earlier` happened before what `item` does now.
    bool before(const Epoch& earlier, std::uint32_t item) const;

    /// Whether it would have, with an acquire fence of `item` between the two.
    bool lacks_acquire(const Epoch& earlier, std::uint32_t item) const;

    /// The group has met at a barrier; `ordered`: its flags include this address space.
    void barrier(bool ordered);
    /// All work-items of the group have waited for its asynchronous copies.
    void copies_done();
    void fence(std::uint32_t item, bool acquire, bool release);
    /// An atomic operation on the word at `address`. An acquire fence after it has an effect only
    /// if its result is used (`uses_result`); a release fence before it, only if it changes the word
    /// (`changes`), because others cannot observe it otherwise.
    void atomic(std::uint32_t item, std::uint64_t address, bool uses_result, bool changes);

  private:
    std::size_t index(std::uint32_t item) const {
        return item >= copies ? now_.items.size() - 1 : item - now_.first;
    }
    Item& at(std::uint32_t item) { return now_.items[index(item)]; }
    const Item& at(std::uint32_t item) const { return now_.items[index(item)]; }
    void look(Item& item);

    OfGroup now_;
    std::unordered_map<std::uint64_t, VectorClock> published_; ///< released by atomics, by word
};

} // namespace labgrind
