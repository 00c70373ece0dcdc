// Starts a child that holds the channel and the output open, and exits.
#include "wire/channel.hpp"

#include <unistd.h>

int main() {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    channel.receive();
    if (::fork() == 0) {
        for (;;)
            ::pause();
    }
    ::_exit(5);
}
