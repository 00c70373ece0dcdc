#pragma once

#include "grader/interpreter.hpp"
#include "grader/lab_info.hpp"

#include <memory>
#include <optional>

namespace grader {

class Session;

/// What a lab's small trials showed.
struct SmallTrials {
    Observation seen;
    std::optional<Ended> failure; ///< the first trial with a wrong result, if there is any
};

/// Looks at the small trials in the meantime.
class Scout {
  public:
    Scout() = default;
    Scout(const Scout&) = delete;
    Scout& operator=(const Scout&) = delete;
    Scout(Scout&&) = delete;
    Scout& operator=(Scout&&) = delete;
    virtual ~Scout() = default; ///< stops it
    /// Waits for what it has found.
    virtual SmallTrials report() = 0;
};

/// Has the small trials of `session` looked at in a thread of its own while its cases run on the
/// device, with a runner and an interpreter of their own: two processors share what one would do in
/// twice the time. Null where that is of no use: in a sealed session, which grades as many labs at a
/// time as there are processors, and where nothing can be interpreted.
std::unique_ptr<Scout> send_scout(Session& session);

} // namespace grader
