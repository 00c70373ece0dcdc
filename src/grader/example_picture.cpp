#include "grader/example_picture.hpp"

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/temporarily.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace grader {
namespace {

double float_of(std::uint64_t bits) {
    const auto word = static_cast<std::uint32_t>(bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

std::uint64_t bits_of(double number) {
    const auto value = static_cast<float>(number);
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

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

/// Calls `visit` with each access to `array` whose value is known, and the index of its first number
/// in the `count` numbers that are known.
template <class Visit> void for_each_access(const wire::Trace& trace, std::size_t array,
                                            std::size_t count, const Visit& visit) {
    for (const wire::TracedAccess& access : trace.accesses) {
        const std::size_t lanes = access.value.size();
        if (access.element.array != array || access.outside || access.element.index < 0 ||
            lanes != trace.arrays[array].lanes)
            continue;
        const std::size_t first = static_cast<std::size_t>(access.element.index) * lanes;
        if (first + lanes <= count)
            visit(access, first);
    }
}

void copy_value(const wire::TracedAccess& access, double& first) {
    std::ranges::transform(access.value, &first, float_of);
}

/// Adds what a launch loads from `array` before it stores there.
void add_inputs(const wire::Trace& trace, std::size_t array, std::vector<double>& numbers) {
    std::set<std::size_t> stored;
    for_each_access(trace, array, numbers.size(),
                    [&](const wire::TracedAccess& access, std::size_t first) {
                        if (access.kind != wire::TracedAccess::Kind::load)
                            stored.insert(first);
                        else if (!stored.contains(first))
                            copy_value(access, numbers[first]);
                    });
}

/// Changes `numbers` as the stores of a launch do.
void add_stores(const wire::Trace& trace, std::size_t array, std::vector<double>& numbers) {
    for_each_access(trace, array, numbers.size(),
                    [&](const wire::TracedAccess& access, std::size_t first) {
                        if (access.kind != wire::TracedAccess::Kind::load)
                            copy_value(access, numbers[first]);
                    });
}

/// Notes what the elements of `array` should hold instead of what the launch stores there last. The
/// lanes of an element count together.
void note_wrong_values(report::Picture::Launch& launch, std::size_t array,
                       const std::vector<double>& numbers) {
    for_each_access(launch.trace, array, numbers.size(),
                    [&](const wire::TracedAccess& access, std::size_t first) {
                        if (access.kind == wire::TracedAccess::Kind::load)
                            return;
                        const double* const begin = &numbers[first];
                        const double* const end = begin + access.value.size();
                        const double right = std::accumulate(begin, end, 0.0);
                        const double stored = std::accumulate(
                            access.value.begin(), access.value.end(), 0.0,
                            [](double sum, std::uint64_t bits) { return sum + float_of(bits); });
                        launch.right.erase(access.element);
                        if (!std::isnan(right) && right != stored)
                            std::transform(begin, end,
                                           std::back_inserter(launch.right[access.element]),
                                           bits_of);
                    });
}

/// Whether an array is a buffer of floats that is small enough for a picture.
bool holds_few_floats(const wire::TracedArray& array) {
    constexpr std::size_t most = 4096;
    return array.elements <= most && !array.local && array.argument >= 0 && !array.is_struct &&
           array.numbers == wire::TracedArray::Numbers::floating && array.bytes == sizeof(float);
}

bool has_race(const report::Picture& picture) {
    return std::ranges::any_of(picture.launches, [](const auto& launch) {
        return std::ranges::any_of(launch.trace.accesses,
                                   [](const auto& access) { return access.race >= 0; });
    });
}

} // namespace

void ExamplePicture::show_result(const std::vector<double>& expected,
                                 const std::vector<double>& got) {
    keep_launches(); // calls that explain a failure come later
    picture_.result.clear();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool missing = i >= got.size();
        const double value = missing ? 0 : got[i];
        picture_.result.push_back({expected[i], value, missing || value != expected[i]});
    }
}

/// Runs an example with its launches recorded. Returns how it failed, or nothing.
std::optional<CaseOutcome> ExamplePicture::record_example(const std::function<void(Case&)>& example,
                                                          const wire::Schedule& schedule) {
    Interpreter& interpreter = session_.interpreter();
    test_.random() = random_for(session_.options().seed, record_.name);
    calls_.trials = {};
    picture_ = {};
    interpreter.take_traces();
    Conditions conditions = interpreter.conditions;
    conditions.how.traced = true;
    conditions.how.schedule = schedule;
    const Temporarily traced(interpreter.conditions, conditions);
    std::optional<CaseOutcome> ended =
        calls_.attempt_in(Mode::interpreter, [&] { example(test_); });
    if (picture_.launches.empty())
        keep_launches();
    const Observation seen = interpreter.take_observation();
    if (ended && has_race(picture_)) { // which explains the result
        ended->why.guesses.clear();
        ended->path.clear();
    }
    picture_.message = ended ? text_of(*ended) : seen.failure;
    const std::string& trial = calls_.trials.current;
    picture_.title =
        session_.lab().name + ": " + session_.lab().title + (trial.empty() ? "" : ", " + trial);
    return ended;
}

/// Runs an example in the usual schedule and, if nothing is wrong there, in others. Returns whether
/// the last one shows a mistake.
bool ExamplePicture::record_mistake(const std::function<void(Case&)>& example) {
    Interpreter& interpreter = session_.interpreter();
    const std::uint64_t seed = session_.options().seed + 1;
    const Temporarily seeded(interpreter.conditions.how.seed, seed);
    interpreter.take_other_schedules();
    if (record_example(example) || report::shows_mistake(picture_))
        return true;
    const std::set<wire::Schedule> others = interpreter.take_other_schedules();
    return std::ranges::any_of(others, [&](const wire::Schedule& schedule) {
        picture_.takes_turns = record_example(example, schedule).has_value();
        return picture_.takes_turns;
    });
}

report::Picture ExamplePicture::draw() {
    const auto& examples = session_.lab().examples;
    const auto wrong = std::ranges::find_if(
        examples, [&](const auto& example) { return record_mistake(example); });
    if (wrong == examples.end())
        record_example(examples.front());
    else if (!picture_.takes_turns && !picture_.message.empty() && has_race(picture_))
        add_expected_values(*wrong);
    if (session_.lab().effect && !picture_.message.empty())
        add_right_values();
    return std::move(picture_);
}

/// Adds what lockstep would have stored, if the result is right there.
void ExamplePicture::add_expected_values(const std::function<void(Case&)>& example) {
    report::Picture wrong = std::move(picture_);
    const Temporarily lock_step(session_.interpreter().conditions.how.in_lock_step, true);
    const bool is_right = !record_example(example);
    if (is_right && picture_.launches.size() == wrong.launches.size()) {
        for (std::size_t i = 0; i < wrong.launches.size(); ++i)
            wrong.launches[i].expected = std::move(picture_.launches[i].trace.accesses);
    }
    picture_ = std::move(wrong);
}

/// Adds what each launch should have left in its buffers, with what it found there.
void ExamplePicture::add_right_values() {
    const auto& effect = session_.lab().effect;
    std::map<std::uint64_t, std::vector<double>> contents; // by buffer
    for (report::Picture::Launch& launch : picture_.launches) {
        const std::vector<wire::TracedArray>& arrays = launch.trace.arrays;
        BufferContents of_launch;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            if (!holds_few_floats(arrays[i]))
                continue;
            std::vector<double>& numbers = contents[launch.buffers[i]];
            numbers.resize(std::max(numbers.size(), arrays[i].elements * arrays[i].lanes),
                           std::numeric_limits<double>::quiet_NaN());
            add_inputs(launch.trace, i, numbers);
            of_launch[arrays[i].argument] = numbers;
        }
        effect(launch.trace, of_launch);
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            if (!holds_few_floats(arrays[i]))
                continue;
            note_wrong_values(launch, i, of_launch[arrays[i].argument]);
            add_stores(launch.trace, i, contents[launch.buffers[i]]);
        }
    }
}

/// Puts the launches recorded so far into the picture.
void ExamplePicture::keep_launches() {
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
