#include "labgrind/reports/reports.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace labgrind {
namespace {

/// The present value of `input`, see inputs_of_indices(), while `item` executes an instruction of
/// `block`; nothing if it is no longer known: blocks share registers, see ir.cpp.
std::optional<std::int64_t> value_of(const vm::WorkItem& item, const ir::Instruction& input,
                                     const ir::Block* block) {
    if (!input.type->is(ir::Type::Kind::integer))
        return std::nullopt;
    if (input.block == block)
        return item.operand(&input).get_signed();
    if (input.opcode != ir::Opcode::load)
        return std::nullopt;
    const ir::Instruction* variable = ir::as(input.operands[0], ir::Opcode::allocate);
    if (variable == nullptr)
        return std::nullopt;
    const auto is_elsewhere = [&](const ir::Instruction* user) {
        return user->block != variable->block;
    };
    if (std::ranges::none_of(variable->users, is_elsewhere))
        return std::nullopt;
    const vm::Address address = item.operand(variable).get_address();
    const std::size_t size = input.type->value_size();
    if (!item.private_memory().is_valid(address, size))
        return std::nullopt;
    const std::uint64_t bits = vm::number_at(item.private_memory().at(address), size);
    return size == sizeof(std::int32_t) ? static_cast<std::int32_t>(bits)
                                        : static_cast<std::int64_t>(bits);
}

/// "lid", or "get_global_id(0)"; "" for a part of a variable.
std::string name_of(const ir::Instruction& input) {
    if (input.opcode != ir::Opcode::call)
        return ir::as(input.operands[0], ir::Opcode::allocate) == nullptr
                   ? ""
                   : source_name(input.operands[0]);
    const bool has_dimension = !input.operands.empty() && !input.operands[0]->fixed.empty();
    return input.callee->plain_name + "(" +
           (has_dimension ? std::to_string(vm::number_at(input.operands[0]->fixed.data(),
                                                         sizeof(std::uint32_t)))
                          : "") +
           ")";
}

/// " (set at lines 15, 24 and 37)" if `input` is the value of a variable that several lines set, but not
/// many; "" otherwise.
std::string lines_that_set(const ir::Instruction& input) {
    constexpr std::size_t most = 4;
    std::set<int> lines;
    if (const ir::Instruction* variable = loaded_variable(&input)) {
        for (const ir::Instruction* store : stores_to(*variable))
            lines.insert(store->line);
    }
    lines.erase(0);
    if (lines.size() < 2 || lines.size() > most)
        return "";
    return " (set at " + list_lines({lines.begin(), lines.end()}) + ")";
}

/// ", called at line 126, and that at line 140", or "" in the kernel itself.
std::string called_at(const vm::WorkItem& item) {
    std::string text;
    for (const int line : item.call_lines())
        text += (text.empty() ? ", called at line " : ", and that at line ") + std::to_string(line);
    return text;
}

/// What ends the loop around `access`, if one of `inputs` decides that: reads of variables.
std::vector<const ir::Instruction*>
ends_of_loop(Loops& loops, const ir::Instruction* access,
             const std::vector<const ir::Instruction*>& inputs) {
    const auto condition = loops.condition_around(access);
    const auto is_input = [&](const ir::Instruction* read) {
        return std::ranges::any_of(inputs, [&](const ir::Instruction* input) {
            return loaded_variable(input) == loaded_variable(read);
        });
    };
    if (!condition || std::ranges::none_of(condition->reads, is_input))
        return {};
    return condition->reads;
}

/// The parameters of their function that these values are computed from, each once.
std::vector<const ir::Argument*> parameters_behind(const std::vector<const ir::Value*>& values) {
    std::vector<const ir::Argument*> parameters;
    for (const ir::Value* value : values)
        visit_sources(value, [&](const ir::Value& source) {
            const ir::Argument* parameter = ir::as_argument(&source);
            if (parameter != nullptr &&
                std::ranges::find(parameters, parameter) == parameters.end())
                parameters.push_back(parameter);
            return true;
        });
    return parameters;
}

/// The numbers from the host that `values`, in the function where `item` is, are computed from.
std::vector<const ir::Argument*> numbers_from_host(const Item& item,
                                                   std::vector<const ir::Value*> values) {
    for (std::size_t depth = item.calls.size(); depth-- > 0;) {
        const std::vector<const ir::Argument*> parameters = parameters_behind(values);
        values.clear();
        for (const ir::Argument* parameter : parameters)
            values.push_back(item.calls[depth]->operands[parameter->number]);
    }
    std::vector<const ir::Argument*> numbers = parameters_behind(values);
    std::erase_if(numbers, [](const ir::Argument* parameter) {
        return !parameter->type->is(ir::Type::Kind::integer);
    });
    std::ranges::sort(numbers, {}, &ir::Argument::number);
    return numbers;
}

/// ", where lid is 3 and i is 2": what the indices of an access are computed from, and where the loop
/// around it ends, unless that is `index` alone.
std::string values_of_indices(Loops& loops, const Item& item, const ir::Instruction* access,
                              bool write, std::int64_t index) {
    constexpr std::size_t most = 4;
    bool is_index = false;
    std::vector<std::string> values;
    std::set<std::string> named;
    std::set<std::int64_t> of_variables;
    std::vector<const ir::Instruction*> inputs = inputs_of_indices(pointer_operand(access, write));
    const auto is_call = [](const ir::Instruction* one) { return one->opcode == ir::Opcode::call; };
    std::stable_partition(inputs.begin(), inputs.end(), std::not_fn(is_call));
    const std::vector<const ir::Instruction*> ends = ends_of_loop(loops, access, inputs);
    inputs.insert(inputs.end(), ends.begin(), ends.end());
    for (const ir::Instruction* input : inputs) {
        const auto value = value_of(*item.item, *input, access->block);
        const std::string name = name_of(*input);
        const bool is_repeated = value && is_call(input) && of_variables.contains(*value);
        if (!value || name.empty() || is_repeated)
            continue;
        if (!is_call(input))
            of_variables.insert(*value);
        is_index = *value == index;
        if (named.insert(name).second)
            values.push_back(name + " is " + std::to_string(*value) + lines_that_set(*input));
    }
    if (values.empty() || values.size() > most || (values.size() == 1 && is_index))
        return "";
    std::vector<std::string> from_host;
    for (const ir::Argument* parameter : numbers_from_host(item, {inputs.begin(), inputs.end()})) {
        if (!named.contains(source_name(parameter)))
            from_host.push_back(source_name(parameter) + " = " +
                                std::to_string(item.item->operand(parameter).get_signed()));
    }
    const bool is_few = !from_host.empty() && from_host.size() <= most;
    return ", where " + list(values) +
           (is_few ? std::string(", computed from the kernel's argument") +
                         (from_host.size() == 1 ? " " : "s ") + list(from_host)
                   : "");
}

/// Whether `pointer` has a constant index, and that is `index`.
bool is_constant_index(const ir::Value* pointer, std::int64_t index) {
    const ir::Instruction* step = ir::as(pointer, ir::Opcode::step);
    if (step == nullptr || step->operands.size() != 2)
        return false;
    const std::vector<std::byte>& fixed = step->operands[1]->fixed;
    return !fixed.empty() &&
           vm::number_at(fixed.data(), fixed.size()) == static_cast<std::uint64_t>(index);
}

/// "; 1065353216 is the float 1 with its bits read as an int", if `index` or one beside it is such a
/// number; "" otherwise.
std::string explain_bits_of_float(std::int64_t index) {
    constexpr float most = 1 << 24;
    for (std::int64_t near = index - 1; near <= index + 1; ++near) {
        const auto bits = static_cast<std::uint32_t>(near);
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (near == std::int64_t{bits} && value >= 1 && value <= most && value == std::floor(value))
            return "; " + std::to_string(near) + " is the float " +
                   std::to_string(static_cast<int>(value)) + " with its bits read as an int";
    }
    return "";
}

/// ", because the host passes 8 bytes, 4 for each work-item".
std::string local_memory_from_host(std::size_t bytes, std::size_t items) {
    std::string text = ", because the host passes " + std::to_string(bytes) + " bytes";
    if (bytes % items == 0)
        text += ", " + std::to_string(bytes / items) + " for each work-item";
    return text;
}

/// Whether work-items of one group access different elements of `parameter` elsewhere in its kernel.
bool has_element_for_each_item(const ir::Argument& parameter, const ir::Instruction& access) {
    const auto is_for_item = [&](const ir::Instruction* other) {
        bool is_of_parameter = false;
        if (other == &access || other->shared_pointer == nullptr)
            return false;
        visit_sources(other->shared_pointer, [&](const ir::Value& source) {
            is_of_parameter = is_of_parameter || &source == &parameter;
            return true;
        });
        return is_of_parameter && asks_for_item(*other->shared_pointer);
    };
    return std::ranges::any_of(parameter.function->instructions(), is_for_item);
}

} // namespace

std::string explain_wrapped_index(std::int64_t index) {
    constexpr std::int64_t wrap = std::int64_t{1} << 32;
    constexpr std::int64_t most_below_zero = 65536;
    if (index >= wrap || index < wrap - most_below_zero)
        return "";
    return "; " + std::to_string(index) + " is " + std::to_string(index - wrap) +
           " as a uint: an unsigned number below 0 wraps around";
}

vm::Address meant_start(const vm::Memory& memory, const vm::WorkItem& item,
                        const ir::Instruction* instruction, vm::Address address, bool write) {
    const ir::Value* pointer = pointer_operand(instruction, write);
    while (pointer != nullptr) {
        const ir::Instruction* step = ir::as(pointer, ir::Opcode::step);
        if (step == nullptr)
            step = ir::as(pointer, ir::Opcode::bitcast);
        if (step == nullptr)
            break;
        pointer = step->operands[0];
        const vm::Address base = item.operand(pointer).get_address();
        if (memory.is_valid(base))
            return base - ir::offset_of(base);
    }
    return address - ir::offset_of(address);
}

/// What may be wrong with an index outside a buffer of `count` elements in global memory; no text if that is
/// not known. `elements`: how many the access reads or writes.
Reports::Advice Reports::advice_for_index(const Names::Variable& variable, std::size_t count,
                                          const ir::Instruction* access, bool write,
                                          std::int64_t index, std::size_t elements) {
    const ir::Value* pointer = pointer_operand(access, write);
    if (is_constant_index(pointer, index))
        return {"; this index is always " + std::to_string(index) +
                ": should the host create the buffer with more elements?"};
    if (count == 1 && access->atomic() != ir::Atomic::none)
        return {"; if it is a lock or a counter, all work-items must use " + variable.name + "[0]"};
    if (index < 0)
        return {": does the kernel check that the index is not below 0?"};
    if (!explain_wrapped_index(index).empty())
        return {};
    const std::string limit = names_.limit_of(count, variable.lanes);
    const bool counts_groups =
        names_.groups() == count &&
        (variable.parameter == nullptr || !has_element_for_each_item(*variable.parameter, *access));
    const std::string number = std::to_string(count);
    if (limit.empty() && counts_groups && elements > 1)
        return {"; it accesses " + std::to_string(elements) +
                " elements at once: should it be only one?"};
    if (limit.empty())
        return {counts_groups ? "; the number of groups is " + number +
                                    ": should the index be get_group_id(0)?"
                              : "",
                counts_groups && count == 1}; // a single element can mean anything
    const std::string text = counts_groups ? "; " + limit + " and the number of groups are both "
                                           : ", because " + limit + " is ";
    if (!ends_of_loop(loops_, access, inputs_of_indices(pointer)).empty())
        return {text + number + ": does the loop go too far, or is the index wrong?"};
    return {text + number + ": does the kernel check that the index is less than " + limit +
                (counts_groups ? ", or should the index be get_group_id(0)?" : "?"),
            counts_groups};
}

void Reports::add_bounds(const vm::Memory& memory, const Item& item,
                         const ir::Instruction* instruction, vm::Address address, std::size_t size,
                         bool write) {
    const int line = line_of(instruction);
    if (findings_.has(FindingKind::out_of_bounds, line) || has_unwritten_ticket_)
        return;
    std::string text = names_.item(item.number) + (write ? " writes " : " reads ");
    const vm::Address start = meant_start(memory, *item.item, instruction, address, write);
    const std::uint32_t buffer = ir::buffer_of(start);
    const Names::Variable variable = names_.variable(memory.space(), buffer, group_, item);
    std::int64_t index = 0;
    Advice advice;
    if (variable.name.empty()) {
        text += "memory that belongs to no buffer" + at_line(line) + called_at(*item.item);
    } else {
        const std::size_t width = variable.element_size != 0 ? variable.element_size : size;
        const std::size_t count = variable.size / width;
        const bool is_from_host =
            memory.space() == ir::local_space && variable.parameter != nullptr;
        if (count == 0) {
            wire::Finding none = finding(
                FindingKind::out_of_bounds, line, 0,
                text + std::to_string(size) + " bytes of " + variable.name + at_line(line) +
                    ", but " + variable.name + " has only " + std::to_string(variable.size) +
                    (variable.size % 4 != 0 ? "; was its size given in elements instead of bytes?"
                     : is_from_host
                         ? local_memory_from_host(variable.size, group_.items.size()) +
                               ": an element takes " + std::to_string(width)
                         : ", less than one element: does the kernel check how many elements there "
                           "are, and do kernel and host use the same type?"));
            none.cause = "the size of " + variable.name;
            findings_.add(none);
            return;
        }
        const auto offset = static_cast<std::int64_t>(address - start);
        index = offset / static_cast<std::int64_t>(width);
        const bool is_between =
            offset % static_cast<std::int64_t>(width) != 0 && !variable.is_struct;
        text += is_between ? std::to_string(size) + " bytes from byte " + std::to_string(offset) +
                                 " of " + variable.name
                           : Names::element(variable, offset, size);
        if (!is_between && size > width && !variable.is_struct) // several of them at once
            text += " to " + Names::element(
                                 variable, offset + static_cast<std::int64_t>(size - width), width);
        text += at_line(line) + called_at(*item.item) +
                values_of_indices(loops_, item, instruction, write, index) + ", but " +
                variable.name + " has ";
        text += is_between   ? std::to_string(variable.size) + " bytes"
                : count == 1 ? "one element"
                             : "elements 0 to " + std::to_string(count - 1);
        if (memory.space() == ir::global_space)
            advice = advice_for_index(variable, count, instruction, write, index, size / width);
        if (is_from_host)
            text += local_memory_from_host(variable.size, group_.items.size());
    }
    advice.text += explain_unsigned_comparison(instruction) + explain_wrapped_index(index) +
                   explain_bits_of_float(index);
    const std::string cause = explain_skipped_step(pointer_operand(instruction, write));
    wire::Finding outside = cause.empty()
                                ? finding(FindingKind::out_of_bounds, line, 0, text)
                                : effect(FindingKind::out_of_bounds, line, 0, cause, text);
    outside.explanation = advice.text;
    outside.asks = advice.asks;
    if (cause.empty() && !variable.name.empty())
        outside.cause =
            "the bounds of " + variable.name + " in " + instruction->block->function->plain_name;
    findings_.add(outside);
}

void Reports::add_misaligned(const vm::Memory& memory, const Item& item, const ir::Type& type,
                             vm::Address address, std::size_t alignment, bool write) {
    const int line = line_of(item.item->current());
    std::string text =
        names_.item(item.number) + (write ? " writes " : " reads ") + std::to_string(type.size) +
        " bytes starting at " + names_.at(memory, address, type.scalar().size, group_, item) +
        (line == 0 ? "" : "," + at_line(line)) + ", but this address must be a multiple of " +
        std::to_string(alignment) + " bytes";
    if (type.lanes() > 1)
        text += "; vector i begins at element " + std::to_string(type.size / type.scalar().size) +
                " * i, and " + (write ? "vstore" : "vload") + std::to_string(type.lanes()) +
                "() can begin at any element";
    add(FindingKind::misaligned, line, 0, text);
}

void Reports::add_index(const Item& item, const ir::Instruction* instruction, bool write,
                        std::int64_t index, std::int64_t length) {
    const int line = line_of(instruction);
    const ir::Value* variable = base_of(pointer_operand(instruction, write));
    for (const wire::Finding& known : findings_.all()) {
        if (known.kind == FindingKind::out_of_bounds && known.line == line)
            return; // reported with the place that was hit
    }
    add(FindingKind::out_of_bounds, line, 0,
        names_.item(item.number) + (write ? " writes" : " reads") + " with index " +
            std::to_string(index) + at_line(line) + ", but " +
            (variable == nullptr ? "the array" : "that dimension of " + source_name(variable)) +
            " has indices 0 to " + std::to_string(length - 1));
}

void Reports::add_copy_bounds(const vm::Memory& memory, vm::Address address, std::size_t size,
                              bool write) {
    const ir::Instruction* wait = group_.items.front().waits_at;
    const int line = wait == nullptr ? 0 : line_of(wait);
    const Names::Variable variable =
        names_.variable(memory.space(), ir::buffer_of(address), group_, group_.items.front());
    add(FindingKind::out_of_bounds, line, 0,
        "the copy that " + names_.group(group_.index) + " waits for" + at_line(line) +
            (write ? " writes " : " reads ") + std::to_string(size) + " bytes starting at byte " +
            std::to_string(ir::offset_of(address)) + " of " +
            (variable.name.empty()
                 ? "memory that belongs to no buffer"
                 : variable.name + ", which has " + std::to_string(variable.size) + " bytes"));
}

namespace {

/// "lanes y, z and w of ", if only some lanes of a vector were uninitialized when it was read.
std::string uninitialized_lanes(const Origin& origin) {
    constexpr std::size_t most_lanes = 4; // those with letters
    const std::size_t lanes = origin.instruction->type->lanes();
    if (lanes < 2 || lanes > most_lanes || origin.bytes == 0)
        return "";
    const std::size_t size = origin.instruction->type->scalar().size;
    std::vector<std::string> missing;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        if ((origin.bytes >> (lane * size) & 1) != 0)
            missing.emplace_back(1, "xyzw"[lane]);
    }
    if (missing.empty() || missing.size() == lanes)
        return "";
    return (missing.size() == 1 ? "lane " : "lanes ") + list(missing) + " of ";
}

/// Whether a work-item can execute `store` before `load`, as far as their function shows. Those in an if
/// and its else are no such pair.
bool can_come_before(const ir::Instruction& store, const ir::Instruction& load) {
    const Path later{.repeats = true, .barriers = true};
    return store.block->function != load.block->function || store.block == load.block ||
           reaches(&store, &load, {.barriers = true}) ||
           (reaches(&store, &load, later) && !reaches(&load, &store, later)); // behind a loop
}

/// The lines of the stores to exactly what `load` reads, as far as the program shows.
std::vector<int> lines_of_stores(const ir::Instruction& load) {
    std::set<int> lines;
    for (const ir::Instruction* user : load.operands[0]->users) {
        if (user->opcode == ir::Opcode::store && user->operands[1] == load.operands[0])
            lines.insert(user->line);
    }
    return {lines.begin(), lines.end()};
}

/// Why nothing has written what `load` reads, as far as the program shows; "" if that is not known.
MissingStore store_missing_for(const ir::Instruction& load) {
    if (load.opcode != ir::Opcode::load)
        return {};
    const std::vector<int> lines = lines_of_stores(load);
    if (std::ranges::count(lines, load.line) != 0) // a part of an operation like +=
        return {"; line " + std::to_string(load.line) +
                " changes it with += or a similar operator, which reads it first: "
                "should it be =, or is a first value missing?"};
    const ir::Global* variable = ir::as_global(load.operands[0]);
    if (variable == nullptr || variable->space != ir::local_space || lines.empty())
        return {};
    return {"; no work-item of the group executes " + list_lines(lines) +
                (lines.size() == 1 ? ", which sets it" : ", which set it"),
            lines.front()};
}

} // namespace

/// "; work-item 0 does not execute line 19, where work-item 1 writes temp[3]": why nothing has
/// written an element of local memory that work-items write each their own.
MissingStore Reports::skipped_store(vm::Address address, std::size_t size, const Item& reader,
                                    const ir::Instruction& load) const {
    struct Stores {
        std::int64_t element = 0; ///< of one of them
        std::int64_t item = 0;    ///< its local ID
        int count = 0;
        bool ascends = true;  ///< each work-item writes the element after that of the one before it
        bool descends = true; ///< the element before it
        std::set<std::int64_t> items = {}; ///< that execute it

        /// The work-item that would write `wanted` if it followed the others.
        std::int64_t missing(std::int64_t wanted, bool goes_up) const {
            return item + (goes_up ? wanted - element : element - wanted);
        }
    };
    const auto items = static_cast<std::int64_t>(group_.items.size());
    const auto wanted = static_cast<std::int64_t>(ir::offset_of(address) / size);
    std::map<std::uint32_t, Stores> by_site;
    // Two arrays can be parts of one, so those that execute a store may write elsewhere.
    for (std::int64_t element = std::max<std::int64_t>(0, wanted - 2 * items);
         element <= wanted + 2 * items; ++element) {
        const FirstStores::Store* store =
            group_.first_stores.find(address + static_cast<std::uint64_t>(element - wanted) * size);
        if (store == nullptr)
            continue;
        Stores& stores = by_site[store->site];
        const std::int64_t item = store->item;
        stores.items.insert(item);
        if (std::abs(element - wanted) >= items)
            continue;
        stores.ascends &= stores.count == 0 || element - item == stores.element - stores.item;
        stores.descends &= stores.count == 0 || element + item == stores.element + stores.item;
        stores.element = element;
        stores.item = item;
        ++stores.count;
    }
    const auto skips = [&](const Stores& stores, bool goes_up) {
        const std::int64_t missing = stores.missing(wanted, goes_up);
        const bool is_known = stores.count > 1 || missing == std::int64_t{reader.local};
        return stores.count != 0 && (goes_up ? stores.ascends : stores.descends) && is_known &&
               missing >= 0 && missing < items && !stores.items.contains(missing);
    };
    for (const auto& [site, stores] : by_site) {
        const bool goes_up = skips(stores, true);
        if (!(goes_up || skips(stores, false)) || line_of_site(site) == load.line ||
            !can_come_before(*instructions_.at_site(site), load))
            continue;
        const std::int64_t missing = stores.missing(wanted, goes_up);
        const vm::Address stored =
            address + static_cast<std::uint64_t>(stores.element - wanted) * size;
        return {"; work-item " + std::to_string(missing) + " does not execute line " +
                    std::to_string(line_of_site(site)) + ", where work-item " +
                    std::to_string(stores.item) + " writes " +
                    names_.at(reader.item->memory(ir::local_space), stored, size, group_, reader),
                line_of_site(site)};
    }
    return {};
}

/// Whether local memory is written, but only by the line that reads it first.
bool Reports::is_only_updated(const Origin& origin) const {
    if (origin.space != ir::local_space)
        return false;
    const std::set<std::uint32_t> sites =
        group_.first_stores.sites_of(ir::buffer_of(origin.address));
    return !sites.empty() && std::ranges::all_of(sites, [&](std::uint32_t site) {
        return line_of_site(site) == origin.instruction->line;
    });
}

/// Why a private variable, or an element of one, is uninitialized: which lines set it, and whether they do
/// in another work-item.
MissingStore Reports::unset_variable(const Origin& origin, std::size_t size,
                                     const Item& reader) const {
    const std::uint32_t buffer = ir::buffer_of(origin.address);
    const ir::Instruction* variable = reader.values.variable(buffer);
    if (variable == nullptr || is_passed_on(*variable))
        return {};
    std::set<int> lines;
    for (const ir::Instruction* store : stores_to(*variable))
        lines.insert(store->line);
    lines.erase(0);
    if (lines.empty())
        return {};
    const std::string set = list_lines({lines.begin(), lines.end()});
    const char* const verb = lines.size() == 1 ? " sets" : " set";
    if (variable->value_type->is(ir::Type::Kind::array))
        return {"; only " + set + verb + " elements of " + source_name(variable), *lines.begin()};
    const auto has_set = [&](const Item& one) {
        return &one != &reader && one.instructions != 0 &&
               one.values.variable(buffer) == variable &&
               one.values.is_written(buffer, ir::offset_of(origin.address), size);
    };
    const auto other = std::ranges::find_if(group_.items, has_set);
    if (other == group_.items.end())
        return {};
    return {
        "; " + set + verb + " it in work-item " + std::to_string(other->local) +
            ", but each work-item has its own copy of a private variable: should it be __local, "
            "or does it lack a first value?",
        *lines.begin()};
}

namespace {

/// The function whose result is uninitialized because it ends without a return statement; "" if it is
/// another value.
std::string function_without_return(const Origin& origin, const Item& item) {
    const ir::Instruction* variable = origin.space == ir::private_space
                                          ? item.values.variable(ir::buffer_of(origin.address))
                                          : nullptr;
    const bool is_result =
        variable != nullptr && variable->variable == nullptr && variable->name == "retval";
    return is_result ? variable->block->function->plain_name : "";
}

std::string words_of(UseOfUndefined use) {
    switch (use) {
    case UseOfUndefined::condition:
        return "a condition depends on it";
    case UseOfUndefined::address:
        return "an address depends on it";
    case UseOfUndefined::atomic_operation:
        return "an atomic operation depends on it";
    case UseOfUndefined::result:
        return "a result in global memory depends on it";
    }
    return "";
}

} // namespace

void Reports::add_undefined(const Item& item, const Undefined& undefined, int line,
                            UseOfUndefined use) {
    const Origin& origin = undefined.origin;
    const int begin = line_of(origin.instruction);
    const Item& first = origin.item ? group_.items[*origin.item - group_.first_item] : item;
    const std::string used = words_of(use) + (begin != line ? at_line(line) : "");
    if (origin.is_division())
        return findings_.add(finding(FindingKind::division_by_zero, begin == 0 ? line : begin, line,
                                     names_.item(first.number) + " divides by 0" + at_line(begin) +
                                         ", so the result is undefined, and " + used));
    const bool is_global = origin.space == ir::global_space;
    if (is_global && !unwritten_.empty())
        return;
    const std::size_t size = origin.instruction->type->value_size();
    const std::string function = function_without_return(origin, first);
    const std::string name = !function.empty()
                                 ? "the result of " + function
                                 : uninitialized_lanes(origin) +
                                       names_.at(first.item->memory(origin.space), origin.address,
                                                 std::max<std::size_t>(size, 1), group_, first);
    wire::Finding found = finding(
        FindingKind::uninitialized, begin == 0 ? line : begin, line,
        names_.item(first.number) + " reads " + name + at_line(begin) +
            (is_global ? ", which nothing has written, and " : ", which is uninitialized, and ") +
            used);
    MissingStore missing;
    if (!function.empty())
        missing.text = "; " + function + " ends without a return statement";
    if (origin.space == ir::local_space && size != 0)
        missing = skipped_store(origin.address, size, first, *origin.instruction);
    if (origin.space == ir::private_space && function.empty())
        missing = unset_variable(origin, size, first);
    if (missing.text.empty())
        missing = store_missing_for(*origin.instruction);
    const Names::Variable variable =
        names_.variable(origin.space, ir::buffer_of(origin.address), group_, first);
    if (missing.text.empty() && is_only_updated(origin))
        missing.text = "; only line " + std::to_string(begin) + " writes to " + variable.name +
                       ", but it reads it first: where is its first value stored?";
    found.explanation = missing.text;
    if (missing.line != 0)
        found.other_line = missing.line;
    if (!variable.name.empty())
        found.cause = "the first value of " + variable.name;
    if (!is_global) {
        if (use == UseOfUndefined::condition || use == UseOfUndefined::address)
            findings_.note_undefined_path();
        return findings_.add(found);
    }
    found.argument = variable.argument();
    unwritten_.push_back(std::move(found));
}

void Reports::add_unwritten(const Item& item, int line, const std::string& name, bool uses_result) {
    has_unwritten_ticket_ = has_unwritten_ticket_ || uses_result;
    add(FindingKind::uninitialized, line, 0,
        names_.item(item.number) + " uses " + name + " in the atomic operation" + at_line(line) +
            ", but it is uninitialized: the host must set its first value before the launch");
}

void Reports::add_forbidden(const Item& item, const vm::Memory& memory, int line,
                            vm::Address address, std::size_t size, bool write) {
    const std::string flag = write ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY";
    wire::Finding found = finding(
        write ? FindingKind::writes_read_only : FindingKind::reads_write_only, line, 0,
        names_.at(memory, address, size, group_, item) + (write ? " is written" : " is read") +
            at_line(line) + ", but the host created its buffer with " + flag +
            (write ? ": what happens to it is undefined; if the kernel must write it, create it "
                     "with CL_MEM_READ_WRITE"
                   : ": what a kernel reads there is undefined. Must it read there? += reads, "
                     "too. If so, create the buffer with CL_MEM_READ_WRITE, or with "
                     "CL_MEM_READ_ONLY if kernels only read it"));
    const std::string name =
        names_.variable(ir::global_space, ir::buffer_of(address), group_, item).name;
    if (!name.empty())
        found.cause = flag + " for " + name;
    findings_.add(found);
}

} // namespace labgrind
