#include "formats.hpp"
#include "grade/class.hpp"
#include "grade/files.hpp"
#include "helpers.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>

namespace fs = std::filesystem;

using grade::Course;
using grade::Files;
using grade::Results;
using grade::Settings;
using grade::Shard;
using grade::Task;
using helpers::has;
using helpers::what_of;

namespace {

using Names = std::vector<std::string>;

/// A course of labs 1, 2 and 10, whose graders declare some_result(), and a folder for results.
class School {
  public:
    School() {
        fs::create_directories(folder_.path("kernels"));
        fs::create_directories(folder_.path("build/grader"));
        for (const std::string lab : {"lab1", "lab2", "lab10"}) {
            fs::create_directories(folder_.path("labs/" + lab));
            folder_.write("labs/" + lab + "/sum.cpp", "");
            folder_.write("kernels/" + lab + "_sum.cl", "");
            folder_.write("build/grader/" + lab + ".json",
                          report::to_json(formats::some_result(lab)));
            const std::string grader =
                folder_.write("build/grader/" + lab, "#!/bin/sh\ncat \"$0.json\"\n");
            fs::permissions(grader, fs::perms::owner_all);
        }
    }

    Course course(const Names& labs = {}) const { return {folder_.path(""), labs}; }
    fs::path path(const std::string& name) const { return folder_.path(name); }
    Results results(const std::string& student) const { return Results(path("out") / student); }
    Task task(const std::string& student) const {
        return {student, path("submissions") / student, results(student)};
    }

  private:
    helpers::TemporaryFolder folder_;
};

Files files_of(const Course& course) {
    Files files;
    for (const std::string& path : course.files())
        files.contents[path] = "of " + path;
    return files;
}

/// The labs of `course`, graded with `seed`.
report::Submission graded(const Course& course, std::uint64_t seed = 7) {
    report::Submission submission;
    submission.student = "ada";
    for (const std::string& lab : course.labs()) {
        submission.labs.push_back(formats::some_result(lab));
        submission.labs.back().seed = seed;
    }
    return submission;
}

/// Makes `lab` one that the harness could not grade.
void fail(report::Result& lab) {
    lab.harness_failed = true;
    lab.reason = "the harness failed: no disk";
}

/// Writes what a grading of `submission` with `course` writes.
void write(const Results& results, const report::Submission& submission, const Files& files,
           const Course& course) {
    results.begin(files, grade::basis_of(course, {}));
    for (const report::Result& result : submission.labs)
        results.keep({result, "log of " + result.lab + "\n"});
    results.write(submission);
}

/// The results of a student who has been graded with `course` and these files.
Results finished_results(const School& school, const Course& course, const Files& files,
                         const std::string& student = "ada") {
    Results results = school.results(student);
    write(results, graded(course), files, course);
    return results;
}

Settings seeded(std::uint64_t seed) {
    Settings settings;
    settings.seed = seed;
    return settings;
}

std::vector<Task> tasks_of(std::size_t count) {
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < count; ++i)
        tasks.push_back({std::to_string(i), "", Results("")});
    return tasks;
}

Names students(const std::vector<Task>& tasks) {
    Names names;
    std::ranges::transform(tasks, std::back_inserter(names),
                           [](const Task& task) { return task.student; });
    return names;
}

void replace(const fs::path& file, const std::string& old, const std::string& other) {
    std::string text = grade::read_file(file).value();
    const auto at = text.find(old);
    REQUIRE(at != std::string::npos);
    grade::write_file(file, text.replace(at, old.size(), other));
}

} // namespace

TEST_CASE("a shard is written as its number and the number of shards") {
    const auto parsed = [](const std::string& text) {
        const Shard shard = grade::parse_shard(text);
        return std::make_pair(shard.part, shard.parts);
    };
    using Pair = std::pair<std::size_t, std::size_t>;
    CHECK(parsed("1/1") == Pair{1, 1});
    CHECK(parsed("2/5") == Pair{2, 5});
    CHECK(parsed("5/5") == Pair{5, 5});
    CHECK(parsed("12/345") == Pair{12, 345});
}

TEST_CASE("an invalid shard is rejected with an example of a valid one") {
    for (const std::string text : {"",
                                   "/",
                                   "1",
                                   "1/",
                                   "/1",
                                   "0/5",
                                   "6/5",
                                   "0/0",
                                   "1/0",
                                   "-1/5",
                                   "1/-5",
                                   "+1/5",
                                   "1/+5",
                                   " 1/5",
                                   "1 /5",
                                   "1/ 5",
                                   "1/5 ",
                                   "1/5/5",
                                   "1//5",
                                   "1.0/5",
                                   "1/5.0",
                                   "0x1/5",
                                   "a/b",
                                   "1\\5",
                                   "1-5",
                                   "99999999999999999999/5",
                                   "1/99999999999999999999",
                                   "1/5\n"}) {
        CAPTURE(text);
        const std::string why = what_of<std::runtime_error>([&] { grade::parse_shard(text); });
        CHECK(has(why, "2/5"));
        CHECK(has(why, "not like " + text));
    }
}

TEST_CASE("the shards of a class contain each task once and are almost equal in size") {
    for (const std::size_t count : {0, 1, 2, 7, 30}) {
        const std::vector<Task> tasks = tasks_of(count);
        for (std::size_t parts = 1; parts <= count + 3; ++parts) {
            CAPTURE(count);
            CAPTURE(parts);
            Names all;
            for (std::size_t part = 1; part <= parts; ++part) {
                const Names some = students(grade::part_of(tasks, {part, parts}));
                CHECK(some.size() >= count / parts);
                CHECK(some.size() <= (count + parts - 1) / parts);
                all.insert(all.end(), some.begin(), some.end());
            }
            Names expected = students(tasks);
            std::ranges::sort(all);
            std::ranges::sort(expected);
            CHECK(all == expected);
        }
    }
}

TEST_CASE("a shard keeps the order of the class") {
    CHECK(students(grade::part_of(tasks_of(7), {2, 3})) == Names{"1", "4"});
    CHECK(students(grade::part_of(tasks_of(7), {1, 3})) == Names{"0", "3", "6"});
}

TEST_CASE("a class has one task per folder, sorted by the bytes of their names") {
    const School school;
    for (const char* name :
         {"b", "a", "B", "a b", "\xC3\xA9mile", "a10", "a2", "-rf", "$(x)\n", ".git", "...", "~"})
        fs::create_directories(school.path("submissions") / name);
    std::ofstream(school.path("submissions/notes.txt")) << "no folder";
    std::ofstream(school.path("submissions/gradebook.csv")) << "no folder";
    fs::create_symlink("nowhere", school.path("submissions/dangling"));
    const std::vector<Task> tasks = grade::class_in(school.path("submissions"), school.path("out"));
    CHECK(students(tasks) ==
          Names{"$(x)\n", "-rf", "B", "a", "a b", "a10", "a2", "b", "~", "\xC3\xA9mile"});
    for (const Task& task : tasks) {
        CHECK(task.submission == school.path("submissions") / task.student);
        CHECK(task.results.folder() == school.path("out") / task.student);
    }
    CHECK_FALSE(fs::exists(school.path("out")));
    fs::create_directory_symlink("a", school.path("submissions/linked"));
    const std::string dot = " begins with a dot; rename it if it is a student's";
    const std::string link = " is a link; replace it with the folder itself";
    const std::string file = " is a file; each student needs a folder";
    std::ofstream(school.path("submissions/.DS_Store")) << "not a student's";
    std::ofstream(school.path("submissions/revisions.tsv")) << "";
    CHECK(grade::passed_over_in(school.path("submissions")) ==
          Names{"..." + dot, ".git" + dot, "dangling" + link, "gradebook.csv" + file,
                "linked" + link, "notes.txt" + file});
}

TEST_CASE("the submitted revisions are listed beside the submissions") {
    const School school;
    fs::create_directories(school.path("submissions/ada"));
    fs::create_directories(school.path("submissions/bob"));
    std::ofstream(school.path("submissions/revisions.tsv"))
        << "ada\tlab1\t1a2b\tpushed\t2026-12-04T23:59:00+01:00\n"
           "ada\tlab2\t3c4d\tcommitted\t2026-12-05T23:59:00Z\n";
    const std::vector<Task> tasks = grade::class_in(school.path("submissions"), school.path("out"));
    REQUIRE(tasks.size() == 2);
    CHECK(tasks[1].revisions.empty());
    REQUIRE(tasks[0].revisions.size() == 2);
    CHECK((tasks[0].revisions.at("lab1") ==
           report::Revision{"1a2b", "2026-12-04T23:59:00+01:00", true}));
    CHECK(
        (tasks[0].revisions.at("lab2") == report::Revision{"3c4d", "2026-12-05T23:59:00Z", false}));
    for (const std::string line :
         {"ada", "ada\tlab1\tx\tpushed\tyesterday", "ada\tlab1\tx\tsent\t2026-12-05T23:59:00Z",
          "ada\tlab1\tx\tpushed\t2026-12-05T23:59:00Z\tmore"}) {
        CAPTURE(line);
        CHECK(has(what_of<std::runtime_error>([&] { grade::revisions_from("" + line); }),
                  "revisions.tsv, line 1: "));
    }
}

TEST_CASE("an invalid class is rejected with what to do") {
    const School school;
    const auto complaint = [&] {
        return what_of<std::runtime_error>(
            [&] { grade::class_in(school.path("submissions"), school.path("out")); });
    };
    CHECK(has(complaint(),
              "submissions is not a folder; give the folder that holds a folder for each"));
    std::ofstream(school.path("submissions")) << "no folder";
    CHECK(has(complaint(), "is not a folder"));
    fs::remove(school.path("submissions"));
    fs::create_directories(school.path("submissions/.git"));
    CHECK(has(complaint(), "contains no folders"));
    std::ofstream(school.path("submissions/sum.cpp")) << "no folder";
    CHECK(has(complaint(), "contains no folders"));
    for (const std::string ours : {"gradebook.csv", "class.html"}) {
        fs::create_directories(school.path("submissions/" + ours));
        CHECK(has(complaint(), ours));
        CHECK(has(complaint(), "rename it"));
        fs::remove(school.path("submissions/" + ours));
    }
}

TEST_CASE("results that were written are finished") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = school.results("ada");
    CHECK_FALSE(results.finished(course, files, {}).has_value());
    write(results, graded(course), files, course);
    const auto known = results.finished(course, files, {});
    REQUIRE(known.has_value());
    CHECK(report::to_json(*known) == report::to_json(graded(course)));
    for (const char* name : {"result.json", "classroom.json", "classroom50.json", "gradescope.json",
                             "junit.xml", "summary.md", "report.html", "lab1.log", "lab10.log"}) {
        CAPTURE(std::string(name));
        CHECK_FALSE(grade::read_file(results.folder() / name).value_or("").empty());
    }
    CHECK(grade::read_file(results.folder() / "lab2.log") == "log of lab2\n");
    const std::string path = "graded/labs/lab1/sum.cpp";
    CHECK(grade::read_file(results.folder() / path) == "of labs/lab1/sum.cpp");
}

TEST_CASE("results that failed through no fault of the submission are not finished") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = school.results("ada");
    report::Submission unlucky = graded(course);
    fail(unlucky.labs[1]);
    write(results, unlucky, files, course);
    CHECK_FALSE(results.finished(course, files, {}).has_value());
    unlucky.labs[1].harness_failed = false; // only words of the submission's
    write(results, unlucky, files, course);
    CHECK(results.finished(course, files, {}).has_value());
}

TEST_CASE("other files in the results folder are left alone") {
    const School school;
    const Course course = school.course();
    const Results results = school.results("ada");
    const fs::path other = results.folder() / "graded/2025/marks.csv";
    fs::create_directories(other.parent_path());
    grade::write_file(other, "1,2,3");
    results.forget();
    CHECK(fs::exists(other));
    results.begin(files_of(course), grade::basis_of(course, {}));
    CHECK(fs::exists(other));
}

TEST_CASE("a file is written completely, even by several writers at once, and leaves "
          "nothing else") {
    const helpers::TemporaryFolder folder;
    const fs::path file = folder.path("book");
    const std::vector<std::string> texts{std::string(100000, 'a'), std::string(70000, 'b')};
    std::vector<std::thread> writers;
    writers.reserve(texts.size());
    for (const std::string& text : texts)
        writers.emplace_back([&] {
            for (int i = 0; i < 50; ++i)
                grade::write_file(file, text);
        });
    for (std::thread& writer : writers)
        writer.join();
    const std::string found = grade::read_file(file).value_or("");
    CHECK((found == texts[0] || found == texts[1]));
    CHECK(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()) == 1);
    CHECK_THROWS_AS(grade::write_file(folder.path("none/book"), "x"), std::runtime_error);
}

TEST_CASE("results of other files are not finished") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = finished_results(school, course, files);
    for (const std::string& path : course.files()) {
        CAPTURE(path);
        Files other = files;
        other.contents[path] += "\n";
        CHECK_FALSE(results.finished(course, other, {}).has_value());
        other.contents[path].clear();
        CHECK_FALSE(results.finished(course, other, {}).has_value());
        other.contents.erase(path);
        other.refused[path] = path + " is missing";
        CHECK_FALSE(results.finished(course, other, {}).has_value());
        CHECK(results.finished(course, files, {}).has_value());
    }
}

TEST_CASE("results of another revision are not finished") {
    const School school;
    const Course course = school.course();
    Files files = files_of(course);
    files.revisions["lab1"] = {"1a2b", "2026-12-04T23:59:00+01:00", true};
    const Results results = finished_results(school, course, files);
    CHECK(results.finished(course, files, {}).has_value());
    files.revisions["lab1"].commit = "3c4d";
    CHECK_FALSE(results.finished(course, files, {}).has_value());
    files.revisions.clear();
    CHECK_FALSE(results.finished(course, files, {}).has_value());
}

TEST_CASE("a lab without its files has the requested seed") {
    const School school;
    const Course course = school.course();
    Files files = files_of(course);
    files.refused["labs/lab1/sum.cpp"] = "labs/lab1/sum.cpp is missing";
    files.contents.erase("labs/lab1/sum.cpp");
    const auto confine =
        fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "sandbox/confine";
    const sandbox::Sandbox sandbox = sandbox::Sandbox::choose(confine, sandbox::Protection::none);
    const grade::Graded lab =
        grade::grade_lab(course, school.path("stage"), "lab1", files, seeded(42), sandbox,
                         school.path("place"), grade::Stop());
    CHECK(lab.result.reason == "labs/lab1/sum.cpp is missing");
    CHECK(lab.result.seed == 42);
}

TEST_CASE("leftovers of a killed grading are removed") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = finished_results(school, course, files);
    const std::string text = grade::read_file(results.folder() / "result.json").value();
    for (const char* left : {".12.partial", "graded/.12.partial", "graded/lab1.json"})
        std::ofstream(results.folder() / left) << "half";
    results.tidy();
    for (const char* left : {".12.partial", "graded/.12.partial", "graded/lab1.json"})
        CHECK_FALSE(fs::exists(results.folder() / left));
    CHECK(results.finished(course, files, {}).has_value());
    std::ofstream(results.folder() / ".12.partial") << "half";
    results.begin(files, grade::basis_of(course, {}));
    CHECK_FALSE(fs::exists(results.folder() / ".12.partial"));
}

TEST_CASE("results without a file are finished until the file exists") {
    const School school;
    const Course course = school.course();
    Files files = files_of(course);
    const std::string path = "labs/lab2/sum.cpp";
    files.contents.erase(path);
    files.refused[path] = path + " is missing";
    const Results results = finished_results(school, course, files);
    CHECK(results.finished(course, files, {}).has_value());
    files.contents[path] = "";
    CHECK_FALSE(results.finished(course, files, {}).has_value());
}

TEST_CASE("results of other labs are not finished") {
    const School school;
    const Course all = school.course();
    const Course one = school.course({"lab2"});
    const Files files = files_of(all);
    const Results results = finished_results(school, all, files);
    CHECK_FALSE(results.finished(one, files, {}).has_value());
    write(results, graded(one), files_of(one), one);
    CHECK(results.finished(one, files, {}).has_value()); // files of other labs do not matter
    CHECK_FALSE(results.finished(all, files, {}).has_value());
    CHECK_FALSE(results.finished(all, files_of(one), {}).has_value());
    CHECK_FALSE(results.finished(school.course({"lab1"}), files_of(one), {}).has_value());
}

TEST_CASE("results of another seed are not finished if a seed is requested") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = finished_results(school, course, files);
    CHECK(results.finished(course, files, seeded(7)).has_value());
    CHECK_FALSE(results.finished(course, files, seeded(8)).has_value());
    CHECK_FALSE(results.finished(course, files, seeded(0)).has_value());
    CHECK(results.finished(course, files, {}).has_value());
    report::Submission mixed = graded(course);
    mixed.labs.back().seed = 8;
    write(results, mixed, files, course);
    CHECK_FALSE(results.finished(course, files, seeded(7)).has_value());
    CHECK_FALSE(results.finished(course, files, seeded(8)).has_value());
    CHECK(results.finished(course, files, {}).has_value());
}

TEST_CASE("truncated or forged results, or results in another format, are not finished") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    const Results results = finished_results(school, course, files);
    const fs::path file = results.folder() / "result.json";
    const std::string text = grade::read_file(file).value();
    replace(file, "opencl-labs/submission/v1", "opencl-labs/submission/v0");
    CHECK_FALSE(results.finished(course, files, {}).has_value());
    const std::vector<std::string> broken{
        "", "{}", "[]", "null", "no JSON", text + text, text.substr(0, text.size() / 2)};
    for (const std::string& other : broken) {
        CAPTURE(other.substr(0, 100));
        grade::write_file(file, other);
        CHECK_FALSE(results.finished(course, files, {}).has_value());
    }
    grade::write_file(file, text);
    CHECK(results.finished(course, files, {}).has_value());
}

TEST_CASE("a new grading removes the results of the previous one") {
    const School school;
    const Course course = school.course();
    const std::string basis = grade::basis_of(course, {});
    const Files files = files_of(course);
    const Results results = finished_results(school, course, files);
    Files fewer = files;
    fewer.contents.erase("labs/lab1/sum.cpp");
    fewer.refused["labs/lab1/sum.cpp"] = "labs/lab1/sum.cpp is missing";
    results.begin(fewer, basis);
    CHECK_FALSE(fs::exists(results.folder() / "result.json"));
    CHECK_FALSE(fs::exists(results.folder() / "graded/labs/lab1/sum.cpp"));
    CHECK_FALSE(results.finished(course, files, {}).has_value());
    CHECK_FALSE(results.finished(course, fewer, {}).has_value());
    results.write(graded(course));
    CHECK(results.finished(course, fewer, {}).has_value());
}

TEST_CASE("results of another course, device, protection or time are not finished") {
    const School school;
    const Files files = files_of(school.course());
    const Results results = finished_results(school, school.course(), files);
    Settings gpu;
    gpu.device = 1;
    Settings user;
    user.protection = sandbox::Protection::user;
    Settings quick;
    quick.lab_seconds = 5;
    for (const Settings& other : {gpu, user, quick})
        CHECK_FALSE(results.finished(school.course(), files, other).has_value());
    for (const char* name : {"Makefile", "labs/course.json", "labs/course.hpp", "labs/lab2/sum.hpp",
                             "tests/labs/lab1.cpp", "src/grader/case.cpp"}) {
        CAPTURE(std::string(name));
        fs::create_directories(school.path(name).parent_path());
        CHECK(results.finished(school.course(), files, {}).has_value());
        std::ofstream(school.path(name)) << "changed";
        CHECK_FALSE(results.finished(school.course(), files, {}).has_value());
        fs::remove(school.path(name));
    }
    std::ofstream(school.path("labs/lab1/more.cpp")) << "a starter more";
    CHECK_FALSE(results.finished(school.course(), files, {}).has_value());
    fs::remove(school.path("labs/lab1/more.cpp"));
    std::ofstream(school.path("labs/lab1/sum.cpp")) << "what a student has written";
    std::ofstream(school.path("labs/lab1/README.md")) << "what a student reads";
    CHECK(results.finished(school.course(), files, {}).has_value());
}

TEST_CASE("labs that an interrupted grading saved are not graded again") {
    const School school;
    const Course course = school.course();
    const std::string basis = grade::basis_of(course, {});
    const Files files = files_of(course);
    const Results results = school.results("ada");
    report::Submission submission = graded(course);
    fail(submission.labs[1]);
    results.begin(files, basis);
    results.keep({submission.labs[0], "a log\n"});
    results.keep({submission.labs[1], ""});

    results.begin(files, basis);
    const auto known = results.kept("lab1", {});
    REQUIRE(known.has_value());
    CHECK(report::to_json(known->result) == report::to_json(submission.labs[0]));
    CHECK(grade::read_file(results.folder() / "lab1.log") == "a log\n");
    CHECK(results.kept("lab1", seeded(7)).has_value());
    CHECK_FALSE(results.kept("lab1", seeded(8)).has_value());
    CHECK_FALSE(results.kept("lab2", {}).has_value()); // not the student's fault, so it is not kept
    CHECK_FALSE(results.kept("lab10", {}).has_value());

    const fs::path file = results.folder() / "graded/lab1.json";
    const std::string text = grade::read_file(file).value();
    grade::write_file(file, text.substr(0, text.size() / 2));
    CHECK_FALSE(results.kept("lab1", {}).has_value());
    grade::write_file(file, text);
    CHECK(results.kept("lab1", {}).has_value());

    SUBCASE("unless the files differ") {
        Files other = files;
        other.contents["labs/lab10/sum.cpp"] += " ";
        results.begin(other, basis);
        CHECK_FALSE(results.kept("lab1", {}).has_value());
    }
    SUBCASE("unless the course differs") {
        results.begin(files, basis + "!");
        CHECK_FALSE(results.kept("lab1", {}).has_value());
    }
    SUBCASE("unless everything must be graded again") {
        results.forget();
        results.begin(files, basis);
        CHECK_FALSE(results.kept("lab1", {}).has_value());
    }
    SUBCASE("and are removed at the end of the grading") {
        results.write(submission);
        CHECK_FALSE(fs::exists(file));
    }
}

TEST_CASE("a log contains no commands for a terminal or a workflow") {
    const School school;
    const Results results = school.results("ada");
    results.keep({formats::some_result("lab1"), "::error::x\n\x1B[2J\xFF##[error]\n"});
    const std::string log = grade::read_file(results.folder() / "lab1.log").value();
    CHECK(has(log, "error"));
    CHECK(formats::first_command(log).empty());
    CHECK_FALSE(has(log, "\x1B"));
    CHECK(formats::is_utf8(log));
}

TEST_CASE("a gradebook has one row per task, graded or not") {
    const School school;
    const Course course = school.course();
    const Files files = files_of(course);
    finished_results(school, course, files, "ada");
    const Results broken = finished_results(school, course, files, "bob");
    replace(broken.folder() / "result.json", "{", "");
    report::Submission partial = graded(course);
    partial.labs[1] = report::Result();
    partial.labs[1].lab = "lab2";
    partial.labs[1].reason = "it does not compile";
    partial.labs[2].reason = "no device";
    write(school.results("dan"), partial, files, course);
    report::Submission unlucky = graded(course);
    fail(unlucky.labs[1]);
    write(school.results("eve"), unlucky, files, course);

    const std::vector<Task> tasks{school.task("dan"), school.task("ada"), school.task("bob"),
                                  school.task("cem"), school.task("eve")};
    const std::string book = grade::Gradebook(course, tasks).csv();
    CHECK(has(book, "student,lab1,lab2,lab10,total,max,note\r\n"));
    CHECK(has(book, "\r\nada,6,6,6,18,63,\r\n"));
    CHECK(has(book, "\r\nbob,,,,,63,"));
    CHECK(has(book, "cannot read its result.json"));
    CHECK(has(book, "\r\ncem,,,,,63,not graded yet\r\n"));
    CHECK(has(book, "\r\ndan,6,0,6,12,63,"));
    CHECK(has(book, "\r\neve,6,,6,12,63,lab2: the harness failed: no disk\r\n"));
    CHECK(has(book, "lab2: it does not compile; lab10: no device"));
    CHECK(helpers::times(book, "\r\n") == 6);

    const std::string page = grade::Gradebook(course, tasks).page(false);
    CHECK(has(page, "5 students, 3 labs"));
    CHECK(has(page, "2 students have no result"));
    CHECK(has(page, "lab2 was not graded")); // eve's
    for (const char* name : {"ada", "bob", "cem", "dan", "eve"}) {
        CAPTURE(std::string(name));
        CHECK(has(page, "<a href=\"./" + std::string(name) + "/report.html\">"));
        CHECK_FALSE(has(grade::Gradebook(course, tasks).page(true), ">" + std::string(name)));
    }
}

TEST_CASE("a gradebook of some labs omits the others unless they have results") {
    const School school;
    const Course one = school.course({"lab10"});
    CHECK(grade::Gradebook(one, {school.task("ada")}).csv() ==
          "\xEF\xBB\xBFstudent,lab10,total,max,note\r\nada,,,21,not graded yet\r\n");
    finished_results(school, one, files_of(one));
    CHECK(grade::Gradebook(one, {school.task("ada")}).csv() ==
          "\xEF\xBB\xBFstudent,lab10,total,max,note\r\nada,6,6,21,\r\n");
}

TEST_CASE("a course has its labs in numeric order, with the files that they require") {
    const School school;
    const Course course = school.course();
    CHECK(course.labs() == Names{"lab1", "lab2", "lab10"});
    CHECK(course.files_of("lab1") == Names{"labs/lab1/sum.cpp", "kernels/lab1_sum.cl"});
    CHECK(course.files().size() == 6);
    CHECK(course.declared("lab2").max_score() == 21);
    CHECK(school.course({"lab10", "lab1"}).labs() == Names{"lab1", "lab10"});
    CHECK(school.course({"lab10", "lab1"}).other_files() ==
          Names{"labs/lab2/sum.cpp", "kernels/lab2_sum.cl"});
    CHECK(course.other_files().empty());
}

TEST_CASE("a course without a requested lab or its grader cannot be graded") {
    const School school;
    CHECK(has(what_of<std::runtime_error>([&] { school.course({"lab3"}); }), "has no lab3"));
    fs::remove(school.path("build/grader/lab2"));
    const std::string why = what_of<std::runtime_error>([&] { school.course(); });
    CHECK(has(why, "lab2 is not built"));
    CHECK(has(why, "make grade"));
    CHECK(school.course({"lab1"}).labs() == Names{"lab1"});
}

TEST_CASE("a course whose grader rejects its settings cannot be graded") {
    const School school;
    const fs::path grader = school.path("build/grader/lab2");
    grade::write_file(grader, "#!/bin/sh\n"
                              "echo 'harness: labs/course.json: lab2 has no case \"x\"' >&2\n"
                              "exit 2\n");
    fs::permissions(grader, fs::perms::owner_all);
    CHECK(what_of<std::runtime_error>([&] { school.course(); }) ==
          "labs/course.json: lab2 has no case \"x\"");
}
