#include "grader/session.hpp"

#include "grader/explain.hpp"
#include "grader/macros.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <unistd.h>

namespace fs = std::filesystem;

namespace grader {
namespace {

std::size_t size_of_arguments(const wire::CallFunction& call) {
    std::size_t size = 0;
    for (const wire::ByteRange& argument : call.arguments)
        size += argument.size;
    return size;
}

/// Bytes that a launch of `call` can have: several times the size of its function's arguments.
std::size_t memory_for(const wire::CallFunction& call) {
    return (std::size_t{64} << 20) + 8 * size_of_arguments(call);
}

/// The bytes of the largest buffer from an earlier call that these launches get.
std::size_t kept_bytes_of(const std::vector<wire::Launch>& launches) {
    std::size_t largest = 0;
    for (const wire::Launch& launch : launches) {
        for (const wire::GivenArgument& one : launch.arguments)
            largest = std::max(largest, one.is_kept ? one.size : 0);
    }
    return largest;
}

/// The most time lost to one submission that hangs repeatedly while a class waits behind it.
constexpr double most_lost_seconds = 40;

/// The time limit for finding the lines of a crash.
constexpr int most_reading_seconds = 20;

/// A crash within this time counts as no loss.
constexpr double quick_seconds = 3;

Programs programs_of(const Session::Options& options,
                     const std::atomic<bool>* abandoned = nullptr) {
    return Programs({.root = options.root,
                     .protection = options.protection,
                     .confine = options.confine,
                     .has_gpu = options.device >= 0,
                     .abandoned = abandoned});
}

Session*& current_session() {
    static Session* session = nullptr;
    return session;
}

/// The last line of `output` that is not empty.
std::string last_line(const std::string& output) {
    const auto end = output.find_last_not_of(" \n") + 1;
    const auto begin = output.find_last_of('\n', end == 0 ? 0 : end - 1);
    return output.substr(begin == std::string::npos ? 0 : begin + 1,
                         begin == std::string::npos ? end : end - begin - 1);
}

/// Explains why a runner died before its first call.
std::string explain_start(const RunnerEnd& runner_end, RunnerProcess& runner,
                          const std::vector<SourceLine>& stack) {
    std::string text = explain_end(runner_end, stack);
    text = "the lab's program ended before the first case: " + report::first_line(text);
    const std::string printed = last_line(runner.take_output());
    if (!printed.empty())
        text += "; it printed: " + printed;
    if (::access("/sys/devices/system/cpu", F_OK) != 0)
        return text + " (POCL cannot work here: /sys is not mounted)";
    return text + " (check what runs before main, such as global objects)";
}

/// The reply of `runner`, of kind `Kind`, to a request that it got. Throws Unusable with the reason if
/// there is none; `source_lines` finds the lines of a crash.
template <class Kind, class SourceLines>
Kind wait_for(RunnerProcess& runner, const SourceLines& source_lines, const Budget& budget) {
    Answer answer = runner.wait(budget);
    if (const auto* runner_end = std::get_if<RunnerEnd>(&answer))
        throw Unusable(explain_start(*runner_end, runner, source_lines(runner_end->frames)));
    auto& reply = std::get<wire::Reply>(answer);
    if (const auto* refusal = std::get_if<wire::Refusal>(&reply))
        throw Unusable(refusal->reason);
    if (auto* kind = std::get_if<Kind>(&reply))
        return std::move(*kind);
    throw Unusable("the lab's program sent an unexpected kind of answer");
}

template <class Kind, class SourceLines>
Kind ask_for(RunnerProcess& runner, const wire::Request& request, const SourceLines& source_lines,
             const Budget& budget = start_budget) {
    runner.send(request, {}, budget);
    return wait_for<Kind>(runner, source_lines, budget);
}

bool failed_in_opencl(const wire::Reply& reply) {
    const auto* call = std::get_if<wire::CallReply>(&reply);
    return call != nullptr && call->outcome == wire::Outcome::opencl_error;
}

/// The report of a call; null if the answer is another one.
wire::CallReply* call_reply_in(Answer& answer) {
    auto* reply = std::get_if<wire::Reply>(&answer);
    return reply == nullptr ? nullptr : std::get_if<wire::CallReply>(reply);
}

/// Whether `name` can be the name of a function: host code that overwrites memory, or that throws a
/// cl::Error of its own, can report any text.
bool is_name_of_function(const std::string& name) {
    return std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    });
}

constexpr auto any_function = "an OpenCL function";

/// `call` with a harmless name of its function; nothing if no call has failed.
std::optional<wire::FailedCall> sound(wire::FailedCall call) {
    const std::string name = wire::text_of(call.function);
    if (name.empty())
        return std::nullopt;
    if (!is_name_of_function(name))
        wire::set_name(call.function, any_function);
    return call;
}

/// The end of a host that has made `launched` launches since `start`.
RunnerEnd hang_after(std::size_t launched, std::chrono::steady_clock::time_point start) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    RunnerEnd runner_end;
    runner_end.how = RunnerEnd::How::hang;
    runner_end.launched = static_cast<std::uint32_t>(launched);
    runner_end.seconds = seconds.count();
    return runner_end;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string within_files(const Session::Options& options, const std::string& file) {
    return options.files == "." ? file : options.files + "/" + file;
}

} // namespace

std::string Session::Options::path_of(const std::string& name) const {
    return (fs::path(root) / name).string();
}

std::vector<wire::DeviceInfo> list_devices(const std::string& runner) {
    RunnerProcess process(runner);
    const auto source_lines = [&](const auto& frames) {
        return find_source_lines(frames, runner, "", most_reading_seconds);
    };
    return ask_for<wire::DeviceList>(process, wire::ListDevices{}, source_lines).devices;
}

Budget budget_for(std::size_t bytes, const wire::DeviceInfo& device) {
    const double elements = static_cast<double>(bytes) / sizeof(float);
    const double busy = (10 + elements * 2e-6) * (device.type == wire::DeviceType::cpu ? 1 : 4);
    return {busy, busy, 90 + elements * 1e-5};
}

double lost_by(const RunnerEnd& runner_end, double seconds, const Budget& budget) {
    if (runner_end.how != RunnerEnd::How::hang)
        return seconds < quick_seconds ? 0 : seconds;
    const bool waited = runner_end.seconds > budget.wall_seconds;
    const double nominal = waited              ? budget.wall_seconds
                           : runner_end.asleep ? budget.idle_seconds
                                               : budget.cpu_seconds;
    return std::min(seconds, nominal);
}

Session::Session(Options options, LabInfo lab)
    : options_(std::move(options)), programs_(programs_of(options_)), lab_(std::move(lab)),
      interpreter_(options_.path_of(options_.interpreter)) {
    current_session() = this;
    result_.lab = lab_.name;
    result_.title = lab_.title;
    result_.seed = options_.seed;
}

Session::Session(const Session& main, const std::atomic<bool>& abandoned)
    : options_(main.options_), programs_(programs_of(options_, &abandoned)), lab_(main.lab_),
      device_(main.device_), device_index_(main.device_index_), kernel_files_(main.kernel_files_),
      interpreter_(main.options_.path_of(main.options_.interpreter)),
      endless_kernels_(main.endless_kernels_) {
    result_.findings = main.result_.findings;
    interpreter_.start_by(programs_.command_for(options_.interpreter));
}

Session::~Session() {
    for (RunnerProcess* one : {runner_.get(), unaware_runner_.get(), next_runner_.get()}) {
        if (one != nullptr)
            one->kill(); // all at once, because closing a GPU takes a while
    }
    if (current_session() == this)
        current_session() = nullptr;
}

Session& Session::current() {
    if (current_session() == nullptr)
        throw std::logic_error("a case ran outside a session");
    return *current_session();
}

/// Returns a runner that is opening its device.
std::unique_ptr<RunnerProcess> Session::begin_runner() {
    auto runner = std::make_unique<RunnerProcess>(programs_.command_for(options_.runner));
    const int wanted = device_index_ < 0 ? options_.device : device_index_;
    runner->send(wire::OpenDevice{wanted}, {}, in_time(start_budget));
    return runner;
}

/// Returns a runner with its device open. Throws Unusable.
std::unique_ptr<RunnerProcess> Session::start_runner() {
    auto runner = next_runner_ ? std::move(next_runner_) : begin_runner();
    const auto opened = wait_for<wire::OpenedDevice>(
        *runner, [&](const auto& frames) { return source_lines(frames); }, in_time(start_budget));
    if (!device_process_)
        open_device(opened);
    return runner;
}

void Session::open_device(const wire::OpenedDevice& opened) {
    device_ = opened.device;
    device_index_ = opened.index;
    result_.device =
        std::to_string(opened.index) + ": " + device_.name + " (" + device_.platform + ")";
}

/// Reads the student's kernels. Throws Unusable if there are none.
void Session::read_kernels() {
    for (const KernelSource& source : lab_.sources) {
        const std::string name = within_files(options_, "kernels/" + source.file);
        try {
            kernel_files_.emplace(source.file, KernelFile(options_.path_of(name), name));
        } catch (const std::runtime_error& error) {
            throw Unusable(error.what());
        }
    }
}

/// Starts the processes that contain nothing of the student's.
void Session::prepare() {
    if (options_.require_analysis && !interpreter_.installed())
        throw Unusable("the kernel analysis was requested, but is not installed; run make setup, "
                       "which installs it or says why it cannot; then run make " +
                       lab_.name);
    if (programs_.are_enclosed()) {
        result_.protection = programs_.protection_of(options_.runner);
        interpreter_.start_by(programs_.command_for(options_.interpreter));
    }
    if (options_.sealed) {
        device_process_.emplace(
            [this] {
                return std::make_unique<RunnerProcess>(
                    programs_.command_for(options_.device_program));
            },
            options_.device);
        open_device(device_process_->opened());
        check_compiler(); // now, because later a submission could affect it
    }
}

void Session::open() {
    read_kernels();
    try {
        prepare();
    } catch (const std::exception& error) {
        if (options_.sealed)
            throw Unprepared(error.what());
        throw;
    }
    runner_ = start_runner();
    for (const KernelSource& source : lab_.sources)
        for (const std::string& options : source.options)
            check_kernels(source, options);
    // Opening a GPU takes a while, and the first case needs a second runner.
    if (device_.type == wire::DeviceType::gpu && !options_.sealed)
        next_runner_ = begin_runner();
}

/// Throws Unusable for a device that builds no kernel at all, such as a POCL that does not know the
/// processor. The lab's kernels are not to blame for that.
void Session::check_compiler() {
    constexpr std::size_t longest_log = 400;
    const wire::ProgramInfo info =
        inspect({"__kernel void probe(__global int* x) { x[0] = 1; }\n", ""});
    if (info.built)
        return;
    std::string log = info.build_log;
    std::ranges::replace(log, '\n', ' ');
    throw Unusable("the device " + result_.device +
                   " cannot build even a one-line kernel; ./harness --list-devices lists the "
                   "others. Its compiler says: " +
                   report::visible_line(log, longest_log));
}

/// Adds a warning of the kernels' compiler, once for all options, unless there are many.
void Session::add_warning(report::Finding warning) {
    constexpr std::size_t most_warnings = 5;
    std::vector<report::Finding>& known = result_.findings;
    const bool is_new = std::ranges::none_of(known, [&](const report::Finding& one) {
        return one.file == warning.file && one.line == warning.line &&
               one.message == warning.message;
    });
    if (is_new && known.size() < most_warnings)
        known.push_back(std::move(warning));
}

std::vector<std::string> Session::suspicious_lines(const KernelFile& file) const {
    std::vector<std::string> lines;
    for (const KernelFile::Place& macro : macros_without_parentheses(file))
        lines.insert(lines.end(), {macro.text, file.quote(macro.line)});
    for (const report::Finding& one : result_.findings) {
        if (one.kind == report::compiler_warning && one.file == file.name())
            lines.insert(lines.end(),
                         {compiler_warns(one.line, one.message), file.quote(one.line)});
    }
    return lines;
}

void Session::check_kernels(const KernelSource& source, const std::string& options) {
    const KernelFile& file = kernel_files_.at(source.file);
    const wire::ProgramInfo info = inspect({file.text(), options});
    for (const Diagnostic& one : parse_build_log(info.build_log)) {
        if (one.is_warning())
            add_warning({report::compiler_warning, file.name(), one.line, one.text});
    }
    if (!info.built) {
        if (!options_.sealed)
            check_compiler();
        return; // the cases that need it report why
    }
    std::vector<std::string> found;
    for (const wire::KernelInfo& kernel : info.kernels)
        found.push_back(kernel.name);
    for (const std::string& kernel : source.kernels) {
        if (std::ranges::find(found, kernel) == found.end())
            throw Unusable(file.name() + " has no kernel named " + kernel + "; it has " +
                           (found.empty() ? "no kernels" : join(found)));
    }
}

const KernelFile& Session::file_of(const std::string& kernel) const {
    const auto source = std::ranges::find_if(lab_.sources, [&](const KernelSource& one) {
        return std::ranges::find(one.kernels, kernel) != one.kernels.end();
    });
    return kernel_file((source == lab_.sources.end() ? lab_.sources.front() : *source).file);
}

std::vector<SourceLine> Session::source_lines(const std::vector<std::uint64_t>& frames) {
    Enclose enclose;
    if (programs_.are_enclosed())
        enclose = [&](const std::vector<std::string>& command) {
            return programs_.enclosed(options_.runner, command).arguments;
        };
    // Debug information can be made to take forever to read, so only one attempt is made. Why
    // a changed program fails is not shown.
    if (lines_are_unreadable_ || interpreter_.conditions.only_judges())
        return {};
    const auto start = std::chrono::steady_clock::now();
    auto lines = find_source_lines(frames, fs::weakly_canonical(options_.path_of(options_.runner)),
                                   options_.root, most_reading_seconds, enclose);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    lines_are_unreadable_ = seconds.count() >= most_reading_seconds;
    if (lines_are_unreadable_)
        lost_seconds_ += seconds.count();
    return lines;
}

/// The time left for all cases.
double Session::seconds_left() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    return options_.seconds > 0 ? options_.seconds - elapsed.count()
                                : std::numeric_limits<double>::infinity();
}

Budget Session::in_time(const Budget& budget) const { return within(budget, seconds_left()); }

std::string Session::why_over() const {
    if (time_is_over())
        return "the time limit for this lab was reached";
    if (options_.sealed && lost_seconds_ > most_lost_seconds)
        return "calls that hang or crash have already taken " +
               std::to_string(static_cast<int>(lost_seconds_)) + " s";
    return "";
}

wire::ProgramInfo Session::inspect(const wire::ProgramSource& program) {
    if (device_process_)
        return device_process_->inspect(program, in_time(shortened(budget_for(0, device_))));
    if (!runner_)
        runner_ = start_runner();
    return ask_for<wire::ProgramInfo>(
        *runner_, wire::InspectProgram{program},
        [&](const auto& frames) { return source_lines(frames); }, in_time(start_budget));
}

/// The budget of a call of `function`, shortened after a hang: the programs are compiled by then,
/// and a student should not wait for every case as long as for the first. It is shortest if the
/// same function hung before, or if a kernel runs that is known to be endless.
Budget Session::shortened(Budget budget, const std::string& function) const {
    constexpr double again = 0.1; // a second, and many times what the data takes
    budget.endless = endless_kernels_.get();
    budget.endless_cpu_seconds = again * std::min(budget.cpu_seconds, budget.launch_cpu_seconds);
    const bool is_short =
        hung_functions_.contains(function) || interpreter_.conditions.change != nullptr;
    const double left = is_short ? again : hung_before_ ? 0.4 : 1;
    for (double* seconds : {&budget.cpu_seconds, &budget.idle_seconds, &budget.wall_seconds,
                            &budget.launch_cpu_seconds})
        *seconds *= left;
    return budget;
}

void Session::note_hang(const RunnerEnd& runner_end, const std::string& function) {
    hung_before_ = true;
    if (runner_end.kernels.empty() || !endless_part(runner_end).empty())
        hung_functions_.insert(function);
    else
        endless_kernels_->add(runner_end.kernels.front());
}

/// Executes a launch of `call`, for a runner that hands over its launches.
Carried Session::carry_out(const wire::CallFunction& call, const wire::KernelLaunch& launch,
                           const wire::UniqueFd& memory, const Budget& budget) {
    if (call.interpreted || !device_process_) {
        const auto start = std::chrono::steady_clock::now();
        wire::LaunchDone done = interpreter_.run(call.program, launch, memory, seconds_left());
        if (interpreter_.conditions.change == nullptr && // of a changed kernel, it says nothing
            can_hang(interpreter_.observation(), launch.kernel))
            endless_kernels_->add(launch.kernel);
        const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
        done.nanoseconds = static_cast<std::uint64_t>(time.count());
        return {done, {}};
    }
    const wire::CarryOut request{call.program, launch,      call.limits,  call.checked,
                                 call.guard,   call.rounds, call.seconds, call.baseline};
    return device_process_->carry_out(request, memory, in_time(budget));
}

/// What the host may take of a call's budget. In a sealed call only the device repeats rounds: the
/// host makes a single call.
Budget Session::budget_of_host(const wire::CallFunction& request, const Budget& budget) const {
    if (!options_.sealed)
        return budget;
    const Budget one = shortened(budget_for(size_of_arguments(request), device_), request.function);
    Budget own = budget;
    own.cpu_seconds = std::min(budget.cpu_seconds, one.cpu_seconds);
    own.idle_seconds = std::min(budget.idle_seconds, one.idle_seconds);
    return own;
}

/// Notes the time that a call has cost if the runner died in it.
void Session::note_end(const Answer& answer, double seconds, const Budget& budget,
                       const std::string& function) {
    const auto* runner_end = std::get_if<RunnerEnd>(&answer);
    if (runner_end == nullptr || interpreter_.conditions.change != nullptr)
        return; // a changed program says nothing about the submission
    lost_seconds_ += lost_by(*runner_end, seconds, budget);
    if (runner_end->how == RunnerEnd::How::hang || !endless_part(*runner_end).empty())
        note_hang(*runner_end, function);
}

/// Ends the runner before a call with `bytes` of arguments if its host keeps buffers for much longer inputs:
/// each launch would take as long as with those.
void Session::drop_large_buffers(std::size_t bytes) {
    constexpr std::size_t least_kept = std::size_t{1} << 20;
    constexpr std::size_t most_times = 16;
    if (kept_bytes_ >= least_kept && largest_call_ / most_times > bytes) {
        runner_.reset();
        largest_call_ = kept_bytes_ = 0;
    }
    largest_call_ = std::max(largest_call_, bytes);
}

Answer Session::call(wire::CallFunction request, const std::vector<const wire::UniqueFd*>& fds,
                     const Budget& wanted, bool is_sealed) {
    drop_large_buffers(size_of_arguments(request));
    std::unique_ptr<RunnerProcess>& runner = request.withhold_kernels ? unaware_runner_ : runner_;
    if (!runner)
        runner = start_runner();
    const std::string function = request.function;
    const Budget budget = shortened(wanted, function);
    interpreter_.begin_call();
    const auto start = std::chrono::steady_clock::now();
    const Carrier carrier = [&, call = request](const auto& launch, const auto& memory) mutable {
        // The runner itself uses little of its budget while launches are interpreted.
        const std::size_t launched = interpreter_.launches_of_call().size();
        if (launched > most_launches)
            return Carried{hang_after(launched, start), {}};
        Carried carried = carry_out(call, launch, memory, budget);
        if (!carried.seen.function_times.empty()) {
            call.baseline.kernel.clear(); // timed once per call, however many launches it makes
            call.rounds = static_cast<int>(carried.seen.function_times.size() / 2);
        }
        return carried;
    };
    // Host code may keep the buffers of an earlier call.
    most_memory_ = std::max(most_memory_, memory_for(request));
    SealedCall sealed(seal_, carrier, most_memory_);
    RunnerCallbacks callbacks;
    if (is_sealed) {
        callbacks.carry_out = [&](const auto& launch, const auto& memory) {
            return sealed.carry_out(launch, memory);
        };
        callbacks.reveal = [&](const auto& read, const auto& memory) {
            return sealed.reveal(read, memory);
        };
        // The runner knows only that others execute its launches.
        request.interpreted = true;
        request.rounds = 0;
    } else if (request.interpreted) {
        callbacks.carry_out = [&](const auto& launch, const auto& memory) {
            return carrier(launch, memory).end;
        };
    }
    const Budget host_budget = budget_of_host(request, budget);
    Answer answer = runner->ask(request, fds, in_time(host_budget), callbacks);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    first_failure_ = sound(runner->first_failure());
    last_failure_ = sound(runner->last_failure());
    if (wire::CallReply* seen = call_reply_in(answer)) {
        if (is_sealed) {
            seen->seconds = seconds.count();
            sealed.settle(*seen);
        }
        if (!is_name_of_function(seen->call))
            seen->call = any_function;
        kept_bytes_ = kept_bytes_of(seen->launches);
        std::optional<RunnerEnd> runner_end;
        if (!request.interpreted)
            runner_end = runner->kernel_error(*seen);
        if (runner_end)
            answer = std::move(*runner_end);
    }
    note_end(answer, seconds.count(), host_budget, function);
    if (running.record != nullptr) {
        running.record->output += without_message_counts(runner->take_output());
        if (device_process_)
            running.record->output += without_message_counts(device_process_->take_output());
    }
    // After an OpenCL error the context may be unusable: NVIDIA's is lost once a kernel has
    // accessed memory outside its buffers.
    if (std::holds_alternative<RunnerEnd>(answer) ||
        (failed_in_opencl(std::get<wire::Reply>(answer)) &&
         interpreter_.conditions.change == nullptr)) // many fail, and no device has run them
        runner.reset();
    return answer;
}

} // namespace grader
