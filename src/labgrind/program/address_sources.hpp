#pragma once

#include "labgrind/vm/ir.hpp"

#include <optional>
#include <vector>

namespace labgrind {

/// The loads and atomic operations whose results determine the address that `access` uses, also
/// through variables and functions. No device makes an access before it knows its address. Nothing
/// if the address may depend on memory in a way that the text does not show.
std::optional<std::vector<const ir::Instruction*>> address_sources(const ir::Module& module,
                                                                   const ir::Instruction& access);

} // namespace labgrind
