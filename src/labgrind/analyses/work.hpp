#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace labgrind {

/// A set of words, of which only the size matters.
class WordSet {
  public:
    void insert(std::uint64_t word) {
        if (!words_.empty() && words_.back() == word)
            return;
        if (words_.size() >= 2 * unique_ + fewest)
            unite();
        words_.push_back(word);
    }
    std::size_t size() {
        unite();
        return unique_;
    }
    void clear() {
        words_.clear();
        unique_ = 0;
    }

  private:
    static constexpr std::size_t fewest = 1024;

    void unite();

    std::vector<std::uint64_t> words_; ///< some more than once
    std::size_t unique_ = 0;           ///< words when they were united last
};

/// Counts the work of a launch for a device that runs 32 work-items in lockstep, fetches global
/// memory in segments of 128 bytes and has 32 banks of local memory, each a word of 4 bytes wide.
/// Lanes are assumed to execute the n-th occurrence of an instruction since the last barrier
/// together. Between two barriers, work-items must run one after the other.
class Work {
  public:
    /// `known_bytes`: bytes that every work-item has before it loads anything.
    explicit Work(wire::WorkCounts& counts, std::size_t known_bytes = 0)
        : counts_(counts), known_bytes_(known_bytes) {}

    static constexpr std::uint32_t warp_size = 32;

    /// The next instructions are those of the work-item with this number within its group.
    void switch_to(std::uint32_t local);
    void additions(std::uint32_t count, int line);
    void comparisons(std::uint32_t count) { counts_.comparisons += count; }
    void global_access(std::uint32_t site, bool write, std::uint32_t buffer, std::size_t offset,
                       std::size_t size, int line);
    void local_access(std::uint32_t site, bool write, std::uint32_t buffer, std::size_t offset,
                      std::size_t size);
    /// `combines`: it puts data into the word, so such operations on one word come one after another.
    void atomic(bool local, std::uint32_t buffer, std::size_t offset, std::size_t size,
                bool combines = false);
    /// A copy from global memory, by the whole group, in elements of `element` bytes.
    void copy(std::uint32_t buffer, std::size_t offset, std::size_t size, std::size_t element);
    void branch(std::uint32_t site, bool taken);
    void barrier();
    void end_group();

  private:
    struct Lane {
        std::uint32_t buffer = 0;
        std::size_t offset = 0;
        std::size_t size = 0;
    };
    /// By site and occurrence.
    template <class T> using Table = std::vector<std::vector<T>>;

    std::size_t occurrence(std::uint32_t site);
    void load(bool local, std::uint32_t buffer, std::size_t offset, std::size_t size);
    void change(std::uint32_t buffer, std::size_t offset, std::size_t size);
    void end_warp();
    void end_steps();
    void count_bank_cycles(const std::vector<Lane>& lanes);
    void count_transactions(const std::vector<Lane>& lanes);

    wire::WorkCounts& counts_;
    std::size_t known_bytes_;
    std::uint32_t warp_ = 0;
    std::uint32_t local_ = 0;
    std::vector<std::size_t> occurrences_;
    Table<std::vector<Lane>> global_;
    Table<std::vector<Lane>> local_lanes_;
    Table<std::uint8_t> branches_; ///< bit 0: a work-item did not branch, bit 1: one branched
    std::vector<std::uint64_t> additions_;                      ///< by work-item of the group
    std::vector<std::uint64_t> since_barrier_;                  ///< likewise
    std::unordered_map<std::uint64_t, std::uint64_t> combined_; ///< likewise, by local word
    std::uint64_t span_ = 0;                    ///< of the group, up to its last barrier
    std::vector<WordSet> loaded_;               ///< words, likewise
    WordSet group_loaded_;                      ///< likewise, of global memory
    bool any_atomics_ = false;                  ///< of the group, on global memory
    bool any_group_ = false;                    ///< a group has ended
    std::unordered_set<std::uint64_t> changed_; ///< words of global memory
};

} // namespace labgrind
