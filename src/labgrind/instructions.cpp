#include "labgrind/instructions.hpp"

#include <algorithm>
#include <array>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace labgrind {

using llvm::dyn_cast;

namespace {

bool begins_with(const std::string& text, const char* beginning) {
    return text.rfind(beginning, 0) == 0;
}

/// The indices that an address is computed from, where they count elements of an array.
std::vector<Instruction::Index> indices_of(const llvm::Value* pointer) {
    std::vector<Instruction::Index> indices;
    while (const auto* step = dyn_cast<llvm::GEPOperator>(pointer)) {
        // The first index is one of the pointer, and knows no length.
        const llvm::Type* type = step->getSourceElementType();
        for (const auto* index = step->idx_begin() + 1; index < step->idx_end(); ++index) {
            if (const auto* structure = dyn_cast<llvm::StructType>(type)) {
                type = structure->getTypeAtIndex(index->get());
                continue;
            }
            const auto* array = dyn_cast<llvm::ArrayType>(type);
            if (array == nullptr)
                break;
            if (array->getNumElements() > 1)
                indices.push_back(
                    {index->get(), static_cast<std::int64_t>(array->getNumElements())});
            type = array->getElementType();
        }
        pointer = step->getPointerOperand();
    }
    return indices;
}

/// vstore2 to vstore16; vstore_half stores something else than it is given.
bool is_vector_store(const std::string& name) {
    return begins_with(name, "vstore") && name.find('_') == std::string::npos;
}

/// Whether an atomic operation of this name comes out the same when it is repeated or comes late.
bool may_come_late(const std::string& name) {
    constexpr std::array operations{"_min", "_max", "_and", "_or", "cmpxchg"};
    return std::any_of(operations.begin(), operations.end(), [&](const char* operation) {
        return name.find(operation) != std::string::npos;
    });
}

/// Whether somebody looks at what `call` gives; a variable that nobody reads is no look.
bool is_used(const llvm::CallInst* call) {
    return std::any_of(call->user_begin(), call->user_end(), [&](const llvm::User* user) {
        const auto* store = dyn_cast<llvm::StoreInst>(user);
        if (store == nullptr || store->getValueOperand() != call ||
            !llvm::isa<llvm::AllocaInst>(store->getPointerOperand()))
            return true;
        const auto& others = store->getPointerOperand()->users();
        return std::any_of(others.begin(), others.end(), [](const llvm::User* other) {
            return llvm::isa<llvm::LoadInst>(other);
        });
    });
}

/// Whether something is decided by what `call` gives, not only where something goes.
bool is_compared(const llvm::CallInst* call) {
    const auto users = users_of(call);
    return std::any_of(users.begin(), users.end(), [](const llvm::User* user) {
        const auto* store = dyn_cast<llvm::StoreInst>(user);
        return llvm::isa<llvm::CmpInst>(user) || llvm::isa<llvm::ReturnInst>(user) ||
               llvm::isa<llvm::SwitchInst>(user) || llvm::isa<llvm::CallInst>(user) ||
               (store != nullptr && !llvm::isa<llvm::AllocaInst>(store->getPointerOperand()));
    });
}

Instruction::Atomic examine_atomic(const llvm::CallInst* call, const std::string& name) {
    Instruction::Atomic atomic;
    atomic.compares = name.find("cmpxchg") != std::string::npos;
    atomic.exchanges = !atomic.compares && name.find("xchg") != std::string::npos;
    atomic.looks = is_used(call);
    atomic.rechecks = may_come_late(name) || is_compared(call);
    return atomic;
}

} // namespace

const llvm::Value* base_of(const llvm::Value* pointer) {
    while (const auto* step = dyn_cast<llvm::GEPOperator>(pointer))
        pointer = step->getPointerOperand();
    return llvm::isa<llvm::AllocaInst>(pointer) || llvm::isa<llvm::GlobalVariable>(pointer)
               ? pointer
               : nullptr;
}

int line_of(const llvm::Instruction* instruction) {
    const llvm::DebugLoc& place = instruction->getDebugLoc();
    return place ? static_cast<int>(place.getLine()) : 0;
}

std::string plain_name(const llvm::Function* function) {
    std::string mangled = function->getName().str();
    if (mangled.compare(0, 2, "_Z") != 0)
        return mangled;
    std::size_t digits = 2;
    std::size_t length = 0;
    while (digits < mangled.size() && mangled[digits] >= '0' && mangled[digits] <= '9')
        length = length * 10 + static_cast<std::size_t>(mangled[digits++] - '0');
    return mangled.substr(digits, length);
}

std::uint32_t lanes_of(const llvm::Type* type) {
    const auto* vector = dyn_cast<llvm::FixedVectorType>(type);
    return vector == nullptr ? 1 : vector->getNumElements();
}

const llvm::Value* pointer_operand(const llvm::Instruction* instruction, bool write) {
    if (const auto* load = dyn_cast<llvm::LoadInst>(instruction))
        return load->getPointerOperand();
    if (const auto* store = dyn_cast<llvm::StoreInst>(instruction))
        return store->getPointerOperand();
    const auto* call = dyn_cast<llvm::CallInst>(instruction);
    if (call == nullptr)
        return nullptr;
    const llvm::Value* found = nullptr;
    for (const llvm::Use& argument : call->args()) {
        if (argument->getType()->isPointerTy() && (found == nullptr || !write))
            found = argument.get(); // memcpy's target comes first
    }
    return found;
}

const Instruction& Instructions::know(const llvm::Instruction* instruction) {
    if (instruction == last_)
        return *last_known_;
    auto at = known_.find(instruction);
    if (at == known_.end())
        at = known_.emplace(instruction, examine(instruction)).first;
    last_ = instruction;
    last_known_ = &at->second;
    return at->second;
}

Instruction Instructions::examine(const llvm::Instruction* instruction) {
    Instruction known;
    known.site = static_cast<std::uint32_t>(lines_.size());
    lines_.push_back(line_of(instruction));
    known.additions = data_flow_.additions(*instruction);
    switch (instruction->getOpcode()) {
    case llvm::Instruction::Alloca:
        known.action = Action::allocate;
        return known;
    case llvm::Instruction::Load:
        known.action = Action::load;
        known.indices = indices_of(pointer_operand(instruction, false));
        return known;
    case llvm::Instruction::Store:
        known.action = Action::store;
        known.indices = indices_of(pointer_operand(instruction, true));
        return known;
    case llvm::Instruction::Br:
        known.action = llvm::cast<llvm::BranchInst>(instruction)->isConditional() ? Action::branch
                                                                                  : Action::jump;
        return known;
    case llvm::Instruction::Switch:
        known.action = Action::branch;
        return known;
    case llvm::Instruction::Ret:
        known.action = Action::give_back;
        return known;
    case llvm::Instruction::Call:
        break;
    default:
        return known;
    }
    const auto* call = llvm::cast<llvm::CallInst>(instruction);
    const llvm::Function* function = call->getCalledFunction();
    if (function == nullptr)
        return known;
    if (!function->isDeclaration()) {
        known.action = Action::call;
        return known;
    }
    const std::string name = plain_name(function);
    if (name == "barrier" || name == "work_group_barrier" || name == "wait_group_events") {
        known.action = Action::barrier;
        known.awaits_copies = name == "wait_group_events";
    } else if (name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence") {
        known.action = Action::fence;
        known.acquires = name != "write_mem_fence";
        known.releases = name != "read_mem_fence";
    } else if (begins_with(name, "atomic_") || begins_with(name, "atom_")) {
        known.action = Action::atomic;
        known.atomic = examine_atomic(call, name);
    } else if (begins_with(name, "llvm.memcpy") || begins_with(name, "llvm.memmove")) {
        known.action = Action::copy;
    } else if (is_vector_store(name)) {
        known.action = Action::vector_store;
    }
    return known;
}

std::vector<const llvm::User*> users_of(const llvm::Value* value) {
    std::vector<const llvm::User*> users;
    std::vector<const llvm::Value*> values{value};
    const auto follow = [&](const llvm::Value* next) {
        if (std::find(values.begin(), values.end(), next) == values.end())
            values.push_back(next);
    };
    // It grows on the way. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (const llvm::User* user : values[i]->users()) {
            const auto* store = dyn_cast<llvm::StoreInst>(user);
            if (llvm::isa<llvm::GetElementPtrInst>(user) ||
                (store != nullptr && store->getValueOperand() != values[i]))
                continue; // it goes nowhere, something else does
            users.push_back(user);
            if (store == nullptr) {
                follow(user);
            } else if (llvm::isa<llvm::AllocaInst>(store->getPointerOperand())) {
                for (const llvm::User* other : store->getPointerOperand()->users()) {
                    if (llvm::isa<llvm::LoadInst>(other))
                        follow(other);
                }
            }
        }
    }
    return users;
}

} // namespace labgrind
