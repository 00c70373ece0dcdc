#include "labgrind/analyses/footprint.hpp"

namespace labgrind {
namespace {

constexpr std::size_t most_pieces = 4096;

void add_pieces(std::vector<wire::ByteRange>& pieces, const SparseArray<std::uint8_t>& bytes,
                Footprint::How how, std::size_t begin) {
    bytes.for_each([&](std::size_t index, std::uint8_t byte) {
        if ((byte & static_cast<std::uint8_t>(how)) == 0)
            return;
        const std::size_t at = begin + index;
        if (pieces.empty() || pieces.back().offset + pieces.back().size != at)
            pieces.push_back({at, 0});
        ++pieces.back().size;
    });
}

} // namespace

void Footprint::note(std::size_t buffer, std::size_t offset, std::size_t size, How how) {
    if (bytes_.size() <= buffer)
        bytes_.resize(buffer + 1);
    SparseArray<std::uint8_t>& bytes = bytes_[buffer];
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
