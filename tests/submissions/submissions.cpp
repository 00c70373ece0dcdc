/// The corpus: tests/submissions/right must pass, tests/submissions/wrong must fail as each file
/// says; README.md there describes the files.

#include "../corpora.hpp"
#include "report/result.hpp"
#include "submission.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <iostream>
#include <random>
#include <set>
#include <thread>

namespace fs = std::filesystem;

namespace {

/// The outcome of one submission; `problem` is "" if it is as the file expects.
struct Trial {
    std::string problem;
    std::string output;
};

/// The case of that name in a result; null if there is none.
nlohmann::json find_case(const nlohmann::json& result, const std::string& name) {
    for (const auto& one : result["cases"]) {
        if (one["name"] == name)
            return one;
    }
    return nullptr;
}

/// What the kernels' compiler warns about, each warning on a line.
std::string warnings_in(const nlohmann::json& result) {
    std::string warnings;
    for (const nlohmann::json& finding : result["findings"]) {
        if (finding["kind"] == report::compiler_warning)
            warnings += "\nthe compiler warns: " + finding["message"].get<std::string>();
    }
    return warnings;
}

/// Whether a submission passes except for cases that its file calls slow.
bool passes_but_for_time(const Submission& submission, const nlohmann::json& result) {
    const auto& cases = result["cases"];
    return std::ranges::all_of(cases, [&](const nlohmann::json& one) {
        const bool may_be_slow =
            std::ranges::find(submission.slow_cases, one["name"].get<std::string>()) !=
            submission.slow_cases.end();
        return one["status"] == "pass" ||
               (may_be_slow && one["message"].get<std::string>().starts_with("too slow"));
    });
}

std::string judge(const Submission& submission, const tree::Verdict& verdict) {
    const nlohmann::json& result = verdict.result;
    const int status = verdict.outcome.status;
    if (!result.is_object())
        return "no result";
    if (submission.passes)
        return tree::passes(verdict) ||
                       (chosen_device() != nullptr && !submission.slow_cases.empty() &&
                        passes_but_for_time(submission, result))
                   ? ""
                   : "must pass";
    if (status != 1)
        return "must fail with status 1, not " + std::to_string(status);
    const nlohmann::json failing = find_case(result, submission.failing_case);
    if (failing.is_null() || failing["status"] != "fail")
        return "\"" + submission.failing_case + "\" must fail";
    for (const std::string& name : submission.passing_cases) {
        const nlohmann::json passing = find_case(result, name);
        if (passing.is_null() || passing["status"] != "pass")
            return "\"" + name + "\" must pass";
    }
    return "";
}

/// What the message of the failing case lacks, or should not say; "" if nothing.
std::string judge_words(const Submission& submission, const tree::Verdict& verdict) {
    const nlohmann::json& result = verdict.result;
    const std::string said =
        find_case(result, submission.failing_case)["message"].get<std::string>() +
        warnings_in(result);
    for (const std::string& text : submission.says) {
        if (said.find(text) == std::string::npos)
            return "\"" + submission.failing_case + "\" must say: " + text;
    }
    for (const std::string& text : submission.never_says) {
        if (said.find(text) != std::string::npos)
            return "\"" + submission.failing_case + "\" must not say: " + text;
    }
    return "";
}

/// The names of the cases that show whether the outcome is as expected, for -tc.
std::string deciding_cases(const Submission& submission) {
    std::string names = submission.failing_case;
    for (const std::string& name : submission.passing_cases)
        names += "," + name;
    return names;
}

/// How submissions are run. A sealed host fails in the same cases, but has other results.
struct Way {
    unsigned seed = 0;
    bool sealed = false;
};

/// Prepares and runs one submission.
Trial try_out(const Submission& submission, const Way& way) {
    const Prepared prepared = prepare(submission);
    if (!prepared.problem.empty())
        return {prepared.problem, prepared.output};
    const fs::path json = tree::root() / prepared.folder / "result.json";
    const tree::Outcome outcome = run_grader(
        submission, prepared,
        " --seed " + std::to_string(way.seed) + (way.sealed ? " --sealed" : "") + " --json " +
            json.string() +
            (submission.passes || !submission.alone ? ""
                                                    : " -tc='" + deciding_cases(submission) + "'"));
    const auto result =
        fs::exists(json) ? nlohmann::json::parse(tree::read(json)) : nlohmann::json();
    const tree::Verdict verdict{outcome, result};
    std::string problem = judge(submission, verdict);
    if (problem.empty() && !submission.passes && !way.sealed)
        problem = judge_words(submission, verdict);
    return {problem, outcome.output};
}

/// Tries all submissions, in parallel on all cores.
std::vector<Trial> try_all(const std::vector<Submission>& submissions, const Way& way) {
    std::vector<Trial> trials(submissions.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < submissions.size(); i = next++)
            trials[i] = try_out(submissions[i], way);
    };
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers)
        worker.join();
    return trials;
}

/// Keeps every core busy with a thread as long as this object exists.
class CpuHogs {
  public:
    CpuHogs() {
        for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
            hogs_.emplace_back([this] {
                while (!enough_) {
                }
            });
    }
    CpuHogs(const CpuHogs&) = delete;
    CpuHogs& operator=(const CpuHogs&) = delete;
    ~CpuHogs() {
        enough_ = true;
        for (std::thread& hog : hogs_)
            hog.join();
    }

  private:
    std::atomic<bool> enough_{false};
    std::vector<std::thread> hogs_;
};

/// Tries `submissions` and fails for each one whose outcome is not as its file expects.
void check_all(const std::vector<Submission>& submissions, const Way& way,
               const std::string& what) {
    if (submissions.empty()) // CORPUS names others
        return;
    build_solutions();
    const std::vector<Trial> trials = try_all(submissions, way);
    std::size_t as_expected = 0;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
        INFO(submissions[i].patch.string(), ", seed ", way.seed, "\n", trials[i].output);
        CHECK(trials[i].problem == "");
        as_expected += trials[i].problem.empty() ? 1 : 0;
        if (corpora::are_named())
            std::cout << submissions[i].name << ":\n" << trials[i].output;
    }
    std::cout << what << ": " << as_expected << " of " << submissions.size()
              << " came out as expected\n"
              << std::flush;
}

/// The rounds that make soak asks for; 0 in make test.
int soak_rounds() {
    const char* const rounds = std::getenv("SOAK_ROUNDS"); // NOLINT(concurrency-mt-unsafe)
    return rounds == nullptr ? 0 : std::stoi(rounds);
}

unsigned draw_seed() { return std::random_device{}() % 1000000; }

/// The submissions of this kind that this run tries: `count` of them, and those in `names`.
std::vector<Submission> choose(const std::string& kind, std::size_t count,
                               const std::set<std::string>& names = {}) {
    const std::string folder = "tests/submissions/" + kind;
    const std::size_t least = kind == "right" ? 265 : 1454;
    const std::vector<std::string> share = corpora::share({folder, ".patch", least}, count);
    std::set<std::string> chosen(share.begin(), share.end());
    if (!corpora::are_named())
        chosen.insert(names.begin(), names.end());
    std::vector<Submission> submissions;
    for (const std::string& name : chosen) {
        submissions.push_back(read_submission(fs::absolute(folder) / (name + ".patch")));
        CHECK(submissions.back().passes == (kind == "right"));
    }
    return submissions;
}

} // namespace

TEST_CASE("right submissions pass") {
    const unsigned seed = draw_seed();
    check_all(choose("right", 12), {seed}, "right submissions");
}

TEST_CASE("wrong submissions fail as they should") {
    const unsigned seed = draw_seed();
    check_all(choose("wrong", 40), {seed}, "wrong submissions");
}

TEST_CASE("right submissions pass beside CPU hogs") {
    const CpuHogs hogs;
    for (int round = 1; round <= std::max(1, soak_rounds()); ++round) {
        const unsigned seed = draw_seed();
        check_all(choose("right", 4), {seed},
                  "right submissions beside CPU hogs, round " + std::to_string(round));
    }
}

// The next two run submissions as grading does.

TEST_CASE("wrong submissions fail in the same cases when the host gets no data") {
    REQUIRE(tree::run("make build/device/device").status == 0);
    const unsigned seed = draw_seed();
    check_all(choose("wrong", 4), {seed, true}, "wrong submissions, sealed");
}

TEST_CASE("right submissions pass when the host gets no data") {
    REQUIRE(tree::run("make build/device/device").status == 0);
    const unsigned seed = draw_seed();
    check_all(choose("right", 4,
                     {"lab1-barrier-then-break", "lab1-modulo-local-size-bound",
                      "lab2-own-queue-functor", "lab4-static-args"}),
              {seed, true}, "right submissions, sealed");
}
