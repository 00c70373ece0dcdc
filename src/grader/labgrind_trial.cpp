#include "grader/labgrind_trial.hpp"

#include "grader/temporarily.hpp"

#include <utility>

namespace grader {

using wire::FindingKind;

// After a race, lockstep comes first, because a failure takes long to explain.
std::optional<CaseOutcome> LabgrindTrial::run(const std::function<void()>& body) {
    const Observation before = interpreter_.observation();
    const auto is_right_in_lock_step = [&] {
        Observation seen = interpreter_.observation();
        interpreter_.set_observation(before);
        if (!run_in_lock_step(body))
            return true;
        interpreter_.set_observation(std::move(seen));
        return false;
    };
    const bool raced = interpreter_.has_seen(FindingKind::data_race);
    if (raced && is_right_in_lock_step())
        return std::nullopt;
    std::optional<CaseOutcome> ended = run_once(body);
    if (!raced && ended && ended->why.cause == Explanation::Cause::seen &&
        interpreter_.has_seen(FindingKind::data_race) && is_right_in_lock_step())
        return std::nullopt;
    return ended;
}

std::optional<CaseOutcome> LabgrindTrial::run_once(const std::function<void()>& body) {
    return calls_.attempt_in(Mode::interpreter, body);
}

std::optional<CaseOutcome> LabgrindTrial::run_in_lock_step(const std::function<void()>& body) {
    const Temporarily lock_step(interpreter_.conditions.how.in_lock_step, true);
    return run_once(body);
}

std::optional<CaseOutcome> LabgrindTrial::run_in_schedule(const std::function<void()>& body,
                                                          const wire::Schedule& schedule,
                                                          bool is_explained) {
    const Temporarily in_schedule(interpreter_.conditions.how.schedule, schedule);
    const Temporarily explained(interpreter_.conditions.how.explains_schedule, is_explained);
    return run_once(body);
}

void LabgrindTrial::run_ends(const std::function<void()>& body) {
    const Temporarily ends(interpreter_.conditions.how.ends_only, true);
    run_once(body);
}

LabgrindTrial::Judged LabgrindTrial::judge(const std::function<void()>& body, Fallback reason) {
    interpreter_.take_observation();
    const std::size_t most = reason == Fallback::barrier_missing ? 0 : most_watched_bytes;
    const Temporarily watched(interpreter_.conditions.most_watched_bytes, most);
    Judged judged;
    judged.ended = reason == Fallback::barrier_missing ? run_in_lock_step(body) : run_once(body);
    judged.seen = interpreter_.take_observation();
    return judged;
}

} // namespace grader
