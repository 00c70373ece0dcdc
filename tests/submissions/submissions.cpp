/// The corpus: tests/submissions/right must pass, tests/submissions/wrong must fail as each file
/// says. A file is a patch against what make solutions hands out, with a head that says what differs
/// and what must come:
///
///     The tree ends one step early.
///     lab: lab1
///     expect: fail "sum: every length"        (or: pass)
///     says: the tree ends one step early
///     run: every case                          (or else that one alone)

#include "../corpora.hpp"
#include "../end_to_end/tree.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <iostream>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace {

struct Submission {
    fs::path patch;
    std::string name;
    std::string lab;
    bool passes = false;
    std::string failing_case; ///< one that must fail
    std::string says;         ///< must stand in its message
    bool alone = true;        ///< that case is the only one to run
    bool changes_host_code = false;
};

/// What became of one submission; `problem` is "" if it is what its file says.
struct Trial {
    std::string problem;
    std::string output;
};

Submission read_submission(const fs::path& patch) {
    Submission submission;
    submission.patch = patch;
    submission.name = patch.stem();
    std::istringstream lines(tree::read(patch));
    for (std::string line; std::getline(lines, line) && line.rfind("--- ", 0) != 0;) {
        static const std::regex fail("expect: fail \"(.*)\"");
        std::smatch match;
        if (line.rfind("lab: ", 0) == 0)
            submission.lab = line.substr(5);
        else if (line.rfind("says: ", 0) == 0)
            submission.says = line.substr(6);
        else if (line == "run: every case")
            submission.alone = false;
        else if (line == "expect: pass")
            submission.passes = true;
        else if (std::regex_match(line, match, fail))
            submission.failing_case = match[1];
    }
    submission.changes_host_code = tree::read(patch).find("\n+++ b/labs/") != std::string::npos;
    return submission;
}

std::string judge(const Submission& submission, const tree::Verdict& verdict) {
    const nlohmann::json& result = verdict.result;
    const int status = verdict.outcome.status;
    if (!result.is_object())
        return "no result";
    if (submission.passes)
        return tree::passes(verdict) ? "" : "must pass";
    if (status != 1)
        return "must fail with status 1, not " + std::to_string(status);
    for (const auto& one : result["cases"]) {
        if (one["name"] != submission.failing_case)
            continue;
        if (one["status"] != "fail")
            return "\"" + submission.failing_case + "\" must fail";
        if (one["message"].get<std::string>().find(submission.says) == std::string::npos)
            return "\"" + submission.failing_case + "\" must say: " + submission.says;
        return "";
    }
    return "there is no case \"" + submission.failing_case + "\"";
}

/// How submissions are run: what the grader is told besides.
struct Way {
    unsigned seed = 0;
    std::string options;
};

/// Applies, builds and runs one submission in a folder of its own.
Trial try_out(const Submission& submission, const Way& way) {
    const std::string folder = "build/submissions/" + submission.name;
    const std::string lab = submission.lab;
    tree::Outcome prepared =
        tree::run("rm -rf " + folder + " && mkdir -p " + folder + " && cp -R '" +
                  tree::plain_solutions().string() + "'/* " + folder + " && patch -s -p1 -d " +
                  folder + " < '" + submission.patch.string() + "'");
    if (prepared.status != 0)
        return {"the patch does not apply", prepared.output};
    std::string runner = "build/solutions/" + lab + "/runner";
    if (submission.changes_host_code) {
        runner = folder + "/run/" + lab + "/runner";
        prepared = tree::run("make -j1 " + runner + " FROM=" + folder + " RUN=" + folder + "/run");
        if (prepared.status != 0)
            return {"it does not compile", prepared.output};
    }
    const fs::path json = tree::root() / folder / "result.json";
    const tree::Outcome outcome = tree::run(
        "build/grader/" + lab + " --root \"$PWD\" --files " + folder + " --runner " + runner +
        " --seed " + std::to_string(way.seed) + way.options + " --json " + json.string() +
        (submission.passes || !submission.alone ? "" : " -tc='" + submission.failing_case + "'"));
    const auto result =
        fs::exists(json) ? nlohmann::json::parse(tree::read(json)) : nlohmann::json();
    return {judge(submission, {outcome, result}), outcome.output};
}

/// Tries all of them, on every core.
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

/// Threads that keep every core busy for as long as it lives.
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
    CpuHogs(CpuHogs&&) = delete;
    CpuHogs& operator=(CpuHogs&&) = delete;
    ~CpuHogs() {
        enough_ = true;
        for (std::thread& hog : hogs_)
            hog.join();
    }

  private:
    std::atomic<bool> enough_{false};
    std::vector<std::thread> hogs_;
};

/// What the submissions need that is the same for all of them.
void build_solutions() {
    for (const std::string& lab : tree::labs())
        REQUIRE(tree::run("make " + lab + " SOLUTIONS=1").status == 0);
}

/// Tries `submissions` and fails where one does not come out as it says.
void check_all(const std::vector<Submission>& submissions, const Way& way,
               const std::string& what) {
    if (submissions.empty()) // others are named
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

/// The submissions of this kind that this run tries: `count` of them, and those that `names` names.
std::vector<Submission> choose(const std::string& kind, std::size_t count,
                               const std::set<std::string>& names = {}) {
    const std::string folder = "tests/submissions/" + kind;
    const std::vector<std::string> share = corpora::share(folder, ".patch", count);
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
    check_all(choose("right", 12), {seed, ""}, "right submissions");
}

TEST_CASE("wrong submissions fail as they should") {
    const unsigned seed = draw_seed();
    check_all(choose("wrong", 40), {seed, ""}, "wrong submissions");
}

TEST_CASE("right submissions pass beside CPU hogs") {
    const CpuHogs hogs;
    for (int round = 1; round <= std::max(1, soak_rounds()); ++round) {
        const unsigned seed = draw_seed();
        check_all(choose("right", 4), {seed, ""},
                  "right submissions beside CPU hogs, round " + std::to_string(round));
    }
}

/// As grading runs them.
TEST_CASE("right submissions pass where the host gets no data") {
    REQUIRE(tree::run("make build/device/device").status == 0);
    const unsigned seed = draw_seed();
    check_all(choose("right", 4,
                     {"lab1-barrier-then-break", "lab1-modulo-local-size-bound",
                      "lab2-own-queue-functor", "lab4-static-args"}),
              {seed, " --sealed"}, "right submissions, sealed");
}
