#include "wire/channel.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <sys/socket.h>

namespace wire {
namespace {

/// Precedes each message. Descriptors arrive in order, but the kernel can deliver them with the
/// bytes of an earlier message.
struct Header {
    std::uint32_t text_size = 0;
    std::uint32_t fd_count = 0;
};

} // namespace

std::pair<Channel, Channel> Channel::create_pair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw_errno("cannot create a socket pair");
    return {Channel(UniqueFd(ends[0])), Channel(UniqueFd(ends[1]))};
}

void Channel::send(const std::string& text, const std::vector<const UniqueFd*>& fds) const {
    if (text.size() > max_text || fds.size() > max_fds)
        throw std::runtime_error("a message is too large to send");
    const Header header{static_cast<std::uint32_t>(text.size()),
                        static_cast<std::uint32_t>(fds.size())};
    std::string data(sizeof header, '\0');
    std::memcpy(data.data(), &header, sizeof header);
    data += text;

    // The descriptors travel with the first byte.
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_fds)> control{};
    std::size_t sent = 0;
    while (sent < data.size()) {
        iovec piece{data.data() + sent, data.size() - sent};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        if (sent == 0 && !fds.empty()) {
            message.msg_control = control.data();
            message.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
            cmsghdr* rights = CMSG_FIRSTHDR(&message);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
            for (std::size_t i = 0; i < fds.size(); ++i) {
                const int fd = fds[i]->get();
                std::memcpy(CMSG_DATA(rights) + i * sizeof fd, &fd, sizeof fd);
            }
        }
        const ssize_t count = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw_errno("cannot send a message");
        sent += static_cast<std::size_t>(count);
    }
}

/// Enough for a few messages that arrive together.
constexpr std::size_t max_pending_fds = 8 * Channel::max_fds;

bool Channel::read_some(int flags) {
    std::vector<char> buffer(std::size_t{64} << 10);
    iovec piece{buffer.data(), buffer.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_fds)> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();

    ssize_t count = -1;
    do {
        count = ::recvmsg(socket_.get(), &message, flags | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (count < 0)
        throw_errno("cannot receive a message");
    if (count == 0)
        throw std::runtime_error("the other process closed the connection");

    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        const std::size_t fd_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < fd_count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
            pending_fds_.emplace_back(fd);
        }
    }
    if (pending_fds_.size() > max_pending_fds)
        throw std::runtime_error("the other process sent descriptors that belong to no message");
    pending_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
}

std::optional<Packet> Channel::take_packet() {
    Header header;
    if (pending_.size() < sizeof header)
        return std::nullopt;
    std::memcpy(&header, pending_.data(), sizeof header);
    if (header.text_size > max_text || header.fd_count > max_fds)
        throw std::runtime_error("a message announces " + std::to_string(header.text_size) +
                                 " bytes and " + std::to_string(header.fd_count) + " descriptors");
    const std::size_t end = sizeof header + header.text_size;
    if (pending_.size() < end)
        return std::nullopt;
    if (pending_fds_.size() < header.fd_count)
        throw std::runtime_error("a message came without its descriptors");
    const auto last_fd = pending_fds_.begin() + header.fd_count;
    Packet packet{pending_.substr(sizeof header, header.text_size), {}};
    std::move(pending_fds_.begin(), last_fd, std::back_inserter(packet.fds));
    pending_fds_.erase(pending_fds_.begin(), last_fd);
    pending_.erase(0, end);
    return packet;
}

Packet Channel::receive() {
    for (;;) {
        if (auto packet = take_packet())
            return std::move(*packet);
        read_some(0);
    }
}

std::optional<Packet> Channel::receive_available() {
    for (;;) {
        if (auto packet = take_packet())
            return packet;
        if (!read_some(MSG_DONTWAIT))
            return std::nullopt;
    }
}

} // namespace wire
