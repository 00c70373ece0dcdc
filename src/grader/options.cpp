#include "grader/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <set>

namespace grader {
namespace {

/// An option of doctest that means something here; all others are rejected, because doctest ignores
/// what it does not know, and a typo would silently run everything.
struct DoctestOption {
    const char* short_name;
    const char* long_name;
    bool takes_value; ///< must be followed by "=..."; flags may be
    bool is_query;    ///< only lists something and runs nothing
};

constexpr std::array<DoctestOption, 4> doctest_options{{
    {"tc", "test-case", true, false},
    {"tce", "test-case-exclude", true, false},
    {"ltc", "list-test-cases", false, true},
    {"aa", "abort-after", true, false},
}};

/// The entry for one argument ("-tc=x", "--test-case=x"), or null.
const DoctestOption* find_doctest_option(const std::string& argument) {
    const std::size_t dashes = std::min(argument.find_first_not_of('-'), argument.size());
    const std::string name = argument.substr(dashes, argument.find('=') - dashes);
    const auto* found = std::ranges::find_if(doctest_options, [&](const auto& option) {
        return (dashes == 1 && name == option.short_name) ||
               (dashes == 2 && name == option.long_name);
    });
    return found == doctest_options.end() ? nullptr : found;
}

void take_doctest_option(CommandLine& line, const std::string& argument) {
    const DoctestOption* option = find_doctest_option(argument);
    if (option == nullptr) {
        if (argument.starts_with("-"))
            throw Unusable("there is no option " + argument + "; see ./harness --help");
        throw Unusable("unexpected argument \"" + argument +
                       "\"; choose a lab with make (make lab3 && ./harness)");
    }
    const bool has_value = argument.find('=') != std::string::npos;
    if (option->takes_value && !has_value)
        throw Unusable(argument + " needs a value after an equals sign: " + argument + "=...");
    line.query = line.query || option->is_query;
    line.doctest.push_back(argument);
}

/// Throws Unusable for anything but a nonnegative number that fits into a `Number`.
template <class Number>
Number parse_number(const std::string& option, const char* wanted, const std::string& text) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || !(number >= 0))
        throw Unusable(option + " needs " + wanted + ", not \"" + text + "\"");
    return number;
}

std::uint64_t parse_seed(const std::string& option, const std::string& text) {
    return parse_number<std::uint64_t>(option, "a whole number from 0 to 18446744073709551615",
                                       text);
}

int parse_hint_level(const std::string& text) {
    const int level = parse_number<int>("--hint", "a whole number, 1 or greater", text);
    if (level == 0)
        throw Unusable("--hint needs a whole number, 1 or greater, not \"0\"");
    return level;
}

/// A file name that looks like an option is a forgotten file name.
std::string parse_file_name(const std::string& option, const std::string& text) {
    if (text.empty() || text[0] == '-')
        throw Unusable(option + " needs the name of a file, not \"" + text + "\"");
    return text;
}

/// An option of the harness itself.
struct OwnOption {
    const char* name;
    bool takes_value;
    std::function<void(const std::string& value)> take;
    bool may_lack_value = false; ///< if it has one, it is after an equals sign
};

/// All of them, each with the member of `line` that it sets.
std::vector<OwnOption> own_options(CommandLine& line) {
    const auto flag = [](const char* name, bool& place) {
        return OwnOption{name, false, [&place](const std::string&) { place = true; }};
    };
    const auto text = [](const char* name, std::string& place) {
        return OwnOption{name, true, [&place](const std::string& value) { place = value; }};
    };
    const auto file = [](const char* name, std::string& place) {
        return OwnOption{name, true, [name, &place](const std::string& value) {
                             place = parse_file_name(name, value);
                         }};
    };
    return {
        flag("--list-devices", line.list_devices),
        {"--device", true,
         [&](const std::string& value) {
             line.session.device =
                 parse_number<int>("--device", "a number from ./harness --list-devices", value);
         }},
        {"--seed", true,
         [&](const std::string& value) {
             line.session.seed = parse_seed("--seed", value);
             line.seed_given = true;
         }},
        {"--hint", true,
         [&](const std::string& value) {
             line.hints = true;
             line.hint_level = value == "next" ? 0 : parse_hint_level(value);
         },
         true},
        file("--json", line.json),
        file("--junit", line.junit),
        file("--trace", line.trace),
        file("--report", line.report),
        flag("--require-analysis", line.session.require_analysis),
        flag("--sealed", line.session.sealed),
        // For the launcher and for grading, not for users.
        text("--root", line.session.root),
        text("--state", line.state),
        {"--rows", true,
         [&](const std::string& value) {
             line.rows = parse_number<std::size_t>("--rows", "a number of lines", value);
         }},
        text("--files", line.session.files),
        text("--runner", line.session.runner),
        text("--protection", line.session.protection),
        {"--seconds", true,
         [&](const std::string& value) {
             line.session.seconds = parse_number<double>("--seconds", "a number of seconds", value);
         }},
        flag("--declare", line.declare),
        flag("--without-code", line.without_code), // for handouts, which show no solution
    };
}

} // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
    CommandLine line;
    const std::vector<OwnOption> options = own_options(line);
    std::set<std::string> given;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i]; // NOLINT(*-pointer-arithmetic): as main gets it
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const auto option =
            std::ranges::find_if(options, [&](const auto& one) { return name == one.name; });
        if (option == options.end()) {
            take_doctest_option(line, argument);
            continue;
        }
        if (!given.insert(name).second)
            throw Unusable(name + " is given twice; see ./harness --help");
        const bool has_value = equals != std::string::npos;
        if (has_value && !option->takes_value)
            throw Unusable(
                std::string(name).append(" takes no value, but was given one: ").append(argument));
        if (option->may_lack_value && !has_value) {
            option->take("next");
            continue;
        }
        if (option->takes_value && !has_value && i + 1 == argc)
            throw Unusable(name + " needs a value; see ./harness --help");
        option->take(has_value             ? argument.substr(equals + 1)
                     : option->takes_value ? argv[++i] // NOLINT(*-pointer-arithmetic): likewise
                                           : "");
    }
    // Every user of the machine can see arguments, so grading passes the seed like this.
    const char* seed =
        std::getenv("HARNESS_SEED"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    if (!line.seed_given && seed != nullptr && *seed != '\0') {
        line.session.seed = parse_seed("HARNESS_SEED", seed);
        line.seed_given = true;
    }
    return line;
}

} // namespace grader
