#include "grade/grading.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// A task while its labs are graded, by any of the workers.
struct Progress {
    const Task* task = nullptr;
    std::once_flag begun;
    Files files;
    std::vector<Graded> labs;
    std::atomic<std::size_t> left{0};
    std::mutex mutex; ///< of seconds
    double seconds = 0;
};

/// A lab that the harness could not grade; the others go on.
Graded failed(const report::Result& declared, const std::string& why) {
    Graded graded{declared, why + "\n"};
    graded.result.reason = harness_failed + why;
    for (report::Case& one : graded.result.cases)
        one.message = graded.result.reason;
    return graded;
}

class Pool {
  public:
    Pool(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
         const fs::path& work, const std::function<void(const Task&, const Finished&)>& tell)
        : course_(course), settings_(settings), work_(work), tell_(tell), progress_(tasks.size()) {
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            progress_[i].task = &tasks[i];
            progress_[i].left = course.labs().size();
            progress_[i].labs.resize(course.labs().size());
        }
    }

    /// Takes one lab after the other until there are none left.
    void work(const sandbox::Sandbox& sandbox) {
        const std::size_t labs = course_.labs().size();
        for (std::size_t unit = next_++; unit < progress_.size() * labs; unit = next_++)
            grade(progress_[unit / labs], unit % labs, unit, sandbox);
    }

  private:
    void grade(Progress& progress, std::size_t index, std::size_t unit,
               const sandbox::Sandbox& sandbox) {
        const auto start = std::chrono::steady_clock::now();
        const std::string& lab = course_.labs()[index];
        Graded& graded = progress.labs[index];
        try {
            std::call_once(progress.begun, [&] {
                progress.files =
                    collect(progress.task->submission, course_.files(), course_.other_files());
                progress.task->results.begin(progress.files, basis_of(course_, settings_));
            });
            if (auto known = progress.task->results.kept(lab, settings_)) {
                graded = std::move(*known);
            } else {
                const Folder folder(work_ / std::to_string(unit));
                graded = grade_lab(course_, work_ / "course", lab, progress.files, settings_,
                                   sandbox, folder.path());
                progress.task->results.keep(graded);
            }
        } catch (const std::exception& error) {
            graded = failed(course_.declared(lab), error.what());
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        {
            const std::lock_guard lock(progress.mutex);
            progress.seconds += seconds.count();
        }
        if (--progress.left == 0)
            finish(progress, sandbox);
    }

    void finish(Progress& progress, const sandbox::Sandbox& sandbox) {
        Finished finished;
        finished.seconds = progress.seconds;
        report::Submission& submission = finished.submission;
        submission.student = progress.task->student;
        submission.protection = sandbox::name_of(sandbox.protection());
        submission.remarks = progress.files.remarks;
        for (const Graded& graded : progress.labs)
            submission.labs.push_back(graded.result);
        for (const report::Result& lab : submission.labs) {
            if (is_ours(lab) && finished.failure.empty())
                finished.failure = lab.lab + ": " + lab.reason;
        }
        try {
            progress.task->results.write(submission);
        } catch (const std::exception& error) {
            finished.failure = error.what();
        }
        const std::lock_guard lock(telling_);
        tell_(*progress.task, finished);
    }

    const Course& course_;
    const Settings& settings_;
    const fs::path& work_;
    const std::function<void(const Task&, const Finished&)>& tell_;
    std::vector<Progress> progress_;
    std::atomic<std::size_t> next_{0};
    std::mutex telling_;
};

} // namespace

void grade_all(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
               const std::string& confine, unsigned jobs, const fs::path& work,
               const std::function<void(const Task&, const Finished&)>& tell) {
    course.stage(work / "course");
    // One for each worker: what ends in a sandbox ends all that runs in it.
    std::vector<sandbox::Sandbox> sandboxes;
    const std::size_t units = tasks.size() * course.labs().size();
    for (std::size_t i = 0; i < std::min<std::size_t>(jobs, units); ++i)
        sandboxes.push_back(sandbox::Sandbox::choose(confine, settings.protection));
    Pool pool(course, tasks, settings, work, tell);
    std::vector<std::thread> workers;
    workers.reserve(sandboxes.size());
    for (const sandbox::Sandbox& sandbox : sandboxes)
        workers.emplace_back([&] { pool.work(sandbox); });
    for (std::thread& worker : workers)
        worker.join();
}

} // namespace grade
