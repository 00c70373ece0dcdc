#include "runner/host_memory.hpp"

#include "runner/thrown.hpp"

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace runner {
namespace {

std::size_t hash_of(std::span<const std::byte> bytes) {
    const auto* const text = reinterpret_cast<const char*>(bytes.data()); // NOLINT
    return std::hash<std::string_view>{}({text, bytes.size()});
}

} // namespace

bool is_mapped(std::span<const std::byte> bytes) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()); // NOLINT: to round it
    const std::uintptr_t before = begin % page;
    const std::size_t size = before + bytes.size();
    std::vector<unsigned char> pages((size + page - 1) / page);
    void* const first = reinterpret_cast<void*>(begin - before); // NOLINT
    return ::mincore(first, size, pages.data()) == 0 || errno != ENOMEM;
}

HostMemory::Memory::Memory(std::span<const std::byte> bytes)
    : bytes_(bytes), hash_(hash_of(bytes)), frames_(current_frames()) {}

bool HostMemory::Memory::has_changed() const {
    return !bytes_.empty() && (!is_mapped(bytes_) || hash_of(bytes_) != hash_);
}

bool HostMemory::Memory::overlaps(std::span<const std::byte> bytes) const {
    const std::less<> before;
    return before(bytes_.data(), bytes.data() + bytes.size()) &&
           before(bytes.data(), bytes_.data() + bytes_.size());
}

void HostMemory::clear() {
    const std::lock_guard lock(mutex_);
    inputs_.clear();
    sources_.clear();
    of_buffers_.clear();
    changed_source_ = false;
    changed_buffer_memory_ = false;
    frames_of_changed_.clear();
}

std::vector<std::uint64_t> HostMemory::frames_of_changed() const {
    const std::lock_guard lock(mutex_);
    return frames_of_changed_;
}

/// Sets `changed` if the memory has changed. With the mutex locked.
void HostMemory::note_change(const Memory& memory, std::atomic<bool>& changed) {
    if (!memory.has_changed())
        return;
    changed = true;
    if (frames_of_changed_.empty())
        frames_of_changed_ = memory.frames();
}

void HostMemory::on_input(std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    inputs_.push_back(bytes);
}

std::optional<wire::FailedCall> HostMemory::refusal_of_source(const void* data,
                                                              std::size_t size) const {
    const auto* begin = static_cast<const std::byte*>(data);
    const std::lock_guard lock(mutex_);
    for (const std::span<const std::byte>& input : inputs_) {
        const std::byte* const end = input.data() + input.size();
        const bool begins_inside = !std::less<>()(begin, input.data()) && std::less<>()(begin, end);
        const auto left = begins_inside ? static_cast<std::size_t>(end - begin) : 0;
        if (begins_inside && size > left)
            return wire::FailedCall{.code = CL_INVALID_VALUE,
                                    .reason = wire::FailedCall::Reason::short_input,
                                    .size = size,
                                    .limit = left};
    }
    return std::nullopt;
}

std::function<void()> HostMemory::on_write(std::span<const std::byte> source) {
    auto memory = std::make_shared<Memory>(source);
    const std::lock_guard lock(mutex_);
    sources_.push_back(memory);
    return [this, memory = std::move(memory)] {
        const std::lock_guard comparing(mutex_);
        note_change(*memory, changed_source_);
    };
}

void HostMemory::on_read(std::span<const std::byte> target) {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<Memory>& source : sources_) {
        if (!source->overlaps(target))
            continue;
        note_change(*source, changed_source_);
        source->release();
    }
}

void HostMemory::on_create(cl_mem buffer, std::span<const std::byte> bytes) {
    const Memory memory(bytes);
    const std::lock_guard lock(mutex_);
    of_buffers_.insert_or_assign(buffer, memory);
}

void HostMemory::on_fill(cl_mem buffer) {
    const std::lock_guard lock(mutex_);
    of_buffers_.erase(buffer);
}

void HostMemory::on_launch(const std::vector<SetArgument>& arguments) {
    const std::lock_guard lock(mutex_);
    for (const SetArgument& argument : arguments) {
        const auto memory = of_buffers_.find(argument.buffer);
        if (memory == of_buffers_.end())
            continue;
        note_change(memory->second, changed_buffer_memory_);
        of_buffers_.erase(memory);
    }
}

} // namespace runner
