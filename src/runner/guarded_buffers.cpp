#include "runner/guarded_buffers.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace runner {

std::vector<std::byte> filled(std::size_t size, std::uint32_t word) {
    std::vector<std::byte> bytes(size);
    const auto begin = bytes.begin();
    std::ranges::copy(std::as_bytes(std::span(&word, 1)).first(std::min(sizeof word, size)), begin);
    for (std::size_t done = sizeof word; done < size; done *= 2) // word by word takes twice as long
        std::copy_n(begin, std::min(done, size - done), begin + static_cast<std::ptrdiff_t>(done));
    return bytes;
}

namespace {

/// Bytes of the guard zone on either side of a buffer: a work-group of 4096 floats that is off by
/// one group still hits it, and it is a multiple of every device's alignment.
constexpr std::size_t guard_size = std::size_t{16} << 10;

/// Larger buffers get no guard zones, which would cost several times their size.
constexpr std::size_t max_guarded = std::size_t{1} << 30;

/// The position of the last byte of `bytes` that differs from `pattern`, if there is one.
std::optional<std::size_t> last_difference(const std::vector<std::byte>& bytes,
                                           const std::vector<std::byte>& pattern) {
    const auto at = std::mismatch(bytes.rbegin(), bytes.rend(), pattern.rbegin()).first;
    if (at == bytes.rend())
        return std::nullopt;
    return static_cast<std::size_t>(bytes.rend() - at) - 1;
}

/// The bytes that are read at a time to be compared: a copy of a whole buffer costs more than the
/// comparison.
constexpr std::size_t chunk_size = std::size_t{1} << 20;

/// Fills the contents of a buffer of `size` bytes, and the guard zones around it, with `word`. Both
/// guard zones begin with a whole word.
cl_int fill(cl_command_queue queue, cl_mem whole, std::size_t size, std::uint32_t word) {
    const std::size_t rest = size % sizeof word;
    const std::size_t filled_size = guard_size + size - rest;
    const cl_int error = REAL_CALL(clEnqueueFillBuffer)(queue, whole, &word, sizeof word, 0,
                                                        filled_size, 0, nullptr, nullptr);
    if (error != CL_SUCCESS)
        return error;
    std::vector<std::byte> tail = filled(rest, word);
    const std::vector<std::byte> guard = filled(guard_size, word);
    tail.insert(tail.end(), guard.begin(), guard.end());
    return REAL_CALL(clEnqueueWriteBuffer)(queue, whole, CL_TRUE, filled_size, tail.size(),
                                           tail.data(), 0, nullptr, nullptr);
}

/// Reads a part of `buffer` at `offset`. Throws cl::Error.
void read(cl_command_queue queue, cl_mem buffer, std::size_t offset, std::vector<std::byte>& part) {
    const cl_int error = REAL_CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, offset, part.size(),
                                                        part.data(), 0, nullptr, nullptr);
    if (error != CL_SUCCESS)
        throw cl::Error(error, "clEnqueueReadBuffer");
}

/// The position of the first byte of `buffer`, counted from `offset`, that differs from `pattern`.
std::optional<std::size_t> first_difference(cl_command_queue queue, cl_mem buffer,
                                            std::size_t offset,
                                            const std::vector<std::byte>& pattern) {
    std::vector<std::byte> part(std::min(chunk_size, pattern.size()));
    for (std::size_t begin = 0; begin < pattern.size(); begin += part.size()) {
        part.resize(std::min(part.size(), pattern.size() - begin));
        read(queue, buffer, offset + begin, part);
        if (std::memcmp(part.data(), pattern.data() + begin, part.size()) == 0)
            continue; // ten times as fast as std::mismatch
        const auto at = std::mismatch(part.begin(), part.end(),
                                      pattern.begin() + static_cast<std::ptrdiff_t>(begin));
        if (at.first != part.end())
            return begin + static_cast<std::size_t>(at.first - part.begin());
    }
    return std::nullopt;
}

} // namespace

void GuardedBuffers::begin(std::uint32_t word) {
    forget_released();
    const std::lock_guard lock(mutex_);
    word_ = word;
    for (Guarded& kept : all_) {
        const cl::CommandQueue queue(kept.context);
        const cl_int error = fill(queue(), kept.outer(), kept.size, word);
        if (error != CL_SUCCESS)
            throw cl::Error(error, "clEnqueueFillBuffer");
        if (kept.read_only)
            kept.read_only = filled(kept.size, word);
    }
}

void GuardedBuffers::forget_released() {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, has_one_owner);
}

bool GuardedBuffers::has_one_owner(const Guarded& one) {
    cl_uint references = 0;
    return clGetMemObjectInfo(one.inner(), CL_MEM_REFERENCE_COUNT, sizeof references, &references,
                              nullptr) == CL_SUCCESS &&
           references == 1;
}

bool GuardedBuffers::can_guard(const NewBuffer& wanted) {
    const bool copies = (wanted.flags & CL_MEM_COPY_HOST_PTR) != 0;
    return wanted.size != 0 && wanted.size <= max_guarded &&
           (wanted.flags & CL_MEM_USE_HOST_PTR) == 0 && copies == (wanted.host != nullptr);
}

GuardedBuffers::Created GuardedBuffers::create(cl_context context, const NewBuffer& wanted) {
    Created created;
    const cl::Memory outer(REAL_CALL(clCreateBuffer)(
                               context, CL_MEM_READ_WRITE | (wanted.flags & CL_MEM_ALLOC_HOST_PTR),
                               guard_size + wanted.size + guard_size, nullptr, &created.error),
                           false);
    if (created.error != CL_SUCCESS)
        return created;
    // Not always a NaN, because a minimum or a maximum ignores NaNs.
    const cl::CommandQueue queue{cl::Context(context, true)};
    created.error = fill(queue(), outer(), wanted.size, word_);
    // With CL_MEM_COPY_HOST_PTR, NVIDIA gives a sub-buffer its own memory, and what a kernel writes
    // outside of it never arrives here. So the contents are written.
    if (created.error == CL_SUCCESS && wanted.host != nullptr)
        created.error = REAL_CALL(clEnqueueWriteBuffer)(
            queue(), outer(), CL_TRUE, guard_size, wanted.size, wanted.host, 0, nullptr, nullptr);
    if (created.error != CL_SUCCESS)
        return created;
    created.whole = outer();
    const cl_buffer_region region{guard_size, wanted.size};
    const cl_mem_flags flags = wanted.allowed & ~(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR);
    created.buffer = REAL_CALL(clCreateSubBuffer)(
        created.whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &created.error);
    if (created.error != CL_SUCCESS)
        return created;
    Guarded guarded{cl::Memory(created.buffer, true), outer, cl::Context(context, true),
                    wanted.size, std::nullopt};
    if ((wanted.flags & CL_MEM_READ_ONLY) != 0) {
        const auto* bytes = static_cast<const std::byte*>(wanted.host);
        guarded.read_only =
            bytes == nullptr ? filled(wanted.size, word_) : std::vector(bytes, bytes + wanted.size);
    }
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(guarded));
    return created;
}

std::optional<GuardedBuffers::Part> GuardedBuffers::part_of(cl_mem buffer, cl_mem_flags flags,
                                                            const cl_buffer_region& region) {
    const std::lock_guard lock(mutex_);
    const auto guarded =
        std::ranges::find_if(all_, [&](const Guarded& one) { return one.inner() == buffer; });
    if (guarded == all_.end() || region.size > guarded->size ||
        region.origin > guarded->size - region.size)
        return std::nullopt;
    guarded->read_only.reset();
    constexpr cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    if ((flags & access) == 0) // it inherits the buffer's
        flags |= guarded->inner.getInfo<CL_MEM_FLAGS>() & access;
    return Part{guarded->outer(), flags, {region.origin + guard_size, region.size}};
}

void GuardedBuffers::on_host_write(cl_mem buffer, std::size_t offset, std::size_t size,
                                   const void* data) {
    const std::lock_guard lock(mutex_);
    for (Guarded& guarded : all_) {
        if (guarded.inner() != buffer || !guarded.read_only)
            continue;
        if (data == nullptr || offset + size > guarded.size)
            guarded.read_only.reset();
        else
            std::memcpy(guarded.read_only->data() + offset, data, size);
    }
}

bool GuardedBuffers::is_released(cl_mem buffer) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(
        all_, [&](const Guarded& one) { return one.inner() == buffer && has_one_owner(one); });
}

GuardedBuffers::Hits GuardedBuffers::inspect() const {
    const std::lock_guard lock(mutex_);
    const std::vector<std::byte> guard = filled(guard_size, word_);
    Hits hits;
    for (const Guarded& buffer : all_)
        inspect(buffer, guard, hits);
    return hits;
}

void GuardedBuffers::inspect(const Guarded& buffer, const std::vector<std::byte>& guard,
                             Hits& hits) {
    const cl::CommandQueue queue(buffer.context);
    const cl_mem whole = buffer.outer();
    std::vector<std::byte> before(guard_size);
    read(queue(), whole, 0, before);
    // Before the buffer, the nearest write says most.
    if (const auto at = last_difference(before, guard))
        hits.guards.push_back(
            {buffer.size, static_cast<std::int64_t>(*at) - std::int64_t{guard_size}});
    if (const auto at = first_difference(queue(), whole, guard_size + buffer.size, guard))
        hits.guards.push_back({buffer.size, static_cast<std::int64_t>(buffer.size + *at)});
    if (buffer.read_only) {
        if (const auto at = first_difference(queue(), whole, guard_size, *buffer.read_only))
            hits.read_only.push_back({buffer.size, *at});
    }
}

} // namespace runner
