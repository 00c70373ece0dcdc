#include "grade/scratch.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"
#include "sandbox/removal.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// Locks a folder of ours. Empty if it belongs to another user, or if `how` has LOCK_NB and another
/// process has locked it.
wire::UniqueFd lock(const fs::path& folder, int how) {
    wire::UniqueFd file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (file && (::fstat(file.get(), &status) != 0 || status.st_uid != ::geteuid() ||
                 ::flock(file.get(), how) != 0))
        file.reset();
    return file;
}

/// Whether `path` still is the folder that was opened.
bool is_still(const fs::path& path, const wire::UniqueFd& file) {
    struct stat now {};
    struct stat opened {};
    return ::lstat(path.c_str(), &now) == 0 && ::fstat(file.get(), &opened) == 0 &&
           now.st_dev == opened.st_dev && now.st_ino == opened.st_ino;
}

/// Removes what killed gradings left in `parent`. Leftovers that cannot be removed do no harm.
void remove_stale(const fs::path& parent) {
    std::error_code error;
    fs::directory_iterator entry(parent, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(scratch_prefix))
            continue;
        const wire::UniqueFd stale = lock(entry->path(), LOCK_EX | LOCK_NB);
        if (!stale)
            continue;
        if (const std::error_code left = sandbox::remove_tree(entry->path()))
            std::cerr << "grade: cannot remove " << entry->path().string()
                      << ", left by an earlier grading: " << left.message() << '\n';
    }
}

/// Throws std::runtime_error unless programs in `sandbox` can run programs in `scratch` and write
/// to their writable folder.
void require_use(const fs::path& scratch, const sandbox::Sandbox& sandbox) {
    const Folder folder(scratch / "trial");
    const fs::path program = folder.path() / "program";
    const fs::path writable = folder.path() / "writable";
    write_file(program, "#!/bin/sh\n");
    fs::create_directory(writable);
    for (const fs::path& path : {folder.path(), program})
        fs::permissions(path, fs::perms(0755)); // NOLINT(readability-magic-numbers)
    sandbox.hand_over(writable);
    sandbox::Cell cell;
    cell.readable = {folder.path()};
    cell.writable = {writable};
    cell.directory = writable;
    const std::string script = '\'' + program.string() + "' && echo > file";
    const Outcome outcome =
        run({sandbox.command(cell, {"/bin/sh", "-c", script}), "/", 60, cell, {}});
    if (!outcome.succeeded())
        throw std::runtime_error(outcome.output.substr(0, outcome.output.find('\n')) +
                                 outcome.ended);
}

} // namespace

std::vector<fs::path> temporary_folders() {
    std::vector<fs::path> folders{"/var/tmp", "/tmp"}; // the second can lie in memory
    const char* const chosen = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    if (chosen != nullptr && *chosen != '\0')
        folders.insert(folders.begin(), fs::absolute(chosen));
    return folders;
}

void Scratch::create(const fs::path& parent) {
    do { // until no other grading has taken it for a leftover
        std::string pattern = parent / (std::string(scratch_prefix) + "XXXXXX");
        if (::mkdtemp(pattern.data()) == nullptr)
            wire::throw_errno("cannot create a folder");
        path_ = pattern;
        lock_ = lock(path_, LOCK_EX);
        if (!lock_ && fs::exists(path_))
            throw std::runtime_error("cannot lock a folder");
    } while (!is_still(path_, lock_));
}

Scratch::Scratch(const std::vector<fs::path>& folders, const sandbox::Sandbox& sandbox) {
    std::string reasons;
    for (const fs::path& parent : folders) {
        try {
            remove_stale(parent);
            create(parent);
            // Other users must be able to pass through it, but need not list it.
            if (sandbox.protection() == sandbox::Protection::user)
                fs::permissions(path_, fs::perms(0711)); // NOLINT(readability-magic-numbers)
            require_use(path_, sandbox);
            return;
        } catch (const std::exception& error) {
            reasons += (reasons.empty() ? "" : "; ") + parent.string() + ": " + error.what();
            sandbox::remove_tree(path_);
        }
    }
    throw std::runtime_error("submissions in the sandbox " + sandbox.describe() +
                             " cannot run in any temporary folder (" + reasons +
                             "); set TMPDIR to a folder that every user can enter, on a disk that "
                             "allows programs to run");
}

Scratch::~Scratch() { sandbox::remove_tree(path_); }

} // namespace grade
