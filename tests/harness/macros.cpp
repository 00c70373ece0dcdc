#include "grader/macros.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace {

/// What is said of the macros of a kernel file with this text.
std::vector<std::string> said_of(const std::string& text) {
    std::vector<std::string> texts;
    const auto file = grader::KernelFile::from_text(text, "kernels/lab1.cl");
    for (const auto& place : grader::macros_without_parentheses(file))
        texts.push_back(std::to_string(place.line) + ": " + place.text);
    return texts;
}

/// The same for one macro and a statement that uses it.
std::string said_of(const std::string& macro, const std::string& statement) {
    const auto texts = said_of("#define " + macro + "\nvoid f() {\n    " + statement + "\n}\n");
    return texts.empty() ? "" : texts.front();
}

} // namespace

TEST_CASE("a macro without parentheses is shown with what a use becomes") {
    CHECK(said_of("SIZE n + 1", "x = 2 * SIZE;") ==
          "1: the macro SIZE lacks parentheses: 2 * SIZE at line 3 becomes 2 * n + 1");
    CHECK(said_of("ITEMS groups() * size(0)", "x = n / 16 / ITEMS;") ==
          "1: the macro ITEMS lacks parentheses: 16 / ITEMS at line 3 becomes 16 / groups() * "
          "size(0)");
    CHECK(said_of("POWER(k) 1 << k", "x = size(0) / POWER(k);") ==
          "1: the macro POWER lacks parentheses: ... / POWER(k) at line 3 becomes ... / 1 << k");
    CHECK(said_of("P(i) i + i / 32", "x = t[P(r - d)];") ==
          "1: the macro P lacks parentheses: P(r - d) at line 3 becomes r - d + r - d / 32");
    CHECK(said_of("TWICE(i) (2 * i)", "x = TWICE(a + b);") ==
          "1: the macro TWICE lacks parentheses: TWICE(a + b) at line 3 becomes (2 * a + b)");
    CHECK(said_of("REST n - done", "x = all - REST;") != "");
    CHECK(said_of("SUM(a, b) a + b", "x = SUM(p, q) * 2;") != "");
    CHECK(said_of("LAST a == b", "if (x && !LAST) y;") ==
          "1: the macro LAST lacks parentheses: !LAST at line 3 becomes !a == b");
}

TEST_CASE("a macro whose uses mean what they seem to is not shown") {
    CHECK(said_of("SIZE (n + 1)", "x = 2 * SIZE;") == "");
    CHECK(said_of("SIZE n + 1", "x = t[SIZE];") == "");
    CHECK(said_of("SIZE n + 1", "x = f(SIZE, 2) + SIZE;") == "");
    CHECK(said_of("SIZE n * 4", "x = 1 + SIZE;") == "");
    CHECK(said_of("SIZE n * 4", "if (i < SIZE) y;") == "");
    CHECK(said_of("SUM(a, b) ((a) + (b))", "x = 2 * SUM(p + 1, q * 2);") == "");
    CHECK(said_of("LEFT(i) temp[i - d]", "x = 2 * LEFT(a + b);") == "");
    CHECK(said_of("NEGATIVE -1", "x = 2 * NEGATIVE;") == "");
    CHECK(said_of("SWAP(a, b) { int t = a; a = b; b = t; }", "SWAP(from, to)") == "");
    CHECK(said_of("SIZE 256", "x = 2 * SIZE;") == "");
    CHECK(said_of("EXISTS(i) i < n", "if (EXISTS(gid)) y;") == "");
    CHECK(said_of("AND(a) a", "if (AND(x") == ""); // it does not end
}

TEST_CASE("each macro is shown once, and macros of comments are none") {
    CHECK(said_of("#define A n + 1\nint x = 2 * A;\nint y = 3 * A;\n").size() == 1);
    CHECK(said_of("#define A n + 1\n#define B 2 * n\nint x = 2 * A;\nint y = 3 / B;\n").size() ==
          2);
    CHECK(said_of("// #define A n + 1\nint x = 2 * A;\n").empty());
}

TEST_CASE("long bodies and arguments are no expressions, and are not expanded") {
    const auto sum_of = [](const std::string& name, int terms) {
        std::string sum = name;
        for (int i = 1; i < terms; ++i)
            sum += " + " + name;
        return sum;
    };
    CHECK(said_of("SUM(a) " + sum_of("a", 10), "x = 2 * SUM(b);") != "");
    CHECK(said_of("SUM(a) " + sum_of("a", 10), "x = 2 * SUM(" + sum_of("b", 10) + ");") != "");
    CHECK(said_of("SUM(a) " + sum_of("a", 5000), "x = 2 * SUM(b);") == "");
    CHECK(said_of("SUM(a) " + sum_of("a", 10), "x = 2 * SUM(" + sum_of("b", 5000) + ");") == "");
}
