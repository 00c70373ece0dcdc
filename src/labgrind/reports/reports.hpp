#pragma once

#include "labgrind/analyses/group.hpp"
#include "labgrind/analyses/locks.hpp"
#include "labgrind/analyses/races.hpp"
#include "labgrind/analyses/run_options.hpp"
#include "labgrind/analyses/swaps.hpp"
#include "labgrind/analyses/waits.hpp"
#include "labgrind/program/instructions.hpp"
#include "labgrind/program/loops.hpp"
#include "labgrind/reports/findings.hpp"
#include "labgrind/reports/names.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace labgrind {

/// The start of the variable that `instruction` means with an address outside all of its own: the
/// address can lie in another variable, but the pointer it was computed from shows which one.
vm::Address meant_start(const vm::Memory& memory, const vm::WorkItem& item,
                        const ir::Instruction* instruction, vm::Address address, bool write);

/// What is wrong with a comparison in the function of `access`, not behind it, that asks whether an
/// unsigned number is below 0; "" if there is none.
std::string explain_unsigned_comparison(const ir::Instruction* access);

/// "; 4294967295 is -1 as a uint", if `index` is such a number; "" otherwise.
std::string explain_wrapped_index(std::int64_t index);

/// What depends on an undefined value.
enum class UseOfUndefined { condition, address, atomic_operation, result };

/// Why a loop does not end.
struct LoopReason {
    std::string text = {}; ///< "" if it is not known
    bool is_mistake =
        false; ///< what is wrong with the loop, not what it waits for, or its variables
    std::string question = {}; ///< for the student; "" for none
    int other_line = 0;        ///< that it is about, too; 0: none
};

/// Why nothing has written what a work-item reads.
struct MissingStore {
    std::string
        text;     ///< "; work-item 0 does not execute line 19, which ..."; "" if that is not known
    int line = 0; ///< of the store that is not executed; 0: not known
};

/// Describes the mistakes of a launch in terms of the student's source.
class Reports {
  public:
    /// `has_atomics`: the program's groups can share elements on purpose.
    Reports(const Names& names, const Instructions& instructions, Loops& loops, const Locks& locks,
            const Swaps& swaps, const Group& group, std::string kernel, bool has_atomics);

    const Findings& findings() const { return findings_; }
    void note_lost_atomic() { findings_.note_lost_atomic(); }
    /// The first use of an element of global memory that nothing has written, if there is one.
    const std::vector<wire::Finding>& unwritten() const { return unwritten_; }
    void add(const wire::Finding& finding) { findings_.add(finding); }
    void add(FindingKind kind, int line, int other_line, const std::string& message);

    /// Describes the race of `now`, an access to `name`, with `earlier`.
    wire::Finding race(const Access& earlier, const Access& now, const std::string& name,
                       bool local);
    /// Explains a race between groups that use overlapping parts of `name`: each uses `length` elements, but
    /// begins `distance` elements after the previous group.
    void explain_overlap(const wire::Finding& race, const std::string& name, std::size_t length,
                         std::size_t distance);
    /// Reports missing fences between two accesses under the same lock, or a release of the lock by
    /// a plain store. Returns whether there is such a mistake.
    bool add_fences(const Access& earlier, const Access& now, bool local);
    void add_bounds(const vm::Memory& memory, const Item& item, const ir::Instruction* instruction,
                    vm::Address address, std::size_t size, bool write);
    /// Reports that the current instruction accesses a value of this type at an address that is no
    /// multiple of `alignment`, as it must be.
    void add_misaligned(const vm::Memory& memory, const Item& item, const ir::Type& type,
                        vm::Address address, std::size_t alignment, bool write);
    /// Reports an index that lies outside a dimension of this length.
    void add_index(const Item& item, const ir::Instruction* instruction, bool write,
                   std::int64_t index, std::int64_t length);
    /// The same for an asynchronous copy.
    void add_copy_bounds(const vm::Memory& memory, vm::Address address, std::size_t size,
                         bool write);
    /// Reports that an undefined value was used at `line`.
    void add_undefined(const Item& item, const Undefined& undefined, int line, UseOfUndefined use);
    /// Reports an atomic operation that uses the uninitialized word `name`. If the kernel uses its result,
    /// what is outside of buffers afterwards follows from that.
    void add_unwritten(const Item& item, int line, const std::string& name, bool uses_result);
    /// Reports a write to an element of a read-only buffer, or a read of one of a write-only buffer.
    void add_forbidden(const Item& item, const vm::Memory& memory, int line, vm::Address address,
                       std::size_t size, bool write);
    /// Reports that work-items in `away` are not at the barrier where those in `here` wait.
    void add_divergence(const std::vector<std::uint32_t>& here,
                        const std::vector<std::uint32_t>& away);
    /// In the opposite order, a loop that ends in the usual one waits for another work-item.
    void add_endless(const Item& item, const ir::Instruction* instruction,
                     const RunOptions& options, const LoopReason& reason);
    /// `state`: what decides if the loop ends; "" if that is not known.
    void add_endless_meetings(const std::string& state);
    /// Reports an asynchronous copy that no work-item waits for: undefined by section 6.12.10.
    void add_unawaited(const ir::Instruction& copy);
    /// Reports loops that take a compare-and-swap for a success although it has never stored, at the
    /// end of the launch.
    void add_failed_swaps();
    /// Reports mistakes in the use of locks, at the end of the launch.
    void add_locks();
    /// Reports work-items of a warp that wait for each other, unless add_locks() has done so.
    void add_hang(const Waits& waits);

  private:
    void remove_races_around(const std::vector<std::uint32_t>& here,
                             const std::vector<std::uint32_t>& away,
                             const std::set<int>& deciding_lines);
    wire::Finding finding(FindingKind kind, int line, int other_line,
                          const std::string& message) const;
    /// One of the effects of `cause`, which `what` describes.
    wire::Finding effect(FindingKind kind, int line, int other_line, const std::string& cause,
                         const std::string& what) const;
    /// Adds a mistake that keeps the launch from ending.
    void add_endless(wire::Finding finding);
    /// "work-item 3 of group 1", or the copy that made an access.
    std::string accessor(const Access& access) const;
    /// The same without the group.
    std::string accessor_of_group(const Access& access) const;
    std::optional<Swap> failed_release(const Hold& hold) const;
    int line_of_wrong_release(const Hold& hold) const;
    std::string never_released(const Hold& hold) const;
    std::string way_out(const Hold& hold) const;
    std::string never_stored(const Swap& swap) const;
    std::string advice_beside_atomic(const Access& plain, const Access& atomic) const;
    std::string advice_for_wait(const Access& read, const Access& store) const;
    std::string between_groups(const Access& earlier, const Access& now,
                               const std::string& reason) const;
    std::string explain_swaps(const Access& earlier, const Access& now);
    const ir::Instruction* last_branch(const Access& access) const;
    wire::Finding race_across(const PassedBarrier& barrier, const Access& earlier,
                              const Access& now, const std::string& earlier_access,
                              const std::string& access, bool local) const;
    struct Advice {
        std::string text;
        bool asks = false; ///< see wire::Finding
    };
    Advice advice_for_index(const Names::Variable& variable, std::size_t count,
                            const ir::Instruction* access, bool write, std::int64_t index,
                            std::size_t elements);
    Advice advice_within_group(const Access& earlier, const Access& now, bool is_shared_store,
                               bool local) const;
    std::string or_condition(const Access& now) const;
    std::string explain_skipped_step(const ir::Value* value) const;
    std::string step_that_differs(const Access& earlier, const Access& now) const;
    std::string wrong_index_in_step(const Access& now) const;
    std::string unprotected_side(const Access& earlier, const Access& now) const;
    std::string outside_lock(const Access& earlier, const Access& now) const;
    std::string beside_release(const Access& access) const;
    bool takes_lock(const Access& earlier, const Access& now) const;
    std::string in_two_steps(const Access& earlier, const Access& now) const;
    std::string reason_between_groups(const Access& earlier, const Access& now) const;
    /// Whether one operation like += makes both accesses, so that both are of the same element.
    bool is_of_one_assignment(const Access& earlier, const Access& now) const;
    std::string only_one_should_store(const Access& now) const;
    std::string place_of_barrier(const Access& earlier, const Access& now) const;
    bool are_in_one_branch(const Access& a, const Access& b) const;
    bool are_alternatives(const Access& a, const Access& b) const;
    MissingStore skipped_store(vm::Address address, std::size_t size, const Item& reader,
                               const ir::Instruction& load) const;
    bool is_only_updated(const Origin& origin) const;
    bool both_update(const Access& earlier, const Access& now) const;
    std::string or_overlap(const Access& earlier, const Access& now) const;
    MissingStore unset_variable(const Origin& origin, std::size_t size, const Item& reader) const;
    int line_of_site(std::uint32_t site) const { return instructions_.line_of_site(site); }

    const Names& names_;
    const Instructions& instructions_;
    Loops& loops_;
    const Locks& locks_;
    const Swaps& swaps_;
    const Group& group_;
    std::string kernel_;
    bool has_atomics_;
    bool has_named_swap_ = false; ///< in a race; one is enough
    Findings findings_;
    std::vector<wire::Finding> unwritten_;
    bool has_unwritten_ticket_ = false; ///< an atomic operation returned uninitialized memory
    /// A data race of two work-items of a group with no barrier between them.
    struct RaceOfItems {
        wire::Finding race;
        std::uint32_t earlier = 0; ///< numbers of work-items
        std::uint32_t later = 0;
    };
    std::map<std::pair<int, int>, RaceOfItems> races_without_barrier_; ///< by lines: the last ones
};

} // namespace labgrind
