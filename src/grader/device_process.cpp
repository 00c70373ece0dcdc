#include "grader/device_process.hpp"

#include "grader/explain.hpp"
#include "grader/failed_calls.hpp"
#include "grader/unusable.hpp"

#include <utility>

namespace grader {
namespace {

/// Why the device process could not execute a launch; the host's process knows the launch itself.
std::string why_failed(const wire::CallReply& seen, const wire::FailedCall& last) {
    std::string why;
    if (wire::text_of(last.function) == seen.call)
        why = last.request == wire::FailedCall::Request::launch ? reason_of(last)
                                                                : describe_call(last);
    return why.empty() ? seen.call + " failed" : why;
}

} // namespace

DeviceProcess::DeviceProcess(std::function<std::unique_ptr<RunnerProcess>()> start, int index)
    : start_(std::move(start)) {
    opened_.index = index;
    open();
}

void DeviceProcess::open() {
    process_ = start_();
    const Answer answer = process_->ask(wire::OpenDevice{opened_.index}, {}, start_budget);
    const auto* reply = std::get_if<wire::Reply>(&answer);
    if (reply == nullptr)
        throw Unusable("the device process " + describe_end(std::get<RunnerEnd>(answer)) +
                       " before the first kernel; it printed: " + process_->take_output());
    if (const auto* refusal = std::get_if<wire::Refusal>(reply))
        throw Unusable(refusal->reason);
    opened_ = std::get<wire::OpenedDevice>(*reply);
}

Answer DeviceProcess::ask(const wire::Request& request,
                          const std::vector<const wire::UniqueFd*>& fds, const Budget& budget) {
    if (!process_)
        open();
    Answer answer = process_->ask(request, fds, budget);
    output_ += process_->take_output();
    if (std::holds_alternative<RunnerEnd>(answer))
        process_.reset();
    return answer;
}

wire::ProgramInfo DeviceProcess::inspect(const wire::ProgramSource& program, const Budget& budget) {
    Answer answer = ask(wire::InspectProgram{program}, {}, budget);
    if (const auto* runner_end = std::get_if<RunnerEnd>(&answer))
        return {false, "error: the device's compiler " + describe_end(*runner_end), {}};
    auto& reply = std::get<wire::Reply>(answer);
    if (auto* info = std::get_if<wire::ProgramInfo>(&reply))
        return std::move(*info);
    const auto* refusal = std::get_if<wire::Refusal>(&reply);
    return {false, "error: " + (refusal == nullptr ? "no report of it" : refusal->reason), {}};
}

Carried DeviceProcess::carry_out(const wire::CarryOut& request, const wire::UniqueFd& memory,
                                 const Budget& budget) {
    Answer answer = ask(request, {&memory}, budget);
    if (auto* runner_end = std::get_if<RunnerEnd>(&answer))
        return {std::move(*runner_end), {}};
    const auto failed = [](const std::string& why, int code) {
        return Carried{wire::LaunchDone{why, code}, {}};
    };
    auto& reply = std::get<wire::Reply>(answer);
    auto* seen = std::get_if<wire::CallReply>(&reply);
    if (seen == nullptr)
        return failed("the device process sent no report of it", 0);
    if (seen->outcome == wire::Outcome::opencl_error) {
        const std::string why = why_failed(*seen, process_->last_failure());
        std::optional<RunnerEnd> runner_end = process_->kernel_error(*seen);
        process_.reset(); // a context may be of no more use after an error
        if (runner_end)
            return {std::move(*runner_end), {}};
        return failed(why, seen->error_code);
    }
    if (seen->outcome != wire::Outcome::returned)
        return failed(seen->message.empty() ? "it could not be built" : seen->message, 0);
    wire::LaunchDone done;
    done.nanoseconds = seen->launches.empty() ? 0 : seen->launches.front().nanoseconds;
    return {done, std::move(*seen)};
}

std::string DeviceProcess::take_output() { return std::exchange(output_, {}); }

} // namespace grader
