#include "wire/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wire {
namespace {

/// Gives this process exactly these descriptors. `safe` has room for as many.
void take_descriptors(const std::vector<int>& wanted, std::vector<int>& safe) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    // First moves the descriptors away from the numbers that will be assigned, then to these.
    for (std::size_t i = 0; i < wanted.size(); ++i)
        safe[i] = ::fcntl(wanted[i] == null_device ? null : wanted[i], F_DUPFD_CLOEXEC,
                          static_cast<int>(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (::dup2(safe[i], static_cast<int>(i)) < 0)
            ::_exit(cannot_execute);
    }
}

/// Becomes the program. Allocates nothing, because another thread may have held the lock for that
/// during the fork.
[[noreturn]] void become(const Program& program, const std::vector<char*>& arguments,
                         char* const* environment, std::vector<int>& safe, pid_t parent) {
    if (program.own_group)
        ::setpgid(0, 0);
    if (program.death_signal != 0)
        ::prctl(PR_SET_PDEATHSIG, program.death_signal);
    if (program.death_signal != 0 && ::getppid() != parent)
        ::_exit(cannot_execute); // the parent died before the line above took effect
    if (!program.directory.empty() && ::chdir(program.directory.c_str()) != 0)
        ::_exit(cannot_execute);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    take_descriptors(program.descriptors, safe);
    ::execve(arguments.front(), arguments.data(), environment);
    ::_exit(cannot_execute);
}

} // namespace

PipeEnds create_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw_errno("cannot create a pipe");
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

pid_t start(const Program& program) {
    const std::vector<char*> arguments = pointers_to(program.arguments);
    std::vector<char*> variables;
    if (program.environment)
        variables = pointers_to(*program.environment);
    char* const* const environment = program.environment ? variables.data() : ::environ;
    std::vector<int> safe(program.descriptors.size());
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0)
        throw_errno("cannot start " + program.arguments.front());
    if (child == 0)
        become(program, arguments, environment, safe, parent);
    if (program.own_group)
        ::setpgid(child, child); // both parent and child do this; either can come first
    return child;
}

bool has_ended(pid_t child) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child; // NOLINT(cppcoreguidelines-pro-type-union-access)
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str())); // NOLINT(*-const-cast): exec's type
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace wire
