#include "grader/calls.hpp"

#include "grader/failed_calls.hpp"
#include "grader/hints.hpp"
#include "grader/host_order.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unistd.h>
#include <utility>

namespace grader {
namespace {

/// For a request that makes several calls.
constexpr Budget timing_budget{.cpu_seconds = 60,
                               .idle_seconds = 30,
                               .wall_seconds = 300,
                               .launches = std::numeric_limits<std::uint32_t>::max()};

/// The longest text from the runner that is shown.
constexpr std::size_t longest_text = std::size_t{8} << 10;

constexpr std::size_t max_launches_shown = 8;
constexpr std::size_t most_unordered = 256; ///< pairs of commands that are checked
constexpr std::size_t max_launches_kept = 64;
constexpr std::size_t most_words_read = 256; ///< of a short read

/// Room in the result for more than all inputs together: some results grow.
constexpr std::size_t spare_result = std::size_t{64} << 10;

/// Every argument begins at a multiple of this, so that every type is aligned.
constexpr std::size_t argument_alignment = 64;

void write_all(const wire::UniqueFd& fd, std::span<const std::byte> bytes, std::size_t offset) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::pwrite(fd.get(), bytes.data() + done, bytes.size() - done,
                                       static_cast<off_t>(offset + done));
        if (count < 0 && errno != EINTR)
            wire::throw_errno("cannot write the inputs");
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

/// Explains what libstdc++'s own checks print; "" for anything else.
std::string explain_assertion(const std::string& output) {
    return output.find("Assertion '__n < this->size()' failed") == std::string::npos
               ? ""
               : "an index was outside its std::vector";
}

} // namespace

void Calls::Trials::begin(const std::string& parameters) {
    if (!current.empty()) {
        last_passed = current;
        ++passed;
    }
    current = parameters;
}

wire::CallFunction Calls::request(const Program& program, const char* function) const {
    wire::CallFunction request;
    request.function = function;
    request.program = {session_.kernel_file(program.file).text(), program.options};
    request.limits = next.limits;
    request.limits.ignores_kernels = next.mode != Mode::device;
    request.interpreted =
        next.mode != Mode::device || session_.known.fallback == Fallback::device_errs;
    request.blocking = next.blocking;
    request.guard = next.turn % 2 == 0 ? wire::poison : wire::finite_guard;
    return request;
}

bool Calls::hides_data() const { return session_.options().sealed || next.mode == Mode::sealed; }

/// Returns memory with the arguments of `request`, sealed if they are data that the host must not see.
wire::UniqueFd Calls::write_arguments(wire::CallFunction& request, const Arguments& arguments) {
    std::size_t size = 0;
    for (const Argument& argument : arguments) {
        request.arguments.push_back({size, argument.bytes.size()});
        size += (argument.bytes.size() + argument_alignment - 1) / argument_alignment *
                argument_alignment;
    }
    seen.largest_call = std::max(seen.largest_call, size);
    request.result_capacity = size + spare_result;
    wire::UniqueFd memory = wire::create_shared_memory("inputs", size);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::span<const std::byte> bytes = arguments[i].bytes;
        if (hides_data() && arguments[i].is_data) {
            std::vector<std::byte> hidden(bytes.begin(), bytes.end());
            session_.seal().hide_argument({hidden.data(), hidden.size()});
            write_all(memory, hidden, request.arguments[i].offset);
        } else {
            write_all(memory, bytes, request.arguments[i].offset);
        }
    }
    wire::seal_against_writing(memory);
    return memory;
}

/// Makes the call and returns the reply of the runner. `size`: bytes of arguments.
wire::CallReply Calls::reply_to(const Program& program, const wire::CallFunction& request,
                                const std::vector<const wire::UniqueFd*>& memory,
                                std::size_t size) {
    Budget budget = budget_for(size, session_.device());
    if (request.rounds != 0) {
        const double one_call = budget.cpu_seconds;
        budget = timing_budget;
        budget.launch_cpu_seconds = one_call;
    }
    Answer answer = session_.call(request, memory, budget, hides_data());
    if (const auto* runner_end = std::get_if<RunnerEnd>(&answer)) {
        if (runner_end->how == RunnerEnd::How::hang && session_.time_is_over())
            require_time(session_); // it may not have hung
        end_by(program, *runner_end);
    }
    auto& reply = std::get<wire::Reply>(answer);
    if (const auto* refusal = std::get_if<wire::Refusal>(&reply))
        end(report::Status::error, "the runner could not make the call: " + refusal->reason);
    auto* call = std::get_if<wire::CallReply>(&reply);
    if (call == nullptr)
        end(report::Status::error, "the runner sent an unexpected kind of answer");
    return std::move(*call);
}

/// Notes what was observed in a call, and ends the case for one that never began.
void Calls::note(const Program& program, wire::CallReply& reply) {
    for (std::string* text : {&reply.message, &reply.file, &reply.call})
        text->resize(std::min(text->size(), longest_text));
    seen.any_order = seen.any_order || reply.any_order;
    seen.starts_reads =
        seen.starts_reads || std::ranges::any_of(reply.transfers, [](const wire::Transfer& one) {
            return one.command == wire::HostCommand::read && !one.blocking;
        });
    session_.known.starts_reads = session_.known.starts_reads || seen.starts_reads;
    drop_harmless(reply.unordered);
    seen.order_is_unknown = seen.order_is_unknown || !reply.unordered.empty();
    reply.last_read.resize(std::min(reply.last_read.size(), most_words_read)); // it can be forged
    last_read_.resize(reply.last_read.size());
    std::ranges::transform(reply.last_read, last_read_.begin(),
                           [](std::uint32_t word) { return std::bit_cast<float>(word); });
    bytes_read_ = std::accumulate(reply.reads.begin(), reply.reads.end(), std::size_t{0});
    record_.launches = reply.launches;
    if (record_.launches.size() > max_launches_kept)
        record_.launches.resize(max_launches_kept);
    if (reply.outcome == wire::Outcome::not_implemented)
        end({.status = report::Status::fail,
             .message = "not implemented yet: " + reply.message + " (" + reply.file + ":" +
                        std::to_string(reply.line) + ")",
             .file = reply.file,
             .line = reply.line,
             .why = {.cause = Explanation::Cause::not_implemented}});
    if (reply.outcome == wire::Outcome::build_failed)
        end_unbuilt(session_, record_, program, reply.build_log);
}

Run Calls::send(const Program& program, wire::CallFunction request, const Arguments& arguments) {
    require_time(session_);
    ++session_.running.calls;
    if (!request.withhold_kernels) // nothing is written then, so it must not use up a turn
        ++next.turn;
    last_file = program.file;
    const bool sealed = hides_data();
    Seal& seal = session_.seal();
    seal.begin_call(next.visible_words);
    request.counts_host_words = !sealed && next.visible_words == 0 && !request.withhold_kernels;
    request.visible_bytes = sealed ? next.visible_words * sizeof(std::uint32_t) : 0;
    const wire::UniqueFd inputs = write_arguments(request, arguments);
    const wire::UniqueFd results = wire::create_shared_memory("result", request.result_capacity);
    wire::CallReply reply =
        reply_to(program, request, {&inputs, &results}, request.result_capacity - spare_result);
    note(program, reply);
    const wire::Mapping memory(results, request.result_capacity, wire::Mapping::Access::read);
    const std::size_t size = std::min(reply.result_size, memory.bytes().size());
    const std::span<const std::byte> shared = memory.bytes().first(size);
    std::vector<std::byte> result(shared.begin(), shared.end());
    returned_placeholder_ = sealed && seal.holds_argument({result.data(), result.size()});
    if (sealed) {
        reply.host_words =
            next.visible_words == 0 ? seal.count_plain({result.data(), result.size()}) : 0;
        seal.reveal({result.data(), result.size()});
    }
    judge_host(reply);
    return {std::move(reply), std::move(result)};
}

std::optional<CaseOutcome> Calls::attempt_in(Mode mode, const std::function<void()>& body) {
    const Temporarily in_mode(next.mode, mode);
    const Temporarily attempting(is_attempting_, true);
    try {
        body();
    } catch (const CaseOutcome& ended) {
        return ended;
    }
    return std::nullopt;
}

void Calls::without_trace(const std::function<void()>& body) {
    const std::vector<wire::Launch> launches = record_.launches;
    const std::optional<KnownMistake> mistake = host_mistake;
    const Seen before = seen;
    const std::optional<IncompleteBuffer> incomplete = session_.interpreter().incomplete_buffer();
    body();
    record_.launches = launches;
    host_mistake = mistake;
    seen = before;
    session_.interpreter().set_incomplete_buffer(incomplete);
}

namespace {

/// The mistake of a host that continues after this failure.
KnownMistake ignored(const wire::FailedCall& failed) {
    const std::string function = wire::text_of(failed.function);
    return {.text = function + " failed with " + name_of_opencl_error(failed.code) + " (" +
                    describe_call(failed) + "), and your code ignores the error",
            .cause = function + " fails and the error is ignored",
            .hints = hints_for_failed_call(failed),
            .frames = wire::addresses_in(failed.frames),
            .before_place = "called at "};
}

/// An offset that splits an element: the smallest elements of the labs have 4 bytes.
std::optional<KnownMistake> mistake_in_transfers(const wire::CallReply& reply) {
    const auto split = std::ranges::find_if(reply.transfers, [](const wire::Transfer& one) {
        return one.bytes.offset % sizeof(std::uint32_t) != 0;
    });
    if (split == reply.transfers.end())
        return {};
    const std::string command = wire::name_of(split->command);
    return KnownMistake{.text = command + " has the offset " + std::to_string(split->bytes.offset) +
                                ": that is in bytes, and within an element",
                        .cause = "an offset within an element",
                        .spoils_indices = !split->writes};
}

} // namespace

/// Notes what the host did wrong in a call, in case its result is wrong.
void Calls::judge_host(const wire::CallReply& reply) {
    const auto check = std::exchange(host_check_, {});
    const bool ended = reply.outcome == wire::Outcome::returned ||
                       (explains_exceptions_ && wire::is_exception(reply.outcome));
    std::optional<KnownMistake> mistake;
    if (check && ended)
        mistake = check(reply);
    // What the host writes to a mapped buffer is not known before it is unmapped.
    const std::optional<wire::FailedCall>& failed = session_.last_failure();
    const bool is_mapped = failed && failed->reason == wire::FailedCall::Reason::mapped_buffer;
    if (check && reply.outcome == wire::Outcome::opencl_error && !reply.attempted.empty() &&
        !is_mapped) {
        wire::CallReply attempt = reply;
        attempt.launches = reply.attempted;
        mistake = check(attempt);
        // The others say what is missing, because the call has ended early.
        if (mistake && mistake->launch != static_cast<int>(reply.attempted.size()))
            mistake.reset();
    } else if (mistake && mistake->launch != 0)
        mistake->frames = reply.launches.at(static_cast<std::size_t>(mistake->launch) - 1).frames;
    if (reply.outcome != wire::Outcome::opencl_error && session_.first_failure())
        mistake = ignored(*session_.first_failure());
    if (!mistake)
        mistake = mistake_in_transfers(reply);
    if (!mistake && (returned_placeholder_ || !use_of_data.empty()))
        mistake = KnownMistake{.text = returned_placeholder_ ? computes_with_data : use_of_data,
                               .cause = "the host uses its data",
                               .spoils_indices = false};
    note_host_mistake(std::move(mistake));
}

void Calls::note_host_mistake(std::optional<KnownMistake> mistake) {
    if (!first_host_mistake)
        first_host_mistake = mistake;
    host_mistake = std::move(mistake);
}

std::string Calls::excess_read() const {
    const std::size_t visible = next.visible_words * sizeof(std::uint32_t);
    if (visible == 0 || bytes_read_ <= visible)
        return "";
    return "reads back " + std::to_string(bytes_read_) + " bytes, more than this lab allows";
}

std::string Calls::unseen() const {
    const std::string excess = hides_data() ? excess_read() : "";
    return excess.empty() ? ""
                          : "your host code " + excess + ": the rest were placeholders, not data";
}

/// Keeps only the pairs that conflict or may conflict.
void Calls::drop_harmless(std::vector<wire::UnorderedUses>& unordered) const {
    const std::vector<SeenLaunch>& launches = session_.interpreter().launches_of_call();
    unordered.resize(
        std::min(unordered.size(), most_unordered)); // a forged reply can have any number
    std::erase_if(unordered,
                  [&](const auto& uses) { return clash_of(uses, launches) == Clash::none; });
}

namespace {

/// Where the host made the read that may be why it crashed: it has not waited for it, or the place of the crash
/// says nothing and the memory for the read may be too small.
std::optional<HostPlace> read_before_crash(const RunnerEnd& runner_end,
                                           const std::vector<SourceLine>& stack, bool is_explained,
                                           Session& session) {
    if (runner_end.how != RunnerEnd::How::signal)
        return std::nullopt;
    if (runner_end.unwaited_read)
        return host_place("the read starts at ", runner_end.unwaited_frames, session);
    const bool in_host = runner_end.kernels.empty() || runner_end.on_host;
    const bool says_where = is_explained || (!stack.empty() && runner_end.code != SIGABRT);
    const bool in_read = runner_end.call == "clEnqueueReadBuffer";
    if (!in_host || says_where || !(in_read || runner_end.call.empty()) ||
        runner_end.read_bytes == 0 || runner_end.misuse != wire::MappingMisuse::none)
        return std::nullopt;
    const std::string bytes = count_of(runner_end.read_bytes, "byte");
    return host_place(in_read ? "the read of " + bytes + " is at "
                              : "before that, it read " + bytes +
                                    " from a buffer: is the memory for them large enough? The "
                                    "read is at ",
                      runner_end.read_frames, session);
}

} // namespace

void Calls::end_by(const Program& program, const RunnerEnd& runner_end) {
    seen.died = true;
    seen.crashed = runner_end.how == RunnerEnd::How::signal;
    seen.host_crashed =
        hides_data() && !runner_end.in_carrier && runner_end.how != RunnerEnd::How::hang;
    const KernelFile& kernels = session_.kernel_file(program.file);
    const auto stack = session_.source_lines(runner_end.frames);
    const std::string assertion = explain_assertion(record_.output);
    const std::optional<HostPlace> read =
        read_before_crash(runner_end, stack, !assertion.empty(), session_);
    SourceLine place;
    if (read)
        place = read->place;
    else if (!stack.empty())
        place = stack.front();
    else if (!runner_end.kernels.empty())
        place = {kernels.name(), kernels.line_of_kernel(runner_end.kernels.front())};
    const std::string endless = endless_part(runner_end);
    if (!endless.empty())
        note_host_mistake(KnownMistake{endless, endless});
    std::string before;
    std::optional<KnownMistake> failure;
    if (session_.first_failure()) {
        failure = ignored(*session_.first_failure());
        const auto place = host_place(failure->before_place, failure->frames, session_);
        before = lines({"before that, " + failure->text, place ? place->text : ""});
    }
    // An endless host would be endless with interpreted kernels, too.
    CaseOutcome ended{
        .status = report::Status::fail,
        .message = lines({explain_end(runner_end, stack),
                          runner_end.how == RunnerEnd::How::hang && !stack.empty()
                              ? quote_host_line(stack.front(), session_.host_folder())
                              : "",
                          read ? read->text : "", before, assertion,
                          use_of_data.empty() ? "" : "in your host code: " + use_of_data,
                          trials.current.empty() ? "" : "the call: " + trials.current}),
        .file = place.file,
        .line = place.line,
        .why = {.cause = endless.empty() ? Explanation::Cause::seen : Explanation::Cause::host,
                .hints = Hints{},
                .mistake = endless},
        .is_endless = !endless.empty(),
        .context = use_of_data.empty() ? usual_causes(runner_end) : ""};
    if (runner_end.how == RunnerEnd::How::hang && endless.empty() && !runner_end.kernels.empty())
        ended.hung_kernel = runner_end.kernels.front();
    if (runner_end.how == RunnerEnd::How::signal && endless.empty() &&
        (runner_end.kernels.empty() || runner_end.on_host) && !stack.empty())
        ended.why.mistake = "a crash at " + place.file + ":" + std::to_string(place.line);
    if (runner_end.how == RunnerEnd::How::signal && runner_end.unwaited_read)
        ended.why.mistake = waits_for_no_read;
    if (failure)
        ended.why.mistake = failure->cause;
    end(ended);
}

void require_time(const Session& session) {
    const std::string over = session.why_over();
    if (!over.empty())
        end({.status = report::Status::error,
             .message = "not finished: " + over,
             .why = {.cause = Explanation::Cause::host}});
}

void end_unbuilt(Session& session, report::Case& record, const Program& program,
                 const std::string& log) {
    const KernelFile& file = session.kernel_file(program.file);
    record.output.clear(); // the compiler's output, which the message shows in a better form
    int line = 0;
    for (const Diagnostic& one : parse_build_log(log)) {
        if (!one.is_warning() && line == 0)
            line = one.line;
    }
    const std::string mistake = file.name() + " does not compile";
    const auto [reported, is_first] =
        session.known.reported_builds.emplace(program.file, record.name);
    if (!is_first)
        end({.status = report::Status::blocked,
             .message = mistake + " (see above)",
             .file = file.name(),
             .line = line,
             .why = {.mistake = mistake},
             .follows = reported->second});
    end({.status = report::Status::fail,
         .message = lines({mistake, explain_build_log(log, file)}),
         .file = file.name(),
         .line = line,
         .why = {.hints = Hints{}, .mistake = mistake}});
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
