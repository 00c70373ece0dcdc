/// The interpreter process: it answers Interpret requests of the grader until the channel closes.

#include "labgrind/interpreter.hpp"
#include "wire/channel.hpp"

#include <exception>
#include <malloc.h>
#include <optional>

int main() {
    // Launches allocate the same memory again and again: it stays with this process.
    constexpr int most = 32 << 20;     // bytes, the C library's limit
    ::mallopt(M_TRIM_THRESHOLD, most); // NOLINT(concurrency-mt-unsafe): there is one thread
    ::mallopt(M_MMAP_THRESHOLD, most); // NOLINT(concurrency-mt-unsafe): likewise
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    const wire::UniqueFd journal(wire::runner_journal_fd); // for runners only
    labgrind::Interpreter interpreter;
    for (;;) {
        std::optional<wire::Packet> packet;
        try {
            packet = channel.receive();
        } catch (const std::exception&) {
            return 0; // the grader is done, or has ended
        }
        wire::Reply reply = wire::Refusal{"the interpreter only interprets"};
        const wire::Request request = wire::decode_request(packet->text);
        const auto* interpret = std::get_if<wire::Interpret>(&request);
        if (interpret != nullptr && packet->fds.size() == 1) {
            const wire::Mapping memory(packet->fds[0], interpret->launch.memory_size,
                                       wire::Mapping::Access::read_write);
            reply = interpreter.run(*interpret, memory.bytes());
        }
        channel.send(wire::encode(reply));
    }
}
