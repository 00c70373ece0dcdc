#include "labgrind/vm/ir.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

// The value_kind of a value is its type.
// NOLINTBEGIN(*-static-cast-downcast)
namespace labgrind::ir::text {
namespace {

using std::string_view;
using Kind = Type::Kind;

constexpr std::size_t largest_type = std::size_t{1} << (offset_bits - 1);
constexpr std::size_t largest_value = std::size_t{1} << 26;
constexpr std::size_t largest_vector = 4096;
constexpr unsigned deepest_nesting = 100;

/// The operations in the order of the enumerators, and how many operands each has at least.
constexpr string_view operations =
    " ret0 br0 switch1 unreachable0 fneg1 add2 fadd2 sub2 fsub2 mul2 fmul2 udiv2 sdiv2 fdiv2 urem2"
    " srem2 frem2 shl2 lshr2 ashr2 and2 or2 xor2 extractelement2 insertelement3 shufflevector2"
    " extractvalue1 insertvalue2 alloca0 load1 store2 getelementptr1 trunc1 zext1 sext1 fptrunc1"
    " fpext1 uitofp1 sitofp1 fptoui1 fptosi1 ptrtoint1 inttoptr1 bitcast1 addrspacecast1 icmp2"
    " fcmp2 phi1 select3 call0 freeze1 atomicrmw2 cmpxchg3 fence0";

/// Also in the order of the enumerators; those of fcmp have an f before them.
constexpr string_view predicates =
    " eq0 ne0 ugt0 uge0 ult0 ule0 sgt0 sge0 slt0 sle0 ffalse0 foeq0 fogt0 foge0 folt0 fole0 fone0"
    " ford0 funo0 fueq0 fugt0 fuge0 fult0 fule0 fune0 ftrue0";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }
bool is_in_name(char c) { return is_in_word(c) || c == '$' || c == '-' || c == '+'; }
bool is_opening(char c) { return c == '(' || c == '[' || c == '{' || c == '<'; }
bool is_closing(char c) { return c == ')' || c == ']' || c == '}' || c == '>'; }
bool is_integer_type(string_view word) {
    return word.size() > 1 && word[0] == 'i' && is_digit(word[1]);
}
/// Whether a type or a value begins with this word; words before that are attributes.
bool is_type_or_value(string_view word) {
    static const std::unordered_set<string_view> words = {
        "void",     "half",     "float", "double", "ptr",           "target",  "label",
        "metadata", "null",     "undef", "poison", "true",          "false",   "zeroinitializer",
        "none",     "splat",    "c",     "asm",    "getelementptr", "bitcast", "addrspacecast",
        "inttoptr", "ptrtoint", "add",   "sub",    "global",        "constant"};
    return words.contains(word) || is_integer_type(word);
}

/// `how` is the base of an integer. Returns nothing unless the whole text is the number.
template <class Number, class... How>
std::optional<Number> to_number(string_view text, How... how) {
    Number value{};
    const char* all = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), all, value, how...);
    return error == std::errc{} && end == all ? std::optional(value) : std::nullopt;
}

/// LLVM writes quotes and unprintable characters as a backslash and two hexadecimal digits.
std::string unescaped(string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escapes = text[i] == '\\';
        const auto code = to_number<unsigned char>(text.substr(i + 1, 2), 16);
        plain += escapes && code ? static_cast<char>(*code) : text[i];
        i += !escapes ? 0 : code ? 2 : 1;
    }
    return plain;
}

/// The place of a word in such a list, and the number after it.
std::optional<std::pair<int, std::size_t>> find_in(string_view list, const std::string& word) {
    const std::size_t begin = list.find(" " + word);
    const std::size_t end = begin + 1 + word.size();
    if (begin == string_view::npos || !is_digit(list[end]))
        return std::nullopt;
    return std::pair(static_cast<int>(std::count(list.begin(), list.begin() + begin, ' ')),
                     static_cast<std::size_t>(list[end] - '0'));
}

std::size_t rounded_up(std::size_t size, std::size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

std::size_t power_of_two(std::size_t at_least) {
    std::size_t power = 1;
    while (power < at_least)
        power *= 2;
    return power;
}

/// How many of 64 bits an integer of this type leaves unused.
unsigned unused_bits(const Type& type) {
    return type.is(Kind::integer) ? 64 - std::min(64U, type.bits) : 0;
}

/// Sets the bytes of a value to a number.
void put(Value& value, std::uint64_t number) {
    const unsigned unused = unused_bits(*value.type);
    number = number << unused >> unused;
    std::memcpy(value.fixed.data(), &number, std::min(value.fixed.size(), sizeof number));
}

bool is_undefined(const Value& value) {
    const Constant* constant = as_constant(&value);
    return constant != nullptr && constant->undefined;
}

/// The reader may change what it has read until it is done.
template <class Kind> Kind& changeable(const Kind* value) {
    return const_cast<Kind&>(*value); // NOLINT(*-const-cast)
}

void add(Instruction& instruction, const Value& operand) {
    if (operand.value_kind == Value::Kind::block) {
        instruction.successors.push_back(static_cast<const Block*>(&operand));
        return;
    }
    instruction.operands.push_back(&operand);
    changeable(&operand).users.push_back(&instruction);
}

void set_operands(Instruction& instruction, std::initializer_list<const Value*> operands) {
    for (const Value* old : std::exchange(instruction.operands, {})) {
        auto& users = changeable(old).users;
        users.erase(std::ranges::find(users, &instruction));
    }
    for (const Value* operand : operands)
        add(instruction, *operand);
}

/// Notes in all instructions of a block where they are.
void number_positions(const std::vector<const Instruction*>& block) {
    for (std::size_t i = 0; i < block.size(); ++i)
        changeable(block[i]).position = i;
}

/// For "v.x = 1", clang emits a load of all of v, an insertion and a store of all of it. Replaces
/// such a `store` by one of the inserted value to its lane, and removes the load, so that other
/// lanes are not accessed.
void store_lane_only(Instruction& store, std::vector<const Instruction*>& block) {
    const Value* pointer = store.operands[1];
    const Instruction* found = as(store.operands[0], Opcode::insert_element);
    const Instruction* load = found == nullptr ? nullptr : as(found->operands[0], Opcode::load);
    if (load == nullptr || load->operands[0] != pointer || found->block != store.block ||
        load->block != store.block || found->users.size() != 1 || load->users.size() != 1)
        return;
    block.erase(std::ranges::find(block, load));
    number_positions(block);
    Instruction& step = changeable(found);
    const Value* lane = step.operands[1];
    const Value* index = step.operands[2];
    step.opcode = Opcode::step;
    step.value_type = step.type->element;
    step.type = pointer->type;
    set_operands(changeable(load), {});
    set_operands(store, {});
    set_operands(step, {pointer, index});
    set_operands(store, {lane, &step});
}

/// What a function does whose name is atomic_add or atom_add, ...
Atomic atomic_of(string_view name) {
    if (!name.starts_with("atomic_") && !name.starts_with("atom_"))
        return Atomic::none;
    struct Operation {
        string_view name;
        Atomic atomic;
    };
    constexpr std::array<Operation, 11> operations{{{"add", Atomic::add},
                                                    {"inc", Atomic::add},
                                                    {"sub", Atomic::sub},
                                                    {"dec", Atomic::sub},
                                                    {"min", Atomic::min},
                                                    {"max", Atomic::max},
                                                    {"and", Atomic::bit_and},
                                                    {"or", Atomic::bit_or},
                                                    {"xor", Atomic::bit_xor},
                                                    {"xchg", Atomic::exchange},
                                                    {"cmpxchg", Atomic::compare_exchange}}};
    const string_view operation = name.substr(name.find('_') + 1);
    const auto* const known = std::ranges::find_if(
        operations, [&](const Operation& one) { return one.name == operation; });
    return known == operations.end() ? Atomic::unknown : known->atomic;
}

/// In the Itanium ABI: _Z, the length of the name, the name, and the parameters.
void set_plain_name(Function& function) {
    function.plain_name = function.name;
    const string_view name = function.name;
    const std::size_t begin = std::min(name.find_first_not_of("0123456789", 2), name.size());
    const auto length =
        name.starts_with("_Z") ? to_number<std::size_t>(name.substr(2, begin - 2)) : std::nullopt;
    if (length && *length <= name.size() - begin) {
        function.plain_name = name.substr(begin, *length);
        function.parameters = name.substr(begin + *length);
    }
    function.atomic = atomic_of(function.plain_name);
}

/// Whether `value` is an address in global or local memory.
bool is_shared(const Value* value) {
    return value->type->is(Kind::pointer) &&
           (value->type->space == global_space || value->type->space == local_space);
}

const Value* find_shared_pointer(const Instruction& instruction) {
    auto first = instruction.operands.begin();
    if (instruction.opcode == Opcode::store)
        ++first; // after the value
    else if (instruction.opcode != Opcode::load &&
             (instruction.opcode != Opcode::call || instruction.callee == nullptr ||
              !instruction.callee->is_declaration()))
        return nullptr;
    const auto found = std::find_if(first, instruction.operands.end(), is_shared);
    return found == instruction.operands.end() ? nullptr : *found;
}

/// Computes what the machine would otherwise look up whenever it executes `instruction`.
void prepare(Instruction& instruction) {
    instruction.result = Source(instruction);
    instruction.sources.clear();
    for (const Value* operand : instruction.operands)
        instruction.sources.emplace_back(*operand);
    instruction.shared_pointer = find_shared_pointer(instruction);
}

std::pair<int, int> place_of(const Metadata* location) {
    if (location == nullptr || location->kind != "DILocation")
        return {0, 0};
    return {static_cast<int>(location->number("line")),
            static_cast<int>(location->number("column"))};
}

} // namespace

/// A position in the text. Reading skips blanks first, and stays within a line.
class Cursor {
  public:
    explicit Cursor(string_view text) : text_(text) {}

    std::size_t position() const { return position_; }
    void move_to(std::size_t position) { position_ = position; }
    void go_to_next_line() { position_ = std::min(line_end() + 1, text_.size()); }
    bool is_at_end() const { return position_ >= text_.size(); }
    /// The very next character; '\0' at the end.
    char next() const { return is_at_end() ? '\0' : text_[position_]; }
    char peek() {
        while (next() == ' ' || next() == '\t' || next() == '\r')
            ++position_;
        return next();
    }
    bool is_at_line_end() {
        const char c = peek();
        return c == '\n' || c == '\0' || c == ';';
    }
    /// The next word, or empty if there is none.
    string_view peek_word() {
        peek();
        return run_of(is_in_word);
    }
    string_view word() { return taken(peek_word()); }
    /// `token` is a word or a sign.
    bool accept(string_view token) {
        const bool is_next = is_in_word(token[0]) ? peek_word() == token : peek() == token[0];
        position_ += is_next ? token.size() : 0;
        return is_next;
    }
    void expect(string_view token) {
        if (!accept(token))
            fail();
    }
    string_view number() {
        peek();
        return taken(run_of(is_in_name));
    }
    template <class Number, class... How> Number parsed(string_view digits, How... how) const {
        const auto value = to_number<Number>(digits, how...);
        if (!value)
            fail();
        return *value;
    }
    unsigned integer() { return parsed<unsigned>(number()); }
    /// The name after % or @; it is in quotes if it has unusual characters.
    std::string name() {
        const string_view plain = run_of(is_in_name);
        if (plain.empty())
            return unescaped(quoted());
        return std::string(taken(plain));
    }
    /// A string in quotes, with its escapes.
    string_view quoted() {
        expect("\"");
        const string_view inside = taken(run_of([](char c) { return c != '"' && c != '\n'; }));
        expect("\"");
        return inside;
    }
    /// Calls `read` at each item of a list.
    template <class Read> void list(string_view open, string_view close, const Read& read) {
        expect(open);
        while (!accept(close)) {
            read();
            if (peek() != close[0])
                expect(",");
        }
    }
    /// The text up to the comma or bracket that ends an item of a list.
    string_view item() {
        peek();
        const std::size_t begin = position_;
        for (std::size_t depth = 0; depth != 0 || (next() != ',' && !is_closing(next()));) {
            depth += is_opening(next()) ? 1 : 0;
            depth -= is_closing(next()) ? 1 : 0;
            if (next() == '\n' || is_at_end())
                fail();
            if (next() == '"')
                quoted();
            else
                ++position_;
        }
        return text_.substr(begin, position_ - begin);
    }
    /// A list in parentheses.
    void skip_list() {
        list("(", ")", [this] { item(); });
    }
    string_view line() const {
        const std::size_t begin = text_.substr(0, position_).rfind('\n') + 1; // npos + 1 is 0
        return text_.substr(begin, line_end() - begin);
    }
    string_view rest_of_line() const { return text_.substr(position_, line_end() - position_); }

    [[noreturn]] void fail() const {
        const string_view before = text_.substr(0, position_);
        const auto number = std::ranges::count(before, '\n') + 1;
        throw Unreadable("cannot read line " + std::to_string(number) +
                         " of clang's output: " + std::string(line().substr(0, 200)));
    }

  private:
    std::size_t line_end() const { return std::min(text_.find('\n', position_), text_.size()); }
    template <class Condition> string_view run_of(Condition belongs) const {
        const auto* begin = text_.begin() + position_;
        return text_.substr(position_, std::find_if_not(begin, text_.end(), belongs) - begin);
    }
    string_view taken(string_view part) {
        position_ += part.size();
        return part;
    }

    string_view text_;
    std::size_t position_ = 0;
};

/// Reads a program's text into a module: first the metadata, then the names at program scope, then
/// the bodies of functions. Types are read when they are needed.
class Reader {
  public:
    Reader(const std::string& text, Module& module) : in_(text), module_(module) {}

    void read() {
        Tasks heads;
        bool is_in_body = false;
        for (; !in_.is_at_end(); in_.go_to_next_line()) {
            const std::size_t begin = in_.position();
            if (is_in_body) {
                is_in_body = in_.next() != '}';
            } else if (in_.accept("!")) {
                read_node();
            } else if (in_.accept("%")) {
                const std::string name = in_.name();
                in_.expect("=");
                in_.expect("type");
                named_types_[name].first = in_.position();
            } else if (in_.peek() == '@') {
                heads.emplace_back(begin, [this] { read_global(); });
            } else if (in_.accept("declare") || (is_in_body = in_.accept("define"))) {
                heads.emplace_back(begin, [this] { read_function_head(); });
            } else if (in_.accept("module")) {
                refuse_assembly();
            } else if (!in_.is_at_line_end() && !in_.accept("target") &&
                       !in_.accept("attributes") && !in_.accept("source_filename") &&
                       !in_.accept("$")) {
                in_.fail();
            }
        }
        for (const Tasks* tasks : {&heads, &bodies_}) {
            for (const auto& [position, read] : *tasks) {
                in_.move_to(position);
                read();
            }
        }
        for (Instruction& instruction : std::get<std::deque<Instruction>>(module_.values_))
            prepare(instruction);
    }

  private:
    /// What to read, and from which place in the text.
    using Tasks = std::vector<std::pair<std::size_t, std::function<void()>>>;

    struct Attributes {
        bool is_volatile = false;
        bool is_kernel = false;
        const Type* by_value = nullptr;
        unsigned space = private_space;
        string_view last;
    };

    template <class Made, class... Arguments> Made& make(Arguments&&... arguments) {
        return std::get<std::deque<Made>>(module_.values_)
            .emplace_back(std::forward<Arguments>(arguments)...);
    }

    /// Keeps malformed text from exhausting the stack.
    void go_deeper() {
        if (++depth_ > deepest_nesting)
            in_.fail();
    }

    [[noreturn]] void refuse_assembly() {
        const Metadata* place = attached(in_.line(), "!dbg ");
        throw Unreadable("inline assembly" +
                         (place == nullptr ? "" : " in line " + place->text("line")) +
                         " cannot be read");
    }

    /// Reads all the words up to a type, a value or a sign: flags, orderings, linkage, predicates.
    Attributes read_attributes() {
        Attributes found;
        for (;;) {
            const string_view word = in_.peek_word();
            if (in_.next() == '"' || in_.next() == '=') { // "name"="value"
                in_.accept("=");
                in_.quoted();
                continue;
            }
            if (word.empty() || !is_letter(word[0]) || is_type_or_value(word))
                return found;
            found.last = in_.word();
            found.is_volatile = found.is_volatile || word == "volatile";
            found.is_kernel = found.is_kernel || word == "spir_kernel";
            if (word == "byval" && in_.accept("(")) {
                found.by_value = read_type();
                in_.expect(")");
            } else if (word == "addrspace") {
                found.space = read_space();
            } else if (in_.next() == '(') {
                in_.skip_list();
            } else if (word == "align") {
                in_.integer();
            }
        }
    }

    // Program scope

    void read_global() {
        auto& global = make<Global>(nullptr);
        in_.expect("@");
        global_names_[global.name = in_.name()] = &global;
        in_.expect("=");
        global.space = read_attributes().space;
        global.is_constant = in_.accept("constant");
        if (!global.is_constant)
            in_.expect("global");
        global.type = type_of(Kind::pointer, global.space);
        global.value_type = read_type();
        const bool is_local = global.space == local_space;
        global.address = address_of(is_local ? ++local_count_ : ++other_count_);
        global.fixed.resize(sizeof global.address);
        put(global, global.address);
        if (const Metadata* described = attached(in_.rest_of_line(), "!dbg "))
            global.variable =
                described->link("var") != nullptr ? described->link("var") : described;
        module_.globals_.push_back(&global);
        if (is_local)
            return;
        bodies_.emplace_back(in_.position(), [this, &global] {
            const Type* type = global.value_type;
            const bool is_external = in_.is_at_line_end() || in_.next() == ',';
            global.initial = is_external ? constant(type).fixed : read_value(type).fixed;
            global.initial.resize(type->size);
        });
    }

    void read_function_head() {
        const bool is_definition = in_.word() == "define";
        if (in_.accept("!")) { // a declaration has its metadata here
            in_.name();
            in_.expect("!");
            in_.number();
        }
        auto& function = make<Function>();
        function.is_kernel = read_attributes().is_kernel;
        function.result = read_type();
        function.type = type_of(Kind::pointer, private_space);
        function.fixed.resize(sizeof(Address)); // an address where nothing lies
        in_.expect("@");
        global_names_[function.name = in_.name()] = &function;
        set_plain_name(function);
        in_.list("(", ")", [&] { read_parameter(function); });
        function.described = attached(in_.line(), "!dbg ");
        assign_slots(function);
        function.number = module_.functions_.size();
        module_.functions_.push_back(&function);
        in_.go_to_next_line();
        if (is_definition)
            bodies_.emplace_back(in_.position(), [this, &function] { read_body(function); });
    }

    void read_parameter(Function& function) {
        if (in_.accept("..."))
            return;
        auto& argument = make<Argument>();
        argument.type = read_type();
        argument.by_value = read_attributes().by_value;
        argument.function = &function;
        argument.number = static_cast<unsigned>(function.arguments.size());
        argument.name = in_.accept("%") ? in_.name() : std::to_string(argument.number);
        function.arguments.push_back(&argument);
    }

    // Metadata

    const Metadata* node_named(string_view text) {
        const auto number =
            text.starts_with("!") ? to_number<std::uint64_t>(text.substr(1)) : std::nullopt;
        if (!number)
            return nullptr;
        Metadata*& node = nodes_[*number];
        return node = node == nullptr ? &module_.metadata_.emplace_back() : node;
    }

    /// The node that a line names after "!dbg " or another key, or null.
    const Metadata* attached(string_view line, string_view key) {
        const std::size_t found = line.find(key);
        if (found == string_view::npos)
            return nullptr;
        const string_view value = line.substr(found + key.size());
        return node_named(value.substr(0, value.find_first_not_of("0123456789", 1)));
    }

    void read_node() {
        if (!is_digit(in_.next()))
            return; // a list such as !llvm.ident
        auto& node = changeable(node_named("!" + std::to_string(in_.integer())));
        in_.expect("=");
        in_.accept("distinct");
        in_.expect("!");
        node.kind = in_.word();
        const bool is_tuple = node.kind.empty();
        in_.list(is_tuple ? "{" : "(", is_tuple ? "}" : ")", [&] { read_field(node, in_.item()); });
    }

    /// Reads `name: value`. A value without a name is an element; if it is no node, it becomes a
    /// field whose name is its number.
    void read_field(Metadata& node, string_view item) {
        const std::size_t colon = item.find_first_of(":\"(");
        const bool is_named = colon != string_view::npos && item[colon] == ':';
        const std::string name =
            is_named ? std::string(item.substr(0, colon)) : std::to_string(node.elements.size());
        if (is_named)
            item = item.substr(std::min(colon + 2, item.size())); // ": "
        const Metadata* other = node_named(item);
        if (!is_named)
            node.elements.push_back(other);
        else if (other != nullptr)
            node.links[name] = other;
        const std::size_t quote = item.find('"');
        const bool is_text = quote <= 1 && item.size() > quote + 1; // "text" or !"text"
        if (other == nullptr)
            node.fields[name] =
                is_text ? unescaped(item.substr(quote + 1, item.size() - quote - 2)) : item;
    }

    // Types

    /// `number` is bits, space or count; of a structure whether it is packed.
    const Type* type_of(Kind kind, std::size_t number = 0, std::vector<const Type*> parts = {}) {
        const Type*& known = types_[{kind, number, parts}];
        if (known != nullptr)
            return known;
        Type& type = module_.types_.emplace_back();
        type.kind = kind;
        if (kind == Kind::integer || kind == Kind::floating) {
            type.bits = static_cast<unsigned>(number);
            type.size = type.alignment = power_of_two((number + 7) / 8);
        } else if (kind == Kind::pointer) {
            type.space = static_cast<unsigned>(number);
            type.size = type.alignment = sizeof(Address);
        } else if (kind == Kind::vector || kind == Kind::array) {
            type.count = number;
            type.element = parts[0];
            type.alignment = type.element->alignment;
            if (number > largest_type / std::max<std::size_t>(type.element->size, 1))
                in_.fail();
            type.size = number * type.element->size;
            if (kind == Kind::vector && (type.size == 0 || number > largest_vector))
                in_.fail();
            if (kind == Kind::vector)
                type.size = type.alignment = power_of_two(type.size);
        } else if (kind == Kind::structure) {
            for (const Type* field : parts) {
                const std::size_t alignment = number != 0 ? 1 : field->alignment;
                type.offsets.push_back(rounded_up(type.size, alignment));
                type.alignment = std::max(type.alignment, alignment);
                type.size = type.offsets.back() + field->size;
            }
            type.size = rounded_up(type.size, type.alignment);
            if (type.size > largest_type)
                in_.fail();
            type.fields = std::move(parts);
        }
        return known = &type;
    }

    const Type* read_type() {
        go_deeper();
        const Type* type = read_plain_type();
        for (;;) {
            if (in_.accept("*")) {
                type = type_of(Kind::pointer, private_space);
            } else if (in_.accept("addrspace")) {
                type = type_of(Kind::pointer, read_space());
                in_.accept("*");            // `ptr` has none
            } else if (in_.peek() == '(') { // a function: only its result is of interest
                in_.skip_list();
            } else {
                --depth_;
                return type;
            }
        }
    }

    unsigned read_space() {
        in_.expect("(");
        const unsigned space = in_.integer();
        in_.expect(")");
        return space;
    }

    const Type* read_plain_type() {
        if (in_.accept("%"))
            return read_named_type();
        const bool has_angle = in_.accept("<"); // a packed structure or a vector
        if (in_.peek() == '{') {
            std::vector<const Type*> fields;
            in_.list("{", "}", [&] { fields.push_back(read_type()); });
            if (has_angle)
                in_.expect(">");
            return type_of(Kind::structure, has_angle ? 1 : 0, std::move(fields));
        }
        if (has_angle || in_.accept("[")) {
            const auto count = in_.parsed<std::size_t>(in_.number());
            in_.expect("x");
            const Type* element = read_type();
            in_.expect(has_angle ? ">" : "]");
            return type_of(has_angle ? Kind::vector : Kind::array, count, {element});
        }
        const string_view word = in_.word();
        if (is_integer_type(word) && word != "i0")
            return type_of(Kind::integer, in_.parsed<std::uint8_t>(word.substr(1)));
        if (word == "half" || word == "float" || word == "double")
            return type_of(Kind::floating, word == "half" ? 16 : word == "float" ? 32 : 64);
        if (word == "target") // images, events and the like
            in_.skip_list();
        if (word == "ptr" || word == "target")
            return type_of(Kind::pointer, private_space);
        if (word == "label" || word == "metadata")
            return type_of(Kind::other);
        if (word != "void" && word != "opaque")
            in_.fail();
        return type_of(word == "void" ? Kind::nothing : Kind::structure);
    }

    /// The target type of a pointer is not read, because a structure may hold pointers to itself.
    const Type* read_named_type() {
        const auto found = named_types_.find(in_.name());
        if (found == named_types_.end())
            in_.fail();
        if (in_.peek() == '*' || in_.peek_word() == "addrspace")
            return type_of(Kind::nothing);
        auto& [definition, type] = found->second;
        if (type == nullptr) {
            const std::size_t back = in_.position();
            in_.move_to(definition);
            type = read_type();
            in_.move_to(back);
        }
        return type;
    }

    // Values

    Value& read_value(const Type* type) {
        go_deeper();
        Value& value = read_plain_value(type);
        --depth_;
        return value;
    }
    Value& read_typed_value() { return read_value(read_type()); }

    Value& read_plain_value(const Type* type) {
        if (in_.accept("%"))
            return local(in_.name(), type);
        if (in_.accept("@")) {
            const auto found = global_names_.find(in_.name());
            if (found == global_names_.end())
                in_.fail();
            return *found->second;
        }
        if (type->is(Kind::other)) { // metadata, which is not needed
            in_.item();
            return make<Constant>(type);
        }
        const char first = in_.peek();
        if (is_digit(first) || first == '-')
            return read_number(type);
        if (is_opening(first))
            return read_elements(type);
        const string_view word = in_.word();
        if (word == "null" || word == "zeroinitializer" || word == "false" || word == "none")
            return constant(type);
        if (word == "undef" || word == "poison")
            return constant(type, true);
        if (word == "splat")
            return read_elements(type);
        if (word != "true" && word != "c")
            return read_expression(word);
        Constant& made = constant(type);
        const std::string bytes = word == "true" ? "\1" : unescaped(in_.quoted());
        if (bytes.size() != made.fixed.size())
            in_.fail();
        for (std::size_t i = 0; i < bytes.size(); ++i)
            made.fixed[i] = static_cast<std::byte>(bytes[i]);
        return made;
    }

    Constant& constant(const Type* type, bool undefined = false) {
        if (type->value_size() > largest_value)
            in_.fail();
        auto& made = make<Constant>(type);
        made.fixed.resize(type->value_size());
        made.undefined = undefined;
        return made;
    }

    /// Hexadecimal digits are those of a double, even for a float; those of a half start with H.
    Constant& read_number(const Type* type) {
        Constant& made = constant(type);
        const string_view token = in_.number();
        const bool is_half = token.starts_with("0xH");
        const bool is_double = type->is(Kind::floating) && !is_half;
        std::uint64_t bits = 0;
        if (!type->is(Kind::integer) && !type->is(Kind::floating))
            in_.fail();
        if (is_half || (is_double && token.starts_with("0x"))) {
            bits = in_.parsed<std::uint64_t>(token.substr(is_half ? 3 : 2), 16);
        } else if (is_double) {
            const auto value = in_.parsed<double>(token);
            std::memcpy(&bits, &value, sizeof bits);
        } else {
            bits = static_cast<std::uint64_t>(in_.parsed<std::int64_t>(token));
        }
        if (is_double && type->bits == 32) {
            double wide = 0;
            std::memcpy(&wide, &bits, sizeof wide);
            const auto narrow = static_cast<float>(wide);
            std::memcpy(&bits, &narrow, sizeof narrow);
        }
        put(made, bits);
        return made;
    }

    /// A vector, an array or a structure, element by element, or `splat (i32 1)`.
    Constant& read_elements(const Type* type) {
        Constant& whole = constant(type, true);
        const bool is_packed = type->is(Kind::structure) && in_.accept("<");
        const bool is_splat = in_.peek() == '(';
        const string_view brackets = is_splat                 ? "()"
                                     : type->is(Kind::vector) ? "<>"
                                     : type->is(Kind::array)  ? "[]"
                                                              : "{}";
        std::size_t count = 0;
        in_.list(brackets.substr(0, 1), brackets.substr(1), [&] {
            const Value& part = read_typed_value();
            whole.undefined = whole.undefined && is_undefined(part);
            do {
                const bool is_field = count < type->fields.size();
                if (!is_field && count >= type->count)
                    in_.fail();
                const std::size_t offset =
                    is_field ? type->offsets[count] : count * type->element->size;
                if (offset + part.fixed.size() > whole.fixed.size())
                    in_.fail();
                std::ranges::copy(part.fixed,
                                  whole.fixed.begin() + static_cast<std::ptrdiff_t>(offset));
                ++count;
            } while (is_splat && count < type->count);
        });
        whole.undefined = whole.undefined && count != 0;
        if (is_packed)
            in_.expect(">");
        return whole;
    }

    /// A constant expression looks like an instruction, except for its parentheses.
    Instruction& read_expression(string_view word) {
        auto& made = make<Instruction>();
        read_operation(made, word);
        if (made.operands.empty())
            in_.fail();
        const Opcode opcode = made.opcode;
        const Value& first = *made.operands.front();
        const Value& last = *made.operands.back();
        const std::size_t size = made.type->value_size();
        const bool fits = opcode == Opcode::bitcast
                              ? size == first.fixed.size()
                              : std::max(size, first.fixed.size()) <= sizeof(Address);
        if (!fits || size == 0 || first.fixed.empty() || last.fixed.empty())
            in_.fail();
        made.fixed = first.fixed;
        made.fixed.resize(size);
        const auto a = static_cast<std::uint64_t>(integer_of(first));
        const auto b = static_cast<std::uint64_t>(integer_of(last));
        if (opcode == Opcode::add || opcode == Opcode::sub)
            put(made, opcode == Opcode::add ? a + b : a - b);
        else if (opcode == Opcode::step)
            put(made, address_by(made));
        else if (opcode < Opcode::ptrtoint || opcode > Opcode::addrspacecast)
            in_.fail();
        return made;
    }

    Address address_by(const Instruction& step) const {
        const Type* type = step.value_type;
        auto address = static_cast<Address>(integer_of(*step.operands[0]));
        for (std::size_t i = 1; i < step.operands.size(); ++i) {
            const auto index = static_cast<std::uint64_t>(integer_of(*step.operands[i]));
            const bool is_field = i > 1 && index < type->fields.size();
            address += is_field ? type->offsets[index] : 0;
            if (i > 1)
                type = is_field ? type->fields[index] : type->element;
            if (type == nullptr)
                in_.fail();
            address += is_field ? 0 : index * type->size;
        }
        return address;
    }

    // Functions

    void read_body(Function& function) {
        locals_.clear();
        undefined_ = 0;
        block_ = nullptr;
        for (const Argument* argument : function.arguments)
            locals_.emplace(argument->name, &changeable(argument));
        for (; in_.next() != '}'; in_.go_to_next_line()) {
            const bool is_indented = in_.next() == ' ';
            if (in_.is_at_end())
                in_.fail();
            if (!in_.is_at_line_end() && !is_indented)
                read_label(function);
            else if (!in_.is_at_line_end() && !read_note())
                read_instruction();
        }
        if (block_ != nullptr || function.blocks.empty() || undefined_ != 0)
            in_.fail();
        assign_slots(function);
    }

    /// Whether the result of `instruction` is only used in its block. A use of an address is also a
    /// use of what it was computed from.
    static bool stays_in_block(const Instruction& instruction) {
        const auto& users = instruction.users;
        return std::ranges::all_of(users, [&](const Instruction* user) {
            return user->block == instruction.block && user->opcode != Opcode::phi &&
                   (user->opcode != Opcode::step || stays_in_block(*user));
        });
    }

    /// Assigns each value its place in a frame. Values that stay in their blocks share one part of
    /// it: the frames of thousands of work-items must fit into a processor's cache.
    void assign_slots(Function& function) const {
        std::size_t size = 0;
        const auto assign = [&](const Value* value, std::size_t& at) {
            changeable(value).slot = static_cast<std::uint32_t>(at);
            at += rounded_up(value->type->value_size(), 8);
            if (at > largest_value)
                in_.fail();
        };
        const auto for_instructions = [&](const Block* block, bool staying, std::size_t& at) {
            for (const Instruction* instruction : block->instructions) {
                if (!instruction->type->is(Kind::nothing) &&
                    stays_in_block(*instruction) == staying)
                    assign(instruction, at);
            }
        };
        for (const Argument* argument : function.arguments)
            assign(argument, size);
        for (const Block* block : function.blocks)
            for_instructions(block, false, size);
        function.frame_size = size;
        for (const Block* block : function.blocks) {
            std::size_t end = size;
            for_instructions(block, true, end);
            function.frame_size = std::max(function.frame_size, end);
        }
    }

    /// The text may use an instruction or a block that it defines further down.
    Value& local(const std::string& name, const Type* type) {
        const bool is_block = type->is(Kind::other);
        Value*& known = locals_[name];
        if (known == nullptr) {
            known = is_block ? static_cast<Value*>(&make<Block>()) : &make<Instruction>();
            known->name = name;
            known->type = type;
            ++undefined_;
        }
        if ((known->value_kind == Value::Kind::block) != is_block)
            in_.fail();
        return *known;
    }

    void read_label(Function& function) {
        auto& block = static_cast<Block&>(local(in_.name(), type_of(Kind::other)));
        in_.expect(":");
        if (block.function != nullptr || block_ != nullptr)
            in_.fail();
        --undefined_;
        block.function = &function;
        block.number = function.blocks.size();
        function.blocks.push_back(&block);
        block_ = &block;
    }

    /// Reads debug information and other notes, which do nothing: `#dbg_declare(ptr %x, !45, ...)`,
    /// or `call void @llvm.dbg.declare(metadata ptr %x, metadata !45, ...)`. Returns false if there
    /// is none.
    bool read_note() {
        const string_view rest = in_.rest_of_line();
        const bool is_call = rest.starts_with("call void @llvm.dbg.");
        if (!is_call && !rest.starts_with("#dbg_"))
            return rest.starts_with("call void @llvm.lifetime.");
        const std::size_t begin = rest.find("declare(");
        in_.move_to(in_.position() + rest.find('(') + 1);
        in_.accept("metadata");
        if (begin == string_view::npos || in_.peek() == '!')
            return true;
        const Value& variable = read_typed_value();
        in_.expect(",");
        in_.accept("metadata");
        if (const Instruction* allocation = as(&variable, Opcode::allocate))
            changeable(allocation).variable = node_named(in_.item());
        return true;
    }

    void read_instruction() {
        const std::string name = in_.accept("%") ? in_.name() : "";
        if (!name.empty())
            in_.expect("=");
        in_.accept("tail");
        Value& value = name.empty() ? make<Instruction>() : local(name, type_of(Kind::nothing));
        if (block_ == nullptr || as_instruction(&value) == nullptr)
            in_.fail();
        auto& instruction = static_cast<Instruction&>(value);
        if (instruction.block != nullptr)
            in_.fail(); // a second one of this name
        undefined_ -= name.empty() ? 0 : 1;
        instruction.block = block_;
        read_operation(instruction, in_.word());
        read_attributes();
        if (!in_.is_at_line_end() && in_.next() != ',' && in_.next() != '#' && in_.next() != '[')
            in_.fail();
        const string_view rest = in_.rest_of_line();
        constexpr string_view before_alignment = "align ";
        if (const std::size_t at = rest.find(before_alignment); at != string_view::npos)
            std::from_chars(rest.data() + at + before_alignment.size(), rest.data() + rest.size(),
                            instruction.alignment);
        if (const Metadata* place = attached(rest, "!dbg "))
            std::tie(instruction.line, instruction.column) = place_of(place);
        const Metadata* loop = attached(rest, "!llvm.loop ");
        if (loop != nullptr && loop->elements.size() > 2) { // itself, and where its source is
            std::tie(block_->loop_begin_line, block_->loop_begin_column) =
                place_of(loop->elements[1]);
            std::tie(block_->loop_end_line, block_->loop_end_column) = place_of(loop->elements[2]);
        }
        instruction.position = block_->instructions.size();
        instruction.number = module_.instruction_count_++;
        block_->instructions.push_back(&instruction);
        if (instruction.opcode <= Opcode::unreachable)
            block_ = nullptr;
    }

    // Instructions

    /// Reads what follows the name of an operation; in a constant expression, in parentheses.
    void read_operation(Instruction& made, string_view word) {
        const auto found = find_in(operations, std::string(word));
        if (!found)
            in_.fail();
        made.opcode = static_cast<Opcode>(found->first);
        if (made.opcode == Opcode::atomicrmw) {
            made.is_volatile = in_.accept("volatile");
            in_.word(); // what it does
        }
        const Attributes attributes = read_attributes();
        made.is_volatile = made.is_volatile || attributes.is_volatile;
        if (is_comparison(made)) {
            const std::string name = (word == "fcmp" ? "f" : "") + std::string(attributes.last);
            const auto predicate = find_in(predicates, name);
            if (!predicate)
                in_.fail();
            made.predicate = static_cast<Predicate>(predicate->first);
        }
        const bool is_expression = made.block == nullptr;
        if (is_expression)
            in_.expect("(");
        made.type = type_of(Kind::nothing);
        if (made.opcode == Opcode::call)
            read_call(made);
        else if (made.opcode == Opcode::phi)
            read_phi(made);
        else if (!in_.is_at_line_end() && in_.next() != ',')
            read_operands(made);
        if (made.operands.size() < found->second)
            in_.fail();
        made.type = read_result(made);
        if (is_expression)
            in_.expect(")");
    }

    static bool is_comparison(const Instruction& instruction) {
        return instruction.opcode == Opcode::icmp || instruction.opcode == Opcode::fcmp;
    }

    /// Accepts a comma, unless `!dbg` or `align` follows it.
    bool accept_comma() {
        const std::size_t before = in_.position();
        if (!in_.accept(","))
            return false;
        if (in_.peek() != '!' && in_.peek_word() != "align")
            return true;
        in_.move_to(before);
        return false;
    }

    /// Most operands are a type followed by a value.
    void read_operands(Instruction& made) {
        using O = Opcode;
        const O opcode = made.opcode;
        if (opcode == O::allocate || opcode == O::load || opcode == O::step) {
            made.value_type = read_type();
            if (!accept_comma())
                return;
        }
        const bool shares_type =
            made.block != nullptr &&
            ((opcode >= O::add && opcode <= O::bit_xor) || is_comparison(made));
        do {
            if (shares_type && made.operands.size() == 1)
                add(made, read_value(made.operands[0]->type));
            else if (opcode == O::shuffle && made.operands.size() == 2)
                read_mask(made);
            else if (is_digit(in_.peek()))
                made.indices.push_back(in_.integer());
            else if (const Type* type = read_type(); !type->is(Kind::nothing)) // not `ret void`
                add(made, read_value(type));
        } while (accept_comma());
        if (opcode == O::choose)
            read_cases(made);
        if (opcode == O::branch && made.successors.size() != made.operands.size() + 1)
            in_.fail();
    }

    /// Cases are on separate lines.
    void read_cases(Instruction& choice) {
        in_.expect("[");
        for (;;) {
            while (in_.is_at_line_end() && !in_.is_at_end())
                in_.go_to_next_line();
            if (in_.accept("]"))
                break;
            choice.cases.push_back(integer_of(read_typed_value()));
            in_.expect(",");
            add(choice, read_typed_value());
        }
        if (choice.successors.size() != choice.cases.size() + 1)
            in_.fail();
    }

    void read_mask(Instruction& shuffle) {
        const Type* type = read_type();
        if (in_.peek() != '<') {
            shuffle.mask.assign(type->lanes(), is_undefined(read_value(type)) ? -1 : 0);
            return;
        }
        in_.list("<", ">", [&] { // of "i32 3" and "i32 poison"
            const string_view item = in_.item();
            shuffle.mask.push_back(to_number<int>(item.substr(item.find(' ') + 1)).value_or(-1));
        });
    }

    void read_phi(Instruction& phi) {
        phi.type = read_type();
        do {
            in_.expect("[");
            add(phi, read_value(phi.type));
            in_.expect(",");
            add(phi, read_value(type_of(Kind::other)));
            in_.expect("]");
        } while (accept_comma());
        if (phi.successors.size() != phi.operands.size())
            in_.fail();
    }

    void read_call(Instruction& call) {
        call.type = read_type();
        if (in_.peek_word() == "asm")
            refuse_assembly();
        const Value* callee = &read_value(type_of(Kind::pointer, private_space));
        while (as(callee, Opcode::bitcast) != nullptr ||
               as(callee, Opcode::addrspacecast) != nullptr)
            callee = as_instruction(callee)->operands[0];
        if (callee->value_kind == Value::Kind::function)
            call.callee = static_cast<const Function*>(callee);
        in_.list("(", ")", [&] {
            const Type* type = read_type();
            read_attributes();
            add(call, read_value(type));
        });
    }

    /// Returns the type of an instruction's result, which conversions name.
    const Type* read_result(Instruction& made) {
        using O = Opcode;
        const O opcode = made.opcode;
        if (opcode == O::call || opcode == O::phi || opcode == O::fence || opcode <= O::unreachable)
            return made.type;
        if (opcode == O::allocate)
            return type_of(Kind::pointer, private_space);
        if (opcode == O::load)
            return made.value_type;
        if (opcode >= O::trunc && opcode <= O::addrspacecast) {
            in_.expect("to");
            return read_type();
        }
        const Type* bit = type_of(Kind::integer, 1);
        const Type* type = made.operands[0]->type;
        if (opcode == O::store) {
            store_lane_only(made, block_->instructions);
            made.value_type = made.operands[0]->type;
            return type_of(Kind::nothing);
        }
        if (opcode == O::select)
            return made.operands[1]->type;
        if (opcode == O::atomicrmw || opcode == O::cmpxchg) {
            const Type* value = made.value_type = made.operands[1]->type;
            return opcode == O::atomicrmw ? value : type_of(Kind::structure, 0, {value, bit});
        }
        if (is_comparison(made))
            return type->is(Kind::vector) ? type_of(Kind::vector, type->count, {bit}) : bit;
        if (opcode == O::extract_element || opcode == O::shuffle) {
            if (!type->is(Kind::vector))
                in_.fail();
            return opcode == O::shuffle ? type_of(Kind::vector, made.mask.size(), {type->element})
                                        : type->element;
        }
        if (opcode == O::extract_value) {
            for (const unsigned index : made.indices) {
                const bool is_field = index < type->fields.size();
                type = is_field ? type->fields[index] : type->element;
                if (type == nullptr)
                    in_.fail();
            }
        }
        return type;
    }

    Cursor in_;
    Module& module_;
    unsigned depth_ = 0;
    Tasks bodies_; ///< of functions, and initial values: these may use all names

    std::unordered_map<std::uint64_t, Metadata*> nodes_;
    std::map<std::tuple<Kind, std::size_t, std::vector<const Type*>>, const Type*> types_;
    /// Where they are defined, and the types if they are known already.
    std::unordered_map<std::string, std::pair<std::size_t, const Type*>> named_types_;
    std::unordered_map<std::string, Value*> global_names_;
    std::uint32_t local_count_ = 0;
    std::uint32_t other_count_ = 0;

    // of the function that is being read
    std::unordered_map<std::string, Value*> locals_;
    std::size_t undefined_ = 0; ///< how many of these are used, but not defined so far
    Block* block_ = nullptr;    ///< null after the instruction that ends one
};

} // namespace labgrind::ir::text

namespace labgrind::ir {

std::int64_t integer_of(const Value& value) {
    std::uint64_t bits = 0;
    std::copy_n(value.fixed.begin(), std::min(value.fixed.size(), sizeof bits),
                reinterpret_cast<std::byte*>(&bits)); // NOLINT: bytes of a number
    const unsigned unused = text::unused_bits(*value.type);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

Module::Module(const std::string& text) { text::Reader(text, *this).read(); }

Module::~Module() = default;

Behavior Module::exchange(const Instruction& instruction, Behavior behavior) {
    Instruction& changed = text::changeable(&instruction);
    std::swap(changed.opcode, behavior.opcode);
    std::swap(changed.predicate, behavior.predicate);
    std::swap(changed.callee, behavior.callee);
    std::swap(changed.operands, behavior.operands);
    std::swap(changed.successors, behavior.successors);
    std::swap(changed.mask, behavior.mask);
    text::prepare(changed);
    return behavior;
}

const Instruction& Module::make_instruction(const Function& function, const Type& type,
                                            Behavior behavior, const Instruction* overwritten) {
    Instruction& made = std::get<std::deque<Instruction>>(values_).emplace_back();
    made.type = &type;
    made.value_type = &type;
    made.number = instruction_count_++;
    if (overwritten != nullptr) {
        made.slot = overwritten->slot;
    } else {
        std::size_t& frame = text::changeable(&function).frame_size;
        made.slot = static_cast<std::uint32_t>(frame);
        frame += text::rounded_up(type.value_size(), 8);
    }
    exchange(made, std::move(behavior));
    return made;
}

namespace {

/// In the block and the line of `place`.
void insert(const Instruction& made, const Instruction& place, std::size_t position) {
    auto& instructions = text::changeable(place.block).instructions;
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(position), &made);
    text::changeable(&made).block = place.block;
    text::changeable(&made).line = place.line;
    text::number_positions(instructions);
}

} // namespace

void Module::insert_before(const Instruction& place, const Instruction& made) {
    insert(made, place, place.position);
}

void Module::insert_after(const Instruction& place, const Instruction& made) {
    insert(made, place, place.position + 1);
}

void Module::remove(const Instruction& made) {
    auto& instructions = text::changeable(made.block).instructions;
    instructions.erase(std::ranges::find(instructions, &made));
    text::number_positions(instructions);
}

const Constant& Module::add_constant(const Type& type, std::uint64_t bits) {
    Constant& made = std::get<std::deque<Constant>>(values_).emplace_back(&type);
    made.fixed.resize(type.value_size());
    text::put(made, bits);
    const std::size_t size = type.scalar().size;
    for (std::size_t lane = 1; lane < type.lanes(); ++lane)
        std::copy_n(made.fixed.begin(), size, made.fixed.data() + lane * size);
    return made;
}

const Function& Module::declare(const std::string& plain_name, const Function& like) {
    const std::string name =
        "_Z" + std::to_string(plain_name.size()) + plain_name + like.parameters;
    if (const Function* known = function(name))
        return *known;
    Function& made = std::get<std::deque<Function>>(values_).emplace_back();
    made.name = name;
    made.type = like.type;
    made.fixed = like.fixed;
    made.result = like.result;
    made.arguments = like.arguments;
    made.number = functions_.size();
    text::set_plain_name(made);
    functions_.push_back(&made);
    return made;
}

std::vector<const Instruction*> Function::instructions() const {
    std::vector<const Instruction*> all;
    for (const Block* block : blocks)
        all.insert(all.end(), block->instructions.begin(), block->instructions.end());
    return all;
}

std::vector<const Instruction*> Module::instructions() const {
    std::vector<const Instruction*> all;
    for (const Function* one : functions_) {
        const std::vector<const Instruction*> more = one->instructions();
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

bool Module::has_atomics() const {
    return std::ranges::any_of(functions_,
                               [](const Function* function) { return function->is_atomic(); });
}

std::set<std::uint32_t> Module::constant_buffers() const {
    std::set<std::uint32_t> buffers;
    for (const Global* global : globals_) {
        if (global->space != local_space)
            buffers.insert(buffer_of(global->address));
    }
    return buffers;
}

const Function* Module::function(const std::string& name) const {
    const auto found =
        std::ranges::find_if(functions_, [&](const Function* one) { return one->name == name; });
    return found == functions_.end() ? nullptr : *found;
}

} // namespace labgrind::ir
// NOLINTEND(*-static-cast-downcast)
