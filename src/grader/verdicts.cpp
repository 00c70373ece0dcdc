#include "grader/verdicts.hpp"

#include "grader/case.hpp"
#include "grader/course_settings.hpp"
#include "grader/hints.hpp"
#include "grader/session.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace grader {
namespace {

/// A case as its author declared it.
struct DeclaredCase {
    std::string name;
    int points = 0;
    std::vector<std::string> hints;
    const std::vector<wire::FindingKind>* kinds = nullptr; ///< not initialized yet
};

/// The place of a test case: nothing else identifies it yet when doctest applies its decorators.
using Place = std::pair<std::string, unsigned>;

Place place_of(const doctest::TestCaseData& test) { return {test.m_file.c_str(), test.m_line}; }

/// Filled while the program starts, by the decorators of each TEST_CASE.
std::map<Place, DeclaredCase>& declarations() {
    static std::map<Place, DeclaredCase> all;
    return all;
}

report::Terminal*& terminal() {
    static report::Terminal* instance = nullptr;
    return instance;
}

/// The only reporter of doctest: records how each case ended.
class Collector : public doctest::IReporter {
  public:
    explicit Collector(const doctest::ContextOptions& /*options*/) {}

    void report_query(const doctest::QueryData& /*data*/) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats& /*stats*/) override {}
    void test_case_reenter(const doctest::TestCaseData& /*test*/) override {}
    void subcase_start(const doctest::SubcaseSignature& /*subcase*/) override {}
    void subcase_end() override {}

    void test_case_start(const doctest::TestCaseData& test) override {
        Session& session = Session::current();
        report::Case* record = find(test);
        if (record == nullptr) { // declared without points
            record = &session.result().cases.emplace_back();
            record->name = test.m_name;
        }
        session.running = {record};
        failed_check_.clear();
        record->status = report::Status::pass;
        record->message.clear();
        if (terminal() != nullptr)
            terminal()->wait_for(record->name);
    }

    void test_case_exception(const doctest::TestCaseException& exception) override {
        RunningCase& running = Session::current().running;
        if (!running.outcome)
            running.outcome = error(std::string("the harness failed in this case: ") +
                                    exception.error_string.c_str());
    }

    void log_assert(const doctest::AssertData& assertion) override {
        if (assertion.m_failed)
            note_failed_check(std::string("this must hold: ") + assertion.m_expr +
                              "\nbut the values are: " + assertion.m_decomp.c_str());
    }

    void log_message(const doctest::MessageData& message) override {
        if ((message.m_severity & doctest::assertType::is_warn) == 0)
            note_failed_check(message.m_string.c_str());
    }

    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        Session& session = Session::current();
        report::Case& record = *session.running.record;
        record.seconds = stats.seconds;
        record.progress = report::Case::Progress::ended;
        const bool has_checked = session.running.calls != 0 || stats.numAssertsCurrentTest != 0;
        if (session.running.outcome)
            conclude(session, record, std::move(*session.running.outcome));
        else if (!stats.testCaseSuccess)
            conclude(session, record, {.status = report::Status::fail, .message = failed_check_});
        else if (session.running.is_unclear)
            record.status = report::Status::inconclusive;
        else if (!has_checked)
            conclude(session, record, error("this case checked nothing; fix the case"));
        record.score = report::has_passed(record.status) ? record.max_score : 0;
        session.hints.choose(record);
        if (terminal() != nullptr)
            terminal()->show(record);
        session.running = {};
    }

    void test_case_skipped(const doctest::TestCaseData& test) override {
        if (report::Case* record = find(test)) {
            record->status = report::Status::skipped;
            record->message = "not selected";
            record->progress = report::Case::Progress::not_selected;
        }
    }

  private:
    static CaseOutcome error(std::string message) {
        return {.status = report::Status::error, .message = std::move(message)};
    }

    void note_failed_check(std::string text) {
        if (failed_check_.empty())
            failed_check_ = std::move(text);
    }

    static report::Case* find(const doctest::TestCaseData& test) {
        auto& cases = Session::current().result().cases;
        const auto found = std::ranges::find_if(
            cases, [&](const report::Case& one) { return one.name == test.m_name; });
        return found == cases.end() ? nullptr : &*found;
    }

    std::string failed_check_; ///< the first one of the running case; "": all hold
};

DeclaredCase& declaration_of(doctest::detail::TestCase& test) {
    DeclaredCase& declared = declarations()[place_of(test)];
    declared.name = test.m_name;
    return declared;
}

} // namespace

void Points::fill(doctest::detail::TestCase& test) const { declaration_of(test).points = value; }
void Hint::fill(doctest::detail::TestCase& test) const { declaration_of(test).hints = texts; }
void Reporting::fill(doctest::detail::TestCase& test) const { declaration_of(test).kinds = &kinds; }

namespace {

/// The kinds that the case of this name reports.
std::vector<wire::FindingKind> kinds_of(const std::string& name) {
    for (const auto& [place, one] : declarations()) {
        if (one.name == name && one.kinds != nullptr)
            return *one.kinds;
    }
    return {};
}

} // namespace

bool is_reported_by(const std::string& name, wire::FindingKind kind) {
    const std::vector<wire::FindingKind> kinds = kinds_of(name);
    return std::ranges::find(kinds, kind) != kinds.end();
}

bool is_subject_of(const std::string& name, wire::FindingKind kind) {
    const std::vector<wire::FindingKind> kinds = kinds_of(name);
    return !kinds.empty() && kinds.front() == kind;
}

std::string case_that_reports(wire::FindingKind kind) {
    for (const auto& [place, declared] : declarations()) {
        if (is_reported_by(declared.name, kind))
            return declared.name;
    }
    return "";
}

std::vector<report::Case> declared_cases() {
    std::vector<report::Case> cases;
    for (const auto& [place, declared] : declarations()) {
        report::Case one;
        one.name = declared.name;
        one.max_score = declared.points;
        one.hints = declared.hints;
        limit_hints(one, one.hints.size());
        one.status = report::Status::error;
        one.message = "did not run: the run was cut short";
        one.progress = report::Case::Progress::not_reached;
        cases.push_back(one);
    }
    return cases;
}

void conclude(Session& session, report::Case& record, CaseOutcome ended) {
    const std::string explained_by = session.known.explanations.choose(ended);
    const bool fails = ended.status == report::Status::fail;
    record.status = ended.status;
    record.message = text_of(ended);
    record.file = ended.file;
    record.line = ended.line;
    record.finding = ended.finding ? wire::to_string(*ended.finding) : "";
    record.not_implemented = ended.why.cause == Explanation::Cause::not_implemented;
    const std::vector<std::string> guesses = guesses_shown(ended);
    record.guess = fails && !guesses.empty() ? guesses.front() : "";
    if (record.not_implemented)
        record.hints = hints_for_beginning(session.lab().name);
    else if (ended.why.hints)
        record.hints = *ended.why.hints;
    else if (ended.why.cause != Explanation::Cause::seen)
        record.hints.clear();
    record.follows = ended.follows.empty() ? explained_by : ended.follows;
    if (fails && ended.follows.empty())
        session.known.explanations.note(ended, explained_by.empty() ? record.name : explained_by);
}

bool nothing_selected(const report::Result& result) {
    return std::ranges::none_of(result.cases, report::was_selected);
}

void set_terminal(report::Terminal* instance) { terminal() = instance; }

std::unique_ptr<doctest::IReporter> make_collector() {
    return std::make_unique<Collector>(doctest::ContextOptions{});
}

void listen_to_cases() {
    doctest::registerReporter<Collector>("verdict", 0, true);
    doctest::registerExceptionTranslator<const CaseOutcome&>([](const CaseOutcome& ended) {
        std::optional<CaseOutcome>& outcome = Session::current().running.outcome;
        if (!outcome) { // doctest translates it for each reporter
            outcome = ended;
            if (ended.status != report::Status::skipped)
                FAIL_CHECK(ended.message); // what --abort-after counts
        }
        return doctest::String("the case ends there");
    });
}

} // namespace grader
