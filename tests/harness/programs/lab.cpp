// Plays the runner of a lab whose functions double the floats of their first argument. What goes wrong
// depends on the function's name.
#include "player.hpp"
#include "wire/messages.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

Player& player() {
    static Player player;
    return player;
}

wire::OpenedDevice open() {
    wire::OpenedDevice opened;
    opened.device.name = "a device";
    opened.device.type = wire::DeviceType::cpu;
    opened.device.max_work_group_size = 256;
    return opened;
}

/// Lets the grader interpret a launch of `kernel`. Returns whether a change of it was made that makes the
/// result right.
bool interpret(const std::string& kernel) {
    wire::KernelLaunch launch;
    launch.kernel = kernel;
    launch.global_size = {64, 1, 1};
    launch.work_group_size = {64, 1, 1};
    launch.memory_size = 16;
    launch.arguments = {{.kind = wire::LaunchArgument::Kind::buffer, .bytes = {0, 16}}};
    const wire::UniqueFd memory = wire::create_shared_memory("launch", launch.memory_size);
    player().channel.send(wire::encode(wire::Reply(launch)), {&memory});
    player().channel.receive();
    const wire::Mapping results(memory, launch.memory_size, wire::Mapping::Access::read);
    return results.bytes()[0] != std::byte{0};
}

/// The bytes of the buffer that "keeps" uses for an input: it keeps the largest one that it needed.
wire::GivenArgument kept_buffer(std::size_t bytes) {
    static std::size_t largest = 0;
    const bool is_kept = largest >= bytes;
    largest = std::max(largest, bytes);
    return {.kind = wire::LaunchArgument::Kind::buffer, .size = largest, .is_kept = is_kept};
}

/// Whether interpret.cpp, which plays labgrind, knows a kernel of this name.
bool is_known_kernel(const std::string& function) {
    static const std::set<std::string> known{"race",    "barrier", "groups",    "flag",
                                             "outside", "differs", "unordered", "stops"};
    return known.contains(function);
}

/// Whether the result of `function` is right only if labgrind runs its kernel.
bool is_wrong_on_device(const std::string& function) {
    static const std::set<std::string> wrong{"device", "barrier", "groups", "flag", "differs"};
    return wrong.contains(function);
}

/// A launch that writes what the host reads, without an order between them.
wire::UnorderedUses unordered_uses() {
    wire::UnorderedUses uses;
    uses.earlier = {.command = wire::HostCommand::launch,
                    .kernel = "twice",
                    .launch = 0,
                    .argument = 0,
                    .writes = true,
                    .bytes = {0, 16}};
    uses.later = {.command = wire::HostCommand::read, .bytes = {0, 16}, .queue = 1};
    return uses;
}

void spoil(const std::string& function, wire::CallReply& reply) {
    if (function == "opencl") {
        reply.outcome = wire::Outcome::opencl_error;
        reply.call = "clEnqueueNDRangeKernel";
        reply.error_code = -54;
        wire::FailedCall& failed = player().journal.last_failure;
        failed = {.code = reply.error_code,
                  .request = wire::FailedCall::Request::launch,
                  .global_size = {64, 1, 1},
                  .work_group_size = {48, 1, 1}};
        wire::set_name(failed.function, reply.call.c_str());
        wire::set_name(failed.kernel, "twice");
    } else if (function == "throws") {
        reply.outcome = wire::Outcome::exception;
        reply.message = "no such element";
    } else if (function == "to do") {
        reply.outcome = wire::Outcome::not_implemented;
        reply.message = "launch the kernel";
        reply.file = "labs/lab0/twice.cpp";
        reply.line = 7;
    } else if (function == "unbuilt") {
        reply.outcome = wire::Outcome::build_failed;
        reply.build_log = "<source>:2:5: error: use of undeclared identifier 'y'";
    } else if (function == "stray") {
        reply.guard_hits = {{16, 16}};
    } else if (function == "read only") {
        reply.read_only_hits = {{16, 8}};
    } else if (function == "changed") {
        reply.changed_input = true;
    } else if (function == "early") {
        reply.unwaited_read = true;
    } else if (function == "unset") {
        reply.unset_event = true;
    } else if (function == "late") {
        reply.unwaited_write = true;
    } else if (function == "freed") {
        reply.changed_source = true;
    } else if (function == "reads") {
        reply.reads = {8, 12};
    } else if (function == "computes") {
        reply.host_words = 3;
    } else if (function == "keeps") {
        reply.launches.front().arguments = {kept_buffer(reply.result_size)};
    } else if (function == "unordered") {
        reply.any_order = true;
        reply.unordered = {unordered_uses()};
    } else if (function == "uses early") {
        reply.transfers = {{.command = wire::HostCommand::read, .blocking = false}};
    } else if (function == "idle") {
        reply.launches.clear();
    }
}

wire::Reply call(const wire::CallFunction& request, const std::vector<wire::UniqueFd>& fds) {
    const std::string& function = request.function;
    if (function == "crash")
        std::abort();
    if (function == "leave")
        std::exit(3); // NOLINT(concurrency-mt-unsafe): there is one thread
    const wire::ByteRange input = request.arguments.at(0);
    const wire::Mapping arguments(fds.at(0), input.offset + input.size,
                                  wire::Mapping::Access::read);
    const wire::Mapping result(fds.at(1), request.result_capacity,
                               wire::Mapping::Access::read_write);
    std::vector<float> values(input.size / sizeof(float));
    std::memcpy(values.data(), arguments.bytes().data() + input.offset, input.size);
    const bool works = !request.withhold_kernels || function == "host";
    static bool is_kept = false; // a result that the next call of "kept" gets right
    is_kept = is_kept || request.interpreted;
    const bool has_slip = function == "slip" || function == "ambiguous";
    const bool is_corrected =
        has_slip && request.interpreted && interpret(function == "slip" ? "twice" : "ambiguous");
    const bool is_right =
        (function != "kept" || is_kept) && function != "wrong" && (!has_slip || is_corrected) &&
        (!is_wrong_on_device(function) || request.interpreted) &&
        (function != "uses early" || request.blocking == wire::Blocking::reads) &&
        (function != "changes source" || request.blocking == wire::Blocking::writes);
    for (float& value : values)
        value = !works ? 0 : is_right ? 2 * value : value + 1;
    std::memcpy(result.data(), values.data(), input.size);
    while (function == "endless" && request.interpreted)
        interpret("clean");
    if (request.interpreted && !has_slip)
        interpret(is_known_kernel(function) ? function : "clean");

    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = input.size;
    reply.launches = {{"twice", {64, 1, 1}, {64, 1, 1}, 0, 1000}};
    spoil(function, reply);
    return reply;
}

} // namespace

int main() {
    for (;;) {
        const wire::Packet packet = player().channel.receive();
        const wire::Request request = wire::decode_request(packet.text);
        wire::Reply reply = wire::Refusal{"what is that?"};
        if (std::holds_alternative<wire::OpenDevice>(request))
            reply = open();
        else if (std::holds_alternative<wire::InspectProgram>(request))
            reply = wire::ProgramInfo{true, "", {{"twice", 128}}};
        else if (const auto* function = std::get_if<wire::CallFunction>(&request))
            reply = call(*function, packet.fds);
        player().channel.send(wire::encode(reply));
    }
}
