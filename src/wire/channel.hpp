#pragma once

#include "wire/handles.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wire {

/// The descriptors that a runner starts with: its end of the channel, and its journal.
constexpr int runner_channel_fd = 3;
constexpr int runner_journal_fd = 4;

/// A message and its descriptors.
struct Packet {
    std::string text;
    std::vector<UniqueFd> fds;
};

/// One end of the connection between grader and runner, for whole messages with descriptors.
class Channel {
  public:
    explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

    /// Creates two connected ends. Throws std::system_error.
    static std::pair<Channel, Channel> create_pair();

    /// Sends `text` and copies of `fds` (max_fds at most). Throws std::system_error if the other
    /// end is closed.
    void send(const std::string& text, const std::vector<const UniqueFd*>& fds = {}) const;

    /// Waits for a whole message. Throws std::system_error, or std::runtime_error if the other end
    /// closed the connection or sent something that is not a message.
    Packet receive();

    /// Returns a message if a whole one has arrived, without waiting. Throws like receive().
    std::optional<Packet> receive_available();

    int fd() const { return socket_.get(); }

    static constexpr std::size_t max_fds = 4;
    /// Kernel files and thousands of launches fit; parsing takes hundreds of times this memory.
    static constexpr std::size_t max_text = std::size_t{4} << 20;

  private:
    bool read_some(int flags);
    std::optional<Packet> take_packet();

    UniqueFd socket_;
    std::string pending_;
    std::vector<UniqueFd> pending_fds_;
};

} // namespace wire
