#include "grader/course_settings.hpp"

#include "grader/unusable.hpp"
#include "report/times.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace grader {
namespace {

using nlohmann::json;

constexpr int most_points = 1000; ///< per case

[[noreturn]] void refuse(const std::string& why) { throw Unusable("labs/course.json: " + why); }

/// Seconds since 1970 for a time as in 2026-12-04T23:59:00+01:00.
std::time_t time_from(const std::string& lab, const std::string& text) {
    const auto time = report::seconds_of(text);
    if (!time)
        refuse(lab + " is due \"" + text + "\"; write it as in 2026-12-04T23:59:00+01:00");
    return *time;
}

ShowHints hints_from(const std::string& lab, const std::string& word) {
    if (word == "asked")
        return ShowHints::asked;
    if (word == "always")
        return ShowHints::always;
    if (word == "never")
        return ShowHints::never;
    refuse("hints of " + lab + " are \"" + word + "\"; they must be asked, always or never");
}

std::string text_of(const std::string& lab, const std::string& key, const json& value) {
    if (!value.is_string())
        refuse(key + " of " + lab + " must be a string");
    return value.get<std::string>();
}

std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::size_t hint_levels_from(const std::string& lab, const json& value) {
    if (!value.is_number_unsigned() || value.get<std::size_t>() == 0)
        refuse("hint_levels of " + lab +
               R"( must be a whole number, 1 or greater; "hints": "never" shows none)");
    return value.get<std::size_t>();
}

std::map<std::string, int> points_from(const std::string& lab, const json& value) {
    if (!value.is_object())
        refuse("points of " + lab + R"( must look like {"name of a case": 2})");
    std::map<std::string, int> points;
    for (const auto& [name, number] : value.items()) {
        const bool fits = number.is_number_unsigned() && number.get<unsigned>() <= most_points;
        if (!fits)
            refuse("points of " + quoted(name) + " in " + lab +
                   " must be a whole number from 0 to " + std::to_string(most_points));
        points[name] = number.get<int>();
    }
    return points;
}

LabSettings lab_settings_from(const std::string& lab, const json& value) {
    if (!value.is_object())
        refuse(lab + " must be an object");
    LabSettings settings;
    for (const auto& [key, given] : value.items()) {
        if (key == "due") {
            settings.due_text = text_of(lab, key, given);
            if (!settings.due_text.empty())
                settings.due = time_from(lab, settings.due_text);
        } else if (key == "hints") {
            settings.hints = hints_from(lab, text_of(lab, key, given));
        } else if (key == "hint_levels") {
            settings.hint_levels = hint_levels_from(lab, given);
        } else if (key == "points") {
            settings.points = points_from(lab, given);
        } else {
            refuse(lab + " has " + quoted(key) +
                   ", which is unknown; use due, hints, hint_levels or points");
        }
    }
    if (settings.hints == ShowHints::never)
        settings.hint_levels = 0;
    return settings;
}

/// Parses JSON in which no object has two members of the same name. Throws Unusable.
json parse(const std::string& text) {
    std::vector<std::set<std::string>> open_objects;
    const auto check = [&](int /*depth*/, json::parse_event_t event, const json& parsed) {
        if (event == json::parse_event_t::object_start)
            open_objects.emplace_back();
        else if (event == json::parse_event_t::object_end)
            open_objects.pop_back();
        else if (event == json::parse_event_t::key &&
                 !open_objects.back().insert(parsed.get<std::string>()).second)
            refuse(quoted(parsed.get<std::string>()) + " appears twice; remove one");
        return true;
    };
    try {
        return json::parse(text, check);
    } catch (const json::parse_error& error) {
        refuse("it is not JSON: " + std::string(error.what()));
    }
}

} // namespace

CourseSettings settings_from(const std::string& text) {
    const json labs = parse(text);
    if (!labs.is_object())
        refuse("it must be an object with a member for each lab");
    CourseSettings settings;
    for (const auto& [name, value] : labs.items()) {
        if (!name.starts_with("lab"))
            refuse(quoted(name) + " is not a lab");
        settings[name] = lab_settings_from(name, value);
    }
    return settings;
}

CourseSettings read_settings(const std::string& root) {
    const std::filesystem::path file = std::filesystem::path(root) / "labs/course.json";
    if (!std::filesystem::exists(file))
        return {};
    std::ifstream stream(file, std::ios::binary);
    if (!stream || !std::filesystem::is_regular_file(file))
        refuse("cannot read it; it must be a file that you can read");
    return settings_from({std::istreambuf_iterator<char>(stream), {}});
}

void require_labs_of(const CourseSettings& settings, const std::string& root) {
    for (const auto& [lab, own] : settings) {
        if (!std::filesystem::is_directory(std::filesystem::path(root) / "labs" / lab))
            refuse("there is no " + lab + " in labs/");
    }
}

void limit_hints(report::Case& one, std::size_t most) {
    one.hints.resize(std::min(one.hints.size(), most));
    one.hint = one.hints.empty() ? "" : one.hints.front();
}

void apply(const LabSettings& settings, std::time_t now, report::Result& result) {
    for (const auto& [name, points] : settings.points) {
        const auto one = std::ranges::find_if(
            result.cases, [&, &wanted = name](const auto& known) { return known.name == wanted; });
        if (one == result.cases.end())
            refuse(result.lab + " has no case " + quoted(name) + "; ./harness -ltc lists them");
        one->max_score = points;
    }
    for (report::Case& one : result.cases)
        limit_hints(one, settings.hint_levels);
    result.due = settings.due_text;
    if (settings.due)
        result.seconds_late = std::max<std::int64_t>(0, now - *settings.due);
}

} // namespace grader
