#pragma once

#include "labgrind/analyses/undefined.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace labgrind {

/// Reads of global and local memory since the last barrier, by word: if an atomic operation on the
/// word follows, the read was only a first look. Words that share a slot replace each other.
class RecentAccesses {
  public:
    void note(std::uint64_t word, std::uint32_t site) {
        loads_.resize(places);
        loads_[place(word)] = {word, site, age_};
    }
    /// The site of the last read of `word` among them, if there is one.
    std::optional<std::uint32_t> at(std::uint64_t word) const {
        if (loads_.empty())
            return std::nullopt;
        const Load& load = loads_[place(word)];
        return load.word == word && load.age == age_ ? std::optional(load.site) : std::nullopt;
    }
    void clear() { ++age_; }

  private:
    struct Load {
        std::uint64_t word = 0;
        std::uint32_t site = 0;
        std::uint32_t age = 0;
    };

    static constexpr std::size_t places = 128;
    static std::size_t place(std::uint64_t word) {
        return word * 0x9e3779b97f4a7c15U >> 57; // the upper bits of Fibonacci hashing
    }

    std::vector<Load> loads_; ///< empty: none yet
    std::uint32_t age_ = 1;   ///< goes up with each clear()
};

/// How many iterations a work-item has made of the loops it is in, and of those it was in last.
class Rounds {
  public:
    /// It jumps to the head of a loop; `again`: from inside the loop.
    void note(std::size_t depth, const ir::Block* head, bool again) {
        for (Loop& loop : loops_) {
            if (loop.depth == depth && loop.head == head) {
                loop.count = again ? loop.count + 1 : 0;
                return;
            }
        }
        loops_.push_back({depth, head, 0});
    }
    /// The function at this depth of calls has returned.
    void leave(std::size_t depth) {
        while (!loops_.empty() && loops_.back().depth >= depth)
            loops_.pop_back();
    }
    std::uint64_t count(std::size_t depth, const ir::Block* head) const {
        for (const Loop& loop : loops_) {
            if (loop.depth == depth && loop.head == head)
                return loop.count;
        }
        return 0;
    }

  private:
    struct Loop {
        std::size_t depth = 0; ///< calls of the program's functions around it
        const ir::Block* head = nullptr;
        std::uint64_t count = 0;
    };
    std::vector<Loop> loops_; ///< by depth
};

/// How long a work-item or a group may run. A loop that stores nothing new is endless. One that
/// does may end, and gets more time, up to a limit.
class Patience {
  public:
    /// All in instructions: when the first of two windows begins, how long each takes (longer than an
    /// iteration of most loops), and when the time is up.
    Patience(std::uint64_t budget, std::uint64_t window_length, std::uint64_t largest)
        : budget_(budget), window_length_(window_length), largest_(largest) {}

    /// An instruction at this line, `depth` calls below the kernel, has been executed. Returns
    /// whether to stop.
    bool is_over(std::uint64_t instructions, int line, std::size_t depth);
    /// `size` bytes have been stored at `address`.
    void note_store(std::size_t address, const std::byte* data, std::size_t size);

    /// The number of instructions after which the first window begins.
    std::uint64_t budget() const { return budget_; }
    /// The lines of the loop that the windows have seen, without those of functions that it calls;
    /// 0: unknown.
    int first_line() const { return first_line_; }
    int last_line() const { return last_line_; }

  private:
    enum class Window { none, first, second };

    std::uint64_t budget_;
    std::uint64_t window_length_;
    std::uint64_t largest_;
    Window window_ = Window::none;
    std::uint64_t since_ = 0;        ///< instructions when it began
    std::set<std::uint64_t> stored_; ///< hashes, during the first window
    bool something_new_ = false;     ///< during the second
    std::size_t depth_ = 0;          ///< of the calls that the loop is in
    int first_line_ = 0;
    int last_line_ = 0;
};

/// A work-item of the group that runs.
struct Item {
    /// Forgets all but the memory that it has allocated, for a work-item of the next group.
    void restart() {
        Item next;
        path.clear();
        next.path.swap(path);
        calls.clear();
        next.calls.swap(calls);
        values.restart();
        std::swap(next.values, values);
        *this = std::move(next);
    }

    /// A hash of the calls that it is in.
    std::uint64_t call_hash() const {
        std::uint64_t hash = 0;
        for (const ir::Instruction* call : calls)
            hash = hash * hash_factor + call->number + 1;
        return hash;
    }

    vm::WorkItem* item = nullptr;
    std::uint32_t local = 0;
    std::uint32_t number = 0; ///< in the launch
    std::uint64_t instructions = 0;
    bool finished = false;
    const ir::Instruction* waits_at = nullptr;
    std::uint64_t waits_from = 0;    ///< hash of the calls that led there
    std::uint64_t waits_in = 0;      ///< hash of the iterations of the loops around it
    std::vector<std::uint32_t> path; ///< branches since the last barrier: 2 * site + taken
    int nan_line = 0;                ///< of the last branch beyond its budget that compares NaN
    std::vector<const ir::Instruction*> calls; ///< of functions of the program, outermost first
    UndefinedValues values;
    RecentAccesses recent_loads;   ///< by plain loads
    RecentAccesses recent_atomics; ///< by atomic operations
    Rounds rounds;
    std::uint32_t round = 0; ///< iterations of all loops since the last barrier
    int fence_line = 0;      ///< of the last fence since the last barrier
    Patience patience{1'000'000, 2'000, 8'000'000}; // interpreted inputs are small
};

/// A barrier that a group met at, or a wait for copies, which orders nothing else.
struct PassedBarrier {
    int line = 0;
    bool is_barrier = true;
};

/// The group that runs, and its progress.
struct Group {
    vm::Group* handle = nullptr; ///< null between groups
    std::uint32_t index = 0;
    std::uint32_t first_item = 0; ///< the lowest number of its work-items
    std::vector<Item> items;
    std::vector<PassedBarrier> barriers;
    bool copied = false;            ///< asynchronously, since the last barrier
    bool turned_round = false;      ///< the last work-item has run first since then
    std::uint64_t instructions = 0; ///< of all its work-items
    FirstStores first_stores = {};
    /// Checked at barriers, once the group has met often.
    Patience patience{4'000'000, 500'000, 32'000'000};
};

} // namespace labgrind
