#pragma once

#include "labgrind/vm/builtins.hpp"
#include "labgrind/vm/vm.hpp"

namespace labgrind::vm {

/// The execution of one instruction by one work-item.
class Execution {
  public:
    Execution(WorkItem& item, const ir::Instruction& instruction);

    /// Executes it. The work-item notifies the watcher afterwards.
    void run();
    /// The handler of a built-in function that is not pure. Throws Stuck if there is none.
    static void (Execution::*find(const std::string& name))();

  private:
    void return_from_function();
    void jump(const ir::Block* to);
    void merge_paths();
    void allocate();
    void choose();
    void call();
    void enter_function();
    void compute_integers();
    void compute_floats();
    void compare();
    void convert();
    void move_lanes();
    void step_pointer();
    void load();
    void store();
    void read_memory(const ir::Value& pointer, Address address, std::byte* to, std::size_t size);
    void write_memory(const ir::Value& pointer, Address address, const std::byte* from,
                      std::size_t size);

    // Built-in functions that need more than values.
    template <std::size_t (*ask)(const WorkItem&, std::size_t)> void ask_for_position() {
        put(0, ask(item_, instruction_.operands.empty() ? 0 : operand(0).get_unsigned()));
    }
    void do_nothing() {}
    void give_zero() { put(0, 0); }
    void wait();
    void change_atomically();
    void load_vector();
    void store_vector();
    void compute_with_pointer();
    void copy_memory();
    void ask_for_copy();

    Operand operand(std::size_t index) const {
        const ir::Source& source = instruction_.sources[index];
        return {source.fixed == nullptr ? registers_ + source.slot : source.fixed, source.lane_size,
                source.lanes};
    }
    std::byte* result() const { return registers_ + instruction_.slot; }
    void put(std::size_t lane, std::uint64_t value) const {
        const std::size_t size = instruction_.result.lane_size;
        std::memcpy(result() + lane * size, &value, std::min<std::size_t>(size, sizeof value));
    }
    Watcher& watcher() const { return item_.group().launch().watcher(); }
    const std::string& name() const { return instruction_.callee->plain_name; }
    bool begins_with(const char* beginning) const {
        return instruction_.callee->plain_name.starts_with(beginning);
    }

    WorkItem& item_;
    const ir::Instruction& instruction_;
    std::byte* registers_;
};

/// Whether a call waits for asynchronous copies, not at a barrier.
bool awaits_copies(const ir::Instruction& call);
/// The events that such a call waits for.
std::vector<std::uint64_t> events_of(WorkItem& item, const ir::Instruction& call);

} // namespace labgrind::vm
