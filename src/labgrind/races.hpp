#pragma once

#include "labgrind/order.hpp"
#include "labgrind/sparse_array.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace labgrind {

/// One access to memory that others share.
struct Access {
    Stamp stamp;
    std::uint32_t barriers = 0; ///< of the group before it, whatever their flags
    std::uint32_t site = 0;     ///< the instruction, by a number of the caller's
    std::uint32_t hold = 0;     ///< the lock held, by a number of the caller's; 0: none
    bool write = false;
    bool atomic = false;
    bool looks = true;    ///< what an atomic operation gives is used
    bool resets = false;  ///< an atomic exchange that does not look
    bool counts = false;  ///< an atomic operation that adds to what is there and does not look
    bool polls = false;   ///< a volatile load that decides whether a loop ends: it waits
    bool waits = false;   ///< a load that is not volatile, and alone in a loop
    bool unlocks = false; ///< the holder of a lock gives it back by this store
};

/// Two accesses that nothing orders.
struct Conflict {
    Access earlier;
    bool peek = false; ///< a plain load and an atomic; fine if the load was but a first look
};

/// Finds accesses to the same bytes, one of them a write, that nothing orders. Two atomic accesses
/// never conflict, nor do an atomic and a load that polls, nor two stores of the same value.
class Races {
  public:
    /// Notes an access to bytes `offset` to `offset + size` of a buffer and returns an earlier one
    /// that conflicts with it, if there is any. `same_value`: it stores what is there already.
    std::optional<Conflict> access(const Order& order, std::uint32_t buffer, std::size_t offset,
                                   std::size_t size, const Access& access, bool same_value);
    /// Forgets everything: a group's local memory ends with the group.
    void clear();

  private:
    /// Bytes of a word, one bit each.
    using Mask = std::uint8_t;
    static constexpr std::size_t word_size = 4;

    struct Record {
        Access access;
        Mask mask = 0;
    };
    using Word = std::vector<Record>;

    static std::optional<Conflict> visit(const Order& order, Word& word, Mask mask,
                                         const Access& access, bool same_value);

    std::vector<SparseArray<Word>> buffers_;
};

} // namespace labgrind
