#pragma once

#include <string>

namespace report {

/// The schemas of a lab's and of a submission's result.json.
constexpr const char* result_schema = "opencl-labs/result/v1";
constexpr const char* submission_schema = "opencl-labs/submission/v1";

/// This course's version, in ./harness --version and in every result; see CHANGELOG.md.
constexpr const char* version = "1.0.0";

/// Returns "OpenCL labs 1.0.0".
inline std::string product() { return std::string("OpenCL labs ") + version; }

} // namespace report
