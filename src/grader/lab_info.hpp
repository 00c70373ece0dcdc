#pragma once

#include "report/result.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace grader {

class Case;

/// Hints for one mistake, from a nudge to nearly the answer.
using Hints = std::vector<std::string>;

/// A kernel file of a lab and the kernels in it that the lab's host code uses.
struct KernelSource {
    std::string file; ///< within kernels/
    std::vector<std::string> kernels;
    /// The build options of each program that is built from it. All are built before the first
    /// case, so that the scout finds them compiled.
    std::vector<std::string> options;
};

/// The description of a lab, from its cases.
struct LabInfo {
    std::string name;
    std::string title;
    std::vector<KernelSource> sources;
    /// Trials that are small enough to be interpreted and that exercise everything in the kernels:
    /// full groups and a partial one, every kernel, every level.
    std::function<void(Case&)> small_trials;
    /// One call that is small enough to be drawn. Shows its result, see Case::show_result(). None:
    /// the lab has no picture.
    std::function<void(Case&)> example = {};
};

/// Defined once by each lab's cases (tests/labs/labN.cpp).
LabInfo describe_lab();

/// What the host did wrong in a call, as its launches and transfers show.
struct HostMistake {
    std::string text;  ///< for the student; "" if nothing is known to be wrong
    std::string cause; ///< the same without numbers, which differ from call to call
    Hints hints = {};
};

/// What is wrong with the kernels, as wrong results show, and the kernel whose findings follow from
/// it: a wrong index, for example, if another kernel has computed it wrongly.
struct KernelMistake {
    std::string text;  ///< for the student; "" if nothing is known to be wrong
    std::string cause; ///< as in HostMistake
    std::string kernel;
};

/// How a case ended, or a trial whose failure may not count.
struct Ended {
    enum class Cause {
        seen,            ///< a wrong result or none: the device may be to blame
        host,            ///< OpenCL rejected a call, or the host is endless: not the device's fault
        order,           ///< the host does not define the order of its commands
        not_implemented, ///< a part of the starter is not implemented yet
    };
    report::Status status = report::Status::error;
    std::string message;
    std::string file;
    int line = 0;
    Cause cause = Cause::seen;
    std::optional<Hints> hints = std::nullopt; ///< for this mistake; none given: those of the case
    std::string follows = {};                  ///< see report::Case
    std::string mistake = {};                  ///< what explains all of it; "" if that is not known
    /// The message names a mistake of the host, so mistakes in the kernels are not named, too.
    bool is_by_host = false;
    std::vector<std::string> guesses = {}; ///< known mistakes that lead to this result
    std::string context = {};              ///< lines about the call and the trials before it
    std::string hung_kernel = {};          ///< the kernel that did not end; "" for none
    std::string explained_kernel = {};     ///< see Failure
};

/// Why labgrind executes all further launches of a session in place of the device.
enum class StandIn {
    none,       ///< it does not
    for_device, ///< correct kernels got a wrong result on the device
    /// A barrier is missing, and that spoils a result on the device. The work-items of each group
    /// run in lock step, where it changes nothing, so that cases can judge everything else.
    for_barrier,
};

/// All lines of how a case ended.
std::string text_of(const Ended& ended);

/// The same without the context.
std::string without_context(Ended ended);

} // namespace grader
