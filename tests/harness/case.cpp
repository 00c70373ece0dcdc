// The verdict of a case: programs/lab.cpp plays a lab's runner, programs/interpret.cpp plays labgrind.
#include "grader/case.hpp"
#include "grader/background_trials.hpp"
#include "grader/example_picture.hpp"
#include "grader/session.hpp"
#include "grader/verdicts.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <vector>

namespace fs = std::filesystem;

using grader::Case;
using helpers::has;
using report::Status;

namespace {

const grader::Program program{"twice.cl", ""};
const std::vector<float> values{1, 2, 3, 4};

/// A lab with one kernel, its session, and the record of the case that runs.
class Lab {
  public:
    /// Its small trials call `function`, and each of `others`.
    explicit Lab(const std::string& function = "twice", const std::string& name = "a case",
                 const std::vector<std::string>& others = {},
                 const std::vector<std::string>& examples = {}) {
        fs::create_directories(folder_.path("kernels"));
        folder_.write(
            "kernels/twice.cl",
            "__kernel void twice(__global float* x) {\n    x[get_global_id(0)] *= 2;\n}\n");
        fs::create_symlink(helpers::program("lab"), folder_.path("runner"));
        fs::create_symlink(helpers::program("interpret"), folder_.path("interpreter"));
        grader::Session::Options options;
        options.root = folder_.path("");
        options.files = ".";
        options.runner = "runner";
        options.interpreter = "interpreter";
        grader::LabInfo lab{"lab0", "Twice", {{"twice.cl", {"twice"}, {""}}}, [=](Case& test) {
                                check(test, function);
                                for (const std::string& other : others)
                                    check(test, other);
                            }};
        for (const std::string& example : examples)
            lab.examples.emplace_back([=](Case& test) { check(test, example); });
        session.emplace(options, lab);
        session->open();
        record.name = name;
        record.hints = {"the hint of the case"};
    }

    /// Judges `body` as a case.
    void judge(const std::function<void(Case&)>& body) {
        record.status = Status::pass;
        Case test(*session, record);
        try {
            body(test);
        } catch (const grader::CaseOutcome& ended) {
            grader::conclude(*session, record, ended);
        }
    }

    /// Judges the result of `function`, which should double the values.
    void judge(const std::string& function) {
        judge([&](Case& test) { check(test, function); });
    }

    static void check(Case& test, const std::string& function) {
        test.trial("n = 4", [&] {
            if (function == "outside")
                test.explain_host_by([](const wire::CallReply&) {
                    return grader::KnownMistake{
                        "the buffer is too small", "small buffer", {"size"}};
                });
            const grader::Run run = test.compute(program, function.c_str(), values);
            const auto got = run.array<float>();
            REQUIRE(got.size() == values.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (got[i] != 2 * values[i])
                    test.fail(program, {"wrong value",
                                        {grader::compare_values(2 * values[i], got[i], 0)},
                                        "twice"});
            }
            test.require_kernels(program, run, sizeof(float), function.c_str(), values);
        });
    }

    bool fails_with(const std::string& text) const {
        INFO(record.message);
        CHECK(has(record.message, text));
        return record.status == Status::fail;
    }

    std::optional<grader::Session> session;
    report::Case record;

  private:
    helpers::TemporaryFolder folder_;
};

const std::vector<wire::FindingKind> retries{wire::FindingKind::no_retry};
const std::vector<wire::FindingKind> races{wire::FindingKind::data_race};
const std::vector<wire::FindingKind> barriers{wire::FindingKind::divergent_barrier};
const std::vector<wire::FindingKind> bounds{wire::FindingKind::out_of_bounds};

} // namespace

TEST_CASE("a host that keeps buffers for long inputs gets a new runner for short ones") {
    const auto size_of_buffer = [](Case& test, std::size_t n) {
        std::size_t bytes = 0;
        test.trial("n = " + std::to_string(n), [&] {
            const grader::Run run = test.call(program, "keeps", std::vector<float>(n));
            bytes = run.seen.launches.front().arguments.front().size;
        });
        return bytes;
    };
    constexpr std::size_t large = std::size_t{1} << 20;
    Lab lab;
    lab.judge([&](Case& test) {
        CHECK(size_of_buffer(test, 4) == 16);
        CHECK(size_of_buffer(test, large) == 4 * large);
        CHECK(size_of_buffer(test, large / 16) == 4 * large);
        CHECK(size_of_buffer(test, 4) == 16);
        CHECK(size_of_buffer(test, 8) == 32);
    });
    CHECK(lab.record.status == Status::pass);
}

TEST_CASE("a right result passes") {
    Lab lab;
    lab.judge("twice");
    CHECK(lab.record.status == Status::pass);
    CHECK(lab.record.message.empty());
    REQUIRE(lab.record.launches.size() == 1);
    CHECK(lab.record.launches[0].kernel == "twice");
}

TEST_CASE("small trials run beside the cases, and show the same") {
    Lab lab("race", "a case", {"twice"});
    lab.session->known.background_trials = grader::run_in_background(*lab.session);
    REQUIRE(lab.session->known.background_trials);
    const grader::SmallTrials seen = lab.session->known.background_trials->result();
    CHECK_FALSE(seen.failure);
    CHECK(seen.passed == 2);
    REQUIRE(seen.seen.findings.size() == 1);
    CHECK(seen.seen.findings.front().finding.kernel == "race");

    Lab clean;
    clean.session->known.background_trials = grader::run_in_background(*clean.session);
    REQUIRE(clean.session->known.background_trials);
    CHECK(clean.session->known.background_trials->result().seen.clean());
}

TEST_CASE("sessions share clean small trials, and one runs all that are not") {
    const auto trials_of = [](unsigned processors, const std::string& first,
                              const std::vector<std::string>& others) {
        Lab lab(first, "a case", others);
        return grader::run_in_background(*lab.session, processors)->result();
    };
    CHECK(trials_of(2, "twice", {"twice", "twice", "twice"}).passed == 4);
    CHECK(trials_of(4, "twice", {"twice", "twice", "twice"}).passed == 2);
    CHECK(trials_of(16, "twice", {"twice", "twice", "twice"}).passed == 1);
    for (const unsigned processors : {4U, 16U}) {
        for (const bool comes_first : {false, true}) {
            CAPTURE(processors);
            CAPTURE(comes_first);
            const std::string first = comes_first ? "race" : "twice";
            const std::string last = comes_first ? "twice" : "race";
            const grader::SmallTrials seen = trials_of(processors, first, {"twice", "twice", last});
            CHECK(seen.passed == 4);
            REQUIRE(seen.seen.findings.size() == 1);
            CHECK(seen.seen.findings.front().finding.kernel == "race");
        }
        const grader::SmallTrials wrong =
            trials_of(processors, "twice", {"twice", "wrong", "twice"});
        CHECK(wrong.failure);
        CHECK(wrong.passed == 3);
        CHECK(wrong.failed == 1);
    }
}

TEST_CASE("a wrong result fails, with all that is known about it") {
    Lab lab;
    lab.judge("wrong");
    CHECK(lab.fails_with("wrong value for n = 4\nexpected 4, got 3: a logic error"));
    CHECK(lab.fails_with("launched: twice 64/64"));
    CHECK(lab.fails_with("see kernel twice in kernels/twice.cl:1"));
    CHECK(lab.record.file == "kernels/twice.cl");
    CHECK(lab.record.line == 1);
    CHECK(lab.record.hints == std::vector<std::string>{"the hint of the case"});
}

TEST_CASE("a wrong result comes with the mistakes that lead to it") {
    Lab lab;
    lab.judge([](Case& test) {
        test.trial("n = 4", [&] {
            test.compute(program, "wrong", values);
            grader::Failure failure{"wrong value", {"expected 4, got 3"}};
            failure.why.guesses = {"one too few", "another value"};
            test.fail(program, failure);
        });
    });
    CHECK(lab.fails_with("expected 4, got 3\nlooks like: one too few\n        or: another value\n"
                         "launched: "));
    CHECK(lab.record.guess == "one too few");
}

TEST_CASE("a failure names the trials that passed before it") {
    Lab lab;
    const auto trials = [](Case& test, int before) {
        for (int i = 0; i < before; ++i)
            test.trial("n = " + std::to_string(i), [] {});
        Lab::check(test, "wrong");
    };
    lab.judge([&](Case& test) { trials(test, 1); });
    CHECK(lab.fails_with("before that, n = 0 passed"));
    lab.judge([&](Case& test) { trials(test, 3); });
    CHECK(lab.fails_with("before that, 3 trials passed; the last was n = 2"));
}

TEST_CASE("a result that the host computes fails") {
    Lab lab;
    lab.judge("host");
    CHECK(lab.fails_with("the result is the same even if no kernel runs"));
    lab.judge("idle");
    CHECK(lab.fails_with("no kernel was launched for n = 4"));
}

TEST_CASE("what a call did wrong fails although its result is right") {
    Lab lab;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"stray", "it wrote to element 4 of a buffer of 16 bytes, which has elements 0 to 3"},
        {"read only", "a CL_MEM_READ_ONLY buffer has changed"},
        {"changed", "your host code changed its input"},
        {"early", "your function returned without waiting for a read"},
        {"late", "your function returned without waiting for a write"},
        {"freed", "your host code changes or frees memory while a non-blocking write may still be "
                  "reading it for n = 4"},
        {"throws", "your host code threw an exception for n = 4\nits message: no such element"},
        {"opencl", "clEnqueueNDRangeKernel failed for n = 4\nCL_INVALID_WORK_GROUP_SIZE"},
        {"opencl", "requested: kernel twice, global size 64, work-group size 48, 0 bytes of local "
                   "memory passed as arguments; the global size, 64, must be a multiple"},
        {"computes", "your host code computed, or converted, 3 numbers of the result"},
        {"crash", "the call: n = 4"},
        {"leave", "the call: n = 4"},
        {"to do", "not implemented yet: launch the kernel (labs/lab0/twice.cpp:7)"},
    };
    for (const auto& mistake : mistakes) {
        CAPTURE(mistake.first);
        lab.judge(mistake.first);
        CHECK(lab.fails_with(mistake.second));
    }
    lab.judge("twice"); // a crash does not spoil the next call
    CHECK(lab.record.status == Status::pass);
}

TEST_CASE("hints of a case are not shown for another mistake") {
    Lab lab;
    lab.judge("changed");
    CHECK(lab.record.hints.empty());
    lab.judge("opencl");
    CHECK(lab.record.hints != std::vector<std::string>{"the hint of the case"});
}

TEST_CASE("the first case reports a kernel that does not compile, and the others are blocked") {
    Lab lab;
    lab.judge("unbuilt");
    CHECK(lab.fails_with("kernels/twice.cl:2:5: use of undeclared identifier 'y'"));
    CHECK(lab.record.line == 2);
    lab.record.name = "another case";
    lab.judge("unbuilt");
    CHECK(lab.record.status == Status::blocked);
    CHECK(lab.record.line == 2);
    CHECK(lab.record.follows == "a case");
}

TEST_CASE("small trials whose kernels do not compile follow from the case that reports it") {
    Lab lab("unbuilt");
    lab.judge("unbuilt");
    lab.record.name = "another case";
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.record.status == Status::blocked);
    CHECK(lab.record.follows == "a case");
}

TEST_CASE("cases in which the host makes the same mistake follow from the first one") {
    for (const char* mistake : {"changed", "early", "late", "freed", "idle", "unset"}) {
        CAPTURE(mistake);
        Lab lab;
        lab.judge(mistake);
        CHECK(lab.record.follows.empty());
        lab.record.name = "another case";
        lab.judge(mistake);
        CHECK(lab.record.status == Status::fail);
        CHECK(lab.record.follows == "a case");
    }
}

TEST_CASE("a host that reads back more than it may see fails") {
    const auto judge = [](Lab& lab, std::size_t visible_words) {
        lab.judge([&](Case& test) {
            test.let_host_see(visible_words);
            test.compute(program, "reads", values);
            test.require_few_reads(program);
        });
    };
    Lab enough;
    judge(enough, 5);
    CHECK(enough.record.status == Status::pass);
    Lab lab;
    judge(lab, 4);
    CHECK(lab.fails_with("reads back 20 bytes, more than this lab allows"));
}

TEST_CASE("interpreted kernels run in groups that are too large for them on the device") {
    Lab lab;
    lab.judge([](Case& test) {
        CHECK(test.largest_work_group(program, "twice") == 128);
        std::size_t largest = 0;
        test.count_work([&] { largest = test.largest_work_group(program, "twice"); });
        CHECK(largest == 256);
    });
}

TEST_CASE("labgrind stands in for a device that gets correct kernels wrong") {
    Lab lab;
    lab.judge("device");
    CHECK(lab.record.status == Status::pass);
    CHECK(lab.session->known.fallback == grader::Fallback::device_errs);
    CHECK(has(lab.record.message, "on the device: wrong value for n = 4"));
}

TEST_CASE("labgrind does not excuse a host that keeps something from call to call") {
    Lab lab;
    lab.judge("kept");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK(lab.fails_with("if the same call is repeated, its result is right"));
    CHECK(lab.session->known.fallback == grader::Fallback::none);
}

TEST_CASE("labgrind does not excuse a kernel in which it finds a mistake") {
    Lab lab("race");
    lab.judge([](Case& test) {
        test.trial("n = 4", [&] {
            test.compute(program, "race", values);
            test.fail(program, {"wrong value", {}, ""});
        });
    });
    CHECK(lab.record.status == Status::fail);
    CHECK(lab.session->known.fallback == grader::Fallback::none);
}

TEST_CASE("labgrind does not excuse kernels that may differ from device to device") {
    Lab lab;
    lab.judge("differs");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK(lab.fails_with("labgrind gets the right result, but the device's result counts"));
    CHECK(lab.fails_with("kernels/twice.cl:2: tests a macro of the compiler"));
    CHECK(lab.session->known.fallback == grader::Fallback::none);
}

TEST_CASE("a host that uses memory before its transfer has ended is to blame") {
    Lab reader;
    reader.judge("uses early");
    CHECK(reader.fails_with(grader::uses_early));
    CHECK(reader.fails_with("with blocking reads, the result is right"));
    Lab writer;
    writer.judge("changes source");
    CHECK(writer.fails_with(grader::changes_source));
    CHECK(writer.fails_with("with blocking writes, the result is right"));
}

TEST_CASE("labgrind shows whether unordered commands use the same bytes") {
    Lab lab;
    lab.judge("unordered");
    CHECK(lab.fails_with("have no defined order"));
    CHECK(lab.fails_with("enqueueReadBuffer"));
}

TEST_CASE("a result that needs data which the host lacks in grading fails") {
    Lab lab;
    lab.judge([](Case& test) { // the lab's function doubles its data on the host
        test.let_host_see(1);
        test.trial("n = 4", [&] {
            const auto got = test.compute(program, "twice", values);
            if (got.array<float>()[0] != 2 * values[0])
                test.fail(program, {"wrong value"});
        });
    });
    CHECK(lab.fails_with("in your host code: "));
    CHECK(lab.fails_with(grader::computes_with_data));
}

TEST_CASE("work is not counted after a mistake that ends the analysis") {
    Lab lab;
    lab.judge(
        [](Case& test) { test.count_work([&] { test.compute(program, "stops", values); }, {}); });
    CHECK(lab.record.status == Status::blocked);
    CHECK(has(lab.record.message, "ended the analysis early"));
}

TEST_CASE("a missing barrier costs only the case that reports it" * grader::reports(races)) {
    Lab lab("barrier");
    lab.judge("barrier");
    CHECK(lab.record.status == Status::pass);
    CHECK(lab.session->known.fallback == grader::Fallback::barrier_missing);
    CHECK(has(lab.record.message, "a barrier is missing (see the case"));
    CHECK(has(lab.record.message, "on the device: wrong value for n = 4"));

    lab.record.message.clear();
    lab.judge("wrong");
    CHECK(lab.fails_with("wrong value for n = 4"));

    lab.record.name = "a missing barrier costs only the case that reports it";
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.fails_with("kernels/twice.cl:2: data race: two work-items"));
    CHECK(lab.record.finding == "data-race");
    CHECK(lab.record.line == 2);
}

TEST_CASE("labgrind does not excuse a race between groups" * grader::reports(races)) {
    Lab lab("groups");
    lab.judge("groups");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK(lab.fails_with("data race: two groups"));
    CHECK(lab.session->known.fallback == grader::Fallback::none);
}

TEST_CASE("labgrind excuses no race that no case reports") {
    Lab lab("flag"); // nothing is found in the small trials but a flag
    lab.judge("barrier");
    CHECK(lab.record.status == Status::fail);
    CHECK(lab.session->known.fallback == grader::Fallback::none);
}

TEST_CASE("the line is named where a small change makes all small trials right") {
    Lab lab("slip");
    lab.judge("slip");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK(lab.fails_with("the mistake is probably in line 2: if you change the number 3 or the "
                         "operator + there, all small inputs give the right result\n   2 | "));
    CHECK(lab.record.line == 2);
    REQUIRE(lab.record.hints.size() == 2);
    CHECK(has(lab.record.hints[1], "with 2 instead of the number 3 in line 2"));
}

TEST_CASE("no line is named if changes in two lines make all small trials right") {
    Lab lab("ambiguous");
    lab.judge("ambiguous");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK_FALSE(has(lab.record.message, "probably"));
}

TEST_CASE("no line is named if no change makes all small trials right") {
    Lab lab("slip", "a case", {"wrong"});
    lab.judge("slip");
    CHECK(lab.fails_with("wrong value for n = 4"));
    CHECK_FALSE(has(lab.record.message, "probably"));
}

TEST_CASE("a case that reports a kind of finding fails for it" * grader::reports(retries)) {
    Lab lab("race", "a case that reports a kind of finding fails for it");
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.fails_with("kernels/twice.cl:3: failed attempt: two sides (n = 4)"));
    CHECK(lab.record.line == 3);
}

TEST_CASE("a case does not fail for the findings of others" * grader::reports(barriers)) {
    Lab lab("race", "a case does not fail for the findings of others");
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.record.status == Status::pass);
}

TEST_CASE("a finding that a mistake of the host explains is reported as that mistake" *
          grader::reports(bounds)) {
    const std::string name =
        "a finding that a mistake of the host explains is reported as that mistake";
    Lab lab("outside", name);
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.fails_with("in your host code: the buffer is too small\n"));
    CHECK(lab.fails_with("kernels/twice.cl:2: out-of-bounds access: one past the end (n = 4)"));
    CHECK(lab.record.hints == std::vector<std::string>{"size"});
}

TEST_CASE("the first example that fails is drawn, or else the first one") {
    Lab wrong("twice", "a case", {}, {"twice", "stray", "wrong"});
    CHECK(has(grader::picture_of(*wrong.session, false).message, "it wrote to element 4"));
    Lab right("twice", "a case", {}, {"twice", "twice"});
    CHECK(grader::picture_of(*right.session, false).message.empty());
}

TEST_CASE("findings are unknown while small trials fail" * grader::reports(barriers)) {
    Lab lab("wrong", "findings are unknown while small trials fail");
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.record.status == Status::blocked);
    CHECK(has(lab.record.message, "no verdict until small inputs pass:\nwrong value for n = 4"));
}

TEST_CASE("findings are known if most small trials pass" * grader::reports(barriers)) {
    const std::string name = "findings are known if most small trials pass";
    Lab few("wrong", name, {"twice"});
    few.judge([](Case& test) { test.require_no_findings(); });
    CHECK(few.record.status == Status::blocked);
    Lab most("wrong", name, {"twice", "twice"});
    most.judge([](Case& test) { test.require_no_findings(); });
    CHECK(most.record.status == Status::pass);
}

TEST_CASE("a host that launches without an end is stopped soon" * grader::reports(barriers)) {
    Lab lab("endless", "a host that launches without an end is stopped soon");
    lab.judge([](Case& test) { test.require_no_findings(); });
    CHECK(lab.record.status == Status::blocked);
    CHECK(has(lab.record.message,
              "it had launched " + std::to_string(grader::most_launches + 1) + " kernels"));
}

TEST_CASE("a case that checks nothing because it cannot run is skipped") {
    Lab lab;
    lab.judge([](Case& /*test*/) { grader::skip("no such extension"); });
    CHECK(lab.record.status == Status::skipped);
    CHECK(lab.record.message == "no such extension");
}

namespace {

/// A wrong sum, as labs report it.
struct WrongSum {
    std::string name; ///< of the case
    bool is_basic = false;
    std::vector<std::string> guesses = {};
    std::string symptom = "wrong sum";
};

/// Judges a case that fails like this. Returns the case from which it follows.
std::string judge(Lab& lab, const WrongSum& wrong) {
    lab.record = {};
    lab.record.name = wrong.name;
    lab.judge([&](Case& test) {
        grader::Failure failure{"wrong sum", {}};
        failure.why.symptom = wrong.symptom;
        failure.why.wider_symptom = "wrong sum";
        failure.why.is_basic = wrong.is_basic;
        failure.why.guesses = wrong.guesses;
        test.fail(program, failure);
    });
    return lab.record.follows;
}

} // namespace

TEST_CASE("what fails for a short input is why longer ones fail, unless something explains them") {
    Lab lab;
    CHECK(judge(lab, {"long first"}).empty());
    CHECK(judge(lab, {"short", true}).empty());
    CHECK(judge(lab, {"long"}) == "short");
    CHECK(judge(lab, {"explained", false, {"a swap"}}).empty());
    CHECK(judge(lab, {"explained twice", false, {"a shift", "a swap"}}) == "explained");
    CHECK_FALSE(has(lab.record.message, "a shift"));
    CHECK(judge(lab, {"explained otherwise", false, {"a shift"}}).empty());
}

TEST_CASE("what explains a short input explains all others, whatever is guessed about them") {
    Lab lab;
    CHECK(judge(lab, {"rounds", true, {"an int"}, "wrong floats"}).empty());
    CHECK(judge(lab, {"whole", true, {"a swap"}}).empty()); // floats do not explain it
    CHECK(judge(lab, {"long", false, {"a shift"}}) == "whole");
    CHECK_FALSE(has(lab.record.message, "a shift"));
    CHECK(judge(lab, {"minimum", true, {}, "wrong minimum"}) == "whole");
    CHECK(judge(lab, {"any of several", false, {"another", "an int"}}) == "rounds");
}

TEST_CASE("after the first case with a mistake, others follow from it") {
    Lab lab;
    const auto fail = [](Case& test) {
        test.fail(program, {"wrong", {}, "", {.mistake = "the same mistake"}});
    };
    lab.judge(fail);
    CHECK(lab.record.follows.empty());
    lab.record.name = "another case";
    lab.judge(fail);
    CHECK(lab.record.follows == "a case");
}
