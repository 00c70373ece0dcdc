/// The picture of one of a lab's examples.

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"
#include "report/picture.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace grader {
namespace {

/// The buffers of a launch's arrays, by their numbers in the trace.
std::vector<std::uint64_t> buffers_of(const TracedLaunch& launch) {
    std::vector<std::uint64_t> buffers;
    for (const wire::TracedArray& array : launch.trace.arrays) {
        const auto argument = static_cast<std::size_t>(array.argument);
        const bool is_buffer = !array.local && argument < launch.arguments.size();
        buffers.push_back(is_buffer ? launch.arguments[argument].buffer : 0);
    }
    return buffers;
}

bool has_race(const report::Picture& picture) {
    return std::any_of(picture.launches.begin(), picture.launches.end(), [](const auto& launch) {
        return std::any_of(launch.trace.accesses.begin(), launch.trace.accesses.end(),
                           [](const auto& access) { return access.race >= 0; });
    });
}

} // namespace

void Case::show_result(const std::vector<double>& expected, const std::vector<double>& got) {
    if (!session_.interpreter().conditions.traced)
        return;
    keep_launches(); // calls that explain a failure come later
    picture_.result.clear();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool missing = i >= got.size();
        const double value = missing ? 0 : got[i];
        picture_.result.push_back({expected[i], value, missing || value != expected[i]});
    }
}

/// Runs an example with its launches recorded, in the schedule `order`; 0: in the usual one. Returns
/// how it failed, or nothing.
std::optional<Ended> Case::record_example(const std::function<void(Case&)>& example, int order) {
    Interpreter& interpreter = session_.interpreter();
    random_ = random_for(session_.options().seed, record_.name);
    calls_.trials = {};
    picture_ = {};
    interpreter.take_traces();
    Conditions conditions = interpreter.conditions;
    conditions.traced = true;
    conditions.order = {order};
    const Temporarily traced(interpreter.conditions, conditions);
    std::optional<Ended> ended = calls_.attempt_in(Mode::interpreter, [&] { example(*this); });
    if (picture_.launches.empty())
        keep_launches();
    const Observation seen = interpreter.take_observation();
    picture_.message = ended ? text_of(*ended) : seen.failure;
    const std::string& trial = calls_.trials.current;
    picture_.title =
        session_.lab().name + ": " + session_.lab().title + (trial.empty() ? "" : ", " + trial);
    return ended;
}

/// Runs an example in the usual schedule and, if nothing is wrong there, in others. Returns whether
/// the last one shows a mistake.
bool Case::record_mistake(const std::function<void(Case&)>& example) {
    Interpreter& interpreter = session_.interpreter();
    const std::uint64_t seed = session_.options().seed + 1;
    const Temporarily seeded(interpreter.conditions.seed, seed);
    interpreter.take_other_orders();
    if (record_example(example) || report::shows_mistake(picture_))
        return true;
    const std::set<int> orders = interpreter.take_other_orders();
    return std::any_of(orders.begin(), orders.end(), [&](int order) {
        picture_.takes_turns = record_example(example, order).has_value();
        return picture_.takes_turns;
    });
}

report::Picture Case::draw_example() {
    const auto& examples = session_.lab().examples;
    const auto wrong = std::find_if(examples.begin(), examples.end(),
                                    [&](const auto& example) { return record_mistake(example); });
    if (wrong == examples.end())
        record_example(examples.front());
    else if (!picture_.takes_turns && !picture_.message.empty() && has_race(picture_))
        add_expected_values(*wrong);
    return std::move(picture_);
}

/// Adds what lock step would have stored, if the result is right there.
void Case::add_expected_values(const std::function<void(Case&)>& example) {
    report::Picture wrong = std::move(picture_);
    const Temporarily lock_step(session_.interpreter().conditions.in_lock_step, true);
    const bool is_right = !record_example(example);
    if (is_right && picture_.launches.size() == wrong.launches.size()) {
        for (std::size_t i = 0; i < wrong.launches.size(); ++i)
            wrong.launches[i].expected = std::move(picture_.launches[i].trace.accesses);
    }
    picture_ = std::move(wrong);
}

/// Puts the launches recorded so far into the picture.
void Case::keep_launches() {
    for (TracedLaunch& launch : session_.interpreter().take_traces()) {
        const KernelFile& file = session_.file_of(launch.trace.kernel);
        report::Picture::Launch drawn;
        drawn.buffers = buffers_of(launch);
        drawn.file = file.name();
        drawn.source = file.lines();
        drawn.trace = std::move(launch.trace);
        picture_.launches.push_back(std::move(drawn));
    }
}

report::Picture picture_of(Session& session, bool without_code) {
    report::Case record;
    record.name = "picture";
    report::Picture picture = Case(session, record).draw_example();
    for (report::Picture::Launch& launch : picture.launches) {
        if (without_code)
            launch.source.clear();
    }
    return picture;
}

} // namespace grader
