#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace grade {

/// Returns the contents of the file, or nothing if it does not exist. Throws std::system_error.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Writes the whole file, or leaves the old one unchanged; meanwhile, a partial file lies beside
/// it. Throws std::system_error.
void write_file(const std::filesystem::path& file, const std::string& text);

/// The same for a file that several processes write: they take turns, and each removes the partial
/// files that killed processes have left in the folder.
void write_shared_file(const std::filesystem::path& file, const std::string& text);

/// Removes the partial files that killed processes have left in `folder`.
void remove_partial_files(const std::filesystem::path& folder);

/// A folder that the destructor removes with everything in it.
class Folder {
  public:
    /// Creates `path`, or empties it if it exists.
    explicit Folder(std::filesystem::path path);
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

} // namespace grade
