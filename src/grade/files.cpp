#include "grade/files.hpp"

#include "wire/handles.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
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
    const fs::path partial = file.string() + ".partial";
    {
        std::ofstream stream(partial, std::ios::binary);
        stream << text << std::flush;
        if (!stream)
            throw std::runtime_error("cannot write " + file.string() +
                                     "; is the folder yours, and the disk not full?");
    }
    fs::rename(partial, file);
}

Folder::Folder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
}

Folder::~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace grade
