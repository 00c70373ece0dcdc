#include "report/json_fields.hpp"
#include "report/text.hpp"

#include <functional>
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

    /// Reads this value into `to`.
    void read(std::string& to) const {
        if (!json_.is_string())
            refuse("is not a string");
        to = json_.get<std::string>();
    }

    /// A number that is not finite is written as null.
    void read(double& to) const {
        if (!json_.is_null() && !json_.is_number())
            refuse("is not a number");
        to = json_.is_null() ? std::numeric_limits<double>::quiet_NaN() : json_.get<double>();
    }

    void read(std::uint64_t& to) const {
        if (!json_.is_number_unsigned())
            refuse("is not a whole number, 0 or greater");
        to = json_.get<std::uint64_t>();
    }

    void read(std::int64_t& to) const {
        to = whole_number(0, std::numeric_limits<std::int64_t>::max());
    }

    void read(int& to) const {
        to = static_cast<int>(
            whole_number(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    }

    void read(bool& to) const {
        if (!json_.is_boolean())
            refuse("is neither true nor false");
        to = json_.get<bool>();
    }

    void read(std::array<std::size_t, 3>& to) const {
        if (!json_.is_array() || json_.size() != to.size())
            refuse("does not have three dimensions");
        for (std::size_t i = 0; i < to.size(); ++i)
            Value(json_[i], way_ + "[" + std::to_string(i) + "]").read(to.at(i));
    }

    void read(Status& to) const {
        std::string word;
        read(word);
        const auto* const known = std::ranges::find(statuses, word, &StatusNames::name);
        if (known == statuses.end())
            refuse("is not a status: \"" + visible_line(word, 40) + "\"");
        to = known->status;
    }

    template <class T> void read(std::vector<T>& to) const {
        each_element([&](const Value& element) { element.read(to.emplace_back()); });
    }

    template <class T> void read(T& to) const;

    void read_points(int& to) const { to = static_cast<int>(whole_number(0, most_points)); }

    void require_schema(const char* schema) const {
        const Value given = at("schema");
        std::string name;
        given.read(name);
        if (name != schema)
            given.refuse("is \"" + visible_line(name, 80) + "\", not \"" + schema + "\"");
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
    std::int64_t whole_number(std::int64_t least, std::int64_t most) const {
        const bool fits = json_.is_number_integer() && // larger ones would wrap around
                          (!json_.is_number_unsigned() ||
                           json_.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
        const std::int64_t number = fits ? json_.get<std::int64_t>() : 0;
        if (!fits || number < least || number > most)
            refuse("is not a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most));
        return number;
    }

    const Json& json_; // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members)
    std::string way_;
};

/// Reads the fields of an object.
class Reader {
  public:
    explicit Reader(const Value& value) : value_(value) {}

    template <class T> void field(const char* key, T& to) const { value_.at(key).read(to); }
    template <class T> void optional(const char* key, T& to) const {
        if (value_.has(key))
            field(key, to);
    }
    void points(const char* key, int& to) const { value_.at(key).read_points(to); }
    template <class T> void whole(T& to) const { value_.read(to); }
    void schema(const char* name) const { value_.require_schema(name); }
    template <class T> void sums(const T& /*of*/) const {} // check() does
    void time_of(Revision& revision) const {
        revision.pushed = value_.has("pushed");
        optional(revision.pushed ? "pushed" : "committed", revision.time);
    }
    template <class T>
    void by_key(const char* key, std::vector<T>& to, std::string T::*name) const {
        value_.at(key).each_member([&](const std::string& member, const Value& value) {
            value.read(to.emplace_back());
            to.back().*name = member;
        });
    }
    template <class T>
    void optional_by_key(const char* key, std::vector<T>& to, std::string T::*name) const {
        if (value_.has(key))
            by_key(key, to, name);
    }
    void optional_needs(const char* key, std::vector<Need>& to) const {
        if (!value_.has(key))
            return;
        value_.at(key).each_member([&](const std::string& kernel, const Value& counts) {
            counts.each_member([&](const std::string& name, const Value& count) {
                to.push_back({.kernel = kernel, .count = name});
                count.read(to.back().value);
            });
        });
    }

  private:
    const Value& value_; // NOLINT(cppcoreguidelines-avoid-const-or-ref-data-members)
};

void check(const Value& value, const Case& one) {
    if (one.score > one.max_score)
        value.at("score").refuse("is more than max_score");
}

/// Rejects sums that are not those of the parts.
template <class Part> void check_sums(const Value& value, const std::vector<Part>& parts,
                                      const auto& score_of, const auto& max_score_of) {
    std::int64_t score = 0;
    std::int64_t max_score = 0;
    for (const Part& one : parts) {
        score += std::invoke(score_of, one);
        max_score += std::invoke(max_score_of, one);
    }
    value.require_sum("score", score);
    value.require_sum("max_score", max_score);
}

void check(const Value& value, const Result& result) {
    check_sums(value, result.cases, &Case::score, &Case::max_score);
}

void check(const Value& value, const Submission& submission) {
    check_sums(value, submission.labs, &Result::score, &Result::max_score);
}

/// The other types have no fields that depend on each other.
template <class T> void check(const Value& /*value*/, const T& /*of*/) {}

template <class T> void Value::read(T& to) const {
    const Reader reader(*this);
    fields(reader, to);
    check(*this, to);
}

/// Reads a document. Error messages name the `kind` of file.
template <class T> T parsed(const std::string& text, const char* kind) {
    try {
        const Json json = Json::parse(text);
        T result;
        Value(json, "").read(result);
        return result;
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

Result result_from_json(const std::string& text) { return parsed<Result>(text, "lab's result"); }

Submission submission_from_json(const std::string& text) {
    return parsed<Submission>(text, "submission's result");
}

} // namespace report
