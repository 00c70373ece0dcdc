#pragma once

#include "labgrind/ir.hpp"

#include <optional>
#include <string>

namespace labgrind {

/// A place where a program need not do the same on every device.
struct Difference {
    int line = 0; ///< of the kernel file; 0: unknown
    std::string what;
};

/// The first such place: a macro that compilers define differently, an address used as a number, a
/// result that OpenCL C leaves open, or an atomic operation, to which work-items may come in any order.
/// Such a program may be right on one device and wrong on another, and neither compiler is to blame.
/// What has no such place runs the same everywhere, but for the rounding of products and sums that a
/// compiler may join.
std::optional<Difference> find_difference(const std::string& source, const std::string& options,
                                          const ir::Module& module);

} // namespace labgrind
