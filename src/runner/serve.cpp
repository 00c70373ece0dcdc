#include "runner/serve.hpp"

#include "runner/crash.hpp"
#include "runner/devices.hpp"
#include "runner/heap.hpp"
#include "runner/recorder.hpp"
#include "runner/remote_launch.hpp"
#include "runner/stopwatch.hpp"
#include "runner/thrown.hpp"
#include "runner/workplace.hpp"
#include "wire/channel.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>
#include <utility>

namespace runner {
namespace {

using wire::Mapping;

/// The least bytes of memory that is kept for reads.
constexpr std::size_t least_read_memory = 4096;

/// Returns the set with the one signal that asks for a count.
sigset_t inquiry_set() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, wire::inquiry_signal);
    return set;
}

/// Counts completed kernels whenever the grader asks for it, which it does if a call hangs.
void answer_inquiries() {
    const sigset_t inquiry = inquiry_set();
    for (int signal = 0; ::sigwait(&inquiry, &signal) == 0;) {
        try {
            recorder().count_completed();
        } catch (const cl::Error&) {
            continue; // the grader uses what it knew before
        }
    }
}

/// Starts the thread for that. Call it before there are other threads, which must not get the
/// signal.
void start_answering_inquiries() {
    const sigset_t inquiry = inquiry_set();
    ::pthread_sigmask(SIG_BLOCK, &inquiry, nullptr);
    std::thread(answer_inquiries).detach();
}

/// Answers one request after the other.
class Service {
  public:
    Service(const Functions& functions, wire::Journal& journal, wire::Channel& channel)
        : functions_(functions), journal_(journal), channel_(channel) {}

    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): the visitor uses this object
    wire::Reply answer(const wire::Request& request, const std::vector<wire::UniqueFd>& fds) {
        try {
            return std::visit([&](const auto& body) { return reply_to(body, fds); }, request);
        } catch (const cl::Error& error) {
            return wire::Refusal{std::string(error.what()) + " returned error " +
                                 std::to_string(error.err())};
        } catch (const std::exception& error) {
            return wire::Refusal{error.what()};
        }
    }

  private:
    using Fds = std::vector<wire::UniqueFd>;

    static wire::Reply reply_to(const wire::ListDevices& /*request*/, const Fds& /*fds*/) {
        wire::DeviceList list;
        for (const cl::Device& device : find_devices())
            list.devices.push_back(describe(device));
        return list;
    }

    wire::Reply reply_to(const wire::OpenDevice& request, const Fds& /*fds*/) {
        const std::vector<cl::Device> devices = find_devices();
        std::vector<wire::DeviceInfo> infos;
        std::ranges::transform(devices, std::back_inserter(infos), describe);
        const int index = request.index < 0 ? best_device(infos) : request.index;
        if (static_cast<std::size_t>(index) >= devices.size())
            throw std::runtime_error("there is no device " + std::to_string(index) +
                                     "; see ./harness --list-devices");
        workplace_.emplace(devices[static_cast<std::size_t>(index)]);
        return wire::OpenedDevice{index, infos[static_cast<std::size_t>(index)]};
    }

    static wire::Reply reply_to(const wire::Interpret& /*request*/, const Fds& /*fds*/) {
        return wire::Refusal{"a runner does not interpret kernels"};
    }

    static wire::Reply reply_to(const wire::LaunchDone& /*request*/, const Fds& /*fds*/) {
        return wire::Refusal{"no launch is under way"};
    }

    wire::Reply reply_to(const wire::CarryOut& request, const Fds& fds) {
        if (fds.size() != 1)
            throw std::runtime_error("a launch needs one memory file");
        const BuiltProgram& built = workplace().build(request.program);
        if (!built.built)
            return build_failure(built);
        const Mapping memory(fds[0], request.launch.memory_size, Mapping::Access::read_write);
        record_crashes(journal_); // compiling may have installed other handlers
        wire::CallReply reply;
        guarded(reply, [&] {
            carry_out(request, workplace(), built.program, memory.bytes(), journal_, reply);
        });
        return reply;
    }

    wire::Reply reply_to(const wire::InspectProgram& request, const Fds& /*fds*/) {
        return workplace().inspect(request.program);
    }

    wire::Reply reply_to(const wire::CallFunction& request, const Fds& fds) {
        const auto function = functions_.find(request.function);
        if (function == functions_.end())
            throw std::runtime_error("this lab has no function " + request.function);
        if (fds.size() != 2)
            throw std::runtime_error("a call needs two memory files");
        const BuiltProgram& built = workplace().build(request.program);
        if (!built.built)
            return build_failure(built);

        std::size_t arguments_size = 0;
        for (const wire::ByteRange& range : request.arguments)
            arguments_size = std::max(arguments_size, range.offset + range.size);
        const Mapping memory(fds[0], arguments_size, Mapping::Access::read);
        const Mapping result(fds[1], request.result_capacity, Mapping::Access::read_write);
        std::vector<Bytes> arguments;
        for (const wire::ByteRange& range : request.arguments)
            arguments.emplace_back(memory.bytes().data() + range.offset, range.size);

        const Setup setup = workplace().setup(built.program);
        record_crashes(journal_); // compiling may have installed other handlers
        return request.rounds == 0 ? call(request, function->second, setup, arguments, result)
                                   : time(request, function->second, setup, arguments);
    }

    static wire::CallReply build_failure(const BuiltProgram& built) {
        wire::CallReply reply;
        reply.outcome = wire::Outcome::build_failed;
        reply.build_log = built.build_log;
        return reply;
    }

    /// Runs the function once and stores its result.
    wire::CallReply call(const wire::CallFunction& request, const Function& function,
                         const Setup& setup, const std::vector<Bytes>& arguments,
                         const Mapping& result) {
        wire::CallReply reply;
        const auto start = std::chrono::steady_clock::now();
        guarded(reply, [&] {
            RemoteLauncher elsewhere;
            if (request.interpreted)
                elsewhere = [this](const auto& launch, const auto& memory) {
                    return run_errand(launch, memory);
                };
            KnownWords known_words;
            heap_byte() = request.guard == wire::poison ? wire::heap_byte : wire::other_heap_byte;
            recorder().begin(journal_, {request.limits, request.checked, request.guard,
                                        request.withhold_kernels, setup.program(), setup.queue(),
                                        elsewhere, [this](auto bytes) { ask_for(bytes); },
                                        request.visible_bytes, request.blocking,
                                        request.counts_host_words ? &known_words : nullptr});
            const Returned returned = function(setup, arguments);
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            static_cast<wire::Evidence&>(reply) = recorder().end();
            reply.seconds = seconds.count();
            reply.changed_input = returned.changed_input;
            if (request.counts_host_words)
                reply.host_words = known_words.count_others(returned.result, arguments);
            reply.result_size = returned.result.size();
            std::copy_n(returned.result.begin(),
                        std::min(returned.result.size(), result.bytes().size()),
                        result.bytes().begin());
        });
        return reply;
    }

    /// Asks the grader for the data behind the placeholders in `bytes`, and replaces them. The
    /// memory for it is kept, because there can be as many reads as groups.
    void ask_for(std::span<std::byte> bytes) {
        if (bytes.size() > read_memory_.bytes().size()) {
            const std::size_t size = std::max(bytes.size(), least_read_memory);
            read_file_ = wire::create_shared_memory("read", size);
            read_memory_ = Mapping(read_file_, size, Mapping::Access::read_write);
        }
        const std::span<std::byte> shared = read_memory_.bytes().subspan(0, bytes.size());
        std::ranges::copy(bytes, shared.begin());
        run_errand(wire::Reveal{bytes.size()}, read_file_);
        std::ranges::copy(shared, bytes.begin());
    }

    /// Asks the grader to do something with `memory`, and waits until it is done.
    wire::LaunchDone run_errand(const wire::Reply& errand, const wire::UniqueFd& memory) {
        channel_.send(wire::encode(errand), {&memory});
        const wire::Packet packet = channel_.receive();
        const wire::Request answer = wire::decode_request(packet.text);
        const auto* done = std::get_if<wire::LaunchDone>(&answer);
        if (done == nullptr)
            throw std::runtime_error("the grader did not say whether it was done");
        return *done;
    }

    /// Times the launches of the function beside a baseline. Calls the function twice, however many
    /// rounds there are.
    wire::CallReply time(const wire::CallFunction& request, const Function& function,
                         const Setup& setup, const std::vector<Bytes>& arguments) {
        wire::CallReply reply;
        guarded(reply, [&] {
            CallSettings settings{request.limits};
            recorder().begin(journal_, settings);
            const auto start = std::chrono::steady_clock::now();
            function(setup, arguments); // does the one-time work
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            reply.seconds = seconds.count();
            reply.launches = recorder().end().launches;

            Stopwatch stopwatch(workplace(), request.baseline, request.rounds, request.seconds,
                                reply);
            settings.queue = setup.queue();
            settings.timer = [&](const Relaunch& launch) { stopwatch.time(launch); };
            recorder().begin(journal_, settings);
            function(setup, arguments);
            recorder().end();
        });
        return reply;
    }

    /// Runs `call` and stores in `reply` how it ended.
    template <class Call> static void guarded(wire::CallReply& reply, const Call& call) {
        forget_throw();
        try {
            call();
            reply.outcome = wire::Outcome::returned;
            return;
        } catch (const NotImplemented& missing) {
            reply.outcome = wire::Outcome::not_implemented;
            reply.message = missing.what();
            reply.file = missing.file;
            reply.line = missing.line;
        } catch (const cl::Error& error) {
            reply.outcome = wire::Outcome::opencl_error;
            reply.call = error.what() == nullptr ? "" : error.what();
            reply.error_code = error.err();
        } catch (const std::exception& error) {
            reply.outcome = wire::Outcome::exception;
            reply.message = error.what();
        } catch (...) {
            reply.outcome = wire::Outcome::unknown_exception;
        }
        // An exception's text can be any length.
        constexpr std::size_t longest = std::size_t{64} << 10;
        reply.message.resize(std::min(reply.message.size(), longest));
        reply.frames = thrown_frames();
        wire::Evidence evidence = recorder().abandon();
        reply.unordered = std::move(evidence.unordered);
        reply.unwaited_read = evidence.unwaited_read;
        reply.transfers = std::move(evidence.transfers);
        if (wire::is_exception(reply.outcome))
            reply.launches = std::move(evidence.launches);
        if (reply.call == "clGetEventProfileInfo") // as CLHPP calls it
            reply.call = "clGetEventProfilingInfo";
        if (recorder().failed_launch() && reply.call == "clEnqueueNDRangeKernel") {
            reply.attempted = std::move(evidence.launches);
            reply.attempted.push_back(*recorder().failed_launch());
        }
    }

    Workplace& workplace() {
        if (!workplace_)
            throw std::runtime_error("no device is open yet");
        return *workplace_;
    }

    const Functions& functions_;
    wire::Journal& journal_;
    wire::Channel& channel_;
    std::optional<Workplace> workplace_;
    wire::UniqueFd read_file_; ///< for reads
    Mapping read_memory_;
};

} // namespace

std::shared_ptr<const cl::Kernel> make_kernel(const Setup& setup, const std::string& name) {
    return std::make_shared<const cl::Kernel>(setup.program, name.c_str());
}

void note_input(Bytes bytes) { recorder().on_input(bytes); }

int serve(const Functions& functions) {
    // Output of student code must not be lost in a buffer if it crashes.
    static_cast<void>(std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ));
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    const wire::UniqueFd journal_file(wire::runner_journal_fd);
    const Mapping journal_memory(journal_file, sizeof(wire::Journal), Mapping::Access::read_write);
    auto& journal = *static_cast<wire::Journal*>(journal_memory.data());
    record_crashes(journal);
    start_answering_inquiries();

    Service service(functions, journal, channel);
    for (;;) {
        std::optional<wire::Packet> packet;
        try {
            packet = channel.receive();
        } catch (const std::exception&) {
            return 0; // the grader is done, or has died
        }
        const wire::Reply reply = service.answer(wire::decode_request(packet->text), packet->fds);
        static_cast<void>(std::fflush(nullptr));
        channel.send(wire::encode(reply));
    }
}

} // namespace runner
