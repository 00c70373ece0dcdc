#pragma once

#include <string>

namespace labgrind {

/// What clang makes of a program.
struct Compiled {
    std::string module; ///< the text of LLVM's intermediate representation
    std::string
        warnings; ///< about conversions that lose a part of a value, and other suspicious code
};

/// Compiles OpenCL C with the system's clang for the target spir64, without optimization. Throws
/// std::runtime_error with clang's messages if it does not compile, and if there is no clang.
Compiled compile(const std::string& source, const std::string& options);

} // namespace labgrind
