#include "grader/background_trials.hpp"

#include "grader/session.hpp"

namespace grader {
namespace {

/// Two threads for the small trials, one for the cases, and one for their runner.
constexpr unsigned enough_for_helper = 4;

} // namespace

BackgroundTrials::BackgroundTrials(const Session& main, unsigned processors)
    : session_(std::make_unique<Session>(main, abandoned_)),
      helper_(processors < enough_for_helper ? nullptr
                                             : std::make_unique<Session>(main, abandoned_)),
      trials_(std::async(std::launch::async,
                         [this] { return small_trials_of(*session_, helper_.get()); })) {}

BackgroundTrials::~BackgroundTrials() { abandoned_ = true; }

std::unique_ptr<BackgroundTrials> run_in_background(Session& session, unsigned processors) {
    if (session.options().sealed || !session.interpreter().installed())
        return nullptr;
    return std::make_unique<BackgroundTrials>(session, processors);
}

} // namespace grader
