/// Grades submissions: make grade, make grade-all.

#include "grade/class.hpp"
#include "grade/display.hpp"
#include "grade/files.hpp"
#include "grade/scratch.hpp"
#include "report/text.hpp"
#include "report/times.hpp"
#include "report/told.hpp"

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
constexpr int some_without_result = 1; ///< through no fault of theirs
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
    unsigned jobs = 0;
    double lab_seconds = Settings{}.lab_seconds;
    bool unsafe = false;
};

/// What the arguments ask for. Exits where they ask for help. Throws std::runtime_error.
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
                   "use device N of ./harness --list-devices, GPUs included (DEVICE=)");
    app.add_option("--protection", line.protection,
                   "bubblewrap or user, instead of the best that works (PROTECTION=)");
    app.add_flag("--unsafe", line.unsafe,
                 "grade even where nothing keeps submissions in (UNSAFE=1)");
    app.add_option("--shard", line.shard, "grade part I of N of a class, as in 2/5 (SHARD=)");
    app.add_option("--jobs", line.jobs, "labs at a time; default: one a core (JOBS=)");
    app.add_option("--lab-seconds", line.lab_seconds,
                   "time for the cases of one lab (LAB_SECONDS=)");
    auto* commit = app.add_option("--commit", line.commit,
                                  "the commit that SUBMISSION is, for the results (COMMIT=)");
    auto* pushed = app.add_option("--pushed", line.pushed,
                                  "when a service received it, as in 2026-12-04T23:59:00+01:00; "
                                  "whether it is late goes by that (PUSHED=)");
    auto* committed =
        app.add_option("--committed", line.committed,
                       "the same by the commit, where nobody knows when it was pushed: anyone who "
                       "commits can set that date (COMMITTED=)");
    pushed->excludes(committed);
    for (auto* option : {commit, pushed, committed})
        option->excludes(all); // for a class there is revisions.tsv
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
        throw std::runtime_error("no place for the results; add OUT=dir");
    if (!line.shard.empty() && line.submissions.empty())
        throw std::runtime_error("a shard is a part of a class; give SUBMISSIONS=dir");
    return line;
}

template <class Number> Number parse_number(const std::string& text, const std::string& name) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end)
        throw std::runtime_error(name + " wants a whole number, not " + text);
    return number;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// The folder at `path`, by its whole path. Throws std::runtime_error.
fs::path folder_at(const std::string& path) {
    if (!fs::is_directory(path))
        throw std::runtime_error("there is no folder " + path);
    return fs::canonical(path);
}

/// Whether a disk had no room.
bool is_full(const std::error_code& error) {
    return error == std::errc::no_space_on_device || error.value() == EDQUOT;
}

/// The folder for the results, created if it is not there. Throws std::runtime_error.
fs::path output_at(const std::string& path, const fs::path& submissions) {
    fs::path out = fs::weakly_canonical(fs::absolute(path));
    // Otherwise the results would be among what is graded next time.
    if (std::mismatch(submissions.begin(), submissions.end(), out.begin(), out.end()).first ==
        submissions.end())
        throw std::runtime_error(path + " lies in what is to be graded; give a folder elsewhere");
    std::error_code error;
    fs::create_directories(out, error);
    if (error || !fs::is_directory(out))
        throw std::runtime_error(
            "cannot create the folder " + path + " for the results" +
            (error ? ": " + error.message() : "") +
            (is_full(error) ? "; free some space there" : "; give one that can be yours"));
    return out;
}

sandbox::Protection choose_protection(const CommandLine& line, const std::string& confine) {
    try {
        if (!line.protection.empty()) {
            const sandbox::Protection wanted = sandbox::protection_named(line.protection);
            if (wanted == sandbox::Protection::none && !line.unsafe)
                throw std::runtime_error("no protection at all has to be asked for by UNSAFE=1");
            return sandbox::Sandbox::choose(confine, wanted).protection();
        }
        return sandbox::Sandbox::choose(confine, std::nullopt).protection();
    } catch (const std::runtime_error&) {
        if (!line.unsafe || !line.protection.empty())
            throw;
        return sandbox::Protection::none;
    }
}

/// What others have written, so that neither a terminal nor a workflow takes it for a command.
std::string shown(const std::string& text, std::size_t limit) {
    return report::without_commands(report::visible_line(text, limit));
}

/// Tells how far a grading is.
class Teller {
  public:
    Teller(Display& display, std::size_t tasks, Estimate estimate)
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

    void tell(const Task& task, const Finished& finished) {
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
    constexpr double longest = 86400;
    if (!(line.lab_seconds >= 1 && line.lab_seconds <= longest))
        throw std::runtime_error("LAB_SECONDS is a time from 1 to 86400 seconds");
    settings.lab_seconds = line.lab_seconds;
    if (!line.seed.empty())
        settings.seed = parse_number<std::uint64_t>(line.seed, "SEED");
    if (!line.device.empty())
        settings.device = static_cast<int>(parse_number<std::uint16_t>(line.device, "DEVICE"));
    settings.protection = choose_protection(line, confine);
    return settings;
}

/// What the command line says of the one submission, for each lab.
Revisions revisions_of(const CommandLine& line, const Course& course) {
    report::Revision revision;
    revision.commit = line.commit;
    revision.pushed = !line.pushed.empty();
    revision.time = revision.pushed ? line.pushed : line.committed;
    if (!revision.time.empty() && !report::seconds_of(revision.time))
        throw std::runtime_error("\"" + revision.time +
                                 "\" is no time as in 2026-12-04T23:59:00+01:00, for PUSHED and "
                                 "COMMITTED");
    Revisions revisions;
    if (revision == report::Revision{})
        return revisions;
    for (const std::string& lab : course.labs())
        revisions[lab] = revision;
    return revisions;
}

/// What is to be graded.
struct Plan {
    std::vector<Task> tasks; ///< that have no results, or not the same as they would get now
    std::set<Unit> units;    ///< their labs of which all files are there
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
            files = {}; // the grading tells of it
        }
        plan.tasks.push_back(task);
        for (const std::string& lab : course.labs()) {
            const std::vector<std::string> wanted = course.files_of(lab);
            if (std::all_of(wanted.begin(), wanted.end(), [&](const std::string& path) {
                    return files.contents.count(path) != 0;
                }))
                plan.units.insert({task.student, lab});
        }
    }
    return plan;
}

int grade(const CommandLine& line, const Stop& stop) {
    const Course course(fs::canonical(line.root), words_of(line.labs));
    const std::string confine = course.root() / "build/sandbox/confine";
    ::umask(S_IWGRP | S_IWOTH); // what is staged is for everybody's eyes
    const bool is_class = !line.submissions.empty();
    const fs::path submissions = folder_at(is_class ? line.submissions : line.submission);
    const Settings settings = settings_of(line, confine);
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
    const std::string looking = "looking for what is graded already";
    display.begin(looking);
    const Plan plan = plan_for(line.shard.empty() ? all : part_of(all, parse_shard(line.shard)),
                               !is_class, course, settings, stop);
    display.end(looking);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned jobs = line.jobs == 0 ? cores : line.jobs;
    display.line("grading " + std::to_string(plan.tasks.size()) +
                 (plan.tasks.size() == 1 ? " submission, " : " submissions, ") +
                 std::to_string(course.labs().size()) + " labs each, " + std::to_string(jobs) +
                 " at a time; kept in by " + sandbox::name_of(settings.protection));

    Teller teller(display, plan.tasks.size(), Estimate(plan.units, jobs));
    {
        const Scratch scratch(temporary_folders(),
                              sandbox::Sandbox::choose(confine, settings.protection));
        const fs::path book = out / "gradebook.csv";
        Gradebook gradebook(course, all);
        Listener listener;
        listener.begun = [&](const Task& task, const std::string& lab) { teller.begin(task, lab); };
        listener.ended = [&](const Task& task, const std::string& lab, bool kept) {
            teller.end(task, lab, kept);
        };
        listener.finished = [&](const Task& task, const Finished& finished) {
            teller.tell(task, finished);
            if (!is_class) {
                show_labs(display, finished.submission);
                return;
            }
            gradebook.refresh(task);
            try {
                write_shared_file(book, gradebook.csv());
            } catch (const std::exception&) {
                return; // the one at the end tells of it
            }
        };
        grade_all(course, plan.tasks, settings, confine, jobs, scratch.path(), listener, stop);
        // What other shards have done in the meantime is in it as well.
        if (is_class)
            write_shared_file(book, Gradebook(course, all).csv());
    }
    if (stop.signal() != 0)
        throw Stopped{};
    display.line("results: " + (is_class ? out / "gradebook.csv" : out / "report.html").string());
    return teller.without_result() == 0 ? graded : some_without_result;
}

int run(int argc, const char* const* argv) {
    const Stop stop;
    try {
        return grade(parse(argc, argv), stop);
    } catch (const Stopped&) {
        std::cerr << "grade: stopped; make grade-all goes on where it was when it is typed again\n";
        stop.end();
    } catch (const std::system_error& error) {
        std::cerr << "grade: " << (is_full(error.code()) ? "the disk is full: " : "")
                  << shown(error.what(), 2000)
                  << (is_full(error.code()) ? "; free some space and type the command again" : "")
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
