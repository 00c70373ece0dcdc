#include "sandbox/supervisor.hpp"

#include "sandbox/confinement.hpp"
#include "sandbox/processes.hpp"
#include "wire/handles.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <limits>
#include <set>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sandbox {
namespace {

using wire::throw_errno;

/// The signals that a program can die of, which bubblewrap reports as exit status 128 + N.
constexpr std::array fatal_signals{SIGSEGV, SIGABRT, SIGFPE, SIGILL,  SIGBUS,  SIGKILL,
                                   SIGXCPU, SIGXFSZ, SIGSYS, SIGTERM, SIGPIPE, SIGTRAP};

/// After this many scans that find new processes, it is time to kill the known ones.
constexpr int max_scans = 100;

/// Waits until a child has ended, and kills it if it is stopped. Returns whether it ended by
/// itself.
bool ends_by_itself(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, WUNTRACED) < 0 && errno == EINTR) {
    }
    if (!WIFSTOPPED(status))
        return WIFEXITED(status);
    ::kill(child, SIGKILL);
    wire::wait_for(child);
    return false;
}

/// Kills all processes of `user` at once, which no fork escapes. The kernel does that only for the
/// user itself, so this needs a process of that user, which the others can kill or stop first.
void kill_all_of(uid_t user) {
    const auto group = static_cast<gid_t>(user);
    for (;;) {
        const pid_t killer = ::fork();
        if (killer < 0)
            return; // no room until other processes have ended, which the caller takes care of
        if (killer == 0) {
            if (::setgroups(0, nullptr) == 0 && ::setresgid(group, group, group) == 0 &&
                ::setresuid(user, user, user) == 0)
                ::kill(-1, SIGKILL);
            ::_exit(0);
        }
        if (ends_by_itself(killer))
            return;
    }
}

/// Stops all descendants before it kills them, so that none can start another one meanwhile.
void kill_tree() {
    std::set<pid_t> stopped;
    for (int scan = 0; scan < max_scans; ++scan) {
        const std::size_t before = stopped.size();
        for (const pid_t pid : descendants(::getpid())) {
            if (stopped.insert(pid).second)
                ::kill(pid, SIGSTOP);
        }
        if (stopped.size() == before)
            break;
    }
    for (const pid_t pid : descendants(::getpid()))
        ::kill(pid, SIGKILL);
}

/// The supervisor received descriptors for the command. It must not keep them: a process that waits
/// for their end waits for the command.
void let_go_of_descriptors() {
    const wire::UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(null.get(), fd);
    constexpr unsigned int first = STDERR_FILENO + 1;
    if (::syscall(SYS_close_range, first, std::numeric_limits<unsigned int>::max(), 0) == 0)
        return;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    for (int fd = first; fd < static_cast<int>(limit.rlim_cur); ++fd)
        ::close(fd);
}

void set_default(int number) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL; // NOLINT(cppcoreguidelines-pro-type-union-access)
    ::sigaction(number, &plain, nullptr);
}

/// One command under way.
class Supervisor {
  public:
    explicit Supervisor(const Supervision& supervision) : supervision_(supervision) {
        const pid_t parent = ::getppid();
        set_default(SIGCHLD); // if it is ignored, the end of a child is not reported
        ::sigemptyset(&awaited_);
        for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
            ::sigaddset(&awaited_, number);
        if (::pthread_sigmask(SIG_BLOCK, &awaited_, nullptr) != 0 ||
            ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || ::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
            throw_errno("cannot supervise processes");
        if (::getppid() != parent)
            throw std::runtime_error("the parent has ended");
    }

    /// Runs the command and returns its status, as waitpid does.
    int run() {
        main_ = ::fork();
        if (main_ < 0)
            throw_errno("cannot start a process");
        if (main_ == 0)
            become_command();
        let_go_of_descriptors();
        while (!ended_) {
            siginfo_t info{};
            const int number = ::sigwaitinfo(&awaited_, &info);
            if (number == SIGCHLD)
                reap_what_ended();
            else if (number > 0)
                break;
        }
        end_everything();
        return status_;
    }

  private:
    [[noreturn]] void become_command() const {
        ::setsid();
        sigset_t none;
        ::sigemptyset(&none);
        ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
        // The program must not read our environment variables.
        ::_exit(execute(supervision_.command, {}));
    }

    void note(pid_t pid, int status) {
        if (pid != main_)
            return;
        ended_ = true;
        status_ = status;
    }

    void reap_what_ended() {
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
            note(pid, status);
    }

    /// Orphans become children of this process, a subreaper: nothing is left if it has no child.
    void end_everything() {
        for (;;) {
            if (supervision_.user)
                kill_all_of(*supervision_.user);
            if (supervision_.tree)
                kill_tree();
            const std::vector<pid_t> known = children(::getpid());
            for (const pid_t pid : known)
                ::kill(pid, SIGKILL);
            int status = 0;
            // A list that is read while processes start and end can be too short.
            const pid_t pid = ::waitpid(-1, &status, known.empty() ? WNOHANG : 0);
            if (pid < 0 && errno == ECHILD)
                return;
            note(pid, status);
            reap_what_ended();
        }
    }

    const Supervision& supervision_;
    sigset_t awaited_{};
    pid_t main_ = -1;
    bool ended_ = false;
    int status_ = 0;
};

/// Dies as the command died.
[[noreturn]] void die_by(int number) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    set_default(number);
    sigset_t all;
    ::sigemptyset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    ::kill(::getpid(), number);
    ::_exit(128 + number); // a signal that does not end a process
}

} // namespace

int supervise(const Supervision& supervision) {
    const int status = Supervisor(supervision).run();
    if (WIFSIGNALED(status))
        die_by(WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    const bool bubblewrap = !supervision.user && !supervision.tree;
    if (bubblewrap && std::ranges::find(fatal_signals, code - 128) != fatal_signals.end())
        die_by(code - 128);
    return code;
}

} // namespace sandbox
