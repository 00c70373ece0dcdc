#include "grade/grading.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"
#include "grade/room.hpp"
#include "report/times.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <thread>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// A task whose labs the workers are grading.
struct Progress {
    const Task* task = nullptr;
    std::once_flag begun;
    Files files;
    std::vector<Graded> labs;
    std::atomic<std::size_t> left{0};
    std::mutex mutex; ///< protects `seconds`
    double seconds = 0;
};

/// The result of a lab that the harness could not grade.
Graded failed(const report::Result& declared, const std::string& why) {
    Graded graded{declared, why + "\n"};
    graded.result.harness_failed = true;
    graded.result.reason = "the harness failed: " + why;
    for (report::Case& one : graded.result.cases)
        one.message = graded.result.reason;
    return graded;
}

/// Sets the revision of `result` and how late it is. If the submission time is unknown, the time of
/// the run counts.
void date(report::Result& result, const Revisions& revisions) {
    const auto known = revisions.find(result.lab);
    if (known != revisions.end())
        result.revision = known->second;
    const auto due = report::seconds_of(result.due);
    const auto handed_in = report::seconds_of(result.revision.time);
    const bool was_run = result.reason.empty();
    if (due && (handed_in || !was_run))
        result.seconds_late =
            std::max<std::int64_t>(0, handed_in.value_or(std::time(nullptr)) - *due);
}

class Pool {
  public:
    Pool(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
         const fs::path& work, const Listener& listener, const Stop& stop)
        : course_(course), settings_(settings), work_(work), listener_(listener), stop_(stop),
          progress_(tasks.size()) {
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            progress_[i].task = &tasks[i];
            progress_[i].left = course.labs().size();
            progress_[i].labs.resize(course.labs().size());
        }
    }

    /// Grades one lab after the other until none are left.
    void work(const sandbox::Sandbox& sandbox) {
        const std::size_t labs = course_.labs().size();
        try {
            for (std::size_t unit = next_++; unit < progress_.size() * labs; unit = next_++) {
                stop_.check();
                grade(progress_[unit / labs], unit % labs, unit, sandbox);
            }
        } catch (const Stopped&) {
            return;
        }
    }

  private:
    void grade(Progress& progress, std::size_t index, std::size_t unit,
               const sandbox::Sandbox& sandbox) {
        const auto start = std::chrono::steady_clock::now();
        const std::string& lab = course_.labs()[index];
        Graded& graded = progress.labs[index];
        bool kept = false;
        notify([&] { listener_.begun(*progress.task, lab); });
        try {
            std::call_once(progress.begun, [&] {
                progress.files = files_of(*progress.task, course_);
                progress.task->results.begin(progress.files, basis_of(course_, settings_));
            });
            if (auto known = progress.task->results.kept(lab, settings_)) {
                graded = std::move(*known);
                kept = true;
            } else {
                const Folder folder(work_ / std::to_string(unit));
                graded = grade_lab(course_, work_ / "course", lab, progress.files, settings_,
                                   sandbox, folder.path(), stop_);
                date(graded.result, progress.files.revisions);
                progress.task->results.keep(graded);
            }
        } catch (const std::exception& error) {
            graded = failed(course_.declared(lab), error.what());
            graded.result.seed = settings_.seed.value_or(0); // otherwise none was drawn
        }
        notify([&] { listener_.ended(*progress.task, lab, kept); });
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
            if (lab.harness_failed && finished.failure.empty())
                finished.failure = lab.lab + ": " + lab.reason;
        }
        try {
            progress.task->results.write(submission);
        } catch (const std::exception& error) {
            finished.failure = error.what();
        }
        notify([&] { listener_.finished(*progress.task, finished); });
    }

    template <class Function> void notify(const Function& function) {
        const std::lock_guard lock(printing_);
        function();
    }

    const Course& course_;
    const Settings& settings_;
    const fs::path& work_;
    const Listener& listener_;
    const Stop& stop_;
    std::vector<Progress> progress_;
    std::atomic<std::size_t> next_{0};
    std::mutex printing_;
};

/// Copies into `folder` what submissions are allowed to see. Throws std::runtime_error.
void stage(const Course& course, const fs::path& folder) {
    Room room(folder.parent_path());
    room.try_writing();
    room.require();
    try {
        course.stage(folder);
    } catch (const fs::filesystem_error&) {
        room.look(); // when copying a file, a full disk is reported as an I/O error
        room.require();
        throw;
    }
}

} // namespace

Files files_of(const Task& task, const Course& course) {
    Files files = collect(task.submission, course.files(), course.other_files());
    files.revisions = task.revisions;
    return files;
}

void grade_all(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
               const std::string& confine, unsigned jobs, const fs::path& work,
               const Listener& listener, const Stop& stop) {
    stage(course, work / "course");
    // One for each worker: the end of a program ends everything in its sandbox.
    std::vector<sandbox::Sandbox> sandboxes;
    const std::size_t units = tasks.size() * course.labs().size();
    for (std::size_t i = 0; i < std::min<std::size_t>(jobs, units); ++i)
        sandboxes.push_back(sandbox::Sandbox::choose(confine, settings.protection));
    Pool pool(course, tasks, settings, work, listener, stop);
    std::vector<std::thread> workers;
    workers.reserve(sandboxes.size());
    for (const sandbox::Sandbox& sandbox : sandboxes)
        workers.emplace_back([&] { pool.work(sandbox); });
    for (std::thread& worker : workers)
        worker.join();
    if (stop.signal() != 0)
        Stop::wait_for_children();
}

} // namespace grade
