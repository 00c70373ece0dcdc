#include "labgrind/analyses/group_parts.hpp"

#include <algorithm>

namespace labgrind {

void GroupParts::note(std::size_t buffer, std::size_t group, std::size_t offset, std::size_t size) {
    if (parts_.size() <= buffer)
        parts_.resize(buffer + 1);
    std::vector<Part>& parts = parts_[buffer];
    if (parts.size() <= group)
        parts.resize(group + 1);
    Part& part = parts[group];
    part.begin = part.end == 0 ? offset : std::min(part.begin, offset);
    part.end = std::max(part.end, offset + size);
}

std::optional<GroupParts::Overlap> GroupParts::overlap(std::size_t buffer) const {
    if (buffer >= parts_.size() || parts_[buffer].size() < 2)
        return std::nullopt;
    const std::vector<Part>& parts = parts_[buffer];
    const Overlap found{parts[0].end - parts[0].begin, parts[1].begin - parts[0].begin};
    if (parts[1].begin <= parts[0].begin || parts[1].end != parts[1].begin + found.length ||
        found.distance >= found.length || found.length % found.distance != 0)
        return std::nullopt;
    for (std::size_t group = 0; group < parts.size(); ++group) {
        // The last parts can be shorter.
        if (parts[group].begin != parts[0].begin + group * found.distance ||
            parts[group].end > parts[group].begin + found.length)
            return std::nullopt;
    }
    return found;
}

} // namespace labgrind
