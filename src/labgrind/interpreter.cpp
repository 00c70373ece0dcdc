#include "labgrind/interpreter.hpp"

#include "labgrind/clang.hpp"
#include "labgrind/findings.hpp"
#include "labgrind/observer.hpp"
#include "labgrind/orders.hpp"
#include "labgrind/rehearsal.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace labgrind {
namespace {

/// Failures that nobody should take for an answer.
constexpr unsigned stubborn_failures = 256;

constexpr const char* gives_up = " fails when another work-item is faster, and is not tried again: "
                                 "the result is then another one";
constexpr const char* goes_on = " fails while another work-item holds the lock, but this one goes "
                                "on all the same and releases a lock that it does not hold";

void add_no_retry(wire::Analysis& analysis, const std::vector<int>& lines, const char* why) {
    for (const int line : lines) {
        const bool known = std::any_of(analysis.findings.begin(), analysis.findings.end(),
                                       [&](const wire::Finding& one) {
                                           return one.kind == kind::no_retry && one.line == line;
                                       });
        if (!known)
            analysis.findings.push_back(
                {kind::no_retry, analysis.work.kernel, line, 0,
                 "the atomic operation at line " + std::to_string(line) + why, 1});
    }
}

bool has(const wire::Analysis& analysis, const char* kind) {
    return std::any_of(analysis.findings.begin(), analysis.findings.end(),
                       [&](const wire::Finding& one) { return one.kind == kind; });
}

/// Adds the findings of these kinds, of which none is known yet.
void add_new(wire::Analysis& analysis, const std::vector<wire::Finding>& findings,
             const std::vector<const char*>& kinds) {
    for (const char* kind : kinds) {
        if (has(analysis, kind))
            continue;
        std::copy_if(findings.begin(), findings.end(), std::back_inserter(analysis.findings),
                     [&](const wire::Finding& one) { return one.kind == kind; });
    }
}

using Values = std::map<std::uint64_t, std::uint64_t>;

/// Lines where somebody gave up in the last run, and something came out otherwise for it than before
/// (`local_values`, and the results kept): the word itself, or anything where that is a lock.
std::vector<int> lost_updates(const Rehearsal& rehearsal, const Values& local_values) {
    const Observer& observer = rehearsal.observer();
    const bool any = observer.analysis().cut_short || rehearsal.differs();
    std::vector<int> lines;
    for (const Contention::GivenUp& one : observer.contention().given_up()) {
        const auto before = local_values.find(one.word);
        const auto now = observer.local_values().find(one.word);
        const bool other_value =
            before != local_values.end() && now != observer.local_values().end()
                ? before->second != now->second
                : rehearsal.differs_at(one.word);
        if (one.lock ? any : other_value)
            lines.push_back(one.line);
    }
    return lines;
}

/// Adds what goes wrong when work-items are in each other's way at the words that they compare and
/// swap. `keep`: keeps the results of that run.
void find_rivalry(wire::Analysis& analysis, Rehearsal& rehearsal, bool keep) {
    const Observer& observer = rehearsal.observer();
    const Rivals rivals = observer.rivals();
    if (rivals.empty())
        return;
    const Values local_values = observer.local_values();
    rehearsal.run({Contention(rivals, 1)});
    add_no_retry(analysis, lost_updates(rehearsal, local_values), gives_up);
    add_no_retry(analysis, observer.contention().broken_in(), goes_on);
    const std::vector<wire::Finding>& seen = observer.analysis().findings;
    add_new(analysis, seen, {kind::endless_loop, kind::lock_step_hang});
    // Those who are late may take another way, with mistakes of its own.
    if (!has(analysis, kind::no_retry))
        add_new(analysis, seen, {kind::data_race, kind::missing_fence});
    if (keep)
        rehearsal.keep_results();
    // Who tries some times and then goes on shows only where the lock stays taken for long.
    if (std::any_of(rivals.begin(), rivals.end(),
                    [](const auto& rival) { return rival.second.lock; })) {
        rehearsal.run({Contention(rivals, stubborn_failures)});
        add_no_retry(analysis, observer.contention().broken_in(), goes_on);
    }
}

/// Adds what goes wrong when the groups run in the opposite order, such as a race: what the first of
/// them had done without a lock, it may have handed on to all others with the lock. Whether there is
/// one.
bool find_races_in_reverse(wire::Analysis& analysis, Rehearsal& rehearsal) {
    const Observer& observer = rehearsal.observer();
    if (has(analysis, kind::data_race) || !observer.groups_meet())
        return false;
    rehearsal.run({{}, true});
    const wire::Analysis& seen = observer.analysis();
    if (has(seen, kind::endless_loop) || has(seen, kind::lock_step_hang) || !seen.failure.empty())
        return false; // they may wait for one another in their order
    add_new(analysis, seen.findings,
            {kind::data_race, kind::divergent_barrier, kind::out_of_bounds, kind::uninitialised});
    return has(analysis, kind::data_race);
}

/// Keeps the results of a run in which the work-items of each group come in the opposite order: what
/// they hand on to each other by atomic operations alone, nobody promises to be there in time. It is
/// for others to say whether results that differ are still right, as places in a queue are; `line`
/// is that of an atomic operation.
void find_order(wire::Analysis& analysis, Rehearsal& rehearsal, int line) {
    rehearsal.run({{}, false, false, true});
    const wire::Analysis& seen = rehearsal.observer().analysis();
    if (seen.cut_short || !seen.failure.empty())
        return; // they may wait for one another in their order
    if (rehearsal.differs())
        analysis.findings.push_back(
            {kind::data_race, analysis.work.kernel, line, 0,
             "the result depends on the order of the work-items, and between two barriers they run "
             "in any order: the atomic operation at line " +
                 std::to_string(line) + " finds what others have left by then, or have not",
             1});
    rehearsal.keep_results();
}

/// Says so of races that were none if atomic operations were fences. `in_reverse`: how they were
/// found.
void explain_races(wire::Analysis& analysis, Rehearsal& rehearsal, bool in_reverse) {
    const Observer& observer = rehearsal.observer();
    if (!has(analysis, kind::data_race) || !observer.uses_atomics())
        return;
    rehearsal.run({{}, in_reverse, true});
    const wire::Analysis& fenced = observer.analysis();
    if (fenced.cut_short || !fenced.failure.empty())
        return;
    for (wire::Finding& race : analysis.findings) {
        const bool stays = std::any_of(
            fenced.findings.begin(), fenced.findings.end(), [&](const wire::Finding& other) {
                return other.kind == kind::data_race && other.line == race.line;
            });
        if (race.kind == kind::data_race && !stays)
            race.message += "; atomic operations order nothing but themselves: a mem_fence() is "
                            "missing before the one that lets another work-item go on, or after "
                            "the one that finds out";
    }
}

void try_orders(wire::Analysis& analysis, Rehearsal& rehearsal, std::uint64_t seed) {
    OtherOrders others = find_other_orders(rehearsal, seed);
    analysis.other_orders = std::move(others.numbers);
    if (others.hang)
        analysis.findings.push_back(std::move(*others.hang));
}

/// Throws for a launch that is not sound.
void check(const ir::Module& module, const wire::KernelLaunch& launch,
           wire::Span<std::byte> memory) {
    for (const wire::LaunchArgument& argument : launch.arguments) {
        const wire::ByteRange& bytes = argument.bytes;
        if (argument.kind != wire::LaunchArgument::Kind::local &&
            (bytes.offset > memory.size() || bytes.size > memory.size() - bytes.offset))
            throw std::runtime_error("an argument lies outside the memory that came with it");
    }
    const ir::Function* kernel = module.function(launch.kernel);
    if (kernel == nullptr || !kernel->is_kernel)
        throw std::runtime_error("the kernel file has no kernel " + launch.kernel);
    if (kernel->arguments.size() != launch.arguments.size())
        throw std::runtime_error("kernel " + launch.kernel + " was launched with " +
                                 std::to_string(launch.arguments.size()) + " arguments of " +
                                 std::to_string(kernel->arguments.size()));
}

} // namespace

Interpreter::Interpreter() : observer_(std::make_unique<Observer>()) {}

Interpreter::~Interpreter() = default;

Interpreter::Program::Program(const wire::ProgramSource& source)
    : module(compile(source.source, source.options)),
      difference(find_difference(source.source, source.options, module)) {}

const Interpreter::Program& Interpreter::build(const wire::ProgramSource& source) {
    auto& program = programs_[{source.source, source.options}];
    if (!program)
        program = std::make_unique<Program>(source);
    return *program;
}

template <class Analyse> wire::Analysis Interpreter::rehearse(const wire::ProgramSource& source,
                                                              const wire::KernelLaunch& launch,
                                                              wire::Span<std::byte> memory,
                                                              const Analyse& analyse) {
    wire::Analysis analysis;
    try {
        const Program& program = build(source);
        check(program.module, launch, memory);
        Rehearsal rehearsal(program.module, *observer_, launch, memory);
        analyse(rehearsal, analysis);
        if (program.difference) {
            analysis.difference_line = program.difference->line;
            analysis.difference = program.difference->what;
        }
    } catch (const std::exception& error) {
        analysis.failure = error.what();
    }
    return analysis;
}

wire::Analysis Interpreter::run(const wire::ProgramSource& source, const wire::KernelLaunch& launch,
                                wire::Span<std::byte> memory, bool contended, std::uint64_t seed) {
    return rehearse(source, launch, memory, [&](Rehearsal& rehearsal, wire::Analysis& analysis) {
        rehearsal.run({});
        analysis = observer_->analysis();
        analysis.footprint = rehearsal.footprint();
        rehearsal.keep_results();
        if (analysis.cut_short)
            return;
        explain_races(analysis, rehearsal, false);
        const int look = observer_->first_look();
        const bool any_rivals = !observer_->rivals().empty();
        find_rivalry(analysis, rehearsal, contended);
        if (find_races_in_reverse(analysis, rehearsal))
            explain_races(analysis, rehearsal, true);
        if (contended && !any_rivals && look != 0)
            find_order(analysis, rehearsal, look);
        if (seed != 0 && !contended && observer_->uses_atomics() && analysis.findings.empty())
            try_orders(analysis, rehearsal, seed);
    });
}

wire::Analysis Interpreter::run_ends(const wire::ProgramSource& source,
                                     const wire::KernelLaunch& launch,
                                     wire::Span<std::byte> memory) {
    return rehearse(source, launch, memory, [&](Rehearsal& rehearsal, wire::Analysis& analysis) {
        const bool has_others = rehearsal.groups() > 2;
        rehearsal.run({}, true);
        analysis = observer_->analysis();
        rehearsal.keep_results();
        if (has_others &&
            (has(analysis, kind::endless_loop) || has(analysis, kind::lock_step_hang)))
            analysis = {};
    });
}

wire::Analysis Interpreter::compute(const wire::ProgramSource& source,
                                    const wire::KernelLaunch& launch,
                                    wire::Span<std::byte> memory) {
    return rehearse(source, launch, memory, [&](Rehearsal& rehearsal, wire::Analysis& analysis) {
        rehearsal.compute();
        rehearsal.keep_results();
        analysis.work.kernel = launch.kernel;
        analysis.work.launches = 1;
    });
}

wire::Analysis Interpreter::run_order(const wire::ProgramSource& source,
                                      const wire::KernelLaunch& launch,
                                      wire::Span<std::byte> memory, std::uint64_t seed, int order,
                                      bool explain) {
    return rehearse(source, launch, memory, [&](Rehearsal& rehearsal, wire::Analysis& analysis) {
        const TriedOrder tried = labgrind::run_order(rehearsal, seed, order);
        if (explain)
            analysis.findings.push_back(explain_order(rehearsal, tried));
    });
}

} // namespace labgrind
