// Answers with something that is not a message, and keeps running.
#include "wire/channel.hpp"

#include <unistd.h>

int main() {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    channel.receive();
    channel.send("{\"kind\": \xFF");
    for (;;)
        ::pause();
}
