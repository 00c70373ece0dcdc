// Closes the channel and keeps running.
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
