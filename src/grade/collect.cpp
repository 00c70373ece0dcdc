#include "grade/collect.hpp"

#include "report/text.hpp"
#include "wire/handles.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// Why a file was not taken.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string reason_of(int error) {
    switch (error) {
    case ENOENT:
        return "is missing";
    case ELOOP:
        return "is a link or is reached through one; only regular files are accepted";
    case ENOTDIR:
        return "is reached through a link, or is inside something that is not a folder";
    default:
        return "cannot be read: " + std::generic_category().message(error);
    }
}

/// Whether the machine causes an error, not the file.
bool is_disk_error(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO || error == ESTALE;
}

/// Opens `name` in the folder `folder`, but not through a link, and without blocking.
wire::UniqueFd open_in(const wire::UniqueFd& folder, const std::string& name, int flags) {
    wire::UniqueFd file(::openat(folder.get(), name.c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags));
    if (!file && is_disk_error(errno))
        wire::throw_errno("cannot open " + name);
    if (!file)
        throw Refused(reason_of(errno));
    return file;
}

struct stat status_of(const wire::UniqueFd& file) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        wire::throw_errno("cannot inspect a file of the submission");
    return status;
}

std::string read_all(const wire::UniqueFd& file) {
    std::string text;
    std::array<char, 16384> buffer{};
    while (text.size() <= max_file_size) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && is_disk_error(errno))
            wire::throw_errno("cannot read a file of the submission");
        if (count < 0)
            throw Refused(reason_of(errno));
        if (count == 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    throw Refused("is larger than " + std::to_string(max_file_size >> 10) + " KiB");
}

/// Returns the contents of the regular file at `path` in `root`. Throws Refused.
std::string take(const wire::UniqueFd& root, const fs::path& path) {
    wire::UniqueFd folder(::fcntl(root.get(), F_DUPFD_CLOEXEC, 0));
    for (const fs::path& part : path.parent_path())
        folder = open_in(folder, part, O_DIRECTORY);
    const wire::UniqueFd file = open_in(folder, path.filename(), 0);
    const struct stat status = status_of(file);
    if (!S_ISREG(status.st_mode))
        throw Refused("is not a regular file");
    // A second name for another user's file is a link, too.
    if (status.st_nlink > 1 && status.st_uid != status_of(root).st_uid)
        throw Refused("is a hard link to another user's file");
    return read_all(file);
}

/// Whether a part of the path `folder` in `submission` is not a folder itself.
bool is_behind_link(const fs::path& submission, const fs::path& folder) {
    fs::path path = submission;
    std::error_code error;
    return !std::ranges::all_of(folder, [&](const fs::path& part) {
        path /= part;
        return fs::is_directory(fs::symlink_status(path, error));
    });
}

/// Lists the other code files beside the wanted ones, in a few words; "" if there are none.
std::string describe_others(const fs::path& submission, const std::vector<std::string>& wanted,
                            const std::vector<std::string>& expected) {
    const auto is_in = [](const std::vector<std::string>& files, const std::string& path) {
        return std::ranges::find(files, path) != files.end();
    };
    constexpr std::size_t most_shown = 8;
    constexpr std::size_t most_counted = 1000;
    std::vector<std::string> others;
    std::vector<fs::path> folders;
    folders.reserve(wanted.size());
    for (const std::string& path : wanted)
        folders.push_back(fs::path(path).parent_path());
    std::ranges::sort(folders);
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    for (const fs::path& folder : folders) {
        std::error_code error;
        if (is_behind_link(submission, folder))
            continue;
        fs::directory_iterator entry(submission / folder, error);
        for (; !error && entry != fs::directory_iterator() && others.size() < most_counted;
             entry.increment(error)) {
            const std::string path = folder / entry->path().filename();
            const std::string extension = entry->path().extension();
            const bool code = extension == ".cpp" || extension == ".cl";
            if (code && !is_in(wanted, path) && !is_in(expected, path))
                others.push_back(path);
        }
    }
    std::ranges::sort(others);
    std::string text;
    for (std::size_t i = 0; i < std::min(others.size(), most_shown); ++i)
        text += (i == 0 ? "" : ", ") + report::visible_line(others[i]);
    if (others.size() > most_shown)
        text += " and " + std::to_string(others.size() - most_shown) + " more";
    return text;
}

} // namespace

Files collect(const fs::path& submission, const std::vector<std::string>& wanted,
              const std::vector<std::string>& expected) {
    const wire::UniqueFd root(::open(submission.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root)
        throw std::runtime_error("cannot open the submission " + submission.string() + ": " +
                                 std::generic_category().message(errno) +
                                 "; give the folder that holds its labs/ and kernels/");
    Files files;
    for (const std::string& path : wanted) {
        try {
            files.contents[path] = take(root, path);
        } catch (const Refused& refused) {
            files.refused[path] = path + ' ' + refused.what();
        }
    }
    const std::string others = describe_others(submission, wanted, expected);
    if (!others.empty())
        files.remarks.push_back(
            "ignored, because only the files that the course hands out count: " + others);
    return files;
}

} // namespace grade
