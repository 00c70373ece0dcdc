#include "grader/options.hpp"

#include "report/version.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>

namespace grader {
namespace {

/// doctest ignores what it does not know, so a typing error would silently run everything.
struct DoctestOption {
    const char* short_name;
    const char* long_name;
    bool takes_value; ///< must be followed by "=..."; flags may be
    bool is_query;    ///< asks what there is, and runs nothing
};

constexpr std::array<DoctestOption, 42> doctest_options{{
    {"tc", "test-case", true, false},
    {"tce", "test-case-exclude", true, false},
    {"sf", "source-file", true, false},
    {"sfe", "source-file-exclude", true, false},
    {"ts", "test-suite", true, false},
    {"tse", "test-suite-exclude", true, false},
    {"sc", "subcase", true, false},
    {"sce", "subcase-exclude", true, false},
    {"r", "reporters", true, false},
    {"o", "out", true, false},
    {"ob", "order-by", true, false},
    {"rs", "rand-seed", true, false},
    {"f", "first", true, false},
    {"l", "last", true, false},
    {"aa", "abort-after", true, false},
    {"scfl", "subcase-filter-levels", true, false},
    {"c", "count", false, true},
    {"ltc", "list-test-cases", false, true},
    {"lts", "list-test-suites", false, true},
    {"lr", "list-reporters", false, true},
    {"v", "version", false, true},
    {"s", "success", false, false},
    {"cs", "case-sensitive", false, false},
    {"e", "exit", false, false},
    {"d", "duration", false, false},
    {"m", "minimal", false, false},
    {"q", "quiet", false, false},
    {"nt", "no-throw", false, false},
    {"ne", "no-exitcode", false, false},
    {"nr", "no-run", false, false},
    {"ni", "no-intro", false, false},
    {"nv", "no-version", false, false},
    {"nc", "no-colors", false, false},
    {"fc", "force-colors", false, false},
    {"nb", "no-breaks", false, false},
    {"ns", "no-skip", false, false},
    {"gfl", "gnu-file-line", false, false},
    {"npf", "no-path-filenames", false, false},
    {"nln", "no-line-numbers", false, false},
    {"ndo", "no-debug-output", false, false},
    {"nss", "no-skipped-summary", false, false},
    {"ntio", "no-time-in-output", false, false},
}};

/// The entry for one argument ("-tc=x", "--test-case=x", "--dt-test-case=x"), or null.
const DoctestOption* find_doctest_option(const std::string& argument) {
    const std::size_t dashes = std::min(argument.find_first_not_of('-'), argument.size());
    std::string name = argument.substr(dashes, argument.find('=') - dashes);
    if (name.compare(0, 3, "dt-") == 0)
        name.erase(0, 3);
    const auto* found =
        std::find_if(doctest_options.begin(), doctest_options.end(), [&](const auto& option) {
            return (dashes == 1 && name == option.short_name) ||
                   (dashes == 2 && name == option.long_name);
        });
    return found == doctest_options.end() ? nullptr : found;
}

void take_doctest_option(CommandLine& line, const std::string& argument) {
    const DoctestOption* option = find_doctest_option(argument);
    if (option == nullptr) {
        if (argument.compare(0, 1, "-") == 0)
            throw Unusable("there is no option " + argument + "; see ./harness --help");
        throw Unusable("do not know what to do with \"" + argument +
                       "\"; a lab is chosen with make (make lab3 && ./harness)");
    }
    const bool has_value = argument.find('=') != std::string::npos;
    if (option->takes_value && !has_value)
        throw Unusable(argument + " needs a value after an equals sign: " + argument + "=...");
    line.query = line.query || option->is_query;
    line.own_reporter = line.own_reporter || std::string(option->long_name) == "reporters";
    line.doctest.push_back(argument);
}

/// Throws Unusable for anything but a whole number that fits.
std::uint64_t parse_seed(const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, seed);
    if (error != std::errc() || stopped != end)
        throw Unusable("--seed wants a whole number from 0 to 18446744073709551615, not " + text);
    return seed;
}

/// A file name that looks like an option is a forgotten file name.
std::string check_file_name(const std::string& name) {
    return name.empty() || name[0] == '-' ? "a file name is missing" : "";
}

} // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
    CommandLine line;
    CLI::App app(
        "Runs every case of the lab that make built last, and tells what is right and wrong.",
        "./harness");
    app.allow_extras();
    app.set_version_flag("--version", report::product(), "show the version, and stop");
    app.add_flag("--list-devices", line.list_devices, "show the OpenCL devices, and stop");
    app.add_option("--device", line.session.device, "use device N of that list (default: the best)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    std::string seed;
    app.add_option("--seed", seed, "draw the inputs from this seed (default: a fresh one)")
        ->type_name("S")
        ->envname("HARNESS_SEED"); // arguments are for everybody's eyes
    app.add_flag("--hint", line.hints, "end each failing case with a hint");
    app.add_option("--json", line.json, "write the result to FILE as JSON")
        ->type_name("FILE")
        ->check(check_file_name);
    app.add_option("--junit", line.junit, "write the result to FILE as JUnit XML")
        ->type_name("FILE")
        ->check(check_file_name);
    app.add_flag("--require-analysis", line.session.require_analysis,
                 "refuse to run where the kernels cannot be analysed");
    app.add_flag("--sealed", line.session.sealed,
                 "trust nothing that your host code says: it gets no data, and your kernels run\n"
                 "in a process without it, as in grading");
    // What the launcher passes on; nothing for people.
    app.add_option("--root", line.session.root)->group("");
    app.add_option("--files", line.session.files)->group("");
    app.add_option("--runner", line.session.runner)->group("");
    app.add_option("--protection", line.session.protection)->group("");
    app.add_option("--seconds", line.session.seconds)->group("");
    app.add_flag("--declare", line.declare)->group("");
    app.footer(
        "doctest's options work too: -tc=\"name of a case\" runs one case (* is a wildcard),\n"
        "-ltc lists the cases, -aa=1 stops after the first failure, -r=console, -r=junit and\n"
        "-r=xml report as doctest does.\n"
        "Exit status: 0 every case passed, 1 some did not, 2 nothing could be run.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        throw Done{};
    } catch (const CLI::CallForVersion&) {
        std::cout << app.version() << "\n";
        throw Done{};
    } catch (const CLI::ParseError& error) {
        throw Unusable(std::string(error.what()) + "; see ./harness --help");
    }
    if (!seed.empty()) {
        line.seed_given = true;
        line.session.seed = parse_seed(seed);
    }
    for (const std::string& argument : app.remaining())
        take_doctest_option(line, argument);
    return line;
}

} // namespace grader
