#pragma once

#include "labgrind/vm/vm.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace labgrind::vm {

/// Built-in functions that only compute with values: math, common, geometric, relational, integer,
/// conversions, select, shuffle. The machine executes those that access work-items or memory.
///
/// Arguments are laid out as in registers; `result` has room for the call's type. The kinds of the
/// arguments (signed or not, which lanes) follow from `function`: its type determines the sizes,
/// its mangled parameters ("Dv4_iS_") the signs.

/// The largest number of parameters of such a function.
constexpr std::size_t most_parameters = 3;

/// Returns the built-in function that a program declares as `function`; empty if it is unknown or
/// none of these.
Pure find_pure(const ir::Function& function);

/// The bytes of a scalar type, from its letter in a mangled name or from its name; 0 if it is
/// unknown.
std::size_t bytes_of_type(std::string_view name);

} // namespace labgrind::vm
