#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// Which revision each lab is of, by its name; those of which nobody said so are not there.
using Revisions = std::map<std::string, report::Revision>;

/// The files of a submission that count, by their path within it.
struct Files {
    std::map<std::string, std::string> contents; ///< those that were taken
    std::map<std::string, std::string> refused;  ///< what is wrong with the others
    std::vector<std::string> remarks;            ///< about what else lies there
    Revisions revisions;                         ///< what they are of
};

/// No file of a lab is a tenth of this.
constexpr std::size_t max_file_size = std::size_t{256} << 10;

/// Takes the files `wanted` out of `submission`, and nothing else: only plain files of at most
/// max_file_size, reached through no link. No remark is made of `expected`, files which are not wanted
/// now. Throws std::runtime_error when there is no such folder.
Files collect(const std::filesystem::path& submission, const std::vector<std::string>& wanted,
              const std::vector<std::string>& expected = {});

} // namespace grade
