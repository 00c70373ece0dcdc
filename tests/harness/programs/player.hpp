#pragma once

#include "wire/channel.hpp"
#include "wire/journal.hpp"

/// What programs that play a runner hold: the channel to the grader and the journal.
struct Player {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    wire::UniqueFd memory{wire::runner_journal_fd};
    wire::Mapping mapping{memory, sizeof(wire::Journal), wire::Mapping::Access::read_write};
    wire::Journal& journal = *static_cast<wire::Journal*>(mapping.data());
};
