#include "grader/interpreter.hpp"

#include "grader/explain.hpp"

#include <algorithm>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace grader {
namespace {

/// The most work-items of a launch that is watched.
constexpr std::size_t max_work_items = std::size_t{1} << 16;
/// The same for a launch that is not watched, and for one of which only the ends run.
constexpr std::size_t max_computed_items = std::size_t{1} << 22;
constexpr std::size_t max_numbered_items = std::size_t{1} << 28;

/// For a launch of the largest size in which every work-item uses up its instruction budget.
constexpr Budget launch_budget{120, 30, 300};

/// What the argument of the last launch was in the launch that used its buffer first; "" if it was
/// the same argument, or if no other launch did.
std::string buffer_in_earlier_launch(const std::vector<SeenLaunch>& launches, int argument) {
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
                   std::to_string(i + 1) + ", " + launches[i].kernel;
        }
    }
    return "";
}

/// The first of the buffers that the kernel may write, after its launch, with elements that nothing
/// has written.
std::optional<IncompleteBuffer> find_incomplete_buffer(const wire::KernelLaunch& launch,
                                                       const wire::UniqueFd& memory) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    const wire::Mapping mapping(memory, launch.memory_size, wire::Mapping::Access::read);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const wire::LaunchArgument& argument = launch.arguments[i];
        if (argument.kind != wire::LaunchArgument::Kind::buffer || argument.read_only)
            continue;
        const std::size_t elements = argument.bytes.size / word;
        for (std::size_t k = 0; k < elements; ++k) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &mapping.bytes()[argument.bytes.offset + k * word], word);
            if (wire::is_filling(bits))
                return IncompleteBuffer{launch.kernel, i, k, elements};
        }
    }
    return std::nullopt;
}

} // namespace

bool has(const Observation& seen, wire::FindingKind kind) {
    return std::any_of(seen.findings.begin(), seen.findings.end(),
                       [&](const ObservedFinding& one) { return one.finding.kind == kind; });
}

bool Interpreter::installed() const { return ::access(path_.c_str(), X_OK) == 0; }

wire::LaunchDone Interpreter::fail(const std::string& reason) {
    if (seen_.failure.empty())
        seen_.failure = reason;
    return {reason};
}

wire::LaunchDone Interpreter::run(const wire::ProgramSource& program,
                                  const wire::KernelLaunch& launch, const wire::UniqueFd& memory,
                                  double seconds) {
    const auto& size = launch.global_size;
    const bool watched = launch.memory_size <= most_watched_bytes_;
    const std::size_t most = ends_only_ ? max_numbered_items
                             : watched  ? max_work_items
                                        : max_computed_items;
    if (size[0] > most || size[1] > most || size[2] > most || wire::volume(size) > most)
        return fail("kernel " + launch.kernel + " was launched with more than " +
                    std::to_string(most) + " work-items for such a small input");
    try {
        if (!process_)
            process_ = std::make_unique<RunnerProcess>(command_);
        wire::Interpret request{program, launch, contended_,    in_lock_step_,    ends_only_,
                                watched, seed_,  order_.number, order_.explained, tracing_};
        if (wire::volume(launch.work_group_size) == 0) // left to OpenCL
            request.launch.work_group_size = {1, 1, 1};
        Answer answer = process_->ask(request, {&memory}, within(launch_budget, seconds));
        if (const auto* death = std::get_if<Death>(&answer)) {
            process_.reset();
            return fail("labgrind " + describe_end(*death) + " before it sent a report");
        }
        auto* analysis = std::get_if<wire::Analysis>(&std::get<wire::Reply>(answer));
        if (analysis == nullptr)
            return fail("the analysis sent no report");
        if (!analysis->failure.empty())
            return fail(analysis->failure);
        if (watched)
            incomplete_ = find_incomplete_buffer(launch, memory);
        call_.push_back({launch.kernel, launch.arguments, std::move(analysis->footprint)});
        if (tracing_) {
            other_orders_.insert(analysis->other_orders.begin(), analysis->other_orders.end());
            traces_.push_back({std::move(analysis->trace), launch.arguments});
            return {};
        }
        if (order_.number != 0) {
            if (!analysis->findings.empty())
                order_finding_ = {std::move(analysis->findings.front()), trial_};
            return {};
        }
        other_orders_.insert(analysis->other_orders.begin(), analysis->other_orders.end());
        for (wire::Finding& finding : analysis->explanations)
            order_explanations_.push_back({std::move(finding), trial_});
        for (wire::Finding& finding : analysis->findings) {
            const auto same =
                std::find_if(seen_.findings.begin(), seen_.findings.end(), [&](const auto& one) {
                    const wire::Finding& known = one.finding;
                    return known.kind == finding.kind && known.kernel == finding.kernel &&
                           known.line == finding.line && known.other_line == finding.other_line;
                });
            if (same == seen_.findings.end()) {
                seen_.findings.push_back({std::move(finding), trial_});
                continue;
            }
            wire::Finding& known = same->finding;
            known.within_group = known.within_group && finding.within_group;
        }
        if (!analysis->unwritten.empty()) {
            wire::Finding& use = analysis->unwritten.front();
            use.message += buffer_in_earlier_launch(call_, use.argument);
            seen_.unwritten.emplace(trial_, std::move(use));
        }
        if (!analysis->difference.empty()) {
            seen_.difference_line = analysis->difference_line;
            seen_.difference = std::move(analysis->difference);
        }
        if (analysis->contended_line != 0)
            seen_.contended_lines.emplace(launch.kernel, analysis->contended_line);
        seen_.work.push_back(std::move(analysis->work));
        seen_.cut_short = seen_.cut_short || analysis->cut_short;
        return {};
    } catch (const std::exception& error) {
        process_.reset();
        return fail(std::string("the analysis could not be started: ") + error.what());
    }
}

bool Interpreter::has_seen(wire::FindingKind kind) const { return has(seen_, kind); }

bool Interpreter::has_seen(wire::FindingKind kind, const std::string& kernel) const {
    return std::any_of(seen_.findings.begin(), seen_.findings.end(),
                       [&](const ObservedFinding& one) {
                           return one.finding.kind == kind && one.finding.kernel == kernel;
                       });
}

Observation Interpreter::take_observation() { return std::exchange(seen_, {}); }

} // namespace grader
