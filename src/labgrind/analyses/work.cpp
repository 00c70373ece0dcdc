#include "labgrind/analyses/work.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace labgrind {
namespace {

constexpr std::size_t segment_size = 128;
constexpr std::size_t bank_count = 32;
constexpr std::size_t bank_width = 4;
constexpr std::size_t word_size = 4;

template <class T> T& slot(std::vector<std::vector<T>>& table, std::uint32_t site, std::size_t at) {
    if (table.size() <= site)
        table.resize(site + 1);
    if (table[site].size() <= at)
        table[site].resize(at + 1);
    return table[site][at];
}

template <class T> void clear(std::vector<std::vector<T>>& table) {
    for (std::vector<T>& row : table)
        row.clear();
}

/// A segment or a word of a buffer: the buffer, and its number there.
using Unit = std::pair<std::uint32_t, std::size_t>;

/// Adds the units of `size` bytes that an access touches.
template <class Lane> void add_units(std::vector<Unit>& units, const Lane& lane, std::size_t size) {
    const std::size_t last = (lane.offset + lane.size - 1) / size;
    for (std::size_t unit = lane.offset / size; unit <= last; ++unit)
        units.emplace_back(lane.buffer, unit);
}

/// Keeps one of each, and returns how many these are.
std::size_t unite(std::vector<Unit>& units) {
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units.size();
}

/// Calls `visit` with a number for each word of a range in local or global memory.
template <class Visit> void for_words(bool local, std::uint32_t buffer, std::size_t offset,
                                      std::size_t size, const Visit& visit) {
    const std::uint64_t place = (local ? std::uint64_t{1} << 63 : 0) | std::uint64_t{buffer} << 40;
    for (std::size_t word = offset / word_size; word * word_size < offset + size; ++word)
        visit(place | word);
}

} // namespace

void WordSet::unite() {
    std::ranges::sort(words_);
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    unique_ = words_.size();
}

void Work::switch_to(std::uint32_t local) {
    if (local / warp_size != warp_)
        end_warp();
    warp_ = local / warp_size;
    local_ = local;
    std::ranges::fill(occurrences_, 0);
}

std::size_t Work::occurrence(std::uint32_t site) {
    if (occurrences_.size() <= site)
        occurrences_.resize(site + 1);
    return occurrences_[site]++;
}

void Work::additions(std::uint32_t count, int line) {
    counts_.additions += count;
    counts_.additions_by_line[line] += count;
    if (since_barrier_.size() <= local_)
        since_barrier_.resize(local_ + 1);
    since_barrier_[local_] += count;
}

/// Counts what the current work-item loads from local or global memory. It could have kept what it
/// loads again.
void Work::load(bool local, std::uint32_t buffer, std::size_t offset, std::size_t size) {
    if (loaded_.size() <= local_)
        loaded_.resize(local_ + 1);
    for_words(local, buffer, offset, size, [&](std::uint64_t word) {
        loaded_[local_].insert(word);
        if (!local)
            group_loaded_.insert(word);
    });
}

/// Counts what is stored to global memory, or changed by an atomic operation.
void Work::change(std::uint32_t buffer, std::size_t offset, std::size_t size) {
    for_words(false, buffer, offset, size, [&](std::uint64_t word) {
        counts_.global_bytes_changed += changed_.insert(word).second ? word_size : 0;
    });
}

void Work::global_access(std::uint32_t site, bool write, std::uint32_t buffer, std::size_t offset,
                         std::size_t size, int line) {
    ++(write ? counts_.global_stores : counts_.global_loads);
    (write ? counts_.global_bytes_stored : counts_.global_bytes_loaded) += size;
    if (write) {
        change(buffer, offset, size);
    } else {
        load(false, buffer, offset, size);
        counts_.global_bytes_loaded_by_line[line] += size;
    }
    slot(global_, site, occurrence(site)).push_back({buffer, offset, size});
}

void Work::local_access(std::uint32_t site, bool write, std::uint32_t buffer, std::size_t offset,
                        std::size_t size) {
    ++(write ? counts_.local_stores : counts_.local_loads);
    if (!write)
        load(true, buffer, offset, size);
    slot(local_lanes_, site, occurrence(site)).push_back({buffer, offset, size});
}

void Work::atomic(bool local, std::uint32_t buffer, std::size_t offset, std::size_t size,
                  bool combines) {
    load(local, buffer, offset, size);
    if (local && combines)
        for_words(true, buffer, offset, word_size, [&](std::uint64_t word) { ++combined_[word]; });
    if (local)
        return;
    any_atomics_ = true;
    ++counts_.global_atomics;
    change(buffer, offset, size);
}

void Work::copy(std::uint32_t buffer, std::size_t offset, std::size_t size, std::size_t element) {
    counts_.global_loads += size / element;
    counts_.global_bytes_loaded += size;
    for_words(false, buffer, offset, size, [&](std::uint64_t word) { group_loaded_.insert(word); });
}

void Work::branch(std::uint32_t site, bool taken) {
    std::uint8_t& seen = slot(branches_, site, occurrence(site));
    seen = static_cast<std::uint8_t>(seen | (taken ? 2U : 1U));
}

void Work::count_transactions(const std::vector<Lane>& lanes) {
    std::vector<Unit> segments;
    for (const Lane& lane : lanes)
        add_units(segments, lane, segment_size);
    counts_.transactions += unite(segments);
}

/// Lanes are served together as long as they request no more than all banks deliver in a cycle: 32
/// of 4 bytes each, 8 of 16. Lanes that request the same word get it together.
void Work::count_bank_cycles(const std::vector<Lane>& lanes) {
    if (lanes.empty())
        return;
    const std::size_t size = std::max(lanes.front().size, bank_width);
    const std::size_t together = std::max<std::size_t>(1, bank_count * bank_width / size);
    std::vector<Unit> words;
    for (std::size_t begin = 0; begin < lanes.size(); begin += together) {
        words.clear();
        for (std::size_t i = begin; i < std::min(begin + together, lanes.size()); ++i)
            add_units(words, lanes[i], bank_width);
        unite(words);
        std::array<std::size_t, bank_count> cycles{};
        for (const Unit& word : words)
            ++cycles[word.second % bank_count];
        counts_.bank_conflicts += *std::ranges::max_element(cycles) - 1;
    }
}

void Work::end_warp() {
    for (const auto& site : global_) {
        for (const auto& lanes : site)
            count_transactions(lanes);
    }
    for (const auto& site : local_lanes_) {
        for (const auto& lanes : site)
            count_bank_cycles(lanes);
    }
    for (const auto& site : branches_)
        counts_.divergent_branches +=
            static_cast<std::uint64_t>(std::ranges::count(site, std::uint8_t{3}));
    clear(global_);
    clear(local_lanes_);
    clear(branches_);
}

/// Ends what the work-items of the group do at the same time.
void Work::end_steps() {
    end_warp();
    additions_.resize(std::max(additions_.size(), since_barrier_.size()));
    std::uint64_t most = 0;
    for (std::size_t item = 0; item < since_barrier_.size(); ++item) {
        additions_[item] += since_barrier_[item];
        most = std::max(most, since_barrier_[item]);
    }
    for (const auto& [word, operations] : combined_)
        most = std::max(most, operations);
    span_ += most;
    since_barrier_.clear();
    combined_.clear();
}

void Work::barrier() {
    ++counts_.barriers;
    end_steps();
}

void Work::end_group() {
    end_steps();
    const std::uint64_t group =
        std::accumulate(additions_.begin(), additions_.end(), std::uint64_t{0});
    const auto busiest = std::ranges::max_element(additions_);
    if (busiest != additions_.end() && *busiest > counts_.busiest_item_additions) {
        counts_.busiest_item_additions = *busiest;
        counts_.busiest_group_additions = group;
    }
    if (busiest != additions_.end() && *busiest * 2 > group)
        counts_.lone_additions += group;
    counts_.longest_span = std::max(counts_.longest_span, span_);
    span_ = 0;
    counts_.busiest_item_bytes = std::max<std::uint64_t>(counts_.busiest_item_bytes, known_bytes_);
    for (WordSet& words : loaded_) {
        counts_.busiest_item_bytes = std::max<std::uint64_t>(
            counts_.busiest_item_bytes, known_bytes_ + words.size() * word_size);
        words.clear();
    }
    const std::uint64_t by_group = known_bytes_ + group_loaded_.size() * word_size;
    counts_.busiest_group_bytes = std::max(counts_.busiest_group_bytes, by_group);
    counts_.idlest_group_bytes =
        any_group_ ? std::min(counts_.idlest_group_bytes, by_group) : by_group;
    counts_.groups_with_atomics += any_atomics_ ? 1 : 0;
    additions_.clear();
    group_loaded_.clear();
    any_atomics_ = false;
    any_group_ = true;
}

} // namespace labgrind
