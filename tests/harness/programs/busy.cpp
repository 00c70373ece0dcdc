// Never answers, and uses all the time it gets.
#include "wire/channel.hpp"
#include "wire/journal.hpp"

int main() {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    const wire::UniqueFd memory(wire::runner_journal_fd);
    const wire::Mapping mapping(memory, sizeof(wire::Journal), wire::Mapping::Access::read_write);
    auto& journal = *static_cast<wire::Journal*>(mapping.data());
    channel.receive();
    wire::set_name(journal.kernels[0], "endless");
    journal.launched = 1;
    for (volatile unsigned turns = 0;; turns = turns + 1) {
    }
}
