#pragma once

#include "labgrind/analyses/group.hpp"
#include "labgrind/analyses/locks.hpp"
#include "labgrind/program/instructions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace labgrind {

/// Words that several work-items change by compare-and-swap or exchange.
using ContendedWords = std::map<std::uint64_t, Locks::Contended>;

/// Work-items run one after the other here, so no work-item is ever late for a compare-and-swap. In
/// a launch with contention, each one is late: it finds the locks among these words taken the first
/// `failures` times, and before its first changes of another word, another work-item of its group
/// runs.
class Contention {
  public:
    Contention() = default; ///< no work-item is late
    Contention(ContendedWords contended, unsigned failures)
        : words_(std::move(contended)), failures_(failures) {}

    /// A compare-and-swap or an exchange by `item` begins, on the word at `address`.
    void begin(const Instruction::Atomic& operation, vm::Memory& memory, std::uint64_t word,
               vm::Address address, std::size_t size, Group& group, const Item& item);
    /// The work-item that runs in the middle of another work-item's instruction, or null.
    Item* overtaking() const { return overtaking_; }
    /// The operation has ended. Returns whether it was made to fail; the memory is then restored.
    bool was_made_to_fail(const AtomicStep& step, int line);
    /// Records how an operation ended that was not made to fail. `compares`: a compare-and-swap.
    void note_outcome(const AtomicStep& step, bool compares, int line);

    bool concerns(std::uint64_t word) const { return words_.contains(word); }
    /// Whether a word is one of them and is taken and released.
    bool is_lock(std::uint64_t word) const;
    /// An attempt that failed and was never retried.
    struct GivenUp {
        int line = 0;
        std::uint64_t word = 0;
        bool lock = false;
    };
    std::vector<GivenUp> given_up() const;
    /// An attempt to take a lock that failed, after which the lock was released anyway.
    struct BrokenIn {
        int line = 0;
        bool uses_result = false;
        int release_line = 0;
        bool is_repeated = false; ///< the release is in the loop that repeats the attempt

        bool operator==(const BrokenIn&) const = default;
    };
    const std::vector<BrokenIn>& broken_in() const { return broken_in_; }

  private:
    /// By item and word.
    using ItemWord = std::pair<std::uint32_t, std::uint64_t>;
    /// A word that looks taken during one instruction.
    struct PretendedValue {
        std::byte* memory = nullptr;
        std::array<std::byte, 8> truth{};
        std::size_t size = 0;
    };

    /// The last attempt.
    struct Attempt {
        int line = 0;
        std::uint64_t spin = 0; ///< the loop around it, if it repeats until the attempt succeeds
        bool uses_result = false;
        const ir::Block* loop = nullptr; ///< the head of the innermost one around it; null: none
    };

    void settle(const AtomicStep& step);
    void let_another_pass(Group& group, const Item& item);
    void note_broken_in(const Attempt& attempt, const AtomicStep& release, int line);

    ContendedWords words_;
    unsigned failures_ = 0;
    std::map<ItemWord, unsigned> late_; ///< how often so far
    std::map<ItemWord, Attempt> failed_attempts_;
    std::vector<BrokenIn> broken_in_;
    PretendedValue pretended_;
    Item* overtaking_ = nullptr;
};

} // namespace labgrind
