#include "submission.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

Submission read_submission(const fs::path& patch) {
    Submission submission;
    submission.patch = patch;
    submission.name = patch.stem();
    std::istringstream lines(tree::read(patch));
    for (std::string line; std::getline(lines, line) && !line.starts_with("--- ");) {
        static const std::regex fail("expect: fail \"(.*)\"");
        std::smatch match;
        if (line.starts_with("lab: "))
            submission.lab = line.substr(5);
        else if (line.starts_with("says: "))
            submission.says.push_back(line.substr(6));
        else if (line.starts_with("never: "))
            submission.never_says.push_back(line.substr(7));
        else if (line.starts_with("passes: "))
            submission.passing_cases.push_back(line.substr(8));
        else if (line.starts_with("slow: "))
            submission.slow_cases.push_back(line.substr(6));
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

Prepared prepare(const Submission& submission) {
    Prepared prepared;
    prepared.folder = "build/submissions/" + submission.name;
    prepared.runner = "build/solutions/" + submission.lab + "/runner";
    const std::string& folder = prepared.folder;
    const std::string patch = submission.patch.empty() ? ""
                                                       : " && patch -s -p1 -d " + folder + " < '" +
                                                             submission.patch.string() + "'";
    const tree::Outcome patched =
        tree::run("rm -rf " + folder + " && mkdir -p " + folder + " && cp -R '" +
                  tree::plain_solutions().string() + "'/* " + folder + patch);
    if (patched.status != 0)
        return {folder, "", "the patch does not apply", patched.output};
    if (submission.changes_host_code) {
        prepared.runner = folder + "/run/" + submission.lab + "/runner";
        const tree::Outcome built = tree::run("make -j1 " + prepared.runner + " FROM=" + folder +
                                              " RUN=" + folder + "/run");
        if (built.status != 0)
            return {folder, "", "it does not compile", built.output};
    }
    return prepared;
}

const char* chosen_device() {
    return std::getenv("DEVICE"); // NOLINT(concurrency-mt-unsafe): never set
}

tree::Outcome run_grader(const Submission& submission, const Prepared& prepared,
                         const std::string& options) {
    const char* const device = chosen_device();
    return tree::run("build/grader/" + submission.lab + " --root \"$PWD\" --files " +
                     prepared.folder + " --runner " + prepared.runner +
                     (device == nullptr ? "" : std::string(" --device ") + device) + options);
}

/// What all submissions need.
void build_solutions() {
    for (const std::string& lab : tree::labs())
        REQUIRE(tree::run("make " + lab + " SOLUTIONS=1").status == 0);
}
