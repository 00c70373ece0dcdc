#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wire {

/// The words of 4 bytes in a result that its host may have computed: those that it cannot know from
/// elsewhere.
class MadeUpWords {
  public:
    /// All of `result` at first, without 0 and what fills buffers.
    explicit MadeUpWords(std::vector<std::uint32_t> result);

    /// The host can know this word.
    void remove(std::uint32_t word);

    std::size_t count() const { return count_; }

  private:
    std::vector<std::uint32_t> words_; ///< sorted
    std::vector<bool> are_removed_;
    std::size_t count_; ///< that are left
};

} // namespace wire
