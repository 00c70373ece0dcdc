// Never answers, and alternates between short sleeps and some work.
#include "player.hpp"

#include <chrono>
#include <thread>

int main() {
    Player player;
    player.channel.receive();
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
        while (std::chrono::steady_clock::now() < end) {
        }
    }
}
