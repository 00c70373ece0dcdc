#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

/// What a launch on a small input did, in enough detail for a picture.
namespace wire {

/// An array of a launch: a buffer, or local memory, of which each work-group has its own.
struct TracedArray {
    /// How to interpret the bytes of a number.
    enum class Numbers { floating, with_sign, without_sign, last = without_sign };

    std::string name; ///< as the kernel calls it
    bool local = false;
    int argument = -1;        ///< the kernel's parameter, from 0; -1: a variable of the kernel
    std::size_t elements = 0; ///< how many it has
    std::size_t lanes = 1;    ///< numbers in an element, which can be a vector
    std::size_t bytes = 4;    ///< of a number
    Numbers numbers = Numbers::floating;
    bool is_struct = false; ///< its elements here are the words of structures
};

/// An element of an array of the launch.
struct TracedElement {
    std::size_t array = 0;
    std::int64_t index = 0; ///< can be outside the array

    // Not <=>: some hostile submissions include this header, and students' code is C++17.
    bool operator<(const TracedElement& other) const {
        return std::tie(array, index) < std::tie(other.array, other.index);
    }
    bool operator==(const TracedElement& other) const {
        return std::tie(array, index) == std::tie(other.array, other.index);
    }
};

/// An access of a work-item to an element.
struct TracedAccess {
    enum class Kind { load, store, atomic, last = atomic };

    Kind kind = Kind::load;
    std::size_t group = 0;
    std::size_t item = 0;  ///< within the group
    std::size_t phase = 0; ///< barriers that the group has met at before
    int line = 0;
    TracedElement element;
    std::string name;                  ///< of the element, as in the source
    std::string operation;             ///< of an atomic one: the function's name
    std::vector<std::uint64_t> before; ///< of an atomic one: the lanes before it, as bits
    std::vector<std::uint64_t> value;  ///< the lanes after the access; empty: unknown
    bool outside = false;              ///< of the array
    bool uninitialized = false;        ///< a load of memory that holds no value yet
    std::vector<TracedElement> from;   ///< of a store: the elements that its value is made of
    int race = -1;                     ///< the number of an earlier access, if they race
    std::size_t times = 1;             ///< how often in a row, if it waits
};

/// A barrier that a group has met at.
struct TracedBarrier {
    std::size_t group = 0;
    std::size_t phase = 0;            ///< of the accesses before it
    int line = 0;                     ///< 0: unknown
    std::vector<std::size_t> missing; ///< the work-items of the group that did not reach it
};

/// A launch, in the order in which things happened.
struct Trace {
    std::string kernel;
    std::size_t groups = 0;
    std::size_t group_size = 0;
    std::vector<TracedArray> arrays;
    std::vector<TracedAccess> accesses;
    /// Those of the first group, and of other groups those that some work-items did not reach.
    std::vector<TracedBarrier> barriers;
    bool cut_short = false; ///< too long to be traced to its end
};

} // namespace wire
