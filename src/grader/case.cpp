#include "grader/case.hpp"
#include "grader/hints.hpp"
#include "grader/session.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace grader {
namespace {

/// For a request that makes several calls.
constexpr Budget timing_budget{60, 30, 300};

/// The longest text from the runner that is shown.
constexpr std::size_t longest_text = std::size_t{8} << 10;

constexpr std::size_t max_launches_shown = 8;
constexpr std::size_t most_unordered = 256; ///< pairs of commands that are checked
constexpr std::size_t max_launches_kept = 64;

/// OpenCL's code for that error, and what the runner's message says before the name.
constexpr int invalid_kernel_name = -46;
constexpr const char* kernel_name = "kernel name ";

/// Every argument begins at a multiple of this, so that every type is aligned.
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

/// Buffers have no element type; all of the course's data types have 4 or 8 bytes.
std::string describe(const wire::GuardHit& hit) {
    const std::string size = "a buffer of " + std::to_string(hit.buffer_size) + " bytes";
    const std::int64_t element = (hit.byte_offset - (hit.byte_offset < 0 ? 3 : 0)) / 4;
    if (hit.buffer_size < 4)
        return "it wrote to " + size + "; was its size given in elements instead of bytes?";
    return "it wrote to element " + std::to_string(element) + " of " + size +
           ", which has elements 0 to " + std::to_string(hit.buffer_size / 4 - 1) +
           " if each takes 4 bytes: the index is wrong, or your host code made the buffer too "
           "small";
}

/// Explains what libstdc++'s own checks print; "" for anything else.
std::string explain_assertion(const std::string& output) {
    return output.find("Assertion '__n < this->size()' failed") == std::string::npos
               ? ""
               : "an index was outside its std::vector";
}

/// Whether the line is in a file that students write; headers belong to the course.
bool is_student_code(const SourceLine& line) {
    return std::filesystem::path(line.file).extension() == ".cpp";
}

/// How many times the guard value explains the difference of `got` from `expected`; 0 if it does
/// not.
double strays_in(double expected, double got) {
    const double error = got - expected;
    const double strays = std::round(error / wire::guard_value);
    const double rounding = 1e-5 * std::fabs(got);
    const bool telling = rounding < 0.01 * wire::guard_value;
    return telling && std::fabs(error - strays * wire::guard_value) <= rounding ? strays : 0;
}

} // namespace

std::string text_of(const Ended& ended) {
    std::vector<std::string> parts{ended.message};
    for (const std::string& guess : ended.guesses)
        parts.push_back((parts.size() == 1 ? "looks like: " : "        or: ") + guess);
    parts.push_back(ended.context);
    return lines(parts);
}

std::string without_context(Ended ended) {
    ended.context.clear();
    return text_of(ended);
}

Failure wrong_launch(const std::string& how, const std::optional<Hints>& hints) {
    Failure failure{"wrong launch", {how}};
    failure.hints = hints;
    failure.is_about_launches = true;
    return failure;
}

Case::Case(Session& session, report::Case& record)
    : session_(session), record_(record), random_(random_for(session.options().seed, record.name)) {
}

Case::Case() : Case(Session::current(), *Session::current().current_case) {
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
        fail_build(program, info.build_log);
    for (const wire::KernelInfo& known : info.kernels) {
        if (known.name == kernel)
            return mode_ == Mode::interpreter
                       ? device().max_work_group_size
                       : std::min(known.work_group_size, device().max_work_group_size);
    }
    end(report::Status::fail, "there is no kernel named " + kernel,
        session_.kernel_file(program.file).name());
}

wire::CallFunction Case::request(const Program& program, const char* function) const {
    wire::CallFunction request;
    request.function = function;
    request.program = {session_.kernel_file(program.file).text(), program.options};
    request.limits = limits_;
    request.limits.ignores_kernels = mode_ == Mode::interpreter;
    request.interpreted = mode_ == Mode::interpreter || session_.stand_in != StandIn::none;
    request.blocking_writes = blocking_writes_;
    request.guard = turn_ % 2 == 0 ? wire::poison : wire::finite_guard;
    return request;
}

/// Ends the case if it must make no more calls, whatever the result of the last one.
void Case::require_time() {
    const std::string over = session_.why_over();
    if (!over.empty())
        conclude({report::Status::error, "not finished: " + over, "", 0, Ended::Cause::host});
}

Run Case::send(const Program& program, wire::CallFunction request, const Arguments& arguments) {
    require_time();
    ++session_.calls;
    if (!request.withhold_kernels) // nothing is written then, so it must not use up a turn
        ++turn_;
    last_file_ = program.file;
    std::size_t size = 0;
    for (const Argument& argument : arguments) {
        request.arguments.push_back({size, argument.bytes.size()});
        size += (argument.bytes.size() + argument_alignment - 1) / argument_alignment *
                argument_alignment;
    }
    largest_call_ = std::max(largest_call_, size);
    const bool sealed = session_.options().sealed;
    Seal& seal = session_.seal();
    seal.begin_call(visible_words_);
    request.visible_bytes = sealed ? visible_words_ * sizeof(std::uint32_t) : 0;
    const wire::UniqueFd inputs = wire::create_shared_memory("inputs", size);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const wire::Span<const std::byte> bytes = arguments[i].bytes;
        if (sealed && arguments[i].is_data) {
            std::vector<std::byte> hidden(bytes.begin(), bytes.end());
            seal.hide({hidden.data(), hidden.size()});
            write_all(inputs, hidden, request.arguments[i].offset);
        } else {
            write_all(inputs, bytes, request.arguments[i].offset);
        }
    }
    wire::seal_against_writing(inputs);
    // Room for a result as large as all inputs together, and some for those that grow.
    request.result_capacity = size + (std::size_t{64} << 10);
    auto [results, result_memory] = poisoned_memory(request.result_capacity);

    const Budget budget = request.rounds == 0 ? budget_for(size, device()) : timing_budget;
    Answer answer = session_.call(request, {&inputs, &results}, budget);
    if (const auto* death = std::get_if<Death>(&answer)) {
        if (death->how == Death::How::hang && session_.time_is_over())
            require_time(); // it may not have hung
        fail_dead(program, *death);
    }
    auto& reply = std::get<wire::Reply>(answer);
    if (const auto* refusal = std::get_if<wire::Refusal>(&reply))
        end(report::Status::error, "the runner could not make the call: " + refusal->reason);
    auto* seen = std::get_if<wire::CallReply>(&reply);
    if (seen == nullptr)
        end(report::Status::error, "the runner sent an unexpected kind of answer");

    for (std::string* text : {&seen->message, &seen->file, &seen->call, &seen->detail})
        text->resize(std::min(text->size(), longest_text));
    any_order_ = any_order_ || seen->any_order;
    drop_harmless(seen->unordered);
    bytes_read_ = std::accumulate(seen->reads.begin(), seen->reads.end(), std::size_t{0});
    record_.launches = seen->launches;
    if (record_.launches.size() > max_launches_kept)
        record_.launches.resize(max_launches_kept);
    if (seen->outcome == wire::Outcome::not_implemented)
        conclude({report::Status::fail,
                  "not implemented yet: " + seen->message + " (" + seen->file + ":" +
                      std::to_string(seen->line) + ")",
                  seen->file, seen->line, Ended::Cause::not_implemented});
    if (seen->outcome == wire::Outcome::build_failed)
        fail_build(program, seen->build_log);
    const auto shared = result_memory.bytes();
    const std::size_t size_of_result = std::min(seen->result_size, shared.size());
    std::vector<std::byte> result(shared.begin(), shared.begin() + size_of_result);
    std::size_t host_words = 0;
    if (sealed) {
        host_words = visible_words_ == 0 ? seal.count_plain({result.data(), result.size()}) : 0;
        seal.reveal({result.data(), result.size()});
    }
    judge_host(*seen);
    Run run{std::move(*seen), std::move(result)};
    run.host_words = host_words;
    return run;
}

/// Notes what the host did wrong in a call, in case its result is wrong.
void Case::judge_host(const wire::CallReply& seen) {
    const auto check = std::exchange(host_check_, {});
    const bool ended = seen.outcome == wire::Outcome::returned ||
                       (explains_exceptions_ && seen.outcome == wire::Outcome::exception);
    host_mistake_ = check && ended ? check(seen) : HostMistake{};
    note_host_mistake();
}

/// In a small trial: findings in the kernels can follow from it.
void Case::note_host_mistake() {
    if (host_mistake_.text.empty() || first_failure_ == nullptr)
        return;
    if (small_host_mistake_.text.empty())
        small_host_mistake_ = host_mistake_;
    trials_with_host_mistakes_.insert(session_.interpreter().trial());
}

std::string Case::unseen() const {
    const std::size_t visible = visible_words_ * sizeof(std::uint32_t);
    if (!session_.options().sealed || visible == 0 || bytes_read_ <= visible)
        return "";
    return "your host code read back " + std::to_string(bytes_read_) +
           " bytes, but in this call this lab lets it see only " + std::to_string(visible) +
           ": the rest were placeholders, not data";
}

/// Keeps only the pairs that conflict or may conflict.
void Case::drop_harmless(std::vector<wire::UnorderedUses>& unordered) {
    const std::vector<SeenLaunch>& launches = session_.interpreter().launches_of_call();
    unordered.resize(
        std::min(unordered.size(), most_unordered)); // a forged reply can have any number
    unordered.erase(
        std::remove_if(unordered.begin(), unordered.end(),
                       [&](const auto& uses) { return clash_of(uses, launches) == Clash::none; }),
        unordered.end());
    order_is_unknown_ = order_is_unknown_ || !unordered.empty();
}

void Case::require_order(const Program& program, const wire::CallReply& seen) {
    const std::vector<SeenLaunch>& launches = session_.interpreter().launches_of_call();
    for (const wire::UnorderedUses& uses : seen.unordered) {
        if (clash_of(uses, launches) == Clash::certain)
            fail(program,
                 {"two commands of your host code have no defined order",
                  {explain_clash(uses)},
                  "",
                  hints_for_missing_order()},
                 Ended::Cause::order);
    }
}

Run Case::require_clean(const Program& program, Run run) {
    const wire::CallReply& seen = run.seen;
    if (seen.outcome == wire::Outcome::opencl_error) {
        Failure failure{seen.call + " failed", {}, ""};
        add_host_line(failure, seen.frames);
        failure.details.push_back(explain_opencl_error(seen.error_code));
        if (!seen.detail.empty())
            failure.details.push_back("requested: " + seen.detail);
        if (seen.error_code == invalid_kernel_name && seen.detail.rfind(kernel_name, 0) == 0)
            failure.details.push_back(explain_kernel_name(
                seen.detail.substr(std::strlen(kernel_name)), session_.kernel_file(program.file)));
        if (failure.host_line != 0)
            failure.mistake = failure.what + " at line " + std::to_string(failure.host_line);
        failure.hints = hints_for_opencl_error(seen.call, seen.error_code);
        fail(program, failure, Ended::Cause::host);
    }
    if (seen.outcome == wire::Outcome::exception) {
        Failure failure{"your host code threw an exception", {}, ""};
        add_host_line(failure, seen.frames);
        failure.details.push_back(seen.message == wire::not_an_exception
                                      ? "it is no std::exception, so it has no message"
                                      : "its message: " + seen.message);
        if (failure.host_line != 0)
            failure.mistake = failure.what + " at line " + std::to_string(failure.host_line);
        failure.hints = Hints{};
        fail(program, failure);
    }
    if (seen.outcome != wire::Outcome::returned)
        end(report::Status::error, "the call ended with an outcome that the harness does not know");
    require_order(program, seen);
    if (seen.unwaited_read)
        fail(program,
             {"your function returned while a read may still be under way",
              {explain_unwaited_read()},
              ""},
             Ended::Cause::host);
    if (seen.unwaited_write)
        fail(program,
             {"your function returned while a write may still be under way",
              {explain_unwaited_write()},
              ""},
             Ended::Cause::host);
    if (seen.changed_source) {
        Failure failure{changes_source, {explain_changed_source()}};
        failure.hints = Hints{};
        failure.mistake = changes_source;
        fail(program, failure, Ended::Cause::host);
    }
    const std::string last_kernel = seen.launches.empty() ? "" : seen.launches.back().kernel;
    if (!seen.guard_hits.empty())
        fail(program, {"a kernel wrote outside its buffers",
                       {describe(seen.guard_hits.front())},
                       seen.launches.size() == 1 ? last_kernel : "",
                       hints_for_stray_write()});
    if (!seen.read_only_hits.empty()) {
        Failure failure{"a CL_MEM_READ_ONLY buffer no longer holds what was written to it",
                        {"the first byte that differs is " +
                         std::to_string(seen.read_only_hits.front().byte_offset) + " of " +
                         std::to_string(seen.read_only_hits.front().buffer_size)}};
        failure.hints = Hints{};
        failure.guesses = {"a kernel changed it, or your host code wrote it with CL_FALSE and "
                           "changed or freed the memory before that write had finished"};
        fail(program, failure);
    }
    if (seen.modified_argument >= 0)
        fail(program, {"your host code changed its input",
                       {"it writes to the vector, or a kernel writes to a buffer that shares the "
                        "vector's memory because of CL_MEM_USE_HOST_PTR"},
                       "",
                       Hints{}});
    return run;
}

/// Adds the line of the student's host code that threw, if it is known.
void Case::add_host_line(Failure& failure, const std::vector<std::uint64_t>& frames) {
    std::vector<std::uint64_t> known = frames;
    known.resize(std::min(known.size(), wire::Journal::frame_slots)); // a reply can be forged
    const std::vector<SourceLine> stack = session_.source_lines(known);
    if (stack.empty())
        return;
    const auto own = std::find_if(stack.begin(), stack.end(), is_student_code);
    const SourceLine& place = own == stack.end() ? stack.front() : *own;
    failure.host_file = place.file;
    failure.host_line = place.line;
    failure.details.push_back("at " + place.file + ":" + std::to_string(place.line));
    failure.details.push_back(quote_host_line(place, session_.host_folder()));
}

Run Case::require_launch(const Program& program, Run run) {
    if (run.seen.launches.empty())
        fail(program,
             {"no kernel was launched", {"the kernels must do the work, for every input"}, ""},
             Ended::Cause::host);
    if (run.host_words != 0)
        fail(program,
             {"the result does not come from a kernel",
              {"your host code wrote " + std::to_string(run.host_words) + " of its words itself"},
              ""},
             Ended::Cause::host);
    return run;
}

void Case::fail(const Program& program, const Failure& what, Ended::Cause cause) {
    Failure failure = what;
    const bool by_host = cause == Ended::Cause::seen && !host_mistake_.text.empty();
    if (by_host) {
        if (failure.is_about_launches)
            failure.details.clear();
        failure.details.insert(failure.details.begin(), "in your host code: " + host_mistake_.text);
        failure.kernel.clear();
        failure.hints = host_mistake_.hints;
        failure.mistake = host_mistake_.cause;
        failure.guesses.clear();
        failure.explained_kernel.clear();
    }
    const auto known =
        std::find_if(failure.guesses.begin(), failure.guesses.end(),
                     [&](const auto& guess) { return session_.mistakes.count(guess) != 0; });
    if (failure.mistake.empty() && known != failure.guesses.end()) {
        failure.mistake = *known; // of several explanations, the one that is already known
        failure.guesses = {failure.mistake};
    }
    if (failure.mistake.empty() && failure.guesses.empty() &&
        (failure.is_basic || session_.mistakes.count(failure.symptom) != 0))
        failure.mistake = failure.symptom;
    const KernelFile& file = session_.kernel_file(program.file);
    std::vector<std::string> parts;
    if (!file.unimplemented().empty())
        cause = Ended::Cause::not_implemented;
    int line = failure.kernel.empty() ? 0 : file.line_of_kernel(failure.kernel);
    constexpr std::size_t max_left_shown = 10;
    for (const KernelFile::Place& left : file.unimplemented()) {
        if (parts.size() == max_left_shown)
            break;
        parts.push_back("not implemented yet: " + left.text + " (" + file.name() + ":" +
                        std::to_string(left.line) + "; remove that comment when it is done)");
        line = left.line;
    }
    parts.push_back(trial_.empty() ? failure.what : failure.what + " for " + trial_);
    parts.insert(parts.end(), failure.details.begin(), failure.details.end());
    const bool in_host = (by_host || !failure.host_file.empty()) && file.unimplemented().empty();
    conclude({report::Status::fail, lines(parts), in_host ? failure.host_file : file.name(),
              in_host ? failure.host_line : line, cause, failure.hints, "", failure.mistake,
              by_host, failure.guesses, context_of(failure.kernel, file), "",
              failure.explained_kernel});
}

/// The launches of the call that failed, where its `kernel` is, and what passed before.
std::string Case::context_of(const std::string& kernel, const KernelFile& file) const {
    std::vector<std::string> parts;
    const auto unsized =
        std::find_if(record_.launches.begin(), record_.launches.end(),
                     [](const wire::Launch& launch) { return launch.work_group_size[0] == 0; });
    if (unsized != record_.launches.end())
        parts.push_back("the launch of " + unsized->kernel +
                        " leaves the work-group size to OpenCL: pass it as the local size");
    if (!record_.launches.empty())
        parts.push_back("launched: " + show_launches(record_.launches));
    const int line = kernel.empty() ? 0 : file.line_of_kernel(kernel);
    if (line != 0)
        parts.push_back("see kernel " + kernel + " in " + file.name() + ":" + std::to_string(line));
    // A trial of the same input can call another function.
    if (passed_trials_ == 1 && last_passed_ != trial_)
        parts.push_back("before that, " + last_passed_ + " passed");
    else if (passed_trials_ > 1)
        parts.push_back("before that, " + std::to_string(passed_trials_) + " trials passed" +
                        (last_passed_ == trial_ ? "" : "; the last was " + last_passed_));
    return lines(parts);
}

void Case::fail_dead(const Program& program, const Death& death) {
    died_ = true;
    const KernelFile& kernels = session_.kernel_file(program.file);
    const auto stack = session_.source_lines(death.frames);
    std::string file;
    int line = 0;
    if (!stack.empty()) {
        file = stack.front().file;
        line = stack.front().line;
    } else if (!death.kernel.empty()) {
        file = kernels.name();
        line = kernels.line_of_kernel(death.kernel);
    }
    const std::string endless = endless_part(death);
    if (!endless.empty()) {
        host_mistake_ = {endless, endless, Hints{}};
        note_host_mistake();
    }
    // An endless host would be endless with interpreted kernels, too.
    Ended ended{report::Status::fail,
                lines({explain_death(death, stack), explain_assertion(record_.output),
                       trial_.empty() ? "" : "the call: " + trial_}),
                file,
                line,
                endless.empty() ? Ended::Cause::seen : Ended::Cause::host,
                Hints{},
                "",
                endless};
    if (death.how == Death::How::hang && endless.empty())
        ended.hung_kernel = death.kernel;
    conclude(ended);
}

void Case::fail_build(const Program& program, const std::string& log) {
    const KernelFile& file = session_.kernel_file(program.file);
    record_.output.clear(); // the compiler's output, which the message shows in a better form
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
    conclude({status, message, file, line, Ended::Cause::seen, Hints{}});
}

void Case::conclude(const Ended& ended) {
    if (forgivable_)
        throw Ended(ended); // NOLINT(cert-err60-cpp): strings can throw if memory runs out
    record_.status = ended.status;
    record_.message = text_of(ended);
    record_.file = ended.file;
    record_.line = ended.line;
    record_.not_implemented = ended.cause == Ended::Cause::not_implemented;
    record_.guess = ended.guesses.empty() ? "" : ended.guesses.front();
    if (ended.cause == Ended::Cause::not_implemented)
        record_.hints = hints_for_beginning(session_.lab().name);
    else if (ended.hints)
        record_.hints = *ended.hints;
    else if (ended.cause != Ended::Cause::seen)
        record_.hints.clear();
    record_.follows = ended.follows;
    if (ended.follows.empty() && !ended.mistake.empty()) {
        const auto first = session_.mistakes.find(ended.mistake);
        if (first != session_.mistakes.end())
            record_.follows = first->second;
        else if (ended.status == report::Status::fail)
            session_.mistakes.emplace(ended.mistake, record_.name);
    }
    session_.case_is_concluded = true;
    throw Concluded{record_.message}; // NOLINT(cert-err60-cpp): as above
}

void Case::without_trace(const std::function<void()>& calls) {
    const std::vector<wire::Launch> launches = record_.launches;
    const HostMistake mistake = host_mistake_;
    const std::optional<IncompleteBuffer> incomplete = session_.interpreter().incomplete_buffer();
    calls();
    record_.launches = launches;
    host_mistake_ = mistake;
    session_.interpreter().set_incomplete_buffer(incomplete);
}

bool Case::examine(const std::function<void()>& calls) {
    bool passed = false;
    const Interpreter::Order order =
        session_.interpreter().set_order({}); // for the call that failed
    without_trace([&] { passed = !attempt_in(mode_, calls); });
    session_.interpreter().set_order(order);
    return passed;
}

bool Case::is_in_other_schedule() const { return session_.interpreter().order().number != 0; }

void Case::skip(const std::string& reason) {
    record_.status = report::Status::skipped;
    record_.message = reason;
}

void Case::remark(const std::string& text) {
    record_.message += (record_.message.empty() ? "" : "\n") + text;
}

void Case::require_kernels_packed(const Program& program, const Run& run, std::size_t bytes,
                                  const char* function, const Arguments& arguments) {
    if (session_.options().sealed)
        return; // there the host has no data to compute with
    wire::CallFunction withheld = request(program, function);
    withheld.withhold_kernels = true;
    withheld.guard = 1; // a host may take it for the number of elements to come
    bool same = false;
    // A host that waits or crashes without its kernels does not compute the result itself.
    examine([&] {
        const Run without = send(program, withheld, arguments);
        const wire::Span<const std::byte> withheld_bytes = without.array<std::byte>();
        const wire::Span<const std::byte> true_bytes = run.array<std::byte>();
        same =
            without.seen.outcome == wire::Outcome::returned &&
            withheld_bytes.size() == true_bytes.size() &&
            std::equal(true_bytes.begin(), true_bytes.begin() + std::min(bytes, true_bytes.size()),
                       withheld_bytes.begin());
    });
    if (same)
        fail(program,
             {"the kernels do not do the work",
              {bytes == 0 ? "the result is as long when no kernel runs: the host counts its "
                            "elements"
                          : "the result is the same when no kernel runs: the host "
                            "computes it"},
              "",
              Hints{}});
}

std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects) {
    std::vector<std::string> found;
    for (const Suspect& suspect : suspects) {
        if (suspect.value == got &&
            std::find(found.begin(), found.end(), suspect.mistake) == found.end())
            found.push_back(suspect.mistake);
    }
    return found;
}

std::optional<Hints> hints_for_mistake(double got, const std::vector<Suspect>& suspects) {
    std::optional<Hints> hints;
    for (const Suspect& suspect : suspects) {
        if (suspect.value != got)
            continue;
        if (hints || suspect.hints.empty())
            return std::nullopt;
        hints = suspect.hints;
    }
    return hints;
}

std::optional<Hints> hints_for_value(double expected, double got) {
    if (std::isnan(got) || got == double{wire::guard_value} || strays_in(expected, got) > 0)
        return hints_for_strange_memory();
    return std::nullopt;
}

bool is_poison(float value) {
    std::uint32_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    return wire::is_filling(bits);
}

std::string compare_values(double expected, double got, double allowed) {
    std::string text = "expected " + show(expected);
    if (allowed > 0)
        text += " (give or take " + show(allowed) + ")";
    text += ", got " + show(got);
    if (std::isnan(got))
        return text +
               ": it was computed from uninitialized memory, or from an index outside its buffer";
    if (got == double{wire::guard_value})
        return text + ": this number fills uninitialized memory and the memory around each buffer, "
                      "where an index is too large or negative";
    if (const double strays = strays_in(expected, got); strays > 0)
        return text + ": too large by " + show(strays) + " times " + show(wire::guard_value) +
               ", which fills uninitialized memory and the memory around each buffer";
    const double error = std::fabs(got - expected);
    if (allowed == 0)
        return text + ": a logic error, not rounding; every result here is exact";
    // Too low a precision is off by a few bounds and by a small part of the value.
    const bool small = error < 8 * allowed && error < 0.01 * std::max(1.0, std::fabs(expected));
    return text + (small ? ": perhaps rounding, such as a sum in too low a precision"
                         : ": a logic error; rounding is never this large");
}

std::string show_launches(const std::vector<wire::Launch>& launches) {
    std::string text;
    for (std::size_t i = 0; i < std::min(launches.size(), max_launches_shown); ++i)
        text += (i == 0 ? "" : ", ") + launches[i].kernel + " " + show_sizes(launches[i]);
    if (launches.size() > max_launches_shown)
        text += ", ... (" + std::to_string(launches.size()) + " launches)";
    return text;
}

} // namespace grader
