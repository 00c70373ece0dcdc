#include "labgrind/signals.hpp"

#include "labgrind/program/instructions.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace labgrind {
namespace {

/// What a work-item does with global memory.
struct SignalUse {
    int stores_at = 0;     ///< the line of its first store in one of the lines; 0: none
    int atomic_before = 0; ///< the line of its last atomic operation before that; 0: none
    bool atomic_after = false;
};

class SignalWatcher final : public vm::Watcher {
  public:
    SignalWatcher(int line, int other_line) : line_(line), other_line_(other_line) {}

    void on_store(vm::WorkItem& item, vm::Memory& memory, vm::Address /*address*/,
                  std::size_t /*size*/, const std::byte* /*data*/) override {
        const int line = item.current()->line;
        if (memory.space() != ir::global_space || (line != line_ && line != other_line_))
            return;
        SignalUse& uses = uses_of(item);
        uses.stores_at = uses.stores_at == 0 ? line : uses.stores_at;
        uses.atomic_after = false;
    }
    void on_atomic(vm::WorkItem& item, vm::Memory& memory, vm::Address /*address*/,
                   std::size_t /*size*/) override {
        if (memory.space() != ir::global_space)
            return;
        SignalUse& uses = uses_of(item);
        uses.atomic_after = uses.stores_at != 0;
        if (uses.stores_at == 0)
            uses.atomic_before = item.current()->line;
        atomic_line_ = item.current()->line;
        uses_results_ = uses_results_ || is_used(*item.current());
    }

    std::string explain() const {
        std::vector<SignalUse> storing;
        for (const auto& [item, uses] : uses_) {
            if (uses.stores_at != 0)
                storing.push_back(uses);
        }
        if (storing.empty() || atomic_line_ == 0)
            return "";
        if (!uses_results_)
            return "no result of an atomic operation is used, so a group cannot know what others "
                   "have written";
        if (std::ranges::any_of(storing, &SignalUse::atomic_after))
            return "";
        const SignalUse& first = storing.front();
        const std::string store = "line " + std::to_string(first.stores_at);
        const auto late = std::ranges::count_if(
            storing, [](const SignalUse& one) { return one.atomic_before != 0; });
        if (late == std::ssize(storing))
            return store + " comes after the atomic operation at line " +
                   std::to_string(first.atomic_before) +
                   ", which can tell others too early that the value is there: write it before";
        if (late == 0)
            return "the work-item that executes " + store +
                   " does not execute the atomic operation at line " +
                   std::to_string(atomic_line_) +
                   ", and the one that does may be earlier: let the same work-item do both, or put "
                   "a barrier(CLK_GLOBAL_MEM_FENCE) between them";
        return "";
    }

  private:
    SignalUse& uses_of(const vm::WorkItem& item) {
        return uses_[{item.group().number(), item.number()}];
    }

    int line_;
    int other_line_;
    int atomic_line_ = 0; ///< of the last atomic operation; 0: none
    bool uses_results_ = false;
    std::map<std::pair<std::size_t, std::size_t>, SignalUse> uses_; ///< by group and work-item
};

} // namespace

std::string why_no_signal(Replay& replay, int line, int other_line) {
    SignalWatcher watcher(line, other_line);
    replay.run_with(watcher);
    return watcher.explain();
}

} // namespace labgrind
