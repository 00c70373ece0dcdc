#include "sandbox/sandbox.hpp"
#include "helpers.hpp"
#include "sandbox/over_limits.hpp"
#include "sandbox/processes.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <random>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <vector>

using helpers::has;
using sandbox::Cell;
using sandbox::Protection;
using sandbox::Sandbox;
using wire::UniqueFd;

namespace {

using Words = std::vector<std::string>;

/// The program under test, which is beside the folder of the tests.
std::string confine() {
    const auto tests = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return (tests.parent_path() / "sandbox" / "confine").string();
}

/// The sandboxes that work on this machine. `reasons`: why the others do not.
std::vector<Sandbox> sandboxes(Words* reasons = nullptr) {
    std::vector<Sandbox> found;
    for (const Protection one : {Protection::bubblewrap, Protection::user, Protection::none}) {
        try {
            found.push_back(Sandbox::choose(confine(), one));
        } catch (const std::exception& error) {
            if (reasons != nullptr)
                reasons->emplace_back(error.what());
        }
    }
    return found;
}

std::string random_name() {
    std::random_device random;
    return "captive-" + std::to_string(random()) + "-" + std::to_string(random());
}

/// Reads up to the end of a line or of the file; returns "" at the end of the file. Throws
/// std::runtime_error if that takes a minute.
std::string read_line(const UniqueFd& fd) {
    constexpr int minute = 60'000;
    std::string line;
    for (char c = 0; c != '\n';) {
        pollfd waiting{fd.get(), POLLIN, 0};
        if (::poll(&waiting, 1, minute) == 0)
            throw std::runtime_error("neither output nor its end within a minute");
        if (::read(fd.get(), &c, 1) != 1)
            break;
        line += c;
    }
    return line;
}

std::string read_all(const UniqueFd& fd) {
    std::string text;
    for (std::string line; !(line = read_line(fd)).empty();)
        text += line;
    return text;
}

/// Starts `command` with these descriptors. Its environment has a secret.
pid_t start(const Words& command, const std::vector<int>& descriptors) {
    wire::Program program{command};
    program.environment.emplace();
    for (char** variable = ::environ; *variable != nullptr; ++variable)
        program.environment->emplace_back(*variable);
    program.environment->emplace_back("SECRET=do not tell");
    program.descriptors = descriptors;
    return wire::start(program);
}

/// A started command. The destructor stops it if it has not ended.
class Started {
  public:
    explicit Started(const Words& command)
        : pid_(start(command, {wire::null_device, output_.writer.get(), errors_.writer.get(),
                               third_.writer.get(), fourth_.reader.get(), wire::null_device})) {
        output_.writer.reset();
        errors_.writer.reset();
        third_.writer.reset(); // the fourth keeps both ends: a write must not be fatal
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;
    ~Started() {
        if (pid_ > 0)
            stop();
    }

    pid_t pid() const { return pid_; }
    const UniqueFd& output() const { return output_.reader; }
    const UniqueFd& errors() const { return errors_.reader; }
    const UniqueFd& third() const { return third_.reader; }
    const UniqueFd& fourth() const { return fourth_.writer; }

    int wait() { return wire::wait_for(std::exchange(pid_, -1)); }
    int stop() {
        ::kill(pid_, SIGTERM);
        return wait();
    }

  private:
    wire::PipeEnds output_ = wire::create_pipe();
    wire::PipeEnds errors_ = wire::create_pipe();
    wire::PipeEnds third_ = wire::create_pipe();
    wire::PipeEnds fourth_ = wire::create_pipe();
    pid_t pid_ = -1;
};

/// An address of any kind, as the socket functions take it.
template <class Address> sockaddr* plain(Address& address) {
    return reinterpret_cast<sockaddr*>(&address); // NOLINT(*-reinterpret-cast)
}

struct Outcome {
    int status = 0;
    std::string output;
    std::string errors;

    bool exited(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
    bool died(int number) const { return WIFSIGNALED(status) && WTERMSIG(status) == number; }
};

Outcome run(const Sandbox& box, const Cell& cell, const Words& program) {
    Started started(box.command(cell, program));
    Outcome outcome;
    outcome.output = read_all(started.output());
    outcome.errors = read_all(started.errors());
    outcome.status = started.wait();
    return outcome;
}

Outcome shell(const Sandbox& box, const Cell& cell, const std::string& text) {
    return run(box, cell, {"/bin/sh", "-c", text});
}

/// The number of processes with `name` in their command line. Zombies do not count.
int processes(const std::string& name) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        if (std::isdigit(static_cast<unsigned char>(entry.path().filename().c_str()[0])) == 0)
            continue;
        std::ifstream stream(entry.path() / "cmdline");
        std::string text;
        for (std::string line; std::getline(stream, line);)
            text += line;
        count += has(text, name);
    }
    return count;
}

/// A folder for programs and what they write, and a name that identifies their processes.
class Place {
  public:
    explicit Place(const Sandbox& box) {
        namespace fs = std::filesystem;
        // Programs can enter it, whichever user they run as.
        fs::permissions(folder_.path(""), fs::perms::owner_all | fs::perms::group_exec |
                                              fs::perms::others_exec | fs::perms::others_read);
        fs::create_directory(folder_.path("programs"));
        fs::create_directory(folder_.path("work"));
        fs::copy_file(helpers::program("captive"), captive());
        box.hand_over(work());
        cell.readable = {folder_.path("programs")};
        cell.writable = {work()};
        cell.directory = work();
    }

    std::string name = random_name();
    Cell cell;

    std::string work() const { return folder_.path("work"); }
    std::string captive() const { return folder_.path("programs/captive"); }
    Words doing(Words words) const {
        words.insert(words.begin(), captive());
        words.push_back(name);
        return words;
    }
    const helpers::TemporaryFolder& folder() const { return folder_; }

  private:
    helpers::TemporaryFolder folder_;
};

template <class Function> void for_each_sandbox(const Function& function) {
    for (const Sandbox& box : sandboxes()) {
        CAPTURE(box.describe());
        function(box);
    }
}

/// The same for sandboxes in which programs cannot reach the files and processes of others.
template <class Function> void for_each_safe_sandbox(const Function& function) {
    for_each_sandbox([&](const Sandbox& box) {
        if (box.protection() != Protection::none)
            function(box);
    });
}

/// What over_limits() says; "" if the program is within its limits.
std::string excess_of(pid_t top, const Cell& cell) {
    const auto excess = sandbox::over_limits(top, cell);
    return excess ? sandbox::describe(*excess) : "";
}

/// The first answer of excess_of() that is not empty, within ten seconds.
std::string verdict_on(const Started& started, const Cell& cell) {
    const timespec begin = [] {
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        return now;
    }();
    for (timespec now = begin; now.tv_sec < begin.tv_sec + 10;
         ::clock_gettime(CLOCK_MONOTONIC, &now)) {
        std::string verdict = excess_of(started.pid(), cell);
        if (!verdict.empty())
            return verdict;
    }
    return {};
}

/// While it exists, this process has no more rights over other processes than their user.
class WithoutPowers {
  public:
    WithoutPowers() {
        __user_cap_header_struct header = version();
        ::syscall(SYS_capget, &header, before_.data());
        auto without = before_;
        without[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
        without[CAP_TO_INDEX(checkpoint_restore)].effective &= ~CAP_TO_MASK(checkpoint_restore);
        ::syscall(SYS_capset, &header, without.data());
    }
    WithoutPowers(const WithoutPowers&) = delete;
    WithoutPowers& operator=(const WithoutPowers&) = delete;
    ~WithoutPowers() {
        __user_cap_header_struct header = version();
        ::syscall(SYS_capset, &header, before_.data());
    }

  private:
    static constexpr int checkpoint_restore = 40; // older headers lack it
    static __user_cap_header_struct version() { return {_LINUX_CAPABILITY_VERSION_3, 0}; }

    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> before_{};
};

/// Makes Landlock unavailable, as on a kernel without it, for the rest of this process.
void deny_landlock() {
    constexpr unsigned int create_ruleset = 444;
    std::array filter{
        sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
        sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, create_ruleset},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
        sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    const sock_fprog program{filter.size(), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        throw std::runtime_error("prctl");
}

} // namespace

TEST_CASE("a machine has at least one of the protections") {
    Words reasons;
    const std::size_t found = sandboxes(&reasons).size();
    for (const std::string& reason : reasons)
        MESSAGE("not tested: " << reason);
    CHECK(found >= 1); // Protection::none always works
    CHECK(found + reasons.size() == 3);
}

TEST_CASE("a sandbox names its protection") {
    for_each_sandbox([](const Sandbox& box) {
        const std::string name = sandbox::name_of(box.protection());
        CHECK(sandbox::protection_named(name) == box.protection());
        CHECK(box.describe().substr(0, name.size()) == name);
        const bool has_user = has(box.describe(), "user 6");
        CHECK(has_user == (::geteuid() == 0 && box.protection() != Protection::none));
    });
    CHECK(has(helpers::what_of<std::runtime_error>([] { sandbox::protection_named("hope"); }),
              "choose bubblewrap, user or none"));
}

TEST_CASE("the best protection that works is chosen, and never none") {
    bool works = false;
    for_each_safe_sandbox([&](const Sandbox& box) {
        if (!works)
            CHECK(Sandbox::choose(confine(), std::nullopt).protection() == box.protection());
        works = true;
    });
    if (!works)
        CHECK(has(
            helpers::what_of<std::runtime_error>([] { Sandbox::choose(confine(), std::nullopt); }),
            "UNSAFE=1"));
}

TEST_CASE("if no protection works, the message says what was tried") {
    CHECK(has(helpers::what_of<std::system_error>(
                  [] { Sandbox::choose("/nowhere/confine", std::nullopt); }),
              "/nowhere/confine"));
    // Instead of the program, one that always fails.
    const std::string text =
        helpers::what_of<std::runtime_error>([] { Sandbox::choose("/bin/false", std::nullopt); });
    CHECK(has(text, "bubblewrap: "));
    CHECK(has(text, "user: "));
    CHECK(has(text, "install bubblewrap"));
    CHECK(has(text, "UNSAFE=1"));
}

TEST_CASE("if another user or Landlock is unavailable, the message says so") {
    const auto says = [](const std::string& part) {
        const std::string text = helpers::what_of<std::runtime_error>(
            [] { Sandbox::choose("/bin/false", Protection::user); });
        if (!has(text, part))
            throw std::runtime_error(text);
    };
    CHECK(helpers::survives([&] {
        constexpr uid_t nobody = 65534;
        if (::geteuid() == 0 && ::seteuid(nobody) != 0)
            throw std::runtime_error("seteuid");
        says("user: only root can run programs as another user; omit PROTECTION");
    }));
    if (::geteuid() == 0)
        CHECK(helpers::survives([&] {
            deny_landlock();
            says("user: without Landlock");
        }));
}

TEST_CASE("no two sandboxes share a user") {
    if (::geteuid() != 0) {
        MESSAGE("not tested: only root runs programs as other users");
        return;
    }
    const Sandbox one = Sandbox::choose(confine(), std::nullopt);
    const Sandbox other = Sandbox::choose(confine(), std::nullopt);
    CHECK(one.describe() != other.describe());
}

TEST_CASE("exit statuses and signals are passed on") {
    for_each_sandbox([](const Sandbox& box) {
        CHECK(shell(box, {}, "exit 0").exited(0));
        CHECK(shell(box, {}, "exit 7").exited(7));
        CHECK(shell(box, {}, "exit 255").exited(255));
        for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGKILL, SIGXCPU,
                                 SIGXFSZ, SIGSYS, SIGTERM, SIGPIPE, SIGTRAP}) {
            CAPTURE(number);
            CHECK(shell(box, {}, "kill -" + std::to_string(number) + " $$").died(number));
        }
    });
}

TEST_CASE("a failure to start a program or pass it something is reported") {
    for_each_sandbox([](const Sandbox& box) {
        const Outcome outcome = run(box, {}, {"/usr/bin/no-such-program"});
        CHECK(outcome.exited(127));
        CHECK(has(outcome.errors, "confine: cannot start /usr/bin/no-such-program"));
        Cell cell;
        cell.directory = "/nowhere";
        const Outcome nowhere = run(box, cell, {"/bin/true"});
        CHECK(nowhere.exited(125));
        CHECK(nowhere.errors == "confine: cannot enter /nowhere: No such file or directory\n");
        cell.readable = {"/nowhere"};
        CHECK(has(helpers::what_of<std::runtime_error>([&] { box.command(cell, {"/bin/true"}); }),
                  "/nowhere"));
        const Place place(box);
        cell = place.cell;
        cell.hidden = {place.work()};
        CHECK(has(helpers::what_of<std::runtime_error>([&] { box.command(cell, {"/bin/true"}); }),
                  "cannot be hidden"));
    });
}

TEST_CASE("confine reports options that it does not understand") {
    const auto errors_of = [](const Words& words) {
        Words command{confine()};
        command.insert(command.end(), words.begin(), words.end());
        Started started(command);
        std::string errors = read_all(started.errors());
        const int status = started.wait();
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 125);
        return errors;
    };
    CHECK(errors_of({"--frobnicate", "--", "/bin/true"}) ==
          "confine: there is no option --frobnicate\n");
    CHECK(errors_of({"--cpu", "many", "--", "/bin/true"}) == "confine: \"many\" is not a number\n");
    CHECK(errors_of({"--cpu"}) == "confine: --cpu needs a value\n");
    CHECK(has(errors_of({"--user", "0", "--", "/bin/true"}),
              "confine: untrusted programs must not run as user 0"));
    CHECK(has(errors_of({"--supervise", "--"}), "confine: there is nothing to run"));
    CHECK(has(errors_of({"--landlock", "perhaps", "--", "/bin/true"}), "perhaps"));
}

TEST_CASE("a program has its output and the two descriptors passed to it, and no other") {
    for_each_sandbox([](const Sandbox& box) {
        Started started(box.command({}, {"/bin/sh", "-c",
                                         "echo out; echo error >&2; read line <&4; "
                                         "echo third $line >&3; echo x >&5"}));
        REQUIRE(::write(started.fourth().get(), "fourth\n", 7) == 7);
        CHECK(read_all(started.output()) == "out\n");
        CHECK(read_all(started.third()) == "third fourth\n");
        const std::string errors = read_all(started.errors());
        CHECK(errors.substr(0, 6) == "error\n");
        CHECK(has(errors, "Bad file descriptor"));
        CHECK(started.wait() != 0);
    });
}

TEST_CASE("the supervisor keeps no end of a channel open") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        Started started(
            box.command(place.cell, {"/bin/sh", "-c", "exec >&- 2>&- 3>&-; read line <&4"}));
        CHECK(read_all(started.third()).empty());         // ends while the program runs
        if (box.protection() != Protection::bubblewrap) { // which keeps its own open
            CHECK(read_all(started.output()).empty());
            CHECK(read_all(started.errors()).empty());
        }
        REQUIRE(::write(started.fourth().get(), "x\n", 2) == 2);
        CHECK(started.wait() == 0);
    });
}

TEST_CASE("a program's environment is exactly the one it was given") {
    for_each_sandbox([](const Sandbox& box) {
        Cell cell;
        cell.environment = {{"ONE", "1 and\ta = sign"}, {"TWO", ""}};
        CHECK(run(box, cell, {"/usr/bin/env"}).output == "ONE=1 and\ta = sign\nTWO=\n");
        CHECK(run(box, {}, {"/usr/bin/env"}).output.empty());
        const Place place(box);
        const bool own_tmp = box.protection() == Protection::user;
        CHECK(run(box, place.cell, {"/usr/bin/env"}).output ==
              (own_tmp ? "TMPDIR=" + place.work() + "\n" : ""));
        // Nor does it find the grader's environment in another process.
        if (box.protection() == Protection::none)
            return;
        CHECK_FALSE(
            has(shell(box, {}, "cat /proc/1/environ /proc/$PPID/environ").output, "SECRET"));
    });
}

TEST_CASE("a program runs in its folder, and the files it leaves there are readable") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        const Outcome outcome = shell(box, place.cell, "echo text > file; mkdir -p a/b; pwd");
        CHECK(outcome.exited(0));
        CHECK(outcome.output == place.work() + "\n");
        std::string text;
        std::getline(std::ifstream(place.work() + "/file"), text);
        CHECK(text == "text");
        CHECK(std::filesystem::is_directory(place.work() + "/a/b"));
    });
}

TEST_CASE("a program that becomes a daemon leaves nothing behind") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        const Outcome outcome = run(box, place.cell, place.doing({"daemon"}));
        CHECK(outcome.output == "daemon\n");
        CHECK(outcome.exited(6));
        CHECK(processes(place.name) == 0);
    });
}

TEST_CASE("a fork bomb leaves nothing behind") {
    for_each_sandbox([](const Sandbox& box) {
        if (box.protection() == Protection::none && ::geteuid() == 0) {
            MESSAGE("not tested: root's processes have no limit");
            return;
        }
        Place place(box);
        place.cell.limits.processes = 40;
        Started started(box.command(place.cell, place.doing({"bomb"})));
        CHECK(read_line(started.output()) == "full\n");
        const int most = processes(place.name);
        CHECK(most > 20);
        CHECK(most < 50); // with the processes around it
        CHECK(WIFSIGNALED(started.stop()));
        CHECK(processes(place.name) == 0);

        CHECK(run(box, place.cell, place.doing({"die among bombs"})).died(SIGABRT));
        CHECK(processes(place.name) == 0);
    });
}

TEST_CASE("a program that stops its killers leaves nothing behind") {
    for_each_safe_sandbox([](const Sandbox& box) {
        if (::geteuid() != 0)
            return; // as the same user it would stop this test
        const Place place(box);
        Words command = box.command(place.cell, place.doing({"stop all"}));
        // As under a Landlock that does not restrict signals.
        std::ranges::replace(command, std::string("required"), std::string("no"));
        constexpr int rounds = 20; // it does not always hit the process that cleans up
        for (int i = 0; i < rounds; ++i) {
            Started started(command);
            CHECK(read_line(started.output()) == "stopping\n");
            started.stop();
            CHECK(processes(place.name) == 0);
        }
    });
}

TEST_CASE("SIGTERM to the supervisor ends a program that ignores it") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
            Started started(box.command(place.cell, place.doing({"stay"})));
            CHECK(read_line(started.output()) == "ready\n");
            CHECK(processes(place.name) > 0);
            ::kill(started.pid(), number);
            const int status = started.wait();
            CHECK(WIFSIGNALED(status));
            CHECK(WTERMSIG(status) == SIGKILL);
            CHECK(processes(place.name) == 0);
            CHECK(read_all(started.output()).empty());
        }
    });
}

TEST_CASE("everything ends with the process that started the supervisor") {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1); // so that the supervisor can be waited for
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        const Words command = box.command(place.cell, place.doing({"stay"}));
        wire::PipeEnds output = wire::create_pipe();
        const pid_t starter = ::fork();
        if (starter == 0) {
            start(command, {STDIN_FILENO, output.writer.get(), STDERR_FILENO});
            output.writer.reset();
            for (;;)
                ::pause();
        }
        output.writer.reset();
        CHECK(read_line(output.reader) == "ready\n");
        const std::vector<pid_t> below = sandbox::descendants(starter);
        REQUIRE(below.size() >= 2);
        ::kill(starter, SIGKILL);
        wire::wait_for(starter);
        CHECK(read_all(output.reader).empty());
        wire::wait_for(below.front());
        CHECK(processes(place.name) == 0);
    });
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("a program's processes are found as descendants of the supervisor") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        Started started(box.command(place.cell, place.doing({"herd", "5", "1"})));
        CHECK(read_line(started.output()) == "full\n");
        const std::vector<pid_t> found = sandbox::descendants(started.pid());
        CHECK(found.size() >= 6);
        CHECK(found.size() < 10);
        CHECK(sandbox::descendants(found.back()).empty());
        CHECK(std::ranges::count(found, started.pid()) == 0);
        CHECK(excess_of(started.pid(), place.cell).empty());
    });
}

TEST_CASE("a program that starts too many processes is reported") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.processes = 40;
        Started started(box.command(place.cell, place.doing({"herd", "35", "1"})));
        CHECK(has(verdict_on(started, place.cell), "processes and threads; the limit is"));
    });
}

TEST_CASE("a program starts with its given limits and the usual signals") {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    struct sigaction before {};
    ::sigaction(SIGTERM, &ignore, &before); // which a started process inherits
    for_each_sandbox([](const Sandbox& box) {
        Cell cell;
        cell.limits.open_files = 37;
        cell.limits.file_bytes = 51200;
        CHECK(shell(box, cell, "ulimit -n; ulimit -f; ulimit -c; umask").output ==
              "37\n100\n0\n0077\n");
        CHECK(shell(box, cell, "kill -TERM $$; echo alive").died(SIGTERM));
        // It has its own session: signals to its group do not reach the processes around it.
        CHECK(shell(box, cell, "trap '' INT; kill -INT 0; exit 3").exited(3));
        CHECK(run(box, cell, {"/bin/cat", "/proc/self/oom_score_adj"}).output == "1000\n");
    });
    ::sigaction(SIGTERM, &before, nullptr);
}

TEST_CASE("a program cannot exceed its memory limit") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.memory_bytes = std::size_t{64} << 20;
        const std::string enough = std::to_string(std::size_t{48} << 20);
        const std::string too_much = std::to_string(std::size_t{65} << 20);
        CHECK(run(box, place.cell, place.doing({"allocate", enough})).output == "given\n");
        CHECK(run(box, place.cell, place.doing({"allocate", too_much})).output == "refused\n");
    });
}

TEST_CASE("the memory of many processes, and memory without a process, is counted") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.memory_bytes = std::size_t{64} << 20;
        place.cell.limits.file_bytes = std::size_t{128} << 20;
        const std::string part = std::to_string(std::size_t{17} << 20);
        {
            Started few(box.command(place.cell, place.doing({"herd", "2", part})));
            CHECK(read_line(few.output()) == "full\n");
            CHECK(excess_of(few.pid(), place.cell).empty());
        }
        {
            Started many(box.command(place.cell, place.doing({"herd", "4", part})));
            CHECK(read_line(many.output()) == "full\n");
            CHECK(has(excess_of(many.pid(), place.cell), "of memory; the limit is 64 MiB"));
        }
        const std::string half = std::to_string(std::size_t{32} << 20);
        const std::string twice = std::to_string(std::size_t{80} << 20);
        for (const Words& deed : {Words{"hide memory"},
                                  {"let go of memory"},
                                  {"unmap memory"},
                                  {"without leader", "allocate and stay"},
                                  {"without leader", "hide memory"},
                                  {"without leader", "let go of memory"}}) {
            CAPTURE(deed.front() + " " + deed.back());
            if (deed.front() == "unmap memory" && ::geteuid() != 0)
                continue; // only root sees that
            const auto doing = [&](const std::string& bytes) {
                Words words = deed;
                words.push_back(bytes);
                return place.doing(words);
            };
            Started small(box.command(place.cell, doing(half)));
            CHECK(has(read_line(small.output()), ": done"));
            CHECK(excess_of(small.pid(), place.cell).empty());
            Cell cell = place.cell;
            cell.limits.memory_bytes = std::size_t{100} << 20; // the program must reach it
            Started large(box.command(cell, doing(twice)));
            CHECK(has(read_line(large.output()), ": done"));
            CHECK(has(excess_of(large.pid(), place.cell), "of memory"));
        }
    });
}

TEST_CASE("each file is limited in size, and so are all files together") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.file_bytes = std::size_t{1} << 20;
        place.cell.limits.disk_bytes = std::size_t{1} << 20;
        const std::string file = place.work() + "/file";
        CHECK(run(box, place.cell, place.doing({"write", file, "1048576"})).exited(0));
        // The part that fits is written; the rest kills the program.
        CHECK(shell(box, place.cell, "exec dd if=/dev/zero of=file bs=1000000 count=2")
                  .died(SIGXFSZ));
        CHECK(std::filesystem::file_size(file) <= std::size_t{1} << 20);
        std::filesystem::remove(file);

        place.cell.limits.file_bytes = std::size_t{2} << 20;
        for (const Words& deed : {Words{"write and stay"},
                                  {"write, remove and stay"},
                                  {"without leader", "write, remove and stay"}}) {
            CAPTURE(deed.front() + " " + deed.back());
            const auto doing = [&](const std::string& bytes) {
                Words words = deed;
                words.insert(words.end(), {file, bytes});
                return place.doing(words);
            };
            {
                Started little(box.command(place.cell, doing("500000")));
                CHECK(read_line(little.output()) == "write: done\n");
                CHECK(excess_of(little.pid(), place.cell).empty());
            }
            Started much(box.command(place.cell, doing("1100000")));
            CHECK(read_line(much.output()) == "write: done\n");
            CHECK(has(verdict_on(much, place.cell), "more than 1 MiB of files"));
        }
        std::filesystem::remove(file);
        // Many empty files are too much, too.
        Started many(box.command(place.cell, {"/bin/sh", "-c",
                                              "i=0; while [ $i -lt 300 ]; do : > $i; i=$((i+1)); "
                                              "done; echo full; read line <&4"}));
        CHECK(read_line(many.output()) == "full\n");
        CHECK(has(excess_of(many.pid(), place.cell), "of files"));
    });
}

TEST_CASE("files that are only mapped are found, and count fully if that can be detected") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.memory_bytes = std::size_t{64} << 20;
        place.cell.limits.disk_bytes = std::size_t{4} << 20;
        const auto verdict_on = [&](const std::string& files, const std::string& kind) {
            Started started(
                box.command(place.cell, place.doing({"keep mapped", files, "1000000", kind})));
            CHECK(read_line(started.output()) == "full\n");
            return excess_of(started.pid(), place.cell);
        };
        CHECK(verdict_on("3", "disk").empty());
        CHECK(verdict_on("10", "memory").empty());
        if (::geteuid() == 0) {
            CHECK(has(verdict_on("5", "disk"), "more than 4 MiB of files"));
            CHECK(has(verdict_on("70", "memory"), "of memory"));
        }
        const WithoutPowers like_others;
        CHECK(verdict_on("8", "disk").empty());
        CHECK(has(verdict_on("9", "disk"), "sizes cannot be determined"));
    });
}

TEST_CASE("memory in a file that is closed during the check does not count as a file on disk") {
    for_each_sandbox([](const Sandbox& box) {
        Place place(box);
        place.cell.limits.disk_bytes = std::size_t{1} << 20;
        Started started(box.command(place.cell, place.doing({"reopen memory", "2000000"})));
        CHECK(read_line(started.output()) == "reopen: done\n");
        std::string verdict;
        for (int check = 0; check < 2000 && verdict.empty(); ++check)
            verdict = excess_of(started.pid(), place.cell);
        CHECK(verdict == "");
    });
}

TEST_CASE("a program with too many things to check is not checked for long") {
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        {
            Started few(box.command(place.cell, place.doing({"splinter", "2", "20000"})));
            CHECK(read_line(few.output()) == "full\n");
            CHECK(excess_of(few.pid(), place.cell).empty());
        }
        Started many(box.command(place.cell, place.doing({"splinter", "4", "20000"})));
        CHECK(read_line(many.output()) == "full\n");
        CHECK(has(excess_of(many.pid(), place.cell), "than can be checked"));
    });
}

TEST_CASE("many empty files in a program's own /tmp count as well") {
    for_each_sandbox([](const Sandbox& box) {
        if (box.protection() != Protection::bubblewrap)
            return;
        Place place(box);
        place.cell.limits.disk_bytes = std::size_t{1} << 20;
        const auto verdict_on = [&](const std::string& folder, int files) {
            Started started(box.command(
                place.cell, {"/bin/sh", "-c",
                             "cd " + folder + "; i=0; while [ $i -lt " + std::to_string(files) +
                                 " ]; do : > $i; i=$((i+1)); done; echo full; read line <&4"}));
            CHECK(read_line(started.output()) == "full\n");
            return excess_of(started.pid(), place.cell);
        };
        for (const char* folder : {"/tmp", "/dev/shm"}) {
            CHECK(verdict_on(folder, 200).empty());
            CHECK(has(verdict_on(folder, 300), "of files"));
        }
    });
}

TEST_CASE("a program has no network and no access to other sockets") {
    const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(listener.get(), plain(address), size) == 0);
    REQUIRE(::listen(listener.get(), 5) == 0);
    REQUIRE(::getsockname(listener.get(), plain(address), &size) == 0);
    const std::string port = std::to_string(ntohs(address.sin_port));

    const UniqueFd datagrams(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const std::string name = random_name();
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    std::memcpy(&local.sun_path[1], name.data(), name.size());
    REQUIRE(::bind(datagrams.get(), plain(local),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())) == 0);

    // Without a sandbox, all of this works.
    Started free({helpers::program("captive"), "connect", port, name});
    CHECK(read_all(free.output()) == "tcp: done\nabstract: done\nsent: done\npair: done\n");
    CHECK(free.wait() == 0);

    for_each_sandbox([&](const Sandbox& box) {
        const Place place(box);
        const Outcome outcome = run(box, place.cell, place.doing({"connect", port, name}));
        CHECK(has(outcome.output, "tcp: E"));
        CHECK(has(outcome.output, "abstract: E"));
        CHECK(has(outcome.output, "sent: E"));
        CHECK(has(outcome.output, "pair: EPERM"));
        Cell cell = place.cell;
        cell.gpu = true;
        const Outcome beside_gpu = run(box, cell, place.doing({"connect", port, name}));
        CHECK(has(beside_gpu.output, "sent: E"));
        CHECK(has(beside_gpu.output, "pair: done"));
    });
}

TEST_CASE("a program reads only what it was given") {
    for_each_safe_sandbox([](const Sandbox& box) {
        Place place(box);
        std::filesystem::create_directory(place.folder().path("programs/hidden"));
        std::filesystem::create_directory(place.folder().path("programs/hidden/shown"));
        place.folder().write("secret", "secret of the grader");
        place.folder().write("programs/open", "for everybody");
        place.folder().write("programs/hidden/secret", "secret of the course");
        place.folder().write("programs/hidden/shown/open", "for everybody");
        const std::string programs = place.folder().path("programs");
        place.cell.hidden = {programs + "/hidden", "/usr/include"};
        place.cell.readable.push_back(programs + "/hidden/shown");

        const auto text_of = [&](const std::string& file) {
            return run(box, place.cell, {"/bin/cat", file}).output;
        };
        CHECK(text_of(programs + "/open") == "for everybody");
        CHECK(text_of(programs + "/hidden/shown/open") == "for everybody");
        CHECK(text_of(place.folder().path("secret")).empty());
        CHECK(text_of(programs + "/hidden/secret").empty());
        REQUIRE(std::filesystem::exists("/usr/include/stdio.h"));
        CHECK(text_of("/usr/include/stdio.h").empty());
        CHECK_FALSE(text_of("/usr/include/../lib/os-release").empty());
        CHECK(text_of("/etc/passwd").empty());
        CHECK(text_of("/proc/" + std::to_string(::getpid()) + "/cmdline").empty());
        for (const char* folder : {"/root", "/home", "/var", "/etc/ssl"})
            CHECK(run(box, place.cell, {"/bin/ls", folder}).output.empty());
    });
}

TEST_CASE("a program writes only in its folder") {
    for_each_safe_sandbox([](const Sandbox& box) {
        const Place place(box);
        const Words folders{"/tmp",     "/var/tmp",  "/dev/shm",
                            "/dev",     "/run/lock", "/usr",
                            "/usr/bin", "/",         place.folder().path("programs")};
        for (const std::string& folder : folders) {
            const std::string file = folder + "/" + place.name;
            run(box, place.cell, {"/bin/touch", file});
            CHECK_FALSE(std::filesystem::exists(file));
        }
        // Nor can a program fill memory through the folders that bubblewrap mounts.
        for (const char* folder : {"/", "/dev", "/etc"})
            CHECK_FALSE(shell(box, place.cell, std::string("echo x > ") + folder + "/x").exited(0));
        CHECK_FALSE(shell(box, place.cell, "echo x >> " + place.captive()).exited(0));
        CHECK(shell(box, place.cell, "echo x > /dev/null").exited(0));
    });
}

TEST_CASE("a program's own /tmp is limited in size and is removed with the program") {
    for_each_sandbox([](const Sandbox& box) {
        if (box.protection() != Protection::bubblewrap)
            return;
        Place place(box);
        place.cell.limits.disk_bytes = std::size_t{1} << 20;
        CHECK(shell(box, place.cell, "head -c 900000 /dev/zero > /tmp/rest").exited(0));
        CHECK_FALSE(shell(box, place.cell, "head -c 1100000 /dev/zero > /tmp/rest").exited(0));
        CHECK_FALSE(shell(box, place.cell, "head -c 1100000 /dev/zero > /dev/shm/rest").exited(0));
        CHECK(shell(box, place.cell, "test -e /tmp/rest").exited(1));
    });
}

TEST_CASE("a program cannot access other processes or gain privileges") {
    struct sigaction handler {};
    handler.sa_handler = SIG_IGN;
    struct sigaction before {};
    ::sigaction(SIGUSR1, &handler, &before);
    for_each_sandbox([](const Sandbox& box) {
        const Place place(box);
        const Outcome outcome =
            run(box, place.cell, place.doing({"attack", std::to_string(::getpid())}));
        CHECK(outcome.exited(0));
        for (const char* deed : {"ptrace", "shm", "hide", "namespace", "clone"}) {
            CAPTURE(std::string(deed));
            CHECK(has(outcome.output, std::string(deed) + ": EPERM"));
        }
        if (box.protection() == Protection::none)
            return;
        for (const char* deed : {"kill", "memory", "root", "more processor time"}) {
            CAPTURE(std::string(deed));
            CHECK(has(outcome.output, std::string(deed) + ": E"));
        }
        const std::string status = run(box, place.cell, {"/bin/cat", "/proc/self/status"}).output;
        CHECK(has(status, "NoNewPrivs:\t1\n"));
        CHECK(has(status, "CapEff:\t0000000000000000\n"));
        CHECK(has(status, "CapPrm:\t0000000000000000\n"));
        CHECK(has(status, "CapInh:\t0000000000000000\n"));
        CHECK(has(status, "CapAmb:\t0000000000000000\n"));
        CHECK(has(status, "Seccomp:\t2\n"));
        if (::geteuid() == 0)
            CHECK_FALSE(has(status, "Uid:\t0"));
    });
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("a program under bubblewrap sees no other processes") {
    for_each_sandbox([](const Sandbox& box) {
        if (box.protection() != Protection::bubblewrap)
            return;
        const std::string listing = run(box, {}, {"/bin/ls", "/proc"}).output;
        int processes = 0;
        for (const char c : listing.substr(0, listing.find("acpi")))
            processes += c == '\n';
        CHECK(processes >= 1);
        CHECK(processes <= 3);
        CHECK(shell(box, {}, "cat /proc/sys/kernel/hostname").output == "sandbox\n");
    });
}

TEST_CASE("CPU time is limited, and a warning comes first") {
    Cell cell;
    cell.limits.cpu_seconds = 1;
    // All sandboxes do the same here.
    const Outcome outcome =
        shell(sandboxes().front(), cell, "trap 'echo warned' XCPU; while :; do :; done");
    CHECK(outcome.output == "warned\n");
    CHECK(outcome.died(SIGKILL));
}
