#include "labgrind/analyses/group.hpp"

#include "labgrind/program/instructions.hpp"

#include <algorithm>

namespace labgrind {

bool Patience::is_over(std::uint64_t instructions, int line, std::size_t depth) {
    if (instructions < budget_)
        return false;
    if (line != 0 && (first_line_ == 0 || depth < depth_)) {
        depth_ = depth;
        first_line_ = last_line_ = line;
    } else if (line != 0 && depth == depth_) {
        first_line_ = std::min(first_line_, line);
        last_line_ = std::max(last_line_, line);
    }
    if (window_ == Window::none)
        since_ = instructions;
    window_ = instructions < since_ + window_length_ ? Window::first : Window::second;
    if (instructions < since_ + 2 * window_length_)
        return false;
    if (!something_new_ || budget_ >= largest_)
        return true;
    *this = {largest_, window_length_, largest_};
    return false;
}

void Patience::note_store(std::size_t address, const std::byte* data, std::size_t size) {
    if (window_ == Window::none)
        return;
    std::uint64_t hash = address;
    for (std::size_t i = 0; i < size; ++i)
        hash = hash * hash_factor + std::to_integer<std::uint64_t>(data[i]) + 1;
    if (window_ == Window::first)
        stored_.insert(hash);
    else
        something_new_ = something_new_ || !stored_.contains(hash);
}

} // namespace labgrind
