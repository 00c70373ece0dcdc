#pragma once

#include "sandbox/cell.hpp"

#include <string>
#include <vector>

namespace sandbox {

/// The path of the program confine in a bubblewrap sandbox.
constexpr auto confine_inside = "/confine";

/// Returns bubblewrap's options for the namespaces of `cell` and what is visible in them. `confine`
/// is the path of that program here. `as_root`: bubblewrap is run by root, and confine becomes
/// another user.
std::vector<std::string> bubblewrap_options(const Cell& cell, const std::string& confine,
                                            bool as_root);

} // namespace sandbox
