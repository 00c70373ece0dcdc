#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// The revision of each lab, by the lab's name; without the labs whose revision is unknown.
using Revisions = std::map<std::string, report::Revision>;

/// The files of a submission that count, by their path in it.
struct Files {
    std::map<std::string, std::string> contents; ///< of the files that were taken
    std::map<std::string, std::string> refused;  ///< what is wrong with the others
    std::vector<std::string> remarks;            ///< about other files beside them
    Revisions revisions;                         ///< which the files belong to
};

/// The labs' own files are less than a tenth of this size.
constexpr std::size_t max_file_size = std::size_t{256} << 10;

/// Takes only the files `wanted` from `submission`: regular files of at most max_file_size, reached
/// through no link. The remarks leave out `expected`, files that are not wanted now. Throws
/// std::runtime_error if the folder does not exist.
Files collect(const std::filesystem::path& submission, const std::vector<std::string>& wanted,
              const std::vector<std::string>& expected = {});

} // namespace grade
