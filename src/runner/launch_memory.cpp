#include "runner/launch_memory.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace runner {
namespace {

/// Arguments begin at multiples of this, with at least this much between them, so that they do not
/// touch.
constexpr std::size_t alignment = 64;

void check(cl_int error, const char* function) {
    if (error != CL_SUCCESS)
        throw cl::Error(error, function);
}

template <class T> T checked_info(cl_mem buffer, cl_mem_info name) {
    T value{};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): used for handles, too
    check(clGetMemObjectInfo(buffer, name, sizeof(T), &value, nullptr), "clGetMemObjectInfo");
    return value;
}

} // namespace

void LaunchMemory::add(const KernelArgument& argument, cl_mem buffer) {
    Part part;
    part.argument = argument;
    part.size = argument.size;
    if (buffer != nullptr) {
        auto* const parent = checked_info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
        part.buffer = buffer;
        const auto flags = checked_info<cl_mem_flags>(buffer, CL_MEM_FLAGS);
        part.read_only = (flags & CL_MEM_READ_ONLY) != 0;
        part.write_only = (flags & CL_MEM_WRITE_ONLY) != 0;
        part.size = checked_info<std::size_t>(buffer, CL_MEM_SIZE);
        part.root = parent == nullptr ? buffer : parent;
        part.origin = parent == nullptr ? 0 : checked_info<std::size_t>(buffer, CL_MEM_OFFSET);
    }
    parts_.push_back(part);
}

std::vector<wire::LaunchArgument> LaunchMemory::arrange() {
    std::vector<Part*> order;
    for (Part& part : parts_) {
        if (!part.argument.local)
            order.push_back(&part);
    }
    std::ranges::stable_sort(order, [](const Part* a, const Part* b) {
        return std::make_pair(a->root, a->origin) < std::make_pair(b->root, b->origin);
    });
    const Part* first = nullptr; // of the parts that overlap
    std::size_t end = 0;         // of these parts, in the root
    for (Part* part : order) {
        const bool overlaps = first != nullptr && part->root != nullptr &&
                              part->root == first->root && part->origin < end;
        if (overlaps) {
            part->offset = first->offset + (part->origin - first->origin);
            end = std::max(end, part->origin + part->size);
        } else {
            part->offset = (size_ + 2 * alignment - 1) / alignment * alignment;
            first = part;
            end = part->origin + part->size;
        }
        size_ = std::max(size_, part->offset + part->size);
    }

    using Kind = wire::LaunchArgument::Kind;
    std::vector<wire::LaunchArgument> arguments;
    for (const Part& part : parts_) {
        const Kind kind = part.buffer != nullptr ? Kind::buffer
                          : part.argument.local  ? Kind::local
                                                 : Kind::value;
        arguments.push_back({kind,
                             {part.offset, part.size},
                             part.read_only,
                             part.write_only,
                             std::hash<cl_mem>()(part.root)});
    }
    return arguments;
}

wire::UniqueFd LaunchMemory::write_out() const {
    wire::UniqueFd file = wire::create_shared_memory("launch", size_);
    const wire::Mapping memory(file, size_, wire::Mapping::Access::read_write);
    for (const Part& part : parts_) {
        std::byte* place = memory.bytes().data() + part.offset;
        if (part.buffer != nullptr)
            read(part, place);
        else
            std::ranges::copy(part.argument.value, place);
    }
    return file;
}

void LaunchMemory::read(const Part& part, std::byte* place) const {
    check(REAL_CALL(clEnqueueReadBuffer)(queue_, part.buffer, CL_TRUE, 0, part.size, place, 0,
                                         nullptr, nullptr),
          "clEnqueueReadBuffer");
}

/// Whether the part's buffer contains exactly these bytes.
bool LaunchMemory::holds(const Part& part, const std::byte* bytes) const {
    std::vector<std::byte> now(part.size);
    read(part, now.data());
    return std::equal(now.begin(), now.end(), bytes);
}

void LaunchMemory::read_back(const wire::UniqueFd& file) const {
    const wire::Mapping memory(file, size_, wire::Mapping::Access::read);
    for (const Part& part : parts_) {
        const std::byte* const bytes = memory.bytes().data() + part.offset;
        if (part.buffer == nullptr || (part.read_only && holds(part, bytes)))
            continue;
        check(REAL_CALL(clEnqueueWriteBuffer)(queue_, part.buffer, CL_TRUE, 0, part.size, bytes, 0,
                                              nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
}

} // namespace runner
