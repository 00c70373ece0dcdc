#pragma once

#include "grader/kernel_file.hpp"
#include "report/text.hpp"
#include "wire/messages.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

/// Explains numbers and signals to students.
namespace grader {

struct RunnerEnd;

/// The parts that are not empty, each on a line of its own.
std::string lines(const std::vector<std::string>& parts);

/// "CL_INVALID_WORK_GROUP_SIZE (-54): ..." with what usually causes it.
std::string explain_opencl_error(int code);
/// "CL_INVALID_VALUE (-30)".
std::string name_of_opencl_error(int code);

/// The name among `known` that differs from `name` by the fewest letters, if they are few; "" if
/// there is none.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// Which kernels `file` has instead of one named `wanted`.
std::string explain_kernel_name(const std::string& wanted, const KernelFile& file);

/// Which macro `file` tests although no build options define it, but another one with nearly the same
/// name; "" if there is none. `options`: of each program that is built from it.
std::string explain_undefined_macro(const std::vector<std::string>& options,
                                    const KernelFile& file);

/// "the compiler warns about line 7: ..."
std::string compiler_warns(int line, const std::string& text);

/// "crashed with a segmentation fault: ..." for a signal's number.
std::string explain_signal(int signal);

/// `output` without the lines in which a kernel compiler counts its messages, "1 warning
/// generated.": the messages themselves are in the build log.
std::string without_message_counts(const std::string& output);

/// A line of a student's host code.
struct SourceLine {
    std::string file; ///< relative to the repository
    int line = 0;

    bool operator!=(const SourceLine& other) const {
        return file != other.file || line != other.line;
    }
};

/// The line of host code at `place` in the folder of the lab's host code, with its number; "" if the
/// place is not a plain file of that folder.
std::string quote_host_line(const SourceLine& place, const std::string& folder);

/// Returns the command that runs a command in a sandbox.
using Enclose = std::function<std::vector<std::string>(const std::vector<std::string>&)>;

/// The lines of the student's own files in a crashed stack, innermost first. `runner` is the
/// program that crashed; file names are relative to `root`. Empty if it takes longer than
/// `seconds`. `enclose` runs the reader of the debug information in a sandbox: that information can
/// be made to break it.
std::vector<SourceLine> find_source_lines(const std::vector<std::uint64_t>& frames,
                                          const std::string& runner, const std::string& root,
                                          int seconds, const Enclose& enclose = {});

/// Whether the runner hung because its host code launched kernel after kernel.
bool launches_without_end(const RunnerEnd& runner_end);

/// Whether a runner hung while all its threads waited and a user event of the host was not complete.
bool waits_for_user_event(const RunnerEnd& runner_end);

/// What the host repeats or waits for forever, if it hung or crashed by that: launches, calls of one
/// of its functions, or a user event. "" if it did not.
std::string endless_part(const RunnerEnd& runner_end);

/// The description of a runner's end.
std::string explain_end(const RunnerEnd& runner_end, const std::vector<SourceLine>& stack);

/// What often leads to such an end, for as long as nothing else explains it; "" if that is not known.
std::string usual_causes(const RunnerEnd& runner_end);

/// The same for a program of the harness: "was still running after 10.2 s and was stopped".
std::string describe_end(const RunnerEnd& runner_end);

/// What is wrong with a read or a write that the host does not wait for, and what to do.
constexpr const char* reads_unwaited =
    "enqueueReadBuffer or enqueueMapBuffer with CL_FALSE only starts the read, and nothing waited "
    "for it: use CL_TRUE, call finish() or wait for the event of this read";
constexpr const char* writes_unwaited =
    "enqueueWriteBuffer with CL_FALSE only starts the write, which can read your memory until you "
    "wait for it or for a later command: use CL_TRUE, or wait before you return";
constexpr const char* changes_source =
    "your host code changes or frees memory while a non-blocking write may still be reading it";
constexpr const char* keep_source = "with CL_FALSE, enqueueWriteBuffer only starts the write: keep "
                                    "the memory as it is until you have "
                                    "waited for it, or use CL_TRUE";
/// The mistake, however it shows: the function returns, or crashes because the read arrives later.
constexpr const char* waits_for_no_read = "a read that nothing has waited for";
constexpr const char* uses_early =
    "your host code uses the memory of a non-blocking read before that read has ended";
constexpr const char* wait_for_read = "with CL_FALSE, enqueueReadBuffer only starts the read: use "
                                      "the memory after you have waited for "
                                      "it, with finish() or an event, or use CL_TRUE";

/// The shortest text for a float without loss, or with more significant digits; whole numbers have no
/// decimal point.
std::string show(double value, int digits = std::numeric_limits<float>::max_digits10);

using report::count_of;

/// "4096/64": global size over work-group size.
std::string show_sizes(const wire::Launch& launch);

} // namespace grader
