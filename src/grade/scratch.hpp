#pragma once

#include "sandbox/sandbox.hpp"
#include "wire/handles.hpp"

#include <filesystem>
#include <vector>

namespace grade {

/// How the names of scratch folders begin.
constexpr const char* scratch_prefix = "opencl-labs-";

/// The temporary folders of this machine, the best first: $TMPDIR, /var/tmp, /tmp.
std::vector<std::filesystem::path> temporary_folders();

/// The folder in which one grading builds and runs submissions. It is new, and the destructor
/// removes it with everything in it. It lies in a temporary folder, because sandboxed programs may
/// run as a user that cannot enter the course or the folder of the results.
class Scratch {
  public:
    /// Creates it in the first of `folders` where programs can run in `sandbox`. Also removes what
    /// killed gradings of the same user have left there. Throws std::runtime_error that says why if
    /// no folder works.
    Scratch(const std::vector<std::filesystem::path>& folders, const sandbox::Sandbox& sandbox);
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch();

    const std::filesystem::path& path() const { return path_; }

  private:
    void create(const std::filesystem::path& parent);

    std::filesystem::path path_;
    wire::UniqueFd lock_; ///< while it is open, no other grading removes the folder
};

} // namespace grade
