#include "sandbox/sandbox.hpp"

#include "sandbox/confinement.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/users.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sandbox {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The folders of programs and their libraries.
constexpr std::array system_folders{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

/// The parts of /etc and /sys that programs need to find libraries, OpenCL devices and processors.
constexpr std::array settings{"/etc/OpenCL",        "/etc/alternatives", "/etc/ld.so.cache",
                              "/etc/ld.so.conf",    "/etc/ld.so.conf.d", "/etc/localtime",
                              "/sys/devices/system"};
constexpr std::array gpu_settings{
    "/sys/devices",           "/sys/bus/pci",      "/sys/dev",
    "/sys/class/drm",         "/sys/class/kfd",    "/sys/module/nvidia",
    "/sys/module/nvidia_uvm", "/sys/module/amdgpu"};

/// The parts of /proc about the machine or the program itself, and not about other processes.
constexpr std::array harmless_facts{"/proc/self",    "/proc/cpuinfo", "/proc/meminfo",
                                    "/proc/stat",    "/proc/version", "/proc/loadavg",
                                    "/proc/uptime",  "/proc/devices", "/proc/filesystems",
                                    "/proc/modules", "/proc/sys",     "/proc/driver"};

constexpr std::array harmless_devices{"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom"};

/// The path of the program confine in a bubblewrap sandbox.
constexpr auto confine_inside = "/confine";

/// Address space that the C library's threads reserve for each processor, without memory behind it.
constexpr std::size_t reserved_bytes = std::size_t{256} << 20;

void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

/// Returns the path without symbolic links; unchanged if it does not exist.
fs::path resolve(const std::string& path) {
    std::error_code error;
    const fs::path resolved = fs::canonical(path, error);
    return error ? fs::path(path) : resolved;
}

/// Returns whether `one` is `folder` or lies in it.
bool lies_in(const fs::path& one, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), one.begin(), one.end()).first ==
           folder.end();
}

Words gpu_devices() {
    Words found;
    std::error_code error;
    fs::directory_iterator entry("/dev", error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (name.compare(0, 6, "nvidia") == 0 || name == "dri" || name == "kfd" || name == "dxg")
            found.push_back(entry->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Returns the groups whose members alone can use the GPUs.
std::set<gid_t> gpu_groups() {
    std::set<gid_t> groups;
    const auto add = [&](const fs::path& path) {
        constexpr mode_t group_may = S_IRGRP | S_IWGRP;
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_gid != 0 &&
            (status.st_mode & group_may) == group_may && (status.st_mode & S_IWOTH) == 0)
            groups.insert(status.st_gid);
    };
    for (const std::string& device : gpu_devices()) {
        add(device);
        std::error_code error;
        fs::directory_iterator entry(device, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error))
            add(entry->path());
    }
    return groups;
}

/// Returns everything outside the cell's own folders that its program can read.
Words shared_readable(const Cell& cell) {
    Words paths(settings.begin(), settings.end());
    if (cell.gpu)
        paths.insert(paths.end(), gpu_settings.begin(), gpu_settings.end());
    return paths;
}

/// Returns the hidden paths below `folder`, as paths in `folder`.
std::vector<fs::path> hidden_in(const std::string& folder, const Cell& cell) {
    std::vector<fs::path> found;
    const fs::path real = resolve(folder);
    for (const std::string& hidden : cell.hidden) {
        const fs::path path = resolve(hidden);
        if (lies_in(path, real) && fs::exists(path))
            found.push_back(path == real ? fs::path(folder)
                                         : fs::path(folder) / path.lexically_relative(real));
    }
    return found;
}

/// Adds `path` to `readable` without what is hidden in it. Landlock cannot exclude a part of a
/// folder, so the other entries are added one by one.
void add_all_but(const fs::path& path, const std::vector<fs::path>& hidden, Words& readable) {
    if (std::find(hidden.begin(), hidden.end(), path) != hidden.end())
        return;
    const auto lies_below = [&](const fs::path& one) { return lies_in(one, path); };
    if (std::none_of(hidden.begin(), hidden.end(), lies_below)) {
        readable.push_back(path);
        return;
    }
    std::error_code error;
    fs::directory_iterator entry(path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (!entry->is_symlink(error)) // its target decides
            add_all_but(entry->path(), hidden, readable);
    }
}

/// Adds the folders above `path`, because only root could enter those that bubblewrap would create.
void add_parents(Words& words, const fs::path& path) {
    std::vector<fs::path> parents;
    for (fs::path one = path.parent_path(); one != one.parent_path(); one = one.parent_path())
        parents.push_back(one);
    for (auto one = parents.rbegin(); one != parents.rend(); ++one)
        append(words, {"--perms", "0755", "--dir", *one});
}

/// A mount in a bubblewrap sandbox.
struct Mount {
    std::string place;
    Words arguments;
};

/// Returns what a cell adds to the system's folders: outer folders first, so that inner ones take
/// precedence.
std::vector<Mount> mounts_of(const Cell& cell) {
    std::vector<Mount> mounts;
    const auto hide_in = [&](const std::string& folder) {
        for (const fs::path& path : hidden_in(folder, cell)) {
            if (fs::is_directory(path))
                mounts.push_back({path, {"--perms", "0555", "--tmpfs", path}});
            else
                mounts.push_back({path, {"--ro-bind", "/dev/null", path}});
        }
    };
    for (const std::string& path : cell.readable)
        mounts.push_back({path, {"--ro-bind", path, path}});
    for (const std::string& path : cell.writable)
        mounts.push_back({path, {"--bind", path, path}});
    for (const char* folder : system_folders) {
        if (!fs::is_symlink(folder))
            hide_in(folder);
    }
    for (const std::string& path : cell.readable)
        hide_in(path);
    std::stable_sort(mounts.begin(), mounts.end(), [](const Mount& one, const Mount& other) {
        return one.place.size() < other.place.size();
    });
    return mounts;
}

/// Throws std::runtime_error for a cell that no protection can provide.
void refuse_bad_cells(const Cell& cell) {
    for (const auto* paths : {&cell.readable, &cell.writable}) {
        for (const std::string& path : *paths) {
            if (path.empty() || path.front() != '/' || !fs::exists(path))
                throw std::runtime_error("a program cannot be given \"" + path +
                                         "\"; name an absolute path that exists");
        }
    }
    for (const std::string& path : cell.writable) {
        if (!hidden_in(path, cell).empty())
            throw std::runtime_error("what lies in " + path + " cannot be hidden, because the " +
                                     "program can write there; put it elsewhere");
    }
}

/// Returns the path of a system program; "" if it is not installed.
std::string find_program(const std::string& name) {
    const char* path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
    const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        std::string file = folders.substr(begin, end - begin) + "/" + name;
        if (file.front() == '/' && file.size() > name.size() + 1 &&
            ::access(file.c_str(), X_OK) == 0)
            return file;
        begin = end + 1;
    }
    return {};
}

/// Runs a command that should succeed. Returns "" if it does, otherwise what went wrong.
std::string complaint_of(const Words& command) {
    wire::Pipe messages = wire::create_pipe();
    wire::Program program{command};
    program.descriptors = {wire::null_device, wire::null_device, messages.writer.get()};
    const pid_t child = wire::start(program);
    messages.writer.reset();
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0;
         (count = ::read(messages.reader.get(), buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    const int status = wire::wait_for(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return {};
    if (text.empty())
        return "/bin/true failed in it";
    return text.substr(0, text.find('\n'));
}

/// Returns the number of threads of the user that this process runs as.
int own_threads() {
    int threads = 0;
    std::error_code error;
    fs::directory_iterator entry("/proc", error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        struct stat status {};
        std::error_code gone;
        if (::stat(entry->path().c_str(), &status) != 0 || status.st_uid != ::getuid())
            continue;
        for (fs::directory_iterator task(entry->path() / "task", gone);
             !gone && task != fs::directory_iterator(); task.increment(gone))
            ++threads;
    }
    return threads;
}

/// Returns why only root may be allowed to create namespaces.
std::string advice_on_namespaces() {
    bool restricted = false;
    std::ifstream("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") >> restricted;
    if (::geteuid() == 0 || !restricted)
        return {};
    return " (AppArmor denies it to users here: sysctl "
           "kernel.apparmor_restrict_unprivileged_userns)";
}

} // namespace

std::string name_of(Protection protection) {
    switch (protection) {
    case Protection::bubblewrap:
        return "bubblewrap";
    case Protection::user:
        return "user";
    case Protection::none:
        break;
    }
    return "none";
}

Protection protection_named(const std::string& name) {
    for (const Protection one : {Protection::bubblewrap, Protection::user, Protection::none}) {
        if (name_of(one) == name)
            return one;
    }
    throw std::runtime_error("there is no protection \"" + name +
                             "\"; choose bubblewrap, user or none");
}

Sandbox::Sandbox(std::string confine, Protection protection)
    : confine_(std::move(confine)), protection_(protection) {
    if (protection_ == Protection::bubblewrap) {
        bubblewrap_ = find_program("bwrap");
        if (bubblewrap_.empty())
            throw std::runtime_error("it is not installed");
    }
    if (protection_ == Protection::user && ::geteuid() != 0)
        throw std::runtime_error("only root can run programs as another user; omit PROTECTION to "
                                 "use bubblewrap, which does not need root");
    if (protection_ == Protection::user && landlock_version() == 0)
        throw std::runtime_error("without Landlock, which this kernel lacks or forbids, programs "
                                 "could read each other's files");
    if (protection_ != Protection::none && ::geteuid() == 0) {
        SpareUser spare = find_spare_user();
        user_ = spare.id;
        reservation_ = std::move(spare.reservation);
    }
}

/// Returns why this protection does not work here; "" if it does.
std::string Sandbox::why_not() const {
    std::string complaint = complaint_of(command({}, {"/bin/true"}));
    if (complaint.empty() || protection_ != Protection::bubblewrap)
        return complaint;
    return complaint + advice_on_namespaces();
}

Sandbox Sandbox::choose(const std::string& confine, std::optional<Protection> wanted) {
    if (::access(confine.c_str(), X_OK) != 0)
        wire::throw_errno("cannot run " + confine + ", which sandboxes programs; build it first");
    const std::string path = fs::canonical(confine);
    std::vector<Protection> candidates{Protection::bubblewrap, Protection::user};
    if (wanted)
        candidates = {*wanted};
    std::string reasons;
    for (const Protection candidate : candidates) {
        std::string reason;
        try {
            Sandbox sandbox(path, candidate);
            reason = sandbox.why_not();
            if (reason.empty())
                return sandbox;
        } catch (const std::exception& error) {
            reason = error.what();
        }
        reasons += reasons.empty() ? "" : "; ";
        reasons += name_of(candidate);
        reasons += ": ";
        reasons += reason;
    }
    throw std::runtime_error("programs cannot be run safely here (" + reasons +
                             "); install bubblewrap, run this as root, or set UNSAFE=1 to run " +
                             "them without a sandbox");
}

std::string Sandbox::describe() const {
    std::string text = name_of(protection_);
    if (protection_ == Protection::user)
        text += " " + std::to_string(*user_);
    else if (user_)
        text += ", as user " + std::to_string(*user_);
    return text;
}

/// Returns the part of a command that runs outside the sandbox.
Words Sandbox::supervisor(const Cell& cell) const {
    Words words{confine_, "--supervise"};
    if (protection_ == Protection::user)
        append(words, {"--user", std::to_string(*user_)});
    if (protection_ == Protection::none)
        words.emplace_back("--tree");
    words.emplace_back("--");
    if (protection_ != Protection::bubblewrap)
        return words;
    append(words, bubblewrap(cell));
    words.emplace_back("--");
    return words;
}

/// Returns the part of a command that creates the namespaces and what is visible in them.
Words Sandbox::bubblewrap(const Cell& cell) const {
    Words words{bubblewrap_,     "--die-with-parent",    "--new-session", "--unshare-ipc",
                "--unshare-pid", "--unshare-net",        "--unshare-uts", "--hostname",
                "sandbox",       "--unshare-cgroup-try", "--cap-drop",    "ALL"};
    if (user_) // confine needs these to become another user
        append(words, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
    else
        words.emplace_back("--unshare-user");
    for (const char* folder : system_folders) {
        if (fs::is_symlink(folder))
            append(words, {"--symlink", fs::read_symlink(folder), folder});
        else
            append(words, {"--ro-bind-try", folder, folder});
    }
    for (const std::string& path : shared_readable(cell)) {
        add_parents(words, path);
        append(words, {"--ro-bind-try", path, path});
    }
    const std::string size = std::to_string(cell.limits.disk_bytes);
    append(words, {"--proc", "/proc", "--dev", "/dev"});
    if (cell.gpu) {
        for (const std::string& device : gpu_devices())
            append(words, {"--dev-bind", device, device});
    }
    for (const char* folder : {"/dev/shm", "/tmp"})
        append(words, {"--perms", "1777", "--size", size, "--tmpfs", folder});
    append(words, {"--ro-bind", confine_, confine_inside});
    const std::vector<Mount> mounts = mounts_of(cell);
    for (const Mount& mount : mounts) {
        add_parents(words, mount.place);
        append(words, mount.arguments);
    }
    // What bubblewrap created itself lies in memory, and must not be writable.
    for (const Mount& mount : mounts) {
        if (mount.arguments.front() == "--perms")
            append(words, {"--remount-ro", mount.place});
    }
    append(words, {"--remount-ro", "/dev", "--remount-ro", "/"});
    return words;
}

/// Returns the part of a command that runs inside the sandbox; `confine` is the path of that
/// program.
Words Sandbox::confinement(const Cell& cell, const std::string& confine) const {
    const Limits& limits = cell.limits;
    Words words{confine};
    const auto add = [&](const std::string& option, const std::string& value) {
        append(words, {option, value});
    };
    if (user_) {
        add("--user", std::to_string(*user_));
        if (cell.gpu) {
            for (const gid_t group : gpu_groups())
                add("--group", std::to_string(group));
        }
    }
    if (protection_ != Protection::bubblewrap)
        words.emplace_back("--die-with-parent");
    add("--directory", cell.directory);
    add("--cpu", std::to_string(limits.cpu_seconds));
    add("--memory", std::to_string(limits.memory_bytes));
    if (cell.gpu)
        words.emplace_back("--socket-pairs"); // its driver may need them
    else
        add("--address-space",
            std::to_string(limits.memory_bytes +
                           reserved_bytes * std::thread::hardware_concurrency()));
    // If it runs as our user, our other threads count, too.
    const int others = protection_ == Protection::none ? own_threads() : 0;
    add("--processes", std::to_string(limits.processes + others));
    add("--file-size", std::to_string(limits.file_bytes));
    add("--open-files", std::to_string(limits.open_files));
    bool has_temporary_folder = protection_ != Protection::user || cell.writable.empty();
    for (const auto& [name, value] : cell.environment) {
        std::string variable = name;
        variable += '=';
        add("--env", variable += value);
        has_temporary_folder = has_temporary_folder || name == "TMPDIR";
    }
    if (!has_temporary_folder)
        add("--env", "TMPDIR=" + cell.writable.front());

    if (protection_ == Protection::none) {
        add("--landlock", "no");
        return words;
    }
    Words readable{"/"};
    Words writable{"/tmp", "/dev/shm"};
    Words devices{"/dev"};
    if (protection_ == Protection::bubblewrap) {
        // The namespace contains only what is allowed. Landlock denies access to the memory of
        // process 1, which has no limits.
        add("--landlock", "if-possible");
    } else {
        add("--landlock", "required");
        readable.clear();
        writable.clear();
        devices.assign(harmless_devices.begin(), harmless_devices.end());
        std::vector<fs::path> hidden;
        for (const std::string& path : cell.hidden)
            hidden.push_back(resolve(path));
        Words whole = shared_readable(cell);
        append(whole, cell.readable);
        whole.insert(whole.end(), system_folders.begin(), system_folders.end());
        whole.insert(whole.end(), harmless_facts.begin(), harmless_facts.end());
        for (const std::string& path : whole) {
            // /proc/self is a different folder for each process.
            if (path == "/proc/self")
                readable.push_back(path);
            else
                add_all_but(resolve(path), hidden, readable);
        }
        if (cell.gpu)
            append(devices, gpu_devices());
    }
    append(writable, cell.writable);
    for (const std::string& path : readable)
        add("--readable", path);
    for (const std::string& path : writable)
        add("--writable", path);
    for (const std::string& path : devices)
        add("--device", path);
    return words;
}

Words Sandbox::command(const Cell& cell, const Words& program) const {
    refuse_bad_cells(cell);
    Words words = supervisor(cell);
    append(words,
           confinement(cell, protection_ == Protection::bubblewrap ? confine_inside : confine_));
    words.emplace_back("--");
    append(words, program);
    return words;
}

void Sandbox::hand_over(const std::string& folder) const {
    if (!user_)
        return;
    const auto give = [&](const fs::path& path) {
        if (::lchown(path.c_str(), *user_, static_cast<gid_t>(*user_)) != 0)
            wire::throw_errno("cannot hand over " + path.string());
    };
    give(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        give(entry.path());
}

} // namespace sandbox
