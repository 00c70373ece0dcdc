#pragma once

#include "labgrind/vm/reordering.hpp"
#include "labgrind/vm/vm.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace labgrind::vm {

/// Pieces of global or local memory, by address space and number.
using Pieces = std::set<std::pair<unsigned, std::uint32_t>>;

/// A schedule: decides which work-item runs next when those of all groups take turns at accesses to
/// global and local memory. Work-items have their number in the launch; each counts its own
/// accesses from 0.
class Policy {
  public:
    /// A place in the run: `item` is about to make its access number `access`, or cannot continue.
    struct Place {
        /// Stands for an access number when the first work-item of all is chosen.
        static constexpr std::uint64_t first_choice = ~std::uint64_t{0};

        std::size_t item = 0;
        std::uint64_t access = 0;
        bool must_stop = false; ///< it waits, has ended, or has been in a loop for long
        bool is_late = false;   ///< others do not see one of its writes yet
        const ir::Instruction* instruction = nullptr; ///< that makes the access, if it can continue
        /// How often it has waited before: it can wait several times without an access in between.
        std::uint64_t waits = 0;

        bool is_first_choice() const { return access == first_choice; }
        /// Whether that access is a store or an atomic operation.
        bool writes() const {
            return instruction != nullptr && instruction->opcode != ir::Opcode::load;
        }

        bool operator<(const Place& other) const {
            return std::tie(item, access, must_stop, waits) <
                   std::tie(other.item, other.access, other.must_stop, other.waits);
        }
    };

    Policy() = default;
    Policy(const Policy&) = delete;
    Policy& operator=(const Policy&) = delete;
    virtual ~Policy() = default;
    /// Returns one of `ready`, which is sorted and not empty; place.item to continue with that one.
    virtual std::size_t choose(const Place& place, const std::vector<std::size_t>& ready) = 0;
    /// `item` has changed a word from 0 to a nonzero value by an exchange or a compare-and-swap.
    virtual void on_taken(std::size_t /*item*/) {}
    /// A work-item in a loop that takes long, when it comes to the same access again.
    struct Round {
        std::size_t item = 0;
        const ir::Instruction* instruction = nullptr;
        WorkItem* state = nullptr;
        bool has_changed_variables = false; ///< since the last time
        bool has_changed_memory = false;    ///< by its writes
    };
    virtual void on_round(const Round& /*round*/) {}
    /// Whether the first work-item may stop before its first access, too.
    virtual bool asks_at_once() const { return false; }
    /// Whether the rest of the run does not matter.
    virtual bool has_seen_enough() const { return false; }
    /// The only memory at which work-items take turns, except for what they change in this run; null:
    /// all of it.
    virtual const Pieces* contended() const { return nullptr; }
    /// The instruction whose writes take effect as late as possible; null: none.
    virtual const ir::Instruction* late_write() const { return nullptr; }
    /// What reads as early as possible; null: nothing.
    virtual const EarlyRead* early_read() const { return nullptr; }
    /// It has read a value that has been replaced since; `line`: see EarlierValues::step().
    virtual void on_replaced_value(int /*line*/) {}
    /// `item` makes its access number `access` with `instruction`.
    virtual void on_access(std::size_t /*item*/, std::uint64_t /*access*/,
                           const ir::Instruction& /*instruction*/, const WorkItem& /*state*/) {}
};

/// The default: the work-item that runs now, or else the next one that can run.
std::size_t choose_next(const Policy::Place& place, const std::vector<std::size_t>& ready);

/// The work-item that runs next, by place.
using Switches = std::map<Policy::Place, std::size_t>;

/// How a launch went.
struct Interleaving {
    bool ended = true; ///< within the allowed number of instructions
    std::uint64_t instructions = 0;
    Switches switches; ///< those that differ from choose_next()
    /// A work-item that runs from one switch to the next.
    struct Stretch {
        std::size_t item = 0;
        int stops_before = 0; ///< the line where it is interrupted; 0: not interrupted, or unknown
    };
    std::vector<Stretch> stretches;
    /// A work-item that never ends.
    struct Stuck {
        std::size_t item = 0;
        int line = 0;
        int called_at = 0; ///< the line of the call that led there; 0: none
        const ir::Instruction* next = nullptr;
        /// The work-item that has taken the word that this one tries to take: maybe itself.
        std::optional<std::size_t> waits_for = std::nullopt;
    };
    std::vector<Stuck> stuck;
    bool diverges = false; ///< not all work-items of a group came to the same barrier
};

/// Runs a launch with all its groups at the same time. If it does not end within
/// `most_instructions`, all work-items take turns for `fairly` more: those that have not ended then
/// are stuck.
Interleaving interleave(Launch& launch, Policy& policy, std::uint64_t most_instructions,
                        std::uint64_t fairly = 0);

} // namespace labgrind::vm
