// Tries, in a sandbox, the attack that its first argument names, and prints the outcome.
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <sched.h>
#include <string>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// Prints at once, because a process that forks must not buffer its output.
void say(const std::string& text) {
    if (::write(STDOUT_FILENO, (text + "\n").c_str(), text.size() + 1) < 0)
        ::_exit(90);
}

/// Prints the outcome of a call that returned `result`.
void report(const std::string& what, long result) {
    say(what + ": " + (result < 0 ? ::strerrorname_np(errno) : "done"));
}

[[noreturn]] void stay() {
    for (;;)
        ::pause();
}

void ignore_signals() {
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1})
        ::signal(number, SIG_IGN);
}

void fill(void* memory, std::size_t size) { std::memset(memory, 1, size); }

/// Leaves its session and all ancestors, keeps standard output open, and never ends.
void daemonize() {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        return;
    if (::fork() == 0) {
        ::setsid();
        if (::fork() != 0)
            ::_exit(0);
        ignore_signals();
        say("daemon");
        if (::write(pipe[1], "x", 1) == 1)
            stay();
    }
    char read = 0;
    if (::read(pipe[0], &read, 1) == 1)
        ::_exit(6);
}

/// Forks again and again, in all its processes, until it is clear that nothing limits them.
[[noreturn]] void bomb() {
    constexpr int enough = 3000;
    ignore_signals();
    void* shared = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& forks = *new (shared) std::atomic<int>(0);
    bool said = false;
    while (forks < enough) {
        const pid_t child = ::fork();
        if (child > 0)
            ++forks;
        if (child < 0 && !said) {
            said = true;
            say("full");
        }
    }
    stay();
}

/// Stops all processes it can, again and again. Does nothing as root: that would stop the machine.
void stop_all() {
    if (::getuid() == 0 || ::fork() != 0)
        stay();
    ::kill(-1, SIGSTOP);
    say("stopping");
    for (;;)
        ::kill(-1, SIGSTOP);
}

/// Starts children that all do `deed` and stay.
template <class Deed> void stay_with_children(int children, const Deed& deed) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        return;
    for (int i = 0; i < children; ++i) {
        if (::fork() == 0) {
            deed([&] {
                if (::write(pipe[1], "x", 1) == 1)
                    stay();
            });
        }
    }
    char read = 0;
    for (int i = 0; i < children; ++i) {
        if (::read(pipe[0], &read, 1) != 1)
            return;
    }
    say("full");
    stay();
}

/// Starts children with that much memory each.
void herd(int children, std::size_t bytes) {
    stay_with_children(children, [&](const auto& be_done) {
        const std::vector<char> memory(bytes, 'x');
        be_done();
    });
}

void write_file(const std::string& path, std::size_t bytes, bool remove) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const std::vector<char> text(bytes, 'x');
    report("write", file < 0 ? -1 : ::write(file, text.data(), text.size()));
    if (remove)
        ::unlink(path.c_str());
}

/// Uses memory that is not mapped and in no process, but in a file without a name.
void hide_memory(std::size_t bytes) {
    const int file = ::memfd_create("hidden", 0);
    const std::vector<char> text(4096, 'x');
    ssize_t written = 0;
    for (std::size_t i = 0; i < bytes && written >= 0; i += text.size())
        written = ::write(file, text.data(), text.size());
    report("write", written);
    stay();
}

/// Holds memory in a file, and opens and closes that file all the time.
[[noreturn]] void reopen_memory(std::size_t bytes) {
    const int file = ::memfd_create("reopened", 0);
    if (::ftruncate(file, static_cast<off_t>(bytes)) != 0)
        ::_exit(1);
    fill(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), bytes);
    say("reopen: done");
    for (;;)
        ::close(::dup(file));
}

/// Uses memory that stays, although it no longer shows as resident.
void let_go_of_memory(std::size_t bytes) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fill(memory, bytes);
    report("let go", ::madvise(memory, bytes, MADV_DONTNEED));
    stay();
}

/// Keeps files, or memory files, that are in no folder and not open, but have a page mapped.
void keep_mapped(int files, std::size_t bytes, bool in_memory) {
    const std::vector<char> text(bytes, 'x');
    for (int i = 0; i < files; ++i) {
        const int file = in_memory ? ::memfd_create("mapped", 0)
                                   : ::open("mapped", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (!in_memory)
            ::unlink("mapped");
        if (::write(file, text.data(), text.size()) < 0 ||
            ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED)
            return;
        ::close(file);
    }
    say("full");
    stay();
}

/// Uses shared memory of which one page stays mapped.
void unmap_memory(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fill(memory, bytes);
    report("unmap", ::munmap(static_cast<char*>(memory) + page, bytes - page));
    stay();
}

/// Uses memory in many pieces, in each of its children.
void splinter(int children, std::size_t pieces) {
    constexpr std::size_t page = 4096;
    stay_with_children(children, [&](const auto& be_done) {
        char* memory = static_cast<char*>(::mmap(
            nullptr, pieces * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        for (std::size_t k = 0; k < pieces; k += 2)
            ::mprotect(memory + k * page, page, PROT_READ);
        be_done();
    });
}

/// The state of this process's first thread, as a letter.
char state_of_leader() {
    std::string text;
    std::getline(std::ifstream("/proc/" + std::to_string(::getpid()) + "/stat"), text);
    return text.at(text.rfind(") ") + 2);
}

/// Does `deed` in a thread after the process's first thread has ended.
void do_without_leader(const std::function<void()>& deed) {
    std::thread([deed] {
        while (state_of_leader() != 'Z')
            std::this_thread::yield();
        deed();
    }).detach();
    ::syscall(SYS_exit, 0); // ends this thread, not the process
}

/// An address of any kind, as the socket functions take it.
template <class Address> const sockaddr* plain(const Address& address) {
    return reinterpret_cast<const sockaddr*>(&address); // NOLINT(*-reinterpret-cast)
}

void connect_to(int port, const std::string& name) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    report("tcp", ::connect(::socket(AF_INET, SOCK_STREAM, 0), plain(address), sizeof address));
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    std::memcpy(&local.sun_path[1], name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    report("abstract", ::connect(::socket(AF_UNIX, SOCK_DGRAM, 0), plain(local), size));
    std::array<int, 2> pair{-1, -1};
    const int paired = ::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.data());
    report("sent", paired < 0 ? -1 : ::sendto(pair[0], "x", 1, 0, plain(local), size));
    report("pair", ::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair.data()));
}

/// Tries what its user could do to other processes without a sandbox.
void attack(pid_t victim) {
    report("kill", ::kill(victim, SIGUSR1));
    report("ptrace", ::ptrace(PTRACE_ATTACH, victim, nullptr, nullptr));
    report("shm", ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    report("memory", ::open("/proc/1/mem", O_RDWR));
    report("hide", ::prctl(PR_SET_DUMPABLE, 0));
    report("namespace", ::unshare(CLONE_NEWUSER));
    // A system call, because the C library's fork() takes no flags.
    report("clone", ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
    report("root", ::setuid(0));
    report("more processor time", [] {
        const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
        return ::setrlimit(RLIMIT_CPU, &more);
    }());
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const auto number = [&](std::size_t i) { return std::stoul(words.at(i)); };
    const std::map<std::string, std::function<void()>> deeds{
        {"stay",
         [] {
             ignore_signals();
             say("ready");
             stay();
         }},
        {"daemon", [] { daemonize(); }},
        {"bomb", [] { bomb(); }},
        {"stop all", [] { stop_all(); }},
        {"die among bombs",
         [] {
             if (::fork() == 0)
                 bomb();
             ::abort();
         }},
        {"allocate",
         [&] {
             try {
                 const std::vector<char> memory(number(1), 'x');
                 say("given");
             } catch (const std::bad_alloc&) {
                 say("refused");
             }
         }},
        {"herd", [&] { herd(static_cast<int>(number(1)), number(2)); }},
        {"allocate and stay",
         [&] {
             const std::vector<char> memory(number(1), 'x');
             say("allocate: done");
             stay();
         }},
        {"keep mapped",
         [&] { keep_mapped(static_cast<int>(number(1)), number(2), words.at(3) == "memory"); }},
        {"unmap memory", [&] { unmap_memory(number(1)); }},
        {"splinter", [&] { splinter(static_cast<int>(number(1)), number(2)); }},
        {"without leader",
         [&] {
             words.erase(words.begin());
             do_without_leader(deeds.at(words.at(0)));
         }},
        {"hide memory", [&] { hide_memory(number(1)); }},
        {"reopen memory", [&] { reopen_memory(number(1)); }},
        {"let go of memory", [&] { let_go_of_memory(number(1)); }},
        {"write", [&] { write_file(words.at(1), number(2), false); }},
        {"write and stay",
         [&] {
             write_file(words.at(1), number(2), false);
             stay();
         }},
        {"write, remove and stay",
         [&] {
             write_file(words.at(1), number(2), true);
             stay();
         }},
        {"connect", [&] { connect_to(static_cast<int>(number(1)), words.at(2)); }},
        {"attack", [&] { attack(static_cast<pid_t>(number(1))); }},
    };
    deeds.at(words.at(0))();
    return 0;
}
