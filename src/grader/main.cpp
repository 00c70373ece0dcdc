/// The grader of one lab: its cases are linked with this.

#define DOCTEST_CONFIG_IMPLEMENT
// A signal ends the run at once. doctest's handler would report the case first, which allocates
// memory, and a signal can arrive while the allocator holds its lock.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include "grader/background_trials.hpp"
#include "grader/case.hpp"
#include "grader/course_settings.hpp"
#include "grader/example_picture.hpp"
#include "grader/options.hpp"
#include "grader/programs.hpp"
#include "grader/progress.hpp"
#include "grader/verdicts.hpp"
#include "report/brief_terminal.hpp"
#include "report/causes.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <unistd.h>

namespace grader {
namespace {

constexpr int all_passed = 0;
constexpr int some_did_not_pass = 1;
constexpr int could_not_run = 2;
constexpr int could_not_begin = 3; ///< a sealed run, through no fault of the submission

/// A result file: known to be writable before the run, complete or absent after it.
class OutputFile {
  public:
    /// Opens a file beside `path`, or `path` itself if that is a pipe or a device. Throws Unusable.
    explicit OutputFile(const std::string& path) : path_(path) {
        const bool special =
            std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
        written_ = special ? path : path + ".partial";
        stream_.open(written_);
        if (!stream_)
            throw Unusable("cannot write to " + path +
                           "; choose a file in a folder that exists and that you can write to");
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() {
        std::error_code ignored;
        if (written_ != path_)
            std::filesystem::remove(written_, ignored);
    }

    void write(const std::string& text) {
        stream_ << text << std::flush;
        if (!stream_)
            throw Unusable("cannot write to " + path_ + "; is the disk full?");
        if (written_ != path_)
            std::filesystem::rename(written_, path_);
    }

  private:
    std::string path_;
    std::string written_;
    std::ofstream stream_;
};

/// The files that a run writes; nothing for one that was not asked for.
struct OutputFiles {
    std::optional<OutputFile> json, junit, trace, page;
};

void open(std::optional<OutputFile>& file, const std::string& path) {
    if (!path.empty())
        file.emplace(path);
}

void print_devices(const Session::Options& options) {
    const auto devices = list_devices(options.path_of(options.runner));
    if (devices.empty())
        throw Unusable("there is no OpenCL device; install the CPU device with: make setup");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const wire::DeviceInfo& device = devices[i];
        std::cout << std::setw(3) << i << "  " << device.name << " (" << device.platform << ")\n"
                  << "     " << to_string(device.type) << ", " << device.version
                  << ", work-groups up to " << device.max_work_group_size << ", "
                  << (device.local_memory >> 10) << " KiB of local memory\n";
    }
}

/// Rejects two cases with the same name, which neither a filter nor a gradebook could distinguish,
/// names with characters that are special in a filter, and cases without a hint.
void refuse_bad_cases(const std::vector<report::Case>& cases) {
    std::set<std::string> names;
    for (const report::Case& one : cases) {
        if (!names.insert(one.name).second)
            throw Unusable("two cases are named \"" + one.name + "\"; rename one");
        if (one.name.find_first_of(",\"\\*") != std::string::npos)
            throw Unusable("the case \"" + one.name +
                           "\" has a character in its name that is special " +
                           "to -tc=; rename it");
        const bool says_nothing =
            one.hints.empty() || std::ranges::any_of(one.hints, [](const std::string& hint) {
                return hint.find_first_not_of(' ') == std::string::npos;
            });
        if (says_nothing)
            throw Unusable("the case \"" + one.name + R"(" has no hint; add * hint("..."))");
    }
}

/// Adds the kernel files that findings and failed cases name: reports show these lines.
void add_sources(Session& session) {
    report::Result& result = session.result();
    const auto is_named = [&](const std::string& file) {
        return std::ranges::any_of(result.findings,
                                   [&](const report::Finding& one) { return one.file == file; }) ||
               std::ranges::any_of(result.cases, [&](const report::Case& one) {
                   return one.file == file && !report::has_passed(one.status);
               });
    };
    for (const KernelSource& source : session.lab().sources) {
        const KernelFile& file = session.kernel_file(source.file);
        if (is_named(file.name()))
            result.sources.push_back({file.name(), file.text().substr(0, report::source_limit)});
    }
}

int exit_status(const report::Result& result) {
    const bool passed = std::ranges::all_of(result.cases, [](const report::Case& one) {
        return report::counts_as_passed(one) || !report::was_selected(one);
    });
    return passed ? all_passed : some_did_not_pass;
}

/// Throws Unusable if the lab's examples cannot be drawn.
void require_picture(Session& session) {
    if (!session.interpreter().installed())
        throw Unusable(
            "--trace needs clang, which is not installed; run make setup, then build the "
            "lab again");
    if (session.lab().examples.empty())
        throw Unusable("--trace cannot draw " + session.lab().name +
                       ": its cases define no examples (LabInfo::examples)");
}

/// The path of `name` in the folder that keeps what a run must know about the previous run; "" if
/// there is no such folder.
std::string state_file(const CommandLine& line, const std::string& name) {
    return line.state.empty() ? "" : line.session.path_of(line.state + "/" + name);
}

std::unique_ptr<report::Terminal> open_terminal(const CommandLine& line) {
    const bool colors = report::wants_colors(STDOUT_FILENO);
    const bool watched = report::is_watched(STDOUT_FILENO);
    const std::size_t columns = report::columns_of(STDOUT_FILENO);
    if (line.rows != 0)
        return std::make_unique<report::BriefTerminal>(std::cout, line.rows, colors, watched,
                                                       columns);
    return std::make_unique<report::Terminal>(std::cout, colors, watched, columns);
}

/// Adds a picture to the case that the report shows first, if one of the lab's examples shows a mistake.
/// An endless host is not waited for once more.
void add_picture(Session& session) {
    report::Result& result = session.result();
    const report::Causes found = report::causes_of(result.cases, result.findings);
    if (found.causes.empty() || !session.interpreter().installed() ||
        session.lab().examples.empty() || session.host_hung() || !session.why_over().empty())
        return;
    const std::string& first = found.causes.front().cases.front()->name;
    const auto failed = std::ranges::find_if(
        result.cases, [&](const report::Case& one) { return one.name == first; });
    try {
        const report::Picture picture = picture_of(session, false);
        if (report::shows_mistake(picture))
            failed->trace = report::to_svg(picture);
    } catch (const std::exception&) { // the verdict is complete without it
        failed->trace.clear();
    }
}

/// The picture of one of the lab's examples. If all are right although cases fail, it says so.
report::Picture traced(Session& session, bool without_code) {
    report::Picture picture = picture_of(session, without_code);
    const report::Result& result = session.result();
    const report::Causes found = report::causes_of(result.cases, result.findings);
    if (!found.causes.empty() && picture.message.empty() && !report::shows_mistake(picture)) {
        const report::Case& first = *found.causes.front().cases.front();
        picture.message = "the results for short inputs are right, but another input fails, in \"" +
                          first.name + "\":\n" + first.message;
    }
    return picture;
}

void open(OutputFiles& files, const CommandLine& line, Session& session) {
    open(files.json, line.json);
    open(files.junit, line.junit);
    if (!line.trace.empty())
        require_picture(session);
    open(files.trace, line.trace);
    open(files.page, line.report);
}

void write(OutputFiles& files, const CommandLine& line, Session& session) {
    report::Result& result = session.result();
    add_sources(session);
    if (files.page || files.json)
        add_picture(session);
    if (files.json)
        files.json->write(report::to_json(result));
    if (files.junit)
        files.junit->write(report::to_junit(result));
    if (files.trace)
        files.trace->write(report::to_svg(traced(session, line.without_code)));
    if (files.page)
        files.page->write(report::to_html(result));
}

/// Gives doctest its options.
void set_up(doctest::Context& context, const CommandLine& line) {
    listen_to_cases();
    if (!line.query)
        context.setOption("reporters", "verdict");
    std::vector<const char*> arguments{"harness"};
    for (const std::string& argument : line.doctest)
        arguments.push_back(argument.c_str());
    context.applyCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

/// Runs the cases, and shows their verdicts as they come.
void run_cases(doctest::Context& context, const CommandLine& line, Session& session) {
    report::Result& result = session.result();
    const std::unique_ptr<report::Terminal> terminal = open_terminal(line);
    terminal->wait_for("opening the device and compiling the kernels");
    session.open();
    session.known.background_trials = run_in_background(session);
    set_terminal(terminal.get());
    terminal->begin(result);
    context.run();
    if (nothing_selected(result))
        throw Unusable("no case of " + result.lab +
                       " matches; ./harness -ltc lists the names (-tc=\"*word*\" matches a part)");
    terminal->end(result, lab_after(line.session.root, result.lab));
}

int run_lab(const CommandLine& line) {
    const auto start = std::filesystem::file_time_type::clock::now();
    Session session(line.session, describe_lab());
    report::Result& result = session.result();
    result.cases = declared_cases();
    refuse_bad_cases(result.cases);
    CourseSettings course = read_settings(line.session.root);
    const LabSettings& settings = course[result.lab];
    apply(settings, std::time(nullptr), result);
    if (line.declare) {
        require_labs_of(course, line.session.root);
        std::cout << report::to_json(result);
        return all_passed;
    }
    doctest::Context context;
    set_up(context, line);
    if (line.query) {
        context.run();
        return all_passed;
    }
    OutputFiles files;
    open(files, line, session);
    session.hints =
        HintLevels({line.hints, line.hint_level, settings.hints == ShowHints::always,
                    settings.hint_levels, state_file(line, result.lab + "-hints.json")});
    run_cases(context, line, session);
    session.hints.remember(result);
    if (!line.state.empty() && is_whole(result))
        write_progress(result, start, state_file(line, result.lab));
    write(files, line, session);
    return exit_status(result);
}

/// Sets the variables of POCL that the user has not set. Call it before starting threads.
void set_up_pocl(const std::string& root) {
    // Compiled kernels belong to the build. If that folder is not writable, each run compiles them
    // again.
    const std::string cache = root + "/build/pocl-cache";
    std::error_code ignored;
    std::filesystem::create_directories(cache, ignored);
    constexpr int keep = 0;
    for (const auto& [name, value] : pocl_variables(cache))
        ::setenv(name.c_str(), value.c_str(), keep); // NOLINT(concurrency-mt-unsafe)
}

/// Opens /dev/null for standard input and error if they are closed, so that no file that is opened
/// later gets their numbers. Throws Unusable if standard output is closed.
void check_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0)
            continue;
        if (stream == STDOUT_FILENO)
            throw Unusable("standard output is closed, so the verdict cannot be shown");
        ::open("/dev/null", O_RDWR); // takes the lowest number that is free, which is this one
    }
}

/// Says, if the harness crashes, that this is no mistake of the student. Uses only what a signal handler
/// may use.
void explain_crashes() {
    struct sigaction action = {};
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    action.sa_handler = [](int signal) {
        constexpr std::string_view text =
            "\nharness: the harness has crashed: this is a bug in the course, not in your code\n"
            "harness: please report it, with your files and the seed shown above\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
        static_cast<void>(::raise(signal));
    };
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

/// Throws Unusable if output was lost.
void check_printed() {
    if (!std::cout.flush())
        throw Unusable("cannot write to standard output; is the disk full?");
}

int run_command(CommandLine line) {
    set_up_pocl(line.session.root);
    if (line.list_devices) {
        print_devices(line.session);
        return all_passed;
    }
    if (!line.seed_given)
        line.session.seed = std::random_device{}() % 1000000000;
    return run_lab(line);
}

int run(int argc, const char* const* argv) {
    try {
        check_standard_streams();
        explain_crashes();
        const int status = run_command(parse_command_line(argc, argv));
        check_printed();
        return status;
    } catch (const Unprepared& error) {
        std::cerr << "harness: " << error.what() << '\n';
        return could_not_begin;
    } catch (const std::exception& error) {
        std::cerr << "harness: " << error.what() << '\n';
        return could_not_run;
    }
}

} // namespace
} // namespace grader

int main(int argc, char** argv) { return grader::run(argc, argv); }
