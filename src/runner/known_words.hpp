#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runner {

/// The words of 4 bytes that the host has read back in a call. It knows them, and those of its arguments,
/// without computing anything.
class KnownWords {
  public:
    void add(std::span<const std::byte> read);

    /// How many words of `result` the host does not know, apart from 0 and what fills buffers; 0 if there
    /// are too many words to compare.
    std::size_t count_others(std::span<const std::byte> result,
                             const std::vector<std::span<const std::byte>>& arguments) const;

  private:
    std::vector<std::uint32_t> words_;
    bool are_too_many_ = false;
};

} // namespace runner
