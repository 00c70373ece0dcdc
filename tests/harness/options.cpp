#include "grader/options.hpp"
#include "helpers.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using grader::CommandLine;
using grader::Unusable;
using helpers::has;

namespace {

CommandLine parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "./harness");
    return grader::parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

/// The complaint about unusable arguments; "" if there is none.
std::string complaint(const std::vector<const char*>& arguments) {
    return helpers::what_of<Unusable>([&] { parse(arguments); });
}

} // namespace

TEST_CASE("no options are valid") {
    const CommandLine line = parse({});
    CHECK(line.session.device < 0);
    CHECK(line.session.root.empty());
    CHECK_FALSE(line.seed_given);
    CHECK_FALSE(line.list_devices);
    CHECK_FALSE(line.hints);
    CHECK_FALSE(line.query);
    CHECK(line.json.empty());
    CHECK(line.junit.empty());
    CHECK(line.report.empty());
    CHECK(line.doctest.empty());
}

TEST_CASE("each of the harness's own options is parsed") {
    CHECK(parse({"--list-devices"}).list_devices);
    CHECK(parse({"--hint"}).hints);
    CHECK(parse({"--hint"}).hint_level == 0);
    CHECK(parse({"--hint=2"}).hints);
    CHECK(parse({"--hint=2"}).hint_level == 2);
    CHECK(parse({"--rows", "22"}).rows == 22);
    CHECK(parse({"--state", "build/x"}).state == "build/x");
    CHECK(parse({"--device", "3"}).session.device == 3);
    CHECK(parse({"--device=0"}).session.device == 0);
    CHECK(parse({"--json", "a b.json"}).json == "a b.json");
    CHECK(parse({"--junit=b.xml"}).junit == "b.xml");
    CHECK(parse({"--trace", "c.svg"}).trace == "c.svg");
    CHECK(parse({"--report", "c.html"}).report == "c.html");
    CHECK(parse({"--root", "/r"}).session.root == "/r");
    CHECK(parse({"--files", "solutions"}).session.files == "solutions");
    CHECK(parse({"--runner", "build/x"}).session.runner == "build/x");
    CHECK(parse({"--protection", "user"}).session.protection == "user");
    CHECK(parse({"--seconds", "1.5"}).session.seconds == 1.5);
    CHECK(parse({"--require-analysis"}).session.require_analysis);
    CHECK(parse({"--sealed"}).session.sealed);
    CHECK(parse({"--declare"}).declare);

    const CommandLine seeded = parse({"--seed", "0"});
    CHECK(seeded.seed_given);
    CHECK(seeded.session.seed == 0);
    CHECK(parse({"--seed=18446744073709551615"}).session.seed == 18446744073709551615ULL);
    CHECK(parse({"--seed", "9007199254740993"}).session.seed == 9007199254740993ULL);
}

TEST_CASE("options of both kinds are parsed in any order") {
    const CommandLine line =
        parse({"-tc=sum of*", "--hint", "-aa=1", "--seed", "5", "-tce=a", "--json", "x"});
    CHECK(line.hints);
    CHECK(line.session.seed == 5);
    CHECK(line.json == "x");
    CHECK(line.doctest == std::vector<std::string>{"-tc=sum of*", "-aa=1", "-tce=a"});
    CHECK_FALSE(line.query);
}

TEST_CASE("doctest's options are passed through") {
    for (const char* option : {"-tc=a", "--test-case=a b=c", "-tce=a", "-aa=1", "--abort-after=1",
                               "-ltc", "--list-test-cases", "-tc="}) {
        CAPTURE(std::string(option));
        CommandLine line;
        CHECK_NOTHROW(line = parse({option}));
        CHECK(line.doctest == std::vector<std::string>{option});
    }
}

TEST_CASE("queries are recognised") {
    for (const char* option : {"-ltc", "--list-test-cases"})
        CHECK(parse({option, "-tc=a"}).query);
    for (const char* option : {"-tc=ltc", "-aa=1"})
        CHECK_FALSE(parse({option}).query);
}

TEST_CASE("unknown arguments are rejected by name") {
    for (const char* option :
         {"--hints", "--seeed=3", "-x", "-tcx=3", "--tc=a", "-test-case=a", "---tc=a", "-",
          "--list-device", "-S", "--no-such", "-ns", "--dt-test-case=a"}) {
        CAPTURE(std::string(option));
        CHECK(has(complaint({option}), option));
        CHECK(has(complaint({"--hint", option, "-ltc"}), option));
    }
    for (const char* word : {"lab3", "=x", "3"}) {
        CAPTURE(std::string(word));
        CHECK(has(complaint({word}), word));
    }
    CHECK(has(complaint({"lab3"}), "make lab3"));
    CHECK(has(complaint({""}), "\"\""));
}

TEST_CASE("an option without its required value is rejected by name") {
    for (const char* option : {"-tc", "--test-case", "-aa", "-tce"}) {
        CAPTURE(std::string(option));
        CHECK(has(complaint({option}), option));
        CHECK(has(complaint({option}), "="));
        CHECK(has(complaint({option, "a value"}), option));
    }
    for (const char* option : {"--device", "--seed", "--json", "--junit", "--trace", "--report"}) {
        CAPTURE(std::string(option));
        CHECK(has(complaint({option}), option));
    }
    CHECK(has(complaint({"--device", "--hint"}), "--device"));
}

TEST_CASE("an option is never the value of another option") {
    CHECK(has(complaint({"--json", "--hint"}), "--json"));
    CHECK(has(complaint({"--junit", "--hint"}), "--junit"));
}

TEST_CASE("an invalid value is reported with its option") {
    for (const char* option : {"--device", "--seed"}) {
        for (const char* value : {"x", "-1", "3x", "", "1.5"}) {
            CAPTURE(std::string(option));
            CAPTURE(std::string(value));
            const std::string text = complaint({(std::string(option) + "=" + value).c_str()});
            CHECK_FALSE(text.empty());
            CHECK(has(text, option));
        }
    }
    CHECK(has(complaint({"--device", "99999999999"}), "--device"));
    CHECK(complaint({"--device", "x"}) ==
          "--device needs a number from ./harness --list-devices, not \"x\"");
    for (const char* hint : {"--hint=maybe", "--hint=0", "--hint=-1", "--hint=", "--hint=1.5"}) {
        CAPTURE(std::string(hint));
        CHECK(has(complaint({hint}), "--hint needs a whole number, 1 or greater, not"));
    }
    CHECK(has(complaint({"--hint", "2"}), "\"2\""));
    CHECK(has(complaint({"--hint", "--hint=2"}), "--hint is given twice"));
    CHECK(has(complaint({"--seed", "1", "--seed", "2"}), "--seed"));
}

TEST_CASE("a seed that is too large is rejected") {
    CHECK(has(complaint({"--seed=18446744073709551616"}), "--seed"));
    CHECK(has(complaint({"--seed=99999999999999999999999"}), "--seed"));
}

TEST_CASE("error messages are one line") {
    for (const auto& arguments : std::vector<std::vector<const char*>>{
             {"--no-such"}, {"lab3"}, {"-tc"}, {"--device", "x"}, {"--seed"}}) {
        const std::string text = complaint(arguments);
        CHECK_FALSE(text.empty());
        CHECK_FALSE(has(text, "\n"));
    }
}

TEST_CASE("a seed in the environment applies unless an option gives one") {
    ::setenv("HARNESS_SEED", "8", 1); // NOLINT(concurrency-mt-unsafe): no threads
    CHECK(parse({}).seed_given);
    CHECK(parse({}).session.seed == 8);
    CHECK(parse({"--seed", "3"}).session.seed == 3);
    ::setenv("HARNESS_SEED", "x", 1); // NOLINT(concurrency-mt-unsafe): likewise
    CHECK(has(complaint({}), "HARNESS_SEED"));
    ::unsetenv("HARNESS_SEED"); // NOLINT(concurrency-mt-unsafe): likewise
    CHECK_FALSE(parse({}).seed_given);
}
