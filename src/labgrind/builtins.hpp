#pragma once

#include "labgrind/vm.hpp"

#include <string>
#include <vector>

namespace labgrind::vm {

/// Built-in functions that compute with values alone: math, common, geometric, relational, integer,
/// conversions, select, shuffle. What looks at work-items or memory is the machine's.
///
/// Arguments stand there as in registers; `result` has room for the call's type. The kinds of the
/// arguments (signed or not, which lanes) follow from `function`: its type says the sizes, its mangled
/// parameters ("Dv4_iS_") the signs.

/// No such function has more.
constexpr std::size_t most_parameters = 3;

/// The built-in function that a program declares as `function`; empty for one that is not known, or is
/// none of these.
Pure find_pure(const ir::Function& function);

} // namespace labgrind::vm
