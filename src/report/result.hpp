#pragma once

#include "wire/messages.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What a run found out, and the formats it is told in. Nothing here decides anything.
namespace report {

enum class Status {
    pass,
    fail,
    error,        ///< the harness could not find out
    inconclusive, ///< measured, but not clear enough to cost a point
    blocked,      ///< something that another case reports already stands in the way
    skipped       ///< not asked for, or not possible on this device
};

/// The word for `status` in result.json.
const char* to_string(Status status);

/// One test case of a lab.
struct Case {
    std::string name;
    Status status = Status::skipped;
    int score = 0;
    int max_score = 0;
    std::string message; ///< what is wrong, first line first; "" when there is nothing to say
    std::string hint;
    std::string file; ///< the student's file that it is about, "" if none
    int line = 0;     ///< a line of it, 0 if none
    double seconds = 0;
    std::string output;                 ///< what the student's code printed
    std::vector<wire::Launch> launches; ///< of the last call
};

/// What a skipped case says if the filter left it out.
constexpr const char* not_selected = "not selected";

/// Whether the case was asked for.
bool was_selected(const Case& one);

/// A mistake in the kernels that was seen while they were interpreted.
struct Finding {
    std::string kind;
    std::string file;
    int line = 0;
    std::string message;
};

/// What a timing case measured.
struct Timing {
    std::string name; ///< of the case
    std::size_t elements = 0;
    double nanoseconds = 0;        ///< median device time of a call
    double wall_nanoseconds = 0;   ///< with what a call takes on the host, transfers and all
    double bytes_per_second = 0;   ///< least traffic of the algorithm over that time
    std::string baseline;          ///< what it was compared with
    double ratio = 0;              ///< median of time / baseline's time, over the rounds
    double ratio_low = 0;          ///< smallest of them
    double ratio_high = 0;         ///< largest
    double bandwidth_fraction = 0; ///< bytes_per_second over the baseline's
    int rounds = 0;
};

/// What is graded, as far as somebody has said so.
struct Revision {
    std::string commit; ///< "" if it is not known
    std::string time;   ///< as in 2026-12-04T23:59:00+01:00; "" if it is not known
    bool pushed =
        false; ///< `time` is when a service received it; else when it was committed, which
               ///< anyone who commits can set

    bool operator==(const Revision& other) const {
        return commit == other.commit && time == other.time && pushed == other.pushed;
    }
};

/// One run of one lab.
struct Result {
    std::string lab;
    std::string title;
    std::uint64_t seed = 0;
    std::string device;
    std::string protection; ///< what kept the student's code in; "" where nothing did
    /// Why none of its cases could be run; "" if they were. They are listed all the same where they
    /// are known, or their points would be missing from the sum.
    std::string reason;
    std::string due; ///< when it is to be handed in; "" if that is not set
    /// Of the revision's time after that; of the run where that time is not known.
    std::int64_t seconds_late = 0;
    Revision revision;
    std::vector<Case> cases;
    std::vector<Timing> timings;
    std::vector<Finding> findings;
    std::vector<wire::WorkCounts> work; ///< a kernel each, of the launches that were counted

    int score() const;
    int max_score() const;
};

/// `result` as JSON, schema "opencl-labs/result/v1".
std::string to_json(const Result& result);

/// What to_json has written. Numbers that are not finite come back as NaN. Throws
/// std::runtime_error, which says what is wrong, for anything else.
Result result_from_json(const std::string& text);

/// `result` as a JUnit XML test suite.
std::string to_junit(const Result& result);

} // namespace report
