/// The output of make release: it contains no solution, builds, runs and is graded.

#include "tree.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    return lines;
}

/// The text of each file below `folder`, by its relative path; without build/.
std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    fs::recursive_directory_iterator entry(folder);
    for (; entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->path() == folder / "build")
            entry.disable_recursion_pending();
        else if (entry->is_regular_file())
            files[entry->path().lexically_relative(folder)] = tree::read(entry->path());
    }
    return files;
}

/// Copies our own objects into the course in `folder`, newer than its files, so that little is
/// compiled again.
void lend_objects(const fs::path& folder) {
    const std::string build = (tree::root() / "build").string();
    const tree::Outcome lent = tree::run(
        "make grading && cd '" + folder.string() +
        "' && find . -exec touch -d 2020-01-01 {} + && mkdir -p build/tests && for part in "
        "src grader runner grade sandbox device labgrind tests/labs; do cp -Rp '" +
        build + "'/$part build/$part; done");
    INFO(lent.output);
    REQUIRE(lent.status == 0);
}

/// The template, rewritten once in a test run.
const fs::path& released() {
    static const fs::path folder = [] {
        fs::path there = tree::root() / "build/template";
        fs::remove_all(there);
        REQUIRE(tree::run("make release OUT='" + there.string() + "'").status == 0);
        lend_objects(there);
        return there;
    }();
    return folder;
}

tree::Outcome run_there(const std::string& command) {
    return tree::run("cd '" + released().string() + "' && " + command);
}

/// The lines that students write, in order, for each file of solutions.
std::vector<std::vector<std::string>> solution_lines() {
    std::vector<std::vector<std::string>> files;
    for (const auto& [path, text] : files_in(tree::root() / "solutions")) {
        std::vector<std::string> lines;
        bool inside = false;
        for (const std::string& line : lines_of(text)) {
            if (line.starts_with("// ["))
                inside = line != "// [end]";
            else if (inside && !line.starts_with("// |") && !line.empty())
                lines.push_back(line);
        }
        files.push_back(lines);
    }
    return files;
}

/// Whether a line gives something away even without the lines around it.
bool says_something(const std::string& line) {
    return std::ranges::count_if(line, [](unsigned char c) { return std::isalnum(c); }) > 20;
}

/// Writes each piece of `page` in a fence that names a file, such as
/// ```cpp file=labs/lab10/lab10.hpp, into that file of the copy. Returns the files.
std::vector<fs::path> write_pieces(const std::string& page) {
    std::vector<fs::path> files;
    std::string piece;
    bool inside = false;
    std::istringstream stream(page);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t name = line.find(" file=");
        if (!inside && line.starts_with("```") && name != std::string::npos) {
            files.push_back(tree::root() / line.substr(name + 6));
            inside = true;
            piece.clear();
        } else if (inside && line == "```") {
            tree::write(files.back(), piece);
            inside = false;
        } else if (inside) {
            piece += line + "\n";
        }
    }
    return files;
}

} // namespace

TEST_CASE("the template has only what students need") {
    const auto files = files_in(released());
    for (const char* path :
         {"README.md", "LICENSE", "Makefile", "harness", ".gitignore", ".clangd",
          "labs/lab1/README.md", "labs/lab1/picture.svg", "docs/how-it-works.md",
          "docs/reading-a-verdict.md", "labs/lab1/lab1.hpp", "labs/lab6/lock.cpp",
          "kernels/lab6_lock.cl", "labs/tuning.hpp", "src/loop/watch",
          ".github/workflows/autograding.yml", ".devcontainer/devcontainer.json"})
        CHECK(files.count(path) == 1);
    const std::regex known(
        "(README.md|LICENSE|Makefile|harness|\\.gitignore|\\.clang-format|\\.clangd|"
        "\\.devcontainer/.*|\\.github/workflows/autograding\\.yml|kernels/.*|"
        "docs/((how-it-works|reading-a-verdict)\\.md|(race|schedule|launches)\\.svg)|"
        "labs/.*|tests/labs/.*|"
        "src/(grade|grader|labgrind|report|runner|sandbox|wire)/.*|src/loop/(watch|progress))");
    for (const auto& file : files) {
        INFO(file.first);
        CHECK(std::regex_match(file.first, known));
    }
    CHECK_FALSE(fs::exists(released() / ".git"));
    for (const char* program : {"harness", "src/loop/watch", "src/loop/progress"})
        CHECK((fs::status(released() / program).permissions() & fs::perms::others_exec) !=
              fs::perms::none);
}

TEST_CASE("the template has no marks and nothing for instructors") {
    for (const auto& file : files_in(released())) {
        const std::string& path = file.first;
        const std::string& text = file.second;
        INFO(path);
        for (const char* mark : {"[student]", "[left out]", "// [end]", "<!-- [end] -->"})
            CHECK(text.find(mark) == std::string::npos);
        if (path.find(".md") == std::string::npos)
            continue;
        for (const char* word : {"solutions/", "instructors.md", "make release", "grade-all"})
            CHECK((path == "src/grade/README.md" || text.find(word) == std::string::npos));
    }
}

/// A line that another lab hands out is no secret. A single line in the harness's own code proves
/// nothing either, because that code uses OpenCL, too. Two in a row would be proof.
TEST_CASE("the template has no line of any solution") {
    const auto files = files_in(released());
    std::set<std::string> given;
    for (const auto& [path, text] : files) {
        const auto lines = lines_of(text);
        if (path.starts_with("kernels/") || (path.starts_with("labs/") && path.back() == 'p'))
            given.insert(lines.begin(), lines.end());
    }
    std::size_t searched = 0;
    for (const std::vector<std::string>& solution : solution_lines()) {
        REQUIRE_FALSE(solution.empty());
        std::set<std::string> secrets;
        std::set<std::string> pairs;
        for (std::size_t i = 0; i < solution.size(); ++i) {
            if (!given.contains(solution[i]) && says_something(solution[i]))
                secrets.insert(solution[i]);
            const bool both_given =
                i > 0 && given.count(solution[i - 1]) + given.count(solution[i]) == 2;
            if (i > 0 && !both_given && says_something(solution[i - 1]) &&
                says_something(solution[i]))
                pairs.insert(solution[i - 1] + "\n" + solution[i]);
        }
        searched += secrets.size();
        for (const auto& file : files) {
            const std::string& path = file.first;
            INFO(path);
            const bool ours = path.starts_with("src/") || path.starts_with("tests/");
            const auto lines = lines_of(file.second);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                INFO(lines[i]);
                CHECK((ours || !secrets.contains(lines[i])));
                CHECK((i == 0 || !pairs.contains(lines[i - 1] + "\n" + lines[i])));
            }
        }
    }
    CHECK(searched > 100);
}

TEST_CASE("the template's labs build, fail unsolved and pass solved") {
    for (const std::string& lab : tree::labs()) {
        const tree::Outcome unsolved = run_there("make " + lab + " && ./harness");
        INFO(unsolved.output);
        CHECK(unsolved.status == 1);
        CHECK(unsolved.output.find("warning") == std::string::npos);
        CHECK(unsolved.output.find("not implemented yet: ") != std::string::npos);
        CHECK(unsolved.output.find("PASS") == std::string::npos);
        CHECK(unsolved.output.find("compile  src/") == std::string::npos); // uses our objects
    }
    const std::string keep = "rm -rf build/starters && mkdir build/starters && "
                             "cp -Rp labs kernels build/starters && ";
    const tree::Outcome solved = run_there(keep + "cp -R '" + tree::plain_solutions().string() +
                                           "'/* . && make lab4 && ./harness --seed 7");
    run_there("rm -rf labs kernels && cp -Rp build/starters/* .");
    INFO(solved.output);
    CHECK(solved.status == 0);
}

TEST_CASE("the template's repository grades itself as its workflow does") {
    const tree::Outcome graded =
        run_there("make grade SUBMISSION=. OUT=../template-results LAB=lab1 UNSAFE=1");
    const fs::path results = tree::root() / "build/template-results";
    INFO(graded.output);
    CHECK(graded.status == 0);
    const auto result = nlohmann::json::parse(tree::read(results / "result.json"));
    CHECK(result["score"] == 0);
    CHECK(result["labs"][0]["max_score"] == 15);
    const std::string annotations = tree::read(results / "annotations.txt");
    CHECK(annotations.starts_with("::error "));
    CHECK(annotations.find("file=labs/lab1/reduction_scalar.cpp,line=") != std::string::npos);
}

TEST_CASE("workflows pin everything that others could change") {
    const std::regex used("uses: .*|(container|image): .*(debian|ubuntu):.*");
    const std::regex pinned("uses: [a-z/-]+@[0-9a-f]{40} # v[0-9.]+|"
                            "(container|image): .*@sha256:[0-9a-f]{64}\"?");
    std::size_t seen = 0;
    for (const char* folder : {".github/workflows", ".github/classroom"}) {
        for (const auto& file : files_in(folder)) {
            for (std::string line : lines_of(file.second)) {
                line = line.substr(line.starts_with("- ") ? 2 : 0);
                if (!std::regex_match(line, used))
                    continue;
                INFO(file.first, ": ", line);
                CHECK(std::regex_match(line, pinned));
                ++seen;
            }
        }
    }
    CHECK(seen > 10);
}

TEST_CASE("the autograder for Gradescope grades files in Gradescope's places") {
    const fs::path root = tree::root() / "build/autograder";
    fs::remove_all(root);
    const std::string source = "'" + (root / "source").string() + "'";
    REQUIRE(tree::run("make starters && build/release/release autograder gradescope " + source +
                      " --labs 'lab4 lab5'")
                .status == 0);
    lend_objects(root / "source/course");
    fs::create_directories(root / "submission");
    REQUIRE(tree::run("cp -R '" + tree::plain_solutions().string() + "/labs' '" +
                      tree::plain_solutions().string() + "/kernels' '" +
                      (root / "submission").string() + "'")
                .status == 0);
    fs::remove(root / "submission/kernels/lab5_blelloch_scan.cl");
    tree::write(root / "submission_metadata.json",
                R"({"id": 1, "created_at": "2026-12-04T14:59:00.365935-08:00",
                    "previous_submissions": [{"created_at": "2020-01-01T00:00:00.0-08:00"}]})");
    const tree::Outcome run =
        tree::run("AUTOGRADER='" + root.string() + "' " + source + "/run_autograder");
    INFO(run.output);
    CHECK(run.status == 0);
    const auto results = nlohmann::json::parse(tree::read(root / "results/results.json"));
    CHECK(results["score"] == 15);
    const auto graded = nlohmann::json::parse(tree::read(root / "graded/result.json"));
    CHECK(graded["labs"][0]["pushed"] == "2026-12-04T14:59:00.365935-08:00");
    CHECK(results["tests"].size() > 10);
    int max_score = 0;
    for (const auto& test : results["tests"])
        max_score += test["max_score"].get<int>();
    CHECK(max_score == 30);
    // A fault of the machine gives no grade.
    fs::remove_all(root / "results");
    CHECK(tree::run("OCL_ICD_VENDORS=/nowhere/ AUTOGRADER='" + root.string() + "' " + source +
                    "/run_autograder")
              .status != 0);
    CHECK_FALSE(fs::exists(root / "results/results.json"));
}

TEST_CASE("the autograder for Classroom 50 writes what its runner expects") {
    const fs::path root = tree::root() / "build/classroom50";
    fs::remove_all(root);
    REQUIRE(
        tree::run("make classroom50 OUT='" + (root / "bundle").string() + "' LAB=lab4").status ==
        0);
    lend_objects(root / "bundle/course");
    // Runs it as Classroom 50's runner does: in the student's folder, with the facts that only the
    // runner knows in the environment. This machine's sudo might ask for a password, so another
    // program replaces it.
    fs::create_directories(root / "temporary");
    tree::write(root / "programs/sudo", "#!/bin/sh\nshift 2\nexec \"$@\"\n");
    fs::permissions(root / "programs/sudo", fs::perms::owner_all);
    const tree::Outcome run = tree::run(
        "cd '" + tree::plain_solutions().string() + "' && PATH='" + (root / "programs").string() +
        "':$PATH TMPDIR='" + (root / "temporary").string() +
        "' CLASSROOM=gpu ASSIGNMENT=labs ASSIGNMENT_TYPE=individual OWNER=ada "
        "SUBMISSION_TAG=submit/2026-06-01T14-32-05Z-a1b2c3d COMMIT_URL=https://example.org/c "
        "RELEASE_URL=https://example.org/r REVIEW_URL=https://example.org/v "
        "python3 '" +
        (root / "bundle/autograder.py").string() + "'");
    INFO(run.output);
    REQUIRE(run.status == 0);
    const fs::path result = tree::plain_solutions() / "result.json";
    const tree::Outcome schema = tree::run("jsonschema -i '" + result.string() +
                                           "' tests/harness/schemas/classroom50.schema.json");
    CHECK_MESSAGE(schema.status == 0, schema.output);
    const auto graded = nlohmann::json::parse(tree::read(result));
    CHECK(graded["owner"] == "ada");
    CHECK(graded["score"] == 15);
    CHECK(graded["max-score"] == 15);
    const fs::path body = tree::plain_solutions() / "release-body.md";
    CHECK(tree::read(body).find("15 of 15 points") != std::string::npos);
    fs::remove(result);
    fs::remove(body);
}

TEST_CASE("the new lab on the instructors' page works as described") {
    const std::vector<fs::path> written = write_pieces(tree::read("docs/instructors.md"));
    CHECK(written.size() == 4);
    const tree::Outcome starters = tree::run("make starters && make lab10 && ./harness");
    INFO(starters.output);
    CHECK(starters.status == 1);
    CHECK(starters.output.find("0 of 4 points") != std::string::npos);
    CHECK(starters.output.find("not implemented yet: run the kernel saxpy") != std::string::npos);
    const tree::Outcome solved = tree::run("make lab10 SOLUTIONS=1 && ./harness");
    INFO(solved.output);
    CHECK(solved.status == 0);
    CHECK(solved.output.find("4 of 4 points") != std::string::npos);
    const tree::Outcome sealed = tree::run("make build/device/device && ./harness --sealed");
    INFO(sealed.output);
    CHECK(sealed.output.find("4 of 4 points") != std::string::npos);
    const tree::Outcome drawn = tree::run("./harness --trace build/lab10.svg");
    INFO(drawn.output);
    CHECK(drawn.status == 0);
    CHECK(tree::read(tree::root() / "build/lab10.svg").find("Multiply and add") !=
          std::string::npos);
    // A student's mistake: the comparison is missing.
    const fs::path kernel = tree::root() / "solutions/kernels/lab10_saxpy.cl";
    const std::string right = tree::read(kernel);
    tree::write(kernel, std::regex_replace(right, std::regex("if \\(i < n\\)\n"), "\n"));
    const tree::Outcome wrong = tree::run("./harness");
    INFO(wrong.output);
    CHECK(wrong.status == 1);
    CHECK(wrong.output.find("0 of 4 points") != std::string::npos);
    CHECK(wrong.output.find("lab10_saxpy.cl:7: out-of-bounds access") != std::string::npos);
    CHECK(wrong.output.find("may fail because of \"inside its buffers\"") != std::string::npos);
    // An instructor's mistake: no hint.
    const fs::path cases = tree::root() / "tests/labs/lab10.cpp";
    tree::write(cases, std::regex_replace(tree::read(cases), std::regex(R"(hint\("Compare[^)]*\))"),
                                          R"(hint(""))"));
    const tree::Outcome mute = tree::run("make lab10 SOLUTIONS=1 && ./harness");
    INFO(mute.output);
    CHECK(mute.status == 2);
    CHECK(mute.output.find("\"inside its buffers\" has no hint") != std::string::npos);
    for (const fs::path& file : written)
        fs::remove(file);
    for (const char* left : {"labs/lab10", "kernels/lab10_saxpy.cl", "solutions/labs/lab10"})
        fs::remove_all(tree::root() / left);
}

TEST_CASE("students install an update as the instructors' page describes and keep their work") {
    const std::string page = tree::read("docs/instructors.md");
    const std::size_t begin = page.find("git fetch https://github.com/OWNER/labs-template");
    REQUIRE(begin != std::string::npos);
    const fs::path folder = tree::root() / "build/update";
    const std::string recipe = std::regex_replace(
        page.substr(begin, page.find("```", begin) - begin),
        std::regex("https://github.com/OWNER/labs-template"), (folder / "template").string());
    fs::remove_all(folder);
    fs::create_directories(folder);
    REQUIRE(tree::run("make release OUT='" + (folder / "template").string() + "'").status == 0);
    const std::string commit =
        " && git add -A && git -c user.name=t -c user.email=t@example.org commit -q -m x";
    tree::write(folder / "template/src/runner/gone.cpp", "int gone;\n");
    const tree::Outcome made = tree::run(
        "cd '" + folder.string() + "' && cd template && git init -q -b main" + commit +
        " && git clone -q . ../student && mkdir labs/lab10 && echo new > labs/lab10/lab10.hpp && "
        "echo new > labs/lab10/new.cpp && echo new > kernels/lab10_new.cl && "
        "echo new >> labs/lab1/reduction_scalar.cpp && echo new >> Makefile && "
        "rm -r src/runner/gone.cpp .github" +
        commit + " && cd ../student && echo mine > labs/lab1/reduction_scalar.cpp" + commit +
        " && " + recipe + "true");
    INFO(made.output);
    CHECK(made.status == 0);
    const fs::path student = folder / "student";
    CHECK(tree::read(student / "labs/lab1/reduction_scalar.cpp") == "mine\n");
    for (const char* file : {"labs/lab10/lab10.hpp", "labs/lab10/new.cpp", "kernels/lab10_new.cl"})
        CHECK(tree::read(student / file) == "new\n");
    CHECK(tree::read(student / "Makefile") == tree::read(folder / "template/Makefile"));
    CHECK_FALSE(fs::exists(student / "src/runner/gone.cpp"));
}

TEST_CASE("a release into a folder that is not empty is rejected") {
    const tree::Outcome outcome = tree::run("make release OUT=labs");
    CHECK(outcome.status != 0);
    CHECK(outcome.output.find("labs is not an empty folder") != std::string::npos);
    CHECK(outcome.output.find("git") == std::string::npos); // it would remove a student's work
    CHECK(tree::run("make solutions OUT=.").output.find("is the course itself") !=
          std::string::npos);
    CHECK(tree::run("make release").output.find("OUT=dir") != std::string::npos);
}

TEST_CASE("a new release replaces an earlier one in its repository") {
    const std::string there = "'" + (tree::root() / "build/again").string() + "'";
    const std::string commit =
        "git add -A && git -c user.name=t -c user.email=t@example.org commit -q -m ";
    const tree::Outcome outcome =
        tree::run("rm -rf " + there + " && make release OUT=" + there + " && cd " + there +
                  " && git init -q && echo old > src/old.cpp && " + commit +
                  "first && git rm -rq . && cd - && "
                  "make release OUT=" +
                  there + " && cd " + there + " && " + commit +
                  "second && "
                  "git show --stat --format= HEAD");
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    CHECK(outcome.output.find("src/old.cpp | 1 -\n 1 file changed") != std::string::npos);
}
