// Announces a message of 4 GiB, and keeps running.
#include "wire/channel.hpp"

#include <cstdint>
#include <unistd.h>

int main() {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    channel.receive();
    const std::uint64_t header = ~std::uint32_t{0}; // the length, and no descriptors
    if (::write(channel.fd(), &header, sizeof header) != sizeof header)
        return 1;
    for (;;)
        ::pause();
}
