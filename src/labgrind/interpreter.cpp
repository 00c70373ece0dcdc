#include "labgrind/interpreter.hpp"

#include "labgrind/observer.hpp"
#include "labgrind/replay.hpp"
#include "labgrind/reports/findings.hpp"
#include "labgrind/schedule_reports.hpp"
#include "labgrind/schedules.hpp"
#include "labgrind/signals.hpp"
#include "labgrind/vm/clang.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace labgrind {
namespace {

/// How many failures in a row a work-item must survive.
constexpr unsigned stubborn_failures = 256;

constexpr const char* gives_up =
    " fails if another work-item is faster, and is not retried, so the result is different";
constexpr const char* fails_forever =
    " fails if another work-item is faster, and then every retry fails, too: a retry must compare "
    "with the value that the last attempt returned, and compute the new one from it";
constexpr const char* goes_on =
    " finds the lock taken, but the work-item continues without it, and "
    "later releases a lock that it does not hold";
constexpr const char* takes_late =
    "; its result is not used. Reading the lock first is not enough, because another work-item can "
    "take it in between: use what this operation returns, and repeat it until the lock was free";

void add_no_retry(std::vector<wire::Finding>& findings, const std::string& kernel,
                  const std::vector<int>& lines, const std::string& why) {
    for (const int line : lines) {
        const bool known = std::ranges::any_of(findings, [&](const wire::Finding& one) {
            return one.kind == FindingKind::no_retry && one.line == line;
        });
        if (!known)
            findings.push_back({FindingKind::no_retry, kernel, line, 0,
                                "the atomic operation at line " + std::to_string(line) + why});
    }
}

void add_broken_locks(wire::Analysis& analysis, const Contention& contention) {
    for (const Contention::BrokenIn& one : contention.broken_in()) {
        if (one.is_repeated)
            analysis.findings.push_back(
                {FindingKind::unlock_not_held, analysis.work.kernel, one.release_line, one.line,
                 "if the atomic operation at line " + std::to_string(one.line) +
                     " finds the lock taken, line " + std::to_string(one.release_line) +
                     " releases it although another work-item holds it"});
        else
            add_no_retry(analysis.findings, analysis.work.kernel, {one.line},
                         std::string(goes_on) + (one.uses_result ? "" : takes_late));
    }
}

bool has(const wire::Analysis& analysis, FindingKind kind) {
    return std::ranges::any_of(analysis.findings,
                               [&](const wire::Finding& one) { return one.kind == kind; });
}

/// Adds the findings of those kinds that have none yet.
void add_new(wire::Analysis& analysis, const std::vector<wire::Finding>& findings,
             const std::vector<FindingKind>& kinds) {
    for (const FindingKind kind : kinds) {
        if (has(analysis, kind))
            continue;
        std::copy_if(findings.begin(), findings.end(), std::back_inserter(analysis.findings),
                     [&](const wire::Finding& one) { return one.kind == kind; });
    }
}

using Values = std::map<std::uint64_t, std::uint64_t>;

/// Whether a work-item was in an endless loop around this line.
bool loops_at(const wire::Analysis& analysis, int line) {
    return std::ranges::any_of(analysis.findings, [&](const wire::Finding& one) {
        return one.kind == FindingKind::endless_loop && one.line <= line && line <= one.other_line;
    });
}

/// Lines where a work-item gave up in the last run and the results therefore differ from those
/// before: in the word itself, or anywhere if the word is a lock.
struct LostUpdates {
    std::vector<int> of_words;
    std::vector<int> of_locks;
};

/// `local_values` and the results kept are those before.
LostUpdates lost_updates(const Replay& replay, const Values& local_values) {
    const Observer& observer = replay.observer();
    const bool any = observer.analysis().cut_short || replay.differing_buffers() != 0;
    LostUpdates lost;
    for (const Contention::GivenUp& one : observer.contention().given_up()) {
        const auto before = local_values.find(one.word);
        const auto now = observer.local_values().find(one.word);
        const bool other_value =
            before != local_values.end() && now != observer.local_values().end()
                ? before->second != now->second
                : replay.differs_at(one.word);
        if (one.lock ? any : other_value)
            (one.lock ? lost.of_locks : lost.of_words).push_back(one.line);
    }
    return lost;
}

/// Adds the findings of a run in which work-items contend for the words that they compare and swap.
/// Returns the lines where a work-item gives up a lock that no other one really holds: the holder
/// may do its work, too.
std::vector<int> find_lost_updates(wire::Analysis& analysis, Replay& replay) {
    const Observer& observer = replay.observer();
    const ContendedWords contended = observer.contended_words();
    if (contended.empty())
        return {};
    const Values local_values = observer.local_values();
    replay.run({Contention(contended, 1)});
    LostUpdates lost = lost_updates(replay, local_values);
    for (const int line : lost.of_words)
        add_no_retry(analysis.findings, analysis.work.kernel, {line},
                     loops_at(observer.analysis(), line) ? fails_forever : gives_up);
    add_broken_locks(analysis, observer.contention());
    const std::vector<wire::Finding>& seen = observer.analysis().findings;
    add_new(analysis, seen, {FindingKind::endless_loop, FindingKind::lock_step_hang});
    // Late work-items may take another path, with other mistakes.
    if (!has(analysis, FindingKind::no_retry))
        add_new(analysis, seen, {FindingKind::data_race, FindingKind::missing_fence});
    // A limited number of attempts shows only if the lock stays taken for long.
    if (std::ranges::any_of(contended, [](const auto& word) { return word.second.lock; })) {
        replay.run({Contention(contended, stubborn_failures)});
        add_broken_locks(analysis, observer.contention());
    }
    return std::move(lost.of_locks);
}

/// Adds the findings of a run in the opposite order, such as a race: the first group may have
/// released its unlocked accesses to all others together with the lock. A work-item that waits
/// forever waits for one that comes later. Returns whether there is a race.
bool find_races_in_reverse(wire::Analysis& analysis, Replay& replay) {
    const Observer& observer = replay.observer();
    if (has(analysis, FindingKind::data_race) || !observer.uses_atomics())
        return false;
    const bool reverses_groups = observer.groups_meet();
    replay.run({.last_group_first = reverses_groups, .last_item_first = true});
    const auto waits = [&] { return has(observer.analysis(), FindingKind::unpromised_wait); };
    if (waits()) { // for a group or for another work-item of its group?
        if (reverses_groups)
            replay.run({.last_group_first = true});
        if (!reverses_groups || !waits())
            replay.run({.last_item_first = true});
        if (!has(analysis, FindingKind::lock_step_hang)) // which is the same mistake
            add_new(analysis, observer.analysis().findings, {FindingKind::unpromised_wait});
        return false;
    }
    const wire::Analysis& seen = observer.analysis();
    if (has(seen, FindingKind::endless_loop) || has(seen, FindingKind::lock_step_hang) ||
        !seen.failure.empty())
        return false;
    add_new(analysis, seen.findings,
            {FindingKind::data_race, FindingKind::divergent_barrier, FindingKind::out_of_bounds,
             FindingKind::uninitialized});
    return has(analysis, FindingKind::data_race);
}

/// Says so if a work-item waits only for groups that may come later, and not because of a known mistake. Then
/// a change of the loop would only hide it.
void explain_endless_loop(wire::Analysis& analysis, Replay& replay) {
    const auto loop =
        std::ranges::find(analysis.findings, FindingKind::endless_loop, &wire::Finding::kind);
    if (loop == analysis.findings.end() || !loop->cause.empty() || !replay.uses_atomics() ||
        replay.groups() == 1)
        return;
    replay.run({.last_group_first = true});
    const wire::Analysis& reversed = replay.observer().analysis();
    const bool ends_in_reverse = !reversed.cut_short && reversed.failure.empty();
    if (!ends_in_reverse && !ends_with_all_groups(replay))
        return;
    loop->message +=
        (loop->explanation.empty() ? "; it waits" : ", and") + std::string(for_later_group);
    loop->explanation.clear();
    loop->while_waiting = true;
}

/// Fences that come before and after every atomic operation.
struct Fences {
    bool before = false;
    bool after = false;
};

/// What to do about a race that ends with these fences.
std::string advice_for_fences(Fences missing, bool within_group) {
    const std::string fence = within_group ? "a mem_fence()" : "a mem_fence(CLK_GLOBAL_MEM_FENCE)";
    std::string advice = "; an atomic operation does not order other accesses: ";
    if (missing.before)
        advice += "the work-item that signals needs " + fence +
                  " between its store and its atomic operation";
    if (missing.before && missing.after)
        advice += ", and the one that receives the signal needs one after it has read it";
    else if (missing.after)
        advice += "the work-item that receives the signal needs " + fence + " after it has read it";
    return advice;
}

/// Explains races that would not exist if atomic operations were fences. `in_reverse`: they were
/// found in the opposite order.
void explain_races(wire::Analysis& analysis, Replay& replay, bool in_reverse) {
    const Observer& observer = replay.observer();
    if (!has(analysis, FindingKind::data_race) || !observer.uses_atomics())
        return;
    const auto is_race = [](const auto& one) { return one.kind == FindingKind::data_race; };
    const auto end_with = [&](const std::vector<wire::Finding*>& races, Fences added) {
        std::vector<wire::Finding*> ended;
        replay.run({.last_group_first = in_reverse && observer.groups_meet(),
                    .atomics_acquire = added.after,
                    .atomics_release = added.before,
                    .last_item_first = in_reverse});
        const wire::Analysis& fenced = observer.analysis();
        if (fenced.cut_short || !fenced.failure.empty())
            return ended;
        std::ranges::copy_if(races, std::back_inserter(ended), [&](const wire::Finding* race) {
            return std::ranges::none_of(fenced.findings, [&](const wire::Finding& other) {
                return is_race(other) && other.line == race->line;
            });
        });
        return ended;
    };
    std::vector<wire::Finding*> races;
    for (wire::Finding& one : analysis.findings) {
        if (is_race(one))
            races.push_back(&one);
    }
    for (const Fences missing :
         {Fences{.before = true}, Fences{.after = true}, Fences{true, true}}) {
        if (races.empty())
            return; // all are explained
        for (wire::Finding* race : end_with(races, missing)) {
            if (!race->is_explained || missing.before)
                race->explanation += advice_for_fences(missing, race->within_group);
            std::erase(races, race);
        }
    }
    if (std::ranges::any_of(races, &wire::Finding::is_explained))
        return; // without that mistake, the other races may not exist
    bool lacks_signal = false;
    for (wire::Finding* race : races) {
        // Between a read and a write of one line, as in count++, no signal is missing.
        const bool is_of_one_line = race->other_line == 0 || race->other_line == race->line;
        const std::string why = race->within_group || race->both_store || is_of_one_line
                                    ? ""
                                    : why_no_signal(replay, race->line, race->other_line,
                                                    in_reverse && observer.groups_meet());
        lacks_signal = lacks_signal || !why.empty();
        race->explanation += why.empty() ? "" : "; " + why;
    }
    for (wire::Finding* race : races) {
        if (race->both_store && !race->within_group && !lacks_signal)
            race->explanation += "; if both groups should write this element, they need a lock; "
                                 "if not, its index is wrong";
    }
}

/// Puts the mistake in the program's atomic operations before findings that only describe its effect.
void explain_lost_updates(wire::Analysis& analysis, const AtomicMistake& mistake) {
    if (mistake.text.empty())
        return;
    for (wire::Finding& one : analysis.findings) {
        const bool is_there = one.line == mistake.line || one.other_line == mistake.line;
        if (mistake.is_data && one.kind == FindingKind::never_unlocked) {
            one.kind = FindingKind::endless_loop;
            one.message = mistake.text + "; as it is, the loop never ends";
            one.explanation.clear();
        } else if (mistake.races && one.kind == FindingKind::data_race && is_there) {
            one.explanation = "; " + mistake.text;
        } else if (one.kind == FindingKind::wrong_order || one.kind == FindingKind::no_retry ||
                   (mistake.never_ends && one.kind == FindingKind::endless_loop && is_there)) {
            one.may_be_elsewhere = false;
            one.message.insert(0, mistake.text + "; ");
            if (one.line != mistake.line)
                one.other_line = std::exchange(one.line, mistake.line);
            if (mistake.other_line != 0)
                one.other_line = mistake.other_line;
        } else {
            continue;
        }
        one.cause = mistake.text;
    }
}

/// Whether there is no finding that makes other schedules meaningless.
bool is_worth_trying(const wire::Analysis& analysis) {
    return std::ranges::all_of(analysis.findings, [](const auto& one) {
        return one.kind == FindingKind::unpromised_wait || one.while_waiting;
    });
}

/// Returns whether a schedule shows a mistake, whatever the results are.
bool try_schedules(wire::Analysis& analysis, Replay& replay, std::uint64_t seed,
                   std::size_t& long_searches) {
    OtherSchedules others = find_other_schedules(replay, seed, long_searches);
    analysis.other_schedules = std::move(others.schedules);
    if (others.mistake)
        analysis.findings.push_back(*others.mistake);
    return others.mistake.has_value();
}

/// Adds what shows only while groups wait. It explains wrong results in other schedules, and barriers that
/// only some work-items reach there, if it is a mistake within a group; otherwise the story of such a
/// schedule says more.
void add_mistakes_of_waiting(wire::Analysis& analysis, Replay& replay) {
    std::vector<wire::Finding> found = find_mistakes_of_waiting(replay);
    if (!analysis.other_schedules.empty())
        std::erase_if(found, [](const wire::Finding& one) {
            return !one.within_group && one.kind != FindingKind::barrier_flag &&
                   one.kind != FindingKind::divergent_barrier;
        });
    if (found.empty())
        return;
    std::erase_if(analysis.findings, [](const auto& one) { return one.while_waiting; });
    analysis.other_schedules.clear();
    std::ranges::move(found, std::back_inserter(analysis.findings));
}

/// Throws for an invalid launch.
void check(const ir::Module& module, const wire::KernelLaunch& launch,
           std::span<std::byte> memory) {
    for (const wire::LaunchArgument& argument : launch.arguments) {
        const wire::ByteRange& bytes = argument.bytes;
        if (argument.kind != wire::LaunchArgument::Kind::local &&
            (bytes.offset > memory.size() || bytes.size > memory.size() - bytes.offset))
            throw std::runtime_error("an argument lies outside the memory passed with it");
    }
    const ir::Function* kernel = module.function(launch.kernel);
    if (kernel == nullptr || !kernel->is_kernel)
        throw std::runtime_error("the kernel file has no kernel " + launch.kernel);
    if (kernel->arguments.size() != launch.arguments.size())
        throw std::runtime_error("kernel " + launch.kernel + " was launched with " +
                                 std::to_string(launch.arguments.size()) + " arguments, but has " +
                                 std::to_string(kernel->arguments.size()));
}

} // namespace

Interpreter::Interpreter() : observer_(std::make_unique<Observer>()) {}

Interpreter::~Interpreter() = default;

Interpreter::Program::Program(const wire::ProgramSource& source, const Compiled& compiled)
    : module(compiled.module), warnings(compiled.warnings),
      difference(find_difference(source.source, source.options, module)),
      atomic_mistake(explain_atomics(module)) {}

Interpreter::Program& Interpreter::build(const wire::ProgramSource& source) {
    auto& program = programs_[{source.source, source.options}];
    if (!program)
        program = std::make_unique<Program>(source, compile(source.source, source.options));
    return *program;
}

wire::Analysis Interpreter::run(const wire::Interpret& request, std::span<std::byte> memory) {
    wire::Analysis analysis;
    try {
        Program& program = build(request.program);
        check(program.module, request.launch, memory);
        std::optional<Changes::Applied> change;
        if ((request.how.lists_changes || !request.change.empty()) && !program.changes)
            program.changes.emplace(program.module, request.program.source);
        if (!request.change.empty())
            change.emplace(*program.changes, request.change);
        Replay replay(program.module, *observer_, request.launch, memory);
        const bool has_order = run(request, program, replay, analysis);
        if (request.watched) // not each time a change is tried
            analysis.warnings = program.warnings;
        explain_lost_updates(analysis, program.atomic_mistake.text.empty()
                                           ? program.split_updates[request.launch.kernel]
                                           : program.atomic_mistake);
        if (program.difference && (has_order || !program.difference->by_order)) {
            analysis.difference_line = program.difference->line;
            analysis.difference = program.difference->what;
        }
    } catch (const std::exception& error) {
        analysis.failure = error.what();
    }
    return analysis;
}

namespace {

/// The most instructions in lockstep, which only small launches run in: about a second.
constexpr std::uint64_t most_in_lock_step = 5'000'000;

/// The most instructions for the effects of changes: one or two seconds.
constexpr std::uint64_t most_for_effects = 50'000'000;

/// Lists the changes of what a launch has executed, and their effects as far as there is time. A launch that
/// takes four times as long as without the change counts as one whose effect is not known.
void list_changes(const Changes& changes, const Replay::Computed& unchanged, Replay& replay,
                  wire::Analysis& analysis) {
    std::uint64_t left = most_for_effects;
    const auto effect_of = [&](const Replay::Computed& computed) {
        return computed.failure.empty() ? replay.hash_of_results() : wire::effect_of_failure;
    };
    analysis.effect = effect_of(unchanged);
    const std::uint64_t most = 4 * unchanged.instructions;
    analysis.changes = changes.of(unchanged.executed, [&]() -> std::uint64_t {
        if (most > left)
            return 0;
        const Replay::Computed changed = replay.compute(false, most);
        left -= std::min(left, changed.instructions);
        return changed.instructions > most ? 0 : effect_of(changed);
    });
    analysis.has_atomics = replay.uses_atomics();
}

/// Runs a launch only for its results.
void compute(const wire::Interpret& request, const std::optional<Changes>& changes, Replay& replay,
             wire::Analysis& analysis) {
    const Replay::Computed computed =
        replay.compute(request.how.in_lock_step, request.how.most_instructions,
                       request.how.lists_changes || !request.change.empty());
    replay.keep_results();
    analysis.failure = computed.failure;
    analysis.instructions = computed.instructions;
    analysis.loads = computed.loads;
    analysis.stores = computed.stores;
    analysis.work.kernel = request.launch.kernel;
    analysis.work.launches = 1;
    if (request.how.lists_changes)
        list_changes(*changes, computed, replay, analysis);
}

/// Traces a launch in a schedule.
void trace(const wire::Interpret& request, Replay& replay, std::size_t& long_searches,
           wire::Analysis& analysis) {
    Tracer tracer;
    if (request.how.schedule.is_usual()) {
        replay.trace(tracer, request.how.in_lock_step);
    } else {
        replay.record_with(tracer);
        run_schedule(replay, request.how.seed, request.how.schedule, false);
    }
    replay.keep_results();
    analysis.trace = tracer.take();
    if (request.how.schedule.is_usual() && request.how.seed != 0 && replay.uses_atomics())
        analysis.other_schedules =
            find_other_schedules(replay, request.how.seed, long_searches).schedules;
}

} // namespace

/// Returns whether the launch can depend on the order of atomic operations. It can if the words that they
/// use are not watched.
bool Interpreter::run(const wire::Interpret& request, Program& program, Replay& replay,
                      wire::Analysis& analysis) {
    if (request.how.traced) {
        trace(request, replay, program.long_searches, analysis);
    } else if (!request.how.schedule.is_usual()) {
        ScheduleRun run = run_schedule(replay, request.how.seed, request.how.schedule,
                                       request.how.explains_schedule);
        if (run.finding)
            analysis.findings.push_back(std::move(*run.finding));
        analysis.last_reads = std::move(run.last_reads);
    } else if (request.how.ends_only) {
        watch_ends(replay, analysis);
    } else if (request.watched) {
        watch(request, program, replay, analysis);
        return observer_->shares_atomics();
    } else {
        compute(request, program.changes, replay, analysis);
    }
    return true;
}

void Interpreter::watch(const wire::Interpret& request, Program& program, Replay& replay,
                        wire::Analysis& analysis) {
    replay.run({.most_instructions = request.how.most_instructions});
    analysis = observer_->analysis();
    analysis.footprint = replay.footprint();
    const bool is_changed = !request.change.empty();
    if (AtomicMistake& known = program.split_updates[request.launch.kernel];
        !is_changed && known.text.empty())
        known = observer_->split_update();
    replay.keep_results();
    if (analysis.cut_short)
        return explain_endless_loop(analysis, replay);
    explain_races(analysis, replay, false);
    const std::vector<int> given_up = find_lost_updates(analysis, replay);
    if (find_races_in_reverse(analysis, replay))
        explain_races(analysis, replay, true);
    const bool tries =
        request.how.seed != 0 && observer_->uses_atomics() && is_worth_trying(analysis);
    if (tries && (is_changed || !program.has_mistake_in_schedule)) { // one such mistake is enough
        const bool has_mistake =
            try_schedules(analysis, replay, request.how.seed, program.long_searches);
        program.has_mistake_in_schedule |= has_mistake && !is_changed;
        if (is_worth_trying(analysis))
            add_mistakes_of_waiting(analysis, replay);
    }
    // The holder of a lock may do the work of those that give up: do results show it?
    if (!tries || has(analysis, FindingKind::wrong_order))
        add_no_retry(analysis.findings, request.launch.kernel, given_up, gives_up);
    else if (!analysis.other_schedules.empty())
        add_no_retry(analysis.explanations, request.launch.kernel, given_up, gives_up);
    if (request.how.in_lock_step && replay.compute(true, most_in_lock_step).failure.empty())
        replay.keep_results();
}

/// Watches the first and the last group, once. A work-item that waits endlessly for one of the other
/// groups is no mistake.
void Interpreter::watch_ends(Replay& replay, wire::Analysis& analysis) {
    const bool has_others = replay.groups() > 2;
    replay.run({}, true);
    analysis = observer_->analysis();
    replay.keep_results();
    if (has_others &&
        (has(analysis, FindingKind::endless_loop) || has(analysis, FindingKind::lock_step_hang)))
        analysis = {};
}

} // namespace labgrind
