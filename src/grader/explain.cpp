#include "grader/explain.hpp"

#include "grader/runner_process.hpp"

#include "report/text.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <sstream>
#include <unistd.h>

namespace grader {
namespace {

struct OpenclError {
    int code;
    const char* name;
    const char* meaning;
};

/// The codes of CL/cl.h with their likely cause, so that the grader does not need OpenCL.
constexpr std::array<OpenclError, 35> opencl_errors{{
    {-1, "CL_DEVICE_NOT_FOUND", "there is no such device"},
    {-3, "CL_COMPILER_NOT_AVAILABLE", "this device cannot compile kernels"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "the device does not have enough memory for a buffer"},
    {-5, "CL_OUT_OF_RESOURCES",
     "the launch needs more than the device has (local memory, registers), or a kernel touched "
     "memory outside its buffers"},
    {-6, "CL_OUT_OF_HOST_MEMORY", "the host ran out of memory"},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE",
     "the event's kernel has not ended yet (wait for it first), or profiling is off for its queue"},
    {-8, "CL_MEM_COPY_OVERLAP", "the source and the target of a copy overlap"},
    {-11, "CL_BUILD_PROGRAM_FAILURE", "the kernels do not compile"},
    {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET",
     "a sub-buffer begins at an offset that the device cannot use"},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "a command in the wait list failed"},
    {-30, "CL_INVALID_VALUE",
     "an argument is invalid: often a transfer that reaches beyond its buffer, a size of 0, or "
     "mutually exclusive flags"},
    {-33, "CL_INVALID_DEVICE", "not a device of this context"},
    {-34, "CL_INVALID_CONTEXT",
     "the call mixes objects of different contexts, or one of them was never created"},
    {-36, "CL_INVALID_COMMAND_QUEUE",
     "the command queue was never created, or a kernel in it has failed"},
    {-37, "CL_INVALID_HOST_PTR",
     "a host pointer is missing, or passed without a flag that uses it"},
    {-38, "CL_INVALID_MEM_OBJECT", "a buffer was never created, or has already been released"},
    {-44, "CL_INVALID_PROGRAM", "the program was never created"},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE", "the program is not built for this device"},
    {-46, "CL_INVALID_KERNEL_NAME", "the kernel file has no kernel with this name"},
    {-47, "CL_INVALID_KERNEL_DEFINITION", "the kernel differs between devices"},
    {-48, "CL_INVALID_KERNEL", "the kernel does not exist, or cannot be used in this call"},
    {-49, "CL_INVALID_ARG_INDEX", "the kernel has no argument with this number"},
    {-50, "CL_INVALID_ARG_VALUE",
     "the value has the wrong kind: pass cl::Local for a __local pointer, a buffer for a __global "
     "one, and a number for any other argument; arguments are numbered from 0"},
    {-51, "CL_INVALID_ARG_SIZE",
     "the value has the wrong size: pass a cl_uint for a uint, a cl_float for a float, and "
     "cl::Local only if the kernel declares a __local pointer"},
    {-52, "CL_INVALID_KERNEL_ARGS", "not every argument of the kernel is set"},
    {-53, "CL_INVALID_WORK_DIMENSION", "a launch must have 1, 2 or 3 dimensions"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE",
     "the global size is not a multiple of the work-group size, or the work-group is larger than "
     "the device or the kernel allows"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE", "the work-group is larger than the device allows"},
    {-56, "CL_INVALID_GLOBAL_OFFSET", "the global offset is invalid"},
    {-57, "CL_INVALID_EVENT_WAIT_LIST", "an event in the wait list is not valid"},
    {-58, "CL_INVALID_EVENT", "the event was never set by a command"},
    {-59, "CL_INVALID_OPERATION", "the object does not allow this"},
    {-61, "CL_INVALID_BUFFER_SIZE", "the buffer has 0 bytes, or is larger than the device allows"},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE", "the global size is 0, or larger than the device allows"},
    {-9999, "an error of NVIDIA's driver", "a kernel touched memory outside its buffers"},
}};

std::string strip_root(std::string place, const std::string& root) {
    const std::string prefix = root + "/";
    for (const std::string& before : {prefix, prefix + "./", std::string("./")}) {
        if (place.starts_with(before))
            place.erase(0, before.size());
    }
    return place;
}

/// The first thousand lines that a program prints.
std::vector<std::string> lines_of(std::vector<std::string> arguments) {
    constexpr std::size_t max_lines = 1000;
    constexpr std::size_t max_bytes = std::size_t{1} << 20;
    wire::PipeEnds pipe = wire::create_pipe();
    wire::Program program{std::move(arguments)};
    program.descriptors = {wire::null_device, pipe.writer.get(), wire::null_device};
    const pid_t child = wire::start(program);
    pipe.writer.reset();
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 1; count > 0 && text.size() < max_bytes;) {
        count = ::read(pipe.reader.get(), buffer.data(), buffer.size());
        text.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    pipe.reader.reset();
    wire::wait_for(child);
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; lines.size() < max_lines && std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string hexadecimal(std::uint64_t number) {
    std::ostringstream text;
    text << "0x" << std::hex << number;
    return text.str();
}

std::string describe_kernel(const RunnerEnd& runner_end) {
    std::string text;
    for (const std::string& kernel : runner_end.kernels)
        text += (text.empty() ? "kernel " : " or ") + kernel;
    if (runner_end.kernels.size() == 1)
        text += " (launch " + std::to_string(runner_end.launch) + " of this call)";
    return text;
}

/// Whether the runner died while a kernel ran, for a reason that the kernel can be to blame for.
bool is_in_kernel(const RunnerEnd& runner_end) {
    if (runner_end.kernels.empty() || !endless_part(runner_end).empty())
        return false;
    return runner_end.how == RunnerEnd::How::hang ||
           runner_end.how == RunnerEnd::How::kernel_error ||
           (!runner_end.on_host && !runner_end.unwaited_read &&
            runner_end.misuse == wire::MappingMisuse::none);
}

/// Whether the number of groups stays the same if it is divided by the group size, or by twice as much,
/// and 1 is added.
bool stays_with_one_more(std::uint64_t groups, std::uint64_t group_size) {
    return groups == groups / group_size + 1 || groups == groups / (2 * group_size) + 1;
}

std::string ask_about_launches(const RunnerEnd& runner_end) {
    const std::uint64_t size = runner_end.last_group_size;
    const std::uint64_t groups = size == 0 ? 0 : runner_end.last_work_items / size;
    std::string text = "\nit had launched " + std::to_string(runner_end.launched) + " kernels";
    if (groups != 0)
        text += ", the last one with " + report::count_of(groups, "group");
    text += ": each pass or level must work on fewer elements than the one before it, which "
            "leaves one element for each of its groups. The last one has one group";
    if (groups == 1)
        text += ". Here, one group is left, but the loop goes on: when does its condition end it?";
    else if (groups == 0 || stays_with_one_more(groups, size))
        text += ". The number of groups is rounded up: (n + m - 1) / m; n / m + 1 is one too many "
                "if m divides n";
    else
        text += ". Does your code update the number of elements, and pass it on instead of n?";
    return text;
}

std::string explain_user_event(const RunnerEnd& runner_end) {
    return runner_end.unset_event
               ? "it has created a user event that it has not set: a command that waits for it "
                 "does not run before setStatus(CL_COMPLETE)"
               : "it has set the status of a user event to an error: a command that waits for it "
                 "never runs; set it to CL_COMPLETE";
}

/// The innermost lines of a stack, each on a line of its own: "at lab.cpp:20", "called from lab.cpp:40".
std::string show_stack(const std::vector<SourceLine>& stack) {
    constexpr std::size_t lines_shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(stack.size(), lines_shown); ++i)
        text += (i == 0 ? "\nat " : "\n   called from ") + stack[i].file + ":" +
                std::to_string(stack[i].line);
    return text;
}

std::string explain_hang(const RunnerEnd& runner_end, const std::vector<SourceLine>& stack) {
    std::string text = (is_in_kernel(runner_end) ? describe_kernel(runner_end) : "your host code") +
                       " " + describe_end(runner_end) +
                       (runner_end.asleep ? "; all of its threads were waiting" : "");
    if (waits_for_user_event(runner_end))
        return text + "\n" + explain_user_event(runner_end);
    if (launches_without_end(runner_end))
        return text + ask_about_launches(runner_end);
    if (is_in_kernel(runner_end))
        return text;
    return text + (runner_end.call.empty() ? "" : "\nit was waiting inside " + runner_end.call) +
           show_stack(stack);
}

std::string explain_kernel_error(const RunnerEnd& runner_end) {
    const std::string error =
        runner_end.call + " returned " + explain_opencl_error(runner_end.code);
    if (waits_for_user_event(runner_end))
        return error + "\nyour host code waits for a user event: " + explain_user_event(runner_end);
    return (runner_end.kernels.empty() ? std::string("a kernel") : describe_kernel(runner_end)) +
           " failed on this device\n" + error;
}

bool is_stack_overflow(const RunnerEnd& runner_end) {
    return runner_end.how == RunnerEnd::How::signal && runner_end.code == SIGSEGV &&
           runner_end.on_host && !runner_end.unwaited_read &&
           runner_end.misuse == wire::MappingMisuse::none &&
           runner_end.frames.size() == wire::frame_slots;
}

std::string explain_crash(const RunnerEnd& runner_end, const std::vector<SourceLine>& stack) {
    const bool in_kernel = is_in_kernel(runner_end);
    const bool is_deep = is_stack_overflow(runner_end);
    const std::string who = in_kernel                  ? describe_kernel(runner_end)
                            : runner_end.unwaited_read ? "the program"
                                                       : "your host code";
    std::string text =
        who +
        (is_deep ? " crashed with a stack overflow: does a function call itself forever?"
                 : " " + explain_signal(runner_end.code)) +
        show_stack(stack);
    if (runner_end.misuse == wire::MappingMisuse::used_after_unmap)
        return text +
               "\nit used a pointer from enqueueMapBuffer after enqueueUnmapMemObject: the memory "
               "it points to is no longer yours; copy what you need before the unmap";
    if (runner_end.misuse == wire::MappingMisuse::written_for_reading)
        return text +
               "\nit wrote through a pointer from enqueueMapBuffer that is mapped for reading: "
               "map it with CL_MAP_WRITE";
    if (runner_end.unwaited_read)
        return text +
               "\nit did not wait for a read to end before it freed the memory that the read "
               "fills: " +
               reads_unwaited;
    if (in_kernel)
        return text;
    if (launches_without_end(runner_end))
        return text + ask_about_launches(runner_end);
    if (is_deep)
        return text;
    if (!runner_end.call.empty())
        return text + "\nit crashed inside " + runner_end.call +
               "; is the host memory passed to it large enough?";
    return text;
}

/// Whether `line` is one like "2 warnings and 1 error generated.".
bool counts_messages(const std::string& line) {
    std::istringstream stream(line);
    std::string pattern; // with a # for each number, and without plurals
    for (std::string word; stream >> word;) {
        if (word.find_first_not_of("0123456789") == std::string::npos)
            word = "#";
        if (word == "warnings" || word == "errors")
            word.pop_back();
        pattern += word + " ";
    }
    return pattern == "# warning generated. " || pattern == "# error generated. " ||
           pattern == "# warning and # error generated. ";
}

} // namespace

std::string lines(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        if (!part.empty())
            text += (text.empty() ? "" : "\n") + part;
    }
    return text;
}

std::string name_of_opencl_error(int code) {
    const auto* const known = std::ranges::find(opencl_errors, code, &OpenclError::code);
    return known == opencl_errors.end()
               ? "OpenCL error " + std::to_string(code)
               : std::string(known->name) + " (" + std::to_string(code) + ")";
}

std::string explain_opencl_error(int code) {
    const auto* const known = std::ranges::find(opencl_errors, code, &OpenclError::code);
    return name_of_opencl_error(code) +
           (known == opencl_errors.end() ? "" : ": " + std::string(known->meaning));
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
    // Levenshtein's distance, row by row.
    const auto distance = [&](const std::string& other) {
        std::vector<std::size_t> row(other.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (const char letter : name) {
            std::size_t diagonal = row[0]++;
            for (std::size_t i = 1; i < row.size(); ++i) {
                const std::size_t changed = diagonal + (other[i - 1] == letter ? 0 : 1);
                diagonal = row[i];
                row[i] = std::min({changed, row[i] + 1, row[i - 1] + 1});
            }
        }
        return row.back();
    };
    std::string nearest;
    std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const std::string& one : known) {
        if (const std::size_t letters = distance(one); letters < least) {
            least = letters;
            nearest = one;
        }
    }
    return nearest;
}

std::string explain_kernel_name(const std::string& wanted, const KernelFile& file) {
    constexpr std::size_t longest = 100; // of names: a student chooses them
    constexpr std::size_t most_shown = 8;
    std::string names;
    std::vector<std::string> known = file.kernels();
    std::erase_if(known, [](const std::string& one) { return one.size() > longest; });
    known.resize(std::min(known.size(), most_shown));
    for (const std::string& one : known)
        names += (names.empty() ? "" : ", ") + one;
    const std::string nearest = wanted.size() > longest ? "" : nearest_name(wanted, known);
    return file.name() + " has " +
           (known.empty() ? "no kernel"
                          : (known.size() == 1 ? "the kernel " : "the kernels ") + names) +
           (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

std::string explain_undefined_macro(const std::vector<std::string>& options,
                                    const KernelFile& file) {
    std::vector<std::string> known;
    for (const std::string& all : options) {
        std::istringstream list(all);
        for (std::string option; list >> option;) {
            if (option.starts_with("-D"))
                known.push_back(option.substr(2, option.find_first_of("=(") - 2));
        }
    }
    for (const KernelFile::Place& one : file.tested_macros()) {
        constexpr std::size_t shortest = 3; // letters
        const auto begins_like = [&](const std::string& name) {
            return one.text.size() >= shortest &&
                   (name.starts_with(one.text) || one.text.starts_with(name));
        };
        if (std::ranges::find(known, one.text) != known.end())
            continue;
        const auto longer = std::ranges::find_if(known, begins_like);
        const std::string meant = longer != known.end() ? *longer : nearest_name(one.text, known);
        if (!meant.empty())
            return "line " + std::to_string(one.line) + " tests the macro " + one.text +
                   ", which is not defined; did you mean " + meant + "?";
    }
    return "";
}

std::string compiler_warns(int line, const std::string& text) {
    return "the compiler warns about line " + std::to_string(line) + ": " + text;
}

std::string explain_signal(int signal) {
    switch (signal) {
    case SIGSEGV:
        return "crashed with a segmentation fault: it accessed memory that does not belong to it";
    case SIGBUS:
        return "crashed with a bus error: it accessed memory that does not exist";
    case SIGABRT:
        return "was aborted: an assertion failed, or the memory allocator detected corrupted data";
    case SIGFPE:
        return "crashed with an arithmetic fault: an integer was divided by zero";
    case SIGILL:
        return "crashed with an illegal instruction: usually a function that ends without its "
               "return statement, or a jump to an invalid address";
    case SIGTRAP:
        return "crashed with a trap: it reached code that the compiler considers unreachable";
    case SIGKILL:
        return "was killed from outside (SIGKILL), usually because the machine ran out of memory";
    case SIGXCPU:
        return "was stopped: it exceeded its CPU time limit";
    default:
        return "crashed with signal " + std::to_string(signal);
    }
}

std::string without_message_counts(const std::string& output) {
    std::string left;
    for (std::size_t begin = 0, end = 0; begin < output.size(); begin = end) {
        end = std::min(output.find('\n', begin), output.size() - 1) + 1;
        const std::string line = output.substr(begin, end - begin);
        if (!counts_messages(line))
            left += line;
    }
    return left;
}

std::vector<SourceLine> find_source_lines(const std::vector<std::uint64_t>& frames,
                                          const std::string& runner, const std::string& root,
                                          int seconds, const Enclose& enclose) {
    if (frames.empty())
        return {};
    std::vector<std::string> arguments{"/usr/bin/addr2line", "-i", "-e", runner};
    // A return address is the instruction after the call; the one before it lies on the call's
    // line.
    for (const std::uint64_t frame : frames)
        arguments.push_back(hexadecimal(frame == 0 ? 0 : frame - 1));
    std::vector<std::string> limited{"/usr/bin/timeout", std::to_string(seconds)};
    std::ranges::move(enclose ? enclose(arguments) : arguments, std::back_inserter(limited));
    std::vector<SourceLine> places;
    for (const std::string& line : lines_of(limited)) {
        const std::string place = strip_root(line, root);
        const auto colon = place.rfind(':');
        const bool of_student =
            place.starts_with("labs/") || place.find("/labs/") != std::string::npos;
        if (!of_student || colon == std::string::npos)
            continue;
        // "7", "7 (discriminator 2)" or "?", which becomes 0
        const auto number = static_cast<int>(std::strtol(place.c_str() + colon + 1, nullptr, 10));
        // A cache of objects can keep the folder in which another copy was compiled.
        const auto labs = place.rfind("/labs/", colon);
        const std::size_t begin = labs == std::string::npos ? 0 : labs + 1;
        const SourceLine found{place.substr(begin, colon - begin), number};
        if (number != 0 && (places.empty() || places.back() != found))
            places.push_back(found);
    }
    return places;
}

std::string quote_host_line(const SourceLine& place, const std::string& folder) {
    // The place comes from the student's program, and can name any file.
    namespace fs = std::filesystem;
    const fs::path path = fs::path(folder) / fs::path(place.file).filename();
    std::error_code error;
    constexpr std::uintmax_t largest = std::uintmax_t{1} << 20;
    if (fs::symlink_status(path, error).type() != fs::file_type::regular ||
        fs::file_size(path, error) > largest)
        return "";
    std::ifstream stream(path);
    std::string line;
    for (int number = 0; number < place.line; ++number) {
        if (!std::getline(stream, line))
            return "";
    }
    constexpr std::size_t longest = 200;
    line.resize(std::min(line.size(), longest));
    return KernelFile::from_text(std::string(static_cast<std::size_t>(place.line) - 1, '\n') + line,
                                 "")
        .quote(place.line);
}

bool launches_without_end(const RunnerEnd& runner_end) {
    return (runner_end.how == RunnerEnd::How::hang || is_stack_overflow(runner_end)) &&
           runner_end.launched > most_launches;
}

bool waits_for_user_event(const RunnerEnd& runner_end) {
    return (runner_end.how == RunnerEnd::How::hang && runner_end.asleep &&
            (runner_end.unset_event || runner_end.failed_event)) ||
           (runner_end.how == RunnerEnd::How::kernel_error && runner_end.failed_event);
}

std::string endless_part(const RunnerEnd& runner_end) {
    if (launches_without_end(runner_end))
        return "it never stops launching kernels";
    if (waits_for_user_event(runner_end))
        return "it waits for a user event that is never set to CL_COMPLETE";
    return is_stack_overflow(runner_end) ? "a function calls itself forever" : "";
}

std::string explain_end(const RunnerEnd& runner_end, const std::vector<SourceLine>& stack) {
    switch (runner_end.how) {
    case RunnerEnd::How::hang:
        return explain_hang(runner_end, stack);
    case RunnerEnd::How::kernel_error:
        return explain_kernel_error(runner_end);
    case RunnerEnd::How::signal:
        return explain_crash(runner_end, stack);
    case RunnerEnd::How::excess:
        return "the program " + describe_end(runner_end);
    case RunnerEnd::How::broken_line:
        return "the program closed its connection to the harness, or wrote to it; use only file "
               "descriptors that you opened";
    default:
        return "the program exited with status " + std::to_string(runner_end.code) +
               " in the middle of a call; a lab function must return or throw, never exit";
    }
}

std::string usual_causes(const RunnerEnd& runner_end) {
    if (runner_end.how == RunnerEnd::How::signal)
        return is_in_kernel(runner_end)
                   ? "usual causes: an index far outside a buffer, a barrier that not every "
                     "work-item of the group reaches"
                   : "";
    if (runner_end.how == RunnerEnd::How::kernel_error && endless_part(runner_end).empty())
        return "usual causes: an index outside a buffer, local memory that is too small, a barrier "
               "that not every work-item of the group reaches";
    if (runner_end.how != RunnerEnd::How::hang || !endless_part(runner_end).empty())
        return "";
    if (is_in_kernel(runner_end))
        return "usual causes: a lock that is never released, or was never set to 0; a barrier that "
               "not every work-item of the group reaches; a loop whose condition never changes; "
               "far too much work for one work-item";
    return runner_end.call.empty()
               ? "usual causes: a loop that makes no progress, such as a number of "
                 "groups that stays the same from pass to pass"
               : "";
}

std::string describe_end(const RunnerEnd& runner_end) {
    std::ostringstream text;
    switch (runner_end.how) {
    case RunnerEnd::How::hang:
        text << "was still running after " << std::fixed << std::setprecision(1)
             << runner_end.seconds << " s and was stopped";
        break;
    case RunnerEnd::How::signal:
        text << "was ended by signal " << runner_end.code;
        break;
    case RunnerEnd::How::kernel_error:
        text << "got " << explain_opencl_error(runner_end.code);
        break;
    case RunnerEnd::How::excess:
        text << "was stopped: " << sandbox::describe(*runner_end.excess);
        break;
    case RunnerEnd::How::broken_line:
        text << "broke its connection to the harness";
        break;
    default:
        text << "exited with status " << runner_end.code;
    }
    return text.str();
}

std::string show(double value, int digits) {
    if (std::isnan(value))
        return "nan"; // never -nan
    std::ostringstream text;
    if (std::isfinite(value) && value == std::floor(value) && std::fabs(value) < 1e15)
        text << std::fixed << std::setprecision(0) << value;
    else
        text << std::setprecision(digits) << value;
    return text.str();
}

std::string show_sizes(const wire::Launch& launch) {
    std::string text;
    const auto append = [&](const std::array<std::size_t, 3>& sizes) {
        std::size_t dimensions = sizes.size();
        while (dimensions > 1 && sizes[dimensions - 1] <= 1)
            --dimensions;
        for (std::size_t i = 0; i < dimensions; ++i)
            text += (i == 0 ? "" : "x") + std::to_string(sizes[i]);
    };
    append(launch.global_size);
    text += "/";
    if (launch.work_group_size[0] == 0)
        text += "?";
    else
        append(launch.work_group_size);
    if (launch.global_offset != decltype(launch.global_offset){}) {
        text += " from ";
        append(launch.global_offset);
    }
    return text;
}

} // namespace grader
