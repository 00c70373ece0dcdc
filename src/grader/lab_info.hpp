#pragma once

#include "wire/trace.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace grader {

class Case;

/// A kernel file of a lab and the kernels in it that the lab's host code uses.
struct KernelSource {
    std::string file; ///< within kernels/
    std::vector<std::string> kernels;
    /// The build options of each program that is built from it. All are built before the first
    /// case, so that the small trials find them compiled.
    std::vector<std::string> options;
};

/// The numbers in the buffers of a launch, by the number of the kernel's parameter; NaN: not known.
using BufferContents = std::map<int, std::vector<double>>;
/// Changes the contents of a launch's buffers as its kernel should.
using Effect = std::function<void(const wire::Trace&, BufferContents&)>;

/// The description of a lab, from its cases.
struct LabInfo {
    std::string name;
    std::string title;
    std::vector<KernelSource> sources;
    /// Trials that are small enough to be interpreted and that exercise everything in the kernels:
    /// full groups and a partial one, every kernel, every level.
    std::function<void(Case&)> small_trials;
    /// Calls that are small enough to be drawn, each in one trial. They show their results, see
    /// Case::show_result(). The first one in which something is wrong is drawn, or else the first.
    /// None: the lab has no picture.
    std::vector<std::function<void(Case&)>> examples = {};
    /// With it, pictures mark wrong values in buffers. None: only wrong results are marked.
    Effect effect = {};
};

/// Defined once by each lab's cases (tests/labs/labN.cpp).
LabInfo describe_lab();

} // namespace grader
