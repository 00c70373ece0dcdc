#include "sandbox/over_limits.hpp"

#include "sandbox/processes.hpp"
#include "wire/handles.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>

namespace sandbox {
namespace {

using File = std::pair<dev_t, ino_t>;

/// The cost of the smallest file: its entry in a folder and the file system's data about it.
constexpr std::size_t least_file_bytes = 4096;

/// Limit of what is checked of all processes together: threads, open files, mappings. Checking more
/// takes seconds, in which the processes can do other things unseen. Honest programs have hundreds.
constexpr std::size_t most_entries = std::size_t{1} << 16;

/// The sandbox's own processes, which also count, and a few more.
constexpr std::size_t spare_processes = 8;

/// Allowed files that are mapped, but have no name and are not open, so that only root can see
/// their size. Compilers and drivers leave one or two behind for a moment.
constexpr std::size_t most_of_unknown_size = 8;

/// What the processes of a program use together.
struct Held {
    std::size_t entries = 0;                   ///< that have been checked
    std::size_t threads = 0;                   ///< of all processes
    std::vector<std::string> memories;         ///< for each process, a thread that has its memory
    std::size_t own_bytes = 0;                 ///< private; counts twice if shared since a fork
    std::size_t shared_bytes = 0;              ///< backed by a file, as far as it is in memory
    std::map<File, std::size_t> shared_files;  ///< the files themselves, which have no name
    std::map<File, std::size_t> mapped_files;  ///< how far they are mapped
    std::map<File, std::size_t> unnamed_files; ///< on a disk, removed but open or mapped
    std::map<File, std::size_t> mapped_unnamed_files; ///< how far they are mapped
    std::map<dev_t, std::size_t> memory_folders;      ///< the contents of bubblewrap's /tmp

    /// A mapped file shows up twice, as memory and as a file, so the greater one counts.
    std::size_t memory() const {
        std::size_t files = 0;
        for (const auto& [file, bytes] : shared_files)
            files += bytes;
        for (const auto& [file, bytes] : mapped_files) {
            if (!shared_files.contains(file))
                files += bytes;
        }
        return own_bytes + std::max(shared_bytes, files);
    }

    std::size_t disk() const {
        std::size_t sum = 0;
        for (const auto& [folder, bytes] : memory_folders)
            sum += bytes;
        for (const auto& [file, bytes] : unnamed_files) {
            if (!memory_folders.contains(file.first)) // these include removed files
                sum += bytes;
        }
        for (const auto& [file, bytes] : mapped_unnamed_files) {
            if (!unnamed_files.contains(file))
                sum += bytes;
        }
        return sum;
    }

    std::size_t files_of_unknown_size() const {
        std::size_t count = 0;
        for (const auto& [file, bytes] : mapped_unnamed_files)
            count += !unnamed_files.contains(file) ? 1 : 0;
        return count;
    }

    bool too_much_to_look_at() const { return entries > most_entries; }
};

/// Returns the sum of the lines "Name:  12 kB" for some names, in bytes.
template <class Names> std::size_t sum_of_lines(const std::string& path, const Names& names) {
    std::ifstream stream(path);
    std::size_t kilobytes = 0;
    for (std::string line; std::getline(stream, line);) {
        for (const std::string& name : names) {
            if (line.starts_with(name + ":"))
                kilobytes += std::stoull(line.substr(name.size() + 1));
        }
    }
    return kilobytes << 10;
}

std::size_t size_on_disk(const struct stat& status) {
    constexpr std::size_t block = 512;
    return static_cast<std::size_t>(status.st_blocks) * block;
}

/// Adds the file that a link in /proc leads to, if it has no name in a folder. Returns whether the
/// link led anywhere.
bool add_unnamed_file(const std::string& link, Held& held) {
    // The program can close the file at any moment; this descriptor keeps it, without opening it.
    const wire::UniqueFd file(::open(link.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode) || status.st_nlink != 0)
        return true;
    const std::string name =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.get()));
    const bool in_memory = name.starts_with("/memfd:") || name == "/dev/zero (deleted)";
    auto& files = in_memory ? held.shared_files : held.unnamed_files;
    files[{status.st_dev, status.st_ino}] = size_on_disk(status);
    return true;
}

/// Adds the files that a thread has open and that have no name in a folder.
void add_open_files(const std::string& thread, Held& held) {
    add_unnamed_file(thread + "/exe", held);
    std::error_code error;
    std::filesystem::directory_iterator entry(thread + "/fd", error);
    for (; !error && entry != std::filesystem::directory_iterator() && !held.too_much_to_look_at();
         entry.increment(error)) {
        ++held.entries;
        add_unnamed_file(entry->path(), held);
    }
}

/// A line of /proc/PID/maps: "begin-end rw-s offset major:minor inode path".
struct MappedPart {
    explicit MappedPart(const std::string& line) {
        std::istringstream words(line);
        unsigned int major_number = 0;
        unsigned int minor_number = 0;
        std::string rights;
        char separator = 0;
        words >> std::hex >> begin >> separator >> end >> rights >> offset >> major_number >>
            separator >> minor_number >> std::dec >> file.second;
        file.first = makedev(major_number, minor_number);
    }

    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t offset = 0;
    File file;
};

/// Adds the mapped files that have no name in a folder, including shared memory. They can be larger
/// than their mapped part, which only root can see.
void add_mapped_files(const std::string& process, const std::string& thread, Held& held) {
    std::ifstream stream(thread + "/maps");
    for (std::string line; !held.too_much_to_look_at() && std::getline(stream, line);) {
        ++held.entries;
        if (!line.ends_with(" (deleted)"))
            continue;
        const MappedPart part(line);
        if (held.shared_files.contains(part.file) || held.unnamed_files.contains(part.file))
            continue;
        std::ostringstream range;
        range << "/map_files/" << std::hex << part.begin << '-' << part.end;
        if (add_unnamed_file(process + range.str(), held))
            continue;
        const bool in_memory = line.find(" /memfd:") != std::string::npos ||
                               line.find(" /dev/zero (deleted)") != std::string::npos;
        auto& files = in_memory ? held.mapped_files : held.mapped_unnamed_files;
        std::size_t& reach = files[part.file];
        reach = std::max(reach, part.offset + (part.end - part.begin));
    }
}

bool has_line(const std::string& path, const std::string& name) {
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(name + ":"))
            return true;
    }
    return false;
}

/// Adds the memory that a thread shares with the others of its process. Returns whether it has any:
/// a thread that has ended has none, even if it is the first one and others still run.
bool add_memory(const std::string& process, const std::string& thread, Held& held) {
    const std::string status = thread + "/status";
    if (!has_line(status, "VmRSS"))
        return false;
    held.memories.push_back(thread);
    held.own_bytes += sum_of_lines(status, std::array<std::string, 2>{"RssAnon", "VmSwap"});
    held.shared_bytes += sum_of_lines(status, std::array<std::string, 1>{"RssShmem"});
    add_mapped_files(process, thread, held);
    return true;
}

/// Whether two threads share their open files; false if that is unknown.
bool share_open_files(pid_t one, pid_t other) {
    return ::syscall(SYS_kcmp, one, other, KCMP_FILES, 0, 0) == 0;
}

/// Adds the contents of bubblewrap's folders in memory: their size is limited, but not the number
/// of their files, each of which takes kernel memory.
void add_memory_folders(pid_t pid, Held& held) {
    const std::string root = "/proc/" + std::to_string(pid) + "/root";
    struct stat ours {};
    struct stat seen {};
    if (::stat("/", &ours) != 0 || ::stat(root.c_str(), &seen) != 0 ||
        File(ours.st_dev, ours.st_ino) == File(seen.st_dev, seen.st_ino))
        return;
    for (const char* folder : {"/tmp", "/dev/shm"}) {
        struct stat status {};
        struct statfs use {};
        const std::string path = root + folder;
        if (::stat(path.c_str(), &status) != 0 || held.memory_folders.contains(status.st_dev) ||
            ::statfs(path.c_str(), &use) != 0 || use.f_type != TMPFS_MAGIC)
            continue;
        const std::size_t files = use.f_files - use.f_ffree;
        const std::size_t blocks = use.f_blocks - use.f_bfree;
        held.memory_folders[status.st_dev] =
            std::max(files * least_file_bytes, blocks * static_cast<std::size_t>(use.f_bsize));
    }
}

void add_process(pid_t pid, Held& held) {
    const std::string process = "/proc/" + std::to_string(pid);
    bool has_memory = false;
    pid_t last = -1;
    std::error_code error;
    std::filesystem::directory_iterator entry(process + "/task", error);
    for (; !error && entry != std::filesystem::directory_iterator() && !held.too_much_to_look_at();
         entry.increment(error)) {
        ++held.entries;
        ++held.threads;
        const std::string thread = entry->path();
        const auto id = static_cast<pid_t>(std::stol(entry->path().filename()));
        if (last < 0 || !share_open_files(last, id))
            add_open_files(thread, held);
        last = id;
        has_memory = has_memory || add_memory(process, thread, held);
    }
}

/// Counts private memory once even if processes share it since a fork. This takes longer.
void count_exactly(Held& held) {
    std::size_t own_bytes = 0;
    std::size_t shared_bytes = 0;
    for (const std::string& thread : held.memories) {
        const std::string path = thread + "/smaps_rollup";
        std::error_code gone;
        if (!std::ifstream(path) && std::filesystem::exists(path, gone))
            return; // we are not allowed to read it
        own_bytes += sum_of_lines(path, std::array<std::string, 2>{"Pss_Anon", "SwapPss"});
        shared_bytes += sum_of_lines(path, std::array<std::string, 1>{"Pss_Shmem"});
    }
    held.own_bytes = std::min(held.own_bytes, own_bytes);
    held.shared_bytes = std::min(held.shared_bytes, shared_bytes);
}

Held held_by(const std::vector<pid_t>& processes, std::size_t limit) {
    Held held;
    for (const pid_t pid : processes) {
        add_process(pid, held);
        add_memory_folders(pid, held);
    }
    if (!held.too_much_to_look_at() && held.memory() > limit)
        count_exactly(held);
    return held;
}

/// Returns the size of `folder` in bytes, or a little more than `limit` if it is larger. Throws
/// std::filesystem::filesystem_error if a folder cannot be read.
std::size_t bytes_in(const std::string& folder, std::size_t limit) {
    std::size_t bytes = 0;
    std::set<File> seen;
    std::vector<std::filesystem::path> folders{folder};
    while (!folders.empty() && bytes <= limit) {
        const std::filesystem::path path = std::move(folders.back());
        folders.pop_back();
        std::error_code error;
        std::filesystem::directory_iterator entry(path, error);
        for (; !error && entry != std::filesystem::directory_iterator() && bytes <= limit;
             entry.increment(error)) {
            struct stat status {};
            if (::lstat(entry->path().c_str(), &status) != 0) {
                error.assign(errno, std::generic_category());
                if (errno == ENOENT)
                    continue; // removed meanwhile
                break;
            }
            if (seen.insert({status.st_dev, status.st_ino}).second)
                bytes += std::max(size_on_disk(status), least_file_bytes);
            if (S_ISDIR(status.st_mode))
                folders.push_back(entry->path());
        }
        if (error && error != std::errc::no_such_file_or_directory)
            throw std::filesystem::filesystem_error("cannot look at a folder", path, error);
    }
    return bytes;
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

} // namespace

std::optional<Excess> over_limits(pid_t top, const Cell& cell) {
    using What = Excess::What;
    const Limits& limits = cell.limits;
    const Held held = held_by(descendants(top), limits.memory_bytes);
    // The kernel stops programs at the limit: a program that is close to it has tried.
    const auto processes = static_cast<std::size_t>(limits.processes);
    if (held.threads + spare_processes >= processes)
        return Excess{What::processes, held.threads, processes, {}};
    if (held.too_much_to_look_at())
        return Excess{What::too_much_to_look_at, held.entries, most_entries, {}};
    if (held.memory() > limits.memory_bytes)
        return Excess{What::memory, held.memory(), limits.memory_bytes, {}};
    if (held.files_of_unknown_size() > most_of_unknown_size)
        return Excess{What::unknown_sizes, held.files_of_unknown_size(), most_of_unknown_size, {}};
    std::size_t bytes = held.disk();
    try {
        for (const std::string& folder : cell.writable)
            bytes += bytes_in(folder, limits.disk_bytes);
    } catch (const std::filesystem::filesystem_error& error) {
        return Excess{What::unreadable_folder, 0, 0, error.code()};
    }
    if (bytes > limits.disk_bytes)
        return Excess{What::files, bytes, limits.disk_bytes, {}};
    return std::nullopt;
}

std::string describe(const Excess& excess) {
    switch (excess.what) {
    case Excess::What::processes:
        return "it has " + std::to_string(excess.used) + " processes and threads; the limit is " +
               std::to_string(excess.limit);
    case Excess::What::too_much_to_look_at:
        return "it has more threads, open files and memory mappings than can be checked";
    case Excess::What::memory:
        return "it holds " + mebibytes(excess.used) + " of memory; the limit is " +
               mebibytes(excess.limit);
    case Excess::What::unknown_sizes:
        return "it keeps deleted files mapped, and their sizes cannot be determined";
    case Excess::What::unreadable_folder:
        return "it has created a folder that cannot be inspected: " + excess.error.message();
    case Excess::What::files:
        break;
    }
    return "it has written more than " + mebibytes(excess.limit) + " of files";
}

} // namespace sandbox
