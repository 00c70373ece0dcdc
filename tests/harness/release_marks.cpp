#include "release/marks.hpp"
#include "release/package.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>

using doctest::Contains;
using release::starter_of;
using release::without_marks;

namespace {

const std::string host = "#include \"lab9.hpp\"\n"
                         "\n"
                         "// [left out]\n"
                         "int helper() { return 1; }\n"
                         "// [end]\n"
                         "\n"
                         "int solve(int n) {\n"
                         "    // [student] solve it\n"
                         "    // | 1. Think.\n"
                         "    // |    Twice.\n"
                         "    return n + helper();\n"
                         "    // [end]\n"
                         "}\n";

const std::string kernel = "// what the arguments are\n"
                           "__kernel void k(__global int* a) {\n"
                           "    const size_t i = get_global_id(0);\n"
                           "    // [student] k, adds one\n"
                           "    // | to every element\n"
                           "    a[i] += 1;\n"
                           "    // [end]\n"
                           "    // [student] k, and another one\n"
                           "    a[i] += 1; // [end] in the middle of a line is none\n"
                           "    // [end]\n"
                           "}\n";

doctest::String refusal(const std::string& text) {
    try {
        starter_of("solutions/x.cpp", text);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("a starter of host code says what to write and reports it to the harness") {
    CHECK(starter_of("lab9.cpp", host) == "#include \"lab9.hpp\"\n"
                                          "\n"
                                          "int solve(int n) {\n"
                                          "    // 1. Think.\n"
                                          "    //    Twice.\n"
                                          "    not_implemented(\"solve it\");\n"
                                          "}\n");
}

TEST_CASE("a starter of a kernel file has comments that say what to write") {
    CHECK(starter_of("lab9.cl", kernel) == "// what the arguments are\n"
                                           "__kernel void k(__global int* a) {\n"
                                           "    const size_t i = get_global_id(0);\n"
                                           "    // not implemented yet: k, adds one\n"
                                           "    // to every element\n"
                                           "    // not implemented yet: k, and another one\n"
                                           "}\n");
}

TEST_CASE("Markdown omits the parts that are not for students") {
    CHECK(starter_of("README.md",
                     "# Labs\n\n<!-- [left out] -->\n## Grading\n<!-- [end] -->\n\nType.\n") ==
          "# Labs\n\nType.\n");
    CHECK(starter_of("README.md", "One.\n<!-- [left out] -->\nTwo.\n<!-- [end] -->\n\nType.\n") ==
          "One.\n\nType.\n");
}

TEST_CASE("without its marks, a solution looks like a student's own code") {
    CHECK(without_marks("lab9.cpp", host) == "#include \"lab9.hpp\"\n"
                                             "\n"
                                             "int helper() { return 1; }\n"
                                             "\n"
                                             "int solve(int n) {\n"
                                             "    return n + helper();\n"
                                             "}\n");
    const std::string plain = without_marks("lab9.cl", kernel);
    CHECK(starter_of("lab9.cl", plain) == plain);
    CHECK(plain.find("[student]") == std::string::npos);
    CHECK(plain.find("// |") == std::string::npos);
}

TEST_CASE("mismatched marks are rejected with their line") {
    CHECK(refusal("a\n// [end]\n") == Contains("solutions/x.cpp:2: // [end] without"));
    CHECK(refusal("// [student] a\nb\n") ==
          Contains("solutions/x.cpp:1: no // [end] follows this mark"));
    CHECK(refusal("// [student] a\n// [student] b\n// [end]\n") ==
          Contains("solutions/x.cpp:2: // [end] is missing"));
    CHECK(refusal("// [left out]\n// [student] b\n// [end]\n") ==
          Contains("solutions/x.cpp:2: // [end] is missing"));
    CHECK(refusal("// [student]  \n// [end]\n") == Contains("solutions/x.cpp:1: say what"));
    CHECK(refusal("// [student] a \"b\"\n// [end]\n") ==
          Contains("solutions/x.cpp:1: this becomes"));
    CHECK(refusal("// [student] a\nb\n// | c\n// [end]\n") == Contains("solutions/x.cpp:3: // |"));
    CHECK(refusal("// [left out]\n// | c\n// [end]\n") == Contains("solutions/x.cpp:2: // |"));
    CHECK(refusal("// | c\n") == Contains("solutions/x.cpp:1: // |"));
}

TEST_CASE("labs/ and kernels/ match solutions/: if not, run make starters") {
    const release::Files starters = release::starters(".");
    CHECK(starters.size() >= 12);
    for (const auto& starter : starters) {
        const std::string path = starter.first.string();
        INFO(path);
        std::ifstream stream(path, std::ios::binary);
        const std::string there(std::istreambuf_iterator<char>(stream), {});
        CHECK((there == starter.second.text));
    }
}

TEST_CASE("every file that a page of the students' template links to or shows is in it") {
    const release::Files files = release::student_template(".");
    const std::regex link(R"(\]\(([^)#:]*[./][^)#:]*)(#[^)]*)?\))"); // in this repository
    std::size_t links = 0;
    for (const auto& page : files) {
        const std::filesystem::path& path = page.first;
        const std::string& text = page.second.text;
        if (path.extension() != ".md")
            continue;
        for (std::sregex_iterator one(text.begin(), text.end(), link), end; one != end;
             ++one, ++links) {
            const std::string target =
                (path.parent_path() / (*one)[1].str()).lexically_normal().string();
            INFO(path.string() << " links to " << target);
            CHECK(std::ranges::any_of(files, [&](const auto& other) {
                return other.first.string().starts_with(target);
            }));
        }
    }
    CHECK(links > 20);
}
