#include "runner/mappings.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace runner {
namespace {

constexpr int read_write = PROT_READ | PROT_WRITE;

/// Returns the bytes of the pages for `size` bytes.
std::size_t pages(std::size_t size) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (size + page - 1) / page * page;
}

} // namespace

std::byte* Mappings::add(std::byte* device, std::size_t size, bool writable) {
    void* const memory =
        ::mmap(nullptr, pages(size), read_write, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) // NOLINT: the system's own macro
        return device;
    auto* const host = static_cast<std::byte*>(memory);
    std::copy_n(device, size, host);
    if (!writable)
        ::mprotect(host, pages(size), PROT_READ);
    const std::lock_guard lock(mutex_);
    all_.push_back({host, device, size, writable});
    return host;
}

Mappings::Mapping* Mappings::find(const std::byte* host) {
    const auto known = std::ranges::find_if(
        all_, [&](const Mapping& mapping) { return mapping.host == host && mapping.mapped; });
    return known == all_.end() ? nullptr : &*known;
}

void Mappings::put(std::byte* host, const std::vector<std::byte>& bytes) {
    const std::lock_guard lock(mutex_);
    const Mapping* const mapping = find(host);
    const bool closed = mapping != nullptr && !mapping->writable;
    if (closed)
        ::mprotect(mapping->host, pages(mapping->size), read_write);
    std::ranges::copy(bytes, host);
    if (closed)
        ::mprotect(mapping->host, pages(mapping->size), PROT_READ);
}

std::byte* Mappings::remove(std::byte* host) {
    const std::lock_guard lock(mutex_);
    Mapping* const mapping = find(host);
    if (mapping == nullptr)
        return host;
    if (mapping->writable)
        std::copy_n(host, mapping->size, mapping->device);
    mapping->mapped = false;
    ::madvise(host, pages(mapping->size), MADV_DONTNEED);
    ::mprotect(host, pages(mapping->size), PROT_NONE);
    return mapping->device;
}

void Mappings::end_call() {
    const std::lock_guard lock(mutex_);
    written_.clear();
    const auto unmapped = std::stable_partition(
        all_.begin(), all_.end(), [](const Mapping& mapping) { return mapping.mapped; });
    std::for_each(unmapped, all_.end(),
                  [](const Mapping& mapping) { ::munmap(mapping.host, pages(mapping.size)); });
    all_.erase(unmapped, all_.end());
}

void Mappings::note_writing(void* host, const Use& use) {
    const std::lock_guard lock(mutex_);
    written_[host] = use;
}

std::optional<Use> Mappings::take_writing(void* host) {
    const std::lock_guard lock(mutex_);
    const auto node = written_.extract(host);
    return node ? std::optional(node.mapped()) : std::nullopt;
}

bool Mappings::is_mapped_for_writing(cl_mem buffer) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(written_,
                               [&](const auto& one) { return one.second.buffer == buffer; });
}

wire::MappingMisuse Mappings::misuse_at(const void* address) const {
    const auto* const at = static_cast<const std::byte*>(address);
    const auto known = std::ranges::find_if(all_, [&](const Mapping& mapping) {
        return at >= mapping.host && at < mapping.host + pages(mapping.size);
    });
    if (known == all_.end())
        return wire::MappingMisuse::none;
    return known->mapped ? wire::MappingMisuse::written_for_reading
                         : wire::MappingMisuse::used_after_unmap;
}

} // namespace runner
