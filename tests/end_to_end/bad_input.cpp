/// Bad input of every kind: one clear line and exit status 2.

#include "report/version.hpp"
#include "tree.hpp"

#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>

namespace fs = std::filesystem;

namespace {

void build_solution(const std::string& lab) {
    const tree::Outcome built = tree::run("make " + lab + " SOLUTIONS=1");
    INFO(built.output);
    REQUIRE(built.status == 0);
}

/// `command` must end with status 2 and print one line that contains `what`.
void check_refused(const std::string& command, const std::string& what) {
    const tree::Outcome outcome = tree::run(command);
    INFO(command, "\n", outcome.output);
    CHECK(outcome.status == 2);
    CHECK(std::ranges::count(outcome.output, '\n') == 1);
    CHECK(outcome.output.starts_with("harness: "));
    CHECK(outcome.output.find(what) != std::string::npos);
}

/// Removes a file, or replaces its text with `instead`, as long as this object exists.
class Replaced {
  public:
    explicit Replaced(const std::string& name)
        : path_(tree::root() / name), kept_(tree::read(path_)) {
        fs::remove(path_);
    }
    Replaced(const std::string& name, const std::string& instead) : Replaced(name) {
        tree::write(path_, instead);
    }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;
    ~Replaced() { tree::write(path_, kept_); }

  private:
    fs::path path_;
    std::string kept_;
};

} // namespace

TEST_CASE("a missing build is reported") {
    tree::run("mkdir -p build && rm -f build/selected");
    check_refused("./harness", "nothing is built yet; type: make lab1");
    // These two work nevertheless.
    CHECK(tree::run("./harness --version").output ==
          "OpenCL labs " + std::string(report::version) + "\n");
    for (const char* command : {"./harness --help", "./harness --seed 3 -h"}) {
        const tree::Outcome help = tree::run(command);
        CHECK(help.status == 0);
        for (const char* part : {"./harness", "--list-devices", "--device", "--seed", "--hint",
                                 "--json", "--junit", "--trace", "--report", "--sealed",
                                 "--require-analysis", "-tc=", "-ltc", "Exit status"}) {
            CAPTURE(std::string(part));
            CHECK(help.output.find(part) != std::string::npos);
        }
        CHECK(help.output.find("--runner") == std::string::npos); // for the launcher only
    }
}

TEST_CASE("full or closed standard output is reported") {
    build_solution("lab1");
    for (const char* options :
         {"", " --help", " --version", " --list-devices", " -ltc", " --declare"}) {
        for (const char* output : {" > /dev/full", " >&-"})
            check_refused("./harness" + std::string(options) + output, "standard output");
    }
    check_refused("./harness --json /dev/full > /dev/null", "/dev/full");
    check_refused("./harness --junit /dev/full > /dev/null", "/dev/full");
    CHECK(tree::run("./harness -tc=\"sum: every length\" <&- 2>&-").status == 0);
}

TEST_CASE("an unknown lab is rejected") {
    const tree::Outcome outcome = tree::run("make lab10");
    CHECK(outcome.status == 2);
    CHECK(outcome.output.find("there is no lab10; the labs are: lab1 lab2") != std::string::npos);
}

TEST_CASE("unknown and malformed options are rejected") {
    build_solution("lab1");
    check_refused("./harness --jsno x", "--jsno");
    check_refused("./harness -x", "-x");
    check_refused("./harness lab3", "make lab3");
    check_refused("./harness -tc", "-tc=");
    check_refused("./harness --seed twelve", "--seed");
    check_refused("./harness --seed -1", "--seed");
    check_refused("./harness --device", "--device");
    check_refused("./harness --device -1", "--device");
    check_refused("./harness --device 99", "there is no device 99");
}

TEST_CASE("a filter that matches nothing is rejected") {
    build_solution("lab1");
    check_refused("./harness -tc='no such case' > /dev/null", "no case of lab1 matches");
}

TEST_CASE("an unwritable result path leaves nothing behind") {
    build_solution("lab1");
    check_refused("./harness --json /nowhere/result.json", "/nowhere/result.json");
    check_refused("./harness --junit .", "cannot write to .");
    check_refused("./harness --trace /nowhere/picture.svg", "/nowhere/picture.svg");
    CHECK(tree::run("./harness -tc=minimum --json build/r.json").status == 0);
    check_refused("./harness --report /nowhere/report.html", "/nowhere/report.html");
    CHECK(tree::run("./harness -tc=minimum --report build/r.html").status == 0);
    const std::string page = tree::read(tree::root() / "build/r.html");
    CHECK(page.find("<h1>lab1: Scalar reduction</h1>") != std::string::npos);
    CHECK(page.find("1 case passed") != std::string::npos);
    CHECK(fs::exists(tree::root() / "build/r.json"));
    CHECK_FALSE(fs::exists(tree::root() / "build/r.json.partial"));
}

TEST_CASE("a missing or empty kernel file, or one without the kernel, is reported") {
    build_solution("lab1");
    const std::string file = "solutions/kernels/lab1_reduction_scalar.cl";
    {
        const Replaced missing(file);
        check_refused("./harness", file + " is missing");
    }
    {
        const Replaced empty(file, "  \n\n");
        check_refused("./harness", file + " is empty");
    }
    {
        const Replaced renamed(file, "__kernel void reduce(__global float* x) { x[0] = 0; }\n");
        check_refused("./harness", "has no kernel named reduction_scalar; it has reduce");
    }
}

TEST_CASE("a missing OpenCL device is reported") {
    build_solution("lab1");
    tree::run("mkdir -p build/no-vendors");
    check_refused("OCL_ICD_VENDORS=build/no-vendors/ ./harness", "there is no OpenCL device");
    check_refused("OCL_ICD_VENDORS=build/no-vendors/ ./harness --list-devices",
                  "there is no OpenCL device");
}

TEST_CASE("a device that builds nothing is not the student's fault") {
    build_solution("lab1");
    check_refused("POCL_EXTRA_BUILD_FLAGS='-include /nowhere' ./harness",
                  "cannot build even a one-line kernel");
}

TEST_CASE("a source file that changed after the build is reported") {
    tree::restore_starters();
    REQUIRE(tree::run("make lab1").status == 0);
    const fs::path source = tree::root() / "labs/lab1/reduction_scalar.cpp";
    fs::last_write_time(source, fs::last_write_time(tree::root() / "build/student/lab1/runner") +
                                    std::chrono::seconds(2));
    check_refused("./harness", "labs/lab1/reduction_scalar.cpp changed after lab1 was built");
    tree::restore_starters();
}

TEST_CASE("a lab without its starters says so instead of failing to link") {
    const Replaced gone("labs/lab2/reduction_vector.cpp");
    const tree::Outcome outcome = tree::run("rm -rf build/student/lab2; make lab2");
    INFO(outcome.output);
    CHECK(outcome.status == 2);
    CHECK(outcome.output.find("labs/lab2 contains no .cpp file; copy the starters of lab2 from the "
                              "course") != std::string::npos);
    CHECK(outcome.output.find("undefined reference") == std::string::npos);
}

TEST_CASE("a lab that does not compile is not run") {
    tree::restore_starters();
    tree::write(tree::root() / "labs/lab2/reduction_vector.cpp", "this is no C++\n");
    CHECK(tree::run("make lab2").status == 2);
    CHECK(tree::run("make lab2; ./harness").status == 2);
    tree::restore_starters();
}

TEST_CASE("doctest's own options keep working") {
    build_solution("lab1");
    const tree::Outcome list = tree::run("./harness -ltc");
    CHECK(list.status == 0);
    CHECK(list.output.find("sum: every length") != std::string::npos);
    check_refused("./harness -r=junit", "there is no option -r=junit");
    check_refused("./harness --dt-test-case=minimum", "there is no option --dt-test-case=minimum");
}

TEST_CASE("an interrupted run never passes") {
    build_solution("lab1");
    check_refused("./harness --no-run", "there is no option --no-run");
    const Replaced broken("solutions/kernels/lab1_reduction_scalar.cl",
                          "__kernel void reduction_scalar(__global const float* data, "
                          "__local float* temp, __global float* output) {}\n");
    const tree::Verdict verdict = tree::verdict("-aa=1");
    const tree::Outcome& outcome = verdict.outcome;
    const nlohmann::json& result = verdict.result;
    INFO(outcome.output);
    CHECK(outcome.status == 1);
    CHECK(result["cases"].back()["status"] == "error");
    CHECK(result["cases"].back()["score"] == 0);
}

TEST_CASE("a signal ends a run at once, without a verdict") {
    build_solution("lab1");
    const Replaced endless("solutions/kernels/lab1_reduction_scalar.cl",
                           "__kernel void reduction_scalar(__global const float* data, "
                           "__local float* temp, __global float* output) {\n"
                           "    while (data[0] == data[0]) {\n    }\n}\n");
    for (const char* signal : {"INT", "TERM"}) {
        CAPTURE(std::string(signal));
        // A shell makes its jobs in the background ignore SIGINT.
        const tree::Outcome outcome =
            tree::run("{ env --default-signal=INT ./harness & } > build/interrupted 2>&1; "
                      "until grep -q lab1 build/interrupted; do sleep 0.05; done; kill -" +
                      std::string(signal) + " $!; wait $!; echo status $?; cat build/interrupted");
        INFO(outcome.output);
        CHECK(outcome.output.find(std::string(signal) == "INT" ? "status 130\n" : "status 143\n") !=
              std::string::npos);
        CHECK(outcome.output.find("sum") == std::string::npos);
    }
}

TEST_CASE("--list-devices lists the devices") {
    build_solution("lab1");
    const tree::Outcome devices = tree::run("./harness --list-devices");
    CHECK(devices.status == 0);
    CHECK(devices.output.find("  0  ") == 0);
}
