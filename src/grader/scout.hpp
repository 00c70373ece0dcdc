#pragma once

#include "grader/session.hpp"

namespace grader {

/// Has the small trials of `session` looked at in a thread of its own while its cases run on the
/// device, with a runner and an interpreter of their own: two processors share what one would do in
/// twice the time. Null where that is of no use: in a sealed session, which grades as many labs at a
/// time as there are processors, and where nothing can be interpreted.
std::unique_ptr<Session::Scout> send_scout(Session& session);

} // namespace grader
