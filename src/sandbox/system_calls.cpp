#include "sandbox/system_calls.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <stdexcept>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <system_error>

namespace sandbox {
namespace {

struct SystemCall {
    const char* name = "";
    int number = -1; ///< if it is the same everywhere and the library may not know the name
};

constexpr std::array denied{
    // The network, and sockets of other programs.
    SystemCall{"socket"}, SystemCall{"connect"}, SystemCall{"bind"}, SystemCall{"listen"},
    SystemCall{"accept"}, SystemCall{"accept4"},
    // Other processes.
    SystemCall{"ptrace"}, SystemCall{"process_vm_readv"}, SystemCall{"process_vm_writev"},
    SystemCall{"kcmp"}, SystemCall{"pidfd_getfd", 438}, SystemCall{"process_madvise", 440},
    // What outlives a process, or counts for no process.
    SystemCall{"shmget"}, SystemCall{"shmat"}, SystemCall{"shmdt"}, SystemCall{"shmctl"},
    SystemCall{"semget"}, SystemCall{"semop"}, SystemCall{"semtimedop"}, SystemCall{"semctl"},
    SystemCall{"msgget"}, SystemCall{"msgsnd"}, SystemCall{"msgrcv"}, SystemCall{"msgctl"},
    SystemCall{"mq_open"}, SystemCall{"mq_unlink"}, SystemCall{"keyctl"}, SystemCall{"add_key"},
    SystemCall{"request_key"}, SystemCall{"memfd_secret", 447},
    // Parts of the kernel with a history of holes.
    SystemCall{"bpf"}, SystemCall{"perf_event_open"}, SystemCall{"userfaultfd"},
    SystemCall{"io_uring_setup", 425}, SystemCall{"io_uring_enter", 426},
    SystemCall{"io_uring_register", 427}, SystemCall{"fanotify_init"},
    // Namespaces and mounts.
    SystemCall{"unshare"}, SystemCall{"setns"}, SystemCall{"mount"}, SystemCall{"umount"},
    SystemCall{"umount2"}, SystemCall{"pivot_root"}, SystemCall{"chroot"},
    SystemCall{"open_tree", 428}, SystemCall{"move_mount", 429}, SystemCall{"fsopen", 430},
    SystemCall{"fsconfig", 431}, SystemCall{"fsmount", 432}, SystemCall{"fspick", 433},
    SystemCall{"mount_setattr", 442}, SystemCall{"open_tree_attr", 467},
    SystemCall{"open_by_handle_at"}, SystemCall{"name_to_handle_at"},
    // The machine.
    SystemCall{"swapon"}, SystemCall{"swapoff"}, SystemCall{"reboot"}, SystemCall{"kexec_load"},
    SystemCall{"kexec_file_load"}, SystemCall{"init_module"}, SystemCall{"finit_module"},
    SystemCall{"delete_module"}, SystemCall{"create_module"}, SystemCall{"acct"},
    SystemCall{"syslog"}, SystemCall{"quotactl"}, SystemCall{"quotactl_fd", 443},
    SystemCall{"lookup_dcookie"}, SystemCall{"nfsservctl"}, SystemCall{"vhangup"},
    SystemCall{"iopl"}, SystemCall{"ioperm"}, SystemCall{"sethostname"},
    SystemCall{"setdomainname"}, SystemCall{"settimeofday"}, SystemCall{"clock_settime"},
    SystemCall{"clock_adjtime"}, SystemCall{"adjtimex"},
    // Higher priority than others.
    SystemCall{"ioprio_set"}, SystemCall{"sched_setscheduler"}, SystemCall{"sched_setparam"},
    SystemCall{"sched_setattr"}};

/// Descriptors in transit through a pair count for the user, which is ours if we are not root: too
/// many of them prevent others from sending any. And their files are invisible.
constexpr SystemCall socket_pair{"socketpair"};

/// The condition on an argument for which a call is denied.
struct Condition {
    const char* name;
    scmp_arg_cmp argument;
};

constexpr std::uint64_t low_half = 0xffffffff;

scmp_arg_cmp masked(unsigned int argument, std::uint64_t mask, std::uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

#if defined(__s390__) || defined(__s390x__)
constexpr unsigned int clone_flags = 1;
#else
constexpr unsigned int clone_flags = 0;
#endif

const std::array conditions{
    Condition{"clone", masked(clone_flags, CLONE_NEWNS, CLONE_NEWNS)},
    Condition{"clone", masked(clone_flags, CLONE_NEWUTS, CLONE_NEWUTS)},
    Condition{"clone", masked(clone_flags, CLONE_NEWIPC, CLONE_NEWIPC)},
    Condition{"clone", masked(clone_flags, CLONE_NEWUSER, CLONE_NEWUSER)},
    Condition{"clone", masked(clone_flags, CLONE_NEWPID, CLONE_NEWPID)},
    Condition{"clone", masked(clone_flags, CLONE_NEWNET, CLONE_NEWNET)},
    Condition{"clone", masked(clone_flags, CLONE_NEWCGROUP, CLONE_NEWCGROUP)},
    // A datagram socket can send anywhere; other sockets have exactly one peer.
    Condition{"socketpair", {0, SCMP_CMP_NE, AF_UNIX, 0}},
    Condition{"socketpair", masked(1, 0xf, SOCK_DGRAM)},
    Condition{"socketpair", masked(1, 0xf, SOCK_RAW)},
    // Fake input of the user at the terminal.
    Condition{"ioctl", masked(1, low_half, TIOCSTI)},
    Condition{"ioctl", masked(1, low_half, TIOCLINUX)},
    Condition{"personality", {0, SCMP_CMP_NE, low_half, 0}}, // reading it does no harm
    // A process that cannot be inspected cannot be measured either.
    Condition{"prctl", masked(0, low_half, PR_SET_DUMPABLE)}};

using Filter = std::unique_ptr<void, decltype(&::seccomp_release)>;

/// Throws if `code`, the result of a function of the library, is an error.
void check(int code, const std::string& what) {
    if (code < 0)
        throw std::system_error(-code, std::generic_category(),
                                "cannot filter system calls: " + what);
}

void deny(const Filter& filter, const SystemCall& call) {
    int number = ::seccomp_syscall_resolve_name(call.name);
    if (number == __NR_SCMP_ERROR)
        number = call.number;
    if (number >= 0) // otherwise this architecture does not have it
        check(::seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 0, nullptr),
              call.name);
}

} // namespace

void deny_system_calls(bool socket_pairs) {
    const Filter filter(::seccomp_init(SCMP_ACT_ALLOW), &::seccomp_release);
    if (!filter)
        throw std::runtime_error("cannot filter system calls: out of memory");
    check(::seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
          "calls of other architectures");
    for (const SystemCall& call : denied)
        deny(filter, call);
    if (!socket_pairs)
        deny(filter, socket_pair);
    for (const Condition& condition : conditions) {
        const int number = ::seccomp_syscall_resolve_name(condition.name);
        if (number >= 0)
            check(::seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 1,
                                           &condition.argument),
                  condition.name);
    }
    // Its flags lie in memory, where no filter can see them; the C library then falls back to
    // clone.
    const int clone3 = ::seccomp_syscall_resolve_name("clone3");
    check(::seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(ENOSYS),
                                   clone3 == __NR_SCMP_ERROR ? 435 : clone3, 0, nullptr),
          "clone3");
    check(::seccomp_load(filter.get()), "the kernel refuses it");
}

} // namespace sandbox
