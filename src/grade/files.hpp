#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace grade {

/// What the file holds, or nothing where there is none. Throws std::system_error.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Writes the whole file or leaves the old one as it is; what is half written lies beside it. Throws
/// std::system_error.
void write_file(const std::filesystem::path& file, const std::string& text);

/// The same for a file that several processes write: they take turns, and each removes what those that
/// were killed have left half written in the folder.
void write_shared_file(const std::filesystem::path& file, const std::string& text);

/// Removes what is half written in `folder` since a process was killed.
void remove_partial_files(const std::filesystem::path& folder);

/// A folder that is removed with all that is in it.
class Folder {
  public:
    /// Creates `path`, emptied if it is there.
    explicit Folder(std::filesystem::path path);
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;
    ~Folder();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace grade
