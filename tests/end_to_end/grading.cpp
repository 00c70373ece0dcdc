/// make grade and make grade-all, as an instructor types them.

#include "tree.hpp"

#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

/// An empty folder in the copy's build/.
fs::path fresh_folder(const std::string& name) {
    fs::path folder = tree::root() / "build/grading" / name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    return folder;
}

/// Creates a submission in `folder`: the starters or the solutions.
void hand_in(const fs::path& folder, const fs::path& source) {
    fs::create_directories(folder);
    for (const char* part : {"labs", "kernels"})
        fs::copy(tree::root() / source / part, folder / part, fs::copy_options::recursive);
}

tree::Outcome grade(const std::string& arguments) { return tree::run("make grade " + arguments); }

tree::Outcome grade_class(const fs::path& folder, const std::string& more = "") {
    return tree::run("make grade-all SUBMISSIONS='" + (folder / "class").string() + "' OUT='" +
                     (folder / "out").string() + "' LAB=lab1 " + more);
}

nlohmann::json result_in(const fs::path& folder) {
    return nlohmann::json::parse(tree::read(folder / "result.json"));
}

std::size_t lines_of(const fs::path& file) {
    const std::string text = tree::read(file);
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// A class: a student with the solutions, one with the starters, and four with nothing to build.
fs::path small_class(const std::string& name) {
    fs::path folder = fresh_folder(name);
    hand_in(folder / "class/solved", "solutions");
    hand_in(folder / "class/starter", "");
    for (const char* student : {"a", "b,c", "=d", "\"e\""})
        fs::create_directories(folder / "class" / student);
    return folder;
}

/// Every file of the students that have a result, and when it was written.
std::map<std::string, fs::file_time_type> finished_in(const fs::path& out) {
    std::map<std::string, fs::file_time_type> finished;
    if (!fs::exists(out))
        return finished;
    for (const fs::directory_entry& student : fs::directory_iterator(out)) {
        if (fs::exists(student.path() / "result.json"))
            finished[student.path().filename()] =
                fs::last_write_time(student.path() / "result.json");
    }
    return finished;
}

/// Whether no process of a grading is left. Waits for those that are about to end.
bool all_gone() {
    for (int i = 0; i < 200; ++i) {
        if (tree::processes((tree::root() / "build/grading").string()).empty() &&
            tree::processes(tree::temporary()).empty())
            return true;
        ::usleep(50000);
    }
    return false;
}

} // namespace

TEST_CASE("a solved submission is graded in full and in every format") {
    const fs::path folder = fresh_folder("one");
    const tree::Outcome outcome =
        grade("SUBMISSION=solutions OUT='" + folder.string() + "' LAB='lab1 lab4' SEED=7");
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);
    const auto result = result_in(folder);
    CHECK(result["score"] == 30);
    CHECK(result["max_score"] == 30);
    REQUIRE(result["labs"].size() == 2);
    CHECK(result["labs"][1]["lab"] == "lab4");
    CHECK(result["labs"][1]["seed"] == 7);
    CHECK_FALSE(result["protection"].get<std::string>().empty());
    for (const char* name : {"classroom.json", "classroom50.json", "gradescope.json", "junit.xml",
                             "summary.md", "report.html", "lab1.log", "lab4.log"})
        CHECK(fs::exists(folder / name));
    CHECK(tree::read(folder / "graded/labs/lab1/reduction_scalar.cpp") ==
          tree::read(tree::root() / "solutions/labs/lab1/reduction_scalar.cpp"));
    CHECK(outcome.output.find("lab1  15 of 15") != std::string::npos);
    CHECK(all_gone());
}

TEST_CASE("an unsolved submission and one that does not compile are reported as such") {
    const fs::path folder = fresh_folder("bad");
    hand_in(folder / "sub", "");
    tree::write(folder / "sub/labs/lab2/reduction_vector.cpp", "int main( {\n");
    fs::remove(folder / "sub/kernels/lab3_reduction_complete.cl");
    tree::write(folder / "sub/labs/lab4/hillis_steele_scan.cpp", "int main() {}\n");
    tree::write(folder / "sub/labs/lab1/helper.cpp", "int helper;\n");
    tree::write(folder / "sub/kernels/lab5_blelloch_scan.cl", "\n");
    const tree::Outcome outcome =
        grade("SUBMISSION='" + (folder / "sub").string() + "' OUT='" + (folder / "out").string() +
              "' LAB='lab1 lab2 lab3 lab4 lab5'");
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);
    const auto result = result_in(folder / "out");
    CHECK(result["score"] == 0);
    CHECK(result["max_score"] == 75);
    CHECK(result["remarks"].dump().find("labs/lab1/helper.cpp") != std::string::npos);
    CHECK(result["labs"][0]["cases"][0]["message"].get<std::string>().find("not implemented yet") !=
          std::string::npos);
    CHECK(result["labs"][1]["reason"] == "labs/lab2/reduction_vector.cpp does not compile");
    CHECK(result["labs"][1]["cases"][0]["file"] == "labs/lab2/reduction_vector.cpp");
    CHECK(result["labs"][1]["cases"][0]["line"] == 1);
    CHECK(result["labs"][2]["reason"] == "kernels/lab3_reduction_complete.cl is missing");
    CHECK(result["labs"][3]["reason"] == "the host code compiles, but cannot be linked");
    const std::string message_of_lab = result["labs"][3]["cases"][0]["message"];
    CHECK(message_of_lab.find("multiple definition of `main'") != std::string::npos);
    CHECK(message_of_lab.find(tree::root().string()) == std::string::npos);
    // A normal grade, not a failure of the harness.
    const std::string empty = result["labs"][4]["reason"];
    CHECK(empty.find("kernels/lab5_blelloch_scan.cl is empty") == 0);
}

TEST_CASE("a class is graded, and a rerun grades only what has changed") {
    const fs::path folder = small_class("class");
    tree::Outcome outcome = grade_class(folder);
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);
    CHECK(outcome.output.find("[  6/6]") != std::string::npos);
    CHECK(lines_of(folder / "out/gradebook.csv") == 7);
    const std::string book = tree::read(folder / "out/gradebook.csv");
    CHECK(book.find("solved,15,15,15,") != std::string::npos);
    CHECK(book.find("starter,0,0,15,") != std::string::npos);
    CHECK(book.find("'=d") != std::string::npos);

    const std::string page = tree::read(folder / "out/class.html");
    CHECK(page.find("6 students, 1 lab") != std::string::npos);
    CHECK(page.find("<a href=\"./solved/report.html\">") != std::string::npos);
    CHECK(page.find("<h3>lab1: not implemented yet") != std::string::npos);

    const auto before = finished_in(folder / "out");
    CHECK(before.size() == 6);
    fs::remove(folder / "out/class.html");
    outcome = grade_class(folder);
    CHECK(outcome.output.find("nothing to grade") != std::string::npos);
    CHECK((finished_in(folder / "out") == before));
    CHECK(tree::read(folder / "out/gradebook.csv") == book);
    CHECK(tree::read(folder / "out/class.html") == page);
    grade_class(folder, "ANONYMOUS=1");
    CHECK((finished_in(folder / "out") == before)); // no other grades
    CHECK(tree::read(folder / "out/class.html").find("solved") == std::string::npos);

    tree::write(folder / "class/starter/labs/lab1/reduction_scalar.cpp", "nonsense\n");
    outcome = grade_class(folder);
    CHECK(outcome.output.find("grading 1 submission,") != std::string::npos);
    CHECK(tree::no_scratch_left());
}

TEST_CASE("the course's own points, due dates and hints apply, never the student's") {
    const fs::path folder = fresh_folder("settings");
    hand_in(folder / "class/ada", "");
    fs::create_directories(folder / "class/bob"); // without any file
    const fs::path own = tree::root() / "labs/course.json";
    const std::string before = tree::read(own);
    for (const char* typo : {R"({"lab1": {"points": {"sum: evry length": 50}}})",
                             R"({"lab1": {"due": "2020-01-01T00:00:00"}})", R"({"lab77": {}})"}) {
        tree::write(own, typo);
        const tree::Outcome outcome = grade_class(folder);
        INFO(outcome.output);
        CHECK(outcome.status == 2);
        CHECK(outcome.output.find("grade: labs/course.json: ") != std::string::npos);
    }
    tree::write(folder / "class/ada/labs/course.json",
                R"({"lab1": {"points": {"sum: every length": 99}}})");
    tree::write(folder / "class/revisions.tsv",
                "ada\tlab1\t1a2b3c\tpushed\t2020-01-01T02:00:00Z\n");
    tree::write(own, R"({"lab1": {"due": "2020-01-01T00:00:00Z", "hints": "never",
                                 "points": {"sum: every length": 50}}})");
    tree::Outcome outcome = grade_class(folder);
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    auto lab = result_in(folder / "out/ada")["labs"][0];
    CHECK(lab["due"] == "2020-01-01T00:00:00Z");
    CHECK(lab["commit"] == "1a2b3c");
    CHECK(lab["pushed"] == "2020-01-01T02:00:00Z");
    CHECK(lab["seconds_late"] == 7200);
    for (const auto& one : lab["cases"]) {
        CHECK(one["hint"] == "");
        if (one["name"] == "sum: every length")
            CHECK(one["max_score"] == 50);
    }
    CHECK(result_in(folder / "out/bob")["labs"][0]["max_score"] == lab["max_score"]);
    CHECK(tree::read(folder / "out/gradebook.csv").find("bob,0,0,64,") != std::string::npos);
    CHECK(
        tree::read(folder / "out/gradebook.csv").find("lab1: pushed 2 h 0 min after it was due") !=
        std::string::npos);

    CHECK(grade_class(folder).output.find("nothing to grade") != std::string::npos);
    tree::write(own, before);
    outcome = grade_class(folder);
    CHECK(outcome.output.find("grading 2 submissions,") != std::string::npos);
    lab = result_in(folder / "out/ada")["labs"][0];
    CHECK(lab["max_score"] == 15);
    CHECK_FALSE(lab.contains("due"));
}

TEST_CASE("submissions are fetched in their state at each lab's due date") {
    const fs::path folder = fresh_folder("fetched");
    const fs::path course = folder / "course";
    tree::write(course / "labs/course.json",
                R"({"lab1": {"due": "2026-02-01T00:00:00+01:00"}, "lab2": {"due": ""}})");
    fs::create_directories(course / "labs/lab1");
    fs::create_directories(course / "labs/lab2");
    fs::create_directories(course / ".github");
    fs::copy(tree::root() / ".github/fetch-submissions", course / ".github/fetch-submissions");
    tree::write(folder / "roster",
                "# name and address\nada " + (folder / "ada").string() + "\r\nbob /nowhere\ncem " +
                    (folder / "ada").string()); // no line feed at its end
    const auto commit = [&](const std::string& date) {
        return "git add -A && GIT_COMMITTER_DATE=" + date +
               " git -c user.name=t -c user.email=t@example.org commit -q -m x && ";
    };
    const tree::Outcome made = tree::run(
        "mkdir -p '" + (folder / "ada").string() + "' && cd '" + (folder / "ada").string() +
        "' && git init -q && mkdir -p labs/lab1 labs/lab2/deep kernels && "
        "for f in labs/lab1/a.cpp labs/lab2/b.cpp kernels/lab1_a.cl; do echo early > $f; done && " +
        commit("2026-01-01T10:00:00+01:00") +
        "for f in labs/lab1/a.cpp labs/lab2/b.cpp kernels/lab1_a.cl labs/lab2/deep/c.cpp; do "
        "echo late > $f; done && ln -s /etc/passwd labs/lab2/link.cpp && " +
        commit("2026-03-01T10:00:00+01:00") + "true");
    INFO(made.output);
    REQUIRE(made.status == 0);
    const auto fetch = [&](const std::string& options) {
        return tree::run("GIT_ALLOW_PROTOCOL=file '" +
                         (course / ".github/fetch-submissions").string() + "' " + options + " '" +
                         (folder / "roster").string() + "' '" + (folder / "class").string() + "'");
    };
    tree::Outcome outcome = fetch("");
    INFO(outcome.output);
    CHECK(outcome.status == 1); // because of bob
    CHECK(outcome.output.find("cannot fetch bob from /nowhere") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "class/bob"));
    CHECK(tree::read(folder / "class/ada/labs/lab1/a.cpp") == "early\n");
    CHECK(tree::read(folder / "class/ada/kernels/lab1_a.cl") == "early\n");
    CHECK(tree::read(folder / "class/ada/labs/lab2/b.cpp") == "late\n");
    CHECK(tree::read(folder / "class/cem/labs/lab2/b.cpp") == "late\n");
    for (const char* left : {".git", "labs/lab2/link.cpp", "labs/lab2/deep"})
        CHECK_FALSE(fs::exists(folder / "class/ada" / left));
    const std::string revisions = tree::read(folder / "class/revisions.tsv");
    CHECK(revisions.find("ada\tlab1\t") == 0);
    CHECK(revisions.find("\tcommitted\t2026-01-01T10:00:00+01:00\nada\tlab2\t") !=
          std::string::npos);
    outcome = fetch("--late");
    CHECK(tree::read(folder / "class/ada/labs/lab1/a.cpp") == "late\n");
    CHECK(lines_of(folder / "class/revisions.tsv") == 4);

    const tree::Outcome many =
        tree::run("cd '" + (folder / "ada").string() +
                  "' && for i in $(seq 60); do echo x > kernels/lab2_$i.cl; done && " +
                  commit("2026-03-02T10:00:00+01:00") + "true");
    REQUIRE(many.status == 0);
    outcome = fetch("");
    CHECK(outcome.status == 1);
    CHECK(outcome.output.find("there are more than 50 files for lab2\ncannot fetch ada from ") !=
          std::string::npos);
    CHECK(tree::read(folder / "class/ada/labs/lab1/a.cpp") == "late\n"); // the earlier files stay

    tree::write(folder / "roster", "ada\n");
    outcome = fetch("");
    CHECK(outcome.status == 2);
    CHECK(outcome.output == "the roster has no address for ada\n");
    fs::remove_all(folder / "class");
    for (const char* roster : {"roster", "course"}) { // absent, and a folder
        fs::remove(folder / "roster");
        outcome = tree::run("'" + (course / ".github/fetch-submissions").string() + "' '" +
                            (folder / roster).string() + "' '" + (folder / "class").string() + "'");
        CHECK(outcome.status == 2);
        CHECK(outcome.output.find("cannot read") != std::string::npos);
        CHECK_FALSE(fs::exists(folder / "class"));
    }
}

TEST_CASE("the shards together grade the whole class") {
    const fs::path folder = small_class("shards");
    for (const char* shard : {"1/3", "3/3", "2/3"})
        CHECK(grade_class(folder, std::string("SHARD=") + shard).status == 0);
    CHECK(finished_in(folder / "out").size() == 6);
    const tree::Outcome merged = grade_class(folder);
    CHECK(merged.output.find("nothing to grade") != std::string::npos);
    CHECK(lines_of(folder / "out/gradebook.csv") == 7);
}

TEST_CASE("a class that is stopped and killed repeatedly loses nothing and repeats nothing") {
    const fs::path folder = small_class("killed");
    tree::write(folder / "class/broken/labs/lab1/reduction_scalar.cpp", "int main( {\n");
    tree::write(folder / "class/broken/kernels/lab1_reduction_scalar.cl", "\n");
    const unsigned seed = std::random_device{}();
    INFO("seed ", seed);
    std::mt19937 random(seed);
    REQUIRE(tree::run("make build/grade/grade").status == 0);
    std::map<std::string, fs::file_time_type> before;
    for (int i = 0; i < 6; ++i) {
        const unsigned milliseconds = random() % 4000;
        const int signal = random() % 2 == 0 ? SIGKILL : SIGTERM;
        const pid_t child = ::fork();
        if (child == 0) {
            ::setpgid(0, 0);
            static_cast<void>(::signal(SIGTERM, SIG_DFL)); // doctest would report it as a crash
            grade_class(folder, "SEED=7");
            ::_exit(0);
        }
        ::setpgid(child, child);
        // The signal comes at a random moment of the grading.
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        ::kill(-child, signal);
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(all_gone());
        const auto now = finished_in(folder / "out");
        for (const auto& known : before) {
            INFO(known.first);
            REQUIRE(now.count(known.first) == 1);
            CHECK((now.at(known.first) == known.second));
        }
        before = now;
    }
    tree::Outcome outcome = grade_class(folder, "SEED=7");
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    CHECK(lines_of(folder / "out/gradebook.csv") == 8);
    CHECK(tree::read(folder / "out/gradebook.csv").find("not graded") == std::string::npos);
    for (const fs::directory_entry& student : fs::directory_iterator(folder / "class"))
        CHECK(result_in(folder / "out" / student.path().filename())["labs"][0]["seed"] == 7);
    outcome = grade_class(folder, "SEED=7");
    CHECK(outcome.output.find("nothing to grade") != std::string::npos);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder / "out")) {
        const std::string name = entry.path().filename();
        INFO(entry.path().string());
        CHECK(name.front() != '.'); // a partly written file
        CHECK((name != "lab1.json"));
    }
    CHECK(tree::no_scratch_left());
}

TEST_CASE("a terminated grading leaves nothing running") {
    const fs::path folder = small_class("stopped");
    REQUIRE(tree::run("make build/grade/grade").status == 0);
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(grade_class(folder).status);
    const auto grading = [&] { return tree::processes(tree::temporary() / "opencl-labs-"); };
    while (grading().empty() && ::waitpid(child, nullptr, WNOHANG) == 0)
        ::usleep(20000);
    for (const int pid : tree::processes((folder / "out").string())) {
        std::error_code gone;
        if (fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", gone).filename() == "grade")
            ::kill(pid, SIGTERM);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) != 0);
    CHECK(grading().empty());
    CHECK(tree::no_scratch_left());
}

TEST_CASE("a compiler killed from outside is not the submission's fault") {
    const fs::path folder = fresh_folder("compiler");
    hand_in(folder / "sub", "");
    // Takes long to compile, but little memory.
    tree::write(folder / "sub/labs/lab1/reduction_scalar.cpp",
                "template <int> constexpr unsigned long wait() {\n"
                "    unsigned long n = 0;\n"
                "    for (unsigned i = 0; i < 250000; ++i)\n"
                "        for (unsigned j = 0; j < 250000; ++j)\n"
                "            n += i ^ j;\n"
                "    return n;\n"
                "}\n"
                "unsigned long n = [] { constexpr auto m = wait<0>() + wait<1>(); return m; }();\n"
                "static_assert(wait<2>() == 1);\n"
                "static_assert(wait<3>() == 1);\n"
                "static_assert(wait<4>() == 1);\n"
                "static_assert(wait<5>() == 1);\n");
    const std::string arguments = "SUBMISSION='" + (folder / "sub").string() + "' LAB=lab1 OUT='" +
                                  (folder / "out").string() + "'";
    const pid_t child = ::fork();
    if (child == 0) {
        const tree::Outcome outcome = grade(arguments);
        tree::write(folder / "output", outcome.output);
        ::_exit(outcome.status);
    }
    int status = 0;
    bool killed = false;
    while (!killed && ::waitpid(child, &status, WNOHANG) == 0) {
        for (const int pid : tree::processes(tree::temporary())) {
            std::error_code gone;
            const fs::path program =
                fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", gone).filename();
            killed = killed || (program == "cc1plus" && ::kill(pid, SIGKILL) == 0);
        }
        ::usleep(20000);
    }
    ::waitpid(child, &status, 0);
    INFO(tree::read(folder / "output"));
    CHECK(WEXITSTATUS(status) == 2);
    CHECK(tree::read(folder / "output").find("the harness failed: the compiler was killed") !=
          std::string::npos);
}

TEST_CASE("a full disk gives no grade, and grading continues once there is space") {
    if (::geteuid() != 0 || tree::run("unshare -m true").status != 0)
        return; // only root can mount a disk to fill up
    const fs::path folder = small_class("full");
    const std::string disk = tree::temporary() / "disk"; // for results and scratch folders
    const std::string again = "make grade-all SUBMISSIONS=" + (folder / "class").string() +
                              " OUT=" + disk + "/out LAB=lab1";
    // First there is too little room from the start; then it runs out while labs are built.
    tree::write(folder / "script", "disk='" + disk + "'\nagain=\"" + again + R"sh("
mkdir -p "$disk"
mount -t tmpfs -o size=400m,mode=755 none "$disk" || exit 77
export TMPDIR="$disk/tmp"
mkdir "$TMPDIR"
head -c 360m /dev/zero > "$disk/file"
$again
echo "first: $?"
rm "$disk/file"
$again &
until [ -d "$(echo "$TMPDIR"/opencl-labs-*/course/labs)" ]; do sleep 0.05; done
head -c 400m /dev/zero > "$disk/file"
wait $!
echo "second: $?"
rm "$disk/file"
$again
echo "third: $?"
cat "$disk/out/gradebook.csv"
)sh");
    const tree::Outcome outcome = tree::run("unshare -m sh '" + (folder / "script").string() + "'");
    if (outcome.status == 77)
        return;
    INFO(outcome.output);
    const std::size_t second = outcome.output.find("first: 2\n");
    const std::size_t third = outcome.output.find("second: 2\n");
    REQUIRE(second != std::string::npos);
    REQUIRE(third != std::string::npos);
    CHECK(outcome.output.substr(0, second).find("grade: the disk is full: less than 64 MiB") !=
          std::string::npos);
    CHECK(outcome.output.substr(0, third).find("solved: no result: ") != std::string::npos);
    CHECK(outcome.output.find("third: 0") != std::string::npos);
    CHECK(outcome.output.find("solved,15,15,15,") != std::string::npos);
}

TEST_CASE("a job array grades the same as a class") {
    // A tiny stand-in for Slurm: it runs each job at once, as many times as the array says.
    const fs::path folder = small_class("slurm");
    tree::write(
        folder / "bin/sbatch",
        "#!/bin/sh\n"
        "echo \"$@\" >> '" +
            (folder / "calls").string() +
            "'\n"
            "for argument; do case $argument in --array=1-*) n=${argument#--array=1-};; esac; "
            "wrap=$argument; done\n"
            "for i in $(seq \"${n:-1}\"); do SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 "
            "sh -c \"$wrap\" >&2 || exit 1; done\n"
            "echo 17\n");
    fs::permissions(folder / "bin/sbatch", fs::perms::owner_all);
    const tree::Outcome outcome =
        tree::run("PATH='" + (folder / "bin").string() + "':$PATH make grade-slurm SUBMISSIONS='" +
                  (folder / "class").string() + "' OUT='" + (folder / "out").string() +
                  "' LAB=lab1 TASKS=2 SBATCH_OPTIONS=--time=60");
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);
    CHECK(finished_in(folder / "out").size() == 6);
    CHECK(lines_of(folder / "out/gradebook.csv") == 7);
    const std::string calls = tree::read(folder / "calls");
    CHECK(calls.find("--array=1-2") != std::string::npos);
    CHECK(calls.find("--dependency=afterany:17") != std::string::npos);
    CHECK(calls.find("--time=60") != std::string::npos);
}

TEST_CASE("a failure that is not the submission's fault gives no grade") {
    const fs::path folder = fresh_folder("faultless");
    const std::string arguments = "SUBMISSION=solutions LAB=lab1 OUT='" + folder.string() + "'";
    tree::Outcome outcome = grade(arguments + " DEVICE=99");
    INFO(outcome.output);
    CHECK(outcome.status == 2); // of make
    CHECK(outcome.output.find("no result: lab1: the harness failed: there is no device 99") !=
          std::string::npos);
}

TEST_CASE("a grading works in a results folder that is closed to other users") {
    const fs::path folder = fresh_folder("closed");
    fs::permissions(folder, fs::perms::owner_all);
    for (const char* protection : {"bubblewrap", "user"}) {
        const tree::Outcome outcome =
            grade("SUBMISSION=solutions LAB=lab1 OUT='" + (folder / protection).string() +
                  "' PROTECTION=" + protection);
        if (outcome.output.find("programs cannot be run safely here") != std::string::npos)
            continue; // this machine lacks it
        INFO(outcome.output);
        CHECK(outcome.status == 0);
        CHECK(outcome.output.find("lab1  15 of 15") != std::string::npos);
    }
}

TEST_CASE("invalid requests are rejected in one line") {
    const fs::path folder = fresh_folder("refused");
    const std::string out = " OUT='" + (folder / "out").string() + "'";
    const auto check = [&](const std::string& command, const std::string& what) {
        const tree::Outcome outcome = tree::run(command);
        INFO(command, "\n", outcome.output);
        CHECK(outcome.status == 2);
        CHECK(outcome.output.find("grade: ") != std::string::npos);
        CHECK(outcome.output.find(what) != std::string::npos);
    };
    check("make grade", "nothing to grade");
    check("make grade SUBMISSION=solutions", "OUT=dir");
    check("make grade SUBMISSION=nowhere" + out, "nowhere");
    check("make grade SUBMISSION=Makefile" + out, "Makefile");
    check("make grade SUBMISSION=solutions LAB=lab77" + out, "no lab77");
    check("make grade SUBMISSION=solutions SEED=x" + out, "SEED");
    check("make grade SUBMISSION=solutions SEED=-1" + out, "number from 0 to 18446744073709551615");
    check("make grade SUBMISSION=solutions JOBS=0" + out, "JOBS must be a whole number from 1");
    check("make grade SUBMISSION=solutions JOBS=100000" + out, "JOBS");
    check("make grade SUBMISSION=solutions DEVICE=x" + out, "DEVICE");
    check("make grade SUBMISSION=solutions DEVICE=-1" + out, "DEVICE");
    check("make grade SUBMISSION=solutions LAB_SECONDS=nan" + out, "LAB_SECONDS");
    check("make grade SUBMISSION=solutions LAB_SECONDS=0" + out, "LAB_SECONDS");
    check("make grade SUBMISSION=solutions PROTECTION=hope" + out, "hope");
    check("make grade SUBMISSION=solutions PROTECTION=none" + out, "UNSAFE=1");
    check("make grade SUBMISSION=solutions SHARD=1/2" + out, "class");
    check("make grade-all SUBMISSIONS=nowhere" + out, "nowhere");
    check("make grade-all SUBMISSIONS=solutions SHARD=3/2" + out, "2/5");
    check("make grade-all SUBMISSIONS=solutions OUT=/dev/null", "/dev/null");
    check("make grade-all SUBMISSIONS=solutions OUT=solutions/results/deep",
          "lies in the folder to grade");
    CHECK_FALSE(fs::exists(tree::root() / "solutions/results"));
    check("make grade SUBMISSION=solutions PUSHED=yesterday" + out, "PUSHED");
    check("make grade SUBMISSION=solutions PUSHED=2026-12-04T23:59:00Z "
          "COMMITTED=2026-12-04T23:59:00Z" +
              out,
          "set PUSHED or COMMITTED, not both");
    fs::create_directories(folder / "empty");
    check("make grade SUBMISSION='" + (folder / "empty").string() + "' LAB=lab1" + out +
              " > /dev/full",
          "cannot write to standard output");
    check("make grade SUBMISSION=solutions PROTECTION=none UNSAFE=0" + out, "UNSAFE=1");
}
