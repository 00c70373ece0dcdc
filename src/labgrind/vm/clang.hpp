#pragma once

#include <string>

namespace labgrind {

/// What clang makes of a program.
struct Compiled {
    /// The text of LLVM's intermediate representation.
    std::string module;
    /// About conversions that lose a part of a value, and unsigned numbers compared with 0.
    std::string warnings;
};

/// Compiles OpenCL C with the system's clang for the target spir64, without optimization. Throws
/// std::runtime_error with clang's messages if it does not compile, and if there is no clang.
Compiled compile(const std::string& source, const std::string& options);

} // namespace labgrind
