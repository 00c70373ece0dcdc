#pragma once

#include "labgrind/vm/ir.hpp"

#include <optional>
#include <string>

namespace labgrind {

/// A place where a program may behave differently from device to device.
struct Difference {
    int line = 0; ///< of the kernel file; 0: unknown
    std::string what;
    bool by_order = false; ///< only if work-items use the same words atomically
};

/// Returns the first such place, one that does not depend on an order if there is any: a macro that
/// compilers define differently, an address used as a number, a result that OpenCL C leaves open, or
/// an atomic operation, which work-items may reach in any order. Such a program may be right on one device and wrong on another, and neither
/// compiler is to blame. A program without such a place runs the same everywhere, except for the
/// rounding of products and sums that a compiler may contract.
std::optional<Difference> find_difference(const std::string& source, const std::string& options,
                                          const ir::Module& module);

} // namespace labgrind
