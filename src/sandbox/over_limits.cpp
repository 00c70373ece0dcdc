#include "sandbox/sandbox.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>

namespace sandbox {
namespace {

using File = std::pair<dev_t, ino_t>;

/// What the smallest file costs: the folder that names it and what the file system knows of it.
constexpr std::size_t least_file_bytes = 4096;

/// What the processes of a program hold together.
struct Held {
    std::size_t own_bytes = 0;    ///< memory of one process; shared after a fork it counts twice
    std::size_t shared_bytes = 0; ///< memory with a file behind it, as far as it is mapped
    std::map<File, std::size_t> shared_files;  ///< the files themselves, which have no name
    std::map<File, std::size_t> mapped_files;  ///< how far they are mapped
    std::map<File, std::size_t> unnamed_files; ///< on a disk, removed but open

    /// A file that is mapped shows twice, as memory and as a file, so the greater of both counts.
    std::size_t memory() const {
        std::size_t files = 0;
        for (const auto& [file, bytes] : shared_files)
            files += bytes;
        for (const auto& [file, bytes] : mapped_files) {
            if (shared_files.count(file) == 0)
                files += bytes;
        }
        return own_bytes + std::max(shared_bytes, files);
    }
};

bool begins_with(const std::string& text, const std::string& beginning) {
    return text.compare(0, beginning.size(), beginning) == 0;
}

/// The sum of the lines "Name:  12 kB" for some names.
template <class Names> std::size_t sum_of_lines(const std::string& path, const Names& names) {
    std::ifstream stream(path);
    std::size_t kilobytes = 0;
    for (std::string line; std::getline(stream, line);) {
        for (const std::string& name : names) {
            if (begins_with(line, name + ":"))
                kilobytes += std::stoull(line.substr(name.size() + 1));
        }
    }
    return kilobytes << 10;
}

std::size_t size_on_disk(const struct stat& status) {
    constexpr std::size_t block = 512;
    return static_cast<std::size_t>(status.st_blocks) * block;
}

/// Files that a process has open and that no folder names.
void add_open_files(const std::string& process, Held& held) {
    std::error_code error;
    std::filesystem::directory_iterator entry(process + "/fd", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        struct stat status {};
        if (::stat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
            status.st_nlink != 0)
            continue;
        std::error_code gone;
        const std::string name = std::filesystem::read_symlink(entry->path(), gone);
        auto& files = begins_with(name, "/memfd:") ? held.shared_files : held.unnamed_files;
        files[{status.st_dev, status.st_ino}] = size_on_disk(status);
    }
}

/// Shared memory that a process has mapped. Where nobody has it open, that tells how large it is.
void add_mapped_files(const std::string& process, Held& held) {
    std::ifstream stream(process + "/maps");
    for (std::string line; std::getline(stream, line);) {
        if (line.find(" /memfd:") == std::string::npos &&
            line.find(" /dev/zero (deleted)") == std::string::npos)
            continue;
        // "begin-end rw-s offset major:minor inode path"
        std::istringstream words(line);
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t offset = 0;
        unsigned int major_number = 0;
        unsigned int minor_number = 0;
        ino_t inode = 0;
        char separator = 0;
        std::string rights;
        words >> std::hex >> begin >> separator >> end >> rights >> offset >> major_number >>
            separator >> minor_number >> std::dec >> inode;
        std::size_t& reach = held.mapped_files[{makedev(major_number, minor_number), inode}];
        reach = std::max(reach, offset + (end - begin));
    }
}

/// Counts own memory once even where processes share it since a fork. This takes longer.
void count_exactly(const std::vector<pid_t>& processes, Held& held) {
    std::size_t own_bytes = 0;
    std::size_t shared_bytes = 0;
    for (const pid_t pid : processes) {
        const std::string path = "/proc/" + std::to_string(pid) + "/smaps_rollup";
        std::error_code gone;
        if (!std::ifstream(path) && std::filesystem::exists(path, gone))
            return; // not for us to read
        own_bytes += sum_of_lines(path, std::array<std::string, 2>{"Pss_Anon", "SwapPss"});
        shared_bytes += sum_of_lines(path, std::array<std::string, 1>{"Pss_Shmem"});
    }
    held.own_bytes = std::min(held.own_bytes, own_bytes);
    held.shared_bytes = std::min(held.shared_bytes, shared_bytes);
}

Held held_by(const std::vector<pid_t>& processes, std::size_t limit) {
    Held held;
    for (const pid_t pid : processes) {
        const std::string process = "/proc/" + std::to_string(pid);
        const std::string status = process + "/status";
        held.own_bytes += sum_of_lines(status, std::array<std::string, 2>{"RssAnon", "VmSwap"});
        held.shared_bytes += sum_of_lines(status, std::array<std::string, 1>{"RssShmem"});
        add_open_files(process, held);
        add_mapped_files(process, held);
    }
    if (held.memory() > limit)
        count_exactly(processes, held);
    return held;
}

/// What lies in `folder`, or a little more than `limit` if it is more. Throws
/// std::filesystem::filesystem_error where somebody took pains not to be looked at.
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

std::string over_limits(pid_t top, const Cell& cell) {
    const Limits& limits = cell.limits;
    const Held held = held_by(descendants(top), limits.memory_bytes);
    if (held.memory() > limits.memory_bytes)
        return "it holds " + mebibytes(held.memory()) + " of memory, and may hold " +
               mebibytes(limits.memory_bytes);
    std::size_t bytes = 0;
    for (const auto& [file, size] : held.unnamed_files)
        bytes += size;
    try {
        for (const std::string& folder : cell.writable)
            bytes += bytes_in(folder, limits.disk_bytes);
    } catch (const std::filesystem::filesystem_error& error) {
        return "it has written a folder that nobody can look at: " + error.code().message();
    }
    if (bytes > limits.disk_bytes)
        return "it has written more than " + mebibytes(limits.disk_bytes) + " of files";
    return {};
}

} // namespace sandbox
