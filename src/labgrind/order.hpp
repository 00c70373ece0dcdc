#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace labgrind {

/// What a group's asynchronous copies do is done by a work-item of this number plus the group's.
constexpr std::uint32_t copies = std::uint32_t{1} << 31;

/// When an access took place: by which work-item, and how many barriers of its group and release
/// fences of its own lay before it. All numbers count from 0.
struct Stamp {
    std::uint32_t item = 0;
    std::uint32_t group = 0;
    std::uint32_t phase = 0;  ///< barriers of the group before it
    std::uint32_t fences = 0; ///< release fences of the item before it
};

/// What somebody knows to have happened: of some groups all before a phase, of some work-items all
/// before a fence.
class Knowledge {
  public:
    bool covers(const Stamp& stamp) const {
        return (!groups_.empty() && bound(groups_, stamp.group) > stamp.phase) ||
               (!items_.empty() && bound(items_, stamp.item) > stamp.fences);
    }
    void add_group(std::uint32_t group, std::uint32_t phases) { raise(groups_, group, phases); }
    void add_item(std::uint32_t item, std::uint32_t fences) { raise(items_, item, fences); }
    void join(const Knowledge& other);
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
/// nothing by themselves: a fence before one publishes what its work-item has done and knows, and a
/// fence after one that read it takes that over, as C11's fences do (ISO C11, 7.17.4). A barrier is
/// a fence for the address spaces in its flags, and lets the work-items of a group know all that
/// any of them knows. Where it is none, it still makes them meet: what was fenced before it is known
/// to who has a fence after it. Work-items run one at a time and are switched at barriers only.
class Order {
  public:
    /// From here on work-items of `group` run; `first` is the lowest of their numbers.
    void begin_group(std::uint32_t group, std::uint32_t first, std::uint32_t size);

    Stamp stamp(std::uint32_t item) const;
    /// Whether what `earlier` stands for is over, in `item`'s eyes.
    bool before(const Stamp& earlier, std::uint32_t item) const;

    /// The group has met at a barrier; `ordered` says whether for this address space.
    void barrier(bool ordered);
    /// All of the group have waited for its asynchronous copies.
    void copies_done();
    void fence(std::uint32_t item, bool acquire, bool release);
    /// An atomic operation on the word at `address`. Who does not look at what it read learns
    /// nothing from it (`looks`); and if it left the word as it was (`changes`), others cannot tell
    /// it from none.
    void atomic(std::uint32_t item, std::uint64_t address, bool looks, bool changes);

  private:
    struct Item {
        std::uint32_t fences = 0;
        Knowledge own;                      ///< beyond what the whole group knows
        std::vector<std::uint64_t> reading; ///< words read atomically since the last fence
        Knowledge seen;                     ///< what such words said, from before the last barrier
    };

    std::size_t index(std::uint32_t item) const {
        return item >= copies ? items_.size() - 1 : item - first_;
    }
    Item& at(std::uint32_t item) { return items_[index(item)]; }
    const Item& at(std::uint32_t item) const { return items_[index(item)]; }
    void look(Item& item);

    std::uint32_t group_ = 0;
    std::uint32_t first_ = 0;
    std::uint32_t phase_ = 0;
    Knowledge shared_;        ///< what all work-items of the group know
    Knowledge met_;           ///< what they had fenced when they last met without knowing it
    std::vector<Item> items_; ///< and behind them the one that copies
    std::unordered_map<std::uint64_t, Knowledge> published_; ///< by atomics, by word
};

} // namespace labgrind
