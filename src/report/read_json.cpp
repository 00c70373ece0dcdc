#include "report/result.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// More points than any case has: their sums do not overflow an int.
constexpr std::int64_t most_points = 1'000'000;

/// A value of a document and its path, which error messages name.
class Value {
  public:
    Value(const Json& json, std::string way) : json_(json), way_(std::move(way)) {}

    [[noreturn]] void refuse(const std::string& complaint) const {
        throw std::runtime_error((way_.empty() ? "it" : way_) + " " + complaint);
    }

    bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

    Value at(const char* key) const {
        if (!json_.is_object())
            refuse("is not an object");
        const Value member(json_, way_.empty() ? key : way_ + "." + key);
        const auto found = json_.find(key);
        if (found == json_.end())
            member.refuse("is missing");
        return {*found, member.way_};
    }

    template <class Function> void each_element(const Function& function) const {
        if (!json_.is_array())
            refuse("is not an array");
        for (std::size_t i = 0; i < json_.size(); ++i)
            function(Value(json_[i], way_ + "[" + std::to_string(i) + "]"));
    }

    /// Calls `function` with the key and the value of each member.
    template <class Function> void each_member(const Function& function) const {
        if (!json_.is_object())
            refuse("is not an object");
        for (const auto& [key, value] : json_.items())
            function(key, Value(value, way_ + "." + visible_line(key, 100)));
    }

    std::string text() const {
        if (!json_.is_string())
            refuse("is not a string");
        return json_.get<std::string>();
    }

    /// A number that is not finite is written as null.
    double number() const {
        if (json_.is_null())
            return std::numeric_limits<double>::quiet_NaN();
        if (!json_.is_number())
            refuse("is not a number");
        return json_.get<double>();
    }

    std::uint64_t count() const {
        if (!json_.is_number_unsigned())
            refuse("is not a whole number, 0 or greater");
        return json_.get<std::uint64_t>();
    }

    int integer(std::int64_t least = std::numeric_limits<int>::min(),
                std::int64_t most = std::numeric_limits<int>::max()) const {
        const bool fits = json_.is_number_integer() && // larger ones would wrap around
                          (!json_.is_number_unsigned() ||
                           json_.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
        const std::int64_t number = fits ? json_.get<std::int64_t>() : 0;
        if (!fits || number < least || number > most)
            refuse("is not a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most));
        return static_cast<int>(number);
    }

    bool boolean() const {
        if (!json_.is_boolean())
            refuse("is neither true nor false");
        return json_.get<bool>();
    }

    int points() const { return integer(0, most_points); }

    std::array<std::size_t, 3> size() const {
        std::array<std::size_t, 3> result{};
        if (!json_.is_array() || json_.size() != result.size())
            refuse("does not have three dimensions");
        for (std::size_t i = 0; i < result.size(); ++i)
            result.at(i) = Value(json_[i], way_ + "[" + std::to_string(i) + "]").count();
        return result;
    }

    Status status() const {
        const std::string word = text();
        const auto* const known = std::ranges::find(statuses, word, &StatusNames::name);
        if (known != statuses.end())
            return known->status;
        refuse("is not a status: \"" + visible_line(word, 40) + "\"");
    }

    void require_schema(const char* schema) const {
        const Value given = at("schema");
        if (given.text() != schema)
            given.refuse("is \"" + visible_line(given.text(), 80) + "\", not \"" + schema + "\"");
    }

    /// Rejects a sum that does not match its parts: one of them was changed.
    void require_sum(const char* key, std::int64_t sum) const {
        const Value given = at(key);
        if (!given.json_.is_number_integer() || given.json_ != sum)
            given.refuse("is not the sum " + std::to_string(sum));
        if (sum > std::numeric_limits<int>::max())
            given.refuse("is too large");
    }

  private:
    const Json& json_; // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members)
    std::string way_;
};

wire::Launch launch_from(const Value& value) {
    wire::Launch launch;
    launch.kernel = value.at("kernel").text();
    launch.global_size = value.at("global_size").size();
    launch.work_group_size = value.at("work_group_size").size();
    launch.local_memory = value.at("local_memory").count();
    launch.nanoseconds = value.at("nanoseconds").count();
    return launch;
}

Case case_from(const Value& value) {
    Case one;
    one.name = value.at("name").text();
    one.status = value.at("status").status();
    one.score = value.at("score").points();
    one.max_score = value.at("max_score").points();
    if (one.score > one.max_score)
        value.at("score").refuse("is more than max_score");
    one.message = value.at("message").text();
    one.hint = value.at("hint").text();
    one.file = value.at("file").text();
    one.line = value.at("line").integer();
    one.seconds = value.at("seconds").number();
    one.output = value.at("output").text();
    if (value.has("finding"))
        one.finding = value.at("finding").text();
    if (value.has("follows"))
        one.follows = value.at("follows").text();
    if (value.has("guess"))
        one.guess = value.at("guess").text();
    if (value.has("not_implemented"))
        one.not_implemented = value.at("not_implemented").boolean();
    value.at("launches").each_element([&](const Value& launch) {
        one.launches.push_back(launch_from(launch));
    });
    if (value.has("trace"))
        one.trace = value.at("trace").text();
    return one;
}

Finding finding_from(const Value& value) {
    return {value.at("kind").text(), value.at("file").text(), value.at("line").integer(),
            value.at("message").text(),
            value.has("other_line") ? value.at("other_line").integer() : 0};
}

Timing timing_from(const std::string& name, const Value& value) {
    Timing timing;
    timing.name = name;
    timing.elements = value.at("elements").count();
    timing.nanoseconds = value.at("nanoseconds").number();
    timing.wall_nanoseconds = value.at("wall_nanoseconds").number();
    timing.bytes_per_second = value.at("bytes_per_second").number();
    timing.baseline = value.at("baseline").text();
    timing.ratio = value.at("ratio").number();
    timing.ratio_low = value.at("ratio_low").number();
    timing.ratio_high = value.at("ratio_high").number();
    timing.bandwidth_fraction = value.at("bandwidth_fraction").number();
    timing.rounds = value.at("rounds").integer();
    return timing;
}

wire::WorkCounts work_from(const std::string& kernel, const Value& value) {
    wire::WorkCounts work;
    work.kernel = kernel;
    for (const wire::WorkCount& count : wire::work_counts)
        work.*count.value = value.at(count.name).count();
    return work;
}

Result result_from(const Value& value) {
    value.require_schema(result_schema);
    Result result;
    result.lab = value.at("lab").text();
    result.title = value.at("title").text();
    result.seed = value.at("seed").count();
    result.device = value.at("device").text();
    if (value.has("protection"))
        result.protection = value.at("protection").text();
    if (value.has("reason"))
        result.reason = value.at("reason").text();
    result.harness_failed = value.has("harness_failed");
    if (value.has("due")) {
        result.due = value.at("due").text();
        result.seconds_late = static_cast<std::int64_t>(value.at("seconds_late").count());
    }
    if (value.has("commit"))
        result.revision.commit = value.at("commit").text();
    result.revision.pushed = value.has("pushed");
    for (const char* key : {"pushed", "committed"}) {
        if (value.has(key))
            result.revision.time = value.at(key).text();
    }
    std::int64_t score = 0;
    std::int64_t max_score = 0;
    value.at("cases").each_element([&](const Value& one) {
        result.cases.push_back(case_from(one));
        score += result.cases.back().score;
        max_score += result.cases.back().max_score;
    });
    value.require_sum("score", score);
    value.require_sum("max_score", max_score);
    value.at("findings").each_element([&](const Value& finding) {
        result.findings.push_back(finding_from(finding));
    });
    value.at("work").each_member([&](const std::string& kernel, const Value& work) {
        result.work.push_back(work_from(kernel, work));
    });
    value.at("timing").each_member([&](const std::string& name, const Value& timing) {
        result.timings.push_back(timing_from(name, timing));
    });
    if (value.has("needs"))
        value.at("needs").each_member([&](const std::string& kernel, const Value& counts) {
            counts.each_member([&](const std::string& name, const Value& count) {
                result.needs.push_back({kernel, name, count.count()});
            });
        });
    if (value.has("sources"))
        value.at("sources").each_member([&](const std::string& file, const Value& text) {
            result.sources.push_back({file, text.text()});
        });
    return result;
}

Submission submission_from(const Value& value) {
    value.require_schema(submission_schema);
    Submission submission;
    submission.student = value.at("student").text();
    submission.protection = value.at("protection").text();
    value.at("remarks").each_element(
        [&](const Value& remark) { submission.remarks.push_back(remark.text()); });
    std::int64_t score = 0;
    std::int64_t max_score = 0;
    value.at("labs").each_element([&](const Value& lab) {
        submission.labs.push_back(result_from(lab));
        score += submission.labs.back().score();
        max_score += submission.labs.back().max_score();
    });
    value.require_sum("score", score);
    value.require_sum("max_score", max_score);
    return submission;
}

/// Reads `text` with `read`. Error messages name the `kind` of file.
template <class Function>
auto parsed(const std::string& text, const char* kind, const Function& read) {
    try {
        return read(Value(Json::parse(text), ""));
    } catch (const Json::exception& error) {
        throw std::runtime_error(std::string("this is not a ") + kind + ": it is " +
                                 (text.empty() ? "empty" : "not JSON") + "; rerun the grader (" +
                                 visible_line(error.what(), 200) + ")");
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(std::string("this is not a complete ") + kind + ": " +
                                 error.what() + "; rerun the grader");
    }
}

} // namespace

Result result_from_json(const std::string& text) {
    return parsed(text, "lab's result", [](const Value& value) { return result_from(value); });
}

Submission submission_from_json(const std::string& text) {
    return parsed(text, "submission's result",
                  [](const Value& value) { return submission_from(value); });
}

} // namespace report
