/// Grades submissions: make grade, make grade-all.

#include "grade/class.hpp"
#include "grade/files.hpp"
#include "grade/scratch.hpp"
#include "report/text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iomanip>
#include <iostream>
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

/// The folder for the results, created if it is not there. Throws std::runtime_error.
fs::path output_at(const std::string& path, const fs::path& submissions) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error || !fs::is_directory(path))
        throw std::runtime_error("cannot create the folder " + path +
                                 " for the results; give one that can be yours");
    fs::path out = fs::canonical(path);
    // Otherwise the results would be among what is graded next time.
    if (std::mismatch(submissions.begin(), submissions.end(), out.begin(), out.end()).first ==
        submissions.end())
        throw std::runtime_error(path + " lies in what is to be graded; give a folder elsewhere");
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

std::string show_time(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 100)
        return std::to_string(whole) + " s";
    if (whole < 6000)
        return std::to_string((whole + 30) / 60) + " min";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

/// What others have written, so that neither a terminal nor a workflow takes it for a command.
std::string shown(const std::string& text, std::size_t limit) {
    return report::without_commands(report::visible_line(text, limit));
}

/// Tells how far a class is.
class Teller {
  public:
    explicit Teller(std::size_t tasks) : tasks_(tasks) {}

    void tell(const Task& task, const Finished& finished) {
        ++done_;
        const std::chrono::duration<double> elapsed = Clock::now() - start_;
        const double left =
            elapsed.count() / static_cast<double>(done_) * static_cast<double>(tasks_ - done_);
        std::cout << '[' << std::setw(3) << done_ << '/' << tasks_ << "] "
                  << shown(task.student, 40) << ": ";
        if (!finished.failure.empty()) {
            ++without_result_;
            std::cout << "no result: " << shown(finished.failure, 300);
        } else {
            std::cout << finished.submission.score() << " of " << finished.submission.max_score();
        }
        std::cout << " (" << show_time(finished.seconds) << " of work)";
        if (done_ < tasks_)
            std::cout << ", about " << show_time(left) << " left";
        std::cout << '\n' << std::flush;
    }

    std::size_t without_result() const { return without_result_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::size_t tasks_;
    std::size_t done_ = 0;
    std::size_t without_result_ = 0;
};

void show_labs(const report::Submission& submission) {
    for (const report::Result& lab : submission.labs) {
        std::cout << "  " << lab.lab << "  " << lab.score() << " of " << lab.max_score();
        if (!lab.reason.empty())
            std::cout << "  " << shown(lab.reason, 200);
        std::cout << '\n';
    }
}

/// Whether `task` has results that would be the same again. What cannot be looked at has none.
bool is_finished(const Task& task, const Course& course, const Settings& settings) {
    try {
        return task.results.finished(course, collect(task.submission, course.files()), settings)
            .has_value();
    } catch (const std::exception&) {
        return false;
    }
}

int grade(const CommandLine& line) {
    const Course course(fs::canonical(line.root), words_of(line.labs));
    const std::string confine = course.root() / "build/sandbox/confine";
    ::umask(S_IWGRP | S_IWOTH); // what is staged is for everybody's eyes
    const bool is_class = !line.submissions.empty();
    const fs::path submissions = folder_at(is_class ? line.submissions : line.submission);
    const fs::path out = output_at(line.out, submissions);

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

    std::vector<Task> all;
    if (is_class) {
        all = class_in(submissions, out);
        for (const std::string& link : links_in(submissions))
            std::cout << "not graded, for it is a link: " << shown(link, 200) << '\n';
    } else {
        all = {{submissions.filename(), submissions, Results(out)}};
        all.front().results.forget();
    }
    std::vector<Task> tasks;
    for (const Task& task :
         is_class && !line.shard.empty() ? part_of(all, parse_shard(line.shard)) : all) {
        if (!is_class || !is_finished(task, course, settings))
            tasks.push_back(task);
    }
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned jobs = line.jobs == 0 ? cores : line.jobs;
    std::cout << "grading " << tasks.size()
              << (tasks.size() == 1 ? " submission, " : " submissions, ") << course.labs().size()
              << " labs each, " << jobs << " at a time; kept in by "
              << sandbox::name_of(settings.protection) << '\n'
              << std::flush;

    Teller teller(tasks.size());
    {
        const Scratch scratch(temporary_folders(),
                              sandbox::Sandbox::choose(confine, settings.protection));
        Gradebook gradebook(course, all);
        grade_all(course, tasks, settings, confine, jobs, scratch.path(),
                  [&](const Task& task, const Finished& finished) {
                      teller.tell(task, finished);
                      if (!is_class) {
                          show_labs(finished.submission);
                          return;
                      }
                      gradebook.refresh(task);
                      try {
                          write_file(out / "gradebook.csv", gradebook.csv());
                      } catch (const std::exception&) {
                          return; // the one at the end tells of it
                      }
                  });
    }
    // What other shards have done in the meantime is in it as well.
    if (is_class)
        write_file(out / "gradebook.csv", Gradebook(course, all).csv());
    std::cout << "results: " << (is_class ? out / "gradebook.csv" : out / "report.html").string()
              << '\n';
    return teller.without_result() == 0 ? graded : some_without_result;
}

int run(int argc, const char* const* argv) {
    try {
        return grade(parse(argc, argv));
    } catch (const std::exception& error) {
        std::cerr << "grade: " << shown(error.what(), 2000) << '\n';
        return could_not_run;
    }
}

} // namespace
} // namespace grade

int main(int argc, char** argv) { return grade::run(argc, argv); }
