#include "grade/lab.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"
#include "grade/room.hpp"
#include "report/shown_cases.hpp"

#include <algorithm>
#include <random>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// A compiler that takes longer than this is compiling a bomb.
constexpr double build_seconds = 120;

sandbox::Limits build_limits() {
    sandbox::Limits limits;
    limits.cpu_seconds = 30; // ten times what the solutions take
    limits.memory_bytes = std::size_t{2} << 30;
    limits.processes = 64;
    limits.disk_bytes = std::size_t{256} << 20;
    return limits;
}

/// Time that a grader has beyond its own limit, to finish its last call.
constexpr double patience_seconds = 60;

/// make's exit status if something does not compile; a sandbox that fails has another one.
constexpr int make_failed = 2;

/// The exit status of a grader that could not begin: see src/grader/main.cpp.
constexpr int could_not_begin = 3;

/// Why a lab was not run, and where.
struct Obstacle {
    std::string text;
    std::string file;
    int line = 0;
};

/// Returns the result of a lab whose cases could not run: the first case says why.
report::Result not_run(const report::Result& declared, const Obstacle& obstacle) {
    report::Result result = declared;
    result.reason = obstacle.text.substr(0, obstacle.text.find('\n'));
    for (report::Case& one : result.cases) {
        one.status = report::Status::blocked;
        one.message = "not run: " + result.reason;
        one.score = 0;
    }
    if (!result.cases.empty()) {
        report::Case& first = result.cases.front();
        first.status = report::Status::fail;
        first.message = obstacle.text;
        first.file = obstacle.file;
        first.line = obstacle.line;
    }
    return result;
}

/// Returns `line` without the names of `folders`, with paths as the student knows them.
std::string without_folders(std::string line, const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        const std::string beginning = folder.string() + '/';
        for (std::size_t at = 0; (at = line.find(beginning, at)) != std::string::npos;)
            line.erase(at, beginning.size());
    }
    return line;
}

/// Returns the compiler's messages without make's, and without the names of `folders`.
Obstacle explain_build(const Outcome& outcome, const std::vector<fs::path>& folders) {
    constexpr std::size_t most_lines = 40;
    constexpr std::size_t longest_line = 400;
    static const std::regex place(
        R"(^((?:labs|kernels)/[\w./]+):(\d+):(?:\d+:)? (?:fatal )?error: )");
    Obstacle obstacle;
    std::string text;
    std::istringstream lines(outcome.output);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line) && count < most_lines;) {
        if (line.starts_with("make"))
            continue;
        line = without_folders(line, folders);
        line.resize(std::min(line.size(), longest_line));
        std::smatch match;
        if (obstacle.line == 0 && std::regex_search(line, match, place)) {
            obstacle.file = match[1];
            obstacle.line = std::stoi(match[2].str().substr(0, 9));
        }
        text += '\n' + line;
        ++count;
    }
    obstacle.text = "the host code does not compile";
    if (!outcome.ended.empty())
        obstacle.text += ": the compiler was stopped because " + outcome.ended;
    else if (!obstacle.file.empty())
        obstacle.text = obstacle.file + " does not compile";
    else if (text.find("\ncollect2: error: ") != std::string::npos)
        obstacle.text = "the host code compiles, but cannot be linked";
    obstacle.text += text;
    return obstacle;
}

Outcome build(const std::string& lab, const fs::path& stage, const sandbox::Sandbox& sandbox,
              const fs::path& folder, const std::function<void()>& watch) {
    const fs::path output = folder / "build/student";
    fs::create_directories(output / "tmp");
    sandbox.hand_over(output);
    sandbox::Cell cell;
    cell.readable = {stage, folder};
    cell.writable = {output};
    cell.directory = folder;
    cell.environment = {{"PATH", "/usr/bin:/bin"},
                        {"LANG", "C.UTF-8"},
                        {"HOME", output},
                        {"TMPDIR", output / "tmp"}};
    cell.limits = build_limits();
    const std::string runner = "build/student/" + lab + "/runner";
    return run({sandbox.command(cell, {"/usr/bin/make", "-s", "-j1", runner}),
                folder,
                build_seconds,
                cell,
                {},
                watch});
}

/// Whether make or a compiler reports that one of them was killed. No limit does that to a
/// compiler: over a limit, the whole build is stopped, or the kernel reports an error.
bool tells_of_a_kill(const std::string& output) {
    static const std::regex killed(
        R"(^(make: \*\*\* .*\] Killed|g\+\+: fatal error: Killed signal terminated program .*|collect2: fatal error: ld terminated with signal 9.*)$)");
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        constexpr std::size_t longest_line = 1000; // the pattern is not tried on longer lines
        if (line.size() < longest_line && std::regex_match(line, killed))
            return true;
    }
    return false;
}

/// Throws std::runtime_error if a build failed through no fault of the submission: the disk was
/// full, or something other than its limits killed the compiler.
void require_fair_build(const Outcome& outcome, const Room& room, std::size_t kills_before) {
    if (outcome.succeeded() || !outcome.ended.empty())
        return;
    room.require();
    if (outcome.status != make_failed)
        throw std::runtime_error("cannot run the compiler, status " +
                                 std::to_string(outcome.status) + ": " + outcome.output);
    if (kills_for_memory() != kills_before || tells_of_a_kill(outcome.output))
        throw std::runtime_error("the compiler was killed, as happens when the system runs out of "
                                 "memory; grade fewer labs at a time: JOBS=1");
}

std::uint64_t random_seed() {
    std::random_device random;
    return (std::uint64_t{random()} << 32) | random();
}

/// The path in the lab's folder from which its program runs.
constexpr const char* runner_name = "build/run/runner";

/// Moves the program out of the folder of the user that built it, because another user runs it.
/// Returns whether there is a program.
bool take_runner(const fs::path& place, const std::string& lab) {
    const fs::path built = place / "build/student" / lab / "runner";
    if (!fs::is_regular_file(fs::symlink_status(built)))
        return false;
    const fs::path taken = place / runner_name;
    fs::create_directories(taken.parent_path());
    fs::rename(built, taken);
    fs::permissions(taken, fs::perms(0755)); // NOLINT(readability-magic-numbers)
    return true;
}

Outcome run_cases(const Course& course, const std::string& lab, const Settings& settings,
                  std::uint64_t seed, const sandbox::Sandbox& sandbox, const fs::path& folder,
                  const fs::path& json, const std::function<void()>& watch) {
    std::vector<std::string> arguments{course.root() / "build/grader" / lab,
                                       "--root",
                                       folder,
                                       "--files",
                                       ".",
                                       "--runner",
                                       runner_name,
                                       "--sealed",
                                       "--require-analysis",
                                       "--protection",
                                       sandbox::name_of(sandbox.protection()),
                                       "--seconds",
                                       std::to_string(settings.lab_seconds),
                                       "--json",
                                       json};
    if (settings.device) {
        arguments.emplace_back("--device");
        arguments.push_back(std::to_string(*settings.device));
    }
    // The seed reveals the answers, and all users can see arguments.
    return run({arguments,
                folder,
                settings.lab_seconds + patience_seconds,
                {},
                {{"HARNESS_SEED", std::to_string(seed)}},
                watch});
}

/// Whether something killed the grader.
bool was_killed(const Outcome& outcome) {
    constexpr int signalled = 128;
    return outcome.ended.empty() && outcome.status > signalled;
}

std::string missing_files(const Course& course, const std::string& lab, const Files& files) {
    std::string text;
    for (const std::string& path : course.files_of(lab)) {
        const auto refused = files.refused.find(path);
        if (refused != files.refused.end())
            text += (text.empty() ? "" : "\n") + refused->second;
    }
    return text;
}

} // namespace

Graded grade_lab(const Course& course, const fs::path& stage, const std::string& lab,
                 const Files& files, const Settings& settings, const sandbox::Sandbox& sandbox,
                 const fs::path& folder, const Stop& stop) {
    const report::Result& declared = course.declared(lab);
    const std::uint64_t seed = settings.seed ? *settings.seed : random_seed();
    Graded graded;
    const auto give_up = [&](const Obstacle& obstacle) {
        graded.result = not_run(declared, obstacle);
        graded.result.seed = seed;
        graded.result.protection = sandbox.describe();
        return graded;
    };
    const std::string missing = missing_files(course, lab, files);
    if (!missing.empty())
        return give_up({missing, "", 0});
    std::map<std::string, std::string> own;
    for (const std::string& path : course.files_of(lab))
        own[path] = files.contents.at(path);
    const fs::path place = folder / "place";
    fs::create_directories(place);
    lay_out(stage, lab, own, place);

    Room room(place);
    room.try_writing();
    room.require();
    const auto watch = [&] {
        stop.check();
        room.look();
    };
    const std::size_t kills_before = kills_for_memory();
    const Outcome built = build(lab, stage, sandbox, place, watch);
    graded.log = built.output;
    if (!built.succeeded())
        room.try_writing();
    require_fair_build(built, room, kills_before);
    if (!built.succeeded())
        return give_up(explain_build(built, {place, stage, course.root()}));
    if (!take_runner(place, lab))
        return give_up({"the compiler produced no program", "", 0});
    const fs::path json = folder / "result.json";
    const Outcome outcome = run_cases(course, lab, settings, seed, sandbox, place, json, watch);
    graded.log += outcome.output;
    if (outcome.ended.empty() && outcome.status == could_not_begin)
        throw std::runtime_error(why_without_result(outcome));
    const std::optional<std::string> text = read_file(json);
    if (text)
        graded.result = report::result_from_json(*text);
    // If the disk is full, a kernel file may be cut off and not compile.
    const std::vector<report::Case>& cases = graded.result.cases;
    if (!text || report::passed_cases(cases) < cases.size()) {
        room.try_writing();
        room.require();
    }
    if (!text && was_killed(outcome))
        throw std::runtime_error(why_without_result(outcome));
    return text ? graded : give_up({why_without_result(outcome), "", 0});
}

} // namespace grade
