#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// How a case fails. A check describes a Failure; a case ends by throwing a CaseOutcome, which
/// verdicts.cpp turns into its verdict.
namespace grader {

/// Hints for one mistake, from a nudge to nearly the answer.
using Hints = std::vector<std::string>;

/// A mistake that is known to explain failures: of the host, as its launches and transfers show, or
/// of a kernel, as wrong results show.
struct KnownMistake {
    std::string text;  ///< for the student
    std::string cause; ///< the same without numbers, which differ from call to call
    Hints hints = {};
    std::string kernel = {}; ///< whose findings follow from it; "" for a mistake of the host
    int launch = 0;          ///< the number of the launch that shows it, from 1; 0: none does
    std::vector<std::uint64_t> frames = {}; ///< where the host made it, innermost first
    const char* before_place = "launched at ";
    bool spoils_indices = true; ///< wrong indices can follow from it, not only wrong values
    /// Any work-items can race because of it: two parameters are one buffer, work-items do not know which
    /// elements are theirs, or a lock or counter has a wrong value.
    bool explains_every_race = false;
    /// A launch is missing that orders what groups do. A kernel whose groups race may be an attempt to do
    /// without it.
    bool lacks_launch = false;
};

/// What explains how a case fails.
struct Explanation {
    enum class Cause {
        seen,            ///< a wrong result or none: the device may be to blame
        host,            ///< OpenCL rejected a call, or the host is endless: not the device's fault
        order,           ///< the host does not define the order of its commands
        not_implemented, ///< a part of the starter is not implemented yet
    };
    Cause cause = Cause::seen;
    /// For this mistake; {} shows none. Not given: those of the case.
    std::optional<Hints> hints = std::nullopt;
    /// What explains the whole failure: cases that fail because of the same mistake follow from the
    /// first of them. "" if it is not known.
    std::string mistake = {};
    std::vector<std::string> guesses = {}; ///< known mistakes that lead to this result
    bool is_correction = false;            ///< `mistake` is a change that makes small inputs right
    bool only_asks = false; ///< the guess is no known mistake, but says where to look
    /// The kernel whose wrong indices, data races and uninitialized values follow from `mistake`,
    /// which the only guess describes; "" for none.
    std::string explained_kernel = {};
    /// Later cases with the same symptom follow from it if the input is so short that longer ones
    /// fail, too, or if nothing explains either of them: "wrong sum".
    std::string symptom = {};
    bool is_basic = false;
    /// A symptom of which this one can be a consequence: without right sums, no minimum is right.
    std::string wider_symptom = {};
};

/// How a case ended, or a trial whose failure may not count.
struct CaseOutcome {
    report::Status status = report::Status::error;
    std::string message;
    std::string file = {};
    int line = 0;
    Explanation why = {};
    std::string follows = {}; ///< see report::Case
    /// The message names a mistake of the host, so mistakes in the kernels are not named, too.
    bool is_by_host = false;
    std::string question = {};    ///< what may be wrong, as long as no mistake is known
    std::string path = {};        ///< where an element is lost, as long as no correction is known
    bool is_endless = false;      ///< the host repeats or waits for something forever
    std::string context = {};     ///< lines about the call and the trials before it
    std::string hung_kernel = {}; ///< the kernel that did not end; "" for none
    /// The finding that the message names, at `line` of `file`.
    std::optional<wire::FindingKind> finding = std::nullopt;
};

/// The guesses that are shown: none if there are many, because most of them are wrong then.
std::vector<std::string> guesses_shown(const CaseOutcome& ended);

/// All lines of how a case ended.
std::string text_of(const CaseOutcome& ended);

/// The same without the context.
std::string without_context(CaseOutcome ended);

/// Ends a case.
[[noreturn]] void end(const CaseOutcome& ended);

/// Ends a case for a reason for which there are no hints.
[[noreturn]] void end(report::Status status, const std::string& message,
                      const std::string& file = {}, int line = 0);

/// Ends a case that cannot run here.
[[noreturn]] inline void skip(const std::string& reason) { end(report::Status::skipped, reason); }

/// An element of argument 0 of the first launch of a call.
struct FollowedElement {
    std::size_t index = 0;
    float value = 0; ///< that no value without the element has
};

/// Where the way of an element to the result of a call is wrong.
struct WrongStep {
    std::string kernel;
    std::vector<int> lines; ///< of the kernel, in the order in which `text` names them
    std::string text;       ///< for the student
};

/// What is wrong, for a student.
struct Failure {
    std::string what;                      ///< "wrong sum"; the trial is appended
    std::vector<std::string> details = {}; ///< one line each
    std::string kernel = {};               ///< the kernel at fault; "" for none
    Explanation why = {};
    /// The student's host code at fault; "" for none.
    std::string host_file = {};
    int host_line = 0;
    /// The details say what is wrong with the launches. A known mistake of the host says the same
    /// with its reason.
    bool is_about_launches = false;
    /// The result shows that no launch of the usual kernels is missing.
    bool needs_no_other_launch = false;
    std::string question = {}; ///< see CaseOutcome
    std::optional<WrongStep> wrong_step = std::nullopt;
};

/// A failure for which the host alone is to blame. Cases with the same `what` have the same cause.
Failure failure_of_host(const std::string& what, const std::string& detail);

/// The failure of a host whose launches are wrong: `how` says what they must be.
Failure wrong_launch(const std::string& how, const std::optional<Hints>& hints = std::nullopt);

} // namespace grader
