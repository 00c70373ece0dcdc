#include "labgrind/reports/names.hpp"

#include "labgrind/program/instructions.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>

namespace labgrind {
namespace {

using Kind = ir::Type::Kind;
using ir::Metadata;
using vm::Size3;

std::string show(const Size3& id, std::size_t dimensions) {
    std::string text = std::to_string(id[0]);
    if (dimensions > 1)
        text = "(" + text + ", " + std::to_string(id[1]) +
               (dimensions > 2 ? ", " + std::to_string(id[2]) : "") + ")";
    return text;
}

// --- types ------------------------------------------------------------------------------------------

/// The type that a variable is declared with, or null for a parameter.
const ir::Type* declared_type(const ir::Value* value) {
    if (const ir::Instruction* variable = ir::as(value, ir::Opcode::allocate))
        return variable->value_type;
    const ir::Global* global = ir::as_global(value);
    return global == nullptr ? nullptr : global->value_type;
}

/// The type that a parameter has in the source, or null.
const Metadata* parameter_type(const ir::Argument& parameter) {
    const Metadata* function = parameter.function->described;
    const Metadata* type = function == nullptr ? nullptr : function->link("type");
    const Metadata* types = type == nullptr ? nullptr : type->link("types");
    const std::size_t index = parameter.number + 1; // the type of the result comes first
    return types != nullptr && index < types->elements.size() ? types->elements[index] : nullptr;
}

/// The type that a variable or a parameter has in the source, or null.
const Metadata* source_type(const ir::Value* value) {
    if (const ir::Argument* parameter = ir::as_argument(value))
        return parameter_type(*parameter);
    const Metadata* described = nullptr;
    if (const ir::Global* global = ir::as_global(value))
        described = global->variable;
    else if (const ir::Instruction* variable = ir::as(value, ir::Opcode::allocate))
        described = variable->variable;
    return described == nullptr ? nullptr : described->link("type");
}

bool is_derived(const Metadata* type) { return type->kind == "DIDerivedType"; }
bool is_composite(const Metadata* type) { return type->kind == "DICompositeType"; }
bool is_pointer(const Metadata* type) {
    return is_derived(type) && type->text("tag") == "DW_TAG_pointer_type";
}
/// An array, or a vector.
bool is_array(const Metadata* type) {
    return is_composite(type) && type->text("tag") == "DW_TAG_array_type";
}
bool is_vector(const Metadata* type) {
    return is_array(type) && type->text("flags").find("DIFlagVector") != std::string::npos;
}
bool is_struct(const Metadata* type) {
    return is_composite(type) && (type->text("tag") == "DW_TAG_structure_type" ||
                                  type->text("tag") == "DW_TAG_union_type");
}

/// `type` without typedefs and qualifiers; null: void.
const Metadata* bare(const Metadata* type) {
    while (type != nullptr && is_derived(type) && !is_pointer(type))
        type = type->link("baseType");
    return type;
}

/// The struct that `type` is, points to or has elements of, or null.
const Metadata* struct_in(const Metadata* type) {
    while (type != nullptr) {
        if (is_composite(type) && !is_array(type))
            return type;
        type = type->link("baseType");
    }
    return nullptr;
}

std::size_t lanes_of(const Metadata* vector) {
    const Metadata* ranges = vector->link("elements");
    return ranges == nullptr || ranges->elements.empty() || ranges->elements.front() == nullptr
               ? 1
               : static_cast<std::size_t>(ranges->elements.front()->number("count"));
}

/// Fills in the elements of a variable from `type`, the type of a parameter.
void describe_elements(Names::Variable& variable, const Metadata* type) {
    constexpr std::size_t byte = 8; // debug information counts in bits
    const Metadata* element = bare(type);
    if (element == nullptr)
        return;
    if (is_pointer(element))
        element = bare(element->link("baseType"));
    while (element != nullptr && is_array(element) && !is_vector(element))
        element = bare(element->link("baseType"));
    if (element == nullptr) {
        variable.element_size = 1; // void
        return;
    }
    variable.element_size = static_cast<std::size_t>(element->number("size")) / byte;
    variable.lanes = is_vector(element) ? lanes_of(element) : 1;
    variable.is_struct = is_struct(element);
}

/// The same for `type`, the declared type of a variable.
void describe_elements(Names::Variable& variable, const ir::Type* type) {
    variable.scalar = !type->is(Kind::array);
    for (; type->is(Kind::array); type = type->element)
        variable.extents.push_back(type->count);
    variable.element_size = type->size;
    variable.lanes = type->lanes();
    variable.is_struct = type->is(Kind::structure);
}

/// ".count" for the member of a struct that the `size` bytes at `offset` are, or "".
std::string member_name(const Metadata* type, std::size_t offset, std::size_t size) {
    constexpr std::int64_t byte = 8; // debug information counts in bits
    const Metadata* members = type->link("elements");
    if (members == nullptr)
        return "";
    for (const Metadata* member : members->elements) {
        if (member != nullptr && member->text("tag") == "DW_TAG_member" &&
            member->number("offset") == static_cast<std::int64_t>(offset) * byte &&
            member->number("size") == static_cast<std::int64_t>(size) * byte)
            return "." + member->text("name");
    }
    return "";
}

// --- elements ---------------------------------------------------------------------------------------

/// "[12]", or "[3][0]" for element 12 of rows of 4; an index out of bounds stays flat.
std::string indices(const std::vector<std::size_t>& extents, std::int64_t index) {
    const std::size_t count =
        std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
    if (extents.size() < 2 || index < 0 || static_cast<std::size_t>(index) >= count)
        return "[" + std::to_string(index) + "]";
    std::string text;
    auto rest = static_cast<std::size_t>(index);
    for (std::size_t i = extents.size(); i-- > 0;) {
        text.insert(0, "[" + std::to_string(rest % extents[i]) + "]");
        rest /= extents[i];
    }
    return text;
}

// --- pieces of memory -------------------------------------------------------------------------------

/// The parameter or variable of a kernel that is this piece of local memory, or null.
const ir::Value* find_local(const vm::Launch& launch, std::size_t buffer) {
    std::size_t last = 0; // pieces so far: variables come first
    for (const ir::Global* global : launch.module().globals()) {
        if (global->space != ir::local_space)
            continue;
        ++last;
        if (ir::buffer_of(global->address) == buffer)
            return global;
    }
    const auto& arguments = launch.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].local_size != 0 && ++last == buffer)
            return launch.kernel().arguments[i];
    }
    return nullptr;
}

/// The parameters of a kernel that are this buffer in global memory.
std::vector<const ir::Value*> find_global(const vm::Launch& launch, std::size_t buffer) {
    std::vector<const ir::Value*> found;
    const auto& arguments = launch.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const ir::Argument* argument = launch.kernel().arguments[i];
        const std::vector<std::byte>& value = arguments[i].value;
        ir::Address address = 0;
        if (!argument->type->is(Kind::pointer) || argument->type->space == ir::local_space ||
            argument->by_value != nullptr || value.size() != sizeof address)
            continue;
        std::memcpy(&address, value.data(), sizeof address);
        if (ir::buffer_of(address) == buffer)
            found.push_back(argument);
    }
    return found;
}

} // namespace

std::string lane_name(std::size_t lane, std::size_t lanes) {
    constexpr const char* short_names = "xyzw";
    constexpr const char* digits = "0123456789abcdef";
    return lanes <= 4 ? std::string(1, short_names[lane]) : std::string("s") + digits[lane];
}

std::string list(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string list_lines(const std::vector<int>& lines) {
    std::vector<std::string> numbers;
    std::ranges::transform(lines, std::back_inserter(numbers),
                           [](int line) { return std::to_string(line); });
    return (lines.size() == 1 ? "line " : "lines ") + list(numbers);
}

std::string source_name(const ir::Value* value) {
    // Of two variables of the same name in a function, one has a number in the text.
    const ir::Instruction* variable = ir::as(value, ir::Opcode::allocate);
    if (variable != nullptr && variable->variable != nullptr)
        return variable->variable->text("name");
    std::string name = value->name;
    if (!name.empty() && name.front() >= '0' && name.front() <= '9')
        return ""; // it only has a number
    if (ir::as_global(value) != nullptr)
        name.erase(0, name.find('.') + 1);
    return name.substr(0, name.find('.'));
}

Names::Names(vm::Launch& launch) : launch_(&launch) {
    const Size3& size = launch.global_size;
    dimensions_ = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
}

std::string Names::group(std::uint32_t index) const {
    return "group " + show(vm::position(index, launch_->group_counts()), dimensions_);
}

std::string Names::item_of_group(std::uint32_t local) const {
    return "work-item " + show(vm::position(local, launch_->group_size), dimensions_);
}

std::string Names::item(std::uint32_t number) const {
    const auto size = static_cast<std::uint32_t>(vm::volume(launch_->group_size));
    return item_of_group(number % size) + " of " + group(number / size);
}

std::string Names::items(const std::vector<std::uint32_t>& locals) const {
    const auto name = [&](std::uint32_t local) {
        return show(vm::position(local, launch_->group_size), dimensions_);
    };
    if (locals.size() == 1)
        return item_of_group(locals.front());
    if (locals.size() == 2 || locals.back() - locals.front() + 1 == locals.size())
        return "work-items " + name(locals.front()) + (locals.size() == 2 ? " and " : " to ") +
               name(locals.back());
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
    const vm::Memory* memory = &launch_->global_memory();
    const ir::Value* found = nullptr;
    if (space == ir::private_space) {
        memory = &item.item->private_memory();
        found = item.values.variable(buffer);
    } else if (space == ir::local_space) {
        memory = &group.handle->local_memory();
        found = find_local(*launch_, buffer);
    } else {
        const std::vector<const ir::Value*> parameters = find_global(*launch_, buffer);
        found = parameters.empty() ? nullptr : parameters.front();
    }
    Variable variable;
    if (buffer != 0 && buffer <= memory->pieces())
        variable.size = memory->size_of(static_cast<std::uint32_t>(buffer));
    if (found == nullptr)
        return variable;
    variable.name = source_name(found);
    variable.described = source_type(found);
    variable.parameter = ir::as_argument(found);
    if (const ir::Type* declared = declared_type(found))
        describe_elements(variable, declared);
    else
        describe_elements(variable, variable.described);
    return variable;
}

std::size_t Names::groups() const { return vm::volume(launch_->group_counts()); }

std::string Names::limit_of(std::uint64_t count, std::size_t lanes) const {
    constexpr std::uint64_t most_by_chance = 2; // strides and the like are often so small
    std::vector<const ir::Argument*> integers;
    std::ranges::copy_if(
        launch_->kernel().arguments, std::back_inserter(integers),
        [](const ir::Argument* parameter) { return parameter->type->is(Kind::integer); });
    // A function can compare it, such as min().
    const auto is_compared = [](const ir::Argument* parameter) {
        return std::ranges::any_of(users_of(parameter), [](const ir::Instruction* user) {
            return user->opcode == ir::Opcode::icmp || user->opcode == ir::Opcode::call;
        });
    };
    const auto is_other = [&](const ir::Argument* parameter) {
        const std::vector<std::byte>& given = launch_->arguments()[parameter->number].value;
        return vm::number_at(given.data(), given.size()) / lanes != count ||
               (integers.size() > 1 && (count <= most_by_chance || !is_compared(parameter)));
    };
    std::erase_if(integers, is_other);
    return integers.size() != 1
               ? ""
               : source_name(integers.front()) + (lanes == 1 ? "" : " / " + std::to_string(lanes));
}

std::string Names::shared_by(std::size_t buffer) const {
    const std::vector<const ir::Value*> parameters = find_global(*launch_, buffer);
    return parameters.size() < 2
               ? ""
               : source_name(parameters[0]) + " and as " + source_name(parameters[1]);
}

std::string Names::element(const Variable& variable, std::int64_t offset, std::size_t access_size) {
    const std::size_t element = variable.element_size != 0 ? variable.element_size : access_size;
    const auto size = static_cast<std::int64_t>(std::max<std::size_t>(element, 1));
    const std::int64_t index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
    const auto within = static_cast<std::size_t>(offset - index * size);
    std::string text = variable.name;
    if (!variable.scalar || index != 0)
        text += indices(variable.extents, index);
    if (variable.lanes > 1 && access_size < element)
        return text + "." + lane_name(within / (element / variable.lanes), variable.lanes);
    if (!variable.is_struct)
        return text;
    const Metadata* described = struct_in(variable.described);
    const std::string member =
        described == nullptr ? "" : member_name(described, within, access_size);
    return text + (member.empty() ? " (bytes " + std::to_string(within) + " to " +
                                        std::to_string(within + access_size - 1) + ")"
                                  : member);
}

const vm::Memory& Names::global_memory() const { return launch_->global_memory(); }

std::string Names::at(const vm::Memory& memory, ir::Address address, std::size_t access_size,
                      const Group& group, const Item& item) const {
    const Variable found = variable(memory.space(), ir::buffer_of(address), group, item);
    if (found.name.empty())
        return "the same memory";
    return element(found, static_cast<std::int64_t>(ir::offset_of(address)), access_size);
}

} // namespace labgrind
