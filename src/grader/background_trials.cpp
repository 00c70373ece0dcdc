#include "grader/background_trials.hpp"

#include "grader/session.hpp"

namespace grader {

BackgroundTrials::BackgroundTrials(const Session& main)
    : session_(std::make_unique<Session>(main, abandoned_)),
      trials_(std::async(std::launch::async, [this] { return small_trials_of(*session_); })) {}

BackgroundTrials::~BackgroundTrials() { abandoned_ = true; }

std::unique_ptr<BackgroundTrials> run_in_background(Session& session) {
    if (session.options().sealed || !session.interpreter().installed())
        return nullptr;
    return std::make_unique<BackgroundTrials>(session);
}

} // namespace grader
