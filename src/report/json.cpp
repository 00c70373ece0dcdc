#include "report/json_fields.hpp"
#include "report/text.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Writes the fields of an object.
class Writer {
  public:
    template <class T> void field(const char* key, const T& value) { json_[key] = to_value(value); }
    /// Nothing for an empty value.
    template <class T> void optional(const char* key, const T& value) {
        if (value != T{})
            field(key, value);
    }
    void points(const char* key, int value) { field(key, value); }
    /// The value is the whole document, not an object.
    template <class T> void whole(const T& value) { json_ = to_value(value); }
    void schema(const char* name) {
        field("schema", name);
        field("version", version);
    }
    template <class T> void sums(const T& of) {
        field("score", of.score());
        field("max_score", of.max_score());
    }
    void time_of(const Revision& revision) {
        optional(revision.pushed ? "pushed" : "committed", revision.time);
    }
    /// An object with a member for each value, whose key is this field of the value.
    template <class T>
    void by_key(const char* key, const std::vector<T>& values, std::string T::*name) {
        Json& members = json_[key] = Json::object();
        for (const T& one : values)
            members[one.*name] = to_value(one);
    }
    template <class T>
    void optional_by_key(const char* key, const std::vector<T>& values, std::string T::*name) {
        if (!values.empty())
            by_key(key, values, name);
    }
    void optional_needs(const char* key, const std::vector<Need>& needs) {
        for (const Need& need : needs)
            json_[key][need.kernel][need.count] = need.value;
    }

    Json json() && { return std::move(json_); }

  private:
    static Json to_value(Status status) { return to_string(status); }
    template <class T> static Json to_value(const std::vector<T>& values) {
        Json array = Json::array();
        for (const T& one : values)
            array.push_back(to_value(one));
        return array;
    }
    template <class T> static Json to_value(const T& value) {
        Writer writer;
        if constexpr (requires { fields(writer, value); }) {
            fields(writer, value);
            return std::move(writer).json();
        } else {
            return value;
        }
    }

    Json json_ = Json::object();
};

template <class T> std::string written(const T& value) {
    Writer writer;
    fields(writer, value);
    // Student code can print anything, including bytes that are not UTF-8.
    return without_commands(
        std::move(writer).json().dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
        marks_in_json);
}

} // namespace

std::string to_json(const Result& result) { return written(result); }

std::string to_json(const Submission& submission) { return written(submission); }

} // namespace report
