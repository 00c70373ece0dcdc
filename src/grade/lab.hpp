#pragma once

#include "grade/collect.hpp"
#include "grade/course.hpp"
#include "grade/stop.hpp"
#include "report/result.hpp"
#include "sandbox/sandbox.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace grade {

/// How submissions are graded.
struct Settings {
    std::optional<std::uint64_t> seed; ///< of all inputs; empty: each lab draws its own
    std::optional<int> device;         ///< of --list-devices; empty: the CPU
    sandbox::Protection protection = sandbox::Protection::bubblewrap;
    double lab_seconds = 300; ///< for all cases of a lab
};

/// The result of a lab, and what its tools printed.
struct Graded {
    report::Result result;
    std::string log;
};

/// Builds and runs one lab of a submission in the empty folder `folder`. Whatever the submission
/// does, there is a result: the points that were earned, or none, and why. Throws
/// std::runtime_error if the machine or the course is at fault, and Stopped.
Graded grade_lab(const Course& course, const std::filesystem::path& stage, const std::string& lab,
                 const Files& files, const Settings& settings, const sandbox::Sandbox& sandbox,
                 const std::filesystem::path& folder, const Stop& stop);

} // namespace grade
