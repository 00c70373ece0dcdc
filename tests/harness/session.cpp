#include "grader/session.hpp"

#include <doctest/doctest.h>
#include <limits>

using grader::Budget;
using grader::lost_by;
using grader::RunnerEnd;
using grader::within;

namespace {

constexpr Budget budget{10, 12, 90};

RunnerEnd ended_by(RunnerEnd::How how, double seconds, bool asleep = false) {
    RunnerEnd runner_end;
    runner_end.how = how;
    runner_end.seconds = seconds;
    runner_end.asleep = asleep;
    return runner_end;
}

} // namespace

TEST_CASE("a hang costs its time budget, however long it lasted") {
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 11), 11, budget) == 10);
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 60), 80, budget) == 10); // on a busy machine
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 13, true), 13, budget) == 12);
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 91), 91, budget) == 90); // it woke now and then
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 91, true), 91, budget) == 90);
    CHECK(lost_by(ended_by(RunnerEnd::How::hang, 2), 2, budget) == 2);
}

TEST_CASE("a crash costs the time it took, unless it was quick") {
    for (const RunnerEnd::How how : {RunnerEnd::How::exit, RunnerEnd::How::signal,
                                     RunnerEnd::How::excess, RunnerEnd::How::broken_line}) {
        CHECK(lost_by(ended_by(how, 85), 85, budget) == 85);
        CHECK(lost_by(ended_by(how, 0.1), 0.1, budget) == 0);
    }
}

TEST_CASE("a call gets no more wall time than is left, plus a moment") {
    CHECK(within(budget, std::numeric_limits<double>::infinity()).wall_seconds == 90);
    CHECK(within(budget, 1000).wall_seconds == 90);
    for (const double left : {20.0, 1.0, 0.0, -7.0}) {
        const Budget limited = within(budget, left);
        CHECK(limited.wall_seconds > left);
        CHECK(limited.wall_seconds > 1);
        CHECK(limited.wall_seconds < 30);
        CHECK(limited.cpu_seconds == 10);
        CHECK(limited.idle_seconds == 12);
    }
}
