#pragma once

#include "labgrind/analyses/sparse_array.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace labgrind {

/// The bytes of global memory that a launch reads and writes, by the machine's buffer numbers.
class Footprint {
  public:
    enum class How : std::uint8_t { read = 1, write = 2, atomic = 4 };

    void note(std::size_t buffer, std::size_t offset, std::size_t size, How how);
    /// Adds the bytes of `buffer` to `all`; its first byte has the number `begin`. If they lie in
    /// too many pieces, marks them as unknown.
    void add_to(wire::Footprint& all, std::size_t buffer, std::size_t begin) const;

  private:
    std::vector<SparseArray<std::uint8_t>> bytes_; ///< by buffer: all that was done with a byte
};

} // namespace labgrind
