/// Solutions pass, starters fail, swaps work: every lab, built and run as a student would.

#include "tree.hpp"

#include <doctest/doctest.h>
#include <random>
#include <regex>
#include <set>

namespace fs = std::filesystem;

namespace {

/// Fails unless the last build of `lab` passes.
void check_passes(const std::string& lab, const std::string& arguments) {
    const tree::Verdict verdict = tree::verdict(arguments);
    const tree::Outcome& outcome = verdict.outcome;
    const nlohmann::json& result = verdict.result;
    INFO(lab, " ", arguments, "\n", outcome.output);
    CHECK(tree::passes(verdict));
    REQUIRE(result.is_object());
    CHECK(result["lab"] == lab);
    CHECK(result["max_score"] == (lab == "lab9" ? 0 : 15)); // lab 9 is optional
    for (const auto& one : result["cases"])
        CHECK(one["status"] == "pass");
}

void check_says_not_implemented(const std::string& lab) {
    const tree::Verdict verdict = tree::verdict("--seed 1");
    const tree::Outcome& outcome = verdict.outcome;
    const nlohmann::json& result = verdict.result;
    INFO(lab, "\n", outcome.output);
    CHECK(outcome.status == 1);
    REQUIRE(result.is_object());
    CHECK(result["score"] == 0);
    for (const auto& one : result["cases"]) {
        CAPTURE(one.dump());
        CHECK(one["status"] == "fail");
        CHECK(one["message"].get<std::string>().rfind("not implemented yet: ", 0) == 0);
        CHECK(one["file"] != "");
        CHECK(one["line"] > 0);
        CHECK(one["hint"] != "");
    }
}

} // namespace

TEST_CASE("every solution passes with several seeds") {
    const unsigned seed = std::random_device{}() % 1000000;
    for (const std::string& lab : tree::labs()) {
        const tree::Outcome built = tree::run("make " + lab + " SOLUTIONS=1");
        INFO(built.output);
        REQUIRE(built.status == 0);
        for (unsigned i = 0; i < 2; ++i)
            check_passes(lab, "--seed " + std::to_string(seed + i));
    }
}

TEST_CASE("files of another folder can be built and judged by its absolute path") {
    const std::string folder = tree::plain_solutions().string();
    const tree::Outcome built = tree::run("make lab1 FROM=" + folder + " RUN=" + folder + "/run");
    INFO(built.output);
    REQUIRE(built.status == 0);
    check_passes("lab1", "--seed 1");
    fs::remove_all(folder + "/run");
}

TEST_CASE("a lab is built again if FROM names another folder, and the first one is gone") {
    tree::restore_starters();
    const fs::path first = tree::root() / "build/first-folder";
    fs::copy(tree::plain_solutions(), first, fs::copy_options::recursive);
    for (const std::string& from : {first.string(), std::string(".")}) {
        const tree::Outcome built = tree::run("make lab1 RUN=build/two-folders FROM=" + from);
        INFO(built.output);
        REQUIRE(built.status == 0);
        if (from != ".")
            check_passes("lab1", "--seed 1");
        else
            check_says_not_implemented("lab1");
        fs::remove_all(first);
    }
    fs::remove_all(tree::root() / "build/two-folders");
}

TEST_CASE("a lab is built again if a file of the course has another name") {
    const fs::path folder = tree::root() / "src/wire";
    for (const auto& [from, to] :
         {std::pair{"channel.cpp", "a_channel.cpp"}, std::pair{"a_channel.cpp", "channel.cpp"}}) {
        fs::rename(folder / from, folder / to);
        const tree::Outcome built = tree::run("make lab1 SOLUTIONS=1");
        INFO(built.output);
        CHECK(built.status == 0);
    }
    check_passes("lab1", "--seed 1");
}

TEST_CASE("make lab1 builds what ./harness --sealed needs") {
    fs::remove_all(tree::root() / "build/device");
    const tree::Outcome built = tree::run("make lab1 SOLUTIONS=1");
    INFO(built.output);
    REQUIRE(built.status == 0);
    check_passes("lab1", "--sealed");
}

TEST_CASE("every starter compiles, runs and says what is not implemented") {
    tree::restore_starters();
    for (const std::string& lab : tree::labs()) {
        const tree::Outcome built = tree::run("make " + lab);
        INFO(built.output);
        REQUIRE(built.status == 0);
        CHECK(built.output.find("warning") == std::string::npos);
        check_says_not_implemented(lab);
    }
}

TEST_CASE("with only the host code done, the kernels are reported as not implemented") {
    tree::restore_starters();
    for (const std::string& lab : tree::labs()) {
        fs::copy(tree::root() / "solutions/labs" / lab, tree::root() / "labs" / lab,
                 fs::copy_options::overwrite_existing | fs::copy_options::recursive);
        const tree::Outcome built = tree::run("make " + lab);
        INFO(built.output);
        REQUIRE(built.status == 0);
        const tree::Verdict verdict = tree::verdict("--seed 1");
        const tree::Outcome& outcome = verdict.outcome;
        const nlohmann::json& result = verdict.result;
        INFO(outcome.output);
        CHECK(outcome.status == 1);
        REQUIRE(result.is_object());
        int unwritten = 0;
        for (const auto& one : result["cases"]) {
            if (one["message"].get<std::string>().rfind("not implemented yet: ", 0) == 0) {
                ++unwritten;
                CHECK(one["file"].get<std::string>().rfind("kernels/" + lab, 0) == 0);
            } else {
                // Lab 1's choice of the work-group size needs no kernel.
                CHECK(one["status"] == "pass");
                CHECK(one["name"].get<std::string>().rfind("work-group size", 0) == 0);
            }
        }
        CHECK(unwritten > 0);
    }
    tree::restore_starters();
}

TEST_CASE("copying solutions over the root replaces the starters") {
    tree::restore_starters();
    REQUIRE(tree::run("cp -R solutions/* .").status == 0);
    for (const char* lab : {"lab1", "lab3", "lab6", "lab7"}) {
        const tree::Outcome built = tree::run(std::string("make ") + lab);
        INFO(built.output);
        REQUIRE(built.status == 0);
        check_passes(lab, "--seed 5");
    }
    tree::restore_starters();
}

TEST_CASE("make lab1 writes the build options of every lab's host code for editors") {
    fs::remove(tree::root() / "build/compile_commands.json");
    REQUIRE(tree::run("make lab1 SOLUTIONS=1").status == 0);
    const nlohmann::json commands =
        nlohmann::json::parse(tree::read(tree::root() / "build/compile_commands.json"));
    std::set<std::string> labs;
    for (const auto& command : commands) {
        CHECK(command["directory"] == tree::root().string());
        const fs::path file(command["file"].get<std::string>());
        CHECK(fs::exists(tree::root() / file));
        labs.insert(file.parent_path().filename());
        std::string line;
        for (const auto& argument : command["arguments"])
            line += argument.get<std::string>() + " ";
        const tree::Outcome compiled = tree::run(line + "-fsyntax-only");
        INFO(line, compiled.output);
        CHECK(compiled.status == 0);
    }
    const std::vector<std::string>& all = tree::labs();
    CHECK(labs == std::set<std::string>(all.begin(), all.end()));
}

TEST_CASE("a kernel-only edit compiles nothing") {
    tree::restore_starters();
    REQUIRE(tree::run("make lab2").status == 0);
    const fs::path kernel = tree::root() / "kernels/lab2_reduction_vector.cl";
    tree::write(kernel, tree::read(kernel) + "\n// edited\n");
    const tree::Outcome again = tree::run("make lab2 V=1 && ./harness -ltc");
    INFO(again.output);
    CHECK(again.status == 0);
    CHECK(again.output.find("g++") == std::string::npos);
}

TEST_CASE("only a terminal shows which case is running") {
    tree::restore_starters();
    REQUIRE(tree::run("cp -R solutions/* . && make lab1").status == 0);
    const fs::path host = tree::root() / "labs/lab1/reduction_scalar.cpp";
    std::string text = tree::read(host);
    const std::size_t body = text.find('{', text.find(" reduce(")) + 1;
    text.insert(body, "\n    static const int once = std::system(\"sleep 3\");\n    (void)once;\n");
    tree::write(host, "#include <cstdlib>\n" + text);
    REQUIRE(tree::run("make lab1").status == 0);
    const std::string command = "./harness -tc=\"sum: every length\"";
    const tree::Outcome shown = tree::run("script -qec '" + command + "' /dev/null < /dev/null");
    INFO(shown.output);
    static const std::regex status("\r        sum: every length: [0-9]+ s");
    CHECK(std::regex_search(shown.output, status));
    CHECK(shown.output.find(" \r\x1B[32mPASS ") != std::string::npos); // it is erased first
    const tree::Outcome piped = tree::run(command);
    INFO(piped.output);
    CHECK(piped.output.find('\r') == std::string::npos);
    tree::restore_starters();
}

TEST_CASE("make setup installs the tests' tools only for TESTS=1") {
    const auto mentions = [](const std::string& command, const char* package) {
        const tree::Outcome planned = tree::run("make --dry-run " + command);
        INFO(planned.output);
        CHECK(planned.status == 0);
        CHECK(planned.output.find("pocl-opencl-icd") != std::string::npos);
        CHECK(planned.output.find("doesn't match") == std::string::npos);
        return planned.output.find(package) != std::string::npos;
    };
    CHECK_FALSE(mentions("setup", "cmark-gfm"));
    CHECK(mentions("setup TESTS=1", "cmark-gfm"));
}
