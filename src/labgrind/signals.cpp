#include "labgrind/signals.hpp"

#include "labgrind/program/instructions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace labgrind {
namespace {

/// What a work-item does with global memory.
struct SignalUse {
    int stores_at = 0; ///< the line of its first store in one of the lines; 0: none
    /// Its atomic operations before that: the word, and the line.
    std::vector<std::pair<vm::Address, int>> before;
    std::size_t barriers = 0; ///< of its group for global memory, before its last store there
    /// Its last atomic operation after that store: the line, the word, and the barriers before it.
    int signals_at = 0; ///< 0: none
    vm::Address signals_by = 0;
    std::size_t barriers_before_signal = 0;
    std::set<vm::Address> asked; ///< words of its atomic operations with results
};

/// The first read of an element of global memory.
struct FirstRead {
    std::size_t group = 0;
    int line = 0;
    std::set<vm::Address> asked; ///< words of atomic operations with results that happen before it
    std::size_t begun = 0;       ///< how many groups have begun by then
};

/// Watches the stores and loads of two lines, and all atomic operations.
class SignalWatcher final : public vm::Watcher {
  public:
    SignalWatcher(int line, int other_line) : line_(line), other_line_(other_line) {}

    void on_group_begins(vm::Group& group) override {
        begun_.emplace(group.number(), begun_.size());
    }

    void on_load(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                 std::size_t /*size*/) override {
        if (!concerns(item, memory))
            return;
        const std::size_t group = item.group().number();
        loads_[ir::buffer_of(address)].insert(group);
        readers_.try_emplace(
            address, FirstRead{group, item.current()->line, asked_before(item), begun_.size()});
    }
    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address address, std::size_t /*size*/,
                  const std::byte* /*data*/) override {
        if (!concerns(item, memory))
            return;
        stored_ = ir::buffer_of(address);
        writers_[address].insert(item.group().number());
        SignalUse& uses = uses_of(item);
        uses.stores_at = uses.stores_at == 0 ? item.current()->line : uses.stores_at;
        uses.barriers = barriers_[item.group().number()];
        uses.signals_at = 0;
    }
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address address,
                   std::size_t /*size*/) override {
        if (memory.space() != ir::global_space)
            return;
        SignalUse& uses = uses_of(item);
        const int line = item.current()->line;
        if (uses.stores_at == 0) {
            uses.before.emplace_back(address, line);
        } else {
            uses.signals_at = line;
            uses.signals_by = address;
            uses.barriers_before_signal = barriers_[item.group().number()];
        }
        lines_[address].insert(line);
        atomic_line_ = line;
        if (!is_used(*item.current()))
            return;
        uses_results_ = true;
        uses.asked.insert(address);
        asked_[item.group().number()].insert(address);
    }

    void on_barrier(vm::Group& group, std::uint32_t flags) override {
        asked_before_barrier_[group.number()] = asked_[group.number()];
        if ((flags & vm::global_flag) != 0)
            ++barriers_[group.number()];
    }

    std::string explain() const {
        std::vector<SignalUse> storing;
        for (const auto& [item, uses] : uses_) {
            if (uses.stores_at != 0)
                storing.push_back(uses);
        }
        if (storing.empty() || atomic_line_ == 0)
            return "";
        for (const auto& [address, groups] : writers_) {
            const auto atomics = lines_.find(address);
            if (atomics != lines_.end())
                return "line " + std::to_string(*atomics->second.begin()) +
                       " changes the same element with an atomic operation, so line " +
                       std::to_string(storing.front().stores_at) +
                       " must not store to it without one";
        }
        if (!uses_results_)
            return "no result of an atomic operation is used, so a group cannot know what others "
                   "have written";
        if (std::ranges::any_of(storing, signals)) {
            const std::string text = lacks_barrier();
            return text.empty() ? reads_too_early() : text;
        }
        const SignalUse& first = storing.front();
        const std::string store = "line " + std::to_string(first.stores_at);
        const auto early = std::ranges::count_if(
            storing, [](const SignalUse& one) { return !one.before.empty(); });
        if (early == 0)
            return "the work-item that executes " + store +
                   " does not execute the atomic operation at line " +
                   std::to_string(atomic_line_) +
                   ", and the one that does may be earlier: let the same work-item do both, or put "
                   "a barrier(CLK_GLOBAL_MEM_FENCE) between them";
        const int signal = signal_of(first);
        if (early != std::ssize(storing) || signal == 0)
            return "";
        return store + " comes after the atomic operation at line " + std::to_string(signal) +
               ", which can signal to other groups before the value is stored: store it first";
    }

  private:
    static bool signals(const SignalUse& one) { return one.signals_at != 0; }

    /// What is wrong if some work-items of a group signal for all, and no barrier comes before.
    std::string lacks_barrier() const {
        for (const auto& [item, uses] : uses_) {
            if (uses.stores_at == 0 || signals(uses))
                continue;
            int signals_at = 0;
            bool is_same_phase = true;
            for (const auto& [other, its] : uses_) {
                if (other.first != item.first || !signals(its))
                    continue;
                signals_at = its.signals_at;
                is_same_phase = is_same_phase && its.barriers_before_signal == uses.barriers;
            }
            if (signals_at != 0 && is_same_phase)
                return "a work-item of the group signals, but there is no "
                       "barrier(CLK_GLOBAL_MEM_FENCE) between line " +
                       std::to_string(uses.stores_at) + " and the signal at line " +
                       std::to_string(signals_at) +
                       ", so the signal covers only that work-item's own stores";
        }
        return "";
    }

    /// What is wrong if a group reads what another one, which comes later, stores before it signals, although
    /// both use the same word for that: the first one did not wait for all signals.
    std::string reads_too_early() const {
        for (const auto& [address, writers] : writers_) {
            const auto found = readers_.find(address);
            if (found == readers_.end())
                continue;
            const FirstRead& read = found->second;
            const std::size_t writer = *writers.begin();
            const auto asked = asked_.find(read.group);
            if (writers.contains(read.group) || begun_.at(writer) < read.begun ||
                asked == asked_.end())
                continue;
            for (const auto& [item, uses] : uses_) {
                if (!signals(uses) || item.first != writer ||
                    !asked->second.contains(uses.signals_by))
                    continue;
                if (!read.asked.contains(uses.signals_by))
                    return "line " + std::to_string(read.line) +
                           " reads it before the atomic operation at line " +
                           std::to_string(uses.signals_at) +
                           ", whose result shows whether it has been written: read it after that";
                return "group " + std::to_string(read.group) + " reads it before group " +
                       std::to_string(writer) + " has executed the atomic operation at line " +
                       std::to_string(uses.signals_at) +
                       ": the condition that lets it read is true too early";
            }
        }
        return "";
    }

    bool concerns(const vm::WorkItem& item, const vm::Memory& memory) const {
        const int line = item.current()->line;
        return memory.space() == ir::global_space && (line == line_ || line == other_line_);
    }
    SignalUse& uses_of(const vm::WorkItem& item) {
        return uses_[{item.group().number(), item.number()}];
    }
    std::set<vm::Address> asked_before(const vm::WorkItem& item) {
        std::set<vm::Address> asked = uses_of(item).asked;
        asked.merge(std::set(asked_before_barrier_[item.group().number()]));
        return asked;
    }

    /// The line of the last atomic operation before the store that can be a signal; 0: none is. A ticket
    /// is none: each group takes one at the same line, and all of them load.
    int signal_of(const SignalUse& uses) const {
        const auto loads = loads_.find(stored_);
        const bool several_load = loads != loads_.end() && loads->second.size() > 1;
        const auto last =
            std::find_if(uses.before.rbegin(), uses.before.rend(), [&](const auto& one) {
                return lines_.at(one.first).size() > 1 || !several_load;
            });
        return last == uses.before.rend() ? 0 : last->second;
    }

    int line_;
    int other_line_;
    int atomic_line_ = 0; ///< of the last atomic operation; 0: none
    bool uses_results_ = false;
    std::map<std::pair<std::size_t, std::size_t>, SignalUse> uses_; ///< by group and work-item
    std::map<std::size_t, std::size_t> barriers_; ///< by group: those for global memory so far
    std::map<vm::Address, std::set<int>> lines_;  ///< of the atomic operations on each word
    std::map<std::uint32_t, std::set<std::size_t>> loads_; ///< by buffer: the groups that load
    std::uint32_t stored_ = 0;                             ///< the buffer that is stored to
    std::map<std::size_t, std::size_t> begun_;             ///< by group: how many began before it
    std::map<vm::Address, FirstRead> readers_;
    std::map<vm::Address, std::set<std::size_t>> writers_; ///< the groups that store to it
    /// By group: the words of its atomic operations with results, in all and before its last barrier.
    std::map<std::size_t, std::set<vm::Address>> asked_;
    std::map<std::size_t, std::set<vm::Address>> asked_before_barrier_;
};

} // namespace

std::string why_no_signal(Replay& replay, int line, int other_line, bool last_group_first) {
    SignalWatcher watcher(line, other_line);
    replay.run_with(watcher, last_group_first);
    return watcher.explain();
}

} // namespace labgrind
