// Crashes while the host waits for all commands, one of which is a read.
#include "player.hpp"

#include <csignal>

int main() {
    Player player;
    player.channel.receive();
    wire::set_name(player.journal.call, "clFinish");
    player.journal.unwaited_read = 1;
    std::signal(SIGSEGV, SIG_DFL); // without a sanitizer's handler
    std::raise(SIGSEGV);
}
