#include "grader/case.hpp"

#include "grader/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <utility>

namespace grader {
namespace {

/// What a call may take: a second of processor time is ample for a small call on a slow machine
/// with a cold kernel cache, and every element may cost a thousand times what it costs our
/// solutions.
Budget budget_for(std::size_t bytes) {
    const double elements = static_cast<double>(bytes) / sizeof(float);
    return {10 + elements * 2e-6, 10 + elements * 2e-6, 90 + elements * 1e-5};
}

/// A request with several calls in it.
constexpr Budget timing_budget{120, 60, 600};
/// About how long one such request should take, and all timing against one baseline.
constexpr double request_seconds = 5;
constexpr double timing_seconds = 20;
constexpr std::size_t most_rounds_per_request = 15;

/// Arguments of a call that is worth interpreting: eight thousand elements take about a second.
constexpr std::size_t most_interpreted_bytes = std::size_t{40} << 10;

constexpr std::size_t max_findings_shown = 3;
constexpr const char* not_installed =
    "not installed: what watches the kernels (Oclgrind). make setup installs it; then make the lab "
    "again";

constexpr std::size_t max_launches_shown = 8;
constexpr std::size_t max_launches_kept = 64;

/// Every argument begins at a multiple of this, so that any type is aligned.
constexpr std::size_t argument_alignment = 64;

void write_all(const wire::UniqueFd& fd, wire::Span<const std::byte> bytes, std::size_t offset) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::pwrite(fd.get(), bytes.data() + done, bytes.size() - done,
                                       static_cast<off_t>(offset + done));
        if (count < 0 && errno != EINTR)
            wire::throw_errno("cannot write the inputs");
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

/// A memory file filled with poison, and this process's view of it.
std::pair<wire::UniqueFd, wire::Mapping> poisoned_memory(std::size_t size) {
    wire::UniqueFd fd = wire::create_shared_memory("result", size);
    wire::Mapping memory(fd, size, wire::Mapping::Access::read_write);
    for (std::size_t i = 0; i + sizeof wire::poison <= size; i += sizeof wire::poison)
        std::memcpy(memory.bytes().data() + i, &wire::poison, sizeof wire::poison);
    return {std::move(fd), std::move(memory)};
}

std::string lines(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        if (!part.empty())
            text += (text.empty() ? "" : "\n") + part;
    }
    return text;
}

/// Buffers have no element type; all of the course's data is made of 4 bytes or twice that.
std::string describe(const wire::GuardHit& hit) {
    const std::string size = "a buffer of " + std::to_string(hit.buffer_size) + " bytes";
    const std::int64_t element = (hit.byte_offset - (hit.byte_offset < 0 ? 3 : 0)) / 4;
    if (hit.buffer_size < 4)
        return "it wrote to " + size + "; was a number of elements given where bytes are wanted?";
    return "it wrote to element " + std::to_string(element) + " of " + size +
           ", which has elements 0 to " + std::to_string(hit.buffer_size / 4 - 1) +
           " if they are of 4 bytes";
}

/// What libstdc++'s own checks print, in plain words.
std::string explain_assertion(const std::string& output) {
    return output.find("Assertion '__n < this->size()' failed") == std::string::npos
               ? ""
               : "an index was not below the size of its std::vector";
}

std::string percent(double fraction) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(fraction < 0.1 ? 1 : 0) << 100 * fraction << " %";
    return text.str();
}

std::string rounded(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// "2.7 times as fast as", for a ratio of times.
std::string speed_words(double ratio) {
    return ratio <= 1 ? rounded(1 / ratio, 2) + " times as fast as"
                      : rounded(ratio, 2) + " times as slow as";
}

std::string describe(const report::Timing& timing) {
    std::ostringstream text;
    text << timing.elements << " elements in " << rounded(timing.nanoseconds * 1e-6, 3) << " ms ("
         << rounded(timing.wall_nanoseconds * 1e-6, 1) << " ms with the host's part), "
         << rounded(timing.bytes_per_second * 1e-9, 2) << " GB/s; " << speed_words(timing.ratio)
         << ' ' << timing.baseline << "\n  (" << percent(timing.bandwidth_fraction)
         << " of its bandwidth; time ratio " << rounded(timing.ratio, 2) << ", from "
         << rounded(timing.ratio_low, 2) << " to " << rounded(timing.ratio_high, 2) << " over "
         << timing.rounds << " rounds)";
    return text.str();
}

} // namespace

Case::Case()
    : session_(Session::current()), record_(*session_.current_case),
      random_(random_for(session_.options().seed, record_.name)) {}

std::size_t Case::largest_work_group(const Program& program, const std::string& kernel) {
    const wire::InspectProgram inspect{
        {session_.kernel_file(program.file).text(), program.options}};
    const Answer answer = session_.ask(inspect, {}, budget_for(0));
    const auto* reply = std::get_if<wire::Reply>(&answer);
    const auto* info = reply == nullptr ? nullptr : std::get_if<wire::ProgramInfo>(reply);
    if (info == nullptr)
        end(report::Status::error, "the runner does not tell about the kernels");
    if (!info->built)
        fail_build(program, info->build_log);
    for (const wire::KernelInfo& known : info->kernels) {
        if (known.name == kernel)
            return std::min(known.work_group_size, device().max_work_group_size);
    }
    end(report::Status::fail, "there is no kernel named " + kernel,
        session_.kernel_file(program.file).name());
}

void Case::run_trial(const std::string& parameters, const std::function<void()>& body) {
    if (!trial_.empty()) {
        last_passed_ = trial_;
        ++passed_trials_;
    }
    trial_ = parameters;
    session_.interpreter().set_trial(parameters);
    if (first_failure_ != nullptr) {
        const std::optional<Ended> failure = attempt_in(Mode::interpreter, body);
        if (failure && !*first_failure_)
            *first_failure_ = failure;
        return;
    }
    if (mode_ != Mode::device) {
        body();
        return;
    }
    largest_call_ = 0;
    const std::optional<Ended> failure = attempt_in(Mode::device, body);
    if (!failure)
        return;
    Opinion opinion = Opinion::wrong;
    if (failure->status == report::Status::fail)
        without_trace([&] { opinion = second_opinion(body, largest_call_); });
    if (opinion == Opinion::wrong)
        conclude(*failure);
    if (opinion == Opinion::unknown)
        record_.status = report::Status::inconclusive;
    const std::string text =
        explain_disagreement(session_.device(), session_.kernel_file(last_file_));
    if (record_.message.find(text) == std::string::npos)
        remark(text);
}

/// Runs `body` with launches carried out by `mode`; how it ended, unless it came through.
std::optional<Case::Ended> Case::attempt_in(Mode mode, const std::function<void()>& body) {
    const Mode mode_before = std::exchange(mode_, mode);
    const bool forgivable_before = std::exchange(forgivable_, true);
    std::optional<Ended> ended;
    try {
        body();
    } catch (const Ended& how) {
        ended = how;
    }
    mode_ = mode_before;
    forgivable_ = forgivable_before;
    return ended;
}

/// Whether `body` comes through with its kernels interpreted, and no mistake is seen.
bool Case::interpreted_and_clean(const std::function<void()>& body) {
    session_.interpreter().take_observation();
    const bool right = !attempt_in(Mode::interpreter, body);
    const Observation seen = session_.interpreter().take_observation();
    return right && seen.clean() && !seen.work.empty();
}

/// Whether the device fails in the lab's small trials although the kernels are right and clean.
bool Case::device_is_known_to_err() {
    if (!session_.device_errs) {
        const Session::SmallTrials& small = small_trials();
        session_.device_errs =
            small.seen.clean() && !small.seen.work.empty() && small.failure.empty() &&
            attempt_in(Mode::device, [&] { session_.lab().small_trials(*this); }).has_value();
    }
    return *session_.device_errs;
}

/// What becomes of a trial that failed on the device, with `bytes` of arguments: forgiven where it
/// is right and clean when interpreted. Large inputs cannot be: on a device that errs with small
/// ones, nobody can say.
Case::Opinion Case::second_opinion(const std::function<void()>& body, std::size_t bytes) {
    if (!session_.interpreter().installed())
        return Opinion::wrong;
    if (bytes > most_interpreted_bytes)
        return device_is_known_to_err() ? Opinion::unknown : Opinion::wrong;
    if (!interpreted_and_clean(body))
        return Opinion::wrong;
    session_.device_errs = true;
    return Opinion::right;
}

/// Runs the lab's small trials with their kernels interpreted, all of them; the first failure.
std::optional<Case::Ended> Case::try_small_trials() {
    std::optional<Ended> first;
    first_failure_ = &first;
    const auto ended = attempt_in(Mode::interpreter, [&] { session_.lab().small_trials(*this); });
    first_failure_ = nullptr;
    return first ? first : ended;
}

const Session::SmallTrials& Case::small_trials() {
    if (!session_.small_trials) {
        session_.interpreter().take_observation();
        Session::SmallTrials small;
        without_trace([&] {
            if (const auto ended = try_small_trials())
                small.failure = ended->message;
            small.seen = session_.interpreter().take_observation();
            if (!small.failure.empty() || small.seen.contended_line == 0)
                return;
            session_.interpreter().set_contended(true);
            const auto ended = try_small_trials();
            session_.interpreter().set_contended(false);
            session_.interpreter().take_observation(); // the same findings as before
            const auto known = std::any_of(
                small.seen.findings.begin(), small.seen.findings.end(),
                [](const ObservedFinding& one) { return one.finding.kind == "no-retry"; });
            if (ended && !known)
                small.seen.findings.push_back(
                    {{"no-retry", small.seen.contended_kernel, small.seen.contended_line, 0,
                      "when other work-items are faster at line " +
                          std::to_string(small.seen.contended_line) +
                          ", and it is tried again, the result is wrong:\n" + ended->message,
                      1},
                     ""});
        });
        for (const ObservedFinding& one : small.seen.findings)
            session_.result().findings.push_back({one.finding.kind,
                                                  file_of(one.finding.kernel).name(),
                                                  one.finding.line, one.finding.message});
        session_.small_trials = std::move(small);
    }
    return *session_.small_trials;
}

/// The file that a kernel of this lab is in.
const KernelFile& Case::file_of(const std::string& kernel) const {
    const std::vector<KernelSource>& sources = session_.lab().sources;
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& one) {
        return std::find(one.kernels.begin(), one.kernels.end(), kernel) != one.kernels.end();
    });
    return session_.kernel_file((source == sources.end() ? sources.front() : *source).file);
}

std::string Case::show(const ObservedFinding& one) const {
    const wire::Finding& finding = one.finding;
    const KernelFile& file = file_of(finding.kernel);
    std::string text = name_of_kind(finding.kind) + ": " + finding.message;
    if (!one.trial.empty())
        text += " (" + one.trial + ")";
    std::vector<int> quoted{finding.line, finding.other_line};
    std::sort(quoted.begin(), quoted.end());
    quoted.erase(std::unique(quoted.begin(), quoted.end()), quoted.end());
    for (const int line : quoted)
        text += line == 0 ? "" : "\n" + file.quote(line);
    return text;
}

void Case::require_none(const std::vector<std::string>& kinds) {
    if (!session_.interpreter().installed()) {
        skip(not_installed);
        return;
    }
    const Session::SmallTrials& small = small_trials();
    ++session_.calls; // what other cases have looked at already counts for this one as well
    std::vector<std::string> parts;
    std::string file;
    int line = 0;
    for (const ObservedFinding& one : small.seen.findings) {
        if (std::find(kinds.begin(), kinds.end(), one.finding.kind) == kinds.end())
            continue;
        if (parts.empty()) {
            file = file_of(one.finding.kernel).name();
            line = one.finding.line;
        }
        if (parts.size() < max_findings_shown)
            parts.push_back(show(one));
    }
    if (!parts.empty())
        end(report::Status::fail, lines(parts), file, line);
    if (!small.seen.failure.empty())
        end(report::Status::error, "the analysis failed: " + small.seen.failure);
    if (small.seen.cut_short)
        end(report::Status::blocked,
            "not known: a mistake that another case reports ended the analysis early");
    if (!small.failure.empty())
        end(report::Status::blocked, "not known as long as small inputs fail:\n" + small.failure);
    if (small.seen.work.empty())
        end(report::Status::fail, "no kernel was launched");
}

std::optional<std::vector<wire::WorkCounts>> Case::count_work(const std::function<void()>& body) {
    if (!session_.interpreter().installed()) {
        skip(not_installed);
        return std::nullopt;
    }
    session_.interpreter().take_observation();
    const auto ended = attempt_in(Mode::interpreter, body);
    Observation seen = session_.interpreter().take_observation();
    if (!seen.failure.empty())
        end(report::Status::error, "the analysis failed: " + seen.failure);
    if (seen.cut_short)
        end(report::Status::blocked,
            "not known: a mistake that another case reports ended the analysis early");
    if (ended)
        conclude(*ended);
    std::vector<wire::WorkCounts>& told = session_.result().work;
    for (const wire::WorkCounts& one : seen.work) {
        if (std::none_of(told.begin(), told.end(),
                         [&](const auto& known) { return known.kernel == one.kernel; }))
            told.push_back(total_work(seen.work, one.kernel));
    }
    return std::move(seen.work);
}

wire::WorkCounts total_work(const std::vector<wire::WorkCounts>& work, const std::string& kernel) {
    wire::WorkCounts total;
    total.kernel = kernel;
    for (const wire::WorkCounts& one : work) {
        if (one.kernel != kernel)
            continue;
        for (const auto member :
             {&wire::WorkCounts::launches, &wire::WorkCounts::work_items, &wire::WorkCounts::groups,
              &wire::WorkCounts::additions, &wire::WorkCounts::barriers,
              &wire::WorkCounts::local_loads, &wire::WorkCounts::local_stores,
              &wire::WorkCounts::global_loads, &wire::WorkCounts::global_stores,
              &wire::WorkCounts::global_bytes_loaded, &wire::WorkCounts::global_bytes_stored,
              &wire::WorkCounts::transactions, &wire::WorkCounts::bank_conflicts,
              &wire::WorkCounts::divergent_branches})
            total.*member += one.*member;
        if (one.busiest_item_additions > total.busiest_item_additions) {
            total.busiest_item_additions = one.busiest_item_additions;
            total.busiest_group_additions = one.busiest_group_additions;
        }
    }
    return total;
}

std::string show_work(const wire::WorkCounts& work) {
    std::ostringstream text;
    text << work.kernel << ": " << count_of(work.launches, "launch") << " of "
         << count_of(work.work_items, "work-item") << " in " << count_of(work.groups, "group")
         << "\n  additions            " << work.additions << "  (at most "
         << work.busiest_item_additions << " of a group's " << work.busiest_group_additions
         << " by one work-item)"
         << "\n  barriers             " << work.barriers << "\n  local memory         "
         << work.local_loads << " loads, " << work.local_stores << " stores, "
         << work.bank_conflicts << " cycles lost to bank conflicts"
         << "\n  global memory        " << work.global_loads << " loads ("
         << work.global_bytes_loaded << " bytes), " << work.global_stores << " stores ("
         << work.global_bytes_stored << " bytes), " << work.transactions
         << " transactions of 128 bytes"
         << "\n  divergent branches   " << work.divergent_branches;
    return text.str();
}

wire::CallFunction Case::request(const Program& program, const char* function) const {
    wire::CallFunction request;
    request.function = function;
    request.program = {session_.kernel_file(program.file).text(), program.options};
    request.limits = limits_;
    request.interpreted = mode_ == Mode::interpreter;
    request.guard = session_.calls % 2 == 0 ? wire::poison : wire::finite_guard;
    return request;
}

Run Case::send(const Program& program, wire::CallFunction request,
               const std::vector<Bytes>& arguments) {
    ++session_.calls;
    last_file_ = program.file;
    std::size_t size = 0;
    for (const Bytes& argument : arguments) {
        request.arguments.push_back({size, argument.size()});
        size +=
            (argument.size() + argument_alignment - 1) / argument_alignment * argument_alignment;
    }
    largest_call_ = std::max(largest_call_, size);
    const wire::UniqueFd inputs = wire::create_shared_memory("inputs", size);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        write_all(inputs, arguments[i], request.arguments[i].offset);
    wire::seal_against_writing(inputs);
    // Room for a result as large as all inputs together, and some for those that grow.
    request.result_capacity = size + (std::size_t{64} << 10);
    auto [results, result_memory] = poisoned_memory(request.result_capacity);

    const Budget budget = request.rounds == 0 ? budget_for(size) : timing_budget;
    Answer answer = session_.ask(request, {&inputs, &results}, budget);
    if (const auto* death = std::get_if<Death>(&answer))
        fail_dead(program, *death);
    auto& reply = std::get<wire::Reply>(answer);
    if (const auto* refusal = std::get_if<wire::Refusal>(&reply))
        end(report::Status::error, "the runner could not make the call: " + refusal->reason);
    auto* seen = std::get_if<wire::CallReply>(&reply);
    if (seen == nullptr)
        end(report::Status::error, "the runner gave an answer of the wrong kind");

    record_.launches = seen->launches;
    if (record_.launches.size() > max_launches_kept)
        record_.launches.resize(max_launches_kept);
    if (seen->outcome == wire::Outcome::not_implemented)
        end(report::Status::fail,
            "not implemented yet: " + seen->message + " (" + seen->file + ":" +
                std::to_string(seen->line) + ")",
            seen->file, seen->line);
    if (seen->outcome == wire::Outcome::build_failed)
        fail_build(program, seen->build_log);
    return {std::move(*seen), std::move(result_memory)};
}

Run Case::require_clean(const Program& program, Run run) {
    const wire::CallReply& seen = run.seen;
    if (seen.outcome == wire::Outcome::opencl_error)
        fail(program, {seen.call + " failed",
                       {explain_opencl_error(seen.error_code),
                        seen.detail.empty() ? "" : "asked for: " + seen.detail},
                       ""});
    if (seen.outcome == wire::Outcome::exception)
        fail(program, {"your host code threw an exception", {"it says: " + seen.message}, ""});
    if (seen.outcome != wire::Outcome::returned)
        end(report::Status::error, "the call ended in a way the harness does not know");
    const std::string last_kernel = seen.launches.empty() ? "" : seen.launches.back().kernel;
    if (!seen.guard_hits.empty())
        fail(program, {"a kernel wrote outside its buffers",
                       {describe(seen.guard_hits.front())},
                       seen.launches.size() == 1 ? last_kernel : ""});
    if (!seen.read_only_hits.empty())
        fail(program, {"a kernel changed a buffer made with CL_MEM_READ_ONLY",
                       {"the first changed byte is " +
                        std::to_string(seen.read_only_hits.front().byte_offset) + " of " +
                        std::to_string(seen.read_only_hits.front().buffer_size)},
                       seen.launches.size() == 1 ? last_kernel : ""});
    if (seen.modified_argument >= 0)
        fail(program, {"your host code changed its input", {}, ""});
    return run;
}

void Case::fail(const Program& program, const Failure& failure) {
    const KernelFile& file = session_.kernel_file(program.file);
    std::vector<std::string> parts;
    int line = failure.kernel.empty() ? 0 : file.line_of_kernel(failure.kernel);
    for (const KernelFile::Place& left : file.unimplemented()) {
        parts.push_back("not implemented yet: " + left.text + " (" + file.name() + ":" +
                        std::to_string(left.line) + "; take that comment away when it is done)");
        line = left.line;
    }
    parts.push_back(trial_.empty() ? failure.what : failure.what + " for " + trial_);
    parts.insert(parts.end(), failure.details.begin(), failure.details.end());
    const auto unsized =
        std::find_if(record_.launches.begin(), record_.launches.end(),
                     [](const wire::Launch& launch) { return launch.work_group_size[0] == 0; });
    if (unsized != record_.launches.end())
        parts.push_back("the work-group size of " + unsized->kernel +
                        " was left to OpenCL: give it as the launch's local size");
    if (!record_.launches.empty())
        parts.push_back("launched: " + show_launches(record_.launches));
    if (line != 0 && !failure.kernel.empty())
        parts.push_back("see kernel " + failure.kernel + " in " + file.name() + ":" +
                        std::to_string(file.line_of_kernel(failure.kernel)));
    if (passed_trials_ == 1)
        parts.push_back("before that, " + last_passed_ + " passed");
    else if (passed_trials_ > 1)
        parts.push_back("before that, " + std::to_string(passed_trials_) +
                        " trials passed, the last of them " + last_passed_);
    end(report::Status::fail, lines(parts), file.name(), line);
}

void Case::fail_dead(const Program& program, const Death& death) {
    const KernelFile& kernels = session_.kernel_file(program.file);
    const auto stack =
        find_source_lines(death.frames, session_.runner_path(), session_.options().root);
    std::string file;
    int line = 0;
    if (!stack.empty()) {
        file = stack.front().file;
        line = stack.front().line;
    } else if (!death.kernel.empty()) {
        file = kernels.name();
        line = kernels.line_of_kernel(death.kernel);
    }
    end(report::Status::fail,
        lines({explain_death(death, stack), explain_assertion(record_.output),
               trial_.empty() ? "" : "the call: " + trial_}),
        file, line);
}

void Case::fail_build(const Program& program, const std::string& log) {
    const KernelFile& file = session_.kernel_file(program.file);
    record_.output.clear(); // the compiler's words, which come in a better form
    int line = 0;
    for (const Diagnostic& one : parse_build_log(log)) {
        if (one.severity != "warning" && line == 0)
            line = one.line;
    }
    if (!session_.reported_builds.insert(program.file).second)
        end(report::Status::blocked, file.name() + " does not compile, see above", file.name(),
            line);
    end(report::Status::fail,
        lines({file.name() + " does not compile", explain_build_log(log, file)}), file.name(),
        line);
}

void Case::end(report::Status status, const std::string& message, const std::string& file,
               int line) {
    conclude({status, message, file, line});
}

void Case::conclude(const Ended& ended) {
    if (forgivable_)
        throw Ended(ended); // NOLINT(cert-err60-cpp): strings may throw where memory is used up
    record_.status = ended.status;
    record_.message = ended.message;
    record_.file = ended.file;
    record_.line = ended.line;
    FAIL(ended.message);
    throw std::logic_error("doctest's FAIL returned"); // not reached, but the compiler cannot know
}

void Case::without_trace(const std::function<void()>& calls) {
    const std::vector<wire::Launch> launches = record_.launches;
    calls();
    record_.launches = launches;
}

void Case::skip(const std::string& reason) {
    record_.status = report::Status::skipped;
    record_.message = reason;
}

void Case::remark(const std::string& text) {
    record_.message += (record_.message.empty() ? "" : "\n") + text;
}

std::vector<double> Case::measure(const Program& program, const SpeedLimit& limit,
                                  const char* function, const std::vector<Bytes>& arguments,
                                  std::size_t rounds, report::Timing& timing) {
    wire::CallFunction timed = request(program, function);
    timed.checked = false;
    timed.rounds = static_cast<int>(rounds);
    timed.baseline = limit.baseline;
    const Run run = require_clean(program, send(program, timed, arguments));
    const auto& mine = run.seen.function_times;
    const auto& base = run.seen.baseline_times;
    if (mine.size() != 2 * rounds || base.size() != 2 * rounds)
        end(report::Status::error, "the runner measured another number of rounds than asked for");
    std::vector<double> ratios;
    std::vector<double> times;
    for (std::size_t i = 0; i < 2 * rounds; i += 2) {
        const auto own_time = static_cast<double>(mine[i] + mine[i + 1]);
        const auto base_time = static_cast<double>(base[i] + base[i + 1]);
        if (own_time <= 0 || base_time <= 0)
            end(report::Status::fail, "no kernel ran, so there is no device time to measure");
        ratios.push_back(own_time / base_time);
        times.push_back(own_time / 2);
    }
    timing.nanoseconds = median(times);
    timing.wall_nanoseconds = median({run.seen.wall_times.begin(), run.seen.wall_times.end()});
    return ratios;
}

Speed Case::judge_batch(const Program& program, const SpeedLimit& limit, const char* function,
                        const std::vector<Bytes>& arguments, report::Timing& timing) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    std::vector<double> ratios = measure(program, limit, function, arguments, 1, timing);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const auto fitting = [&](double time, std::size_t least, std::size_t most) {
        return std::clamp(static_cast<std::size_t>(time / seconds), least, most);
    };
    const std::size_t per_request = fitting(request_seconds, 1, most_rounds_per_request);
    const std::size_t affordable = fitting(timing_seconds, least_rounds, long_rounds);

    Speed speed = Speed::unclear;
    for (const std::size_t rounds : {first_rounds, batch_rounds, long_rounds}) {
        while (ratios.size() < std::min(rounds, affordable)) {
            const auto more = measure(
                program, limit, function, arguments,
                std::min(per_request, std::min(rounds, affordable) - ratios.size()), timing);
            ratios.insert(ratios.end(), more.begin(), more.end());
        }
        speed = judge(ratios, limit.bound);
        if (speed != Speed::unclear)
            break;
    }

    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    timing.ratio = median(ratios);
    timing.ratio_low = *low;
    timing.ratio_high = *high;
    timing.rounds = static_cast<int>(ratios.size());
    return speed;
}

void Case::time_packed(const Program& program, const SpeedLimit& limit, const char* function,
                       const std::vector<Bytes>& arguments) {
    report::Timing timing;
    timing.name = record_.name + ", against " + limit.baseline_name;
    timing.elements = limit.elements;
    timing.baseline = limit.baseline_name;
    Speed speed = judge_batch(program, limit, function, arguments, timing);
    if (speed == Speed::exceeds) {
        // Whatever slowed this batch down may be over soon; a proof has to hold twice.
        std::this_thread::sleep_for(std::chrono::seconds(1));
        speed = judge_batch(program, limit, function, arguments, timing);
        if (speed != Speed::exceeds)
            speed = Speed::unclear;
    }
    timing.bytes_per_second =
        static_cast<double>(limit.elements) * limit.bytes_per_element / timing.nanoseconds * 1e9;
    timing.bandwidth_fraction =
        limit.bytes_per_element / limit.baseline_bytes_per_element / timing.ratio;
    session_.result().timings.push_back(timing);
    if (speed == Speed::exceeds)
        fail(program, {limit.too_slow,
                       {describe(timing), "allowed is a time ratio of " + rounded(limit.bound, 2)},
                       ""});
    remark(describe(timing));
    if (speed == Speed::unclear)
        record_.status = report::Status::inconclusive;
}

void Case::require_kernels_packed(const Program& program, const Run& run, std::size_t bytes,
                                  const char* function, const std::vector<Bytes>& arguments) {
    wire::CallFunction withheld = request(program, function);
    withheld.withhold_kernels = true;
    bool same = false;
    without_trace([&] {
        const Run without = send(program, withheld, arguments);
        same = without.seen.outcome == wire::Outcome::returned &&
               without.seen.result_size == run.seen.result_size &&
               std::memcmp(without.result(), run.result(), bytes) == 0;
    });
    if (same)
        fail(program, {"the kernels do not do the work",
                       {"with every launch withheld, the result is the same: the host computes it"},
                       ""});
}

std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects) {
    std::vector<std::string> found;
    for (const Suspect& suspect : suspects) {
        if (suspect.value == got)
            found.push_back(suspect.mistake);
    }
    return found;
}

bool is_poison(float value) {
    std::uint32_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    return bits == wire::poison;
}

std::string compare_values(double expected, double got, double allowed) {
    std::string text = "expected " + show(expected);
    if (allowed > 0)
        text += " (give or take " + show(allowed) + ")";
    text += ", got " + show(got);
    if (std::isnan(got))
        return text + ": it was computed from memory that nobody wrote, or from an index outside "
                      "its buffer";
    if (got == double{wire::guard_value})
        return text + ": this number stands outside every buffer, so an index was too large or "
                      "below 0";
    const double error = std::fabs(got - expected);
    if (allowed == 0)
        return text + ": logic, not rounding, for here every result is exact";
    // Rounding in too low a precision goes wrong by a few bounds and by little of the value.
    const bool small = error < 8 * allowed && error < 0.01 * std::max(1.0, std::fabs(expected));
    return text + (small ? ": perhaps rounding, such as a sum in too low a precision"
                         : ": logic, for rounding is never this large");
}

std::string show_launches(const std::vector<wire::Launch>& launches) {
    std::string text;
    for (std::size_t i = 0; i < std::min(launches.size(), max_launches_shown); ++i)
        text += (i == 0 ? "" : ", ") + launches[i].kernel + " " + show_sizes(launches[i]);
    if (launches.size() > max_launches_shown)
        text += ", ... (" + std::to_string(launches.size()) + " launches)";
    return text;
}

wire::Baseline copy_baseline(std::size_t elements, std::size_t work_group_size) {
    wire::Baseline baseline;
    baseline.program = {"__kernel void copy(__global const float4* from, __global float4* to) {\n"
                        "    to[get_global_id(0)] = from[get_global_id(0)];\n"
                        "}\n",
                        "-cl-std=CL1.2"};
    baseline.kernel = "copy";
    baseline.buffers = {elements * sizeof(float), elements * sizeof(float)};
    baseline.global_size = elements / 4;
    baseline.work_group_size = work_group_size;
    return baseline;
}

} // namespace grader
