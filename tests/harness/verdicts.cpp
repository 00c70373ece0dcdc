// How doctest's cases become verdicts: the reporter is called as doctest calls it.
#include "grader/verdicts.hpp"
#include "grader/session.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <optional>
#include <string>

using helpers::has;
using report::Case;
using report::Status;

namespace {

/// A run with one case, which is declared with three points.
class Run {
  public:
    Run() {
        grader::Session::Options options;
        options.root = folder_.path("");
        session_.emplace(options, grader::LabInfo{"lab0", "Twice", {}, {}});
        Case declared;
        declared.name = "a case";
        declared.max_score = 3;
        declared.status = Status::error;
        declared.progress = Case::Progress::not_reached;
        session_->result().cases = {declared};
        doctest::TestCaseData test{};
        test.m_name = "a case";
        collector_->test_case_start(test);
    }

    void end(int checks, bool succeeds) {
        doctest::CurrentTestCaseStats stats{};
        stats.numAssertsCurrentTest = checks;
        stats.testCaseSuccess = succeeds;
        stats.seconds = 2;
        collector_->test_case_end(stats);
    }

    void log(const char* text, doctest::assertType::Enum severity) {
        collector_->log_message({text, "lab0.cpp", 1, severity});
    }

    doctest::IReporter& collector() { return *collector_; }
    grader::RunningCase& running() { return session_->running; }
    const Case& record() { return session_->result().cases.front(); }

  private:
    helpers::TemporaryFolder folder_;
    std::optional<grader::Session> session_;
    std::unique_ptr<doctest::IReporter> collector_ = grader::make_collector();
};

} // namespace

TEST_CASE("a case whose checks hold gets its points") {
    Run run;
    run.end(1, true);
    CHECK(run.record().status == Status::pass);
    CHECK(run.record().score == 3);
    CHECK(run.record().progress == Case::Progress::ended);
    CHECK(run.record().seconds == 2);
    CHECK(run.record().message.empty());
}

TEST_CASE("a case that ends with an outcome has its status, message and line") {
    Run run;
    run.running().outcome = {
        .status = Status::fail, .message = "wrong sum", .file = "labs/lab0/twice.cpp", .line = 7};
    run.end(0, false);
    CHECK(run.record().status == Status::fail);
    CHECK(run.record().score == 0);
    CHECK(run.record().message == "wrong sum");
    CHECK(run.record().file == "labs/lab0/twice.cpp");
    CHECK(run.record().line == 7);
}

TEST_CASE("a failure of doctest is the message, the first one that is no warning") {
    Run run;
    run.log("only a remark", doctest::assertType::is_warn);
    run.log("four are wanted", doctest::assertType::is_check);
    run.log("none may be left", doctest::assertType::is_check);
    run.end(2, false);
    CHECK(run.record().status == Status::fail);
    CHECK(run.record().message == "four are wanted");
}

TEST_CASE("a case that neither calls nor checks anything is a mistake of the case") {
    Run run;
    run.end(0, true);
    CHECK(run.record().status == Status::error);
    CHECK(run.record().score == 0);
    CHECK(has(run.record().message, "this case checked nothing"));
}

TEST_CASE("an exception that is no outcome is a mistake of the harness") {
    Run run;
    run.collector().test_case_exception({"out of range", false});
    run.end(1, false);
    CHECK(run.record().status == Status::error);
    CHECK(run.record().message == "the harness failed in this case: out of range");
}

TEST_CASE("what a case cannot decide costs no points, and what cannot run earns none") {
    Run unclear;
    unclear.running().record->status = report::Status::inconclusive;
    unclear.end(1, true);
    CHECK(unclear.record().status == Status::inconclusive);
    CHECK(unclear.record().score == 3);
    Run skipped;
    skipped.running().outcome = {.status = Status::skipped, .message = "there is no labgrind"};
    skipped.end(0, true);
    CHECK(skipped.record().status == Status::skipped);
    CHECK(skipped.record().score == 0);
    CHECK(skipped.record().message == "there is no labgrind");
}
