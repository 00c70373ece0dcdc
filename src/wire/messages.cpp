#include "wire/messages.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace wire {

/// An enumeration travels as a number, up to that of its enumerator `last`.
template <class Enum> struct Number {
    static void to_json(nlohmann::json& json, Enum value) { json = static_cast<int>(value); }
    static void from_json(const nlohmann::json& json, Enum& value) {
        const int number = json.get<int>();
        if (number < 0 || number > static_cast<int>(Enum::last))
            throw std::runtime_error("a message has a value that does not exist");
        value = static_cast<Enum>(number);
    }
};

} // namespace wire

template <> struct nlohmann::adl_serializer<wire::DeviceType> : wire::Number<wire::DeviceType> {};
template <> struct nlohmann::adl_serializer<wire::Outcome> : wire::Number<wire::Outcome> {};
template <> struct nlohmann::adl_serializer<wire::Blocking> : wire::Number<wire::Blocking> {};
template <> struct nlohmann::adl_serializer<wire::HostCommand> : wire::Number<wire::HostCommand> {};
template <> struct nlohmann::adl_serializer<wire::LaunchArgument::Kind>
    : wire::Number<wire::LaunchArgument::Kind> {};
template <> struct nlohmann::adl_serializer<wire::Schedule::Kind>
    : wire::Number<wire::Schedule::Kind> {};
template <> struct nlohmann::adl_serializer<wire::FindingKind> : wire::Number<wire::FindingKind> {};
template <> struct nlohmann::adl_serializer<wire::TracedArray::Numbers>
    : wire::Number<wire::TracedArray::Numbers> {};
template <> struct nlohmann::adl_serializer<wire::TracedAccess::Kind>
    : wire::Number<wire::TracedAccess::Kind> {};
template <> struct nlohmann::adl_serializer<wire::AskedTime::Command>
    : wire::Number<wire::AskedTime::Command> {};
template <> struct nlohmann::adl_serializer<wire::AskedTime::Moment>
    : wire::Number<wire::AskedTime::Moment> {};

namespace wire {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceInfo, name, platform, version, driver, type,
                                   max_work_group_size, local_memory, extensions, compute_units)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramSource, source, options)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, max_work_group_size, kernel_work_group_size,
                                   local_memory, compute_units, other_type, ignores_kernels,
                                   added_time)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ByteRange, offset, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Baseline, program, kernel, buffers, local_memory, global_size,
                                   work_group_size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenDevice, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InspectProgram, program)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CallFunction, function, program, arguments, result_capacity,
                                   limits, checked, guard, withhold_kernels, interpreted,
                                   counts_host_words, visible_bytes, blocking, rounds, seconds,
                                   baseline)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchArgument, kind, bytes, read_only, write_only, buffer)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelLaunch, kernel, dimensions, global_offset, global_size,
                                   work_group_size, arguments, memory_size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Schedule, kind, number)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interpretation, in_lock_step, ends_only, traced, seed, schedule,
                                   explains_schedule, most_instructions, lists_changes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interpret, program, launch, how, watched, change)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchDone, error, code, nanoseconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CarryOut, program, launch, limits, checked, guard, rounds,
                                   seconds, baseline)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, kind, kernel, line, other_line, message, explanation,
                                   may_be_elsewhere, within_group, between_groups, is_shared_store,
                                   both_store, asks, is_explained, argument, is_endless,
                                   while_waiting, cause, more_lines)

// The JSON library finds these functions by their names.
// NOLINTBEGIN(misc-use-internal-linkage)
void to_json(nlohmann::json& json, const WorkCounts& counts) {
    json["kernel"] = counts.kernel;
    for (const WorkCount& count : work_counts)
        json[count.name] = counts.*count.value;
    json["additions_by_line"] = counts.additions_by_line;
    json["global_bytes_loaded_by_line"] = counts.global_bytes_loaded_by_line;
}
void from_json(const nlohmann::json& json, WorkCounts& counts) {
    json.at("kernel").get_to(counts.kernel);
    for (const WorkCount& count : work_counts)
        json.at(count.name).get_to(counts.*count.value);
    json.at("additions_by_line").get_to(counts.additions_by_line);
    json.at("global_bytes_loaded_by_line").get_to(counts.global_bytes_loaded_by_line);
}
// NOLINTEND(misc-use-internal-linkage)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Footprint, known, read, written, atomic, store_lines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedArray, name, local, argument, elements, lanes, bytes,
                                   numbers, is_struct)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedElement, array, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedAccess, kind, group, item, phase, line, element, name,
                                   operation, before, value, outside, uninitialized, from, race,
                                   times)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TracedBarrier, group, phase, line, missing)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trace, kernel, groups, group_size, arrays, accesses, barriers,
                                   cut_short)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Change, key, line, wrong, right, omits, decides_on_wait, adds,
                                   is_slight, effect)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WordRead, group, argument, word, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Analysis, failure, cut_short, findings, unwritten, work,
                                   footprint, other_schedules, explanations, last_reads,
                                   difference_line, difference, trace, changes, effect, has_atomics,
                                   instructions, stores, loads, warnings)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceList, devices)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenedDevice, index, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelInfo, name, work_group_size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramInfo, built, build_log, kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GivenArgument, index, kind, size, value, buffer, read_only,
                                   is_kept, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launch, kernel, global_size, work_group_size, local_memory,
                                   nanoseconds, arguments, global_offset, frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Transfer, command, buffer, bytes, writes, launches, pattern,
                                   blocking)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GuardHit, buffer_size, byte_offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReadOnlyHit, buffer_size, byte_offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferUse, command, kernel, launch, argument, writes, bytes,
                                   queue, in_order, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnorderedUses, earlier, later)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AskedTime, command, moment)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CallReply, outcome, message, file, line, call, error_code,
                                   frames, build_log, result_size, launches, attempted, reads,
                                   last_read, transfers, asked_times, guard_hits, read_only_hits,
                                   any_order, unordered, unwaited_read, unwaited_write,
                                   unwaited_map, unset_event, changed_source, host_words,
                                   changed_host_memory, careless_frames, changed_input, seconds,
                                   function_times, baseline_times)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Refusal, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reveal, size)

// The macro above needs at least one member.
static void to_json(nlohmann::json& json, const ListDevices& /*unused*/) {
    json = nlohmann::json::object();
}
static void from_json(const nlohmann::json& /*unused*/, ListDevices& /*unused*/) {}

namespace {

/// {"kind": index of the alternative, "body": its members}. Texts come from students and drivers,
/// so bytes that are not UTF-8 are replaced.
template <class... Kinds> std::string encode_variant(const std::variant<Kinds...>& message) {
    nlohmann::json json{{"kind", message.index()}};
    std::visit([&](const auto& body) { json["body"] = body; }, message);
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Variant, std::size_t Index = 0>
Variant decode_alternative(std::size_t kind, const nlohmann::json& body) {
    if constexpr (Index < std::variant_size_v<Variant>) {
        if (kind == Index)
            return body.get<std::variant_alternative_t<Index, Variant>>();
        return decode_alternative<Variant, Index + 1>(kind, body);
    } else {
        throw std::runtime_error("a message of unknown kind " + std::to_string(kind));
    }
}

template <class Variant> Variant decode_variant(const std::string& text) {
    try {
        const auto json = nlohmann::json::parse(text);
        return decode_alternative<Variant>(json.at("kind").get<std::size_t>(), json.at("body"));
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(std::string("a malformed message: ") + error.what());
    }
}

} // namespace

std::string to_string(DeviceType type) {
    // In the order of the enumerators.
    constexpr std::array<const char*, static_cast<std::size_t>(DeviceType::last) + 1> names{
        "other", "CPU", "accelerator", "GPU"};
    return names.at(static_cast<std::size_t>(type));
}

std::string name_of(HostCommand command) {
    // In the order of the enumerators.
    constexpr std::array<const char*, static_cast<std::size_t>(HostCommand::last) + 1> names{
        "enqueueNDRangeKernel",      "cl::Buffer",
        "enqueueReadBuffer",         "enqueueReadBufferRect",
        "enqueueWriteBuffer",        "enqueueWriteBufferRect",
        "enqueueFillBuffer",         "enqueueCopyBuffer",
        "enqueueCopyBufferRect",     "enqueueMapBuffer",
        "enqueueUnmapMemObject",     "enqueueMigrateMemObjects",
        "enqueueMarkerWithWaitList", "enqueueBarrierWithWaitList",
    };
    return names.at(static_cast<std::size_t>(command));
}

void add_times(CallReply& call, const std::vector<std::uint64_t>& launch_times,
               const std::vector<std::uint64_t>& baseline_times) {
    std::vector<std::uint64_t>& sums = call.function_times;
    if (call.baseline_times.empty())
        call.baseline_times = baseline_times;
    sums.resize(sums.empty() ? launch_times.size() : std::min(sums.size(), launch_times.size()));
    std::ranges::transform(sums, launch_times, sums.begin(), std::plus<>());
    call.baseline_times.resize(std::min(call.baseline_times.size(), sums.size()));
}

std::string text_of(const Finding& finding) {
    return finding.message +
           (finding.may_be_elsewhere ? " (the mistake may be in another line)" : "") +
           finding.explanation;
}

std::string encode(const Request& request) { return encode_variant(request); }
std::string encode(const Reply& reply) { return encode_variant(reply); }
Request decode_request(const std::string& text) { return decode_variant<Request>(text); }
Reply decode_reply(const std::string& text) { return decode_variant<Reply>(text); }

} // namespace wire
