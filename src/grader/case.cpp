#include "grader/case.hpp"

#include "grader/element_paths.hpp"
#include "grader/example_picture.hpp"
#include "grader/hints.hpp"
#include "grader/second_opinion.hpp"
#include "grader/session.hpp"
#include "grader/small_trial_review.hpp"
#include "grader/small_trial_run.hpp"
#include "grader/temporarily.hpp"
#include "grader/verdicts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace grader {

Case::Case(Session& session, report::Case& record)
    : session_(session), record_(record), random_(random_for(session.options().seed, record.name)),
      calls_(session, record),
      small_trials_(std::make_unique<SmallTrialReview>(*this, session, record, calls_)),
      second_opinion_(
          std::make_unique<SecondOpinion>(*this, session, record, calls_, *small_trials_)) {}

Case::~Case() = default;

Case::Case() : Case(Session::current(), *Session::current().running.record) {
    const std::string over = session_.why_over();
    if (!over.empty())
        end(report::Status::error, "not run: " + over);
}

const wire::DeviceInfo& Case::device() const { return session_.device(); }

bool Case::can_interpret() const { return session_.interpreter().installed(); }

std::size_t Case::largest_work_group(const Program& program, const std::string& kernel) {
    const wire::ProgramInfo info =
        session_.inspect({session_.kernel_file(program.file).text(), program.options});
    if (!info.built)
        end_unbuilt(session_, record_, program, info.build_log);
    for (const wire::KernelInfo& known : info.kernels) {
        if (known.name == kernel)
            return calls_.next.mode != Mode::device
                       ? device().max_work_group_size
                       : std::min(known.work_group_size, device().max_work_group_size);
    }
    end(report::Status::fail, "there is no kernel named " + kernel,
        session_.kernel_file(program.file).name());
}

std::size_t Case::affordable(std::size_t elements) const {
    // In groups of 64, more groups than 16 bits can count.
    constexpr std::size_t most_on_processor = (std::size_t{1} << 22) + 1;
    constexpr std::size_t most_for_labgrind = (std::size_t{1} << 18) + 1;
    constexpr std::size_t least = (std::size_t{1} << 16) + 1;
    const bool is_interactive = !session_.options().sealed;
    if (session_.known.fallback != Fallback::none)
        return std::min(elements, is_interactive ? least : most_for_labgrind);
    return is_interactive && device().type != wire::DeviceType::gpu
               ? std::min(elements, most_on_processor)
               : elements;
}

void Case::end_if_only_judged() const {
    if (session_.interpreter().conditions.only_judges())
        end(report::Status::fail, "");
}

bool Case::is_in_other_schedule() const {
    return !session_.interpreter().conditions.how.schedule.is_usual();
}

bool Case::is_in_opposite_order() const {
    return session_.interpreter().conditions.how.schedule.kind == wire::Schedule::Kind::opposite;
}

void Case::run_trial(const std::string& parameters, const std::function<void()>& calls) {
    const auto body = [&] {
        computed_by_host_.reset();
        calls();
        require_own_results();
    };
    calls_.trials.begin(parameters);
    session_.interpreter().begin_trial(parameters);
    if (small_trial_run_ != nullptr)
        return small_trial_run_->collect(body);
    if (calls_.is_attempting())
        return body(); // the caller of attempt_in() judges how it ends
    calls_.seen = {};
    const int first_turn = calls_.next.turn;
    // A trial that is repeated has the same inputs, so that its results can be compared.
    const auto repeatable = [&, start = random_] {
        random_ = start;
        body();
    };
    const auto run = [&] {
        if (session_.known.fallback == Fallback::device_errs)
            return second_opinion_->run_by_labgrind(repeatable);
        if (session_.known.fallback == Fallback::barrier_missing) {
            // If it fails, the same trial in lockstep counts: only that needs an explanation.
            const Temporarily judged(session_.interpreter().conditions.is_known_to_fail, true);
            if (auto ended = calls_.attempt_in(Mode::device, repeatable))
                return ended;
            calls_.next.turn = first_turn;
        }
        return calls_.attempt_in(Mode::device, repeatable);
    };
    const auto ended = second_opinion_->review(repeatable, run(), first_turn);
    if (ended)
        end(*ended);
    require_same_without_data(repeatable);
}

/// Ends the case with a failure if a trial that has passed needs data that the host cannot have in
/// grading. Where the host computes no part of the result, its numbers show that already.
void Case::require_same_without_data(const std::function<void()>& body) {
    constexpr std::size_t most_bytes = std::size_t{8} << 10; // takes a few milliseconds
    constexpr int most_repeated = 6;                         // and then only ever larger ones
    const std::size_t bytes = calls_.seen.largest_call;
    if (session_.options().sealed || calls_.next.visible_words == 0 || bytes > most_bytes ||
        !session_.interpreter().installed() ||
        (repeated_ >= most_repeated && bytes <= 2 * bytes_without_data_))
        return;
    ++repeated_;
    bytes_without_data_ = std::max(bytes, bytes_without_data_);
    Interpreter& interpreter = session_.interpreter();
    const Observation before = interpreter.observation();
    const Temporarily unwatched(interpreter.conditions.most_watched_bytes, std::size_t{0});
    const auto passes = [&](Mode mode) {
        const Temporarily same_values_outside(calls_.next.turn, calls_.next.turn);
        const Temporarily judged(interpreter.conditions.is_known_to_fail, true);
        bool passed = false;
        calls_.without_trace([&] { passed = !calls_.attempt_in(mode, body); });
        return passed;
    };
    std::optional<CaseOutcome> ended;
    if (!passes(Mode::sealed) && passes(Mode::interpreter)) {
        const std::string excess = calls_.excess_read();
        const Temporarily known(
            calls_.use_of_data,
            excess.empty() ? computes_with_data
                           : "it " + excess + ": in grading, the rest are placeholders, not data");
        ended = calls_.attempt_in(Mode::sealed, body);
    }
    interpreter.set_observation(before);
    if (ended)
        end(*ended);
}

void Case::watch_ends(const std::string& parameters, const std::function<void()>& body) {
    if (small_trial_run_ == nullptr)
        return;
    session_.interpreter().begin_trial(parameters);
    small_trial_run_->collect_ends(body);
}

SmallTrials Case::run_small_trials(const TrialShare& share) {
    SmallTrialRun run(*this, session_, record_, calls_, share);
    const Temporarily running(small_trial_run_, &run);
    return run.run();
}

std::size_t Case::count_small_trials() {
    SmallTrialRun run(*this, session_, record_, calls_, {});
    const Temporarily running(small_trial_run_, &run);
    return run.count();
}

void Case::show_result(const std::vector<double>& expected, const std::vector<double>& got) {
    if (example_picture_ != nullptr)
        example_picture_->show_result(expected, got);
}

report::Picture Case::draw_example() {
    ExamplePicture picture(*this, session_, record_, calls_);
    const Temporarily drawing(example_picture_, &picture);
    return picture.draw();
}

Run Case::require_clean(const Program& program, Run run) {
    const auto explain = std::exchange(explain_stray_writes_, nullptr);
    const std::optional<KnownMistake>& host = calls_.host_mistake;
    if (auto failure = mistake_in(run.seen, program, session_)) {
        if (explain && failure->why.cause == Explanation::Cause::seen &&
            !run.seen.guard_hits.empty())
            explain(*failure);
        if (run.seen.outcome == wire::Outcome::opencl_error && host) {
            failure->details.push_back("in your host code: " + host->text);
            failure->why.mistake = host->cause;
        }
        fail(program, *failure);
    }
    return run;
}

Run Case::require_launch(const Program& program, Run run) {
    if (run.seen.launches.empty())
        fail_by_host(program, "no kernel was launched",
                     "the kernels must do the work, for every input");
    if (run.seen.host_words != 0) {
        computed_by_host_ = {program, run.seen.host_words};
        if (calls_.hides_data()) // it is computed from placeholders
            require_own_results();
    }
    return run;
}

/// Ends the case with a failure if the host computed a part of a result in this trial.
void Case::require_own_results() {
    const auto computed = std::exchange(computed_by_host_, std::nullopt);
    if (!computed)
        return;
    const char* const what = "the result does not come from a kernel";
    if (has_host_mistake()) // such as a result that is never read
        fail(computed->program, {.what = what});
    fail_by_host(computed->program, what,
                 "your host code computed, or converted, " + count_of(computed->words, "number") +
                     " of the result: kernels must do that");
}

void Case::require_few_reads(const Program& program) {
    const std::string excess = calls_.hides_data() ? "" : calls_.excess_read();
    if (!excess.empty())
        fail_by_host(program, "too much is read back",
                     "your host code " + excess + ": the kernels must do the rest");
}

/// Ends the case because of what the host has done, or because of a known mistake of it.
void Case::fail_by_host(const Program& program, const std::string& what,
                        const std::string& detail) {
    Failure failure = failure_of_host(what, detail);
    if (has_host_mistake())
        failure.why = {};
    fail(program, failure);
}

void Case::fail(const Program& program, const Failure& what) {
    Failure failure = what;
    const std::optional<KnownMistake>& host = calls_.host_mistake;
    const bool is_known = failure.why.cause == Explanation::Cause::seen && host &&
                          !(host->lacks_launch && failure.needs_no_other_launch);
    const bool is_by_host = is_known && host->kernel.empty();
    if (is_known && !is_by_host)
        failure.why.guesses = {host->text};
    if (is_known) {
        failure.question.clear();
        failure.wrong_step.reset();
    }
    if (is_by_host)
        blame_host(failure);
    const KernelFile& file = session_.kernel_file(program.file);
    if (failure.why.cause == Explanation::Cause::seen && !is_by_host)
        add_suspicious_lines(program, failure);
    std::vector<std::string> parts;
    int line = line_of(failure, file);
    constexpr std::size_t max_left_shown = 10;
    for (const KernelFile::Place& left : file.unimplemented()) {
        failure.why.cause = Explanation::Cause::not_implemented;
        if (parts.size() == max_left_shown)
            break;
        parts.push_back("not implemented yet: " + left.text + " (" + file.name() + ":" +
                        std::to_string(left.line) + "; remove that comment when it is done)");
        line = left.line;
    }
    const std::string& trial = calls_.trials.current;
    parts.push_back(trial.empty() ? failure.what : failure.what + " for " + trial);
    parts.insert(parts.end(), failure.details.begin(), failure.details.end());
    if (failure.wrong_step && failure.why.mistake.empty())
        failure.why.mistake = failure.wrong_step->kernel + " loses an element";
    const bool in_host = (is_by_host || !failure.host_file.empty()) && file.unimplemented().empty();
    end({.status = report::Status::fail,
         .message = lines(parts),
         .file = in_host ? failure.host_file : file.name(),
         .line = in_host ? failure.host_line : line,
         .why = failure.why,
         .is_by_host = is_by_host,
         .question = failure.why.guesses.empty() || failure.why.only_asks ? failure.question : "",
         .path = failure.wrong_step ? show(*failure.wrong_step) : "",
         .context = context_of(failure.kernel, file)});
}

/// Adds what the text of the kernel file shows. What follows from a macro that is not defined looks like
/// other mistakes.
void Case::add_suspicious_lines(const Program& program, Failure& failure) const {
    const KernelFile& file = session_.kernel_file(program.file);
    for (const KernelSource& source : session_.lab().sources) {
        const std::string macro =
            source.file == program.file ? explain_undefined_macro(source.options, file) : "";
        if (macro.empty())
            continue;
        failure.details.push_back(macro);
        failure.why.guesses.clear();
    }
    std::ranges::move(session_.suspicious_lines(file), std::back_inserter(failure.details));
}

/// Puts the known mistake of the host first.
void Case::blame_host(Failure& failure) {
    const KnownMistake& host = *calls_.host_mistake;
    std::vector<std::string> others = std::move(failure.details);
    failure.details = {"in your host code: " + host.text};
    if (const auto found = host_place(host.before_place, host.frames, session_)) {
        failure.host_file = found->place.file;
        failure.host_line = found->place.line;
        failure.details.push_back(found->text);
    }
    if (!failure.is_about_launches)
        std::ranges::move(others, std::back_inserter(failure.details));
    failure.kernel.clear();
    failure.why.hints = host.hints;
    failure.why.mistake = host.cause;
    failure.why.guesses.clear();
    failure.why.explained_kernel.clear();
}

/// The line of `file` at fault; 0: unknown.
int Case::line_of(const Failure& failure, const KernelFile& file) const {
    if (!failure.kernel.empty())
        return file.line_of_kernel(failure.kernel);
    const std::optional<WrongStep>& step = failure.wrong_step;
    return step && &session_.file_of(step->kernel) == &file ? step->lines.front() : 0;
}

/// A wrong step with its lines.
std::string Case::show(const WrongStep& step) const {
    std::vector<std::string> parts{step.text};
    for (const int line : step.lines)
        parts.push_back(session_.file_of(step.kernel).quote(line));
    return lines(parts);
}

/// The launches of the call that failed, where its `kernel` is, and what passed before.
std::string Case::context_of(const std::string& kernel, const KernelFile& file) const {
    std::vector<std::string> parts;
    const auto unsized = std::ranges::find_if(record_.launches, [](const wire::Launch& launch) {
        return launch.work_group_size[0] == 0;
    });
    if (unsized != record_.launches.end() && !has_host_mistake()) // one at a time
        parts.push_back(
            "the launch of " + unsized->kernel +
            " leaves the work-group size to OpenCL: pass the work-group size as the local size");
    if (!record_.launches.empty())
        parts.push_back("launched: " + show_launches(record_.launches));
    const int line = kernel.empty() ? 0 : file.line_of_kernel(kernel);
    if (line != 0)
        parts.push_back("see kernel " + kernel + " in " + file.name() + ":" + std::to_string(line));
    const Calls::Trials& trials = calls_.trials;
    // A trial of the same input can call another function.
    if (trials.passed == 1 && trials.last_passed != trials.current)
        parts.push_back("before that, " + trials.last_passed + " passed");
    else if (trials.passed > 1)
        parts.push_back(
            "before that, " + std::to_string(trials.passed) + " trials passed" +
            (trials.last_passed == trials.current ? "" : "; the last was " + trials.last_passed));
    return lines(parts);
}

bool Case::examine(const std::function<void()>& calls) {
    return examine_in(calls_.next.mode, calls);
}

bool Case::examine_interpreted(const std::function<void()>& calls) {
    return session_.interpreter().installed() && examine_in(Mode::interpreter, calls);
}

bool Case::has_host_mistake() const { return calls_.host_mistake.has_value(); }

bool Case::has_seen(wire::FindingKind kind) const { return session_.interpreter().has_seen(kind); }

std::vector<std::uint32_t> Case::words_given(std::size_t argument) const {
    return session_.interpreter().words_given(argument);
}

std::vector<std::uint32_t> Case::words_left(const std::string& kernel, std::size_t argument) const {
    return session_.interpreter().words_left(kernel, argument);
}

const std::vector<wire::WordRead>& Case::last_reads() const {
    return session_.interpreter().last_reads();
}

/// The launches of `call` in detail; empty if they are too long.
std::vector<TracedLaunch> Case::trace(const std::function<void()>& call) {
    Interpreter& interpreter = session_.interpreter();
    if (!interpreter.installed())
        return {};
    interpreter.take_traces();
    Conditions conditions = interpreter.conditions;
    conditions.how.traced = true;
    conditions.how.seed = 0;
    const Temporarily traced(interpreter.conditions, conditions);
    const bool passed = examine_in(Mode::interpreter, call);
    std::vector<TracedLaunch> launches = interpreter.take_traces();
    const bool is_whole = std::ranges::none_of(
        launches, [](const TracedLaunch& launch) { return launch.trace.cut_short; });
    return passed && is_whole ? launches : std::vector<TracedLaunch>{};
}

std::optional<WrongStep> Case::find_loss(const std::function<void()>& call,
                                         const FollowedElement& element) {
    return where_lost(trace(call), element);
}

std::optional<WrongStep> Case::find_doubling(const std::function<void()>& call, std::size_t element,
                                             std::optional<std::size_t> result) {
    return where_doubled(trace(call), element, result);
}

std::optional<WrongStep> Case::find_overwriting(const std::function<void()>& call,
                                                const FollowedElement& element,
                                                std::size_t result) {
    return where_overwritten(trace(call), element, result);
}

std::optional<WrongStep> Case::find_origin(const std::function<void()>& call, float value) {
    return where_made(trace(call), value);
}

std::optional<LaunchCheck> Case::find_wrong_launch(const std::function<bool()>& call,
                                                   const RightWords& right) {
    LaunchCheck check(right);
    const Temporarily checked(session_.interpreter().conditions.check, &check);
    bool is_right = false;
    const bool returned = examine_interpreted([&] { is_right = call(); });
    const bool is_sure = check.first_wrong() ? is_right : check.knows_all() && !is_right;
    return returned && is_sure ? std::optional(check) : std::nullopt;
}

std::optional<std::vector<wire::ByteRange>> Case::bytes_read(const std::function<void()>& calls) {
    Interpreter& interpreter = session_.interpreter();
    const Temporarily one_schedule(interpreter.conditions.how.seed, std::uint64_t{0});
    if (!interpreter.installed() || !examine_in(Mode::interpreter, calls, most_watched_bytes))
        return std::nullopt;
    const std::vector<SeenLaunch>& launches = interpreter.launches_of_call();
    if (launches.empty() || !launches.front().footprint.known || launches.front().arguments.empty())
        return std::nullopt;
    const wire::ByteRange argument = launches.front().arguments.front().bytes;
    std::vector<wire::ByteRange> read;
    for (const wire::ByteRange& range : launches.front().footprint.read) {
        const wire::ByteRange common = wire::common_bytes(range, argument);
        if (common.size != 0)
            read.push_back({common.offset - argument.offset, common.size});
    }
    return read;
}

bool Case::examine_in(Mode mode, const std::function<void()>& calls,
                      std::size_t most_watched_bytes) {
    end_if_only_judged();
    bool passed = false;
    Interpreter& interpreter = session_.interpreter();
    const Observation before = interpreter.observation(); // of the trials, not of these calls
    if (mode == Mode::interpreter && has_endless(before))
        return false; // a kernel that never ends with this input explains nothing
    // A schedule is for the call that failed.
    const Temporarily usual(interpreter.conditions.how.schedule, {});
    // A watched launch takes ten times as long.
    const Temporarily watched(interpreter.conditions.most_watched_bytes, most_watched_bytes);
    constexpr std::uint64_t enough_instructions = 50'000'000; // about two seconds
    const Temporarily bounded(interpreter.conditions.how.most_instructions, enough_instructions);
    calls_.without_trace([&] { passed = !calls_.attempt_in(mode, calls); });
    interpreter.set_observation(before);
    return passed;
}

void Case::remark(const std::string& text) {
    record_.message += (record_.message.empty() ? "" : "\n") + text;
}

void Case::require_kernels_packed(const Program& program, const Run& run, std::size_t bytes,
                                  const char* function, const Arguments& arguments) {
    if (session_.options().sealed || session_.interpreter().conditions.only_judges())
        return; // sealed, the host has no data to compute with
    wire::CallFunction withheld = calls_.request(program, function);
    withheld.withhold_kernels = true;
    withheld.guard = 1; // a host may take it for the number of elements to come
    bool same = false;
    // A host that waits or crashes without its kernels does not compute the result itself.
    examine([&] {
        const Run without = calls_.send(program, withheld, arguments);
        const std::span<const std::byte> withheld_bytes = without.array<std::byte>();
        const std::span<const std::byte> true_bytes = run.array<std::byte>();
        same = without.seen.outcome == wire::Outcome::returned &&
               withheld_bytes.size() == true_bytes.size() &&
               std::ranges::equal(true_bytes.first(std::min(bytes, true_bytes.size())),
                                  withheld_bytes.first(std::min(bytes, true_bytes.size())));
    });
    if (!same)
        return;
    const char* const how =
        bytes == 0
            ? "the result has the same length even if no kernel runs, so the host counts the "
              "elements itself"
            : "the result is the same even if no kernel runs, so the host computes it";
    fail(program,
         {.what = "the kernels do not do the work", .details = {how}, .why = {.hints = Hints{}}});
}

} // namespace grader
