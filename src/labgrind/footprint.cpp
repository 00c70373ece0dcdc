#include "labgrind/footprint.hpp"

#include <algorithm>

namespace labgrind {
namespace {

constexpr std::size_t most_pieces = 4096;

void add_pieces(std::vector<wire::ByteRange>& pieces, const std::vector<std::uint8_t>& bytes,
                Footprint::How how, std::size_t begin) {
    const auto done = [how](std::uint8_t byte) {
        return (byte & static_cast<std::uint8_t>(how)) != 0;
    };
    for (auto first = std::find_if(bytes.begin(), bytes.end(), done); first != bytes.end();) {
        const auto end = std::find_if_not(first, bytes.end(), done);
        pieces.push_back({begin + static_cast<std::size_t>(first - bytes.begin()),
                          static_cast<std::size_t>(end - first)});
        first = std::find_if(end, bytes.end(), done);
    }
}

} // namespace

void Footprint::note(std::size_t buffer, std::size_t offset, std::size_t size, How how) {
    if (bytes_.size() <= buffer)
        bytes_.resize(buffer + 1);
    std::vector<std::uint8_t>& bytes = bytes_[buffer];
    if (bytes.size() < offset + size)
        bytes.resize(offset + size);
    for (std::size_t i = offset; i < offset + size; ++i)
        bytes[i] |= static_cast<std::uint8_t>(how);
}

void Footprint::add_to(wire::Footprint& all, std::size_t buffer, std::size_t begin) const {
    if (buffer >= bytes_.size())
        return;
    add_pieces(all.read, bytes_[buffer], How::read, begin);
    add_pieces(all.written, bytes_[buffer], How::write, begin);
    add_pieces(all.atomic, bytes_[buffer], How::atomic, begin);
    if (all.read.size() + all.written.size() + all.atomic.size() > most_pieces)
        all = {false, {}, {}, {}};
}

} // namespace labgrind
