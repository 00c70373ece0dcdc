#pragma once

#include "labgrind/analyses/order.hpp"
#include "labgrind/analyses/sparse_array.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace labgrind {

/// One access to global or local memory.
struct Access {
    Epoch epoch;
    std::uint32_t barriers = 0; ///< of the group before it, whatever their flags
    std::uint32_t round = 0;    ///< iterations of loops of its work-item since the last barrier
    std::uint32_t site = 0;     ///< the instruction, by a number that the caller chooses
    std::uint32_t offset = 0;   ///< of its first byte in the buffer
    std::uint32_t hold = 0;     ///< the lock held, by a number that the caller chooses; 0: none
    bool write = false;
    bool atomic = false;
    bool uses_result = true;   ///< the result of an atomic operation is used
    bool resets = false;       ///< an atomic exchange whose result is not used
    bool counts = false;       ///< an atomic update whose result is not used
    bool polls = false;        ///< a volatile load that decides whether a waiting loop ends
    bool waits = false;        ///< a load that is not volatile and is alone in a loop
    bool decides = false;      ///< a load that is not volatile and decides whether a loop ends
    bool after_atomic = false; ///< a load after an atomic operation of its work-item on the word
    bool unlocks = false;      ///< the holder of a lock releases it by this store
    bool lacks_fence = false; ///< an acquire fence before it would order it after a conflicting one
};

/// Whether an asynchronous copy makes the access.
inline bool is_copy(const Access& access) { return access.epoch.item >= copies; }

/// Two accesses of which neither happens before the other.
struct Conflict {
    Access earlier;
    /// It is between an atomic operation and a plain load: fine if that was only a first look.
    bool is_load_race = false;
};

/// Finds data races: accesses to the same bytes, one of them a write, of which neither happens
/// before the other. Two atomic accesses never conflict, nor do an atomic and a load that polls,
/// nor two stores of the same value.
class Races {
  public:
    /// Records an access to `size` bytes at `offset` of a buffer and returns an earlier access that
    /// conflicts with it, if there is one. `same_value`: it stores the value that is already there.
    std::optional<Conflict> access(const Order& order, std::uint32_t buffer, std::size_t offset,
                                   std::size_t size, const Access& access, bool same_value);
    /// The last ordinary store to the byte at `offset`; null if there was none.
    const Access* last_store(std::uint32_t buffer, std::size_t offset) const;
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
