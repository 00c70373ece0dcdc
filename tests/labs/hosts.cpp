#include "hosts.hpp"

#include "grader/explain.hpp"
#include "trials.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hosts {
namespace {

using grader::KnownMistake;
using wire::GivenArgument;
using wire::HostCommand;

const grader::Hints hints_for_arguments{
    "Compare the argument in the message with the parameter list of the kernel.",
    "setArg(i, ...) sets parameter i of the kernel, counted from 0. Buffer sizes are in bytes, and "
    "n is a number of elements.",
    "Write down for each launch which buffer the kernel reads, which one it writes, and which one "
    "the next launch or the host needs."};

grader::Hints hints_for_levels(const LevelScan& scan) {
    return {"Take 40 elements and groups of 4. Write down the launches of your function in their "
            "order, each with its number of groups.",
            scan.scan_kernel +
                " writes one result for each group. If there is more than one, they are scanned in "
                "the same way before " +
                scan.add_kernel + " uses them.",
            "Write a function that scans a buffer. It launches " + scan.scan_kernel +
                ". If the launch has more than one group, the function calls itself for the buffer "
                "of group results, and then launches " +
                scan.add_kernel + "."};
}

constexpr std::size_t most_exact_in_float = std::size_t{1} << 24;

/// ": 256 is a number of elements, ...", for `got` work-items.
std::string counts_elements(std::size_t got, std::size_t per_item) {
    return ": " + std::to_string(got) + " is a number of elements, but each work-item takes " +
           std::to_string(per_item) + " elements";
}

/// What a number of work-items counts instead.
std::string wrong_count(std::size_t got, const Sizes& sizes) {
    const std::size_t wanted = sizes.work_items;
    if (sizes.per_item > 1 && got == wanted * sizes.per_item)
        return counts_elements(got, sizes.per_item) +
               (sizes.group == 0 ? ""
                                 : ", so " + grader::count_of(wanted / sizes.group, "group") +
                                       (wanted == sizes.group ? " is enough" : " are enough"));
    const std::size_t group = std::max<std::size_t>(sizes.group, 1);
    const std::size_t groups = wanted / group;
    for (const unsigned bits : {8U, 16U}) {
        const std::size_t numbers = std::size_t{1} << bits;
        if (groups >= numbers && got == groups % numbers * group)
            return ": it has lost its upper bits; is the number of groups stored in " +
                   std::to_string(bits) + " bits?";
    }
    if (sizes.group > 1 && got == wanted / sizes.group && got != sizes.group)
        return ": " + std::to_string(got) + " is the number of groups" +
               (got == 1 ? ", or of elements" : "") +
               "; the global size is groups * work-group size";
    if (sizes.group > 1 && got + sizes.group == wanted)
        return ": one group is missing. The number of groups is the number of elements of this "
               "launch divided by " +
               std::to_string(sizes.group * sizes.per_item) + ", rounded up: " +
               (wanted * sizes.per_item > most_exact_in_float
                    ? "can a float hold such a number exactly?"
                    : "does your code round up, and use the number of this launch?");
    if (sizes.group > 1 && got == wanted + sizes.group)
        return ": that is one group too many";
    if (got % wanted == 0)
        return ": that is " + std::to_string(got / wanted) + " times as many";
    return {};
}

/// What a number of bytes of local memory counts instead. The elements have `bytes` bytes each.
std::string wrong_bytes(std::size_t got, const Sizes& sizes) {
    const std::size_t bytes = sizes.group == 0 ? 0 : sizes.local_bytes / sizes.group;
    if (got == sizes.group)
        return ": the size is in bytes, " + std::to_string(bytes) + " for each work-item";
    if (bytes > sizeof(float) && got == sizes.group * sizeof(float))
        return ": each work-item needs " + std::to_string(bytes) + " bytes, not " +
               std::to_string(sizeof(float)) +
               (bytes == sizes.per_item * sizeof(float)
                    ? ", because it takes " + grader::count_of(sizes.per_item, "element")
                    : ", because each of its elements has " + std::to_string(bytes) + " bytes");
    if (bytes != 0 && sizes.local_bytes % sizes.group == 0)
        return ", " + std::to_string(bytes) + " for each work-item";
    return {};
}

std::optional<KnownMistake> wrong_sizes(const wire::Launch& launch, const Sizes& sizes) {
    const std::string takes_in_order = ": enqueueNDRangeKernel takes the kernel, the offset, the "
                                       "global size and the work-group size, in this order";
    const std::size_t items = wire::volume(launch.global_size);
    const std::size_t group = wire::volume(launch.work_group_size);
    for (const std::size_t offset : launch.global_offset) {
        if (offset != 0)
            return KnownMistake{
                launch.kernel + " is launched with the offset " + std::to_string(offset) +
                    takes_in_order +
                    ", and the offset must be cl::NullRange; get_group_id(0) starts at 0 for any "
                    "offset",
                "the offset of " + launch.kernel, hints::sizes()};
    }
    if (sizes.group != 0 && group == 0)
        return KnownMistake{"the launch of " + launch.kernel +
                                " passes no work-group size, so OpenCL chooses one: pass " +
                                std::to_string(sizes.group) + " as the local size",
                            "the work-group size of " + launch.kernel, hints::sizes()};
    if (sizes.group != 0 && group != sizes.group && group == sizes.work_items &&
        items == sizes.group)
        return KnownMistake{"the global size and the work-group size of " + launch.kernel +
                                " are swapped" + takes_in_order,
                            "the sizes of " + launch.kernel, hints::sizes()};
    if (sizes.group != 0 && group != sizes.group)
        return KnownMistake{"the work-group size of " + launch.kernel + " is " +
                                std::to_string(group) + ", but must be " +
                                std::to_string(sizes.group) +
                                (sizes.per_item > 1 && group == sizes.group * sizes.per_item
                                     ? counts_elements(group, sizes.per_item)
                                     : ""),
                            "the work-group size of " + launch.kernel, hints::sizes()};
    if (sizes.work_items != 0 && items != sizes.work_items)
        return KnownMistake{"the global size of " + launch.kernel + " is " + std::to_string(items) +
                                ", but must be " + std::to_string(sizes.work_items) +
                                wrong_count(items, sizes),
                            "the global size of " + launch.kernel, hints::sizes()};
    if (launch.local_memory < sizes.local_bytes)
        return KnownMistake{launch.kernel + " gets " + std::to_string(launch.local_memory) +
                                " bytes of local memory, but needs " +
                                std::to_string(sizes.local_bytes) +
                                wrong_bytes(launch.local_memory, sizes),
                            "the local memory of " + launch.kernel, hints::sizes()};
    return std::nullopt;
}

bool is_written_after(const wire::CallReply& seen, int buffer, std::size_t launch) {
    return std::ranges::any_of(seen.transfers, [&](const auto& one) {
        return one.writes && one.buffer == buffer && one.launches > launch;
    });
}

/// The host's write of no bytes to `buffer` before launch number `launch`; null: there is none.
const wire::Transfer* empty_write(const wire::CallReply& seen, int buffer, std::size_t launch) {
    const auto found = std::ranges::find_if(seen.transfers, [&](const wire::Transfer& one) {
        return one.writes && one.buffer == buffer && one.launches <= launch && one.bytes.size == 0;
    });
    return found == seen.transfers.end() ? nullptr : &*found;
}

/// What is wrong with a buffer to which nothing has been written before launch number `launch`.
std::string never_written(const wire::CallReply& seen, int buffer, std::size_t launch) {
    if (const wire::Transfer* empty = empty_write(seen, buffer, launch))
        return "is a buffer to which " + wire::name_of(empty->command) +
               " writes 0 bytes, at offset " + std::to_string(empty->bytes.offset) +
               ": the offset comes before the size, and both are in bytes";
    return is_written_after(seen, buffer, launch)
               ? "is a buffer that your host code writes only after this launch"
               : "is a buffer that was not initialized in this call: write its first values before "
                 "the launch, or pass the buffer that has them";
}

/// Whether a launch before number `launch` uses the buffer.
bool is_used_before(const wire::CallReply& seen, int buffer, std::size_t launch) {
    return std::any_of(seen.launches.begin(),
                       seen.launches.begin() + static_cast<std::ptrdiff_t>(launch),
                       [&](const wire::Launch& earlier) { return uses(earlier, buffer); });
}

/// How many bytes the host writes to `buffer` before launch number `launch`, with or without those
/// that it fills; all of them if a kernel can have written there.
std::size_t bytes_written_before(const wire::CallReply& seen, int buffer, std::size_t launch,
                                 bool with_fills) {
    std::size_t bytes = 0;
    if (is_used_before(seen, buffer, launch))
        return std::numeric_limits<std::size_t>::max();
    for (const wire::Transfer& one : seen.transfers) {
        // A mapped buffer is unmapped with what the host wrote, if anything.
        const bool can_write =
            (one.writes && (with_fills || one.pattern.empty())) || one.command == HostCommand::map;
        bytes += can_write && one.buffer == buffer && one.launches <= launch ? one.bytes.size : 0;
    }
    return bytes;
}

/// Whether the host writes to `buffer` after the last launch that uses it, launch number `launch`, and
/// before it reads from it.
bool is_written_before_read(const wire::CallReply& seen, int buffer, std::size_t launch) {
    const auto later = std::ranges::find_if(seen.transfers, [&](const wire::Transfer& one) {
        return one.buffer == buffer && one.launches > launch && one.bytes.size != 0;
    });
    const bool is_used_again = std::any_of(
        seen.launches.begin() + static_cast<std::ptrdiff_t>(launch) + 1, seen.launches.end(),
        [&](const wire::Launch& another) { return uses(another, buffer); });
    return later != seen.transfers.end() && later->writes && !is_used_again &&
           later->command != HostCommand::map;
}

/// Whether the host fills some of the first `bytes` of `buffer` after it has written there, before
/// launch number `launch`.
bool is_filled_again(const wire::CallReply& seen, int buffer, std::size_t bytes,
                     std::size_t launch) {
    bool is_written = false;
    for (const wire::Transfer& one : seen.transfers) {
        if (!one.writes || one.buffer != buffer || one.launches > launch)
            continue;
        if (one.pattern.empty())
            is_written = true;
        else if (is_written && one.bytes.offset < bytes && one.bytes.size != 0)
            return true;
    }
    return false;
}

/// "2 (n)".
std::string number_and_name(int index, const std::string& name) {
    return std::to_string(index) + " (" + name + ")";
}

/// What a fourth of the bytes that a buffer needs counts instead.
const char* fourth_of_bytes(const Sizes& sizes) {
    return sizes.per_item == 4 ? ": that is a quarter; a work-item takes 4 elements of 4 bytes each"
                               : ": that is a quarter; sizes are in bytes, and an element has 4";
}

/// What is wrong with the size of the buffer that is `given` for `wanted`; "" for nothing.
std::string wrong_size(const Sizes& sizes, const Buffer& wanted, const GivenArgument& given) {
    if (given.size >= wanted.bytes)
        return {};
    return "is a buffer of " + grader::count_of(given.size, "byte") + ", but needs " +
           std::to_string(wanted.bytes) +
           (given.is_kept ? ": it is from an earlier call; create it in each call, and keep no "
                            "cl::Buffer in a static variable"
            : given.size * sizeof(float) == wanted.bytes ? fourth_of_bytes(sizes)
                                                         : "");
}

/// What is wrong with what the host writes to the buffer that is `given` for `wanted`; "" for
/// nothing.
std::string wrong_writes(const wire::CallReply& seen, std::size_t launch, const Buffer& wanted,
                         const GivenArgument& given) {
    if (wanted.role == Buffer::Role::output)
        return is_written_before_read(seen, given.buffer, launch)
                   ? "is a buffer that your host code writes after this launch, over the result"
                   : "";
    if (wanted.role == Buffer::Role::other)
        return {};
    const bool is_data = wanted.role == Buffer::Role::input;
    const std::size_t written = bytes_written_before(seen, given.buffer, launch, !is_data);
    if (written == 0)
        return never_written(seen, given.buffer, launch);
    if (written < wanted.input_bytes)
        return "is a buffer to which your host code writes only " + std::to_string(written) +
               " of " + grader::count_of(wanted.input_bytes, "byte") +
               (written * sizeof(float) == wanted.input_bytes ? ": sizes are in bytes" : "");
    if (is_data && is_filled_again(seen, given.buffer, wanted.input_bytes, launch))
        return "is a buffer whose data enqueueFillBuffer overwrites: fill it before you write the "
               "data, fill only the bytes after the data, or fill another buffer";
    return {};
}

/// "the launch has 8 groups, and each of them writes 4 bytes"; "" if that does not lead to so many.
std::string one_result_each(const Sizes& sizes, const Buffer& wanted) {
    const std::size_t groups = sizes.group == 0 ? 0 : sizes.work_items / sizes.group;
    if (groups == 0 || wanted.bytes % groups != 0)
        return {};
    return "the launch has " + grader::count_of(groups, "group") +
           (groups == 1 ? ", which" : ", and each of them") + " writes " +
           std::to_string(wanted.bytes / groups) + " bytes";
}

/// What is wrong with what the host reads from the buffer that is `given` for `wanted`; "" for
/// nothing.
std::string wrong_reads(const wire::CallReply& seen, std::size_t launch, const Sizes& sizes,
                        const Buffer& wanted, const GivenArgument& given) {
    const std::size_t read = bytes_read_after(seen, given.buffer, launch);
    const bool is_right = wanted.is_exact ? read == wanted.bytes : read >= wanted.bytes;
    const bool is_read = wanted.role == Buffer::Role::output || wanted.role == Buffer::Role::both;
    if (!is_read || is_right || !seen.attempted.empty()) // a failed call reads nothing
        return {};
    if (read == 0)
        return "holds the result, but your host code reads or maps 0 bytes of it after the launch";
    return "has a result of " + std::to_string(wanted.bytes) + " bytes, but " +
           grader::count_of(read, "byte") + (read == 1 ? " is" : " are") + " read back" +
           (read * sizeof(float) == wanted.bytes ? ": sizes are in bytes"
            : sizes.per_item > 1 && read == wanted.bytes * sizes.per_item
                ? ": " + one_result_each(sizes, wanted)
                : "");
}

/// What is wrong with the buffer that is `given` for `wanted`; "" for nothing.
std::string wrong_buffer(const wire::CallReply& seen, std::size_t launch, const Sizes& sizes,
                         const Buffer& wanted, const GivenArgument& given) {
    if (given.buffer == 0)
        return {};
    if (wanted.role != Buffer::Role::input && wanted.role != Buffer::Role::result &&
        given.read_only)
        return "is a buffer created with CL_MEM_READ_ONLY, but the kernel writes to it";
    if (std::string wrong = wrong_size(sizes, wanted, given); !wrong.empty())
        return wrong;
    if (wanted.role == Buffer::Role::result)
        return is_used_before(seen, given.buffer, launch) && !given.read_only
                   ? ""
                   : "is not the buffer with the results of the previous launch";
    if (std::string wrong = wrong_writes(seen, launch, wanted, given); !wrong.empty())
        return wrong;
    return wrong_reads(seen, launch, sizes, wanted, given);
}

/// Whether `given` can be what the kernel needs as `wanted`.
bool fits(const Number& wanted, const GivenArgument& given) {
    return given.value >= wanted.least && given.value <= wanted.most;
}

/// "arguments 0 (data) and 2 (output) of reduction_vector are swapped"
template <class Wanted>
std::string are_swapped(const wire::Launch& launch, const Wanted& one, const Wanted& other) {
    return "arguments " + number_and_name(one.index, one.name) + " and " +
           number_and_name(other.index, other.name) + " of " + launch.kernel + " are swapped";
}

/// The only pair of arguments that must be swapped for all to fit; `all_fit` takes the arguments
/// in the order of `wanted`.
template <class Wanted, class AllFit>
std::optional<KnownMistake> find_swap(const wire::Launch& launch, const std::vector<Wanted>& wanted,
                                      std::vector<GivenArgument> given, const AllFit& all_fit) {
    std::optional<KnownMistake> found;
    for (std::size_t i = 0; i < given.size(); ++i) {
        for (std::size_t j = i + 1; j < given.size(); ++j) {
            std::swap(given[i], given[j]);
            const bool fit = all_fit(given);
            std::swap(given[i], given[j]);
            if (!fit)
                continue;
            if (found)
                return std::nullopt;
            const std::string text = are_swapped(launch, wanted[i], wanted[j]);
            found = KnownMistake{text, text, hints_for_arguments};
        }
    }
    return found;
}

/// The arguments for `wanted`; none if one of them is not set.
template <class Wanted> std::vector<GivenArgument> given_for(const wire::Launch& launch,
                                                             const std::vector<Wanted>& wanted) {
    std::vector<GivenArgument> given;
    for (const Wanted& one : wanted) {
        const GivenArgument* const found = argument(launch, one.index);
        if (found == nullptr)
            return {};
        given.push_back(*found);
    }
    return given;
}

/// Whether they have bytes of the same buffer: sub-buffers can be different parts of it.
bool share_bytes(const GivenArgument& one, const GivenArgument& other) {
    return one.buffer == other.buffer &&
           wire::overlap({one.offset, one.size}, {other.offset, other.size});
}

/// Two arguments with the same buffer, at least one of which the kernel writes.
std::optional<KnownMistake> shared_buffer(const wire::Launch& launch,
                                          const std::vector<Buffer>& wanted,
                                          const std::vector<GivenArgument>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        for (std::size_t j = i + 1; j < given.size(); ++j) {
            const bool are_inputs =
                wanted[i].role == Buffer::Role::input && wanted[j].role == Buffer::Role::input;
            if (are_inputs || given[i].buffer == 0 || !share_bytes(given[i], given[j]))
                continue;
            const bool is_one_part = given[i].offset == given[j].offset;
            const std::string cause =
                "arguments " + number_and_name(wanted[i].index, wanted[i].name) + " and " +
                number_and_name(wanted[j].index, wanted[j].name) + " of " + launch.kernel +
                (is_one_part ? " are the same buffer" : " are parts of one buffer that overlap");
            const bool has_groups =
                wire::volume(launch.global_size) > wire::volume(launch.work_group_size);
            return KnownMistake{
                .text = cause + (has_groups
                                     ? ": a group can write an element before another has read it"
                                     : ": each needs its own"),
                .cause = cause,
                .hints = hints_for_arguments,
                .explains_every_race = true};
        }
    }
    return std::nullopt;
}

/// An input to which the host has written nothing, beside a buffer that needs no data and has it.
std::optional<KnownMistake> data_elsewhere(const wire::CallReply& seen, std::size_t number,
                                           const std::vector<Buffer>& wanted,
                                           const std::vector<GivenArgument>& given) {
    const auto written = [&](const GivenArgument& one) {
        return bytes_written_before(seen, one.buffer, number, false);
    };
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::size_t bytes = wanted[i].input_bytes;
        if (wanted[i].role != Buffer::Role::input || bytes == 0 || given[i].buffer == 0 ||
            written(given[i]) != 0)
            continue;
        for (std::size_t j = 0; j < given.size(); ++j) {
            if (wanted[j].role == Buffer::Role::input || wanted[j].input_bytes != 0 ||
                given[j].buffer == 0 || is_used_before(seen, given[j].buffer, number) ||
                written(given[j]) < bytes)
                continue;
            const wire::Launch& launch = seen.launches[number];
            const std::string cause = are_swapped(launch, wanted[i], wanted[j]);
            return KnownMistake{cause + ": the data is in the buffer of argument " +
                                    std::to_string(wanted[j].index),
                                cause, hints_for_arguments};
        }
    }
    return std::nullopt;
}

std::optional<KnownMistake> wrong_buffers(const wire::CallReply& seen, std::size_t number,
                                          const Needs& needs) {
    const wire::Launch& launch = seen.launches[number];
    const std::vector<Buffer>& wanted = needs.buffers;
    const std::vector<GivenArgument> given = given_for(launch, wanted);
    if (seen.transfers.empty() || given.empty()) // they are not known
        return std::nullopt;
    if (auto shared = shared_buffer(launch, wanted, given))
        return shared;
    const auto wrong = [&](std::size_t i, const std::vector<GivenArgument>& all) {
        return wrong_buffer(seen, number, needs.sizes, wanted[i], all[i]);
    };
    const auto all_fit = [&](const std::vector<GivenArgument>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!wrong(i, all).empty())
                return false;
        }
        return true;
    };
    if (all_fit(given))
        return std::nullopt;
    if (auto swapped = find_swap(launch, wanted, given, all_fit))
        return swapped;
    if (auto elsewhere = data_elsewhere(seen, number, wanted, given))
        return elsewhere;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string text = wrong(i, given);
        const std::string name = name_argument(launch, wanted[i].index, wanted[i].name);
        if (!text.empty())
            return KnownMistake{.text = std::string(name).append(" ").append(text),
                                .cause = name,
                                .hints = hints_for_arguments,
                                .explains_every_race = wanted[i].role == Buffer::Role::changed};
    }
    return std::nullopt;
}

/// What `got` counts instead of `wanted`; "" if that is not known.
std::string wrong_unit(std::size_t got, const Number& wanted) {
    for (const std::size_t bytes : {sizeof(float), sizeof(double)}) {
        if (got == wanted.least * bytes)
            return ": that is a number of bytes";
    }
    if (wanted.least >= 4 && got == wanted.least / 4)
        return ": that is a number of float4 values";
    return {};
}

std::optional<KnownMistake> wrong_numbers(const wire::Launch& launch,
                                          const std::vector<Number>& wanted) {
    const std::vector<GivenArgument> given = given_for(launch, wanted);
    const auto all_fit = [&](const std::vector<GivenArgument>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!fits(wanted[i], all[i]))
                return false;
        }
        return true;
    };
    if (given.empty() || all_fit(given))
        return std::nullopt;
    if (auto swapped = find_swap(launch, wanted, given, all_fit))
        return swapped;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (fits(wanted[i], given[i]))
            continue;
        const std::string name = name_argument(launch, wanted[i].index, wanted[i].name);
        return KnownMistake{name + " is " + std::to_string(given[i].value) + ", but must be " +
                                std::to_string(wanted[i].least) + ", " + wanted[i].meaning +
                                wrong_unit(given[i].value, wanted[i]),
                            "the argument " + wanted[i].name, hints_for_arguments};
    }
    return std::nullopt;
}

} // namespace

const GivenArgument* argument(const wire::Launch& launch, int index) {
    const auto found = std::ranges::find_if(
        launch.arguments, [&](const GivenArgument& one) { return one.index == index; });
    return found == launch.arguments.end() ? nullptr : &*found;
}

bool uses(const wire::Launch& launch, int buffer) {
    return std::ranges::any_of(launch.arguments,
                               [&](const GivenArgument& one) { return one.buffer == buffer; });
}

int buffer_of(const wire::Launch& launch, int index) {
    const GivenArgument* const given = argument(launch, index);
    return given == nullptr ? 0 : given->buffer;
}

std::size_t floats_in(const wire::Launch& launch, int index) {
    const GivenArgument* const given = argument(launch, index);
    return given == nullptr || given->buffer == 0 ? 0 : given->size / sizeof(float);
}

std::string name_argument(const wire::Launch& launch, int index, const std::string& name) {
    return "argument " + std::to_string(index) + " of " + launch.kernel + ", " + name + ",";
}

KnownMistake wrong_argument(const std::string& text, const std::string& cause) {
    return {text, cause, hints_for_arguments};
}

std::string wrong_pattern(const wire::CallReply& seen, int buffer) {
    for (const wire::Transfer& one : seen.transfers) {
        if (one.buffer != buffer || one.pattern.empty())
            continue;
        if (one.pattern.size() * sizeof(std::uint32_t) == sizeof(double))
            return "is filled with a pattern of 8 bytes; is that a double? Pass identity(op), a "
                   "cl_float of 4 bytes, to enqueueFillBuffer";
        const auto as_int = static_cast<std::int32_t>(one.pattern[0]);
        if (as_int == std::numeric_limits<std::int32_t>::min() ||
            as_int == std::numeric_limits<std::int32_t>::max()) // an infinity that was converted
            return "is filled with the int " + std::to_string(as_int) +
                   ", whose bits are no infinity: pass identity(op), a cl_float, to "
                   "enqueueFillBuffer";
        if (std::ranges::any_of(one.pattern, [&](auto word) { return word != one.pattern[0]; }))
            return "is filled with a vector whose lanes differ: cl_float4{{x}} sets only the first "
                   "one. Pass identity(op), a cl_float, to enqueueFillBuffer";
    }
    return "";
}

std::size_t bytes_read_after(const wire::CallReply& seen, int buffer, std::size_t launch) {
    std::size_t bytes = 0;
    for (const wire::Transfer& one : seen.transfers)
        bytes += !one.writes && one.buffer == buffer && one.launches > launch ? one.bytes.size : 0;
    return bytes;
}

std::string overwritten_by(const wire::CallReply& seen, int buffer, std::size_t bytes,
                           std::size_t launch) {
    std::size_t written = 0; // the number of launches when the last one with this buffer was made
    for (std::size_t i = 0; i < launch && i < seen.launches.size(); ++i) {
        if (uses(seen.launches[i], buffer))
            written = i + 1;
    }
    const auto write = std::ranges::find_if(seen.transfers, [&](const auto& one) {
        return written != 0 && one.writes && one.buffer == buffer && one.bytes.offset < bytes &&
               one.launches >= written && one.launches <= launch;
    });
    return write == seen.transfers.end() ? "" : wire::name_of(write->command);
}

std::string returns_another(const grader::Case& test, std::span<const double> expected) {
    return std::ranges::equal(test.last_read(), expected)
               ? "your host code reads back the right result, but returns another one"
               : "";
}

bool moves_data(const wire::CallReply& seen) {
    return std::ranges::any_of(seen.transfers, [&](const auto& one) {
        return wire::is_copy(one.command) ||
               (one.writes && one.launches != 0 && one.launches < seen.launches.size() &&
                one.command != HostCommand::fill);
    });
}

std::optional<KnownMistake> find_mistake(const wire::CallReply& seen, std::size_t launch,
                                         const Needs& needs) {
    if (launch >= seen.launches.size())
        return std::nullopt;
    const wire::Launch& one = seen.launches[launch];
    std::optional<KnownMistake> wrong = wrong_sizes(one, needs.sizes);
    if (!wrong)
        wrong = wrong_numbers(one, needs.numbers);
    // What is copied can be right in a buffer that is not an argument.
    if (!wrong && !moves_data(seen))
        wrong = wrong_buffers(seen, launch, needs);
    if (wrong)
        wrong->launch = static_cast<int>(launch) + 1;
    return wrong;
}

KnownMistake in_launch(std::size_t launch, KnownMistake mistake) {
    mistake.text = "launch " + std::to_string(launch + 1) + ": " + mistake.text;
    mistake.launch = static_cast<int>(launch) + 1;
    return mistake;
}

namespace {

/// Follows the launches of a host that scans on several levels.
class Levels {
  public:
    Levels(const wire::CallReply& seen, const LevelScan& scan) : seen_(seen), scan_(scan) {}

    /// The first mistake in launches number `begin` to `end` - 1.
    std::optional<KnownMistake> mistake(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::string& kernel = seen_.launches[i].kernel;
            const bool is_known = kernel == scan_.scan_kernel || kernel == scan_.add_kernel;
            if (i != begin && kernel == scan_.add_kernel && is_same_as_before(i))
                return KnownMistake{kernel + " is launched twice (launches " + std::to_string(i) +
                                        " and " + std::to_string(i + 1) +
                                        "), so the offsets are added twice",
                                    kernel + " is launched twice", hints_for_levels(scan_)};
            if (!is_known || (i != begin && levels_.empty()))
                return {}; // another way, or a second scan
            if (std::optional<KnownMistake> found = kernel == scan_.scan_kernel ? scan(i) : add(i))
                return in_launch(i, std::move(*found));
        }
        const auto unfinished =
            std::ranges::find_if(levels_, [](const Level& one) { return one.groups > 1; });
        if (unfinished == levels_.end())
            return scan_.is_read_back && begin != end ? read_back(begin, end)
                                                      : std::optional<KnownMistake>();
        return KnownMistake{.text =
                                scan_.add_kernel + " is never launched" + for_groups(*unfinished),
                            .cause = "a launch of " + scan_.add_kernel,
                            .hints = hints_for_levels(scan_),
                            .lacks_launch = true};
    }

  private:
    using Role = Buffer::Role;

    /// A launch of scan_groups whose offsets are not added yet.
    struct Level {
        std::size_t n;      ///< elements that it must scan
        std::size_t groups; ///< that it must have
        int values;         ///< the buffers
        int sums;
        bool sums_are_scanned = false;
    };

    /// Whether launch number `i` does the same as the one before it.
    bool is_same_as_before(std::size_t i) const {
        const wire::Launch& one = seen_.launches[i];
        const wire::Launch& before = seen_.launches[i - 1];
        const auto has_same = [&](int index) {
            return buffer_of(one, index) != 0 && buffer_of(one, index) == buffer_of(before, index);
        };
        return one.kernel == before.kernel && one.global_size == before.global_size &&
               one.global_offset == before.global_offset && has_same(0) && has_same(1);
    }

    std::size_t groups_for(std::size_t n) const {
        const std::size_t per_group = scan_.group * scan_.per_item;
        return (n + per_group - 1) / per_group;
    }

    /// What launch number `i` needs for `n` elements if n is the argument `n_index`.
    Needs needs(std::size_t i, std::size_t n, int n_index) const {
        // The values can be padded.
        const GivenArgument* const values = argument(seen_.launches[i], 0);
        const std::size_t room =
            values == nullptr ? n : std::max(n, values->size / scan_.element_bytes);
        Needs all{{groups_for(n) * scan_.group, scan_.group, 0, scan_.per_item}};
        all.numbers = {{n_index, "n", n, room, "the number of elements that this launch works on"}};
        return all;
    }

    /// Says so if launch number `i` scans group sums that only a later launch writes.
    std::optional<KnownMistake> comes_too_early(std::size_t i) const {
        const int values = buffer_of(seen_.launches[i], 0);
        if (values == 0 || seen_.transfers.empty() ||
            bytes_written_before(seen_, values, i, true) != 0)
            return {};
        const auto writes = [&](const wire::Launch& one) {
            return one.kernel == scan_.scan_kernel && buffer_of(one, 1) == values;
        };
        const auto writer = std::find_if(seen_.launches.begin() + static_cast<std::ptrdiff_t>(i),
                                         seen_.launches.end(), writes);
        if (writer == seen_.launches.end())
            return {};
        const std::string cause =
            "it scans the group sums that only launch " +
            std::to_string(std::distance(seen_.launches.begin(), writer) + 1) + " writes: launch " +
            scan_.scan_kernel + " for the elements first";
        return KnownMistake{cause, cause, hints_for_levels(scan_)};
    }

    std::optional<KnownMistake> scan(std::size_t i) {
        const wire::Launch& launch = seen_.launches[i];
        const bool is_first = levels_.empty();
        if (is_first) {
            if (auto early = comes_too_early(i))
                return early;
        }
        if (levels_.size() > 1 && levels_.back().groups == 1)
            return KnownMistake{
                scan_.scan_kernel +
                    " runs again, but all group sums have already been scanned: launch " +
                    scan_.add_kernel + " now",
                "a launch of " + scan_.add_kernel, hints_for_levels(scan_)};
        if (!is_first && buffer_of(launch, 0) == levels_.back().values)
            return KnownMistake{scan_.scan_kernel +
                                    " is launched twice for the same buffer (launches " +
                                    std::to_string(i) + " and " + std::to_string(i + 1) +
                                    "), so it scans its own result",
                                scan_.scan_kernel + " is launched twice", hints_for_levels(scan_)};
        const std::size_t n = is_first ? scan_.n : levels_.back().groups;
        if (!is_first && groups_for(n) > 1 && wire::volume(launch.global_size) == scan_.group)
            return KnownMistake{
                "the " + std::to_string(n) + " group sums take " + std::to_string(groups_for(n)) +
                    " groups, but " + scan_.scan_kernel +
                    " is launched for one: scan them like the data, with one more level of "
                    "group sums, until one group is left",
                "a level of " + scan_.scan_kernel, hints_for_levels(scan_)};
        Needs all = needs(i, n, 3);
        all.sizes.local_bytes = scan_.group * scan_.per_item * scan_.element_bytes;
        const std::size_t bytes = n * scan_.element_bytes;
        all.buffers = {{0, "values", is_first ? Role::input : Role::result, bytes, bytes},
                       {1, "group_sums", Role::other, groups_for(n) * scan_.element_bytes}};
        if (auto wrong = find_mistake(seen_, i, all))
            return wrong;
        const std::string name = name_argument(launch, 0, "values");
        const int values = buffer_of(launch, 0);
        if (!is_first && values != levels_.back().sums)
            return wrong_argument(name + " is not the buffer of group sums that the last " +
                                      scan_.scan_kernel + " has written",
                                  name);
        levels_.push_back({n, groups_for(n), values, buffer_of(launch, 1)});
        return {};
    }

    /// Says so if the host reads its result from another buffer than that of the first launch.
    std::optional<KnownMistake> read_back(std::size_t begin, std::size_t end) const {
        const wire::Launch& first = seen_.launches[begin];
        const int values = buffer_of(first, 0);
        const auto is_result = [&](const wire::Transfer& one) {
            return !one.writes && one.launches >= end && one.buffer != values &&
                   one.bytes.size >= scan_.n * scan_.element_bytes;
        };
        if (values == 0 || bytes_read_after(seen_, values, end - 1) != 0 ||
            std::ranges::none_of(seen_.transfers, is_result))
            return {};
        const std::string name = name_argument(first, 0, "values");
        return in_launch(
            begin, wrong_argument(name + " holds the result, but another buffer is read", name));
    }

    static std::string for_groups(const Level& level) {
        return " for the " + std::to_string(level.groups) + " groups of the scan of " +
               std::to_string(level.n) + " elements";
    }

    std::optional<KnownMistake> add(std::size_t i) {
        const wire::Launch& launch = seen_.launches[i];
        const int values = buffer_of(launch, 0);
        const int offsets = buffer_of(launch, 1);
        const auto adds_to = [&](const Level& other) {
            return values == other.values && offsets == other.sums;
        };
        const bool has_one_group = levels_.back().groups == 1; // it needs no offsets
        const bool is_for_one_group = has_one_group && adds_to(levels_.back());
        if (is_for_one_group && scan_.is_exclusive)
            return KnownMistake{
                scan_.add_kernel +
                    " is launched for a single group, which needs no offset, and its sum is "
                    "not scanned: launch it only if there are several groups",
                "a launch of " + scan_.add_kernel + " for a single group", hints_for_levels(scan_)};
        if (is_for_one_group || (has_one_group && levels_.size() > 1)) {
            levels_.pop_back();
            if (!levels_.empty())
                levels_.back().sums_are_scanned = true;
        }
        if (is_for_one_group) // an inclusive scan leaves the first group as it is
            return {};
        const Level level = levels_.back();
        levels_.pop_back();
        if (level.groups > 1 && !adds_to(level) && std::ranges::any_of(levels_, adds_to))
            return KnownMistake{"another launch of " + scan_.add_kernel +
                                    " must come before this one," + for_groups(level),
                                "a launch of " + scan_.add_kernel, hints_for_levels(scan_)};
        if (!levels_.empty())
            levels_.back().sums_are_scanned = true;
        if (level.groups > 1 && !level.sums_are_scanned)
            return KnownMistake{
                scan_.add_kernel +
                    " comes before the group sums of its level are scanned: launch " +
                    scan_.scan_kernel + " for them first",
                scan_.add_kernel + " before the scan of the group sums", hints_for_levels(scan_)};
        const std::string swapped = "arguments 0 and 1 of " + scan_.add_kernel +
                                    " are swapped: the first one is the buffer to add to";
        if (values == level.sums && offsets == level.values && values != offsets)
            return wrong_argument(swapped, swapped);
        const std::string name = name_argument(launch, 0, "values");
        if (values != level.values)
            return wrong_argument(name + " is not the buffer that the " + scan_.scan_kernel +
                                      " of this level has scanned",
                                  name);
        if (offsets != level.sums)
            return wrong_argument("argument 1 of " + scan_.add_kernel +
                                      " is not the buffer of group sums of this level",
                                  "argument 1 of " + scan_.add_kernel);
        Needs all = needs(i, level.n, 2);
        const std::size_t one_each = (level.n + scan_.group - 1) / scan_.group * scan_.group;
        if (wire::volume(launch.global_size) == one_each) // work-items can take one element each
            all.sizes.work_items = one_each;
        return find_mistake(seen_, i, all);
    }

    const wire::CallReply& seen_;
    const LevelScan& scan_;
    std::vector<Level> levels_;
};

} // namespace

std::optional<KnownMistake> find_mistake_in_levels(const wire::CallReply& seen, std::size_t begin,
                                                   std::size_t end, const LevelScan& scan) {
    return Levels(seen, scan).mistake(begin, end);
}

} // namespace hosts
