#include "runner/guarded_buffers.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace runner {
namespace {

/// Bytes of the guard zone on either side of a buffer: a work-group of 4096 floats that is off by
/// one group still hits it, and it is a multiple of every device's alignment.
constexpr std::size_t guard_size = std::size_t{16} << 10;

/// Larger buffers get no guard zones, which would cost several times their size.
constexpr std::size_t max_guarded = std::size_t{1} << 30;

/// Returns the position of the first byte of `bytes` that differs from `pattern`.
std::optional<std::size_t> first_difference(const std::vector<std::byte>& bytes,
                                            const std::vector<std::byte>& pattern) {
    const auto at = std::mismatch(bytes.begin(), bytes.end(), pattern.begin()).first;
    if (at == bytes.end())
        return std::nullopt;
    return static_cast<std::size_t>(at - bytes.begin());
}

std::optional<std::size_t> last_difference(const std::vector<std::byte>& bytes,
                                           const std::vector<std::byte>& pattern) {
    const auto at = std::mismatch(bytes.rbegin(), bytes.rend(), pattern.rbegin()).first;
    if (at == bytes.rend())
        return std::nullopt;
    return static_cast<std::size_t>(bytes.rend() - at) - 1;
}

/// Creates a buffer with these contents. They are written, not copied at creation: with
/// CL_MEM_COPY_HOST_PTR, NVIDIA gives a sub-buffer its own memory, and what a kernel writes outside
/// of it never arrives here.
cl::Memory create_with(cl_context context, cl_mem_flags flags,
                       const std::vector<std::byte>& contents, cl_int& error) {
    cl::Memory buffer(REAL_CALL(clCreateBuffer)(context, flags, contents.size(), nullptr, &error),
                      false);
    if (error == CL_SUCCESS) {
        const cl::CommandQueue queue{cl::Context(context, true)};
        error = REAL_CALL(clEnqueueWriteBuffer)(queue(), buffer(), CL_TRUE, 0, contents.size(),
                                                contents.data(), 0, nullptr, nullptr);
    }
    return buffer;
}

} // namespace

std::vector<std::byte> filled(std::size_t size, std::uint32_t word) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; i += sizeof word)
        std::memcpy(bytes.data() + i, &word, std::min(sizeof word, size - i));
    return bytes;
}

void GuardedBuffers::begin(std::uint32_t word) {
    const std::lock_guard lock(mutex_);
    all_.clear();
    word_ = word;
}

void GuardedBuffers::clear() {
    const std::lock_guard lock(mutex_);
    all_.clear();
}

bool GuardedBuffers::can_guard(const NewBuffer& wanted) {
    const bool copies = (wanted.flags & CL_MEM_COPY_HOST_PTR) != 0;
    return wanted.size != 0 && wanted.size <= max_guarded &&
           (wanted.flags & CL_MEM_USE_HOST_PTR) == 0 && copies == (wanted.host != nullptr);
}

/// Returns the first contents of a buffer between its guard zones.
std::vector<std::byte> GuardedBuffers::contents_of(const NewBuffer& wanted) const {
    // Not always a NaN, because a minimum or a maximum ignores NaNs.
    const std::vector<std::byte> guard = filled(guard_size, word_);
    std::vector<std::byte> contents = guard;
    if (wanted.host != nullptr) {
        const auto* bytes = static_cast<const std::byte*>(wanted.host);
        contents.insert(contents.end(), bytes, bytes + wanted.size);
    } else {
        const std::vector<std::byte> fresh = filled(wanted.size, word_);
        contents.insert(contents.end(), fresh.begin(), fresh.end());
    }
    contents.insert(contents.end(), guard.begin(), guard.end());
    return contents;
}

GuardedBuffers::Created GuardedBuffers::create(cl_context context, const NewBuffer& wanted) {
    const std::vector<std::byte> contents = contents_of(wanted);
    Created created;
    const cl::Memory outer =
        create_with(context, CL_MEM_READ_WRITE | (wanted.flags & CL_MEM_ALLOC_HOST_PTR), contents,
                    created.error);
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
    if ((wanted.flags & CL_MEM_READ_ONLY) != 0)
        guarded.read_only.emplace(contents.begin() + std::ptrdiff_t{guard_size},
                                  contents.end() - std::ptrdiff_t{guard_size});
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(guarded));
    return created;
}

std::optional<GuardedBuffers::Part> GuardedBuffers::part_of(cl_mem buffer, cl_mem_flags flags,
                                                            const cl_buffer_region& region) {
    const std::lock_guard lock(mutex_);
    const auto guarded = std::find_if(all_.begin(), all_.end(),
                                      [&](const Guarded& one) { return one.inner() == buffer; });
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
    cl_uint references = 0;
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Guarded& one) { return one.inner() == buffer; }) &&
           clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references,
                              nullptr) == CL_SUCCESS &&
           references == 1; // our own
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
    const auto read = [&](std::size_t offset, std::size_t size) {
        std::vector<std::byte> bytes(size);
        const cl_int error = REAL_CALL(clEnqueueReadBuffer)(
            queue(), buffer.outer(), CL_TRUE, offset, size, bytes.data(), 0, nullptr, nullptr);
        if (error != CL_SUCCESS)
            throw cl::Error(error, "clEnqueueReadBuffer");
        return bytes;
    };
    // Before the buffer, the nearest write says most.
    if (const auto at = last_difference(read(0, guard_size), guard))
        hits.guards.push_back(
            {buffer.size, static_cast<std::int64_t>(*at) - std::int64_t{guard_size}});
    if (const auto at = first_difference(read(guard_size + buffer.size, guard_size), guard))
        hits.guards.push_back({buffer.size, static_cast<std::int64_t>(buffer.size + *at)});
    if (buffer.read_only) {
        if (const auto at = first_difference(read(guard_size, buffer.size), *buffer.read_only))
            hits.read_only.push_back({buffer.size, *at});
    }
}

} // namespace runner
