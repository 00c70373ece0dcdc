// Leaves a child that holds the line and the output open, and ends itself.
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
