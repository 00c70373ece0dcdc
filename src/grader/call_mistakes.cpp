#include "grader/calls.hpp"

#include "grader/failed_calls.hpp"
#include "grader/hints.hpp"
#include "grader/session.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace grader {
namespace {

/// OpenCL's codes for these errors.
constexpr int profiling_info_not_available = -7;
constexpr int invalid_value = -30;

constexpr int invalid_kernel_name = -46;

/// Buffers have no element type; all of the course's data types have 4 or 8 bytes.
std::string describe(const wire::GuardHit& hit) {
    const std::string size = "a buffer of " + std::to_string(hit.buffer_size) + " bytes";
    const std::int64_t element = (hit.byte_offset - (hit.byte_offset < 0 ? 3 : 0)) / 4;
    if (hit.buffer_size < 4)
        return "it wrote to " + size + "; was its size given in elements instead of bytes?";
    const std::size_t elements = hit.buffer_size / 4;
    return "it wrote to element " + std::to_string(element) + " of " + size +
           (elements == 1 ? ", which has room for one element of 4 bytes"
                          : ", which has elements 0 to " + std::to_string(elements - 1) +
                                " if each takes 4 bytes");
}

/// Whether the line is in a file that students write; headers belong to the course.
bool is_student_code(const SourceLine& line) {
    return std::filesystem::path(line.file).extension() == ".cpp";
}

/// ", called from line 24": the lines of the same file from which the function there was called.
std::string callers_of(std::span<const SourceLine> stack, const SourceLine& place) {
    constexpr std::size_t most_shown = 3;
    std::string text;
    std::size_t shown = 0;
    for (const SourceLine& caller : stack) {
        if (caller.file == place.file && shown++ < most_shown)
            text += (text.empty() ? ", called from line " : ", from line ") +
                    std::to_string(caller.line);
    }
    return text;
}

/// Adds the line of the student's host code that is at fault, after `lead`, if it is known.
void add_host_line(Failure& failure, const std::string& lead,
                   const std::vector<std::uint64_t>& frames, Session& session) {
    const std::optional<HostPlace> found = host_place(lead, frames, session);
    if (!found)
        return;
    failure.host_file = found->place.file;
    failure.host_line = found->place.line;
    failure.details.push_back(found->text);
}

/// The same for the line that threw, which identifies the mistake.
void add_line_of_throw(Failure& failure, const std::string& lead,
                       const std::vector<std::uint64_t>& frames, Session& session) {
    add_host_line(failure, lead, frames, session);
    if (failure.host_line != 0)
        failure.why.mistake = failure.what + " at line " + std::to_string(failure.host_line);
}

/// The call of `function` that failed last; without arguments if another one did.
wire::FailedCall call_that_failed(const std::string& function, const Session& session) {
    const std::optional<wire::FailedCall>& last = session.last_failure();
    return last && wire::text_of(last->function) == function ? *last : wire::FailedCall{};
}

Failure opencl_error(const wire::CallReply& reply, const Program& program, Session& session) {
    Failure failure{reply.call + " failed", {}};
    failure.why.cause = Explanation::Cause::host;
    add_line_of_throw(failure, "at ", reply.frames, session);
    wire::FailedCall call = call_that_failed(reply.call, session);
    call.code = reply.error_code;
    failure.details.push_back(call.reason == wire::FailedCall::Reason::mapped_buffer
                                  ? name_of_opencl_error(call.code) // others may not fail at all
                                  : explain_opencl_error(call.code));
    if (const std::string requested = describe_call(call); !requested.empty())
        failure.details.push_back("requested: " + requested);
    if (reply.error_code == invalid_value) {
        if (const auto created = host_place("the buffer is created at ",
                                            wire::addresses_in(call.buffer_frames), session))
            failure.details.push_back(created->text);
    }
    if (reply.error_code == profiling_info_not_available && reply.unwaited_read)
        failure.details.emplace_back(reads_unwaited);
    if (reply.error_code == invalid_kernel_name)
        failure.details.push_back(
            explain_kernel_name(wire::text_of(call.kernel), session.kernel_file(program.file)));
    failure.why.hints = hints_for_failed_call(call);
    return failure;
}

Failure exception(const wire::CallReply& reply, Session& session) {
    Failure failure{"your host code threw an exception", {}};
    add_line_of_throw(failure, "thrown at ", reply.frames, session);
    failure.details.push_back(reply.outcome == wire::Outcome::unknown_exception
                                  ? "it is not a std::exception, so it has no message"
                                  : "its message: " + reply.message);
    failure.why.hints = Hints{};
    return failure;
}

/// Commands of the host whose order, or whose end, nothing defines.
std::optional<Failure> mistake_in_order(const wire::CallReply& reply, Session& session) {
    const std::vector<SeenLaunch>& launches = session.interpreter().launches_of_call();
    if (const wire::UnorderedUses* const clash = nearest_clash(reply.unordered, launches)) {
        Failure failure{"two commands of your host code have no defined order",
                        {explain_clash(*clash)}};
        failure.why.hints = hints_for_missing_order();
        failure.why.cause = Explanation::Cause::order;
        failure.why.mistake = failure.what;
        return failure;
    }
    const auto with_place = [&](Failure failure, const char* lead) {
        add_host_line(failure, lead, reply.careless_frames, session);
        return failure;
    };
    const auto failed_to_wait = [&](const char* what, const std::string& for_one_queue) {
        if (reply.unordered.empty())
            return with_place(failure_of_host(what, for_one_queue), "it starts at ");
        Failure failure = failure_of_host(
            what,
            "your host code uses several queues or an out-of-order queue: waiting for one command "
            "does not wait for commands in another queue. Pass the command's event in the wait "
            "list, or use setup.queue for all commands");
        failure.why.cause = Explanation::Cause::order; // that may be why it does not wait
        return with_place(failure, "it starts at ");
    };
    if (reply.unset_event)
        return failure_of_host("your host code waits for a user event that it has not set",
                               "a command that waits for it does not run before "
                               "setStatus(CL_COMPLETE), so on a device this wait never ends");
    if (reply.unwaited_read) {
        Failure failure =
            failed_to_wait("your function returned without waiting for a read", reads_unwaited);
        failure.why.mistake = waits_for_no_read;
        return failure;
    }
    if (reply.unwaited_write)
        return failed_to_wait("your function returned without waiting for a write",
                              writes_unwaited);
    if (reply.unwaited_map)
        return with_place(
            failure_of_host("your host code unmaps a buffer before its map has ended",
                            "enqueueMapBuffer with CL_FALSE only starts the map: use CL_TRUE, or "
                            "wait for its event before you use the pointer"),
            "the map starts at ");
    if (reply.changed_host_memory)
        return with_place(
            failure_of_host("the host memory of a buffer has changed before the launch",
                            "a buffer with CL_MEM_USE_HOST_PTR uses your memory as long as it "
                            "exists: does the vector still exist, and is it unchanged? "
                            "CL_MEM_COPY_HOST_PTR copies it"),
            "the buffer is created at ");
    if (!reply.changed_source)
        return std::nullopt;
    Failure failure = failure_of_host(changes_source, keep_source);
    failure.why.hints = Hints{};
    return with_place(failure, "the write starts at ");
}

/// Memory that the call changed and must not change.
std::optional<Failure> mistake_in_memory(const wire::CallReply& reply) {
    if (!reply.guard_hits.empty()) {
        Failure failure{"a kernel wrote outside its buffers", {describe(reply.guard_hits.front())}};
        failure.question = "is an index wrong, or did your host code make the buffer too small?";
        failure.kernel = reply.launches.size() == 1 ? reply.launches.front().kernel : "";
        failure.why.hints = hints_for_stray_write();
        return failure;
    }
    if (!reply.read_only_hits.empty()) {
        const wire::ReadOnlyHit& hit = reply.read_only_hits.front();
        Failure failure{"a CL_MEM_READ_ONLY buffer has changed",
                        {"the first changed byte is byte " + std::to_string(hit.byte_offset) +
                         " of " + std::to_string(hit.buffer_size)}};
        failure.why.hints = Hints{};
        failure.why.guesses = {"a kernel changed it, or your host code wrote it with CL_FALSE and "
                               "changed or freed the memory before that write had finished"};
        return failure;
    }
    if (!reply.changed_input)
        return std::nullopt;
    Failure failure{"your host code changed its input",
                    {"it writes to the vector, or a kernel writes to a buffer that shares the "
                     "vector's memory because of CL_MEM_USE_HOST_PTR"}};
    failure.why.hints = Hints{};
    failure.why.mistake = failure.what;
    return failure;
}

} // namespace

std::optional<HostPlace> host_place(const std::string& lead,
                                    const std::vector<std::uint64_t>& frames, Session& session) {
    std::vector<std::uint64_t> known = frames;
    known.resize(std::min(known.size(), wire::frame_slots)); // a reply can be forged
    const std::vector<SourceLine> stack = session.source_lines(known);
    if (stack.empty())
        return std::nullopt;
    const auto own = std::ranges::find_if(stack, is_student_code);
    const SourceLine& place = own == stack.end() ? stack.front() : *own;
    const auto callers = own == stack.end() ? std::span<const SourceLine>{}
                                            : std::span<const SourceLine>(own + 1, stack.end());
    // The function of the lab says most: helpers are called for every launch.
    const SourceLine* outermost = nullptr;
    for (const SourceLine& caller : callers) {
        if (caller.file == place.file)
            outermost = &caller;
    }
    return HostPlace{
        place,
        lines({lead + place.file + ":" + std::to_string(place.line) + callers_of(callers, place),
               quote_host_line(place, session.host_folder()),
               outermost == nullptr ? "" : quote_host_line(*outermost, session.host_folder())})};
}

std::optional<Failure> mistake_in(const wire::CallReply& reply, const Program& program,
                                  Session& session) {
    if (reply.outcome == wire::Outcome::opencl_error) {
        Failure failure = opencl_error(reply, program, session);
        if (reply.error_code != profiling_info_not_available || reply.unordered.empty())
            return failure;
        failure.why.cause =
            Explanation::Cause::order; // a read that waits for the kernel waits for its time
        if (auto missing = mistake_in_order(reply, session))
            return missing;
        return failure;
    }
    if (wire::is_exception(reply.outcome))
        return exception(reply, session);
    if (reply.outcome != wire::Outcome::returned)
        end(report::Status::error, "the call ended with an outcome that the harness does not know");
    std::optional<Failure> failure = mistake_in_order(reply, session);
    return failure ? failure : mistake_in_memory(reply);
}

} // namespace grader
