#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstdint>
#include <vector>

namespace labgrind::vm {

/// The variables of a work-item that waits in a loop and counts. Because they grow by the same
/// numbers in each round, rounds can be skipped.
class Counters {
  public:
    /// Notes the variables at the same place of a further round.
    void note(const Memory& variables);
    /// Whether the last two rounds changed the variables in the same way, and only integers.
    bool are_steady() const;
    /// Changes the variables, which were noted last, as `rounds` do. Returns false if one of them
    /// would not stay in its range.
    bool skip(Memory& variables, std::uint64_t rounds) const;

  private:
    struct Variable {
        std::size_t size;   ///< 4 or 8 bytes; 0: it is no integer
        std::int64_t value; ///< or a hash
        bool operator==(const Variable& other) const = default;
    };
    using Variables = std::vector<Variable>;

    static Variables read(const Memory& variables);

    std::vector<Variables> rounds_; ///< the last three
};

} // namespace labgrind::vm
