#pragma once

#include "labgrind/builtins.hpp"
#include "labgrind/vm.hpp"

namespace labgrind::vm {

/// One instruction of one work-item on its way.
class Execution {
  public:
    Execution(WorkItem& item, const ir::Instruction& instruction);

    /// Carries it out, up to what the watcher is told when it is over.
    void run();

  private:
    void return_from_function();
    void jump(const ir::Block* to);
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
    void atomic_instruction();

    // Built-in functions, by what they need.
    bool ask_for_position();
    bool synchronise();
    bool atomic_function();
    bool load_or_store_vector();
    bool compute_with_pointer();
    bool copy_memory();
    void ask_for_copy();
    void load_lanes(const ir::Value* pointer, std::size_t offset, std::size_t lane_size,
                    std::vector<std::byte>& bytes);
    std::uint64_t change_atomically(Memory& memory, Address address, std::size_t size,
                                    const std::string& operation, bool is_signed);

    Operand operand(std::size_t index) const { return fetch(instruction_.operands[index]); }
    Operand fetch(const ir::Value* value) const {
        return {value->fixed.empty() ? registers_ + value->slot : value->fixed.data(),
                value->type->scalar().size, value->type->lanes()};
    }
    std::byte* result() const { return registers_ + instruction_.slot; }
    void put(std::size_t lane, std::uint64_t value) const {
        const std::size_t size = instruction_.type->scalar().size;
        std::memcpy(result() + lane * size, &value, std::min<std::size_t>(size, sizeof value));
    }
    Watcher& watcher() const { return item_.group().launch().watcher(); }
    const std::string& name() const { return instruction_.callee->plain_name; }
    bool is_named(const char* name) const { return instruction_.callee->plain_name == name; }
    bool begins_with(const char* beginning) const {
        return instruction_.callee->plain_name.rfind(beginning, 0) == 0;
    }

    WorkItem& item_;
    const ir::Instruction& instruction_;
    std::byte* registers_;
};

/// Whether a call waits for asynchronous copies, and not at a barrier.
bool awaits_copies(const ir::Instruction& call);
/// The events that such a call waits for.
std::vector<std::uint64_t> events_of(WorkItem& item, const ir::Instruction& call);

} // namespace labgrind::vm
