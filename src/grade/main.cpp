/// Grades submissions: make grade, make grade-all.

#include "grade/class.hpp"
#include "grade/display.hpp"
#include "grade/files.hpp"
#include "grade/scratch.hpp"
#include "report/shown_cases.hpp"
#include "report/text.hpp"
#include "report/times.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <thread>

namespace fs = std::filesystem;

namespace grade {
namespace {

constexpr int graded = 0;
constexpr int some_without_result = 1; ///< without their fault
constexpr int could_not_run = 2;

struct CommandLine {
    std::string root = ".";
    std::string submission;
    std::string submissions;
    std::string out;
    std::string labs;
    std::string seed;
    std::string device;
    std::string protection;
    std::string shard;
    std::string commit;
    std::string pushed;
    std::string committed;
    std::string jobs;
    std::string lab_seconds;
    bool unsafe = false;
    bool anonymous = false;
};

/// Parses the arguments. Exits if they ask for help. Throws std::runtime_error.
CommandLine parse(int argc, const char* const* argv) {
    CommandLine line;
    CLI::App app("Grades a submission, or a class, with this course's files and the student's "
                 "solutions only.",
                 "make grade");
    app.add_option("--root", line.root)->group("");
    auto* one =
        app.add_option("--submission", line.submission, "a student's repository (SUBMISSION=)");
    auto* all = app.add_option("--submissions", line.submissions,
                               "a folder with a folder for each student (SUBMISSIONS=)");
    one->excludes(all);
    app.add_option("--out", line.out, "where the results go (OUT=)");
    app.add_option("--lab", line.labs, "grade these labs only, as in \"lab1 lab3\" (LAB=)");
    app.add_option("--seed", line.seed, "draw the inputs from this seed (SEED=)");
    app.add_option("--device", line.device,
                   "use device N of ./harness --list-devices, which can be a GPU (DEVICE=)");
    app.add_option("--protection", line.protection,
                   "the sandbox: bubblewrap or user; default: the best that works (PROTECTION=)");
    app.add_flag("--unsafe", line.unsafe,
                 "grade even if submissions cannot be sandboxed (UNSAFE=1)");
    app.add_flag("--anonymous", line.anonymous,
                 "write class.html without the students' names (ANONYMOUS=1)")
        ->needs(all);
    app.add_option("--shard", line.shard, "grade part I of N of a class, such as 2/5 (SHARD=)");
    app.add_option("--jobs", line.jobs, "labs to grade at a time; default: one per core (JOBS=)");
    app.add_option("--lab-seconds", line.lab_seconds,
                   "time limit for the cases of one lab (LAB_SECONDS=)");
    auto* commit = app.add_option("--commit", line.commit,
                                  "the commit of SUBMISSION, shown in the results (COMMIT=)");
    auto* pushed = app.add_option("--pushed", line.pushed,
                                  "when it was pushed, such as 2026-12-04T23:59:00+01:00; "
                                  "decides whether it is late (PUSHED=)");
    auto* committed = app.add_option("--committed", line.committed,
                                     "the commit's own date, if the time of the push is unknown; "
                                     "the committer can set that date (COMMITTED=)");
    for (auto* option : {commit, pushed, committed})
        option->excludes(all); // a class has revisions.tsv
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        std::exit(graded); // NOLINT(concurrency-mt-unsafe): no threads yet
    } catch (const CLI::ParseError& error) {
        throw std::runtime_error(std::string(error.what()) + "; see --help");
    }
    if (line.submission.empty() && line.submissions.empty())
        throw std::runtime_error(
            "nothing to grade; type: make grade SUBMISSION=dir OUT=dir, or make "
            "grade-all SUBMISSIONS=dir OUT=dir");
    if (line.out.empty())
        throw std::runtime_error("no folder for the results; add OUT=dir");
    if (!line.pushed.empty() && !line.committed.empty())
        throw std::runtime_error(
            "set PUSHED or COMMITTED, not both; give the time of the push if it is known");
    if (!line.shard.empty() && line.submissions.empty())
        throw std::runtime_error("SHARD works only for a class; give SUBMISSIONS=dir");
    return line;
}

/// Returns the number that the variable `name` has. Throws std::runtime_error if it is no number
/// from `least` to `most`.
template <class Number>
Number parse_number(const std::string& name, const std::string& text, Number least, Number most) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || !(number >= least && number <= most)) {
        std::ostringstream message;
        message << name << " must be a" << (std::is_integral_v<Number> ? " whole" : "")
                << " number from " << least << " to " << most << ", not \"" << text << '"';
        throw std::runtime_error(message.str());
    }
    return number;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Returns the absolute path of the folder at `path`. Throws std::runtime_error.
fs::path folder_at(const std::string& path) {
    if (!fs::is_directory(path))
        throw std::runtime_error("there is no folder " + path);
    return fs::canonical(path);
}

/// Whether the error is a full disk.
bool is_full(const std::error_code& error) {
    return error == std::errc::no_space_on_device || error.value() == EDQUOT;
}

/// Returns the folder for the results, and creates it if necessary. Throws std::runtime_error.
fs::path output_at(const std::string& path, const fs::path& submissions) {
    fs::path out = fs::weakly_canonical(fs::absolute(path));
    // Otherwise the next grading would find the results among the submissions.
    if (std::mismatch(submissions.begin(), submissions.end(), out.begin(), out.end()).first ==
        submissions.end())
        throw std::runtime_error(path + " lies in the folder to grade; give a folder elsewhere");
    std::error_code error;
    fs::create_directories(out, error);
    if (error || !fs::is_directory(out))
        throw std::runtime_error(
            "cannot create the folder " + path + " for the results" +
            (error ? ": " + error.message() : "") +
            (is_full(error) ? "; free some space there" : "; give a folder that you can write to"));
    return out;
}

sandbox::Protection choose_protection(const CommandLine& line, const std::string& confine) {
    try {
        if (!line.protection.empty()) {
            const sandbox::Protection wanted = sandbox::protection_named(line.protection);
            if (wanted == sandbox::Protection::none && !line.unsafe)
                throw std::runtime_error("PROTECTION=none needs UNSAFE=1");
            return sandbox::Sandbox::choose(confine, wanted).protection();
        }
        return sandbox::Sandbox::choose(confine, std::nullopt).protection();
    } catch (const std::runtime_error&) {
        if (!line.unsafe || !line.protection.empty())
            throw;
        return sandbox::Protection::none;
    }
}

/// Returns students' text in a form that neither a terminal nor a workflow takes for a command.
std::string shown(const std::string& text, std::size_t limit) {
    return report::without_commands(report::visible_line(text, limit));
}

/// Reports the progress of a grading.
class ProgressDisplay {
  public:
    ProgressDisplay(Display& display, std::size_t tasks, Estimate estimate)
        : display_(display), tasks_(tasks), estimate_(std::move(estimate)) {}

    void begin(const Task& task, const std::string& lab) {
        begun_[{task.student, lab}] = Clock::now();
        display_.begin(name_of(task, lab));
    }

    void end(const Task& task, const std::string& lab, bool kept) {
        const Unit unit{task.student, lab};
        const std::chrono::duration<double> seconds = Clock::now() - begun_.at(unit);
        begun_.erase(unit);
        estimate_.ended(unit, kept ? std::nullopt : std::make_optional(seconds.count()));
        display_.end(name_of(task, lab));
    }

    void show(const Task& task, const Finished& finished) {
        ++done_;
        std::ostringstream line;
        line << '[' << std::setw(3) << done_ << '/' << tasks_ << "] " << shown(task.student, 40)
             << ": ";
        if (!finished.failure.empty()) {
            ++without_result_;
            line << "no result: " << shown(finished.failure, 300);
        } else {
            line << finished.submission.score() << " of " << finished.submission.max_score();
        }
        line << " (" << show_time(finished.seconds) << " of work)";
        const std::string left = estimate_.text();
        line << (left.empty() ? "" : ", ") << left;
        display_.line(line.str());
    }

    std::size_t without_result() const { return without_result_; }

  private:
    using Clock = std::chrono::steady_clock;

    static std::string name_of(const Task& task, const std::string& lab) {
        return shown(task.student, 40) + " " + lab;
    }

    Display& display_;
    std::map<Unit, Clock::time_point> begun_;
    std::size_t tasks_;
    std::size_t done_ = 0;
    std::size_t without_result_ = 0;
    Estimate estimate_;
};

void show_labs(Display& display, const report::Submission& submission) {
    for (const report::Result& lab : submission.labs) {
        std::string line = "  " + lab.lab + "  " + report::points(lab.score(), lab.max_score());
        if (!lab.reason.empty())
            line += "  " + shown(lab.reason, 200);
        display.line(line);
    }
}

Settings settings_of(const CommandLine& line, const std::string& confine) {
    Settings settings;
    constexpr double day = 86400;
    constexpr int most_devices = 1000;
    if (!line.lab_seconds.empty())
        settings.lab_seconds = parse_number("LAB_SECONDS", line.lab_seconds, 1.0, day);
    if (!line.seed.empty())
        settings.seed = parse_number("SEED", line.seed, std::uint64_t{0},
                                     std::numeric_limits<std::uint64_t>::max());
    if (!line.device.empty())
        settings.device = parse_number("DEVICE", line.device, 0, most_devices);
    settings.protection = choose_protection(line, confine);
    return settings;
}

/// Returns how many labs are graded at a time.
unsigned jobs_of(const CommandLine& line) {
    constexpr unsigned most_jobs = 1000;
    return line.jobs.empty() ? std::max(1U, std::thread::hardware_concurrency())
                             : parse_number("JOBS", line.jobs, 1U, most_jobs);
}

/// Returns the revision of the one submission from the command line, for each lab.
Revisions revisions_of(const CommandLine& line, const Course& course) {
    report::Revision revision;
    revision.commit = line.commit;
    revision.pushed = !line.pushed.empty();
    revision.time = revision.pushed ? line.pushed : line.committed;
    if (!revision.time.empty() && !report::seconds_of(revision.time))
        throw std::runtime_error("PUSHED and COMMITTED must be times such as "
                                 "2026-12-04T23:59:00+01:00, not \"" +
                                 revision.time + "\"");
    Revisions revisions;
    if (revision == report::Revision{})
        return revisions;
    for (const std::string& lab : course.labs())
        revisions[lab] = revision;
    return revisions;
}

/// The submissions to grade.
struct Plan {
    std::vector<Task> tasks; ///< without results, or with results of other files or settings
    std::set<Unit> units;    ///< their labs that have all files
};

Plan plan_for(const std::vector<Task>& all, bool again, const Course& course,
              const Settings& settings, const Stop& stop) {
    Plan plan;
    for (const Task& task : all) {
        stop.check();
        Files files;
        try {
            files = files_of(task, course);
            if (!again && task.results.finished(course, files, settings)) {
                task.results.tidy();
                continue;
            }
        } catch (const std::exception&) {
            files = {}; // the grading reports this
        }
        plan.tasks.push_back(task);
        for (const std::string& lab : course.labs()) {
            const std::vector<std::string> wanted = course.files_of(lab);
            if (std::ranges::all_of(
                    wanted, [&](const std::string& path) { return files.contents.contains(path); }))
                plan.units.insert({task.student, lab});
        }
    }
    return plan;
}

/// Returns what is about to be graded, and how.
std::string describe(const Plan& plan, const Course& course, unsigned jobs,
                     sandbox::Protection protection) {
    if (plan.tasks.empty())
        return "nothing to grade: all submissions have finished results";
    return "grading " + report::count_of(plan.tasks.size(), "submission") + ", " +
           report::count_of(course.labs().size(), "lab") + " each, " + std::to_string(jobs) +
           " at a time; sandbox: " + sandbox::name_of(protection);
}

/// Shows which labs are being graded.
Listener listener_of(ProgressDisplay& progress) {
    Listener listener;
    listener.begun = [&](const Task& task, const std::string& lab) { progress.begin(task, lab); };
    listener.ended = [&](const Task& task, const std::string& lab, bool kept) {
        progress.end(task, lab, kept);
    };
    return listener;
}

/// Also shows each lab's points.
Listener listener_of_one(ProgressDisplay& progress, Display& display) {
    Listener listener = listener_of(progress);
    listener.finished = [&](const Task& task, const Finished& finished) {
        progress.show(task, finished);
        show_labs(display, finished.submission);
    };
    return listener;
}

/// Also writes the gradebook after each submission.
Listener class_listener(ProgressDisplay& progress, Gradebook& gradebook, const fs::path& book) {
    Listener listener = listener_of(progress);
    listener.finished = [&](const Task& task, const Finished& finished) {
        progress.show(task, finished);
        gradebook.refresh(task);
        try {
            write_shared_file(book, gradebook.csv());
        } catch (const std::exception&) {
            return; // the write at the end reports this
        }
    };
    return listener;
}

int grade(const CommandLine& line, const Stop& stop) {
    const Course course(fs::canonical(line.root), words_of(line.labs));
    const std::string confine = course.root() / "build/sandbox/confine";
    ::umask(S_IWGRP | S_IWOTH); // sandboxed users must be able to read the staged files
    const bool is_class = !line.submissions.empty();
    const fs::path submissions = folder_at(is_class ? line.submissions : line.submission);
    const Settings settings = settings_of(line, confine);
    const unsigned jobs = jobs_of(line);
    const fs::path out = output_at(line.out, submissions);

    Display display(std::cout, ::isatty(STDOUT_FILENO) != 0);
    std::vector<Task> all;
    if (is_class) {
        all = class_in(submissions, out);
        for (const std::string& why : passed_over_in(submissions))
            display.line("not graded: " + shown(why, 200));
    } else {
        all = {{submissions.filename(), submissions, Results(out), revisions_of(line, course)}};
        all.front().results.forget();
    }
    const std::string looking = "looking for finished results";
    display.begin(looking);
    const Plan plan = plan_for(line.shard.empty() ? all : part_of(all, parse_shard(line.shard)),
                               !is_class, course, settings, stop);
    display.end(looking);
    display.line(describe(plan, course, jobs, settings.protection));

    ProgressDisplay progress(display, plan.tasks.size(), Estimate(plan.units, jobs));
    {
        const Scratch scratch(temporary_folders(),
                              sandbox::Sandbox::choose(confine, settings.protection));
        const fs::path book = out / "gradebook.csv";
        Gradebook gradebook(course, all);
        const Listener listener = is_class ? class_listener(progress, gradebook, book)
                                           : listener_of_one(progress, display);
        grade_all(course, plan.tasks, settings, confine, jobs, scratch.path(), listener, stop);
        // This includes the results of other shards so far.
        if (is_class) {
            const Gradebook finished(course, all);
            write_shared_file(book, finished.csv());
            write_shared_file(out / "class.html", finished.page(line.anonymous));
        }
    }
    if (stop.signal() != 0)
        throw Stopped{};
    display.line("results: " + (is_class ? (out / "gradebook.csv").string() + " and class.html"
                                         : (out / "report.html").string()));
    return progress.without_result() == 0 ? graded : some_without_result;
}

int run(int argc, const char* const* argv) {
    const Stop stop;
    try {
        const int status = grade(parse(argc, argv), stop);
        if (!std::cout.flush())
            throw std::runtime_error("cannot write to standard output; is the disk full?");
        return status;
    } catch (const Stopped&) {
        std::cerr << "grade: stopped; rerun make grade-all to resume\n";
        stop.end();
    } catch (const std::system_error& error) {
        std::cerr << "grade: " << (is_full(error.code()) ? "the disk is full: " : "")
                  << shown(error.what(), 2000)
                  << (is_full(error.code()) ? "; free some space and rerun the command" : "")
                  << '\n';
        return could_not_run;
    } catch (const std::exception& error) {
        std::cerr << "grade: " << shown(error.what(), 2000) << '\n';
        return could_not_run;
    }
}

} // namespace
} // namespace grade

int main(int argc, char** argv) { return grade::run(argc, argv); }
