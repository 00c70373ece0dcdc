#include "grade/files.hpp"

#include "sandbox/removal.hpp"
#include "wire/handles.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace grade {

std::optional<std::string> read_file(const fs::path& file) {
    if (!fs::exists(file))
        return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        wire::throw_errno("cannot read " + file.string());
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

void write_file(const fs::path& file, const std::string& text) {
    // Others may be writing the same file now.
    std::random_device random;
    const fs::path partial = file.parent_path() / ("." + std::to_string(random()) + ".partial");
    {
        std::ofstream stream(partial, std::ios::binary);
        stream << text << std::flush;
        if (!stream) {
            std::error_code ignored;
            fs::remove(partial, ignored);
            throw std::runtime_error("cannot write " + file.string() +
                                     "; is the folder yours, and the disk not full?");
        }
    }
    fs::rename(partial, file);
}

Folder::Folder(fs::path path) : path_(std::move(path)) {
    if (const std::error_code error = sandbox::remove_tree(path_))
        throw fs::filesystem_error("cannot empty the folder", path_, error);
    fs::create_directories(path_);
}

Folder::~Folder() { sandbox::remove_tree(path_); }

} // namespace grade
