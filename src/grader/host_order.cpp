#include "grader/host_order.hpp"

#include "grader/explain.hpp"

#include <algorithm>
#include <optional>

namespace grader {
namespace {

using Ranges = std::vector<wire::ByteRange>;

/// What a command does with a buffer, in bytes of the whole buffer.
struct Touched {
    Ranges read;
    Ranges written;
    Ranges atomic;
};

/// The part of `ranges` that lies in `argument`, which begins in the buffer at `origin`.
Ranges in_buffer(const Ranges& ranges, const wire::ByteRange& argument, std::size_t origin) {
    Ranges found;
    for (const wire::ByteRange& range : ranges) {
        const wire::ByteRange common = wire::common_bytes(range, argument);
        if (common.size != 0)
            found.push_back({origin + (common.offset - argument.offset), common.size});
    }
    return found;
}

std::optional<Touched> touched_by(const wire::BufferUse& use,
                                  const std::vector<SeenLaunch>& launches) {
    if (use.launch < 0)
        return use.writes ? Touched{{}, {use.bytes}, {}} : Touched{{use.bytes}, {}, {}};
    const auto number = static_cast<std::size_t>(use.launch);
    const auto index = static_cast<std::size_t>(use.argument);
    if (number >= launches.size() || index >= launches[number].arguments.size() ||
        !launches[number].footprint.known)
        return std::nullopt;
    const wire::Footprint& seen = launches[number].footprint;
    const wire::ByteRange& argument = launches[number].arguments[index].bytes;
    const std::size_t origin = use.bytes.offset;
    return Touched{in_buffer(seen.read, argument, origin),
                   in_buffer(seen.written, argument, origin),
                   in_buffer(seen.atomic, argument, origin)};
}

/// Whether a byte is in both. The ranges are sorted.
bool meet(const Ranges& a, const Ranges& b) {
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() && right != b.end()) {
        if (wire::overlap(*left, *right))
            return true;
        if (left->offset + left->size < right->offset + right->size)
            ++left;
        else
            ++right;
    }
    return false;
}

std::string name_of_queue(const wire::BufferUse& use) {
    return (use.queue == 0 ? "setup.queue" : "your queue " + std::to_string(use.queue)) +
           (use.in_order ? "" : ", an out-of-order queue");
}

std::string describe(const wire::BufferUse& use) {
    if (use.launch < 0)
        return wire::name_of(use.command) + " of " + count_of(use.bytes.size, "byte") +
               " at offset " + std::to_string(use.offset) + " (" + name_of_queue(use) + ")";
    return "kernel " + use.kernel + ", launch " + std::to_string(use.launch + 1) + " (argument " +
           std::to_string(use.argument) + "; " + name_of_queue(use) + ")";
}

} // namespace

Clash clash_of(const wire::UnorderedUses& uses, const std::vector<SeenLaunch>& launches) {
    const auto a = touched_by(uses.earlier, launches);
    const auto b = touched_by(uses.later, launches);
    if (!a || !b)
        return Clash::unknown;
    const bool clash = meet(a->written, b->written) || meet(a->written, b->read) ||
                       meet(a->read, b->written) || meet(a->written, b->atomic) ||
                       meet(a->atomic, b->written) || meet(a->atomic, b->read) ||
                       meet(a->read, b->atomic);
    return clash ? Clash::certain : Clash::none;
}

const wire::UnorderedUses* nearest_clash(const std::vector<wire::UnorderedUses>& unordered,
                                         const std::vector<SeenLaunch>& launches) {
    const auto first = std::ranges::find_if(unordered, [&](const wire::UnorderedUses& one) {
        return clash_of(one, launches) == Clash::certain;
    });
    if (first == unordered.end())
        return nullptr;
    const wire::UnorderedUses* nearest = &*first;
    for (auto other = first; other != unordered.end(); ++other) {
        const bool has_same_later = other->later.command == first->later.command &&
                                    other->later.launch == first->later.launch &&
                                    other->later.queue == first->later.queue &&
                                    other->later.bytes.offset == first->later.bytes.offset;
        if (has_same_later && clash_of(*other, launches) != Clash::none)
            nearest = &*other;
    }
    return nearest;
}

std::string explain_clash(const wire::UnorderedUses& uses) {
    const bool one_queue = uses.earlier.queue == uses.later.queue;
    return "first " + describe(uses.earlier) + ",\nthen " + describe(uses.later) +
           ":\nthey use the same bytes of a buffer, one of them writes, and nothing determines "
           "which one runs first\nput the event of the first into the wait list of the second, "
           "or wait in between with finish() or the event's wait()" +
           (one_queue ? "; or call enqueueBarrierWithWaitList() between them" : "");
}

} // namespace grader
