#include "labgrind/ir.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace labgrind::ir {
namespace {

using std::string_view;

constexpr std::size_t largest_type = std::size_t{1} << (offset_bits - 1);
constexpr std::size_t largest_constant = std::size_t{1} << 30;
constexpr std::size_t largest_frame = std::size_t{1} << 31;
constexpr std::size_t largest_mask = 4096;
constexpr unsigned deepest_nesting = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }
bool is_in_name(char c) { return is_in_word(c) || c == '$' || c == '-'; }
bool is_in_number(char c) { return is_in_word(c) || c == '+' || c == '-'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool starts_with(string_view text, string_view start) {
    return text.substr(0, start.size()) == start;
}
bool is_number(string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// `how` is the base of an integer. Nothing, unless the number takes all of the text.
template <class Number, class... How>
std::optional<Number> to_number(string_view text, How... how) {
    Number value{};
    const char* all = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), all, value, how...);
    if (error != std::errc{} || end != all)
        return std::nullopt;
    return value;
}

/// LLVM writes quotes and all that cannot be printed as a backslash and two hexadecimal digits.
std::string unescaped(string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && text.substr(i + 1, 1) == "\\") {
            ++i;
        } else if (text[i] == '\\') {
            if (const auto code = to_number<unsigned char>(text.substr(i + 1, 2), 16)) {
                plain += static_cast<char>(*code);
                i += 2;
                continue;
            }
        }
        plain += text[i];
    }
    return plain;
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

/// A place in the text. Everything that reads skips the blanks before it, and stays within a line.
class Cursor {
  public:
    explicit Cursor(string_view text) : text_(text) {}

    std::size_t position() const { return position_; }
    void move_to(std::size_t position) { position_ = position; }
    bool is_at_end() const { return position_ >= text_.size(); }

    /// The very next character; '\0' at the end.
    char next() const { return is_at_end() ? '\0' : text_[position_]; }
    char peek() {
        while (is_blank(next()))
            ++position_;
        return next();
    }
    bool is_at_line_end() {
        const char c = peek();
        return c == '\n' || c == '\0' || c == ';';
    }
    bool accept(char c) {
        if (peek() != c || is_at_end())
            return false;
        ++position_;
        return true;
    }
    void expect(char c) {
        if (!accept(c))
            fail();
    }
    void expect(string_view word_or_sign) {
        peek();
        if (!starts_with(text_.substr(position_), word_or_sign))
            fail();
        position_ += word_or_sign.size();
    }
    string_view peek_word() {
        peek();
        return run_of(is_in_word);
    }
    /// Empty if no word comes next.
    string_view word() { return taken(peek_word()); }
    bool accept_word(string_view wanted) {
        if (peek_word() != wanted)
            return false;
        position_ += wanted.size();
        return true;
    }
    string_view number_token() {
        peek();
        return taken(run_of(is_in_number));
    }
    template <class Number> Number integer() {
        const auto value = to_number<Number>(number_token());
        if (!value)
            fail();
        return *value;
    }
    /// What follows % or @; in quotes if it holds unusual characters.
    string_view name() {
        if (next() == '"')
            return kept_plain(quoted());
        const string_view plain = taken(run_of(is_in_name));
        if (plain.empty())
            fail();
        return plain;
    }
    /// A name that does not stand in the text as it is, for as long as the text is read.
    string_view kept(std::string name) { return names_.emplace_back(std::move(name)); }
    /// A string in quotes, with its escapes.
    string_view quoted() {
        expect('"');
        const std::size_t end = std::min(text_.find('"', position_), line_end());
        if (end >= text_.size() || text_[end] != '"')
            fail();
        const string_view inside = text_.substr(position_, end - position_);
        position_ = end + 1;
        return inside;
    }
    /// Up to the comma or bracket that ends it.
    string_view item() {
        peek();
        const std::size_t begin = position_;
        while (next() != ',' && !is_closing(next()))
            skip_one();
        return text_.substr(begin, position_ - begin);
    }
    /// An opening bracket, and all up to the one that closes it.
    void skip_brackets() {
        peek();
        std::size_t depth = 0;
        do {
            depth += is_opening(next());
            depth -= is_closing(next());
            skip_character();
        } while (depth != 0);
    }
    string_view line() const {
        const std::size_t before =
            position_ == 0 ? string_view::npos : text_.rfind('\n', position_ - 1);
        const std::size_t begin = before == string_view::npos ? 0 : before + 1;
        return text_.substr(begin, line_end() - begin);
    }
    string_view rest_of_line() const { return text_.substr(position_, line_end() - position_); }
    void go_to_next_line() { position_ = std::min(line_end() + 1, text_.size()); }
    /// Like peek, past the ends of lines too.
    char peek_further() {
        while (is_at_line_end() && !is_at_end())
            go_to_next_line();
        return next();
    }

    [[noreturn]] void fail() const {
        const string_view before = text_.substr(0, position_);
        const auto number = std::count(before.begin(), before.end(), '\n') + 1;
        throw Unreadable("cannot read line " + std::to_string(number) +
                         " of the program that clang made: " + std::string(line().substr(0, 200)));
    }

  private:
    static bool is_opening(char c) { return c != '\0' && std::strchr("([{<", c) != nullptr; }
    static bool is_closing(char c) { return c != '\0' && std::strchr(")]}>", c) != nullptr; }

    std::size_t line_end() const { return std::min(text_.find('\n', position_), text_.size()); }
    template <class Condition> string_view run_of(Condition belongs) const {
        std::size_t end = position_;
        while (end < text_.size() && belongs(text_[end]))
            ++end;
        return text_.substr(position_, end - position_);
    }
    string_view taken(string_view part) {
        position_ += part.size();
        return part;
    }
    string_view kept_plain(string_view escaped) {
        return escaped.find('\\') == string_view::npos ? escaped : kept(unescaped(escaped));
    }
    void skip_character() {
        if (next() == '"') {
            quoted();
            return;
        }
        if (next() == '\n' || is_at_end())
            fail();
        ++position_;
    }
    void skip_one() {
        if (is_opening(next()))
            skip_brackets();
        else
            skip_character();
    }

    string_view text_;
    std::size_t position_ = 0;
    std::deque<std::string> names_;
};

bool is_type_word(string_view word) {
    static const std::unordered_set<string_view> words = {
        "void", "half", "float", "double", "ptr", "label", "metadata", "token", "target"};
    return words.count(word) != 0 ||
           (word.size() > 1 && word[0] == 'i' && is_number(word.substr(1)));
}

/// Words that a constant begins with, besides the names of operations.
bool is_constant_word(string_view word) {
    static const std::unordered_set<string_view> words = {
        "null",  "undef", "poison", "true", "false",        "zeroinitializer",
        "none",  "splat", "c",      "asm",  "blockaddress", "dso_local_equivalent",
        "no_cfi"};
    return words.count(word) != 0;
}

std::optional<Predicate> predicate_of(Opcode opcode, string_view word) {
    static constexpr string_view of_integers[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                                  "ule", "sgt", "sge", "slt", "sle"};
    static constexpr string_view of_floats[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                                "one",   "ord", "uno", "ueq", "ugt", "uge",
                                                "ult",   "ule", "une", "true"};
    const bool is_float = opcode == Opcode::fcmp;
    const auto* begin = is_float ? std::begin(of_floats) : std::begin(of_integers);
    const auto* end = is_float ? std::end(of_floats) : std::end(of_integers);
    const auto* found = std::find(begin, end, word);
    if (found == end)
        return std::nullopt;
    // They stand in the order of the enumerators.
    const auto first = static_cast<int>(is_float ? Predicate::always_false : Predicate::eq);
    return static_cast<Predicate>(first + (found - begin));
}

bool leaves_block(Opcode opcode) {
    return opcode == Opcode::give_back || opcode == Opcode::branch || opcode == Opcode::choose ||
           opcode == Opcode::unreachable;
}

void put(std::vector<std::byte>& bytes, std::size_t offset, std::uint64_t value, std::size_t size) {
    std::memcpy(bytes.data() + offset, &value, std::min<std::size_t>(size, sizeof value));
}

std::uint64_t below(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

unsigned bits_of(const Type& type) { return type.is(Type::Kind::integer) ? type.bits : 64; }

std::uint64_t lane_of(const Value& value, std::size_t lane) {
    const std::size_t size = value.type->scalar().size;
    std::uint64_t bits = 0;
    if (size != 0 && (lane + 1) * size <= value.fixed.size())
        std::memcpy(&bits, value.fixed.data() + lane * size, std::min<std::size_t>(size, 8));
    return bits;
}

std::int64_t signed_lane_of(const Value& value, std::size_t lane) {
    const unsigned unused = 64 - std::min(64U, bits_of(value.type->scalar()));
    return static_cast<std::int64_t>(lane_of(value, lane) << unused) >> unused;
}

std::optional<std::uint64_t> calculated(Opcode opcode, std::uint64_t a, std::uint64_t b,
                                        std::int64_t signed_a) {
    switch (opcode) {
    case Opcode::add:
        return a + b;
    case Opcode::sub:
        return a - b;
    case Opcode::mul:
        return a * b;
    case Opcode::bit_and:
        return a & b;
    case Opcode::bit_or:
        return a | b;
    case Opcode::bit_xor:
        return a ^ b;
    case Opcode::shl:
        return b < 64 ? a << b : 0;
    case Opcode::lshr:
        return b < 64 ? a >> b : 0;
    case Opcode::ashr:
        return static_cast<std::uint64_t>(signed_a >> std::min<std::uint64_t>(b, 63));
    default:
        return std::nullopt;
    }
}

bool holds(Predicate predicate, bool is_equal, bool is_less) {
    switch (predicate) {
    case Predicate::eq:
        return is_equal;
    case Predicate::ne:
        return !is_equal;
    case Predicate::ult:
    case Predicate::slt:
        return is_less;
    case Predicate::ule:
    case Predicate::sle:
        return is_less || is_equal;
    case Predicate::ugt:
    case Predicate::sgt:
        return !is_less && !is_equal;
    default:
        return !is_less;
    }
}

int number_in(const Metadata& node, const std::string& field) {
    return to_number<int>(node.text(field)).value_or(0);
}

} // namespace

/// Reads a program's text into a module: first the metadata and the types, then what has a name at
/// program scope, then what functions do.
class Reader {
  public:
    Reader(const std::string& text, Module& module) : in_(text), module_(module) {}

    void read();

  private:
    struct Attributes {
        bool is_volatile = false;
        bool is_kernel = false;
        const Type* by_value = nullptr;
    };
    /// How the text of an instruction is read.
    struct Form {
        Opcode opcode;
        void (Reader::*read)(Instruction&);
    };
    // program scope
    void read_line(std::vector<std::size_t>& globals, std::vector<std::size_t>& functions);
    void skip_body();
    void read_global();
    void read_initial(Global& global);
    void read_function_head();
    void read_parameters(Function& function);
    void set_plain_name(Function& function);
    void add_global_name(string_view name, Value& value);

    // metadata
    void read_node();
    void read_fields(Metadata& node);
    void read_elements(Metadata& node);
    Metadata& node_of(std::uint64_t number);
    const Metadata* node_named(string_view text);
    const Metadata* attached(string_view line, string_view key);

    // types
    void read_named_type();
    const Type* read_type();
    void go_deeper();
    const Type* read_plain_type();
    std::vector<const Type*> read_field_types();
    const Type* read_function_type(const Type* result);
    const Type* made(Type::Kind kind, std::size_t number = 0, const Type* element = nullptr);
    const Type* structure(std::vector<const Type*> fields, bool packed);
    const Type* pointer(unsigned space) { return made(Type::Kind::pointer, space); }
    const Type* truth(const Type& like);
    Type* named_type(string_view name);
    bool has_layout(const Type* type) const { return laid_out_.count(type) != 0; }
    bool lay_out(Type& type);
    void lay_out_structure(Type& type);
    void lay_out_all();

    // values
    template <class Kind, class... Arguments> Kind& make(Arguments&&... arguments) {
        auto value = std::make_unique<Kind>(std::forward<Arguments>(arguments)...);
        Kind& made = *value;
        module_.values_.push_back(std::move(value));
        return made;
    }
    Value& read_value(const Type* type);
    Value& read_plain_value(const Type* type);
    Value& read_typed_value() { return read_value(read_type()); }
    Value& read_local(const Type* type);
    Value& global_named(string_view name);
    Constant& constant(const Type* type, bool undefined = false);
    Constant& read_number(const Type* type);
    void read_float(Constant& constant, string_view token);
    Constant& read_elements(const Type* type);
    Constant& read_text(const Type* type);
    Constant& read_splat(const Type* type);
    Value& read_word_constant(const Type* type);
    Instruction& read_expression(string_view word);
    void evaluate(Instruction& expression);
    void evaluate_as(Instruction& expression, const Value& other);
    void evaluate_lane(Instruction& expression, std::size_t lane);
    void evaluate_step(Instruction& expression);
    void insert(Constant& whole, std::size_t index, const Value& part);

    // functions
    void read_body(Function& function);
    bool read_label(Function& function);
    void begin_block(Function& function, string_view name);
    Block& block_named(string_view name);
    void read_instruction();
    bool read_note();
    void read_variable();
    Instruction& defined(string_view name);
    void finish(Instruction& instruction);
    void set_loop(Block& block, const Metadata& loop);
    void expect_all_defined();
    void assign_slots(Function& function);

    // instructions
    static const Form* form_of(string_view word);
    Attributes read_attributes();
    bool accept_comma_before_value();
    void add(Instruction& instruction, Value& operand);
    const Block* read_destination();
    void read_nothing(Instruction&) {}
    void read_give_back(Instruction& instruction);
    void read_branch(Instruction& instruction);
    void read_choose(Instruction& instruction);
    void read_one(Instruction& instruction);
    void read_two(Instruction& instruction);
    void read_operands(Instruction& instruction);
    void read_compare(Instruction& instruction);
    void read_conversion(Instruction& instruction);
    void read_extract_element(Instruction& instruction);
    void read_insert_element(Instruction& instruction);
    void read_shuffle(Instruction& instruction);
    void read_mask(Instruction& instruction);
    void read_extract_value(Instruction& instruction);
    void read_insert_value(Instruction& instruction);
    const Type* read_indices(Instruction& instruction, const Type* type);
    void read_allocate(Instruction& instruction);
    void read_load(Instruction& instruction);
    void read_store(Instruction& instruction);
    Instruction* insertion_into(Value& value, const Value& pointer) const;
    void become_lane_address(Instruction& insertion, Value& pointer);
    /// What was read is the reader's to change as long as it reads.
    template <class Kind> static Kind& changeable(const Kind* value) {
        return const_cast<Kind&>(*value); // NOLINT(*-const-cast)
    }
    void read_step(Instruction& instruction);
    void read_phi(Instruction& instruction);
    void read_select(Instruction& instruction);
    void read_call(Instruction& instruction);
    void read_callee(Instruction& call);
    void read_atomicrmw(Instruction& instruction);
    void read_cmpxchg(Instruction& instruction);
    [[noreturn]] void refuse(const std::string& what);

    Cursor in_;
    Module& module_;
    unsigned depth_ = 0;

    std::unordered_map<std::uint64_t, Metadata*> nodes_;
    std::unordered_map<string_view, Type*> named_types_;
    std::map<std::tuple<Type::Kind, std::size_t, const Type*>, const Type*> made_types_;
    std::map<std::pair<bool, std::vector<const Type*>>, const Type*> structures_;
    std::unordered_set<const Type*> packed_;
    std::unordered_set<const Type*> laid_out_;
    bool types_are_read_ = false;

    std::unordered_map<string_view, Value*> global_names_;
    std::vector<std::pair<Global*, std::size_t>> initials_; ///< and where they begin
    std::vector<std::pair<Function*, std::size_t>> bodies_; ///< and where they begin
    std::uint32_t local_count_ = 0;
    std::uint32_t other_count_ = 0;

    // of the function that is being read
    std::unordered_map<string_view, Value*> locals_;
    std::unordered_map<string_view, Block*> blocks_;
    std::unordered_map<const Value*, std::size_t> undefined_; ///< used but not yet defined, where
    Block* block_ = nullptr; ///< null behind the instruction that ends one
};

// Program scope

void Reader::read() {
    std::vector<std::size_t> globals;
    std::vector<std::size_t> functions;
    while (!in_.is_at_end()) {
        read_line(globals, functions);
        in_.go_to_next_line();
    }
    lay_out_all();
    for (const std::size_t position : globals) {
        in_.move_to(position);
        read_global();
    }
    for (const std::size_t position : functions) {
        in_.move_to(position);
        read_function_head();
    }
    for (const auto& [global, position] : initials_) {
        in_.move_to(position);
        read_initial(*global);
    }
    for (const auto& [function, position] : bodies_) {
        in_.move_to(position);
        read_body(*function);
    }
}

void Reader::read_line(std::vector<std::size_t>& globals, std::vector<std::size_t>& functions) {
    static const std::unordered_set<string_view> of_no_interest = {
        "target", "source_filename", "attributes", "uselistorder", "uselistorder_bb"};
    if (in_.is_at_line_end())
        return;
    const std::size_t begin = in_.position();
    const char first = in_.next();
    if (first == '!') {
        const string_view rest = in_.rest_of_line();
        if (rest.size() < 2 || !is_digit(rest[1]))
            return; // a list such as !llvm.ident
        read_node();
        if (!in_.is_at_line_end())
            in_.fail();
    } else if (first == '%') {
        read_named_type();
        if (!in_.is_at_line_end())
            in_.fail();
    } else if (first == '@') {
        globals.push_back(begin);
    } else if (in_.accept_word("declare")) {
        functions.push_back(begin);
    } else if (in_.accept_word("define")) {
        functions.push_back(begin);
        skip_body();
    } else if (in_.accept_word("module")) {
        refuse("inline assembly");
    } else if (first != '$' && first != '^' && of_no_interest.count(in_.peek_word()) == 0) {
        in_.fail();
    }
}

void Reader::skip_body() {
    const std::size_t head = in_.position();
    do {
        in_.go_to_next_line();
        if (in_.is_at_end()) {
            in_.move_to(head);
            in_.fail();
        }
    } while (in_.next() != '}');
}

void Reader::add_global_name(string_view name, Value& value) {
    value.name = name;
    if (!global_names_.emplace(name, &value).second)
        in_.fail();
}

void Reader::read_global() {
    in_.expect('@');
    const string_view name = in_.name();
    in_.expect('=');
    unsigned space = 0;
    bool is_external = false;
    string_view word = in_.word();
    for (; word != "global" && word != "constant"; word = in_.word()) {
        if (word.empty() || word == "alias" || word == "ifunc")
            in_.fail();
        is_external = is_external || word == "external" || word == "extern_weak";
        if (word == "addrspace") {
            in_.expect('(');
            space = in_.integer<unsigned>();
            in_.expect(')');
        } else if (in_.next() == '(') {
            in_.skip_brackets();
        }
    }
    Global& global = make<Global>(pointer(space));
    add_global_name(name, global);
    global.space = space;
    global.is_constant = word == "constant";
    global.value_type = read_type();
    global.address = address_of(space == local_space ? ++local_count_ : ++other_count_);
    global.fixed.resize(global.type->size);
    put(global.fixed, 0, global.address, sizeof global.address);
    if (const Metadata* described = attached(in_.rest_of_line(), "!dbg !"))
        global.variable = described->link("var") ? described->link("var") : described;
    if (space != local_space && global.value_type->size > largest_constant)
        in_.fail();
    if (space != local_space && !is_external)
        initials_.emplace_back(&global, in_.position());
    else if (space != local_space)
        global.initial.resize(global.value_type->size);
    module_.globals_.push_back(&global);
}

void Reader::read_initial(Global& global) {
    const Value& value = read_value(global.value_type);
    global.initial = value.fixed;
    global.initial.resize(global.value_type->size);
}

void Reader::read_function_head() {
    const bool is_definition = in_.word() == "define";
    while (in_.accept('!')) { // a declaration has its metadata here
        in_.name();
        in_.expect('!');
        in_.integer<std::uint64_t>();
    }
    Function& function = make<Function>();
    function.is_kernel = read_attributes().is_kernel;
    function.result = read_type();
    function.type = pointer(private_space);
    function.fixed.resize(function.type->size); // no address that anything lies at
    in_.expect('@');
    add_global_name(in_.name(), function);
    set_plain_name(function);
    read_parameters(function);
    const string_view rest = in_.rest_of_line();
    function.described = attached(in_.line(), "!dbg !");
    if (const Metadata* types = attached(rest, "!kernel_arg_type !")) {
        for (std::size_t i = 0; i < types->elements.size(); ++i)
            function.argument_types.push_back(types->text(std::to_string(i)));
    }
    if (is_definition) {
        if (rest.find('{') == string_view::npos)
            in_.fail();
        in_.go_to_next_line();
        bodies_.emplace_back(&function, in_.position());
    }
    assign_slots(function);
    module_.functions_.push_back(&function);
}

void Reader::read_parameters(Function& function) {
    std::size_t unnamed = 0;
    in_.expect('(');
    while (!in_.accept(')')) {
        if (in_.peek() == '.') {
            in_.expect("...");
            function.takes_more = true;
        } else {
            auto& argument = make<Argument>();
            argument.type = read_type();
            argument.by_value = read_attributes().by_value;
            argument.function = &function;
            argument.number = static_cast<unsigned>(function.arguments.size());
            if (in_.accept('%'))
                argument.name = in_.name();
            else
                argument.name = std::to_string(unnamed);
            unnamed += is_number(argument.name);
            function.arguments.push_back(&argument);
        }
        if (in_.peek() != ')')
            in_.expect(',');
    }
}

/// The Itanium ABI writes _Z, the length of the name, the name, and what the parameters are.
void Reader::set_plain_name(Function& function) {
    const string_view name = function.name;
    function.plain_name = name;
    if (!starts_with(name, "_Z"))
        return;
    const std::size_t begin = std::min(name.find_first_not_of("0123456789", 2), name.size());
    const auto length = to_number<std::size_t>(name.substr(2, begin - 2));
    if (!length || *length > name.size() - begin)
        return;
    function.plain_name = name.substr(begin, *length);
    function.parameters = name.substr(begin + *length);
}

// Metadata

Metadata& Reader::node_of(std::uint64_t number) {
    Metadata*& node = nodes_[number];
    if (node == nullptr)
        node = &module_.metadata_.emplace_back();
    return *node;
}

/// Null unless the text is "!" and a number.
const Metadata* Reader::node_named(string_view text) {
    if (text.empty() || text[0] != '!')
        return nullptr;
    const auto number = to_number<std::uint64_t>(text.substr(1));
    return number ? &node_of(*number) : nullptr;
}

/// What a line has behind "!dbg !" or the like, or null.
const Metadata* Reader::attached(string_view line, string_view key) {
    const std::size_t found = line.find(key);
    if (found == string_view::npos)
        return nullptr;
    const string_view rest = line.substr(found + key.size());
    return node_named(line.substr(found + key.size() - 1,
                                  1 + std::min(rest.find_first_not_of("0123456789"), rest.size())));
}

void Reader::read_node() {
    in_.expect('!');
    Metadata& node = node_of(in_.integer<std::uint64_t>());
    in_.expect('=');
    in_.accept_word("distinct");
    in_.expect('!');
    if (in_.accept('{')) {
        read_elements(node);
    } else {
        node.kind = in_.word();
        in_.expect('(');
        read_fields(node);
    }
}

void Reader::read_fields(Metadata& node) {
    while (!in_.accept(')')) {
        const string_view item = in_.item();
        // What DIExpression lists has no names, and nobody asks for it.
        const string_view key = item.substr(0, item.find(':'));
        if (key.size() < item.size() && std::all_of(key.begin(), key.end(), is_in_word)) {
            string_view value = item.substr(key.size() + 1);
            value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
            if (const Metadata* other = node_named(value))
                node.links.emplace(key, other);
            else if (value.size() > 1 && value.front() == '"' && value.back() == '"')
                node.fields.emplace(key, unescaped(value.substr(1, value.size() - 2)));
            else
                node.fields.emplace(key, value);
        }
        if (in_.peek() != ')')
            in_.expect(',');
    }
}

/// Elements that are no nodes become fields, which have their numbers for names.
void Reader::read_elements(Metadata& node) {
    while (!in_.accept('}')) {
        const string_view item = in_.item();
        const Metadata* other = node_named(item);
        if (other == nullptr && item != "null") {
            const bool is_text = starts_with(item, "!\"") && item.size() > 2;
            node.fields.emplace(std::to_string(node.elements.size()),
                                is_text ? unescaped(item.substr(2, item.size() - 3))
                                        : std::string(item));
        }
        node.elements.push_back(other);
        if (in_.peek() != '}')
            in_.expect(',');
    }
}

// Types

Type* Reader::named_type(string_view name) {
    Type*& type = named_types_[name];
    if (type == nullptr) {
        type = &module_.types_.emplace_back();
        type->kind = Type::Kind::structure;
        if (types_are_read_)
            laid_out_.insert(type);
    }
    return type;
}

void Reader::read_named_type() {
    in_.expect('%');
    Type& type = *named_type(in_.name());
    in_.expect('=');
    in_.expect("type");
    if (in_.accept_word("opaque"))
        return;
    if (in_.accept('<'))
        packed_.insert(&type);
    type.fields = read_field_types();
}

/// Structures may name others that come later: sizes are known when all have been read.
void Reader::lay_out_all() {
    bool is_progress = true;
    while (is_progress) {
        is_progress = false;
        for (Type& type : module_.types_)
            is_progress = (!has_layout(&type) && lay_out(type)) || is_progress;
    }
    for (const Type& type : module_.types_) {
        if (!has_layout(&type))
            throw Unreadable("a structure of the program that clang made holds itself");
    }
    types_are_read_ = true;
}

/// Returns false if it has parts whose size is not known yet.
bool Reader::lay_out(Type& type) {
    const auto has_no_layout = [this](const Type* part) { return !has_layout(part); };
    if ((type.element != nullptr && !type.is(Type::Kind::other) && !has_layout(type.element)) ||
        (type.is(Type::Kind::structure) &&
         std::any_of(type.fields.begin(), type.fields.end(), has_no_layout)))
        return false;
    switch (type.kind) {
    case Type::Kind::integer:
        type.size = power_of_two((type.bits + 7) / 8);
        type.alignment = std::min<std::size_t>(type.size, 16);
        break;
    case Type::Kind::floating:
        type.size = type.alignment = type.bits / 8;
        break;
    case Type::Kind::pointer:
        type.size = type.alignment = sizeof(Address);
        break;
    case Type::Kind::vector:
    case Type::Kind::array:
        if (type.count > largest_type / std::max<std::size_t>(type.element->size, 1))
            in_.fail();
        type.size = type.count * type.element->size;
        type.alignment = type.element->alignment;
        if (type.is(Type::Kind::vector))
            type.size = type.alignment = power_of_two(type.size);
        break;
    case Type::Kind::structure:
        lay_out_structure(type);
        break;
    case Type::Kind::nothing:
    case Type::Kind::other:
        break;
    }
    laid_out_.insert(&type);
    return true;
}

void Reader::lay_out_structure(Type& type) {
    const bool packed = packed_.count(&type) != 0;
    std::size_t size = 0;
    for (const Type* field : type.fields) {
        const std::size_t alignment = packed ? 1 : field->alignment;
        size = rounded_up(size, alignment);
        type.offsets.push_back(size);
        type.alignment = std::max(type.alignment, alignment);
        size += field->size;
        if (size > largest_type)
            in_.fail();
    }
    type.size = rounded_up(size, type.alignment);
}

/// `number` is what tells types of a kind apart: bits, space or count.
const Type* Reader::made(Type::Kind kind, std::size_t number, const Type* element) {
    const Type*& known = made_types_[{kind, number, element}];
    if (known != nullptr)
        return known;
    Type& type = module_.types_.emplace_back();
    known = &type;
    type.kind = kind;
    type.element = element;
    if (kind == Type::Kind::integer || kind == Type::Kind::floating)
        type.bits = static_cast<unsigned>(number);
    else if (kind == Type::Kind::pointer)
        type.space = static_cast<unsigned>(number);
    else
        type.count = number;
    lay_out(type);
    return known;
}

const Type* Reader::structure(std::vector<const Type*> fields, bool packed) {
    const Type*& known = structures_[{packed, fields}];
    if (known != nullptr)
        return known;
    Type& type = module_.types_.emplace_back();
    known = &type;
    type.kind = Type::Kind::structure;
    type.fields = std::move(fields);
    if (packed)
        packed_.insert(&type);
    lay_out(type);
    return known;
}

const Type* Reader::truth(const Type& like) {
    const Type* bit = made(Type::Kind::integer, 1);
    return like.is(Type::Kind::vector) ? made(Type::Kind::vector, like.count, bit) : bit;
}

const Type* Reader::read_type() {
    go_deeper();
    const Type* type = read_plain_type();
    for (;;) {
        if (in_.accept('*')) {
            type = pointer(private_space);
        } else if (in_.peek() == '(') {
            type = read_function_type(type);
        } else if (in_.accept_word("addrspace")) {
            in_.expect('(');
            type = pointer(in_.integer<unsigned>());
            in_.expect(')');
            in_.accept('*'); // `ptr` has none
        } else {
            --depth_;
            return type;
        }
    }
}

/// Keeps malformed text from exhausting the stack.
void Reader::go_deeper() {
    if (++depth_ > deepest_nesting)
        in_.fail();
}

const Type* Reader::read_plain_type() {
    using Kind = Type::Kind;
    if (in_.accept('%'))
        return named_type(in_.name());
    if (in_.peek() == '{')
        return structure(read_field_types(), false);
    const bool is_vector = in_.accept('<');
    if (is_vector && in_.peek() == '{')
        return structure(read_field_types(), true);
    if (is_vector || in_.accept('[')) {
        const auto count = in_.integer<std::size_t>();
        in_.expect("x");
        const Type* element = read_type();
        in_.expect(is_vector ? '>' : ']');
        if (is_vector && (count == 0 || element->size == 0))
            in_.fail();
        return made(is_vector ? Kind::vector : Kind::array, count, element);
    }
    const string_view word = in_.peek_word();
    if (!is_type_word(word))
        in_.fail();
    in_.word();
    if (word == "target") { // images, events and the like
        in_.skip_brackets();
        return made(Kind::pointer, private_space);
    }
    if (word[0] == 'i') {
        const auto bits = to_number<unsigned>(word.substr(1));
        if (!bits || *bits == 0 || *bits > 4096)
            in_.fail();
        return made(Kind::integer, *bits);
    }
    if (word == "half" || word == "float" || word == "double")
        return made(Kind::floating, word == "half" ? 16 : word == "float" ? 32 : 64);
    return word == "ptr" ? pointer(private_space)
                         : made(word == "void" ? Kind::nothing : Kind::other);
}

/// Reads `{ i32, float }`, and the `>` behind it if there is one.
std::vector<const Type*> Reader::read_field_types() {
    std::vector<const Type*> fields;
    in_.expect('{');
    while (!in_.accept('}')) {
        fields.push_back(read_type());
        if (in_.peek() != '}')
            in_.expect(',');
    }
    in_.accept('>');
    return fields;
}

/// Only its result is of interest: the element of the type.
const Type* Reader::read_function_type(const Type* result) {
    in_.expect('(');
    while (!in_.accept(')')) {
        if (in_.peek() == '.')
            in_.expect("...");
        else
            read_type();
        if (in_.peek() != ')')
            in_.expect(',');
    }
    return made(Type::Kind::other, 1, result);
}

// Values

Value& Reader::read_value(const Type* type) {
    go_deeper();
    Value& value = read_plain_value(type);
    --depth_;
    return value;
}

Value& Reader::read_plain_value(const Type* type) {
    const char first = in_.peek();
    if (first == '%')
        return read_local(type);
    if (in_.accept('@'))
        return global_named(in_.name());
    if (type->is(Type::Kind::other)) { // metadata: nobody asks for it
        in_.item();
        return make<Constant>(type);
    }
    if (is_digit(first) || first == '-' || first == '+')
        return read_number(type);
    if (first == '<' || first == '[' || first == '{')
        return read_elements(type);
    return read_word_constant(type);
}

Value& Reader::global_named(string_view name) {
    const auto found = global_names_.find(name);
    if (found == global_names_.end())
        in_.fail();
    return *found->second;
}

/// One that the text has not defined yet can only be an instruction.
Value& Reader::read_local(const Type* type) {
    const std::size_t position = in_.position();
    in_.expect('%');
    const string_view name = in_.name();
    Value*& local = locals_[name];
    if (local == nullptr) {
        auto& instruction = make<Instruction>();
        instruction.type = type;
        instruction.name = name;
        local = &instruction;
        undefined_.emplace(local, position);
    }
    return *local;
}

Constant& Reader::constant(const Type* type, bool undefined) {
    if (type->value_size() > largest_constant)
        in_.fail();
    auto& made = make<Constant>(type);
    made.fixed.resize(type->value_size());
    made.undefined = undefined;
    return made;
}

Constant& Reader::read_number(const Type* type) {
    Constant& number = constant(type);
    const string_view token = in_.number_token();
    if (type->is(Type::Kind::floating)) {
        read_float(number, token);
        return number;
    }
    auto bits = to_number<std::uint64_t>(token);
    if (!bits) {
        if (const auto negative = to_number<std::int64_t>(token))
            bits = static_cast<std::uint64_t>(*negative);
    }
    if (!bits || !type->is(Type::Kind::integer))
        in_.fail();
    if (token[0] == '-')
        std::fill(number.fixed.begin(), number.fixed.end(), std::byte{0xff});
    put(number.fixed, 0, *bits & below(type->bits), type->size);
    return number;
}

/// Hexadecimal digits are those of a double, also for a float; H stands before those of a half.
void Reader::read_float(Constant& constant, string_view token) {
    const unsigned bits = constant.type->bits;
    if (bits == 16) {
        const auto half = starts_with(token, "0xH") ? to_number<std::uint16_t>(token.substr(3), 16)
                                                    : std::nullopt;
        if (!half)
            in_.fail();
        put(constant.fixed, 0, *half, sizeof *half);
        return;
    }
    std::optional<double> value;
    if (starts_with(token, "0x")) {
        if (const auto pattern = to_number<std::uint64_t>(token.substr(2), 16))
            std::memcpy(&value.emplace(), &*pattern, sizeof *pattern);
    } else {
        value = to_number<double>(token.substr(token[0] == '+'));
    }
    if (!value)
        in_.fail();
    const auto narrow = static_cast<float>(*value);
    if (bits == 32)
        std::memcpy(constant.fixed.data(), &narrow, sizeof narrow);
    else
        std::memcpy(constant.fixed.data(), &*value, sizeof *value);
}

/// A vector, an array or a structure, element by element.
Constant& Reader::read_elements(const Type* type) {
    Constant& whole = constant(type, true);
    const bool is_vector = type->is(Type::Kind::vector);
    const bool is_array = type->is(Type::Kind::array);
    const bool is_packed = !is_vector && in_.accept('<');
    const char close = is_vector ? '>' : is_array ? ']' : '}';
    in_.expect(is_vector ? '<' : is_array ? '[' : '{');
    std::size_t count = 0;
    while (!in_.accept(close)) {
        const Value& part = read_typed_value();
        insert(whole, count++, part);
        const bool is_undefined = part.value_kind == Value::Kind::constant &&
                                  static_cast<const Constant&>(part).undefined;
        whole.undefined = whole.undefined && is_undefined;
        if (in_.peek() != close)
            in_.expect(',');
    }
    if (is_packed)
        in_.expect('>');
    whole.undefined = whole.undefined && count != 0;
    return whole;
}

void Reader::insert(Constant& whole, std::size_t index, const Value& part) {
    const Type& type = *whole.type;
    const bool is_structure = type.is(Type::Kind::structure);
    if (index >= (is_structure ? type.fields.size() : type.count))
        in_.fail();
    const std::size_t offset = is_structure ? type.offsets[index] : index * type.element->size;
    if (part.fixed.size() > whole.fixed.size() - offset)
        in_.fail();
    std::copy(part.fixed.begin(), part.fixed.end(),
              whole.fixed.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// What stands in quotes after a c.
Constant& Reader::read_text(const Type* type) {
    Constant& text = constant(type);
    const std::string characters = unescaped(in_.quoted());
    if (characters.size() != text.fixed.size())
        in_.fail();
    std::memcpy(text.fixed.data(), characters.data(), characters.size());
    return text;
}

Constant& Reader::read_splat(const Type* type) {
    if (!type->is(Type::Kind::vector))
        in_.fail();
    Constant& whole = constant(type);
    in_.expect('(');
    const Value& lane = read_typed_value();
    in_.expect(')');
    for (std::size_t i = 0; i < type->count; ++i)
        insert(whole, i, lane);
    return whole;
}

Value& Reader::read_word_constant(const Type* type) {
    const string_view word = in_.word();
    if (word == "null" || word == "zeroinitializer" || word == "false" || word == "none")
        return constant(type);
    if (word == "undef" || word == "poison")
        return constant(type, true);
    if (word == "c")
        return read_text(type);
    if (word == "splat")
        return read_splat(type);
    if (word != "true")
        return read_expression(word);
    Constant& one = constant(type);
    if (one.fixed.size() != 1)
        in_.fail();
    one.fixed[0] = std::byte{1};
    return one;
}

/// An operation among constants looks like an instruction, but for its parentheses.
Instruction& Reader::read_expression(string_view word) {
    const Form* form = form_of(word);
    if (form == nullptr || form->opcode < Opcode::add || form->opcode > Opcode::select ||
        form->opcode == Opcode::phi || form->opcode == Opcode::allocate ||
        form->opcode == Opcode::load || form->opcode == Opcode::store)
        in_.fail();
    auto& expression = make<Instruction>();
    expression.opcode = form->opcode;
    (this->*form->read)(expression);
    in_.expect(')');
    if (expression.type->value_size() > largest_constant)
        in_.fail();
    expression.fixed.resize(expression.type->value_size());
    evaluate(expression);
    return expression;
}

void Reader::evaluate(Instruction& expression) {
    const auto is_known = [](const Value* operand) { return !operand->fixed.empty(); };
    if (!std::all_of(expression.operands.begin(), expression.operands.end(), is_known))
        in_.fail();
    const Value& first = *expression.operands[0];
    if (expression.opcode == Opcode::step) {
        evaluate_step(expression);
    } else if (expression.opcode == Opcode::bitcast) {
        evaluate_as(expression, first);
    } else if (expression.opcode == Opcode::select && first.type->lanes() == 1) {
        evaluate_as(expression, *expression.operands[lane_of(first, 0) != 0 ? 1 : 2]);
    } else {
        for (std::size_t lane = 0; lane < expression.type->lanes(); ++lane)
            evaluate_lane(expression, lane);
    }
}

void Reader::evaluate_as(Instruction& expression, const Value& other) {
    if (other.fixed.size() != expression.fixed.size())
        in_.fail();
    expression.fixed = other.fixed;
}

void Reader::evaluate_lane(Instruction& expression, std::size_t lane) {
    const Value& first = *expression.operands[0];
    const Value& last = *expression.operands.back();
    const Type& scalar = expression.type->scalar();
    const std::uint64_t a = lane_of(first, lane);
    const std::uint64_t b = lane_of(last, lane);
    const std::int64_t signed_a = signed_lane_of(first, lane);
    std::optional<std::uint64_t> result;
    switch (expression.opcode) {
    case Opcode::sext:
        result = static_cast<std::uint64_t>(signed_a);
        break;
    case Opcode::trunc:
    case Opcode::zext:
    case Opcode::ptrtoint:
    case Opcode::inttoptr:
    case Opcode::addrspacecast:
        result = a;
        break;
    case Opcode::icmp:
        result = holds(
            expression.predicate, a == b,
            expression.predicate >= Predicate::sgt ? signed_a < signed_lane_of(last, lane) : a < b);
        break;
    default:
        result = calculated(expression.opcode, a, b, signed_a);
    }
    if (!result || scalar.is(Type::Kind::floating) || first.type->scalar().is(Type::Kind::floating))
        in_.fail();
    put(expression.fixed, lane * scalar.size, *result & below(bits_of(scalar)), scalar.size);
}

void Reader::evaluate_step(Instruction& expression) {
    if (expression.type->is(Type::Kind::vector) || expression.operands.size() < 2)
        in_.fail();
    std::uint64_t address = lane_of(*expression.operands[0], 0);
    const Type* type = expression.value_type;
    for (std::size_t i = 1; i < expression.operands.size(); ++i) {
        const auto index = static_cast<std::uint64_t>(signed_lane_of(*expression.operands[i], 0));
        if (i == 1) {
            address += index * type->size;
        } else if (type->is(Type::Kind::structure)) {
            if (index >= type->fields.size())
                in_.fail();
            address += type->offsets[index];
            type = type->fields[index];
        } else {
            if (type->element == nullptr)
                in_.fail();
            type = type->element;
            address += index * type->size;
        }
    }
    put(expression.fixed, 0, address, sizeof address);
}

// Functions

void Reader::read_body(Function& function) {
    locals_.clear();
    blocks_.clear();
    undefined_.clear();
    block_ = nullptr;
    std::size_t unnamed = 0;
    for (const Argument* argument : function.arguments) {
        unnamed += is_number(argument->name);
        locals_.emplace(argument->name, const_cast<Argument*>(argument));
    }
    for (; in_.peek() != '}'; in_.go_to_next_line()) {
        if (in_.is_at_line_end() || read_label(function))
            continue;
        if (function.blocks.empty()) // the first has no label if it has no name
            begin_block(function, in_.kept(std::to_string(unnamed)));
        if (block_ == nullptr)
            in_.fail();
        read_instruction();
    }
    if (block_ != nullptr || function.blocks.empty())
        in_.fail();
    expect_all_defined();
    assign_slots(function);
}

bool Reader::read_label(Function& function) {
    const std::size_t begin = in_.position();
    if (in_.next() == '"' || is_in_name(in_.next())) {
        const string_view name = in_.name();
        if (in_.next() == ':') {
            begin_block(function, name);
            return true;
        }
        in_.move_to(begin);
    }
    return false;
}

void Reader::begin_block(Function& function, string_view name) {
    Block& block = block_named(name);
    if (block.function != nullptr || block_ != nullptr)
        in_.fail();
    block.function = &function;
    block.number = function.blocks.size();
    undefined_.erase(&block);
    function.blocks.push_back(&block);
    block_ = &block;
}

Block& Reader::block_named(string_view name) {
    Block*& block = blocks_[name];
    if (block == nullptr) {
        block = &make<Block>();
        block->name = name;
        block->type = made(Type::Kind::other);
        undefined_.emplace(block, in_.position());
    }
    return *block;
}

void Reader::expect_all_defined() {
    if (undefined_.empty())
        return;
    const auto first =
        std::min_element(undefined_.begin(), undefined_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    in_.move_to(first->second);
    in_.fail();
}

void Reader::assign_slots(Function& function) {
    std::size_t size = 0;
    const auto assign = [&](const Value* value) {
        const_cast<Value*>(value)->slot = static_cast<std::uint32_t>(size);
        size += rounded_up(value->type->value_size(), 8);
        if (size > largest_frame)
            in_.fail();
    };
    for (const Argument* argument : function.arguments)
        assign(argument);
    for (const Block* block : function.blocks) {
        for (const Instruction* instruction : block->instructions) {
            if (!instruction->type->is(Type::Kind::nothing))
                assign(instruction);
        }
    }
    function.frame_size = size;
}

/// Debug information and the like, which does nothing. Returns false if it is an instruction.
bool Reader::read_note() {
    const string_view rest = in_.rest_of_line();
    for (const string_view variable : {"#dbg_declare(", "call void @llvm.dbg.declare("}) {
        if (starts_with(rest, variable)) {
            in_.expect(variable);
            read_variable();
            return true;
        }
    }
    return starts_with(rest, "#dbg_") || starts_with(rest, "call void @llvm.dbg.") ||
           starts_with(rest, "call void @llvm.lifetime.");
}

/// Reads `metadata ptr %x, metadata !45, ...`; records leave out the word metadata.
void Reader::read_variable() {
    in_.accept_word("metadata");
    if (in_.peek() == '!')
        return;
    read_type();
    if (!in_.accept('%'))
        return;
    const auto found = locals_.find(in_.name());
    in_.expect(',');
    in_.accept_word("metadata");
    const Metadata* variable = node_named(in_.item());
    if (found != locals_.end() && as(found->second, Opcode::allocate) != nullptr)
        static_cast<Instruction*>(found->second)->variable = variable;
}

void Reader::read_instruction() {
    string_view name;
    if (in_.accept('%')) {
        name = in_.name();
        in_.expect('=');
    }
    for (const string_view kind_of_call : {"tail", "musttail", "notail"})
        in_.accept_word(kind_of_call);
    in_.peek();
    if (read_note())
        return;
    const string_view word = in_.word();
    const Form* form = form_of(word);
    if (word == "invoke" || word == "landingpad" || word == "callbr" || word == "indirectbr" ||
        word == "va_arg")
        refuse("`" + std::string(word) + "`");
    if (form == nullptr)
        in_.fail();
    Instruction& instruction = defined(name);
    instruction.opcode = form->opcode;
    instruction.block = block_;
    instruction.type = made(Type::Kind::nothing);
    (this->*form->read)(instruction);
    finish(instruction);
}

Instruction& Reader::defined(string_view name) {
    if (name.empty())
        return make<Instruction>();
    Value*& local = locals_[name];
    if (local == nullptr) {
        auto& instruction = make<Instruction>();
        instruction.name = name;
        local = &instruction;
    } else if (undefined_.erase(local) == 0) {
        in_.fail(); // a second one of this name
    }
    return static_cast<Instruction&>(*local);
}

/// What follows the operands of all instructions, and the end of a block.
void Reader::finish(Instruction& instruction) {
    read_attributes();
    if (!in_.is_at_line_end() && std::strchr(",#[", in_.next()) == nullptr)
        in_.fail();
    const string_view rest = in_.rest_of_line();
    if (const Metadata* place = attached(rest, "!dbg !")) {
        instruction.line = number_in(*place, "line");
        instruction.column = number_in(*place, "column");
    }
    if (const Metadata* loop = attached(rest, "!llvm.loop !"))
        set_loop(*block_, *loop);
    instruction.position = block_->instructions.size();
    instruction.number = module_.instructions_++;
    block_->instructions.push_back(&instruction);
    if (leaves_block(instruction.opcode))
        block_ = nullptr;
}

void Reader::set_loop(Block& block, const Metadata& loop) {
    std::vector<const Metadata*> places;
    for (const Metadata* element : loop.elements) {
        if (element != nullptr && element->kind == "DILocation")
            places.push_back(element);
    }
    if (places.empty())
        return;
    block.loop_begin_line = number_in(*places[0], "line");
    block.loop_begin_column = number_in(*places[0], "column");
    if (places.size() > 1) {
        block.loop_end_line = number_in(*places[1], "line");
        block.loop_end_column = number_in(*places[1], "column");
    }
}

// Instructions

const Reader::Form* Reader::form_of(string_view word) {
    using O = Opcode;
    using R = Reader;
    static const auto forms = [] {
        std::unordered_map<string_view, Form> all = {
            {"ret", {O::give_back, &R::read_give_back}},
            {"br", {O::branch, &R::read_branch}},
            {"switch", {O::choose, &R::read_choose}},
            {"unreachable", {O::unreachable, &R::read_nothing}},
            {"fneg", {O::negate, &R::read_one}},
            {"extractelement", {O::extract_element, &R::read_extract_element}},
            {"insertelement", {O::insert_element, &R::read_insert_element}},
            {"shufflevector", {O::shuffle, &R::read_shuffle}},
            {"extractvalue", {O::extract_value, &R::read_extract_value}},
            {"insertvalue", {O::insert_value, &R::read_insert_value}},
            {"alloca", {O::allocate, &R::read_allocate}},
            {"load", {O::load, &R::read_load}},
            {"store", {O::store, &R::read_store}},
            {"getelementptr", {O::step, &R::read_step}},
            {"icmp", {O::icmp, &R::read_compare}},
            {"fcmp", {O::fcmp, &R::read_compare}},
            {"phi", {O::phi, &R::read_phi}},
            {"select", {O::select, &R::read_select}},
            {"call", {O::call, &R::read_call}},
            {"freeze", {O::freeze, &R::read_one}},
            {"atomicrmw", {O::atomicrmw, &R::read_atomicrmw}},
            {"cmpxchg", {O::cmpxchg, &R::read_cmpxchg}},
            {"fence", {O::fence, &R::read_nothing}}};
        // These stand in the order of the enumerators.
        const auto add = [&](O first, auto read, std::initializer_list<string_view> names) {
            auto opcode = static_cast<int>(first);
            for (const string_view name : names)
                all[name] = {static_cast<O>(opcode++), read};
        };
        add(O::add, &R::read_two,
            {"add", "fadd", "sub", "fsub", "mul", "fmul", "udiv", "sdiv", "fdiv", "urem", "srem",
             "frem", "shl", "lshr", "ashr", "and", "or", "xor"});
        add(O::trunc, &R::read_conversion,
            {"trunc", "zext", "sext", "fptrunc", "fpext", "uitofp", "sitofp", "fptoui", "fptosi",
             "ptrtoint", "inttoptr", "bitcast", "addrspacecast"});
        return all;
    }();
    const auto found = forms.find(word);
    return found == forms.end() ? nullptr : &found->second;
}

/// Reads all the words up to a type, a value or a sign: attributes, flags, orderings, linkage.
Reader::Attributes Reader::read_attributes() {
    Attributes found;
    for (;;) {
        if (in_.peek() == '"') {
            in_.quoted();
            if (in_.accept('='))
                in_.quoted();
            continue;
        }
        const string_view word = in_.peek_word();
        if (word.empty() || !is_letter(word[0]) || is_type_word(word) || is_constant_word(word) ||
            form_of(word) != nullptr)
            return found;
        in_.word();
        found.is_volatile = found.is_volatile || word == "volatile";
        found.is_kernel = found.is_kernel || word == "spir_kernel";
        if (word == "byval" && in_.next() == '(') {
            in_.expect('(');
            found.by_value = read_type();
            in_.expect(')');
        } else if (in_.next() == '(') {
            in_.skip_brackets();
        } else if ((word == "align" || word == "cc") && is_digit(in_.peek())) {
            in_.integer<unsigned>();
        }
    }
}

/// A comma may also come before `!dbg` or `align`.
bool Reader::accept_comma_before_value() {
    const std::size_t before = in_.position();
    if (!in_.accept(','))
        return false;
    if (in_.peek() != '!' && in_.peek_word() != "align" && in_.peek_word() != "addrspace")
        return true;
    in_.move_to(before);
    return false;
}

void Reader::add(Instruction& instruction, Value& operand) {
    instruction.operands.push_back(&operand);
    operand.users.push_back(&instruction);
}

/// Names what the reader does not know, and where the source has it if that is known.
void Reader::refuse(const std::string& what) {
    const Metadata* place = attached(in_.line(), "!dbg !");
    const int line = place == nullptr ? 0 : number_in(*place, "line");
    throw Unreadable(what + (line == 0 ? "" : " in line " + std::to_string(line)) +
                     ", which cannot be read");
}

const Block* Reader::read_destination() {
    in_.expect("label");
    in_.expect('%');
    return &block_named(in_.name());
}

void Reader::read_give_back(Instruction& instruction) {
    const Type* type = read_type();
    if (!type->is(Type::Kind::nothing))
        add(instruction, read_value(type));
}

void Reader::read_branch(Instruction& instruction) {
    if (in_.peek_word() != "label") {
        add(instruction, read_typed_value());
        in_.expect(',');
        instruction.successors.push_back(read_destination());
        in_.expect(',');
    }
    instruction.successors.push_back(read_destination());
}

void Reader::read_choose(Instruction& instruction) {
    add(instruction, read_typed_value());
    in_.expect(',');
    instruction.successors.push_back(read_destination());
    in_.expect('[');
    while (in_.peek_further() != ']') {
        instruction.cases.push_back(signed_lane_of(read_typed_value(), 0));
        in_.expect(',');
        instruction.successors.push_back(read_destination());
    }
    in_.expect(']');
}

void Reader::read_operands(Instruction& instruction) {
    read_attributes();
    if (instruction.block == nullptr)
        in_.expect('(');
    add(instruction, read_typed_value());
}

void Reader::read_one(Instruction& instruction) {
    read_operands(instruction);
    instruction.type = instruction.operands[0]->type;
}

/// The second operand has the first one's type, which only expressions among constants repeat.
void Reader::read_two(Instruction& instruction) {
    read_operands(instruction);
    instruction.type = instruction.operands[0]->type;
    in_.expect(',');
    if (instruction.block == nullptr)
        read_type();
    add(instruction, read_value(instruction.type));
}

void Reader::read_compare(Instruction& instruction) {
    std::optional<Predicate> predicate;
    while (!predicate) {
        const string_view word = in_.word();
        if (word.empty())
            in_.fail();
        predicate = predicate_of(instruction.opcode, word);
    }
    instruction.predicate = *predicate;
    read_two(instruction);
    instruction.type = truth(*instruction.type);
}

void Reader::read_conversion(Instruction& instruction) {
    read_operands(instruction);
    in_.expect("to");
    instruction.type = read_type();
}

void Reader::read_extract_element(Instruction& instruction) {
    read_operands(instruction);
    if (!instruction.operands[0]->type->is(Type::Kind::vector))
        in_.fail();
    instruction.type = instruction.operands[0]->type->element;
    in_.expect(',');
    add(instruction, read_typed_value());
}

void Reader::read_insert_element(Instruction& instruction) {
    read_extract_element(instruction);
    instruction.type = instruction.operands[0]->type;
    in_.expect(',');
    add(instruction, read_typed_value());
}

void Reader::read_shuffle(Instruction& instruction) {
    read_extract_element(instruction);
    in_.expect(',');
    read_mask(instruction);
    instruction.type = made(Type::Kind::vector, instruction.mask.size(), instruction.type);
}

void Reader::read_mask(Instruction& instruction) {
    const Type* type = read_type();
    if (!type->is(Type::Kind::vector) || type->count > largest_mask)
        in_.fail();
    const auto number_of = [](const Value& value, std::size_t lane) {
        const bool is_any = value.value_kind == Value::Kind::constant &&
                            static_cast<const Constant&>(value).undefined;
        return is_any ? -1 : static_cast<int>(signed_lane_of(value, lane));
    };
    if (!in_.accept('<')) {
        const Value& mask = read_value(type);
        for (std::size_t i = 0; i < type->count; ++i)
            instruction.mask.push_back(number_of(mask, i));
        return;
    }
    for (std::size_t i = 0; i < type->count; ++i) {
        if (i != 0)
            in_.expect(',');
        instruction.mask.push_back(number_of(read_typed_value(), 0));
    }
    in_.expect('>');
}

/// Returns the type of the part that they lead to.
const Type* Reader::read_indices(Instruction& instruction, const Type* type) {
    while (accept_comma_before_value()) {
        const auto index = in_.integer<unsigned>();
        if (index < type->fields.size())
            type = type->fields[index];
        else if (type->is(Type::Kind::array))
            type = type->element;
        else
            in_.fail();
        instruction.indices.push_back(index);
    }
    return type;
}

void Reader::read_extract_value(Instruction& instruction) {
    read_operands(instruction);
    instruction.type = read_indices(instruction, instruction.operands[0]->type);
}

void Reader::read_insert_value(Instruction& instruction) {
    read_operands(instruction);
    instruction.type = instruction.operands[0]->type;
    in_.expect(',');
    add(instruction, read_typed_value());
    read_indices(instruction, instruction.type);
}

void Reader::read_allocate(Instruction& instruction) {
    read_attributes();
    instruction.value_type = read_type();
    if (accept_comma_before_value())
        add(instruction, read_typed_value());
    const string_view rest = in_.rest_of_line();
    constexpr string_view key = ", addrspace(";
    const std::size_t found = rest.find(key);
    unsigned space = private_space;
    if (found != string_view::npos) {
        const string_view number = rest.substr(found + key.size());
        space = to_number<unsigned>(number.substr(0, number.find(')'))).value_or(private_space);
    }
    instruction.type = pointer(space);
}

void Reader::read_load(Instruction& instruction) {
    instruction.is_volatile = read_attributes().is_volatile;
    instruction.type = instruction.value_type = read_type();
    in_.expect(',');
    add(instruction, read_typed_value());
}

void Reader::read_store(Instruction& instruction) {
    instruction.is_volatile = read_attributes().is_volatile;
    Value& value = read_typed_value();
    in_.expect(',');
    Value& pointer = read_typed_value();
    if (Instruction* insertion = insertion_into(value, pointer)) {
        Value& lane = changeable(insertion->operands[1]);
        become_lane_address(*insertion, pointer);
        add(instruction, lane);
        add(instruction, *insertion);
    } else {
        add(instruction, value);
        add(instruction, pointer);
    }
    instruction.value_type = instruction.operands[0]->type;
}

/// clang makes of "v.x = 1" a load of all of v, an insertion and a store of all of it. That insertion,
/// if `value`, about to be stored at `pointer`, is such a one.
Instruction* Reader::insertion_into(Value& value, const Value& pointer) const {
    const Instruction* insertion = as(&value, Opcode::insert_element);
    const Instruction* load =
        insertion == nullptr ? nullptr : as(insertion->operands[0], Opcode::load);
    const bool found = load != nullptr && value.users.empty() && insertion->block == block_ &&
                       load->block == block_ && load->operands[0] == &pointer &&
                       load->users.size() == 1;
    return found ? static_cast<Instruction*>(&value) : nullptr;
}

/// Then the load is none, and what was inserted is stored to its lane: other lanes stay out of it.
void Reader::become_lane_address(Instruction& insertion, Value& pointer) {
    const Value* load = insertion.operands[0];
    auto& instructions = block_->instructions;
    instructions.erase(std::find(instructions.begin(), instructions.end(), load));
    for (std::size_t i = 0; i < instructions.size(); ++i)
        changeable(instructions[i]).position = i;
    const auto forget = [](Value& value, const Value* user) {
        value.users.erase(std::find(value.users.begin(), value.users.end(), user));
    };
    forget(pointer, load);
    forget(changeable(insertion.operands[1]), &insertion);
    Value& lane = changeable(insertion.operands[2]);
    forget(lane, &insertion);
    insertion.opcode = Opcode::step;
    insertion.value_type = insertion.type->element;
    insertion.type = pointer.type;
    insertion.operands.clear();
    add(insertion, pointer);
    add(insertion, lane);
}

void Reader::read_step(Instruction& instruction) {
    read_attributes();
    if (instruction.block == nullptr)
        in_.expect('(');
    instruction.value_type = read_type();
    in_.expect(',');
    add(instruction, read_typed_value());
    instruction.type = instruction.operands[0]->type;
    while (accept_comma_before_value()) {
        read_attributes(); // inrange
        Value& index = read_typed_value();
        add(instruction, index);
        if (index.type->is(Type::Kind::vector) && !instruction.type->is(Type::Kind::vector))
            instruction.type = made(Type::Kind::vector, index.type->count, instruction.type);
    }
}

void Reader::read_phi(Instruction& instruction) {
    read_attributes();
    instruction.type = read_type();
    do {
        in_.expect('[');
        add(instruction, read_value(instruction.type));
        in_.expect(',');
        in_.expect('%');
        instruction.successors.push_back(&block_named(in_.name()));
        in_.expect(']');
    } while (accept_comma_before_value());
}

void Reader::read_select(Instruction& instruction) {
    read_operands(instruction);
    in_.expect(',');
    Value& chosen = read_typed_value();
    add(instruction, chosen);
    instruction.type = chosen.type;
    in_.expect(',');
    add(instruction, read_typed_value());
}

void Reader::read_call(Instruction& instruction) {
    read_attributes();
    const Type* type = read_type();
    instruction.type =
        type->is(Type::Kind::other) && type->element != nullptr ? type->element : type;
    read_callee(instruction);
    in_.expect('(');
    while (!in_.accept(')')) {
        const Type* of_argument = read_type();
        instruction.by_value.push_back(read_attributes().by_value);
        add(instruction, read_value(of_argument));
        if (in_.peek() != ')')
            in_.expect(',');
    }
}

void Reader::read_callee(Instruction& call) {
    if (in_.peek_word() == "asm")
        refuse("inline assembly");
    const Value* callee = &read_value(pointer(private_space));
    while (as(callee, Opcode::bitcast) != nullptr || as(callee, Opcode::addrspacecast) != nullptr)
        callee = as_instruction(callee)->operands[0];
    if (callee->value_kind == Value::Kind::function)
        call.callee = static_cast<const Function*>(callee);
}

void Reader::read_atomicrmw(Instruction& instruction) {
    instruction.is_volatile = in_.accept_word("volatile");
    instruction.operation = in_.word();
    add(instruction, read_typed_value());
    in_.expect(',');
    add(instruction, read_typed_value());
    instruction.type = instruction.value_type = instruction.operands[1]->type;
}

void Reader::read_cmpxchg(Instruction& instruction) {
    instruction.is_volatile = read_attributes().is_volatile;
    add(instruction, read_typed_value());
    in_.expect(',');
    add(instruction, read_typed_value());
    in_.expect(',');
    add(instruction, read_typed_value());
    instruction.value_type = instruction.operands[1]->type;
    instruction.type = structure({instruction.value_type, made(Type::Kind::integer, 1)}, false);
}

// The module

Module::Module(const std::string& text) { Reader(text, *this).read(); }

Module::~Module() = default;

const Function* Module::function(const std::string& name) const {
    const auto found = std::find_if(functions_.begin(), functions_.end(),
                                    [&](const Function* one) { return one->name == name; });
    return found == functions_.end() ? nullptr : *found;
}

} // namespace labgrind::ir
