#include "sandbox/confine_options.hpp"

#include "sandbox/visible_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sandbox {
namespace {

namespace fs = std::filesystem;

/// The parts of /proc about the machine or the program itself, and not about other processes.
constexpr std::array harmless_facts{"/proc/self",    "/proc/cpuinfo", "/proc/meminfo",
                                    "/proc/stat",    "/proc/version", "/proc/loadavg",
                                    "/proc/uptime",  "/proc/devices", "/proc/filesystems",
                                    "/proc/modules", "/proc/sys",     "/proc/driver"};

constexpr std::array harmless_devices{"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom"};

/// Address space that the C library's threads reserve for each processor, without memory behind it.
constexpr std::size_t reserved_bytes = std::size_t{256} << 20;

/// Adds `path` to `readable` without what is hidden in it. Landlock cannot exclude a part of a
/// folder, so the other entries are added one by one.
void add_all_but(const fs::path& path, const std::vector<fs::path>& hidden, Words& readable) {
    if (std::ranges::find(hidden, path) != hidden.end())
        return;
    const auto lies_below = [&](const fs::path& one) { return lies_in(one, path); };
    if (std::ranges::none_of(hidden, lies_below)) {
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

void add(Words& words, const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
}

void add_user(Words& words, const Cell& cell, uid_t user) {
    add(words, "--user", std::to_string(user));
    if (!cell.gpu)
        return;
    for (const gid_t group : gpu_groups())
        add(words, "--group", std::to_string(group));
}

void add_limits(Words& words, const Cell& cell, Protection protection) {
    const Limits& limits = cell.limits;
    add(words, "--cpu", std::to_string(limits.cpu_seconds));
    add(words, "--memory", std::to_string(limits.memory_bytes));
    if (cell.gpu)
        words.emplace_back("--socket-pairs"); // its driver may need them
    else
        add(words, "--address-space",
            std::to_string(limits.memory_bytes +
                           reserved_bytes * std::thread::hardware_concurrency()));
    // If it runs as our user, our other threads count, too.
    const int others = protection == Protection::none ? own_threads() : 0;
    add(words, "--processes", std::to_string(limits.processes + others));
    add(words, "--file-size", std::to_string(limits.file_bytes));
    add(words, "--open-files", std::to_string(limits.open_files));
}

void add_environment(Words& words, const Cell& cell, Protection protection) {
    bool has_temporary_folder = protection != Protection::user || cell.writable.empty();
    for (const auto& [name, value] : cell.environment) {
        std::string variable = name;
        variable += '=';
        add(words, "--env", variable += value);
        has_temporary_folder = has_temporary_folder || name == "TMPDIR";
    }
    if (!has_temporary_folder)
        add(words, "--env", "TMPDIR=" + cell.writable.front());
}

/// Returns what a program can read if it runs where all files are.
Words readable_among_all(const Cell& cell) {
    std::vector<fs::path> hidden;
    for (const std::string& path : cell.hidden)
        hidden.push_back(resolve(path));
    Words whole = shared_readable(cell);
    append(whole, cell.readable);
    whole.insert(whole.end(), system_folders.begin(), system_folders.end());
    whole.insert(whole.end(), harmless_facts.begin(), harmless_facts.end());
    Words readable;
    for (const std::string& path : whole) {
        // /proc/self is a different folder for each process.
        if (path == "/proc/self")
            readable.push_back(path);
        else
            add_all_but(resolve(path), hidden, readable);
    }
    return readable;
}

/// Adds what Landlock allows.
void add_files(Words& words, const Cell& cell, Protection protection) {
    if (protection == Protection::none) {
        add(words, "--landlock", "no");
        return;
    }
    Words readable{"/"};
    Words writable{"/tmp", "/dev/shm"};
    Words devices{"/dev"};
    if (protection == Protection::bubblewrap) {
        // The namespace contains only what is allowed. Landlock denies access to the memory of
        // process 1, which has no limits.
        add(words, "--landlock", "if-possible");
    } else {
        add(words, "--landlock", "required");
        readable = readable_among_all(cell);
        writable.clear();
        devices.assign(harmless_devices.begin(), harmless_devices.end());
        if (cell.gpu)
            append(devices, gpu_devices());
    }
    append(writable, cell.writable);
    for (const std::string& path : readable)
        add(words, "--readable", path);
    for (const std::string& path : writable)
        add(words, "--writable", path);
    for (const std::string& path : devices)
        add(words, "--device", path);
}

} // namespace

Words confine_options(const Cell& cell, Protection protection, std::optional<uid_t> user) {
    Words words;
    if (user)
        add_user(words, cell, *user);
    if (protection != Protection::bubblewrap)
        words.emplace_back("--die-with-parent");
    add(words, "--directory", cell.directory);
    add_limits(words, cell, protection);
    add_environment(words, cell, protection);
    add_files(words, cell, protection);
    return words;
}

} // namespace sandbox
