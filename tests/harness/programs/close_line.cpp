// Closes the channel and lives on.
#include "wire/channel.hpp"

#include <unistd.h>

int main() {
    {
        wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
        channel.receive();
    }
    for (;;)
        ::pause();
}
