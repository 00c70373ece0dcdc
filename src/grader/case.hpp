#pragma once

/// The interface for a lab's cases, in tests/labs. Each lab compiles it again, so it includes little.

#include "grader/bounds.hpp"
#include "grader/calls.hpp"
#include "grader/inputs.hpp"
#include "grader/lab_info.hpp"
#include "grader/values.hpp"
#include "grader/work.hpp"
#include "grader/wrong_launch.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace report {
struct Picture;
}

namespace grader {

class ExamplePicture;
class KernelFile;
class SecondOpinion;
class SmallTrialReview;
class SmallTrialRun;
struct Observation;
struct SmallTrials;
struct TrialShare;

/// TEST_CASE("name" * points(2) * hint("...", "...")): what the case is worth, and help if it
/// fails, from a nudge to nearly the answer. A decorator of doctest has to take this type of its detail
/// namespace, which nothing else here uses.
struct Points {
    int value;
    void fill(doctest::detail::TestCase& test) const;
};
struct Hint {
    Hints texts;
    void fill(doctest::detail::TestCase& test) const;
};
/// The kinds of findings that the case reports, see Case::require_no_findings().
struct Reporting {
    const std::vector<wire::FindingKind>& kinds;
    void fill(doctest::detail::TestCase& test) const;
};
inline Points points(int value) { return {value}; }
template <class... Texts> Hint hint(const Texts&... texts) { return {{texts...}}; }
inline Reporting reports(const std::vector<wire::FindingKind>& kinds) { return {kinds}; }

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

struct TracedLaunch;

/// A running case: it draws inputs, calls the lab's functions and reports what is wrong.
class Case {
  public:
    /// For the current test case.
    Case();
    /// Its calls are recorded in `record`, whose name determines the inputs.
    Case(Session& session, report::Case& record);
    Case(const Case&) = delete;
    Case& operator=(const Case&) = delete;
    ~Case();

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
            Result result{}; // a small trial that fails has none
            run_trial(parameters, [&] { result = body(); });
            return result;
        }
    }

    /// For small trials: a call on an input that is too large to be interpreted. Only the first and
    /// the last group of its launches run, so the result that `body` gets is not valid.
    void watch_ends(const std::string& parameters, const std::function<void()>& body);

    /// In each later call, the host may see this many words (of 4 bytes) that kernels wrote,
    /// because the lab lets it combine them. It matters only if data is hidden from the host.
    void let_host_see(std::size_t words) { calls_.next.visible_words = words; }

    /// Whether explain_host_by() also explains calls that end with an exception. Then the host has
    /// not done all that it must do.
    enum class Exceptions { ignored, explained };

    /// If the next call fails, `check` says what the host did wrong in it. It never makes a call
    /// fail: a host can be right in unusual ways.
    void explain_host_by(Calls::HostCheck check, Exceptions exceptions = Exceptions::ignored) {
        calls_.explain_by(std::move(check), exceptions == Exceptions::explained);
    }

    /// If a kernel writes outside its buffers in the next call, `explain` adds its guesses to that
    /// failure.
    void explain_stray_writes_by(std::function<void(Failure&)> explain) {
        explain_stray_writes_ = std::move(explain);
    }

    /// Explains to the student what the host read back in the last call although it may not see it;
    /// "" if it did not.
    std::string unseen() const { return calls_.unseen(); }
    /// What the host read last in the last call, if that was short and came after a launch.
    const std::vector<float>& last_read() const { return calls_.last_read(); }

    /// Ends the case with a failure if the host read back more in the last call than it may see. In a
    /// sealed session, what it read was hidden, so its result is wrong if it has used it.
    void require_few_reads(const Program& program);

    /// In a lab's example: the result to be shown in the picture. No effect elsewhere.
    void show_result(const std::vector<double>& expected, const std::vector<double>& got);

    /// Draws one of the lab's examples.
    report::Picture draw_example();

    /// Makes the device pretend to be smaller, or of another type, in later calls. Returns what it
    /// has pretended so far.
    wire::Limits set_limits(const wire::Limits& limits) {
        return std::exchange(calls_.next.limits, limits);
    }

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
        return calls_.send(program, calls_.request(program, function), pack(arguments...));
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
    void require_no_findings();

    /// Runs the lab's small trials with all kernels interpreted, and returns what they show.
    SmallTrials run_small_trials(const TrialShare& share);
    std::size_t count_small_trials();

    /// Runs `body` with all of its launches interpreted and returns their work, one entry per
    /// launch, in order. If the interpreter is not installed, skips the case.
    /// `needs`: what the algorithm takes for these launches, for the report; without a kernel's name
    /// they are about the first one.
    std::vector<wire::WorkCounts> count_work(const std::function<void()>& body,
                                             const std::vector<report::Need>& needs = {});

    /// The same for only the first and the last group of each launch, see watch_ends().
    std::vector<wire::WorkCounts> count_work_at_ends(const std::string& parameters,
                                                     const std::function<void()>& body);

    /// Ends the case with a failure.
    [[noreturn]] void fail(const Program& program, const Failure& failure);

    /// Makes `calls` that examine a failure, in the usual schedule: on other inputs, which may fail
    /// by another mistake. Returns whether none of them did. The failure stays as it was.
    bool examine(const std::function<void()>& calls);
    /// The same with labgrind instead of the device.
    bool examine_interpreted(const std::function<void()>& calls);

    /// Whether the launches and transfers of the last call show a mistake of the host.
    bool has_host_mistake() const;

    /// The bytes that the first launch of `calls` reads of its first argument, as labgrind sees it;
    /// nothing if that is not known.
    std::optional<std::vector<wire::ByteRange>> bytes_read(const std::function<void()>& calls);

    /// Where an element of the first launch's first buffer is lost in the launches of `call`, or counts
    /// more than once; nothing if that is not known, as in launches that are too long to be followed.
    std::optional<WrongStep> find_loss(const std::function<void()>& call,
                                       const FollowedElement& element);
    std::optional<WrongStep> find_doubling(const std::function<void()>& call, std::size_t element,
                                           std::optional<std::size_t> result = std::nullopt);
    /// Where the kernels of `call` overwrite what would bring an element to the result with index `result`.
    std::optional<WrongStep> find_overwriting(const std::function<void()>& call,
                                              const FollowedElement& element, std::size_t result);
    /// Where the kernels of `call` first store a value that is no element.
    std::optional<WrongStep> find_origin(const std::function<void()>& call, float value);

    /// Which launch of a call is to blame for its wrong result, as far as `right` says what each must leave:
    /// the one with the check's first wrong word, or none, so the host is. `call` returns whether the result
    /// is right, which it becomes if only that kernel is wrong. Nothing if that is not known.
    std::optional<LaunchCheck> find_wrong_launch(const std::function<bool()>& call,
                                                 const RightWords& right);

    /// What a buffer holds if labgrind has run the last call and it is short; empty otherwise: the one
    /// that is this argument of the last launch, before that launch, or of `kernel`, after its last
    /// launch.
    std::vector<std::uint32_t> words_given(std::size_t argument) const;
    std::vector<std::uint32_t> words_left(const std::string& kernel, std::size_t argument) const;
    /// What the groups of the last launch have last read from buffers with atomic operations, in a
    /// schedule other than the usual one; empty if only right or wrong matters.
    const std::vector<wire::WordRead>& last_reads() const;

    /// Ends the case with a failure without a reason if only right or wrong matters, as when changed
    /// kernels are tried.
    void end_if_only_judged() const;

    /// Whether the analysis has found such a mistake so far.
    bool has_seen(wire::FindingKind kind) const;

    /// Whether the launches run in a schedule other than the usual one, which may be why they fail.
    bool is_in_other_schedule() const;
    /// Whether that one only reverses the order in which the groups run, one after the other.
    bool is_in_opposite_order() const;

    /// Adds a remark, which is also shown if the case passes.
    void remark(const std::string& text);

  private:
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

    void run_trial(const std::string& parameters, const std::function<void()>& calls);
    bool examine_in(Mode mode, const std::function<void()>& calls,
                    std::size_t most_watched_bytes = 0);
    Run require_clean(const Program& program, Run run);
    Run require_launch(const Program& program, Run run);
    void require_own_results();
    Observation observe_work(const std::function<void()>& body);
    void require_same_without_data(const std::function<void()>& body);
    [[noreturn]] void fail_by_host(const Program& program, const std::string& what,
                                   const std::string& detail);
    void require_kernels_packed(const Program& program, const Run& run, std::size_t bytes,
                                const char* function, const Arguments& arguments);
    std::vector<TracedLaunch> trace(const std::function<void()>& call);
    void add_suspicious_lines(const Program& program, Failure& failure) const;
    void blame_host(Failure& failure);
    int line_of(const Failure& failure, const KernelFile& file) const;
    std::string show(const WrongStep& step) const;
    std::string context_of(const std::string& kernel, const KernelFile& file) const;

    void time_packed(const Program& program, const SpeedLimit& limit, const char* function,
                     const Arguments& arguments);
    Run time_rounds(const Program& program, const SpeedLimit& limit, const char* function,
                    const Arguments& arguments, std::size_t rounds);

    Session& session_;
    report::Case& record_;
    Random random_;
    Calls calls_;
    std::unique_ptr<SmallTrialReview> small_trials_;
    std::unique_ptr<SecondOpinion> second_opinion_;
    SmallTrialRun* small_trial_run_ = nullptr;           ///< null unless the lab's small trials run
    ExamplePicture* example_picture_ = nullptr;          ///< null unless an example is drawn
    std::function<void(Failure&)> explain_stray_writes_; ///< in the next call; can be empty
    /// A call in this trial whose result has this many words computed by the host.
    struct ComputedByHost {
        Program program;
        std::size_t words = 0;
    };
    std::optional<ComputedByHost> computed_by_host_;
    int repeated_ = 0;                   ///< calls that were repeated without their data
    std::size_t bytes_without_data_ = 0; ///< of the largest of them
};

/// A plain copy of `elements` floats in groups of `work_group_size`, for timing.
wire::Baseline copy_baseline(std::size_t elements, std::size_t work_group_size);

} // namespace grader
