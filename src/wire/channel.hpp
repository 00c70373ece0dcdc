#pragma once

#include "wire/handles.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wire {

/// The descriptors that a runner is started with: its end of the channel, and its journal.
constexpr int runner_channel_fd = 3;
constexpr int runner_journal_fd = 4;

/// A message and the descriptors that came with it.
struct Packet {
    std::string text;
    std::vector<UniqueFd> fds;
};

/// One end of the line between grader and runner: whole messages, with descriptors.
class Channel {
  public:
    explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

    /// Two ends joined to each other. Throws std::system_error.
    static std::pair<Channel, Channel> create_pair();

    /// Sends `text` and copies of `fds` (max_fds at most). Throws std::system_error when the other
    /// end is gone.
    void send(const std::string& text, const std::vector<const UniqueFd*>& fds = {}) const;

    /// Waits for a whole message. Throws std::system_error, or std::runtime_error when the other
    /// end closed the line or sends what is no message.
    Packet receive();

    /// Takes what has arrived without waiting: a message once it is whole, nothing before that.
    /// Throws like receive().
    std::optional<Packet> receive_available();

    int fd() const { return socket_.get(); }

    static constexpr std::size_t max_fds = 4;
    /// Kernel files and thousands of launches fit; more would take hundreds of times its size to read.
    static constexpr std::size_t max_text = std::size_t{4} << 20;

  private:
    bool read_some(int flags);
    std::optional<Packet> take_packet();

    UniqueFd socket_;
    std::string pending_;
    std::vector<UniqueFd> pending_fds_;
};

} // namespace wire
