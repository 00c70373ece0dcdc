#pragma once

#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A copy of the repository in which commands run as a student would type them.
namespace tree {

/// What a command printed (both streams) and its exit status; 128 + signal if it was killed.
struct Outcome {
    int status = -1;
    std::string output;
};

/// Runs `command` with sh in the copy.
Outcome run(const std::string& command);

/// The copy's folder. It is updated from the repository once in a test run; its build/ stays, so
/// that little is compiled again.
const std::filesystem::path& root();

/// A folder in the copy with the solutions as students have them: without marks.
const std::filesystem::path& plain_solutions();

/// Restores the starters in labs/ and kernels/ of the copy.
void restore_starters();

std::string read(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& text);

/// The outcome of ./harness with --json and `arguments`; the result is null if none was written.
struct Verdict {
    Outcome outcome;
    nlohmann::json result;
};
Verdict verdict(const std::string& arguments);

/// Whether a run ended with status 0 and earned every point.
bool passes(const Verdict& verdict);

/// The temporary folder of all commands: for compilers' files and the scratch folders of gradings.
const std::filesystem::path& temporary();

/// Whether temporary() contains no scratch folder of a grading.
bool no_scratch_left();

/// Processes whose command line contains `text`.
std::vector<int> processes(const std::string& text);

/// The labs' names.
const std::vector<std::string>& labs();

} // namespace tree
