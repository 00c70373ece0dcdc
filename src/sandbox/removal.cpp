#include "sandbox/removal.hpp"

#include "wire/handles.hpp"

#include <cerrno>
#include <cstddef>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sandbox {
namespace {

using wire::UniqueFd;

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Finds a folder in `parent`, and gives us all rights to it if it is ours. (Root has them anyway.)
/// Empty for anything else, including links. The descriptor is for opening, not for reading.
UniqueFd find_folder(int parent, const char* name) {
    UniqueFd folder(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (folder && ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid() &&
        (status.st_mode & S_IRWXU) != S_IRWXU)
        // fchmod does not take such a descriptor.
        ::chmod(("/proc/self/fd/" + std::to_string(folder.get())).c_str(), S_IRWXU);
    return folder;
}

struct CloseFolder {
    void operator()(DIR* stream) const { ::closedir(stream); }
};

int open_again(const UniqueFd& folder) {
    return ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Removes an empty folder, or something that is not a folder.
bool remove_one(int parent, const char* name) {
    return ::unlinkat(parent, name, 0) == 0 ||
           (errno == EISDIR && ::unlinkat(parent, name, AT_REMOVEDIR) == 0);
}

/// Calls `function` for the name of each entry.
template <class Function> void for_each_entry(const UniqueFd& folder, const Function& function) {
    const int own = open_again(folder); // the stream closes it
    const std::unique_ptr<DIR, CloseFolder> stream(own < 0 ? nullptr : ::fdopendir(own));
    if (!stream) {
        ::close(own);
        return;
    }
    // NOLINTNEXTLINE(concurrency-mt-unsafe): only this thread reads this stream
    while (const dirent* entry = ::readdir(stream.get())) {
        const std::string name = &entry->d_name[0];
        if (name != "." && name != "..")
            function(name.c_str());
    }
}

/// Empties a folder with two levels of folders open at a time: deeper folders are moved up.
class Emptying {
  public:
    explicit Emptying(const UniqueFd& top) : top_(top) {}

    /// Returns an error if something is left.
    std::error_code empty() {
        // Entries that are moved or removed while a folder is read may or may not show up.
        do {
            progress_ = false;
            error_.clear();
            for_each_entry(top_, [&](const char* name) { remove(name); });
        } while (progress_);
        return error_;
    }

  private:
    void remove(const char* name) {
        if (!remove_one(top_.get(), name)) {
            if (const UniqueFd folder = find_folder(top_.get(), name))
                for_each_entry(folder, [&](const char* inner) { take_out(folder, inner); });
            if (!remove_one(top_.get(), name)) {
                note_error();
                return;
            }
        }
        progress_ = true;
    }

    /// Removes an entry of a folder, or moves it to the top.
    void take_out(const UniqueFd& folder, const char* name) {
        if (remove_one(folder.get(), name))
            return;
        if (!find_folder(folder.get(), name)) { // only a folder that we can write to can be moved
            note_error();
            return;
        }
        int moved = -1;
        do { // until there is nothing of that name
            const std::string free = ".moved-" + std::to_string(moved_++);
            moved = ::renameat(folder.get(), name, top_.get(), free.c_str());
        } while (moved != 0 && (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR));
        if (moved != 0)
            note_error();
        progress_ = progress_ || moved == 0;
    }

    /// The first error is the cause; "folder not empty" follows from it.
    void note_error() {
        if (!error_)
            error_ = last_error();
    }

    const UniqueFd& top_;
    std::size_t moved_ = 0;
    bool progress_ = false;
    std::error_code error_;
};

} // namespace

std::error_code remove_tree(const std::filesystem::path& path) {
    if (remove_one(AT_FDCWD, path.c_str()) || errno == ENOENT)
        return {};
    const UniqueFd top = find_folder(AT_FDCWD, path.c_str());
    if (!top)
        return last_error();
    if (const std::error_code error = Emptying(top).empty())
        return error;
    return remove_one(AT_FDCWD, path.c_str()) ? std::error_code() : last_error();
}

} // namespace sandbox
