#pragma once

/// The interface for a lab's cases: tests/labs/labN.cpp includes this and nothing else of src/.
/// Each lab compiles it again, so it includes little.

#include "grader/bounds.hpp"
#include "grader/inputs.hpp"
#include "grader/lab_info.hpp"
#include "grader/timing.hpp"
#include "grader/work.hpp"
#include "report/picture.hpp"
#include "wire/span.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <set>
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

/// TEST_CASE("name" * points(2) * hint("...", "...")): what the case is worth, and help if it
/// fails, from a nudge to nearly the answer.
struct Points {
    int value;
    void fill(doctest::detail::TestCase& test) const;
};
struct Hint {
    Hints texts;
    void fill(doctest::detail::TestCase& test) const;
};
/// The kinds of findings that the case reports, see Case::require_none().
struct Reporting {
    const std::vector<wire::FindingKind>& kinds;
    void fill(doctest::detail::TestCase& test) const;
};
inline Points points(int value) { return {value}; }
template <class... Texts> Hint hint(const Texts&... texts) { return {{texts...}}; }
inline Reporting reports(const std::vector<wire::FindingKind>& kinds) { return {kinds}; }

/// A kernel file and the options it is built with.
struct Program {
    std::string file; ///< within kernels/
    std::string options;
};

/// A call of a lab's function that returned, with what was observed.
class Run {
  public:
    Run(wire::CallReply reply, std::vector<std::byte> result)
        : seen(std::move(reply)), result_(std::move(result)) {}

    wire::CallReply seen;
    /// Words of 4 bytes in the result that no kernel wrote; only in a sealed session in which the
    /// host had nothing to combine.
    std::size_t host_words = 0;

    /// The bytes of the result: seen.result_size of them, or as many as there was room for.
    const void* result() const { return result_.data(); }

    /// The result of a function that returns a vector.
    template <class T> wire::Span<const T> array() const {
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

/// What is wrong, for a student.
struct Failure {
    std::string what;                 ///< "wrong sum"; the trial is appended
    std::vector<std::string> details; ///< one line each
    std::string kernel = {};          ///< the kernel at fault; "" for none
    /// Hints for this mistake if those of the case do not fit; {} shows none.
    std::optional<Hints> hints = std::nullopt;
    /// The student's host code at fault; "" for none.
    std::string host_file = {};
    int host_line = 0;
    /// What explains the whole failure: cases that fail because of the same mistake follow from the
    /// first of them. "" if it is not known.
    std::string mistake = {};
    std::vector<std::string> guesses = {}; ///< known mistakes that lead to this result
    /// The kernel whose wrong indices, data races and uninitialized values follow from `mistake`,
    /// which the only guess describes; "" for none.
    std::string explained_kernel = {};
    /// If nothing explains it, later cases that report the same follow from it: "wrong result".
    /// `is_basic`: the input is so short that longer ones fail, too.
    std::string symptom = {};
    bool is_basic = false;
    /// The details say what is wrong with the launches. A known mistake of the host says the same
    /// with its reason.
    bool is_about_launches = false;
};

/// The failure of a host whose launches are wrong: `how` says what they must be.
Failure wrong_launch(const std::string& how, const std::optional<Hints>& hints = std::nullopt);

/// How a timing is judged.
struct SpeedLimit {
    std::string baseline_name; ///< "a copy of the same data"
    wire::Baseline baseline;
    double bound = 0; ///< largest ratio of times that still passes; infinity: any passes
    std::size_t elements = 0;
    double bytes_per_element = 0;          ///< least traffic of the function under test
    double baseline_bytes_per_element = 0; ///< traffic of the baseline
    std::string too_slow;                  ///< the message if it is proven slower
    /// Ends the case unless a timed call returned the right result, which only a sealed session
    /// has.
    std::function<void(const Run&)> check = {};
};

/// Ends a case. Its verdict is recorded before this is thrown.
struct Concluded {
    std::string message;
};

/// A running case: it draws inputs, calls the lab's functions and reports what is wrong.
class Case {
  public:
    /// For the current test case.
    Case();
    /// Its calls are recorded in `record`, whose name determines the inputs.
    Case(Session& session, report::Case& record);

    Random& random() { return random_; }
    const wire::DeviceInfo& device() const;
    /// Whether kernels can be interpreted here. If not, their work is not counted.
    bool can_interpret() const;

    /// The largest work-group that the device allows for `kernel`. If the kernel is interpreted, its
    /// registers set no limit: a mistake that shows in large groups is found on each device.
    std::size_t largest_work_group(const Program& program, const std::string& kernel);

    /// `elements`, or fewer where so many would take too long for a student: all of them on a GPU
    /// and in grading, fewer on a processor or if labgrind stands in for the device. Always more
    /// than 16 bits can hold.
    std::size_t affordable(std::size_t elements) const;

    /// Runs one trial of several and returns its result; `parameters` ("n = 257, work-group size
    /// 64") go into messages. labgrind reruns a trial that fails: if the result is right there and
    /// labgrind finds no mistake, the device is wrong, not the student. From then on, labgrind
    /// stands in for the device.
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

    /// Whether small trials run once more, with work-items that contend: large ones can be left
    /// out.
    bool is_contended() const;

    /// For small trials: a call on an input that is too large to be interpreted. Only the first and
    /// the last group of its launches run, so the result that `body` gets is not valid.
    void watch_ends(const std::string& parameters, const std::function<void()>& body);

    /// In each later call, the host may see this many words (of 4 bytes) that kernels wrote,
    /// because the lab lets it combine them. It matters only in sealed sessions.
    void let_host_see(std::size_t words) { visible_words_ = words; }

    /// Whether explain_host_by() also explains calls that end with an exception. Then the host has
    /// not done all that it must do.
    enum class Exceptions { ignored, explained };

    /// If the next call fails, `check` says what the host did wrong in it. It never makes a call
    /// fail: a host can be right in unusual ways.
    void explain_host_by(std::function<HostMistake(const wire::CallReply&)> check,
                         Exceptions exceptions = Exceptions::ignored) {
        host_check_ = std::move(check);
        explains_exceptions_ = exceptions == Exceptions::explained;
    }

    /// Explains to the student what the host read back in the last call although it may not see it;
    /// "" if it did not.
    std::string unseen() const;

    /// In the lab's example: the result to be shown in the picture. No effect elsewhere.
    void show_result(const std::vector<double>& expected, const std::vector<double>& got);

    /// Draws the lab's example: what the kernels do in it, in a schedule with a wrong result if
    /// there is one.
    report::Picture draw_example();

    /// Makes the device pretend to be smaller in later calls.
    void set_limits(const wire::Limits& limits) { limits_ = limits; }

    /// Calls `function` and ends the case with a failure unless it returns, stays within its
    /// buffers and leaves its inputs unchanged.
    template <class... Arguments>
    Run call(const Program& program, const char* function, const Arguments&... arguments) {
        return require_clean(program, attempt(program, function, arguments...));
    }

    /// The same for a function whose work the kernels do: one that launches none fails.
    template <class... Arguments>
    Run compute(const Program& program, const char* function, const Arguments&... arguments) {
        return require_launch(program, call(program, function, arguments...));
    }

    /// The same as call(), but `seen` reports an OpenCL error or an exception.
    template <class... Arguments>
    Run attempt(const Program& program, const char* function, const Arguments&... arguments) {
        return send(program, request(program, function), pack(arguments...));
    }

    /// Times `function` against a kernel of the grader. The case passes, fails if `function` is
    /// proven too slow, or is inconclusive.
    template <class... Arguments> void time(const Program& program, const SpeedLimit& limit,
                                            const char* function, const Arguments&... arguments) {
        time_packed(program, limit, function, pack(arguments...));
    }

    /// Ends the case with a failure if `function` returns the first `bytes` bytes of `run`'s result
    /// even when no kernel runs: then the host computes what the kernels should. `bytes` = 0: the
    /// length of the result must depend on the kernels. In a sealed session the host cannot compute
    /// anything, so nothing is tried.
    template <class... Arguments> void require_kernels(const Program& program, const Run& run,
                                                       std::size_t bytes, const char* function,
                                                       const Arguments&... arguments) {
        require_kernels_packed(program, run, bytes, function, pack(arguments...));
    }

    /// Ends the case with a failure if the kernels showed a mistake that this case reports() in the
    /// lab's small trials, or if labgrind could not watch them to their end. The hints of the case are
    /// for the first of the kinds that it reports; the others have their own.
    void require_none();

    /// Runs the lab's small trials with all kernels interpreted, and returns what they show.
    SmallTrials look_at_small_trials();

    /// Runs `body` with all of its launches interpreted and returns their work, one entry per
    /// launch, in order. If the interpreter is not installed, skips the case and returns nothing.
    /// `needs`: what the algorithm takes for these launches, for the report; without a kernel's name
    /// they are about the first one.
    std::optional<std::vector<wire::WorkCounts>>
    count_work(const std::function<void()>& body, const std::vector<report::Need>& needs = {});

    /// The same for only the first and the last group of each launch, see watch_ends().
    std::vector<wire::WorkCounts> count_work_at_ends(const std::string& parameters,
                                                     const std::function<void()>& body);

    /// Ends the case with a failure.
    [[noreturn]] void fail(const Program& program, const Failure& failure,
                           Ended::Cause cause = Ended::Cause::seen);

    /// Makes `calls` that examine a failure without replacing its launches in the record.
    void without_trace(const std::function<void()>& calls);

    /// The same for `calls` on other inputs, which may fail by another mistake; in the usual
    /// schedule. Returns whether none of them did.
    bool examine(const std::function<void()>& calls);

    /// Whether the launches run in a schedule other than the usual one, which may be why they fail.
    bool is_in_other_schedule() const;

    /// Marks the case as skipped because it cannot run here. Return afterwards.
    void skip(const std::string& reason);

    /// Adds a remark, which is also shown if the case passes.
    void remark(const std::string& text);

  private:
    /// What executes the launches.
    enum class Mode { device, interpreter };
    /// What labgrind reports about a trial.
    struct Judged;
    /// The bytes of an argument; those of a vector are data, which host code does not need to know.
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
    void judge_host(const wire::CallReply& seen);
    void note_host_mistake();
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
        std::vector<double> ratios; ///< time over baseline's time, one per round
        double device_seconds = 0;  ///< of all rounds together, baseline included
    };
    Measured measure(const Program& program, const SpeedLimit& limit, const char* function,
                     const Arguments& arguments, std::size_t rounds, report::Timing& timing);

    void run_trial(const std::string& parameters, const std::function<void()>& body);
    void run_small_trial(const std::function<void()>& body);
    /// What the calls of a trial depend on: a trial that begins the same way runs the same way.
    struct Start {
        Random random;
        int turn = 0;
    };
    std::optional<wire::Finding> unwritten_element(const Observation& seen) const;
    void blame_unwritten(const std::function<void()>& body, const Start& start,
                         const Ended& failure);
    void try_other_orders(const std::function<void()>& body);
    std::optional<Ended> interpret(const std::function<void()>& body);
    std::optional<Ended> attempt_in(Mode mode, const std::function<void()>& body);
    std::optional<Ended> attempt_in_lock_step(const std::function<void()>& body);
    std::optional<Ended> early_write(const std::function<void()>& body, int first_turn,
                                     const Ended& failure);
    bool is_right_with_blocking_writes(const std::function<void()>& body);
    void tell_slowness(Ended& failure) const;
    Judged judge_by_labgrind(const std::function<void()>& body, StandIn reason);
    std::optional<Ended> run_by_labgrind(const std::function<void()>& body);
    StandIn second_opinion(const std::function<void()>& body, Ended& failure);
    std::string explain(StandIn reason) const;
    void tell_mistake(const Observation& seen, Ended& failure);
    void tell_difference(const Observation& seen, Ended& failure) const;
    std::string cause_of(const Observation& seen) const;
    void fail_for_findings(const SmallTrials& small);
    bool fails_with_small_trials_on_device();
    bool device_is_known_to_err();
    const SmallTrials& small_trials();
    std::optional<Ended> try_small_trials();
    std::optional<Ended> while_contended(const std::function<std::optional<Ended>()>& attempt);
    ObservedFinding lost_update(const Observation& seen, const Ended& ended) const;
    const KernelFile& file_of(const std::string& kernel) const;
    std::string show(const ObservedFinding& finding) const;
    std::optional<Ended> record_example(int order);
    void add_expected_values();
    void keep_launches();

    [[noreturn]] void end(report::Status status, const std::string& message,
                          const std::string& file = {}, int line = 0);
    [[noreturn]] void conclude(const Ended& ended);
    void add_host_line(Failure& failure, const std::vector<std::uint64_t>& frames);
    std::string context_of(const std::string& kernel, const KernelFile& file) const;
    [[noreturn]] void fail_dead(const Program& program, const Death& death);
    [[noreturn]] void fail_build(const Program& program, const std::string& log);

    Session& session_;
    report::Case& record_;
    Random random_;
    wire::Limits limits_;
    std::size_t visible_words_ = 0;
    std::size_t bytes_read_ = 0; ///< by the host in the last call, as the runner reports
    std::function<HostMistake(const wire::CallReply&)> host_check_; ///< of the next call
    bool explains_exceptions_ = false;
    HostMistake host_mistake_; ///< in the last call
    /// The first one in the small trials, and all of those with one.
    HostMistake small_host_mistake_;
    std::set<std::string> trials_with_host_mistakes_;
    KernelMistake small_kernel_mistake_; ///< likewise
    std::string trial_;
    std::string last_passed_;
    int passed_trials_ = 0;
    Mode mode_ = Mode::device;
    std::optional<Ended>* first_failure_ = nullptr; ///< of trials that continue after a failure
    std::size_t small_passed_ = 0;                  ///< such trials
    std::size_t small_failed_ = 0;
    bool forgivable_ = false;       ///< the end of the case is not final yet
    int turn_ = 0;                  ///< selects the guard value of the next call
    std::size_t largest_call_ = 0;  ///< in bytes of arguments, of this trial
    bool order_is_unknown_ = false; ///< commands of this trial may conflict
    bool any_order_ = false;        ///< a call of this trial left the order to OpenCL
    std::string last_file_;         ///< kernel file of the last call
    bool blocking_writes_ = false;  ///< of the next call
    bool died_ = false;             ///< in this trial the runner crashed, hung or exited
    report::Picture picture_;       ///< of the lab's example
};

/// Returns a picture of the lab's example, drawn from `session`'s seed; `without_code`: without the
/// lines of the kernel.
report::Picture picture_of(Session& session, bool without_code);

/// What the lab's small trials show. They draw the same inputs for every session.
SmallTrials small_trials_of(Session& session);

/// A typical mistake and the value that it leads to.
struct Suspect {
    double value;
    std::string mistake;
    Hints hints = {}; ///< for this mistake, if the case's do not fit
};

/// The mistakes among `suspects` that lead to `got`.
std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects);

/// The hints for the mistake that leads to `got`, if exactly one does and has its own.
std::optional<Hints> hints_for_mistake(double got, const std::vector<Suspect>& suspects);

/// Whether `value` is one with which uninitialized buffers are filled.
bool is_poison(float value);

/// The lines "expected 5, got 4: ..." for one number. `allowed` is the error bound, 0 if exact.
std::string compare_values(double expected, double got, double allowed);

/// The hints for a wrong number that was computed from uninitialized memory or from outside a
/// buffer. For any other number none are given, so those of the case apply.
std::optional<Hints> hints_for_value(double expected, double got);

/// The kernel launches as one line: "reduction_vector 4096/64, ...".
std::string show_launches(const std::vector<wire::Launch>& launches);

/// A plain copy of `elements` floats in groups of `work_group_size`, for timing.
wire::Baseline copy_baseline(std::size_t elements, std::size_t work_group_size);

} // namespace grader
