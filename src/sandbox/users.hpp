#pragma once

#include "wire/handles.hpp"

#include <functional>
#include <sys/types.h>

namespace sandbox {

/// An unused user id.
struct SpareUser {
    uid_t id = 0;
    wire::UniqueFd reservation; ///< while it is open, no other process here gets this id
};

/// Finds an unused user id. Throws std::runtime_error if there is none.
SpareUser find_spare_user();

/// Whether `function` returns true in a process that has become `user`.
bool as_user(uid_t user, const std::function<bool()>& function);

} // namespace sandbox
