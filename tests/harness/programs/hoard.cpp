// Asks for a launch, and takes too much memory while it waits for that.
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
    // In two processes, for each of which it is not too much.
    ::fork();
    const std::vector<char> hoard(much, 'x');
    for (;;)
        ::pause();
}
