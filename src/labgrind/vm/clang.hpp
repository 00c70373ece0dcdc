#pragma once

#include <string>

namespace labgrind {

/// Compiles OpenCL C with the system's clang to the text of LLVM's intermediate representation, for
/// the target spir64 and without optimization. Throws std::runtime_error with clang's messages if
/// it does not compile, and if there is no clang.
std::string compile(const std::string& source, const std::string& options);

} // namespace labgrind
