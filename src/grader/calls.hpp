#pragma once

#include "grader/explain.hpp"
#include "grader/failure.hpp"
#include "wire/messages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace wire {
class UniqueFd;
}

namespace grader {

class Session;

/// A kernel file and the options it is built with.
struct Program {
    std::string file; ///< within kernels/
    std::string options;
};

/// What is wrong with a host whose results are right only with data that kernels alone get in grading.
inline constexpr const char* computes_with_data =
    "it computes with its input, or returns an element of it; in grading, it gets placeholders "
    "instead, and only kernels get the data";

/// A call of a lab's function that returned, with what was observed.
class Run {
  public:
    Run() = default;
    Run(wire::CallReply reply, std::vector<std::byte> result)
        : seen(std::move(reply)), result_(std::move(result)) {}

    wire::CallReply seen;

    /// The bytes of the result: seen.result_size of them, or as many as there was room for.
    const void* result() const { return result_.data(); }

    /// The result of a function that returns a vector.
    template <class T> std::span<const T> array() const {
        const std::size_t stored = std::min(seen.result_size, result_.size());
        return {static_cast<const T*>(result()), stored / sizeof(T)};
    }

    /// The result of a function that returns a plain value. Throws std::logic_error if the size
    /// differs.
    template <class T> T value() const {
        if (seen.result_size != sizeof(T))
            throw std::logic_error("the function returns " + std::to_string(seen.result_size) +
                                   " bytes, the case expects " + std::to_string(sizeof(T)));
        T value{};
        std::memcpy(&value, result_.data(), sizeof value);
        return value;
    }

  private:
    std::vector<std::byte> result_; ///< a copy: the runner can write to the original at any time
};

/// The bytes of an argument; those of a vector are data, which host code does not need to know.
struct Argument {
    std::span<const std::byte> bytes;
    bool is_data = false;
};
using Arguments = std::vector<Argument>;

/// What executes the launches. `sealed`: labgrind, and the host gets placeholders instead of data.
enum class Mode { device, interpreter, sealed };

/// Calls the functions of a lab, trial by trial, for one case.
class Calls {
  public:
    using HostCheck = std::function<std::optional<KnownMistake>(const wire::CallReply&)>;

    Calls(Session& session, report::Case& record) : session_(session), record_(record) {}

    wire::CallFunction request(const Program& program, const char* function) const;

    /// Makes a call. Throws CaseOutcome unless the function returns or throws an exception.
    Run send(const Program& program, wire::CallFunction request, const Arguments& arguments);

    /// Runs `body` with its launches executed by `mode`. Returns how it ended, or nothing if it
    /// passed.
    std::optional<CaseOutcome> attempt_in(Mode mode, const std::function<void()>& body);
    /// Whether it is running a body.
    bool is_attempting() const { return is_attempting_; }

    /// Runs `body`, calls that examine a failure: afterwards, everything about that failure is as it
    /// was.
    void without_trace(const std::function<void()>& body);

    /// "reads back 12 bytes, more than this lab allows", of the host in the last call; "" if it does not.
    std::string excess_read() const;
    /// The same if that was hidden from it, as in a sealed session.
    std::string unseen() const;
    /// Whether the host gets placeholders instead of data.
    bool hides_data() const;
    /// How the trial that runs is known to need that data: "it reads back 12 bytes, ..."; "": it is not.
    std::string use_of_data;
    /// What the host read last in the last call, if that was short and came after a launch.
    const std::vector<float>& last_read() const { return last_read_; }

    /// For the next call: what it does wrong on the host, and whether that also explains exceptions.
    void explain_by(HostCheck check, bool explains_exceptions) {
        host_check_ = std::move(check);
        explains_exceptions_ = explains_exceptions;
    }

    /// For later calls.
    struct Settings {
        wire::Limits limits;
        std::size_t visible_words = 0; ///< that the host may see, in a sealed session
        Mode mode = Mode::device;
        wire::Blocking blocking = wire::Blocking::as_written;
        int turn = 0; ///< selects the guard value, and grows with each call
    };
    Settings next;

    /// The trials of the case.
    struct Trials {
        std::string current; ///< "n = 257, work-group size 64"; "" for none
        std::string last_passed;
        int passed = 0;

        void begin(const std::string& parameters);
    };
    Trials trials;

    /// What the calls of a trial have in common.
    struct Seen {
        std::size_t largest_call = 0;  ///< in bytes of arguments
        bool any_order = false;        ///< a call left the order of its commands to OpenCL
        bool order_is_unknown = false; ///< commands may conflict
        bool starts_reads = false;     ///< a read did not wait until it had ended
        bool died = false;             ///< the runner crashed, hung or exited
        bool crashed = false;          ///< it did not hang or exit
        bool host_crashed = false;     ///< in a process without a device
    };
    Seen seen;

    std::optional<KnownMistake> host_mistake;       ///< in the last call
    std::optional<KnownMistake> first_host_mistake; ///< since SmallTrialRun cleared it
    std::string last_file;                          ///< kernel file of the last call

  private:
    wire::UniqueFd write_arguments(wire::CallFunction& request, const Arguments& arguments);
    wire::CallReply reply_to(const Program& program, const wire::CallFunction& request,
                             const std::vector<const wire::UniqueFd*>& memory, std::size_t size);
    void note(const Program& program, wire::CallReply& reply);
    void drop_harmless(std::vector<wire::UnorderedUses>& unordered) const;
    void judge_host(const wire::CallReply& reply);
    void note_host_mistake(std::optional<KnownMistake> mistake);
    [[noreturn]] void end_by(const Program& program, const RunnerEnd& runner_end);

    Session& session_;
    report::Case& record_;
    std::vector<float> last_read_;
    std::size_t bytes_read_ = 0; ///< by the host in the last call, as the runner reports
    HostCheck host_check_;       ///< of the next call
    bool explains_exceptions_ = false;
    bool is_attempting_ = false;
    bool returned_placeholder_ = false; ///< for an element of an argument, in the last call
};

/// Ends the case if it must make no more calls.
void require_time(const Session& session);

/// Ends the case for a kernel file that does not compile. Only the first such case fails.
[[noreturn]] void end_unbuilt(Session& session, report::Case& record, const Program& program,
                              const std::string& log);

/// A line of the student's host code, for a message.
struct HostPlace {
    SourceLine place;
    std::string text; ///< the place, which function called it, and the line itself
};

/// The innermost line of the student's host code among these return addresses, if there is one.
/// `lead`: the words before it, "at ".
std::optional<HostPlace> host_place(const std::string& lead,
                                    const std::vector<std::uint64_t>& frames, Session& session);

/// What a call did wrong although its result may be right, or the exception that it threw.
std::optional<Failure> mistake_in(const wire::CallReply& reply, const Program& program,
                                  Session& session);

/// The kernel launches as one line: "reduction_vector 4096/64, ...".
std::string show_launches(const std::vector<wire::Launch>& launches);

} // namespace grader
