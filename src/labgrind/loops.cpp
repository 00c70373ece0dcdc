#include "labgrind/loops.hpp"

#include "labgrind/instructions.hpp"

#include <algorithm>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <utility>

namespace labgrind {

struct Loops::Function {
    explicit Function(const llvm::Function* function)
        // LLVM's analyses take a function that could be changed, and do not change it.
        : dominators(*const_cast<llvm::Function*>(function)), // NOLINT
          loops(dominators) {}

    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;
};

Loops::Loops() = default;
Loops::~Loops() = default;

Loops::Function& Loops::of(const llvm::Function* function) {
    std::unique_ptr<Function>& known = functions_[function];
    if (!known)
        known = std::make_unique<Function>(function);
    return *known;
}

namespace {

using Calls = std::vector<const llvm::CallInst*>;

std::uint64_t hash_of(const void* pointer) { return std::hash<const void*>{}(pointer); }

/// Line and column.
std::pair<unsigned, unsigned> place(const llvm::DebugLoc& location) {
    return location ? std::make_pair(location.getLine(), location.getCol())
                    : std::make_pair(0U, 0U);
}

/// Calls `visit` with `instruction` and each call that led to it, innermost first, and a number for
/// the way there.
template <class Visit>
void for_each_frame(const llvm::Instruction* instruction, const Calls& calls, const Visit& visit) {
    const llvm::Instruction* at = instruction;
    for (std::size_t depth = calls.size() + 1; depth-- > 0;) {
        std::uint64_t way = 0;
        for (std::size_t i = 0; i < depth; ++i)
            way = way * hash_factor + hash_of(calls[i]);
        visit(at, way * hash_factor);
        if (depth > 0)
            at = calls[depth - 1];
    }
}

} // namespace

std::vector<std::uint64_t> Loops::around(const llvm::Instruction* instruction, const Calls& calls) {
    std::vector<std::uint64_t> found;
    for_each_frame(instruction, calls, [&](const llvm::Instruction* at, std::uint64_t way) {
        const llvm::BasicBlock* block = at->getParent();
        for (const llvm::Loop* loop = of(block->getParent()).loops.getLoopFor(block);
             loop != nullptr; loop = loop->getParentLoop())
            found.push_back(way + hash_of(loop->getHeader()));
    });
    return found;
}

namespace {

/// Whether `variable` goes up or down by steps in `loop`.
bool is_counter(const llvm::Loop& loop, const llvm::AllocaInst* variable) {
    for (const llvm::User* user : variable->users()) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store == nullptr || store->getPointerOperand() != variable || !loop.contains(store))
            continue;
        const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(store->getValueOperand());
        if (step == nullptr)
            continue;
        for (const llvm::Value* operand : step->operands()) {
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(operand);
            if (load != nullptr && load->getPointerOperand() == variable)
                return true;
        }
    }
    return false;
}

/// Whether `value` is what a variable that `loop` counts with holds.
bool reads_counter(const llvm::Loop& loop, const llvm::Value* value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    const auto* variable =
        load == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
    return variable != nullptr && is_counter(loop, variable);
}

/// Whether `loop` may end because a variable of its own has been counted up or down.
bool is_counted(const llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting) {
        std::vector<const llvm::Value*> values{block->getTerminator()};
        for (std::size_t i = 0; i < values.size(); ++i) { // grows as it goes
            const auto* instruction = llvm::dyn_cast<llvm::Instruction>(values[i]);
            if (instruction == nullptr || !loop.contains(instruction))
                continue;
            if (reads_counter(loop, instruction))
                return true;
            if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::CallInst>(instruction))
                continue;
            for (const llvm::Value* operand : instruction->operands()) {
                if (std::find(values.begin(), values.end(), operand) == values.end())
                    values.push_back(operand);
            }
        }
    }
    return false;
}

} // namespace

std::uint64_t Loops::spin_around(const llvm::Instruction* instruction, const Calls& calls) {
    std::uint64_t found = 0;
    bool looking = true;
    for_each_frame(instruction, calls, [&](const llvm::Instruction* at, std::uint64_t way) {
        const llvm::BasicBlock* block = at->getParent();
        const llvm::Loop* loop = of(block->getParent()).loops.getLoopFor(block);
        if (!looking || loop == nullptr)
            return;
        looking = false;
        found = is_counted(*loop) ? 0 : way + hash_of(loop->getHeader());
    });
    return found;
}

std::vector<std::uint64_t> Loops::braces_around(const llvm::Instruction* instruction,
                                                const Calls& calls) {
    std::vector<std::uint64_t> found;
    for_each_frame(instruction, calls, [&](const llvm::Instruction* at, std::uint64_t way) {
        const auto here = place(at->getDebugLoc());
        for (const llvm::Loop* loop : of(at->getFunction()).loops.getLoopsInPreorder()) {
            const llvm::Loop::LocRange range = loop->getLocRange();
            const bool between = range && range.getStart() && range.getEnd() &&
                                 place(range.getStart()) < here && here < place(range.getEnd());
            if (between || loop->contains(at))
                found.push_back(way + hash_of(loop->getHeader()));
        }
    });
    return found;
}

std::optional<bool> Loops::jump(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
    const llvm::Loop* loop = of(to->getParent()).loops.getLoopFor(to);
    if (loop == nullptr || loop->getHeader() != to)
        return std::nullopt;
    return loop->contains(from);
}

std::vector<const llvm::BasicBlock*> Loops::heads_around(const llvm::Instruction* instruction) {
    std::vector<const llvm::BasicBlock*> heads;
    const llvm::BasicBlock* block = instruction->getParent();
    for (const llvm::Loop* loop = of(block->getParent()).loops.getLoopFor(block); loop != nullptr;
         loop = loop->getParentLoop())
        heads.push_back(loop->getHeader());
    return heads;
}

/// Whether control leaves a loop around `block` or stays in it by what `branch` decides.
static bool leaves_loop(const llvm::LoopInfo& loops, const llvm::BasicBlock* block,
                        const llvm::Instruction* branch) {
    for (const llvm::Loop* loop = loops.getLoopFor(block); loop != nullptr;
         loop = loop->getParentLoop()) {
        if (!loop->contains(branch))
            continue;
        for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
            if (!loop->contains(branch->getSuccessor(i)))
                return true;
        }
    }
    return false;
}

/// Whether `compare`, in a loop around `block`, compares something with the loop's counter.
static bool compares_counter(const llvm::LoopInfo& loops, const llvm::BasicBlock* block,
                             const llvm::CmpInst* compare) {
    const llvm::Loop* loop = loops.getLoopFor(block);
    return loop != nullptr &&
           std::any_of(compare->op_begin(), compare->op_end(), [&](const llvm::Value* operand) {
               while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(operand))
                   operand = cast->getOperand(0);
               return reads_counter(*loop, operand);
           });
}

bool Loops::is_ended_by(const llvm::Instruction* read) {
    const auto known = ended_by_.find(read);
    if (known != ended_by_.end())
        return known->second;
    const llvm::LoopInfo& loops = of(read->getFunction()).loops;
    const auto users = users_of(read);
    const bool ends = std::any_of(users.begin(), users.end(), [&](const llvm::User* user) {
        const bool decides = llvm::isa<llvm::BranchInst>(user) || llvm::isa<llvm::SwitchInst>(user);
        return llvm::isa<llvm::ReturnInst>(user) || // the caller decides
               (decides &&
                leaves_loop(loops, read->getParent(), llvm::cast<llvm::Instruction>(user)));
    });
    // A loop that counts up to what is read goes through something, it does not wait.
    const bool counts = std::any_of(users.begin(), users.end(), [&](const llvm::User* user) {
        const auto* compare = llvm::dyn_cast<llvm::CmpInst>(user);
        return compare != nullptr && compares_counter(loops, read->getParent(), compare);
    });
    return ended_by_[read] = ends && !counts;
}

} // namespace labgrind
