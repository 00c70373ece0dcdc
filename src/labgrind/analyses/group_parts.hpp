#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace labgrind {

/// The part of each buffer of global memory that each group uses, from the first byte to the last.
class GroupParts {
  public:
    void note(std::size_t buffer, std::size_t group, std::size_t offset, std::size_t size);

    /// Parts of one length that begin at equal distances, but too early. Both are in bytes.
    struct Overlap {
        std::size_t length = 0;
        std::size_t distance = 0; ///< divides the length
    };
    /// Nothing if the parts of a buffer do not overlap like this.
    std::optional<Overlap> overlap(std::size_t buffer) const;

  private:
    struct Part {
        std::size_t begin = 0;
        std::size_t end = 0; ///< 0: the group does not use the buffer
    };

    std::vector<std::vector<Part>> parts_; ///< by buffer and group
};

} // namespace labgrind
