#include "grader/session.hpp"

#include "grader/explain.hpp"

#include <algorithm>
#include <unistd.h>

namespace grader {
namespace {

/// Finding devices and drivers can take long on a machine that does it for the first time.
constexpr Budget start_budget{60, 60, 120};

/// What is left of a budget once a call of this run has hung: the programs are compiled by then,
/// and a student should not wait for every case as long as for the first.
Budget shortened(const Budget& budget) {
    return {0.4 * budget.cpu_seconds, 0.4 * budget.idle_seconds, 0.4 * budget.wall_seconds};
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

/// Why a runner at `path` died before it was asked to call anything.
std::string explain_start(const Death& death, RunnerProcess& runner, const std::string& path,
                          const std::string& root) {
    std::string text = explain_death(death, find_source_lines(death.frames, path, root));
    text = "the lab's program ended before the first case: " + text.substr(0, text.find('\n'));
    const std::string printed = last_line(runner.take_output());
    if (!printed.empty())
        text += "; it printed: " + printed;
    if (::access("/sys/devices/system/cpu", F_OK) != 0)
        return text + " (POCL cannot work here: /sys is not mounted)";
    return text + " (look at what runs before main, such as global objects)";
}

/// Asks `runner`, the program at `path`, for a reply of kind `Kind`. Throws Unusable with the
/// reason why there is none.
template <class Kind> Kind ask_for(RunnerProcess& runner, const wire::Request& request,
                                   const std::string& path, const std::string& root) {
    Answer answer = runner.ask(request, {}, start_budget);
    if (const auto* death = std::get_if<Death>(&answer))
        throw Unusable(explain_start(*death, runner, path, root));
    auto& reply = std::get<wire::Reply>(answer);
    if (const auto* refusal = std::get_if<wire::Refusal>(&reply))
        throw Unusable(refusal->reason);
    if (auto* kind = std::get_if<Kind>(&reply))
        return std::move(*kind);
    throw Unusable("the lab's program gave an answer of the wrong kind");
}

bool failed_in_opencl(const wire::Reply& reply) {
    const auto* call = std::get_if<wire::CallReply>(&reply);
    return call != nullptr && call->outcome == wire::Outcome::opencl_error;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string path_of(const Session::Options& options, const std::string& file) {
    return options.files == "." ? file : options.files + "/" + file;
}

} // namespace

std::vector<wire::DeviceInfo> list_devices(const std::string& runner) {
    RunnerProcess process(runner);
    return ask_for<wire::DeviceList>(process, wire::ListDevices{}, runner, "").devices;
}

Budget budget_for(std::size_t bytes, const wire::DeviceInfo& device) {
    const double elements = static_cast<double>(bytes) / sizeof(float);
    const double busy = (10 + elements * 2e-6) * (device.type == "CPU" ? 1 : 4);
    return {busy, busy, 90 + elements * 1e-5};
}

Session::Session(Options options, LabInfo lab)
    : options_(std::move(options)), lab_(std::move(lab)),
      interpreter_(options_.root + "/" + options_.interpreter) {
    current_session() = this;
    result_.lab = lab_.name;
    result_.title = lab_.title;
    result_.seed = options_.seed;
}

Session::~Session() { current_session() = nullptr; }

Session& Session::current() {
    if (current_session() == nullptr)
        throw std::logic_error("a case ran outside a session");
    return *current_session();
}

void Session::start_runner() {
    runner_ = std::make_unique<RunnerProcess>(runner_path());
    const int wanted = device_index_ < 0 ? options_.device : device_index_;
    const auto opened = ask_for<wire::OpenedDevice>(*runner_, wire::OpenDevice{wanted},
                                                    runner_path(), options_.root);
    device_ = opened.device;
    device_index_ = opened.index;
    result_.device =
        std::to_string(opened.index) + ": " + device_.name + " (" + device_.platform + ")";
}

void Session::open() {
    if (options_.require_analysis && !interpreter_.installed())
        throw Unusable("the kernels' analysis is not installed, and was asked for; type: make "
                       "setup && make " +
                       lab_.name);
    for (const KernelSource& source : lab_.sources) {
        const std::string name = path_of(options_, "kernels/" + source.file);
        try {
            kernel_files_.emplace(source.file, KernelFile(options_.root + "/" + name, name));
        } catch (const std::runtime_error& error) {
            throw Unusable(error.what());
        }
    }
    start_runner();
    for (const KernelSource& source : lab_.sources)
        check_kernels(source);
}

void Session::check_kernels(const KernelSource& source) {
    const KernelFile& file = kernel_files_.at(source.file);
    const wire::InspectProgram request{{file.text(), source.options}};
    const auto info = ask_for<wire::ProgramInfo>(*runner_, request, runner_path(), options_.root);
    if (!info.built)
        return; // the cases that need it report why
    std::vector<std::string> found;
    for (const wire::KernelInfo& kernel : info.kernels)
        found.push_back(kernel.name);
    for (const std::string& kernel : source.kernels) {
        if (std::find(found.begin(), found.end(), kernel) == found.end())
            throw Unusable(file.name() + " has no kernel named " + kernel + "; it has " +
                           (found.empty() ? "none" : join(found)));
    }
}

Answer Session::ask(const wire::Request& request, const std::vector<const wire::UniqueFd*>& fds,
                    const Budget& budget) {
    if (!runner_)
        start_runner();
    const auto* call = std::get_if<wire::CallFunction>(&request);
    LaunchHandler carry_out;
    if (call != nullptr && call->interpreted)
        carry_out = [&](const wire::KernelLaunch& launch, const wire::UniqueFd& memory) {
            return interpreter_.run(call->program, launch, memory);
        };
    Answer answer =
        runner_->ask(request, fds, hung_before_ ? shortened(budget) : budget, carry_out);
    const auto* death = std::get_if<Death>(&answer);
    hung_before_ = hung_before_ || (death != nullptr && death->how == Death::How::hang);
    if (current_case != nullptr)
        current_case->output += runner_->take_output();
    // After an OpenCL error the context may be of no more use: NVIDIA's is lost once a kernel has
    // touched memory outside its buffers.
    if (death != nullptr || failed_in_opencl(std::get<wire::Reply>(answer)))
        runner_.reset();
    return answer;
}

} // namespace grader
