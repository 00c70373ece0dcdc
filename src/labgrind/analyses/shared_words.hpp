#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace labgrind {

/// Whether atomic operations of several work-items meet at a word: what they do can depend on their
/// order then.
class SharedWords {
  public:
    /// `item` has accessed a word of memory, atomically or through a volatile pointer. `group`: the
    /// one whose local memory it is, 0 for global memory.
    void visit(std::uint64_t word, std::uint32_t group, std::uint32_t item, bool atomic) {
        Word& seen = words_.try_emplace({word, group}, Word{item}).first->second;
        seen.is_shared = seen.is_shared || seen.item != item;
        seen.is_atomic = seen.is_atomic || atomic;
        atomics_meet_ = atomics_meet_ || (seen.is_shared && seen.is_atomic);
    }
    bool atomics_meet() const { return atomics_meet_; }

  private:
    struct Word {
        std::uint32_t item; ///< the first one
        bool is_shared = false;
        bool is_atomic = false;
    };

    std::map<std::pair<std::uint64_t, std::uint32_t>, Word> words_;
    bool atomics_meet_ = false;
};

} // namespace labgrind
