#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

/// A program in LLVM's intermediate representation, which clang generates from OpenCL C for the
/// target spir64, without optimization. It is read from its text, which changes little between
/// versions of LLVM.
namespace labgrind::ir {

/// The numbers of spir64's address spaces.
enum Space : unsigned {
    private_space = 0,
    global_space = 1,
    constant_space = 2,
    local_space = 3,
    generic_space = 4
};

/// A pointer: the number of a piece of memory, from 1, in the upper 16 bits, an offset in bytes below.
using Address = std::uint64_t;
constexpr unsigned offset_bits = 48;
constexpr std::uint32_t buffer_of(Address address) {
    return static_cast<std::uint32_t>(address >> offset_bits);
}
constexpr std::uint64_t offset_of(Address address) {
    return address & ((Address{1} << offset_bits) - 1);
}
constexpr Address address_of(std::uint32_t buffer, std::uint64_t offset = 0) {
    return (Address{buffer} << offset_bits) + offset;
}

struct Type {
    enum class Kind { nothing, integer, floating, pointer, vector, array, structure, other };

    Kind kind = Kind::nothing;
    unsigned bits = 0;                ///< of an integer or a floating-point number
    unsigned space = 0;               ///< that a pointer points to
    std::size_t count = 0;            ///< elements of a vector or an array
    const Type* element = nullptr;    ///< of a vector or an array
    std::vector<const Type*> fields;  ///< of a structure
    std::vector<std::size_t> offsets; ///< of the fields, in bytes
    std::size_t size = 0;             ///< bytes in memory, padding included; 0: unknown
    std::size_t alignment = 1;

    bool is(Kind one) const { return kind == one; }
    /// A vector's element, or the type itself.
    const Type& scalar() const { return kind == Kind::vector ? *element : *this; }
    /// Elements of a vector; 1 for others.
    std::size_t lanes() const { return kind == Kind::vector ? count : 1; }
    /// Bytes of a value without padding: a vector of 3 has no fourth lane here.
    std::size_t value_size() const { return kind == Kind::vector ? count * element->size : size; }
};

/// Debug information: a metadata node such as !DILocation(line: 3, scope: !4) or !{!5, !6}.
struct Metadata {
    std::string kind;                             ///< "DILocation"; "" for a tuple
    std::map<std::string, std::string> fields;    ///< as they stand there, strings without quotes
    std::map<std::string, const Metadata*> links; ///< fields that name another node
    std::vector<const Metadata*> elements; ///< of a tuple; null where one is null or a constant

    const Metadata* link(const std::string& field) const {
        const auto found = links.find(field);
        return found == links.end() ? nullptr : found->second;
    }
    std::string text(const std::string& field) const {
        const auto found = fields.find(field);
        return found == fields.end() ? "" : found->second;
    }
    /// A field as a number; 0 where it is missing.
    std::int64_t number(const std::string& field) const {
        return std::strtoll(text(field).c_str(), nullptr, 10);
    }
};

struct Block;
struct Function;
struct Instruction;
namespace text {
class Reader;
}

/// Anything that an instruction can have as an operand.
struct Value {
    enum class Kind { constant, global, argument, instruction, function, block };

    explicit Value(Kind what, const Type* of = nullptr) : value_kind(what), type(of) {}
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;
    ~Value() = default;

    Kind value_kind;
    std::uint32_t slot = 0; ///< its offset in a frame, in bytes
    const Type* type;
    /// value_size() bytes that are known before anything runs: the value of a constant, the address
    /// of a global variable. Empty: the value is in a frame.
    std::vector<std::byte> fixed;
    std::string name;                      ///< without % or @; unnamed values have their number
    std::vector<const Instruction*> users; ///< one for each operand that is this value
};

/// Where the machine finds a value: its lanes lie there without padding.
struct Source {
    const std::byte* fixed = nullptr; ///< null: in the frame, at `slot`
    std::uint32_t slot = 0;
    std::uint32_t lane_size = 0; ///< bytes
    std::uint32_t lanes = 1;

    Source() = default;
    explicit Source(const Value& value)
        : fixed(value.fixed.data()), slot(value.slot),
          lane_size(static_cast<std::uint32_t>(value.type->scalar().size)),
          lanes(static_cast<std::uint32_t>(value.type->lanes())) {}
};

struct Constant : Value {
    explicit Constant(const Type* of) : Value(Kind::constant, of) {}
    bool undefined = false; ///< undef or poison, all of it
};

/// A variable at program scope, or one of a kernel in local memory: "kernel.name".
struct Global : Value {
    explicit Global(const Type* pointer) : Value(Kind::global, pointer) {}
    const Type* value_type = nullptr;
    unsigned space = 0;
    bool is_constant = false;
    std::vector<std::byte> initial; ///< its bytes; empty for local memory
    Address address = 0;            ///< in local memory if `space` is local, otherwise in global
    const Metadata* variable = nullptr; ///< DIGlobalVariable, or null
};

struct Argument : Value {
    Argument() : Value(Kind::argument) {}
    const Function* function = nullptr;
    unsigned number = 0;
    const Type* by_value = nullptr; ///< a pointer to a copy of a structure of this type
};

enum class Opcode {
    // terminators
    ret,    ///< ret
    branch, ///< br: operand 0 is the condition, if there are two successors
    choose, ///< switch: operand 0; `cases`, successors after the first (the default)
    unreachable,
    // arithmetic
    negate, ///< fneg
    add,
    fadd,
    sub,
    fsub,
    mul,
    fmul,
    udiv,
    sdiv,
    fdiv,
    urem,
    srem,
    frem,
    shl,
    lshr,
    ashr,
    bit_and,
    bit_or,
    bit_xor,
    // vectors and structures
    extract_element,
    insert_element,
    shuffle,
    extract_value,
    insert_value,
    // memory
    allocate, ///< alloca of `value_type`, times operand 0 if there is one
    load,     ///< operand 0 is the address
    store,    ///< operand 0 is the value, operand 1 the address
    step,     ///< getelementptr: operand 0 the base, then indices into `value_type`
    // conversions
    trunc,
    zext,
    sext,
    fptrunc,
    fpext,
    uitofp,
    sitofp,
    fptoui,
    fptosi,
    ptrtoint,
    inttoptr,
    bitcast,
    addrspacecast,
    // the others
    icmp,
    fcmp,
    phi,
    select,
    call,
    freeze,
    atomicrmw,
    cmpxchg,
    fence,
};

constexpr bool divides_integers(Opcode opcode) {
    return opcode == Opcode::udiv || opcode == Opcode::sdiv || opcode == Opcode::urem ||
           opcode == Opcode::srem;
}

enum class Predicate {
    eq,
    ne,
    ugt,
    uge,
    ult,
    ule,
    sgt,
    sge,
    slt,
    sle,
    always_false,
    oeq,
    ogt,
    oge,
    olt,
    ole,
    one,
    ord,
    uno,
    ueq,
    fugt,
    fuge,
    fult,
    fule,
    une,
    always_true,
};

/// Whether it asks which of two values is larger.
constexpr bool asks_for_order(Predicate predicate) {
    using enum Predicate;
    return (predicate >= ugt && predicate <= sle) || (predicate >= ogt && predicate <= ole) ||
           (predicate >= fugt && predicate <= fule);
}

/// What one of OpenCL's atomic functions does. inc is an addition, dec a subtraction.
enum class Atomic {
    none,
    add,
    sub,
    min,
    max,
    bit_and,
    bit_or,
    bit_xor,
    exchange,
    compare_exchange,
    unknown,
};

struct Instruction : Value {
    Instruction() : Value(Kind::instruction) {}

    /// What it does if it calls an atomic function.
    Atomic atomic() const;

    Opcode opcode = Opcode::unreachable;
    Source result;                      ///< where its result lies
    std::vector<Source> sources;        ///< where its operands lie
    std::vector<const Value*> operands; ///< without labels, and without the function of a call
    /// The operand by which it may access global or local memory; null: it does not.
    const Value* shared_pointer = nullptr;
    const Block* block = nullptr; ///< null for a constant expression, which is fixed
    int line = 0;                 ///< of the kernel file; 0: unknown
    int column = 0;
    Predicate predicate = Predicate::eq;
    bool is_volatile = false;
    std::uint32_t alignment = 1; ///< in bytes: what it may assume about the address that it uses
    const Type* value_type = nullptr;     ///< allocate, load, store, step: see there
    std::vector<const Block*> successors; ///< of a branch or choose; for a phi, the incoming blocks
    std::vector<std::int64_t> cases;      ///< of choose
    std::vector<int> mask;                ///< of a shuffle; -1: any
    std::vector<unsigned> indices;        ///< of extract_value and insert_value
    const Function* callee = nullptr;     ///< of a call; null: not known
    const Metadata* variable = nullptr;   ///< of an allocate: DILocalVariable, or null
    std::size_t position = 0;             ///< within its block
    std::size_t number = 0; ///< unique in the module: 0, 1, ... in the order of the text
};

/// What an instruction does. The type of its result and its place are not part of it.
struct Behavior {
    Opcode opcode = Opcode::unreachable;
    Predicate predicate = Predicate::eq;
    const Function* callee = nullptr;
    std::vector<const Value*> operands = {};
    std::vector<const Block*> successors = {};
    std::vector<int> mask = {}; ///< of a shuffle; -1: any
};

struct Block : Value {
    Block() : Value(Kind::block) {}
    const Function* function = nullptr;
    std::vector<const Instruction*> instructions;
    std::size_t number = 0; ///< within its function
    const Instruction& last() const { return *instructions.back(); }
    /// Where control may go from here.
    const std::vector<const Block*>& successors() const { return last().successors; }
    /// The source range of a loop that this block ends, as lines and columns, from the !llvm.loop
    /// of its branch; 0: none.
    int loop_begin_line = 0;
    int loop_begin_column = 0;
    int loop_end_line = 0;
    int loop_end_column = 0;
};

struct Function : Value {
    Function() : Value(Kind::function) {}
    const Type* result = nullptr;
    std::vector<const Argument*> arguments;
    std::vector<const Block*> blocks; ///< the first is the entry; none: it is only declared
    bool is_kernel = false;
    std::size_t frame_size = 0;
    std::size_t number = 0;              ///< within its module
    const Metadata* described = nullptr; ///< DISubprogram, or null
    std::string plain_name;              ///< "atomic_cmpxchg" for "_Z14atomic_cmpxchgPU3AS1Vjjj"
    std::string parameters;              ///< the mangled part after the name: "PU3AS1Vjjj"

    Atomic atomic = Atomic::none;

    bool is_declaration() const { return blocks.empty(); }
    /// Those of all blocks.
    std::vector<const Instruction*> instructions() const;
    /// Whether it is one of OpenCL's atomic operations.
    bool is_atomic() const { return atomic != Atomic::none && is_declaration(); }
};

inline Atomic Instruction::atomic() const {
    return opcode == Opcode::call && callee != nullptr && callee->is_atomic() ? callee->atomic
                                                                              : Atomic::none;
}

/// A scalar value that is known before anything runs, as a signed integer.
std::int64_t integer_of(const Value& value);

/// The text contains something that this reader does not support.
struct Unreadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A whole program.
class Module {
  public:
    /// Reads LLVM's text. Throws Unreadable with the line that cannot be read.
    explicit Module(const std::string& text);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    const std::vector<const Function*>& functions() const { return functions_; }
    const std::vector<const Global*>& globals() const { return globals_; }
    /// Those of all functions.
    std::vector<const Instruction*> instructions() const;
    /// How many instructions have a number.
    std::size_t instruction_count() const { return instruction_count_; }
    /// Returns null if there is no function of that name.
    const Function* function(const std::string& name) const;
    /// Whether any function uses OpenCL's atomic operations.
    bool has_atomics() const;
    /// The pieces of global memory that hold the program's constants.
    std::set<std::uint32_t> constant_buffers() const;

    /// Lets an instruction do something else of the same type, and returns what it did. What it uses
    /// must be available at its place. Lists of users stay as they are.
    static Behavior exchange(const Instruction& instruction, Behavior behavior);
    /// Makes an instruction for `function` that is not in any block yet. Its result has a place of
    /// its own, or replaces that of `overwritten`.
    const Instruction& make_instruction(const Function& function, const Type& type,
                                        Behavior behavior,
                                        const Instruction* overwritten = nullptr);
    /// Inserts it before or after `place`, and removes it.
    static void insert_before(const Instruction& place, const Instruction& made);
    static void insert_after(const Instruction& place, const Instruction& made);
    static void remove(const Instruction& made);
    /// Adds a number of `type`, an integer or a floating-point type, or a vector of that number.
    const Constant& add_constant(const Type& type, std::uint64_t bits);
    /// Returns the function of this plain name with the parameters of `like`; declares it if there is
    /// none.
    const Function& declare(const std::string& plain_name, const Function& like);

  private:
    friend class text::Reader;

    std::vector<const Function*> functions_;
    std::vector<const Global*> globals_;
    std::size_t instruction_count_ = 0;
    std::tuple<std::deque<Constant>, std::deque<Global>, std::deque<Argument>,
               std::deque<Instruction>, std::deque<Block>, std::deque<Function>>
        values_;
    std::deque<Type> types_;
    std::deque<Metadata> metadata_;
};

// NOLINTBEGIN(*-static-cast-downcast): value_kind is the type of a value
/// `value` as an instruction of that kind, or null.
inline const Instruction* as(const Value* value, Opcode opcode) {
    if (value == nullptr || value->value_kind != Value::Kind::instruction)
        return nullptr;
    const auto* instruction = static_cast<const Instruction*>(value);
    return instruction->opcode == opcode ? instruction : nullptr;
}
inline const Instruction* as_instruction(const Value* value) {
    return value != nullptr && value->value_kind == Value::Kind::instruction
               ? static_cast<const Instruction*>(value)
               : nullptr;
}
inline const Global* as_global(const Value* value) {
    return value != nullptr && value->value_kind == Value::Kind::global
               ? static_cast<const Global*>(value)
               : nullptr;
}
inline const Argument* as_argument(const Value* value) {
    return value != nullptr && value->value_kind == Value::Kind::argument
               ? static_cast<const Argument*>(value)
               : nullptr;
}
inline const Constant* as_constant(const Value* value) {
    return value != nullptr && value->value_kind == Value::Kind::constant
               ? static_cast<const Constant*>(value)
               : nullptr;
}
// NOLINTEND(*-static-cast-downcast)

} // namespace labgrind::ir
