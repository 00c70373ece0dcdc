#include "labgrind/dataflow.hpp"

#include "labgrind/instructions.hpp"
#include "labgrind/oclgrind.hpp"

#include <algorithm>
#include <array>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace labgrind {
namespace {

using llvm::dyn_cast;
using llvm::isa;

template <std::size_t count>
bool is_one_of(const std::string& name, const std::array<const char*, count>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

template <std::size_t count>
bool begins_with_one_of(const std::string& name, const std::array<const char*, count>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](const char* beginning) { return name.rfind(beginning, 0) == 0; });
}

bool is_atomic(const std::string& name) {
    return begins_with_one_of(name, std::array{"atomic_", "atom_"});
}

/// Built-in functions whose arguments say where or how many.
bool takes_addresses(const std::string& name) {
    return begins_with_one_of(name,
                              std::array{"vload", "get_", "async_", "prefetch", "wait_", "printf",
                                         "barrier", "work_group_barrier", "mem_fence", "read_",
                                         "write_mem_fence", "llvm.dbg", "llvm.lifetime"});
}

/// Built-in functions whose result is one of their arguments, or says something of them.
bool chooses(const std::string& name) {
    return is_one_of(name,
                     std::array{"min", "max", "fmin", "fmax", "clamp", "minmag", "maxmag", "select",
                                "bitselect", "shuffle", "shuffle2", "step", "any", "all"}) ||
           begins_with_one_of(name, std::array{"is", "convert_", "vload"});
}

/// What a pointer is computed from.
const llvm::Value* root_of(const llvm::Value* pointer) {
    for (;;) {
        const auto* step = dyn_cast<llvm::Operator>(pointer);
        if (step == nullptr ||
            (!isa<llvm::GEPOperator>(step) && step->getOpcode() != llvm::Instruction::BitCast &&
             step->getOpcode() != llvm::Instruction::AddrSpaceCast))
            return pointer;
        pointer = step->getOperand(0);
    }
}

/// The private variable that a pointer points into, or null.
const llvm::AllocaInst* variable_of(const llvm::Value* pointer) {
    return dyn_cast<llvm::AllocaInst>(root_of(pointer));
}

/// Whether a pointer points into a constant of the program's own.
bool is_constant_table(const llvm::Value* pointer) {
    const auto* global = dyn_cast<llvm::GlobalVariable>(root_of(pointer));
    return global != nullptr && global->isConstant();
}

/// Whether an address is known to nobody who loads and stores there by its name.
bool escapes(const llvm::Value& address) {
    return std::any_of(address.user_begin(), address.user_end(), [&](const llvm::User* user) {
        if (isa<llvm::LoadInst>(user))
            return false;
        if (const auto* store = dyn_cast<llvm::StoreInst>(user))
            return store->getValueOperand() == &address;
        if (isa<llvm::GEPOperator>(user) || isa<llvm::BitCastOperator>(user))
            return escapes(*user);
        return true;
    });
}

/// Words of 32 bits in a number; several numbers may stand in one.
std::uint32_t words_in(const llvm::Type* type) {
    constexpr std::uint32_t word = 32;
    const llvm::Type* scalar = type->getScalarType();
    return scalar->isIntegerTy() ? (scalar->getIntegerBitWidth() + word - 1) / word : 1;
}

} // namespace

DataFlow::DataFlow(const llvm::Module& module) {
    find_escapes(module);
    const auto repeat = [&](const auto& follow, const Values& values, const Values& holders) {
        std::size_t before = 0;
        do {
            before = values.size() + holders.size();
            for (const llvm::Function& function : module) {
                for (const llvm::Instruction& instruction : llvm::instructions(function))
                    follow(instruction);
            }
        } while (values.size() + holders.size() != before);
    };
    repeat([&](const auto& instruction) { follow_forwards(instruction); }, data_, holds_data_);
    repeat([&](const auto& instruction) { follow_backwards(instruction); }, matters_,
           holds_matters_);
}

/// And finds what a kernel gets by value and is no size.
void DataFlow::find_escapes(const llvm::Module& module) {
    for (const llvm::Function& function : module) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            if (isa<llvm::AllocaInst>(instruction) && escapes(instruction))
                escaping_.insert(&instruction);
        }
        if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
            continue;
        for (const llvm::Argument& argument : function.args()) {
            if (!argument.getType()->isPointerTy() && !argument.getType()->isIntegerTy())
                data_.insert(&argument);
        }
    }
}

bool DataFlow::loads_data(const llvm::Value* pointer) const {
    if (is_data(pointer))
        return true; // looked up in a table
    if (const llvm::AllocaInst* variable = variable_of(pointer))
        return holds_data_.count(variable) != 0 || escaping_.count(variable) != 0;
    return !is_constant_table(pointer);
}

bool DataFlow::gives_data(const llvm::CallInst& call) const {
    const llvm::Function* function = call.getCalledFunction();
    if (function == nullptr)
        return true;
    if (!function->isDeclaration())
        return holds_data_.count(function) != 0;
    return std::any_of(call.arg_begin(), call.arg_end(), [&](const llvm::Use& argument) {
        return is_data(argument) || (argument->getType()->isPointerTy() && loads_data(argument));
    });
}

void DataFlow::follow_forwards(const llvm::Instruction& instruction) {
    if (const auto* load = dyn_cast<llvm::LoadInst>(&instruction)) {
        if (loads_data(load->getPointerOperand()))
            data_.insert(load);
    } else if (const auto* store = dyn_cast<llvm::StoreInst>(&instruction)) {
        const llvm::AllocaInst* variable = variable_of(store->getPointerOperand());
        if (variable != nullptr && is_data(store->getValueOperand()))
            holds_data_.insert(variable);
    } else if (const auto* call = dyn_cast<llvm::CallInst>(&instruction)) {
        const llvm::Function* function = call->getCalledFunction();
        if (function != nullptr && !function->isDeclaration()) {
            for (const llvm::Argument& parameter : function->args()) {
                if (is_data(call->getArgOperand(parameter.getArgNo())))
                    data_.insert(&parameter);
            }
        }
        if (gives_data(*call))
            data_.insert(call);
    } else if (std::any_of(instruction.op_begin(), instruction.op_end(),
                           [&](const llvm::Use& operand) { return is_data(operand); })) {
        if (isa<llvm::ReturnInst>(instruction))
            holds_data_.insert(instruction.getFunction());
        data_.insert(&instruction);
    }
}

void DataFlow::follow_backwards(const llvm::Instruction& instruction) {
    if (const auto* store = dyn_cast<llvm::StoreInst>(&instruction)) {
        const llvm::AllocaInst* variable = variable_of(store->getPointerOperand());
        if (variable == nullptr || escaping_.count(variable) != 0 ||
            holds_matters_.count(variable) != 0)
            matters_.insert(store->getValueOperand());
    } else if (isa<llvm::ReturnInst>(instruction)) {
        if (instruction.getNumOperands() != 0 &&
            holds_matters_.count(instruction.getFunction()) != 0)
            matters_.insert(instruction.getOperand(0));
    } else if (const auto* call = dyn_cast<llvm::CallInst>(&instruction)) {
        follow_call_backwards(*call);
    } else if (const auto* load = dyn_cast<llvm::LoadInst>(&instruction)) {
        if (!matters(load))
            return;
        const llvm::AllocaInst* variable = variable_of(load->getPointerOperand());
        if (variable != nullptr)
            holds_matters_.insert(variable);
        if (variable != nullptr || is_constant_table(load->getPointerOperand()))
            matters_.insert(load->getPointerOperand()); // a table to look results up in
    } else if (matters(&instruction)) {
        matters_.insert(instruction.op_begin(), instruction.op_end());
    }
}

void DataFlow::follow_call_backwards(const llvm::CallInst& call) {
    const llvm::Function* function = call.getCalledFunction();
    if (function != nullptr && !function->isDeclaration()) {
        if (matters(&call))
            holds_matters_.insert(function);
        for (const llvm::Argument& parameter : function->args()) {
            if (matters(&parameter))
                matters_.insert(call.getArgOperand(parameter.getArgNo()));
        }
        return;
    }
    const std::string name = function == nullptr ? "" : plain_name(function);
    if (takes_addresses(name))
        return;
    if (name.rfind("vstore", 0) == 0) {
        matters_.insert(call.getArgOperand(0));
        return;
    }
    const bool writes =
        call.getType()->isVoidTy() ||
        std::any_of(call.arg_begin(), call.arg_end(),
                    [](const llvm::Use& argument) { return argument->getType()->isPointerTy(); });
    if (writes || matters(&call))
        matters_.insert(call.arg_begin(), call.arg_end());
}

/// Of its operands, pointers left out.
std::uint32_t DataFlow::lanes_of_data(const llvm::Instruction& instruction) const {
    std::uint32_t lanes = 0;
    for (const llvm::Use& operand : instruction.operands()) {
        if (!operand->getType()->isPointerTy() && is_data(operand))
            lanes += lanes_of(operand->getType());
    }
    return lanes;
}

std::uint32_t DataFlow::additions_of_call(const llvm::CallInst& call) const {
    const llvm::Function* function = call.getCalledFunction();
    if (function == nullptr || !function->isDeclaration())
        return 0; // what it executes counts
    const std::string name = plain_name(function);
    const std::uint32_t from = lanes_of_data(call);
    if (is_atomic(name)) {
        const bool adds = name.find("xchg") == std::string::npos &&
                          name.find("min") == std::string::npos &&
                          name.find("max") == std::string::npos;
        return adds && from != 0 ? words_in(call.getType()) : 0;
    }
    const std::uint32_t to = lanes_of(call.getType());
    if (name == "dot")
        return std::max(lanes_of(call.getArgOperand(0)->getType()) - 1, std::max(from, to) - to);
    if (name == "mad" || name == "fma" || name.rfind("llvm.fmuladd", 0) == 0)
        return std::max(to, std::max(from, to) - to);
    if (from == 0 || !matters(&call) || chooses(name))
        return 0;
    // Two numbers may stand in an integer, and one multiplication adds them.
    if (call.getType()->isIntOrIntVectorTy() && call.arg_size() > 1)
        return std::max(to * words_in(call.getType()), std::max(from, to) - to);
    return std::max(from, to) - to;
}

std::uint32_t DataFlow::additions(const llvm::Instruction& instruction) const {
    const std::uint32_t lanes = lanes_of(instruction.getType());
    std::ptrdiff_t of_data = 2;
    switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
        return lanes;
    case llvm::Instruction::Call:
        return additions_of_call(llvm::cast<llvm::CallInst>(instruction));
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
        of_data = 1; // two numbers may stand in an integer
        break;
    case llvm::Instruction::GetElementPtr:
        break;
    default:
        if (!instruction.isBinaryOp())
            return 0;
    }
    if (!matters(&instruction) ||
        std::count_if(instruction.op_begin(), instruction.op_end(),
                      [&](const llvm::Use& operand) { return is_data(operand); }) < of_data)
        return 0;
    return lanes * words_in(instruction.getType());
}

} // namespace labgrind
