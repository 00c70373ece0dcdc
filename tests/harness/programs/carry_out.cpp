// Plays the program that executes kernels. What it does depends on the kernel's name or the
// program's source.
#include "player.hpp"
#include "wire/messages.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

/// The best device is number 3, and there is no number 99. The version identifies this process.
wire::Reply open(const wire::OpenDevice& request) {
    if (request.index == 99)
        return wire::Refusal{"there is no device 99"};
    wire::OpenedDevice opened;
    opened.index = request.index < 0 ? 3 : request.index;
    opened.device.version = std::to_string(::getpid());
    return opened;
}

wire::Reply inspect(const wire::InspectProgram& request) {
    const std::string& source = request.program.source;
    if (source == "refused")
        return wire::Refusal{"not today"};
    if (source == "other")
        return wire::DeviceList();
    return wire::ProgramInfo{true, "", {{source, 64}}};
}

/// Adds one to each word, unless the kernel's name says something else.
wire::Reply carry_out(const wire::CarryOut& request, const std::vector<wire::UniqueFd>& fds,
                      wire::Journal& journal) {
    const std::string& kernel = request.launch.kernel;
    wire::CallReply reply;
    if (kernel == "refused")
        return wire::Refusal{"not today"};
    if (kernel == "unbuilt") {
        reply.outcome = wire::Outcome::build_failed;
        return reply;
    }
    if (kernel == "thrown") {
        reply.outcome = wire::Outcome::exception;
        reply.message = "what it says";
        return reply;
    }
    if (kernel == "failed" || kernel == "failed for a reason") {
        reply.outcome = wire::Outcome::opencl_error;
        reply.call = "clFinish";
        reply.error_code = -5;
        journal.last_failure = {};
        if (kernel == "failed for a reason")
            journal.last_failure = {.reason = wire::FailedCall::Reason::large_group, .limit = 64};
        wire::set_name(journal.last_failure.function, "clFinish");
        return reply;
    }
    if (kernel == "print") {
        std::fputs("printed", stdout);
        std::fflush(stdout);
    }
    const wire::Mapping memory(fds.at(0), request.launch.memory_size,
                               wire::Mapping::Access::read_write);
    auto* words = static_cast<std::uint32_t*>(memory.data());
    for (std::size_t i = 0; i < request.launch.memory_size / sizeof *words; ++i)
        ++words[i];
    reply.outcome = wire::Outcome::returned;
    reply.launches.resize(1);
    reply.launches[0].nanoseconds = 77;
    reply.guard_hits = {{16, 20}};
    return reply;
}

} // namespace

int main() {
    Player player;
    for (;;) {
        const wire::Packet packet = player.channel.receive();
        const wire::Request request = wire::decode_request(packet.text);
        wire::Reply reply = wire::Refusal{"what is that?"};
        if (const auto* device = std::get_if<wire::OpenDevice>(&request)) {
            if (device->index == 98) {
                std::fputs("no driver", stdout);
                return 6;
            }
            reply = open(*device);
        } else if (const auto* program = std::get_if<wire::InspectProgram>(&request)) {
            if (program->program.source == "deadly")
                return 6;
            reply = inspect(*program);
        } else if (const auto* launch = std::get_if<wire::CarryOut>(&request)) {
            if (launch->launch.kernel == "deadly") {
                std::fputs("last words", stdout);
                return 6;
            }
            while (launch->launch.kernel == "asleep")
                ::pause();
            reply = carry_out(*launch, packet.fds, player.journal);
        }
        player.channel.send(wire::encode(reply));
    }
}
