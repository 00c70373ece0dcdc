/// A student's daily commands: hints, make progress, make watch on a terminal.

#include "tree.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace {

const char* const kernel = "kernels/lab1_reduction_scalar.cl";
const char* const host = "labs/lab1/reduction_scalar.cpp";

/// Copies the solution of lab 1 to where the student's files are, in one step as editors do.
void take_solution() {
    for (const char* file : {kernel, host}) {
        const fs::path to = tree::root() / file;
        const fs::path partial = to.string() + "~";
        tree::write(partial, tree::read(tree::plain_solutions() / file));
        fs::rename(partial, to);
    }
}

/// Replaces `before` in a file of the student.
void change(const char* file, const std::string& before, const std::string& after) {
    std::string text = tree::read(tree::root() / file);
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    tree::write(tree::root() / file, text.replace(at, before.size(), after));
}

void forget_runs() { fs::remove_all(tree::root() / "build/progress"); }

/// A command on a terminal of 24 lines of 80 columns.
class Watched {
  public:
    explicit Watched(const std::string& command) {
        winsize size{24, 80, 0, 0};
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
        if (pid_ < 0)
            throw std::runtime_error("no terminal");
        if (pid_ == 0) {
            const std::string whole = "unset MAKEFLAGS MFLAGS MAKELEVEL COLUMNS; cd '" +
                                      tree::root().string() + "' && exec " + command;
            ::execl("/bin/sh", "sh", "-c", whole.c_str(), nullptr);
            ::_exit(127);
        }
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    ~Watched() {
        ::close(terminal_);
        if (pid_ > 0) {
            ::kill(pid_, SIGTERM);
            ::waitpid(pid_, nullptr, 0);
        }
    }

    /// Reads until `part` is shown, and returns everything since the last call.
    std::string until(const std::string& part) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(3);
        while (unread_.find(part) == std::string::npos) {
            if (std::chrono::steady_clock::now() > deadline || !read_some()) {
                FAIL("not shown: " << part << "\n" << unread_);
                return "";
            }
        }
        const std::size_t end = unread_.find(part) + part.size();
        std::string text = unread_.substr(0, end);
        unread_.erase(0, end);
        all_ += text;
        return text;
    }

    void type(const std::string& keys) const {
        REQUIRE(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
    }

    /// Reads to the end, and returns the exit status as a shell shows it.
    int wait() {
        while (read_some()) {
        }
        all_ += unread_;
        int status = 0;
        ::waitpid(std::exchange(pid_, -1), &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    const std::string& all() const { return all_; }

  private:
    bool read_some() {
        pollfd waiting{terminal_, POLLIN, 0};
        constexpr int patience = 180000; // milliseconds
        if (::poll(&waiting, 1, patience) <= 0)
            return false;
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(terminal_, buffer.data(), buffer.size());
        if (count > 0)
            unread_.append(buffer.data(), static_cast<std::size_t>(count));
        return count > 0;
    }

    int terminal_ = -1;
    pid_t pid_ = -1;
    std::string unread_;
    std::string all_;
};

/// The most lines that are written from the top of the screen on.
std::size_t most_lines(const std::string& text) {
    std::size_t most = 0;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 3, "\033[H") == 0)
            lines = 0;
        most = std::max(most, lines += text[i] == '\n' ? 1 : 0);
    }
    return most;
}

/// Whether all processes have ended, or do so soon: killed ones take a moment on a busy machine.
bool no_process_left() {
    const auto is_empty = [] {
        return tree::processes((tree::root() / "build").string() + "/").empty() &&
               tree::processes("src/loop/watch").empty();
    };
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!is_empty() && std::chrono::steady_clock::now() < deadline)
        ::poll(nullptr, 0, 50);
    return is_empty();
}

} // namespace

TEST_CASE("make watch runs the lab again at each save, however it is saved") {
    tree::restore_starters();
    Watched watch("make watch LAB=lab1");
    watch.until("\033[?1049h"); // a screen of its own, so that the scrollback does not grow
    watch.until("FAIL ");
    watch.until("not implemented yet: choose the work-group size");
    watch.until("0 of 15 points");
    take_solution(); // by renaming
    const std::string next = watch.until("running");
    CHECK(next.find("\033[2J") == std::string::npos); // the last verdict stays
    watch.until("\033[J");                            // there is something to show
    watch.until("15 of 15 points");
    watch.until("next: lab2");
    change(kernel, "partial_results[lid + i]", "partial_results[lid]"); // by writing
    const std::string wrong = watch.until("FAIL ");
    CHECK(wrong.find("PASS ") == std::string::npos);
    watch.until("15 points");

    SUBCASE("a mistake of the compiler is shown, and the next save is awaited") {
        change(host, "return", "retturn");
        const std::string shown = watch.until("error:");
        CHECK(shown.find("of 15 points") == std::string::npos);
        take_solution();
        watch.until("15 of 15 points");
    }
    SUBCASE("a new file is part of the lab, and an editor's files are not") {
        for (const char* name : {"4913", ".reduction_scalar.cpp.swp", "#reduction_scalar.cpp#",
                                 "reduction_scalar.cpp~", ".#reduction_scalar.cpp"})
            tree::write(tree::root() / "labs/lab1" / name, "not C++");
        tree::write(tree::root() / "labs/lab1/extra.cpp", "#error first new file\n");
        const std::string shown = watch.until("first new file");
        CHECK(shown.find("not C++") == std::string::npos);
        fs::remove(tree::root() / "labs/lab1/extra.cpp");
        take_solution();
        watch.until("15 of 15 points");
        fs::remove_all(tree::root() / "labs/lab1");
        fs::copy("labs/lab1", tree::root() / "labs/lab1", fs::copy_options::recursive);
        watch.until("not implemented yet");
    }
    watch.type("\x03");
    CHECK(watch.wait() == 130);
    CHECK(watch.all().rfind("\033[?1049l") != std::string::npos);
    CHECK(watch.all().find("***") == std::string::npos); // make does not complain
    CHECK(most_lines(watch.all()) < 24);
    CHECK(no_process_left());
    tree::restore_starters();
}

TEST_CASE("a save cancels the run that is under way") {
    tree::restore_starters();
    take_solution();
    change(host, "Operator op) {\n",
           "Operator op) {\n    volatile int zero = 0;\n    while (zero == 0) {\n    }\n");
    Watched watch("make watch LAB=lab1");
    watch.until(": 1 s"); // a case waits for the endless function
    take_solution();
    const std::string rest = watch.until("15 of 15 points");
    CHECK(rest.find("FAIL") == std::string::npos);
    CHECK(rest.find("was still running") == std::string::npos);
    watch.type("\x03");
    CHECK(watch.wait() == 130);
    CHECK(no_process_left());
    tree::restore_starters();
}

TEST_CASE("make watch without a lab takes the one built last, and says what is wrong") {
    tree::restore_starters();
    fs::remove(tree::root() / "build/selected");
    tree::Outcome outcome = tree::run("make watch");
    CHECK(outcome.status == 2);
    CHECK(outcome.output.find("nothing is built yet; type: make watch LAB=lab1") !=
          std::string::npos);
    outcome = tree::run("make watch LAB=lab0");
    CHECK(outcome.status == 2);
    CHECK(outcome.output.find("there is no lab0; the labs are: lab1 lab2") != std::string::npos);
    REQUIRE(tree::run("make lab1").status == 0);
    // Without a terminal, the whole verdict, and not one control character.
    const tree::Outcome piped =
        tree::run("rm -f build/watched; make watch > build/watched & timeout 180 sh -c "
                  "'until grep -q \"0 of 15 points\" build/watched; do sleep 0.1; done'; "
                  "kill $!; wait $!; cat build/watched");
    INFO(piped.output);
    CHECK(piped.output.find("lab1 at ") != std::string::npos);
    CHECK(piped.output.find('\033') == std::string::npos);
    CHECK(no_process_left());
}

TEST_CASE("make progress shows the last whole run of each lab, and what is next") {
    tree::restore_starters();
    forget_runs();
    const auto shown = [](const std::string& command = "make progress") {
        const tree::Outcome outcome = tree::run(command);
        CHECK(outcome.status == 0);
        std::istringstream lines(outcome.output);
        for (std::string line; std::getline(lines, line);)
            CHECK(line.size() <= 80);
        return outcome.output;
    };
    const auto has = [](const std::string& text, const std::string& part) {
        INFO(text);
        return text.find(part) != std::string::npos;
    };
    std::string text = shown();
    CHECK(has(text, "lab1   not run   Scalar reduction\n"));
    CHECK(has(text, "lab8   not run   Single-pass scan by decoupled look-back\n"));
    CHECK(has(text, "\nnext: lab1, Scalar reduction\n      You learn: a tree in local memory"));
    CHECK(has(text, "Read labs/lab1/README.md, then complete the files that it names.\n"
                    "      Type: make lab1 && ./harness\n"));

    REQUIRE(tree::run("make lab1 SOLUTIONS=1 && ./harness").status == 0);
    CHECK(has(shown(), "lab1   not run ")); // a solution is not the student's
    REQUIRE(tree::run("make lab1").status == 0);
    REQUIRE(tree::run("./harness -tc=minimum").status == 1);
    CHECK(has(shown(), "lab1   not run ")); // a single case is not a whole run
    REQUIRE(tree::run("./harness -aa=1").status == 1);
    CHECK(has(shown(), "lab1   not run ")); // a run that stops early is not whole either
    REQUIRE(tree::run("./harness").status == 1);
    text = shown();
    CHECK(has(text, "lab1    0 of 15  Scalar reduction\n"));
    CHECK(has(text, "\nnext: lab1, "));
    CHECK_FALSE(has(text, "changed"));

    take_solution();
    text = shown();
    CHECK(has(text, "lab1    0 of 15  Scalar reduction\n"
                    "                 its files changed after that run; type: make lab1 && "
                    "./harness\n"));
    const tree::Outcome passed = tree::run("make lab1 && ./harness");
    CHECK(passed.status == 0);
    CHECK(has(passed.output, "\nnext: lab2, Reduction with float4\n      You learn: "));
    text = shown("cd labs && make -C .. progress");
    CHECK(has(text, "lab1   15 of 15  Scalar reduction\nlab2   not run"));
    CHECK(has(text, "\nnext: lab2, Reduction with float4\n"));
    change(kernel, "__kernel", "// changed\n__kernel");
    text = shown();
    CHECK(has(text, "its files changed after that run"));
    CHECK(has(text, "\nnext: lab1, "));
    tree::restore_starters();
    forget_runs();
}

TEST_CASE("each --hint shows one more hint for the mistake, up to the instructor's last") {
    tree::restore_starters();
    forget_runs();
    take_solution();
    change(kernel, "barrier(CLK_LOCAL_MEM_FENCE);", "");
    REQUIRE(tree::run("make lab1").status == 0);
    const auto hint = [](const std::string& option) {
        const tree::Outcome outcome = tree::run("./harness --seed 7 -tc='no data race' " + option);
        CHECK(outcome.status == 1);
        static const std::regex pattern("        hint ([0-9]) of ([0-9]): ([^\n]*)\n");
        std::smatch match;
        return std::regex_search(outcome.output, match, pattern) ? match[1].str() + match[2].str()
                                                                 : "";
    };
    CHECK(hint("").empty());
    CHECK(hint("--hint") == "13");
    CHECK(hint("").empty());
    CHECK(hint("--hint") == "23");
    CHECK(hint("--hint") == "33");
    CHECK(hint("--hint") == "33");
    CHECK(hint("--hint=1") == "13");
    CHECK(hint("--hint") == "23");
    const fs::path course = tree::root() / "labs/course.json";
    tree::write(course, R"({"lab1": {"hint_levels": 2}})");
    CHECK(hint("--hint=3") == "22");
    tree::write(course, R"({"lab1": {"hints": "always"}})");
    forget_runs();
    CHECK(hint("") == "13");
    CHECK(hint("--hint") == "23");
    tree::write(course, R"({"lab1": {"hints": "never"}})");
    CHECK(hint("--hint").empty());
    tree::restore_starters();
    forget_runs();
}

TEST_CASE("a failure that another mistake causes gets a hint for that mistake") {
    tree::restore_starters();
    take_solution();
    // The host reads into an empty vector.
    change(host, "partial_results(groups);", "partial_results;");
    const auto hints_of = [](const char* name) {
        REQUIRE(tree::run("make lab1").status == 0);
        const tree::Outcome outcome =
            tree::run(std::string("./harness --hint=1 -tc='") + name + "'");
        INFO(outcome.output);
        CHECK(outcome.status == 1);
        CHECK(outcome.output.find("what grows with the input") == std::string::npos);
        return outcome.output;
    };
    hints_of("sum: millions of elements");
    take_solution();
    change(host, "0, groups * sizeof(cl_float),\n", "4, groups * sizeof(cl_float),\n");
    std::string text = hints_of("sum: millions of elements");
    CHECK(text.find("hint 1 of 2: Compare three sizes in bytes") != std::string::npos);
    take_solution();
    change(kernel, "__kernel", "nonsense __kernel");
    text = hints_of("sum: millions of elements");
    CHECK(text.find("does not compile") != std::string::npos);
    CHECK(text.find("hint") == std::string::npos);
    tree::restore_starters();
    text = hints_of("sum: millions of elements");
    CHECK(text.find("hint: labs/lab1/README.md says") != std::string::npos);
    forget_runs();
}
