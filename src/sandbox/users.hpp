#pragma once

#include "wire/handles.hpp"

#include <functional>
#include <sys/types.h>

namespace sandbox {

/// A user id that nobody uses.
struct SpareUser {
    uid_t id = 0;
    wire::UniqueFd reservation; ///< as long as it is open, nobody else on this machine gets this id
};

/// Finds one. Throws std::runtime_error where there is none.
SpareUser find_spare_user();

/// Whether `function` returns true in a process that has become `user`.
bool as_user(uid_t user, const std::function<bool()>& function);

} // namespace sandbox
