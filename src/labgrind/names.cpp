#include "labgrind/names.hpp"

#include "labgrind/instructions.hpp"

#include <algorithm>
#include <functional>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <numeric>
#include <stdexcept>

namespace labgrind {
namespace {

using llvm::dyn_cast;
using oclgrind::AddrSpaceLocal;
using oclgrind::AddrSpacePrivate;
using oclgrind::Size3;

std::string show(const Size3& id, std::size_t dimensions) {
    std::string text = std::to_string(id.x);
    if (dimensions > 1)
        text = "(" + text + ", " + std::to_string(id.y) +
               (dimensions > 2 ? ", " + std::to_string(id.z) : "") + ")";
    return text;
}

/// The type that a variable is declared with, or null for a parameter.
const llvm::Type* declared_type(const llvm::Value* value) {
    if (const auto* alloca = dyn_cast<llvm::AllocaInst>(value))
        return alloca->getAllocatedType();
    if (const auto* global = dyn_cast<llvm::GlobalVariable>(value))
        return global->getValueType();
    return nullptr;
}

/// The type that a variable or a parameter in some memory has elements of, or null.
const llvm::Type* element_type(const llvm::Value* value) {
    const llvm::Type* type = declared_type(value);
#if LLVM_VERSION_MAJOR < 15
    if (type == nullptr)
        type = llvm::cast<llvm::PointerType>(value->getType())->getPointerElementType();
#endif
    while (type != nullptr && type->isArrayTy())
        type = type->getArrayElementType();
    return type;
}

/// The type that a variable in local memory or a parameter has in the source. Null for others:
/// Oclgrind does not keep what the program tells of private variables.
const llvm::DIType* source_type(const llvm::Value* value) {
    if (const auto* global = dyn_cast<llvm::GlobalVariable>(value)) {
        llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
        global->getDebugInfo(known);
        return known.empty() ? nullptr : known.front()->getVariable()->getType();
    }
    const auto* argument = dyn_cast<llvm::Argument>(value);
    const llvm::DISubprogram* function =
        argument == nullptr ? nullptr : argument->getParent()->getSubprogram();
    if (function == nullptr || function->getType() == nullptr)
        return nullptr;
    const llvm::DITypeRefArray types = function->getType()->getTypeArray(); // the result's is first
    const unsigned index = argument->getArgNo() + 1;
    return index < types.size() ? types[index] : nullptr;
}

/// The struct that `type` is, points to or has elements of, or null.
const llvm::DICompositeType* struct_in(const llvm::DIType* type) {
    while (type != nullptr) {
        const auto* composite = dyn_cast<llvm::DICompositeType>(type);
        if (composite != nullptr && composite->getTag() != llvm::dwarf::DW_TAG_array_type)
            return composite;
        if (composite != nullptr)
            type = composite->getBaseType();
        else if (const auto* derived = dyn_cast<llvm::DIDerivedType>(type))
            type = derived->getBaseType();
        else
            return nullptr;
    }
    return nullptr;
}

/// ".count" for the member of a struct that the `size` bytes at `offset` are, or "".
std::string member_name(const llvm::DICompositeType* type, std::size_t offset, std::size_t size) {
    constexpr std::size_t byte = 8; // debug information counts in bits
    for (const llvm::DINode* element : type->getElements()) {
        const auto* member = dyn_cast<llvm::DIDerivedType>(element);
        if (member != nullptr && member->getTag() == llvm::dwarf::DW_TAG_member &&
            member->getOffsetInBits() == offset * byte && member->getSizeInBits() == size * byte)
            return "." + member->getName().str();
    }
    return "";
}

/// "[12]", or "[3][0]" where that is element 12 of rows of 4; one that lies outside stays flat.
std::string indices(const std::vector<std::size_t>& extents, std::int64_t index) {
    const std::size_t count =
        std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
    if (extents.size() < 2 || index < 0 || static_cast<std::size_t>(index) >= count)
        return "[" + std::to_string(index) + "]";
    std::string text;
    auto rest = static_cast<std::size_t>(index);
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        text.insert(0, "[" + std::to_string(rest % *extent) + "]");
        rest /= *extent;
    }
    return text;
}

std::string lane_name(std::size_t lane, std::size_t lanes) {
    constexpr const char* short_names = "xyzw";
    constexpr const char* digits = "0123456789abcdef";
    return lanes <= 4 ? std::string(1, short_names[lane]) : std::string("s") + digits[lane];
}

/// The parameter or variable of a kernel that is this piece of local memory, or null.
const llvm::Value* find_local(const oclgrind::Kernel& kernel, const oclgrind::WorkGroup& group,
                              std::size_t buffer) {
    const oclgrind::Memory* memory = group.getLocalMemory();
    const auto lies_there = [&](const llvm::Value& value) {
        if (!value.getType()->isPointerTy() ||
            value.getType()->getPointerAddressSpace() != AddrSpaceLocal)
            return false;
        try {
            return memory->extractBuffer(group.getLocalMemoryAddress(&value)) == buffer;
        } catch (const std::out_of_range&) {
            return false; // of another kernel
        }
    };
    for (const llvm::GlobalVariable& global : kernel.getFunction()->getParent()->globals()) {
        if (lies_there(global))
            return &global;
    }
    for (const llvm::Argument& argument : kernel.getFunction()->args()) {
        if (lies_there(argument))
            return &argument;
    }
    return nullptr;
}

/// The parameter of a kernel that is this buffer in global memory, or null.
const llvm::Value* find_global(const oclgrind::Kernel& kernel, const oclgrind::Memory& memory,
                               std::size_t buffer) {
    for (const llvm::Argument& argument : kernel.getFunction()->args()) {
        if (!argument.getType()->isPointerTy() ||
            argument.getType()->getPointerAddressSpace() == AddrSpaceLocal)
            continue;
        for (auto value = kernel.values_begin(); value != kernel.values_end(); ++value) {
            if (value->first == &argument && value->second.size == sizeof(std::size_t) &&
                memory.extractBuffer(value->second.getPointer()) == buffer)
                return &argument;
        }
    }
    return nullptr;
}

} // namespace

std::string source_name(const llvm::Value* value) {
    std::string name = value->getName().str();
    if (llvm::isa<llvm::GlobalVariable>(value))
        name.erase(0, name.find('.') + 1);
    return name.substr(0, name.find('.'));
}

Names::Names(const oclgrind::Context& context, const oclgrind::KernelInvocation& invocation)
    : context_(context), invocation_(invocation) {
    const Size3& size = invocation.getGlobalSize();
    dimensions_ = size.z > 1 ? 3 : size.y > 1 ? 2 : 1;
}

std::string Names::group(std::uint32_t index) const {
    return "group " + show(Size3(index, invocation_.getNumGroups()), dimensions_);
}

std::string Names::item_of_group(std::uint32_t local) const {
    return "work-item " + show(Size3(local, invocation_.getLocalSize()), dimensions_);
}

std::string Names::item(std::uint32_t number) const {
    const auto size = static_cast<std::uint32_t>(volume(invocation_.getLocalSize()));
    return item_of_group(number % size) + " of " + group(number / size);
}

std::string Names::items(const std::vector<std::uint32_t>& locals) const {
    const auto name = [&](std::uint32_t local) {
        return show(Size3(local, invocation_.getLocalSize()), dimensions_);
    };
    if (locals.size() == 1)
        return item_of_group(locals.front());
    if (locals.back() - locals.front() + 1 == locals.size())
        return "work-items " + name(locals.front()) + " to " + name(locals.back());
    constexpr std::size_t shown = 3;
    std::string text = "work-items ";
    for (std::size_t i = 0; i < std::min(shown, locals.size()); ++i)
        text += (i == 0 ? "" : ", ") + name(locals[i]);
    if (locals.size() > shown)
        text += ", ... (" + std::to_string(locals.size()) + " of them)";
    return text;
}

Names::Variable Names::variable(unsigned space, std::size_t buffer, const Group& group,
                                const Item& item) const {
    const oclgrind::Memory* memory = context_.getGlobalMemory();
    const llvm::Value* found = nullptr;
    if (space == AddrSpacePrivate) {
        memory = item.item->getPrivateMemory();
        found = item.values.variable(buffer);
    } else if (space == AddrSpaceLocal) {
        memory = group.handle->getLocalMemory();
        found = find_local(*invocation_.getKernel(), *group.handle, buffer);
    } else {
        found = find_global(*invocation_.getKernel(), *memory, buffer);
    }
    Variable variable;
    // Addresses carry the buffer's number in their upper bits.
    const std::size_t one = memory->extractOffset(~std::size_t{0}) + 1;
    if (memory->isAddressValid(buffer * one))
        variable.size = memory->getBuffer(buffer * one)->size;
    if (found != nullptr) {
        variable.name = source_name(found);
        variable.element = element_type(found);
        variable.described = source_type(found);
        const llvm::Type* declared = declared_type(found);
        variable.scalar = declared != nullptr && !declared->isArrayTy();
        for (const llvm::Type* type = declared; type != nullptr && type->isArrayTy();
             type = type->getArrayElementType())
            variable.extents.push_back(type->getArrayNumElements());
    }
    return variable;
}

std::string Names::element(const Variable& variable, std::int64_t offset, std::size_t access_size) {
    const llvm::Type* type = variable.element;
    const std::size_t element =
        type != nullptr && type->isSized() ? oclgrind::getTypeSize(type) : access_size;
    const auto size = static_cast<std::int64_t>(std::max<std::size_t>(element, 1));
    const std::int64_t index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
    const auto within = static_cast<std::size_t>(offset - index * size);
    std::string text = variable.name;
    if (!variable.scalar || index != 0)
        text += indices(variable.extents, index);
    if (type != nullptr && type->isVectorTy() && access_size < element) {
        const std::size_t lanes = lanes_of(type);
        return text + "." + lane_name(within / (element / lanes), lanes);
    }
    if (type == nullptr || !type->isStructTy())
        return text;
    const llvm::DICompositeType* described = struct_in(variable.described);
    const std::string member =
        described == nullptr ? "" : member_name(described, within, access_size);
    return text + (member.empty() ? " (bytes " + std::to_string(within) + " to " +
                                        std::to_string(within + access_size - 1) + ")"
                                  : member);
}

std::string Names::at(const oclgrind::Memory& memory, std::size_t address, std::size_t access_size,
                      const Group& group, const Item& item) const {
    const Variable found =
        variable(memory.getAddressSpace(), memory.extractBuffer(address), group, item);
    if (found.name.empty())
        return "the same memory";
    return element(found, static_cast<std::int64_t>(memory.extractOffset(address)), access_size);
}

} // namespace labgrind
