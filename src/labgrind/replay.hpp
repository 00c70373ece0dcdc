#pragma once

#include "labgrind/last_reads.hpp"
#include "labgrind/observer.hpp"
#include "labgrind/reports/names.hpp"
#include "labgrind/trace.hpp"
#include "labgrind/vm/interleaving.hpp"
#include "labgrind/vm/vm.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace labgrind {

/// One launch, which can be run several times from the same start.
class Replay {
  public:
    /// All arguments must outlive it; `memory` holds the initial contents of the buffers. The
    /// launch must fit the module's kernel.
    Replay(const ir::Module& module, Observer& observer, const wire::KernelLaunch& launch,
           std::span<std::byte> memory);

    /// Runs the launch, watched. `ends_only`: only the first and the last group.
    void run(RunOptions options, bool ends_only = false);
    /// Runs the launch with all groups at the same time, watched. The observer finds what is wrong up to
    /// the end of the run, but does not count.
    void run_in_turns(vm::Policy& policy, std::uint64_t most_instructions);
    /// Runs one group after the other for another watcher.
    void run_with(vm::Watcher& watcher, bool last_group_first = false);
    /// How an unwatched launch went.
    struct Computed {
        std::uint64_t instructions = 0; ///< that it has taken
        std::string failure; ///< an access outside a buffer, or too many of these; "" for none
        // Only if it takes notes:
        std::map<int, std::uint64_t> loads; ///< from local and global memory, by line
        std::map<int, std::uint64_t> stores;
        std::unordered_set<const ir::Instruction*> executed; ///< also the one that fails
    };
    /// Runs one group after the other, unwatched, in lockstep or not.
    Computed compute(bool in_lock_step, std::uint64_t most_instructions, bool takes_notes = false);
    /// Runs one group after the other, each in lockstep or not, and records what happens.
    void trace(Tracer& tracer, bool in_lock_step);
    /// From now on interleave() records what happens; a new run replaces the record of the last one.
    void record_with(Tracer& tracer) { tracer_ = &tracer; }
    /// From now on `watcher` watches interleave(); null: nothing does.
    void watch_interleaved(vm::Watcher* watcher) { interleaved_watcher_ = watcher; }
    /// What uninitialized memory holds at the start: the filling, 0, or what an earlier launch has left
    /// there, with another meaning: the kept results, each instead of another one.
    enum class Unwritten { guard, zero, stale };
    /// An element that is uninitialized before the launch, in memory that several work-items use.
    struct UnwrittenElement {
        int argument = 0;
        std::size_t offset = 0; ///< in bytes
    };
    /// The first one that the last run has written to one of these pieces of memory, if there is one.
    std::optional<UnwrittenElement> first_unwritten(const vm::Pieces& pieces) const;

    /// Runs the launch with all groups at the same time.
    vm::Interleaving interleave(vm::Policy& policy, std::uint64_t most_instructions,
                                std::uint64_t fairly = 0, Unwritten unwritten = Unwritten::guard);

    /// The first access of the last interleave() outside all memory, if there was any.
    const std::optional<vm::Launch::Stray>& stray() const { return unwatched_machine_.stray(); }

    /// Writes the results of the last run to the memory.
    void keep_results() const;
    /// In which buffers the results of the last run differ from those that are kept: a bit for each of the
    /// first 64, which others share.
    std::uint64_t differing_buffers() const;
    bool differs_at(vm::Address address) const;
    /// A hash of the results of the last run.
    std::uint64_t hash_of_results() const;
    /// Which bytes of the memory the last run used.
    wire::Footprint footprint() const;
    /// The observer of the last watched run.
    const Observer& observer() const { return observer_; }
    const std::string& kernel() const { return launch_.kernel; }
    /// "work-item 5 of group 3", by its number in the launch.
    std::string name_of(std::size_t item) const {
        return names_.item(static_cast<std::uint32_t>(item));
    }
    /// "state[5]", for a word of global memory.
    std::string name_of_word(vm::Address address) const {
        return names_.at(global_memory_, address, sizeof(std::uint32_t), {}, {});
    }
    /// Those in the arguments' buffers with atomic operations.
    std::vector<wire::WordRead> words_of_arguments(const LastReads& reads) const;
    bool uses_atomics() const { return module_->has_atomics(); }
    const ir::Module& module() const { return *module_; }
    std::size_t groups() const { return vm::volume(machine_.group_counts()); }
    std::size_t items() const { return vm::volume(machine_.global_size); }
    std::size_t group_size() const { return vm::volume(machine_.group_size); }

  private:
    /// Memory that one or more arguments of the launch share.
    struct Buffer {
        wire::ByteRange range;
        vm::Address address = 0;
        std::byte* data = nullptr;
    };

    static std::vector<Buffer> joined_buffers(const wire::KernelLaunch& launch,
                                              vm::Memory& global_memory);
    vm::Launch machine(vm::Watcher& watcher);
    vm::Given given(const wire::LaunchArgument& argument) const;
    const Buffer* buffer_of(const wire::LaunchArgument& argument) const;
    std::set<std::size_t> buffers_with(bool wire::LaunchArgument::*flag) const;
    void reset();
    template <class Run> void watch(const Run& run);
    template <class Change> void for_unwritten_words(const Change& change);

    const ir::Module* module_;
    Observer& observer_;
    const wire::KernelLaunch& launch_;
    std::span<std::byte> memory_;
    std::vector<std::byte> start_;
    vm::Memory global_memory_;
    std::vector<Buffer> buffers_;
    vm::Watcher unwatched_;
    vm::Launch machine_;
    Names names_{machine_};
    vm::Launch unwatched_machine_;
    Tracer* tracer_ = nullptr; ///< of interleave()
    vm::Watcher* interleaved_watcher_ = nullptr;
};

} // namespace labgrind
