#include "grade/files.hpp"

#include "sandbox/removal.hpp"
#include "wire/handles.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace grade {

std::optional<std::string> read_file(const fs::path& file) {
    if (!fs::exists(file))
        return std::nullopt;
    const wire::UniqueFd descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor)
        wire::throw_errno("cannot read " + file.string());
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            wire::throw_errno("cannot read " + file.string());
        if (count == 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

namespace {

constexpr const char* partial_extension = ".partial";

/// Writes and closes a new file: a remote disk can turn out to be full only when the file is
/// closed.
std::error_code write_new(const fs::path& file, const std::string& text) {
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (stream)
        return {};
    return {errno != 0 ? errno : EIO, std::generic_category()};
}

} // namespace

void write_file(const fs::path& file, const std::string& text) {
    // Other processes may be writing the same file now.
    std::random_device random;
    const fs::path partial =
        file.parent_path() / ("." + std::to_string(random()) + partial_extension);
    std::error_code error = write_new(partial, text);
    if (!error)
        fs::rename(partial, file, error);
    if (error) {
        std::error_code ignored;
        fs::remove(partial, ignored);
        throw std::system_error(error, "cannot write " + file.string());
    }
}

void write_shared_file(const fs::path& file, const std::string& text) {
    const fs::path folder = file.parent_path();
    const wire::UniqueFd turn(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (turn && ::flock(turn.get(), LOCK_EX) == 0)
        remove_partial_files(folder);
    write_file(file, text);
}

void remove_partial_files(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const std::string name = entry->path().filename();
        if (name.front() == '.' && entry->path().extension() == partial_extension)
            fs::remove(entry->path(), ignored);
    }
}

Folder::Folder(fs::path path) : path_(std::move(path)) {
    if (const std::error_code error = sandbox::remove_tree(path_))
        throw fs::filesystem_error("cannot empty the folder", path_, error);
    fs::create_directories(path_);
}

Folder::~Folder() { sandbox::remove_tree(path_); }

} // namespace grade
