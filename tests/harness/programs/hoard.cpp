// Asks for a launch, and uses too much memory while it waits for it.
#include "wire/channel.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <unistd.h>
#include <vector>

int main() {
    constexpr std::size_t size = 4096;
    constexpr std::size_t much = std::size_t{96} << 20;
    const wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    const wire::UniqueFd memory = wire::create_shared_memory("launch", size);
    wire::KernelLaunch launch;
    launch.memory_size = size;
    channel.send(wire::encode(wire::Reply{launch}), {&memory});
    // In two processes, neither of which uses too much alone.
    ::fork();
    const std::vector<char> hoard(much, 'x');
    for (;;)
        ::pause();
}
