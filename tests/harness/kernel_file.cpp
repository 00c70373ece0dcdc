#include "grader/kernel_file.hpp"
#include "grader/disagreement.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <stdexcept>

using grader::KernelFile;
using grader::parse_build_log;
using helpers::has;
using helpers::times;

namespace {

KernelFile file_of(const std::string& text) { return KernelFile::from_text(text, "kernels/a.cl"); }

/// The error when `path` is opened under the name kernels/sum.cl; "" if there is none.
std::string complaint(const std::string& path) {
    return helpers::what_of<std::runtime_error>([&] { KernelFile(path, "kernels/sum.cl"); });
}

} // namespace

TEST_CASE("a missing or empty kernel file is reported by name") {
    const helpers::TemporaryFolder folder;
    CHECK(has(complaint(folder.path("none.cl")), "kernels/sum.cl is missing"));
    CHECK(has(complaint(folder.write("empty.cl", "")), "kernels/sum.cl is empty"));
    CHECK(has(complaint(folder.write("white.cl", " \n\t\r\n  \n")), "kernels/sum.cl is empty"));
    CHECK(has(complaint(folder.path("")), "kernels/sum.cl")); // a folder
    CHECK(complaint(folder.write("short.cl", "x")).empty());
}

TEST_CASE("a kernel file is read unchanged") {
    const helpers::TemporaryFolder folder;
    const std::string text("first\r\n\n  third\tand \xFF\nfourth\0!", 30);
    const KernelFile file(folder.write("a.cl", text), "kernels/a.cl");
    CHECK(file.text() == text);
    CHECK(file.name() == "kernels/a.cl");
    CHECK(file.line(1) == "first");
    CHECK(file.line(2).empty());
    CHECK(file.line(3) == "  third\tand \xFF");
    CHECK(file.line(4) == text.substr(text.size() - 8));
    CHECK(file.line(5).empty());
    CHECK(file.line(0).empty());
    CHECK(file.line(-1).empty());
    CHECK(file.line(1 << 30).empty());
}

TEST_CASE("the line of a kernel") {
    const KernelFile file = file_of("// kernels\n"                                            // 1
                                    "float helper(float x) { return x; }\n"                   // 2
                                    "__kernel void reduce_all(__global float* a) {}\n"        // 3
                                    "kernel void reduce(global float* a) { helper(a[0]); }\n" // 4
                                    "__kernel\n"                                              // 5
                                    "__attribute__((reqd_work_group_size(64, 1, 1)))\n"       // 6
                                    "void\n"                                                  // 7
                                    "  scan  (__global float* a)\n"                           // 8
                                    "{ }\n"                                                   // 9
                                    "__attribute__((vec_type_hint(float4)))\n"                // 10
                                    "kernel void\tlast\n(global float* a) { reduce(a); }\n"); // 11
    CHECK(file.line_of_kernel("reduce_all") == 3);
    CHECK(file.line_of_kernel("reduce") == 4);
    CHECK(file.line_of_kernel("scan") == 5);
    CHECK(file.line_of_kernel("last") == 11);
    CHECK(file.line_of_kernel("red") == 0);
    CHECK(file.line_of_kernel("all") == 0);
    CHECK(file.line_of_kernel("helper") == 0);
    CHECK(file.line_of_kernel("none") == 0);
}

TEST_CASE("the line of a kernel in a file with CRLF") {
    const KernelFile file = file_of("\r\n// one\r\n__kernel\r\nvoid f(\r\n) {}\r\n");
    CHECK(file.line_of_kernel("f") == 3);
    CHECK(file.line(4) == "void f(");
    CHECK(file.quote(2) == "   2 | // one");
}

TEST_CASE("a kernel named in a line comment is not its definition") {
    CHECK(file_of("// The kernel reduce(a) adds up.\n"
                  "\n"
                  "__kernel void reduce(__global float* a) {}\n")
              .line_of_kernel("reduce") == 3);
    CHECK(file_of("// __kernel void reduce(__global float* a)\n").line_of_kernel("reduce") == 0);
}

TEST_CASE("a comment with the word kernel does not start the definition after it") {
    CHECK(file_of("// This kernel adds up what a group has\n"
                  "// (see the notes).\n"
                  "\n"
                  "__kernel void reduce(__global float* a) {}\n")
              .line_of_kernel("reduce") == 4);
}

TEST_CASE("a kernel named in a block comment is not its definition") {
    CHECK(file_of("/* Here the kernel void\n"
                  "   reduce(a) adds up. */\n"
                  "__kernel void reduce(__global float* a) {}\n")
              .line_of_kernel("reduce") == 3);
}

TEST_CASE("a long kernel file does not crash the grader") {
    const KernelFile comment = file_of("// a kernel " + std::string(300000, 'x') + "\n" +
                                       "__kernel void f(__global float* a) {}\n");
    CHECK(helpers::survives([&] { (void)comment.line_of_kernel("f"); }));
    CHECK(helpers::survives([&] { (void)comment.line_of_kernel("none"); }));
}

TEST_CASE("a large kernel file of any kind is read in one pass") {
    // An algorithm that rescans the text for each part of it takes minutes here.
    for (const char* pattern : {"f(",
                                "kernel f(",
                                "kernel f ",
                                "kernel ",
                                "__kernel void f(int a) {}\n",
                                "f ( ",
                                "/*",
                                "//",
                                "/**/",
                                "{",
                                "}",
                                "(",
                                "\"",
                                "'",
                                "\\\n",
                                "#",
                                "\n",
                                " ",
                                "x",
                                "f\n(",
                                "get_local_size",
                                "get_local_size(0)",
                                "get_local_size (",
                                "for(",
                                "for(;",
                                "for(;get_local_size",
                                "f(){",
                                "// not implemented yet: a\n"}) {
        CAPTURE(std::string(pattern));
        const std::string text = helpers::repeated(pattern, std::size_t{1} << 20);
        const KernelFile file = file_of(text + "\n__kernel void last(");
        for (int times = 0; times < 100; ++times)
            (void)file.line_of_kernel("f");
        (void)file.unimplemented();
        (void)grader::find_loop_bound(text);
    }
}

TEST_CASE("a large build log of any kind is read in one pass") {
    const KernelFile file = file_of("int a;\n");
    for (const char* pattern :
         {":1", "1:", ":", "1", "a:1:2: ", "a:1:2", "error: ", "error: a:1:2\n",
          " <Spelling=", "error: a:1:1 <Spelling=", ">: ", "a:1:1: error: b\n", "\n", " "}) {
        CAPTURE(std::string(pattern));
        const std::string log = helpers::repeated(pattern, std::size_t{1} << 20);
        (void)grader::explain_build_log(log, file);
        (void)grader::explain_build_log("error: " + log, file);
    }
}

TEST_CASE("missing implementations are found in both kinds of comments") {
    const auto places = file_of("// not implemented yet: the sum of a group  \r\n"
                                "int a;\n"
                                "    /* not implemented yet: the scan */\n"
                                "/*not implemented yet:both*/ int b;\n"
                                "// not implemented\n"
                                "// not implemented yet:\n")
                            .unimplemented();
    REQUIRE(places.size() == 4);
    CHECK(places[0].line == 1);
    CHECK(places[0].text == "the sum of a group");
    CHECK(places[1].line == 3);
    CHECK(places[1].text == "the scan");
    CHECK(places[2].line == 4);
    CHECK(has(places[2].text, "both"));
    CHECK(places[3].line == 6);
    CHECK(places[3].text.empty());
    CHECK(file_of("int a;\n").unimplemented().empty());
}

TEST_CASE("a quoted line has its number and a caret under the column") {
    std::string text;
    for (int i = 1; i < 12; ++i)
        text += "\n";
    const KernelFile file = file_of(text + "\tint\tx;\n");
    CHECK(file.quote(12) == "  12 |  int x;");
    CHECK(file.quote(12, 0) == file.quote(12));
    CHECK(file.quote(12, 1) == "  12 |  int x;\n       ^");
    CHECK(file.quote(12, 6) == "  12 |  int x;\n            ^");
    CHECK(file.quote(99) == "  99 | ");
    const std::string quoted = file.quote(12, 6);
    const auto newline = quoted.find('\n');
    CHECK(quoted[quoted.find('^') - newline - 1] == 'x'); // the caret is under column 6
}

TEST_CASE("a quoted line may have a large number") {
    std::string text(123455, '\n');
    const std::string quoted = file_of(text + "abc\n").quote(123456, 2);
    CHECK(quoted.substr(0, quoted.find('\n')) == "123456 | abc");
    CHECK(quoted[quoted.find('^') - quoted.find('\n') - 1] == 'b');
}

TEST_CASE("a caret far beyond the end of its line uses no memory") {
    const std::string quoted = file_of("abc\n").quote(1, 50000000);
    CHECK(quoted.size() < 100000);
}

TEST_CASE("build logs of POCL 3.1") {
    const auto found = parse_build_log(
        "error: /root/.cache/pocl/kcache/tempfile_iK11QJ.cl:1:105: use of undeclared identifier "
        "'IDENTITY'\n"
        "warning: /root/.cache/pocl/kcache/tempfile_iK11QJ.cl:22:3: unused: 'x'\n"
        "fatal error: /x/y.cl:2:10: 'a.h' file not found\n");
    REQUIRE(found.size() == 3);
    CHECK(found[0].severity == grader::Diagnostic::Severity::error);
    CHECK(found[0].line == 1);
    CHECK(found[0].column == 105);
    CHECK(found[0].text == "use of undeclared identifier 'IDENTITY'");
    CHECK(found[1].severity == grader::Diagnostic::Severity::warning);
    CHECK(found[1].line == 22);
    CHECK(found[1].column == 3);
    CHECK(found[1].text == "unused: 'x'");
    CHECK(found[2].severity == grader::Diagnostic::Severity::fatal_error);
    CHECK(found[2].line == 2);
}

TEST_CASE("build logs of POCL 3.1 where a macro is to blame") {
    const auto from_command_line =
        parse_build_log("error: /x/tempfile_iK11QJ.cl:1:137 <Spelling=<command line>:5:22>: use of "
                        "undeclared identifier 'c'\n");
    REQUIRE(from_command_line.size() == 1);
    CHECK(from_command_line[0].severity == grader::Diagnostic::Severity::error);
    CHECK(from_command_line[0].line == 1);
    CHECK(from_command_line[0].column == 137);
    CHECK(from_command_line[0].text == "use of undeclared identifier 'c'");

    const auto from_file =
        parse_build_log("error: /x/tempfile_iK11QJ.cl:9:5 <Spelling=/x/tempfile_iK11QJ.cl:3:17>: "
                        "use of undeclared identifier 'd'\n");
    REQUIRE(from_file.size() == 1);
    CHECK(from_file[0].line == 9);
    CHECK(from_file[0].column == 5);
    CHECK(from_file[0].text == "use of undeclared identifier 'd'");
}

TEST_CASE("build logs in clang's format are parsed") {
    const auto found = parse_build_log("<kernel>:12:5: error: expected ';' after expression\n"
                                       "    int x\n"
                                       "        ^\n"
                                       "input.cl:3:4: error: use of undeclared identifier 'y'\n"
                                       "input.cl:5:6: warning: a: b:7:8: error: c\n"
                                       "  /tmp/x-1/a.cl:7:8: fatal error: too many errors\n"
                                       "<kernel>:4:1: note: to match this '{'\n"
                                       "1 error generated.\n");
    REQUIRE(found.size() == 4);
    CHECK(found[0].severity == grader::Diagnostic::Severity::error);
    CHECK(found[0].line == 12);
    CHECK(found[0].column == 5);
    CHECK(found[0].text == "expected ';' after expression");
    CHECK(found[1].line == 3);
    CHECK(found[1].column == 4);
    CHECK(found[1].text == "use of undeclared identifier 'y'");
    CHECK(found[2].severity == grader::Diagnostic::Severity::warning);
    CHECK(found[2].line == 5);
    CHECK(found[2].column == 6);
    CHECK(found[3].severity == grader::Diagnostic::Severity::fatal_error);
    CHECK(found[3].line == 7);
}

TEST_CASE("text that is not a build log has no messages") {
    CHECK(parse_build_log("").empty());
    CHECK(parse_build_log("\n\n").empty());
    CHECK(parse_build_log("error: nobody knows\nLINK FAILED 3:4\n:::\n1:2:3\n").empty());
    CHECK(parse_build_log("a.cl:99999999999999999999:1: error: far\n").empty());
    CHECK(parse_build_log("a.cl:1:99999999999999999999: error: far\n").empty());
    CHECK(parse_build_log(std::string("\0\xFF\x80:1:x: error: \n", 17)).empty());
}

TEST_CASE("a build log with CRLF is parsed") {
    const auto found = parse_build_log("<kernel>:12:5: error: expected ';'\r\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == 12);
    CHECK(found[0].text.substr(0, 12) == "expected ';'");
}

TEST_CASE("a long line in a build log does not crash the grader") {
    // For example, the result of #error with a long text, or of a generated line of source.
    const std::string text = "<kernel>:1:2: error: " + std::string(300000, 'x') + "\n";
    CHECK(helpers::survives([&] { (void)parse_build_log(text); }));
    CHECK(helpers::survives([] { (void)parse_build_log(std::string(300000, 'x')); }));
}

TEST_CASE("an explained build log shows each error at its location") {
    const KernelFile file = file_of("int a;\n\tint b\nint c;\n");
    const std::string text = grader::explain_build_log("<kernel>:3:1: warning: c is not used\n"
                                                       "<kernel>:2:6: error: expected ';'\n",
                                                       file);
    CHECK(text == "kernels/a.cl:2:6: expected ';'\n"
                  "   2 |  int b\n"
                  "            ^");
}

TEST_CASE("an explained build log shows at most five errors") {
    std::string lines;
    std::string log;
    for (int i = 1; i <= 8; ++i) {
        lines += "line" + std::to_string(i) + "\n";
        log += "<kernel>:" + std::to_string(i) + ":1: error: wrong" + std::to_string(i) + "\n";
    }
    const KernelFile file = file_of(lines);
    const std::string text = grader::explain_build_log(log, file);
    CHECK(times(text, ": wrong") == 5);
    CHECK(times(text, "^") == 5);
    CHECK(has(text, "kernels/a.cl:5:1: wrong5"));
    CHECK_FALSE(has(text, "wrong6"));
    CHECK(has(text, "3 more errors"));

    const std::string six = grader::explain_build_log(log.substr(0, log.find("<kernel>:7")), file);
    CHECK(six.ends_with("... and 1 more error"));

    const std::string five = grader::explain_build_log(log.substr(0, log.find("<kernel>:6")), file);
    CHECK(times(five, ": wrong") == 5);
    CHECK_FALSE(has(five, "more"));
}

TEST_CASE("an unrecognized build log is shown unchanged, in part if it is long") {
    const KernelFile file = file_of("int a;\n");
    CHECK(has(grader::explain_build_log("LINK ERROR: no such thing\n", file),
              "LINK ERROR: no such thing"));
    CHECK(has(grader::explain_build_log("<kernel>:1:1: warning: only this\n", file), "only this"));
    CHECK_NOTHROW(grader::explain_build_log("", file));
    const std::string cut = grader::explain_build_log(std::string(5000, 'x'), file);
    CHECK(times(cut, "x") == 4000);
    CHECK(has(cut, "1000 more bytes"));
}
