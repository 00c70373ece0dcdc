// Crashes instead of answering, and records the place in the journal as a real runner does.
#include "player.hpp"

#include <csignal>

int main() {
    Player player;
    wire::Journal& journal = player.journal;
    player.channel.receive();
    wire::set_name(journal.kernels[0], "first");
    wire::set_name(journal.kernels[1], "second");
    wire::set_name(journal.call, "clSetKernelArg");
    journal.launched = 3;
    journal.completed = 1;
    journal.frames[0] = 0x401000;
    journal.frames[1] = 0x402000;
    journal.unwaited_read = 1;
    journal.unwaited_frames[0] = 0x403000;
    journal.read_bytes = 64;
    journal.read_frames[0] = 0x404000;
    std::signal(SIGSEGV, SIG_DFL); // without a sanitizer's handler
    std::raise(SIGSEGV);
}
