#include "labgrind/program/address_sources.hpp"

#include "labgrind/program/dataflow.hpp"
#include "labgrind/program/instructions.hpp"

#include <algorithm>

namespace labgrind {
namespace {

using ir::Opcode;

class SourceSearch {
  public:
    SourceSearch(const ir::Module& module, const ir::Value* address)
        : module_(module), values_(address) {}

    std::optional<std::vector<const ir::Instruction*>> run() {
        while (const ir::Value* next = values_.next()) {
            if (const ir::Argument* argument = ir::as_argument(next))
                follow_argument(*argument);
            else if (const ir::Instruction* one = ir::as_instruction(next))
                follow(*one);
        }
        return is_complete_ ? std::optional(std::move(sources_)) : std::nullopt;
    }

  private:
    void follow_argument(const ir::Argument& argument) {
        for (const ir::Instruction* call : module_.instructions()) {
            if (call->opcode == Opcode::call && call->callee == argument.function)
                values_.add(call->operands[argument.number]);
        }
    }

    void follow(const ir::Instruction& one) {
        if (one.opcode == Opcode::load)
            return follow_load(one);
        if (one.atomic() != ir::Atomic::none)
            return sources_.push_back(&one);
        if (calls_own_function(one))
            return follow_results(one);
        std::ranges::for_each(one.operands, [&](const auto* operand) { values_.add(operand); });
    }

    void follow_results(const ir::Instruction& call) {
        for (const ir::Block* block : call.callee->blocks) {
            if (block->last().opcode == Opcode::ret && !block->last().operands.empty())
                values_.add(block->last().operands[0]);
        }
    }

    void follow_load(const ir::Instruction& load) {
        const ir::Value* pointer = load.operands[0];
        if (pointer->type->space == ir::global_space)
            return sources_.push_back(&load);
        if (const ir::Instruction* variable = variable_of(pointer))
            return follow_stores_to(*variable);
        const ir::Value* base = base_of(pointer);
        if (base != nullptr)
            follow_stores_to(*base);
        else
            is_complete_ = false;
    }

    /// `address`: that of a variable, or of a part of it.
    void follow_stores_to(const ir::Value& address) {
        for (const ir::Instruction* user : address.users) {
            if (user->opcode == Opcode::store && user->operands[1] == &address)
                values_.add(user->operands[0]);
            else if (user->opcode == Opcode::step || user->opcode == Opcode::bitcast)
                follow_stores_to(*user);
            else if (user->opcode != Opcode::load && !only_marks(*user))
                is_complete_ = false;
        }
    }

    /// Whether `call` only says where a variable begins or ends to matter.
    static bool only_marks(const ir::Instruction& call) {
        return call.opcode == Opcode::call && call.callee != nullptr &&
               (call.callee->plain_name.starts_with("llvm.lifetime") ||
                call.callee->plain_name.starts_with("llvm.dbg"));
    }

    const ir::Module& module_;
    Worklist values_;
    std::vector<const ir::Instruction*> sources_;
    bool is_complete_ = true;
};

} // namespace

std::optional<std::vector<const ir::Instruction*>> address_sources(const ir::Module& module,
                                                                   const ir::Instruction& access) {
    return SourceSearch(module, access.shared_pointer).run();
}

} // namespace labgrind
