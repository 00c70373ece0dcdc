#pragma once

/// What a lab's cases are written with: tests/labs/labN.cpp includes this and nothing else of src/.
/// Each lab compiles it anew, so it includes little.

#include "grader/bounds.hpp"
#include "grader/inputs.hpp"
#include "grader/lab_info.hpp"
#include "grader/timing.hpp"
#include "wire/span.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace grader {

class KernelFile;
class Session;
struct Death;
struct Observation;
struct ObservedFinding;
struct SmallTrials;

/// TEST_CASE("name" * points(2) * hint("...")): what the case is worth, and help for who fails it.
struct Points {
    int value;
    void fill(doctest::detail::TestCase& test) const;
};
struct Hint {
    const char* text;
    void fill(doctest::detail::TestCase& test) const;
};
inline Points points(int value) { return {value}; }
inline Hint hint(const char* text) { return {text}; }

/// A kernel file and the options it is built with.
struct Program {
    std::string file; ///< within kernels/
    std::string options;
};

/// A call of a lab's function that came back, with what was seen of it.
class Run {
  public:
    Run(wire::CallReply reply, std::vector<std::byte> result)
        : seen(std::move(reply)), result_(std::move(result)) {}

    wire::CallReply seen;
    /// Words of the result, of 4 bytes, that no kernel has written, in a sealed session in which the
    /// host had nothing to combine.
    std::size_t of_the_host = 0;

    /// The result's bytes; there are seen.result_size of them, or as many as there was room for.
    const void* result() const { return result_.data(); }

    /// The result of a function that returns a vector.
    template <class T> wire::Span<const T> array() const {
        const std::size_t stored = std::min(seen.result_size, result_.size());
        return {static_cast<const T*>(result()), stored / sizeof(T)};
    }

    /// The result of a function that returns a plain value. Throws std::logic_error when the size
    /// is another.
    template <class T> T value() const {
        if (seen.result_size != sizeof(T))
            throw std::logic_error("the function returns " + std::to_string(seen.result_size) +
                                   " bytes, the case expects " + std::to_string(sizeof(T)));
        T value{};
        std::memcpy(&value, result_.data(), sizeof value);
        return value;
    }

  private:
    std::vector<std::byte> result_; ///< a copy: the runner can write to its own at any time
};

/// What is wrong, for a student.
struct Failure {
    std::string what;                 ///< "wrong sum"; the trial is added to it
    std::vector<std::string> details; ///< a line each
    std::string kernel;               ///< the kernel it is about; "": none
};

/// How a timing is judged.
struct SpeedLimit {
    std::string baseline_name; ///< "a copy of the same data"
    wire::Baseline baseline;
    double bound = 0; ///< largest time over baseline's time that still passes; infinity: any does
    std::size_t elements = 0;
    double bytes_per_element = 0;          ///< least traffic of the function under test
    double baseline_bytes_per_element = 0; ///< traffic of the baseline
    std::string too_slow;                  ///< what to say when it is proven slower
    /// Ends the case unless a timed call has given the right result; where that comes back, which is
    /// in a sealed session.
    std::function<void(const Run&)> check = {};
};

/// One case at work: it draws inputs, calls the lab's functions and tells what is wrong.
class Case {
  public:
    /// For the test case that runs now.
    Case();
    /// What is seen of its calls goes into `record`, and its name tells the inputs.
    Case(Session& session, report::Case& record);

    Random& random() { return random_; }
    const wire::DeviceInfo& device() const;
    /// Whether kernels can be interpreted here: otherwise nothing counts their work.
    bool can_interpret() const;

    /// The largest work-group the device allows for `kernel`, or 0 if the program does not build.
    std::size_t largest_work_group(const Program& program, const std::string& kernel);

    /// `elements`, or as many as take no time that a student minds: all of them on a GPU and in
    /// grading, fewer on a processor and where labgrind stands in for the device. That is always more
    /// than 16 bits hold.
    std::size_t affordable(std::size_t elements) const;

    /// One trial of several, and what it gives; `parameters` ("n = 257, work-group size 64") go into
    /// messages. A trial that fails is tried again by labgrind: if it is right there, and no mistake
    /// can be found, the device is wrong and the student is not. From there on labgrind stands in
    /// for the device.
    template <class Body> auto trial(const std::string& parameters, const Body& body) {
        using Result = decltype(body());
        if constexpr (std::is_void_v<Result>) {
            run_trial(parameters, body);
        } else {
            std::optional<Result> result;
            run_trial(parameters, [&] { result.emplace(body()); });
            return std::move(*result);
        }
    }

    /// Whether small trials run once more, with work-items in each other's way: large ones need not.
    bool is_contended() const;

    /// For small trials: a call on an input that is too large to be interpreted. Only the first and
    /// the last group of its launches run, and what `body` gets is no result.
    void watch_ends(const std::string& parameters, const std::function<void()>& body);

    /// The host may see so many words (of 4 bytes) that kernels have written, in each call from here
    /// on: what the lab lets it combine. It matters where host code is not to be trusted.
    void let_host_see(std::size_t words) { visible_words_ = words; }

    /// What the host has read back in the last call that it may not see, for a student; "" where there
    /// is nothing of that kind.
    std::string unseen() const;

    /// From here on the device pretends to be smaller.
    void set_limits(const wire::Limits& limits) { limits_ = limits; }

    /// Calls `function` and ends the case with a failure unless it comes back cleanly: it returned,
    /// stayed within its buffers and left its inputs alone.
    template <class... Arguments>
    Run call(const Program& program, const char* function, const Arguments&... arguments) {
        return require_clean(program, attempt(program, function, arguments...));
    }

    /// The same for a function whose work the kernels do: one that launches none fails.
    template <class... Arguments>
    Run compute(const Program& program, const char* function, const Arguments&... arguments) {
        return require_launch(program, call(program, function, arguments...));
    }

    /// The same as call(), but an OpenCL error or an exception comes back in `seen`.
    template <class... Arguments>
    Run attempt(const Program& program, const char* function, const Arguments&... arguments) {
        return send(program, request(program, function), pack(arguments...));
    }

    /// Times `function` against a kernel of the grader's own. Passes, fails when it is proven too
    /// slow, and is inconclusive otherwise.
    template <class... Arguments> void time(const Program& program, const SpeedLimit& limit,
                                            const char* function, const Arguments&... arguments) {
        time_packed(program, limit, function, pack(arguments...));
    }

    /// Ends the case with a failure if `function` gives the first `bytes` bytes of `run`'s result
    /// also when no kernel runs: then the host computes what the kernels should. In a sealed session
    /// it cannot, so nothing is tried.
    template <class... Arguments> void require_kernels(const Program& program, const Run& run,
                                                       std::size_t bytes, const char* function,
                                                       const Arguments&... arguments) {
        require_kernels_packed(program, run, bytes, function, pack(arguments...));
    }

    /// Ends the case with a failure if the kernels showed a mistake of one of `kinds` (see
    /// labgrind/findings.hpp) in the lab's small trials, or could not be watched to their end.
    void require_none(const std::vector<std::string>& kinds);

    /// What the lab's small trials show, all of their kernels interpreted.
    SmallTrials look_at_small_trials();

    /// What the launches do that `body` makes, a kernel each in the order they come; `body` is run
    /// with all of them interpreted. Nothing where that is not installed: the case is skipped then.
    std::optional<std::vector<wire::WorkCounts>> count_work(const std::function<void()>& body);

    /// The same of the first and the last group of each launch alone, see watch_ends().
    std::vector<wire::WorkCounts> count_work_at_ends(const std::string& parameters,
                                                     const std::function<void()>& body);

    /// Ends the case: it failed.
    [[noreturn]] void fail(const Program& program, const Failure& failure,
                           Ended::Cause cause = Ended::Cause::seen);

    /// Makes `calls` that look into a failure, without becoming what the failure is about.
    void without_trace(const std::function<void()>& calls);

    /// The case cannot be tried here. To be followed by a return.
    void skip(const std::string& reason);

    /// Adds a remark that is shown with a passing case.
    void remark(const std::string& text);

  private:
    /// Who carries out launches.
    enum class Mode { device, interpreter };
    /// What labgrind says of a trial.
    struct Judged;
    /// The bytes of an argument; those of a vector are data, which host code has no need to know.
    struct Argument {
        wire::Span<const std::byte> bytes;
        bool is_data = false;
    };
    using Arguments = std::vector<Argument>;

    template <class T> static Argument view(const std::vector<T>& values) {
        return {{reinterpret_cast<const std::byte*>(values.data()), // NOLINT: bytes of anything
                 values.size() * sizeof(T)},
                true};
    }
    static Argument view(const std::string& text) {
        return {{reinterpret_cast<const std::byte*>(text.data()), text.size()}}; // NOLINT: likewise
    }
    template <class T> static Argument view(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>, "pass vectors, strings and plain values");
        return {{reinterpret_cast<const std::byte*>(&value), sizeof value}}; // NOLINT: likewise
    }
    template <class... Values> static Arguments pack(const Values&... values) {
        return {view(values)...};
    }

    wire::CallFunction request(const Program& program, const char* function) const;
    void require_time();
    Run send(const Program& program, wire::CallFunction request, const Arguments& arguments);
    Run require_clean(const Program& program, Run run);
    void drop_harmless(std::vector<wire::UnorderedUses>& unordered);
    void require_order(const Program& program, const wire::CallReply& seen);
    std::optional<Ended> missing_order(const std::function<void()>& body);
    Run require_launch(const Program& program, Run run);
    void time_packed(const Program& program, const SpeedLimit& limit, const char* function,
                     const Arguments& arguments);
    void require_kernels_packed(const Program& program, const Run& run, std::size_t bytes,
                                const char* function, const Arguments& arguments);
    Speed judge_batch(const Program& program, const SpeedLimit& limit, const char* function,
                      const Arguments& arguments, report::Timing& timing);
    /// What one request has measured.
    struct Measured {
        std::vector<double> ratios; ///< time over baseline's time, one a round
        double device_seconds = 0;  ///< of all rounds together, baseline included
    };
    Measured measure(const Program& program, const SpeedLimit& limit, const char* function,
                     const Arguments& arguments, std::size_t rounds, report::Timing& timing);

    void run_trial(const std::string& parameters, const std::function<void()>& body);
    void try_other_orders(const std::function<void()>& body);
    std::optional<Ended> attempt_in(Mode mode, const std::function<void()>& body);
    Judged judge_by_labgrind(const std::function<void()>& body);
    bool is_the_devices_fault(const std::function<void()>& body, Ended& failure);
    void tell_mistake(const Observation& seen, Ended& failure) const;
    void tell_difference(const Observation& seen, Ended& failure) const;
    bool device_is_known_to_err();
    const SmallTrials& small_trials();
    std::optional<Ended> try_small_trials();
    std::optional<Ended> while_contended(const std::function<std::optional<Ended>()>& attempt);
    ObservedFinding lost_update(const Observation& seen, const Ended& ended) const;
    const KernelFile& file_of(const std::string& kernel) const;
    std::string show(const ObservedFinding& finding) const;

    [[noreturn]] void end(report::Status status, const std::string& message,
                          const std::string& file = {}, int line = 0);
    [[noreturn]] void conclude(const Ended& ended);
    [[noreturn]] void fail_dead(const Program& program, const Death& death);
    [[noreturn]] void fail_build(const Program& program, const std::string& log);

    Session& session_;
    report::Case& record_;
    Random random_;
    wire::Limits limits_;
    std::size_t visible_words_ = 0;
    std::size_t bytes_read_ = 0; ///< by the host in the last call, as the runner says
    std::string trial_;
    std::string last_passed_;
    int passed_trials_ = 0;
    Mode mode_ = Mode::device;
    std::optional<Ended>* first_failure_ = nullptr; ///< of trials that go on after one
    bool forgivable_ = false;                       ///< an end is not final yet
    int turn_ = 0;                  ///< which word stands next where nobody has written
    std::size_t largest_call_ = 0;  ///< bytes of arguments, of the calls of this trial
    bool order_is_unknown_ = false; ///< commands of this trial may get in each other's way
    bool any_order_ = false;        ///< a call of this trial left the order to OpenCL
    std::string last_file_;         ///< kernel file of the last call
};

/// What the lab's small trials show. They draw the same inputs whoever asks.
SmallTrials small_trials_of(Session& session);

/// A value that a typical mistake would have given, and the mistake.
struct Suspect {
    double value;
    std::string mistake;
};

/// The mistakes among `suspects` that would give `got`.
std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects);

/// Whether `value` is what a buffer is filled with that nobody wrote.
bool is_poison(float value);

/// The lines "expected 5, got 4: ..." for one number. `allowed` is the error bound, 0 if exact.
std::string compare_values(double expected, double got, double allowed);

/// The counts of one kernel's launches in `work` added up; of its busiest work-item the largest.
wire::WorkCounts total_work(const std::vector<wire::WorkCounts>& work, const std::string& kernel);

/// "additions 63, barriers 7, ...": what a student is told of them.
std::string show_work(const wire::WorkCounts& work);

/// The kernel launches as one line: "reduction_vector 4096/64, ...".
std::string show_launches(const std::vector<wire::Launch>& launches);

/// A plain copy of `elements` floats in groups of `work_group_size`, for timing.
wire::Baseline copy_baseline(std::size_t elements, std::size_t work_group_size);

} // namespace grader
