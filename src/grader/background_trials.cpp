#include "grader/background_trials.hpp"

#include "grader/session.hpp"

#include <algorithm>

namespace grader {
namespace {

/// How many sessions help with the small trials. Starting many of them takes longer than the trials.
std::size_t helpers_for(unsigned processors) {
    constexpr unsigned most = 3;
    return std::min(processors / 4, most);
}

} // namespace

BackgroundTrials::BackgroundTrials(const Session& main, unsigned processors)
    : session_(std::make_unique<Session>(main, abandoned_)) {
    for (std::size_t i = 0; i < helpers_for(processors); ++i)
        helpers_.push_back(std::make_unique<Session>(main, abandoned_));
    trials_ =
        std::async(std::launch::async, [this] { return small_trials_of(*session_, helpers_); });
}

BackgroundTrials::~BackgroundTrials() { abandoned_ = true; }

std::unique_ptr<BackgroundTrials> run_in_background(Session& session, unsigned processors) {
    if (session.options().sealed || !session.interpreter().installed())
        return nullptr;
    return std::make_unique<BackgroundTrials>(session, processors);
}

} // namespace grader
