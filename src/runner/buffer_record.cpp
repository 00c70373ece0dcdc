#include "runner/buffer_record.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace runner {
namespace {

/// The most transfers that are recorded. A host with more of them is not diagnosed by them.
constexpr std::size_t max_transfers = 256;

/// The most buffers whose place in the host code is kept.
constexpr std::size_t max_buffer_places = 64;

} // namespace

void BufferRecord::clear() {
    const std::lock_guard lock(mutex_);
    numbers_.clear();
    origins_.clear();
    kept_.clear();
    places_.clear();
    buffers_ = 0;
    has_many_transfers_ = false;
    transfers_.clear();
}

void BufferRecord::on_create(cl_mem buffer, std::vector<std::uint64_t> frames) {
    const std::lock_guard lock(mutex_);
    numbers_[buffer] = ++buffers_;
    origins_.erase(buffer); // a handle can name one buffer after another
    if (frames.empty())
        places_.erase(buffer);
    else
        places_[buffer] = std::move(frames);
}

void BufferRecord::on_create_part(cl_mem part, cl_mem whole, std::size_t origin) {
    const std::lock_guard lock(mutex_);
    numbers_[part] = number_of(whole);
    origins_[part] = origin;
}

bool BufferRecord::keeps_places() const {
    const std::lock_guard lock(mutex_);
    return places_.size() < max_buffer_places;
}

std::vector<std::uint64_t> BufferRecord::place_of(cl_mem buffer) const {
    const std::lock_guard lock(mutex_);
    const auto created = places_.find(buffer);
    return created == places_.end() ? std::vector<std::uint64_t>() : created->second;
}

bool BufferRecord::is_kept(cl_mem buffer) const {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(buffer);
    return known == numbers_.end() || kept_.contains(known->second);
}

void BufferRecord::on_transfer(const CommandOrder::Command& command, std::uint32_t launched) {
    const std::lock_guard lock(mutex_);
    for (const Use& use : command.uses) {
        has_many_transfers_ = has_many_transfers_ || transfers_.size() == max_transfers;
        if (has_many_transfers_)
            transfers_.clear(); // some of them would look like all of them
        else
            transfers_.push_back({command.command,
                                  number_of(use.buffer),
                                  {use.offset, use.size},
                                  use.writes,
                                  launched,
                                  command.pattern,
                                  command.how.blocking});
    }
}

std::vector<wire::Transfer> BufferRecord::take_transfers() {
    const std::lock_guard lock(mutex_);
    return std::exchange(transfers_, {});
}

std::vector<wire::GivenArgument> BufferRecord::given(const std::vector<SetArgument>& arguments) {
    using Kind = wire::LaunchArgument::Kind;
    std::vector<wire::GivenArgument> all;
    const std::lock_guard lock(mutex_);
    for (const SetArgument& argument : arguments) {
        wire::GivenArgument one{static_cast<int>(argument.index), Kind::value, argument.given.size};
        if (argument.buffer != nullptr) {
            one.kind = Kind::buffer;
            one.size = argument.known.size;
            one.buffer = number_of(argument.buffer);
            one.read_only = !argument.is_writable_buffer();
            one.is_kept = kept_.contains(one.buffer);
            if (const auto part = origins_.find(argument.buffer); part != origins_.end())
                one.offset = part->second;
        } else if (argument.given.local) {
            one.kind = Kind::local;
        } else {
            const std::vector<std::byte>& bytes = argument.given.value;
            if (!bytes.empty())
                std::memcpy(&one.value, bytes.data(), std::min(bytes.size(), sizeof one.value));
        }
        all.push_back(one);
    }
    return all;
}

/// The number of a buffer; one of an earlier call gets the next number. With the mutex locked.
int BufferRecord::number_of(cl_mem buffer) {
    const auto [known, is_new] = numbers_.emplace(buffer, buffers_ + 1);
    if (is_new)
        kept_.insert(++buffers_);
    return known->second;
}

} // namespace runner
