#pragma once

#include "wire/messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The results of a run, and the formats to report them in. Nothing here decides anything.
namespace report {

enum class Status {
    pass,
    fail,
    error,        ///< the harness could not decide
    inconclusive, ///< measured, but not clearly enough to cost a point
    blocked,      ///< blocked by a problem that another case reports
    skipped       ///< not selected, or not possible on this device
};

/// Whether a case with this status passes and earns its points: a doubt costs nothing.
constexpr bool has_passed(Status status) {
    return status == Status::pass || status == Status::inconclusive;
}

/// A status with its name in result.json, its label in the terminal, and in words.
struct StatusNames {
    Status status;
    const char* name;
    std::string_view label;
    const char* words;
};

/// All statuses, in the order of Status.
constexpr std::array<StatusNames, 6> statuses{{
    {Status::pass, "pass", "PASS", "passed"},
    {Status::fail, "fail", "FAIL", "failed"},
    {Status::error, "error", "ERROR", "error: no verdict"},
    {Status::inconclusive, "inconclusive", "UNSURE", "unsure, counts as passed"},
    {Status::blocked, "blocked", "BLOCKED", "blocked by another mistake"},
    {Status::skipped, "skipped", "SKIPPED", "skipped"},
}};

static_assert(std::ranges::all_of(statuses, [](const StatusNames& one) {
    return one.status == statuses.at(static_cast<std::size_t>(one.status)).status;
}));

constexpr const StatusNames& names_of(Status status) {
    return statuses.at(static_cast<std::size_t>(status));
}
constexpr const char* to_string(Status status) { return names_of(status).name; }

/// One test case of a lab.
struct Case {
    /// Whether a run has reached it. Only the run knows, not its files.
    enum class Progress { ended, not_selected, not_reached };

    std::string name;
    Status status = Status::skipped;
    Progress progress = Progress::ended;
    int score = 0;
    int max_score = 0;
    std::string message; ///< what is wrong, most important line first; or ""
    std::string hint;    ///< the first of `hints`, for reports; or ""
    /// From a nudge to nearly the answer. Only a run has them all; files have the first.
    std::vector<std::string> hints;
    std::size_t hint_level = 0; ///< the number of the hint to show, from 1; 0 for none
    std::string file;           ///< the student's file that it is about, "" if none
    int line = 0;               ///< a line of that file, 0 if none
    std::string finding;        ///< the kind of the finding that it names at this line; "" if none
    /// The name of the case that reports the mistake from which this failure follows; "" if none
    /// does, or if it is not known.
    std::string follows;
    std::string guess;            ///< the first known mistake that leads to this result; or ""
    bool not_implemented = false; ///< a part of the starter is still missing
    double seconds = 0;
    std::string output;                 ///< what the student's code printed
    std::vector<wire::Launch> launches; ///< of the last call
    std::string trace;                  ///< a picture of how it fails, as SVG; "" if none
};

/// Whether the case is no reason to fail: it has passed, or it is optional and cannot run here.
constexpr bool counts_as_passed(const Case& one) {
    return has_passed(one.status) || (one.status == Status::skipped && one.max_score == 0);
}

/// Whether the filter has left the case in.
constexpr bool was_selected(const Case& one) {
    return one.progress != Case::Progress::not_selected;
}

/// The kind of a finding that is a warning of the kernels' compiler.
constexpr const char* compiler_warning = "compiler-warning";

/// A mistake in the kernels that was found while they were interpreted, or a compiler's warning.
struct Finding {
    std::string kind;
    std::string file;
    int line = 0;
    std::string message;
    int other_line = 0; ///< another line of it, such as the other side of a race; 0 if none
};

/// A file of the student that a finding or a case names.
struct Source {
    std::string file; ///< the name in findings and cases
    std::string text; ///< at most source_limit bytes
};
constexpr std::size_t source_limit = std::size_t{32} << 10;

/// What the lab's algorithm takes for the launches that were counted: one of wire::work_counts.
struct Need {
    std::string kernel;
    std::string count; ///< its name
    std::uint64_t value = 0;
};

/// What a timing case measured.
struct Timing {
    std::string name; ///< of the case
    std::size_t elements = 0;
    double nanoseconds = 0;        ///< median device time of a call
    double wall_nanoseconds = 0;   ///< of the whole call on the host, with transfers
    double bytes_per_second = 0;   ///< least traffic of the algorithm over that time
    std::string baseline;          ///< what the time was compared with
    double ratio = 0;              ///< median of time / baseline's time, over the rounds
    double ratio_low = 0;          ///< smallest ratio
    double ratio_high = 0;         ///< largest ratio
    double bandwidth_fraction = 0; ///< bytes_per_second over the baseline's
    int rounds = 0;
};

/// The graded revision, as far as it is known.
struct Revision {
    std::string commit; ///< "" if unknown
    std::string time;   ///< such as 2026-12-04T23:59:00+01:00; "" if unknown
    /// `time` is when a service received it; otherwise the commit's date, which the committer can set.
    bool pushed = false;

    bool operator==(const Revision& other) const = default;
};

/// One run of one lab.
struct Result {
    std::string lab;
    std::string title;
    std::uint64_t seed = 0;
    std::string device;
    std::string protection; ///< the sandbox of the student's code; "" if there was none
    /// Why none of its cases could run; "" if they did. Known cases are listed anyway, because
    /// otherwise their points would be missing from the sum.
    std::string reason;
    bool harness_failed = false; ///< that is the reason, not the submission
    std::string due;             ///< the due date; "" if none is set
    /// From the due date to the revision's time, or to the run if that time is unknown.
    std::int64_t seconds_late = 0;
    Revision revision;
    std::vector<Case> cases;
    std::vector<Timing> timings;
    std::vector<Finding> findings;
    std::vector<wire::WorkCounts> work; ///< one for each kernel, of the launches that were counted
    std::vector<Need> needs;            ///< of these launches
    std::vector<Source> sources;        ///< at most one for each file

    int score() const;
    int max_score() const;
};

/// The lab that comes after a lab that has passed.
struct NextLab {
    std::string name;
    std::string title;   ///< "" if its handout has none
    std::string teaches; ///< what it teaches, in a line; likewise
};

/// Returns `result` as JSON, schema "opencl-labs/result/v1".
std::string to_json(const Result& result);

/// Reads what to_json() has written. Numbers that are not finite become NaN. Throws
/// std::runtime_error that says what is wrong for anything else.
Result result_from_json(const std::string& text);

/// Returns `result` as a JUnit XML test suite.
std::string to_junit(const Result& result);

/// Returns `result` as a self-contained HTML page: no scripts, nothing loaded.
std::string to_html(const Result& result);

} // namespace report
