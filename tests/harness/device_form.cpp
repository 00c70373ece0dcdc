#include "grader/device_form.hpp"

#include "helpers.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using grader::find_loop_bound;
using grader::hoist_local_sizes;
using helpers::has;
using helpers::times;

namespace {

wire::DeviceInfo device(const std::string& platform, const std::string& driver) {
    wire::DeviceInfo info;
    info.platform = platform;
    info.driver = driver;
    return info;
}

} // namespace

TEST_CASE("loop bounds are miscompiled by POCL, and by nobody else") {
    const std::string pocl = "Portable Computing Language";
    CHECK(grader::miscompiles_loop_bounds(device(pocl, "3.1")));
    CHECK(grader::miscompiles_loop_bounds(device(pocl, "5.0-2.1build3")));
    CHECK_FALSE(grader::miscompiles_loop_bounds(device("NVIDIA CUDA", "3.1")));
}

TEST_CASE("a loop up to the work-group's size is found") {
    CHECK(find_loop_bound("\nfor (int s = 1; s < get_local_size(0); s *= 2)") == 2);
    CHECK(find_loop_bound("for(s=1;s<n&&s<get_local_size (0);++s)") == 1);
    CHECK(find_loop_bound("for (int s = get_local_size(0); s > 0; s /= 2)") == 0);
}

TEST_CASE("work-group sizes are read where a function begins") {
    const std::string source = "#define N get_local_size(0) // {\n"
                               "/* ) { */ __kernel void one(__global int* a) {\n"
                               "    for (size_t s = 1; s < get_local_size(0); s *= 2) {\n"
                               "        printf(\"){\", '{', get_local_size( 1 ));\n"
                               "    }\n"
                               "}\n"
                               "struct pair { int a; };\n"
                               "int two(int n)\n"
                               "{ // )\n"
                               "    if (n) { return N; }\n"
                               "    return 0;\n"
                               "}\n";
    const std::string hoisted = hoist_local_sizes(source);
    CAPTURE(hoisted);
    const std::string declared = " const size_t grader_local_size_0 = get_local_size(0);";
    CHECK(has(hoisted, "one(__global int* a) {" + declared));
    CHECK(has(hoisted, "\n{" + declared));
    CHECK(times(hoisted, declared) == 2);
    CHECK(times(hoisted, "get_local_size(") == 6); // three dimensions for each of two functions
    CHECK(has(hoisted, "s < grader_local_size_0;"));
    CHECK(has(hoisted, "'{', grader_local_size_1)"));
    CHECK(has(hoisted, "#define N grader_local_size_0 "));
    CHECK(times(hoisted, "\n") == times(source, "\n"));
}

TEST_CASE("a POCL without wait_group_events gets a barrier in its place") {
    const std::string source = "kernel void f() {\n    wait_group_events(1, &e);\n}\n";
    const std::string pocl = "Portable Computing Language";
    const std::string form = grader::device_form(device(pocl, "5.0"), source);
    CHECK(has(form, "#define wait_group_events(count, events) barrier("));
    CHECK(form.substr(form.size() - source.size() - 8) == "#line 1\n" + source);
    CHECK(grader::device_form(device(pocl, "3.1"), source) == source);
    CHECK(grader::device_form(device("NVIDIA CUDA", "5.0"), source) == source);
    CHECK(grader::device_form(device(pocl, "5.0"), "kernel void f() {}") == "kernel void f() {}");

    const std::string loop = "kernel void f() { for (int i = 0; i < get_local_size(0); ++i) {} }\n";
    for (const char* version : {"3.1", "5.0"})
        CHECK(has(grader::device_form(device(pocl, version), loop), "i < grader_local_size_0;"));
    CHECK(has(grader::device_form(device(pocl, "5.0"), loop + source),
              "#line 1\n" + hoist_local_sizes(loop)));
}

TEST_CASE("what calls no work-group size stays as it is") {
    for (const std::string source : {"", "}{)(", "__kernel void f() { }", "\"", "'", "/*", "//",
                                     "#", "\\", "my_get_local_size(0)"})
        CHECK(hoist_local_sizes(source) == source);
}

TEST_CASE("blanks without end take no stack") {
    const std::string blanks(std::size_t{200} << 10, ' ');
    CHECK(helpers::survives([&] {
        (void)hoist_local_sizes("get_local_size" + blanks + "(" + blanks + "0" + blanks + ")");
        (void)find_loop_bound("for" + blanks + "(;" + blanks + "get_local_size(");
    }));
}
