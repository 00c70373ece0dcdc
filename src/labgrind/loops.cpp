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

std::vector<std::uint64_t> Loops::around(const llvm::Instruction* instruction,
                                         const std::vector<const llvm::CallInst*>& calls) {
    const std::hash<const void*> hash;
    std::vector<std::uint64_t> found;
    const llvm::Instruction* at = instruction;
    for (std::size_t depth = calls.size() + 1; depth-- > 0;) {
        std::uint64_t way = 0;
        for (std::size_t i = 0; i < depth; ++i)
            way = way * 1099511628211U + hash(calls[i]);
        const llvm::BasicBlock* block = at->getParent();
        for (const llvm::Loop* loop = of(block->getParent()).loops.getLoopFor(block);
             loop != nullptr; loop = loop->getParentLoop())
            found.push_back(way * 1099511628211U + hash(loop->getHeader()));
        if (depth > 0)
            at = calls[depth - 1];
    }
    return found;
}

} // namespace labgrind
