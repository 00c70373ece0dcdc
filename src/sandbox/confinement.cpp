#include "sandbox/confinement.hpp"

#include "sandbox/system_calls.hpp"
#include "wire/handles.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <iostream>
#include <limits>
#include <linux/capability.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace sandbox {
namespace {

using wire::throw_errno;

/// Standard input and output, and the two that a caller can pass on.
constexpr int last_descriptor = 4;

constexpr rlim_t stack_size = rlim_t{8} << 20;
constexpr rlim_t locked_memory = rlim_t{64} << 10;

void close_other_descriptors() {
    constexpr auto first = static_cast<unsigned int>(last_descriptor) + 1;
    if (::syscall(SYS_close_range, first, std::numeric_limits<unsigned int>::max(), 0) == 0)
        return;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        throw_errno("cannot count descriptors");
    for (int fd = last_descriptor + 1; fd < static_cast<int>(limit.rlim_max); ++fd)
        ::close(fd);
}

/// Blocks, ignores and catches no signal, whatever was inherited.
void reset_signals() {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL; // NOLINT(cppcoreguidelines-pro-type-union-access)
    for (int number = 1; number <= SIGRTMAX; ++number)
        ::sigaction(number, &plain, nullptr); // two of them cannot and need not be set
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

/// When memory runs out, the kernel kills this program first. If that cannot be set, nothing is
/// lost.
void offer_to_the_oom_killer() {
    const wire::UniqueFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
    const std::string most = "1000";
    if (file && ::write(file.get(), most.data(), most.size()) < 0)
        return;
}

/// Lowers a limit, unless it is lower already.
void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard, const std::string& what) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0)
        throw_errno("cannot limit " + what);
    limit.rlim_max = std::min(limit.rlim_max, hard);
    limit.rlim_cur = std::min(limit.rlim_max, soft);
    if (::setrlimit(resource, &limit) != 0)
        throw_errno("cannot limit " + what);
}

void limit(__rlimit_resource resource, std::optional<std::uint64_t> value,
           const std::string& what) {
    if (value)
        limit(resource, *value, *value, what);
}

void set_limits(const Confinement& confinement) {
    if (confinement.cpu_seconds)
        limit(RLIMIT_CPU, *confinement.cpu_seconds, *confinement.cpu_seconds + 1, "processor time");
    limit(RLIMIT_DATA, confinement.memory, "memory");
    limit(RLIMIT_AS, confinement.address_space, "address space");
    limit(RLIMIT_NPROC, confinement.processes, "processes");
    limit(RLIMIT_FSIZE, confinement.file_size, "the size of files");
    limit(RLIMIT_NOFILE, confinement.open_files, "open files");
    limit(RLIMIT_CORE, 0, 0, "core dumps");
    limit(RLIMIT_MEMLOCK, locked_memory, locked_memory, "locked memory");
    limit(RLIMIT_MSGQUEUE, 0, 0, "message queues");
    limit(RLIMIT_RTPRIO, 0, 0, "priority");
    limit(RLIMIT_STACK, stack_size, RLIM_INFINITY, "the stack");
}

/// Drops all of root's privileges. This process cannot get them back, because new privileges are
/// ruled out, too.
void drop_capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> nothing{};
    if (::syscall(SYS_capset, &header, nothing.data()) != 0)
        throw_errno("cannot drop capabilities");
}

void become_user(uid_t user, const std::vector<gid_t>& groups) {
    const auto group = static_cast<gid_t>(user);
    if (::setgroups(groups.size(), groups.data()) != 0 || ::setresgid(group, group, group) != 0 ||
        ::setresuid(user, user, user) != 0)
        throw_errno("cannot become user " + std::to_string(user));
    drop_capabilities();
}

/// The parent can end before this takes effect, so the parent is compared afterwards.
void die_with_parent() {
    const pid_t parent = ::getppid();
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        throw_errno("cannot ask for a signal when the parent ends");
    if (::getppid() != parent)
        throw std::runtime_error("the parent has ended");
}

} // namespace

int execute(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    const std::vector<char*> arguments = wire::pointers_to(command);
    const std::vector<char*> variables = wire::pointers_to(environment);
    ::execve(arguments.front(), arguments.data(), variables.data());
    const std::error_code error(errno, std::generic_category());
    std::cerr << "confine: cannot start " << command.front() << ": " << error.message() << '\n';
    return wire::cannot_execute;
}

int become(const Confinement& confinement, const std::vector<std::string>& command) {
    close_other_descriptors();
    ::umask(S_IRWXG | S_IRWXO);
    reset_signals();
    offer_to_the_oom_killer();
    set_limits(confinement);
    if (confinement.user)
        become_user(*confinement.user, confinement.groups);
    if (confinement.die_with_parent) // after the change of user, which would undo it
        die_with_parent();
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        throw_errno("cannot rule out new privileges");
    if (::chdir(confinement.directory.c_str()) != 0)
        throw_errno("cannot enter " + confinement.directory);
    const bool try_landlock =
        confinement.landlock == Confinement::Landlock::required ||
        (confinement.landlock == Confinement::Landlock::if_possible && landlock_version() > 0);
    if (try_landlock)
        restrict_to(confinement.files);
    deny_system_calls(confinement.socket_pairs);
    return execute(command, confinement.environment);
}

} // namespace sandbox
