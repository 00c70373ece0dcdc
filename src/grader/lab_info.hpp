#pragma once

#include "report/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace grader {

class Case;

/// A kernel file of a lab and the kernels that the lab's host code asks it for.
struct KernelSource {
    std::string file; ///< within kernels/
    std::vector<std::string> kernels;
    /// The build options of each program that is made of it. All are built before the first case:
    /// the scout finds them compiled then.
    std::vector<std::string> options;
};

/// What a lab's cases say about the lab as a whole.
struct LabInfo {
    std::string name;
    std::string title;
    std::vector<KernelSource> sources;
    /// Trials that are small enough to be interpreted and show all that the kernels do: groups that
    /// are full and one that is not, every kernel, every level.
    std::function<void(Case&)> small_trials;
};

/// Defined once by each lab's cases (tests/labs/labN.cpp).
LabInfo describe_lab();

/// How a case, or a trial that may yet be forgiven, has come to its end.
struct Ended {
    enum class Cause {
        seen,            ///< what came back, or that nothing did: the device may be to blame
        host,            ///< OpenCL refused a call, or calls never end: no device's mistake
        order,           ///< the host has left open in which order its commands run
        not_implemented, ///< a part of the starter is still to be written
    };
    report::Status status = report::Status::error;
    std::string message;
    std::string file;
    int line = 0;
    Cause cause = Cause::seen;
};

} // namespace grader
