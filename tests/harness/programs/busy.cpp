// Never answers, and uses all the time it gets.
#include "player.hpp"

int main() {
    Player player;
    wire::Journal& journal = player.journal;
    player.channel.receive();
    wire::set_name(journal.kernels[0], "endless");
    journal.launched = 1;
    volatile unsigned turns = 0;
    for (;;)
        turns = turns + 1;
}
