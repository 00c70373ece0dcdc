#pragma once

#include "labgrind/vm/ir.hpp"

#include <string>

namespace labgrind {

/// What is wrong with the first atomic operation of the program that loses what other work-items have
/// stored, as its text shows: "line 9 stores ...: compute it again". "" if nothing is known to be wrong.
std::string explain_atomics(const ir::Module& module);

} // namespace labgrind
