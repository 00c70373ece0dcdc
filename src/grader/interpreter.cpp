#include "grader/interpreter.hpp"

#include "grader/explain.hpp"
#include "grader/failure.hpp"
#include "report/result.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace grader {
namespace {

/// The most work-items of a launch that is watched.
constexpr std::size_t max_work_items = std::size_t{1} << 16;
/// Of all launches of a call that are watched: a host can launch large kernels until it is stopped.
constexpr std::size_t max_items_of_call = 8 * max_work_items;
/// The most work-items of a launch that is not watched, and of one whose first and last group run.
constexpr std::size_t max_computed_items = std::size_t{1} << 22;
constexpr std::size_t max_numbered_items = std::size_t{1} << 28;

/// For a launch of the largest size in which every work-item uses up its instruction budget.
constexpr Budget launch_budget{120, 30, 300};

/// How many bytes `ranges`, which do not overlap each other, have in common with `one`.
std::size_t count_common(const std::vector<wire::ByteRange>& ranges, const wire::ByteRange& one) {
    std::size_t bytes = 0;
    for (const wire::ByteRange& range : ranges)
        bytes += wire::common_bytes(range, one).size;
    return bytes;
}

/// What a launch that may have to write argument number `index` has left out; "" if that is not known.
std::string missing_stores(const SeenLaunch& launch, std::size_t index) {
    const wire::ByteRange& argument = launch.arguments[index].bytes;
    const wire::Footprint& used = launch.footprint;
    std::string in_groups = groups_without_store(launch.work);
    if (!used.known || count_common(used.atomic, argument) != 0)
        return in_groups;
    const std::size_t written = count_common(used.written, argument);
    const int line = index < used.store_lines.size() ? used.store_lines[index] : 0;
    if (written == 0)
        return ", which has written nothing to it" +
               (line == 0 ? ""
                          : ": no work-item executes line " + std::to_string(line) +
                                ", which stores there; is its condition ever true?");
    if (written == argument.size || !in_groups.empty())
        return in_groups;
    constexpr std::size_t element = sizeof(float);
    const bool has_one_for_each_group = argument.size == launch.work.groups * element;
    return ", which has written only " + std::to_string(written / element) + " of its " +
           count_of(argument.size / element, "element") +
           (line == 0
                ? ""
                : ", at line " + std::to_string(line) + ": does each " +
                      (has_one_for_each_group ? "group" : "work-item") + " execute that line?");
}

/// What could have written the argument of the last launch before it: what it was in the launch that used
/// its buffer first, or the host if there is none; "" if it was the same argument.
std::string earlier_writer(const std::vector<SeenLaunch>& launches, int argument) {
    const SeenLaunch& last = launches.back();
    const auto index = static_cast<std::size_t>(argument);
    if (argument < 0 || index >= last.arguments.size())
        return "";
    const std::uint64_t buffer = last.arguments[index].buffer;
    for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
        const std::vector<wire::LaunchArgument>& arguments = launches[i].arguments;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (arguments[k].buffer != buffer || buffer == 0)
                continue;
            if (k == index && launches[i].kernel == last.kernel)
                return "";
            return "; this is launch " + std::to_string(launches.size()) +
                   ", and the buffer is argument " + std::to_string(k) + " of launch " +
                   std::to_string(i + 1) + ", " + launches[i].kernel +
                   missing_stores(launches[i], k);
        }
    }
    return last.arguments[index].read_only
               ? "; before this launch, only your host code can write it: does the vector that it "
                 "copies have that many elements, and are the offset and the size in bytes?"
               : "; before this launch, no kernel writes it: your host code must write it, or "
                 "launch the kernel that does";
}

/// Whether the argument is a buffer that the kernel may write.
bool is_written(const wire::LaunchArgument& argument) {
    return argument.kind == wire::LaunchArgument::Kind::buffer && !argument.read_only;
}

/// The words of a launch's values and of its buffers with at most `most_words`.
Words words_of(const wire::KernelLaunch& launch, const wire::Mapping& memory) {
    constexpr std::size_t most_words = 4096;
    Words all;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const wire::ByteRange& bytes = launch.arguments[i].bytes;
        std::vector<std::uint32_t> words(bytes.size / sizeof(std::uint32_t));
        if (launch.arguments[i].kind == wire::LaunchArgument::Kind::local || words.empty() ||
            words.size() > most_words)
            continue;
        std::memcpy(words.data(), &memory.bytes()[bytes.offset],
                    words.size() * sizeof(std::uint32_t));
        all.emplace(i, std::move(words));
    }
    return all;
}

/// Stores `words` in the buffers of a launch.
void store(const Words& words, const wire::KernelLaunch& launch, const wire::Mapping& memory) {
    for (const auto& [argument, values] : words) {
        const wire::LaunchArgument& one = launch.arguments[argument];
        if (is_written(one))
            std::memcpy(&memory.bytes()[one.bytes.offset], values.data(),
                        values.size() * sizeof(std::uint32_t));
    }
}

/// The first of the buffers that the kernel may write, after its launch, with elements that nothing
/// has written.
std::optional<IncompleteBuffer> find_incomplete_buffer(const wire::KernelLaunch& launch,
                                                       const wire::Mapping& memory,
                                                       const wire::WorkCounts& work) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const wire::LaunchArgument& argument = launch.arguments[i];
        if (!is_written(argument))
            continue;
        const std::size_t elements = argument.bytes.size / word;
        for (std::size_t k = 0; k < elements; ++k) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &memory.bytes()[argument.bytes.offset + k * word], word);
            if (wire::is_filling(bits))
                return IncompleteBuffer{launch.kernel, i, k, elements, work};
        }
    }
    return std::nullopt;
}

} // namespace

std::string groups_without_store(const wire::WorkCounts& work) {
    if (work.global_stores == 0 || work.global_stores >= work.groups)
        return "";
    return "; its " + count_of(work.groups, "work-group") + " make only " +
           count_of(work.global_stores, "store") +
           (work.global_stores == 1 ? ": in each group, the work-item with get_local_id(0) == 0 "
                                      "must store a result, not only the one with "
                                      "get_global_id(0) == 0"
                                    : ": does each group store its result?");
}

bool has(const Observation& seen, wire::FindingKind kind) {
    return std::ranges::any_of(
        seen.findings, [&](const ObservedFinding& one) { return one.finding.kind == kind; });
}

bool has_endless(const Observation& seen) {
    return std::ranges::any_of(seen.findings,
                               [](const ObservedFinding& one) { return one.finding.is_endless; });
}

bool can_hang(const Observation& seen, const std::string& kernel) {
    return std::ranges::any_of(seen.findings, [&](const ObservedFinding& one) {
        return (one.finding.is_endless ||
                one.finding.kind == wire::FindingKind::divergent_barrier) &&
               one.finding.kernel == kernel;
    });
}

void ListedChanges::add(const wire::Interpret& request, wire::Analysis& analysis) {
    const std::uint64_t unchanged = effect;
    const auto together = [&](std::uint64_t before, std::uint64_t last) -> std::uint64_t {
        constexpr std::uint64_t factor = 0x9E3779B97F4A7C15; // 2^64 divided by the golden ratio
        if (before == 0 || last == 0)
            return 0;
        if (before == wire::effect_of_failure ||
            (before == unchanged && last == wire::effect_of_failure))
            return wire::effect_of_failure;
        return (before ^ last) * factor;
    };
    effect = together(unchanged, analysis.effect);
    std::map<std::string_view, const wire::Change*> added;
    for (const wire::Change& one : analysis.changes)
        added.emplace(one.key, &one);
    for (KernelChange& one : changes) { // several kernels can share a function
        const auto again = added.find(one.change.key);
        const bool is_again = again != added.end() && one.source == request.program.source;
        one.change.effect =
            together(one.change.effect, is_again ? again->second->effect : analysis.effect);
        if (is_again) {
            one.kernels.insert(request.launch.kernel);
            added.erase(again);
        }
    }
    for (wire::Change& one : analysis.changes) {
        if (!added.contains(one.key))
            continue;
        one.effect = together(unchanged, one.effect);
        changes.push_back(
            {{request.launch.kernel}, request.program.source, analysis.has_atomics, one});
    }
}

void end_unobserved(const Observation& seen) {
    if (seen.is_oversized)
        end({.status = report::Status::fail,
             .message = seen.failure,
             .why = {.hints = Hints{}, .mistake = "too many work-items"}});
    end(report::Status::error, "the analysis failed: " + seen.failure);
}

bool Interpreter::installed() const { return ::access(path_.c_str(), X_OK) == 0; }

wire::LaunchDone Interpreter::fail(const std::string& reason) {
    if (seen_.failure.empty())
        seen_.failure = reason;
    return {reason};
}

/// Fails for a launch with too many work-items.
wire::LaunchDone Interpreter::refuse_size(const std::string& reason) {
    seen_.is_oversized = seen_.is_oversized || seen_.failure.empty();
    return fail(reason);
}

wire::LaunchDone Interpreter::run(const wire::ProgramSource& program,
                                  const wire::KernelLaunch& launch, const wire::UniqueFd& memory,
                                  double seconds) {
    const auto& size = launch.global_size;
    const bool watched = launch.memory_size <= conditions.most_watched_bytes;
    const std::size_t most = conditions.how.ends_only ? max_numbered_items
                             : watched                ? max_work_items
                                                      : max_computed_items;
    const std::string input = trial_.parameters.empty() ? "a small input" : trial_.parameters;
    if (size[0] > most || size[1] > most || size[2] > most || wire::volume(size) > most)
        return refuse_size("kernel " + launch.kernel + " was launched with more than " +
                           std::to_string(most) + " work-items for " + input);
    if (watched && !conditions.how.ends_only)
        items_of_call_ += wire::volume(size);
    if (items_of_call_ > max_items_of_call)
        return refuse_size("the launches of one call have more than " +
                           std::to_string(max_items_of_call) + " work-items for " + input +
                           ": does the host stop launching kernels?");
    wire::Interpret request;
    request.program = program;
    request.launch = launch;
    if (wire::volume(launch.work_group_size) == 0) // left to OpenCL
        request.launch.work_group_size = {1, 1, 1};
    request.how = conditions.how;
    request.watched = watched;
    if (conditions.change != nullptr && conditions.change->source == program.source)
        request.change = conditions.change->change.key;
    try {
        return ask(request, memory, seconds);
    } catch (const std::exception& error) {
        process_.reset();
        return fail(std::string("the analysis could not be started: ") + error.what());
    }
}

/// Runs a launch in the process, and starts that first if there is none.
wire::LaunchDone Interpreter::ask(const wire::Interpret& request, const wire::UniqueFd& memory,
                                  double seconds) {
    if (!process_)
        process_ = std::make_unique<RunnerProcess>(command_);
    const wire::Mapping words(memory, request.launch.memory_size,
                              conditions.check == nullptr ? wire::Mapping::Access::read
                                                          : wire::Mapping::Access::read_write);
    words_.push_back({request.launch.kernel, words_of(request.launch, words)});
    Answer answer = process_->ask(request, {&memory}, within(launch_budget, seconds));
    if (const auto* runner_end = std::get_if<RunnerEnd>(&answer)) {
        process_.reset();
        return fail("labgrind " + describe_end(*runner_end) + " before it sent a report");
    }
    auto* analysis = std::get_if<wire::Analysis>(&std::get<wire::Reply>(answer));
    if (analysis == nullptr)
        return fail("the analysis sent no report");
    instructions_ += analysis->instructions;
    for (const auto& [line, times] : analysis->loads)
        accesses_[{request.launch.kernel, line}].loads += times;
    for (const auto& [line, times] : analysis->stores)
        accesses_[{request.launch.kernel, line}].stores += times;
    if (request.how.lists_changes)
        listed_.add(request, *analysis);
    if (!analysis->failure.empty())
        return fail(analysis->failure);
    if (request.watched)
        incomplete_ = find_incomplete_buffer(request.launch, words, analysis->work);
    words_.back().left = words_of(request.launch, words);
    if (conditions.check != nullptr) {
        conditions.check->check(words_.back());
        store(words_.back().left, request.launch, words);
    }
    last_reads_ = std::move(analysis->last_reads);
    record(request.launch, *analysis);
    return {};
}

/// Records what a launch showed. One that repeats another in a certain schedule, or for a picture,
/// shows nothing new.
void Interpreter::record(const wire::KernelLaunch& launch, wire::Analysis& analysis) {
    call_.push_back(
        {launch.kernel, launch.arguments, std::move(analysis.footprint), analysis.work});
    if (conditions.how.traced)
        traces_.push_back({std::move(analysis.trace), launch.arguments});
    else if (!conditions.how.schedule.is_usual() && !analysis.findings.empty())
        schedule_finding_ = ObservedFinding{std::move(analysis.findings.front()), trial_};
    if (conditions.how.traced || conditions.how.schedule.is_usual())
        other_schedules_.insert(analysis.other_schedules.begin(), analysis.other_schedules.end());
    if (conditions.how.traced || !conditions.how.schedule.is_usual())
        return;
    for (wire::Finding& finding : analysis.explanations)
        schedule_explanations_.push_back({std::move(finding), trial_});
    for (wire::Finding& finding : analysis.findings)
        record(finding);
    if (!analysis.unwritten.empty()) {
        wire::Finding& use = analysis.unwritten.front();
        use.message += earlier_writer(call_, use.argument);
        seen_.unwritten.emplace(trial_, std::move(use));
    }
    if (!analysis.difference.empty()) {
        seen_.difference_line = analysis.difference_line;
        seen_.difference = std::move(analysis.difference);
    }
    if (!analysis.warnings.empty())
        seen_.warnings.insert_or_assign(launch.kernel, std::move(analysis.warnings));
    seen_.work.push_back(std::move(analysis.work));
    seen_.cut_short = seen_.cut_short || analysis.cut_short;
}

/// Records a finding, once for each kind and place.
void Interpreter::record(wire::Finding& finding) {
    const auto same = std::ranges::find_if(seen_.findings, [&](const ObservedFinding& one) {
        const wire::Finding& known = one.finding;
        return known.kind == finding.kind && known.kernel == finding.kernel &&
               known.line == finding.line && known.other_line == finding.other_line;
    });
    if (same == seen_.findings.end()) {
        seen_.findings.push_back({std::move(finding), trial_});
        return;
    }
    const bool within_group = same->finding.within_group && finding.within_group;
    if (same->finding.asks && !finding.asks) // another input shows which mistake it is
        *same = {std::move(finding), trial_};
    same->finding.within_group = within_group;
}

std::vector<std::uint32_t> Interpreter::words_given(std::size_t argument) const {
    return words_.empty() ? std::vector<std::uint32_t>() : words_at(words_.back().given, argument);
}

std::vector<std::uint32_t> Interpreter::words_left(const std::string& kernel,
                                                   std::size_t argument) const {
    const auto last = std::find_if(words_.rbegin(), words_.rend(), [&](const LaunchWords& one) {
        return one.kernel == kernel && !one.left.empty();
    });
    return last == words_.rend() ? std::vector<std::uint32_t>() : words_at(last->left, argument);
}

bool Interpreter::has_seen(wire::FindingKind kind) const { return has(seen_, kind); }

Observation Interpreter::take_observation() { return std::exchange(seen_, {}); }

} // namespace grader
