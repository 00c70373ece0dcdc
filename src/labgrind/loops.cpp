#include "labgrind/loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

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
constexpr std::uint64_t hash_factor = 1099511628211U; // of FNV-1a

std::uint64_t hash_of(const void* pointer) { return std::hash<const void*>{}(pointer); }

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

std::vector<std::uint64_t> Loops::braces_around(const llvm::Instruction* instruction,
                                                const Calls& calls) {
    std::vector<std::uint64_t> found;
    for_each_frame(instruction, calls, [&](const llvm::Instruction* at, std::uint64_t way) {
        const unsigned line = at->getDebugLoc() ? at->getDebugLoc().getLine() : 0;
        for (const llvm::Loop* loop : of(at->getFunction()).loops.getLoopsInPreorder()) {
            const llvm::Loop::LocRange range = loop->getLocRange();
            const bool between = range && range.getStart() && range.getEnd() &&
                                 range.getStart().getLine() <= line &&
                                 line <= range.getEnd().getLine();
            if (between || loop->contains(at))
                found.push_back(way + hash_of(loop->getHeader()));
        }
    });
    return found;
}

} // namespace labgrind
