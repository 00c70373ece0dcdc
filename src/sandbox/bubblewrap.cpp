#include "sandbox/bubblewrap.hpp"

#include "sandbox/visible_files.hpp"
#include "sandbox/words.hpp"

#include <algorithm>
#include <filesystem>

namespace sandbox {
namespace {

namespace fs = std::filesystem;

/// Adds the folders above `path`, because only root could enter those that bubblewrap would create.
void add_parents(Words& words, const fs::path& path) {
    std::vector<fs::path> parents;
    for (fs::path one = path.parent_path(); one != one.parent_path(); one = one.parent_path())
        parents.push_back(one);
    std::ranges::reverse(parents);
    for (const fs::path& parent : parents)
        append(words, {"--perms", "0755", "--dir", parent});
}

/// A mount in a bubblewrap sandbox.
struct Mount {
    std::string place;
    Words arguments;
    bool in_memory = false; ///< bubblewrap creates it
};

/// Returns what a cell adds to the system's folders: outer folders first, so that inner ones take
/// precedence.
std::vector<Mount> mounts_of(const Cell& cell) {
    std::vector<Mount> mounts;
    const auto hide_in = [&](const std::string& folder) {
        for (const fs::path& path : hidden_in(folder, cell)) {
            if (fs::is_directory(path))
                mounts.push_back({path, {"--perms", "0555", "--tmpfs", path}, true});
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
    std::ranges::stable_sort(mounts, [](const Mount& one, const Mount& other) {
        return one.place.size() < other.place.size();
    });
    return mounts;
}

/// Adds the system's folders, which are the same in each sandbox but for the GPUs' settings.
void add_system(Words& words, const Cell& cell) {
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
}

/// Adds the folders that every sandbox has for itself.
void add_own_folders(Words& words, const Cell& cell) {
    const std::string size = std::to_string(cell.limits.disk_bytes);
    append(words, {"--proc", "/proc", "--dev", "/dev"});
    if (cell.gpu) {
        for (const std::string& device : gpu_devices())
            append(words, {"--dev-bind", device, device});
    }
    for (const char* folder : {"/dev/shm", "/tmp"})
        append(words, {"--perms", "1777", "--size", size, "--tmpfs", folder});
}

/// Adds what the cell gives and hides, and closes everything else.
void add_cell(Words& words, const Cell& cell) {
    const std::vector<Mount> mounts = mounts_of(cell);
    for (const Mount& mount : mounts) {
        add_parents(words, mount.place);
        append(words, mount.arguments);
    }
    // What bubblewrap created itself lies in memory, and must not be writable.
    for (const Mount& mount : mounts) {
        if (mount.in_memory)
            append(words, {"--remount-ro", mount.place});
    }
    append(words, {"--remount-ro", "/dev", "--remount-ro", "/"});
}

} // namespace

Words bubblewrap_options(const Cell& cell, const std::string& confine, bool as_root) {
    Words words{"--die-with-parent",
                "--new-session",
                "--unshare-ipc",
                "--unshare-pid",
                "--unshare-net",
                "--unshare-uts",
                "--hostname",
                "sandbox",
                "--unshare-cgroup-try",
                "--cap-drop",
                "ALL"};
    if (as_root) // confine needs these to become another user
        append(words, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
    else
        words.emplace_back("--unshare-user");
    add_system(words, cell);
    add_own_folders(words, cell);
    append(words, {"--ro-bind", confine, confine_inside});
    add_cell(words, cell);
    return words;
}

} // namespace sandbox
