#include "grader/disagreement.hpp"

#include "helpers.hpp"

#include <doctest/doctest.h>

using grader::find_loop_bound;
using grader::find_loop_without_condition;
using helpers::has;

namespace {

const std::string block =
    " {\n    if (i) {\n        k = 1;\n    }\n    barrier(0);\n    if (k) {\n    }\n}";

std::string explain(const std::string& platform, const std::string& driver,
                    const std::string& kernels) {
    wire::DeviceInfo device;
    device.name = "some device";
    device.platform = platform;
    device.driver = driver;
    return grader::explain_disagreement(device,
                                        grader::KernelFile::from_text(kernels, "kernels/a.cl"));
}

} // namespace

TEST_CASE("a loop with a barrier that stops at the work-group size is found") {
    CHECK(find_loop_bound("\nfor (int s = 1; s < get_local_size(0); s *= 2)" + block) == 2);
    CHECK(find_loop_bound("for(s=1;s<n&&s<get_local_size (0);++s)" + block) == 1);
    CHECK(find_loop_bound("for (int s = get_local_size(0); s > 0; s /= 2)" + block) == 0);
}

TEST_CASE("a loop with a barrier and without a condition is found") {
    CHECK(find_loop_without_condition("\nfor (;;)" + block) == 2);
    CHECK(find_loop_without_condition("for (int i = 0; ; ++i)" + block) == 1);
    CHECK(find_loop_without_condition("while ( 1 )" + block) == 1);
    CHECK(find_loop_without_condition("do" + block + " while (true);") == 8);
    CHECK(find_loop_without_condition("for (int i = 0; i < n; ++i)\nwhile (i)" + block) == 0);
}

TEST_CASE("a loop whose barrier is elsewhere is not found") {
    const std::string swap = "while (true) {\n    if (swap())\n        break;\n}\n";
    CHECK(find_loop_without_condition(swap) == 0);
    CHECK(find_loop_without_condition(swap + "barrier(CLK_LOCAL_MEM_FENCE);") == 0);
}

TEST_CASE("a disagreement names the device, and the cause if it is known") {
    const std::string pocl = "Portable Computing Language";
    const std::string loop = "\nfor (int s = 1; s < get_local_size(0); s *= 2)" + block;
    const std::string copy = "wait_group_events(1, &e);\n";
    CHECK(has(explain("NVIDIA CUDA", "5.0", loop), "(some device)"));
    CHECK_FALSE(has(explain("NVIDIA CUDA", "5.0", loop), "known cause"));
    CHECK(has(explain(pocl, "3.1", loop), "(kernels/a.cl:2)"));
    CHECK(has(explain(pocl, "5.0-2.1build3", loop), "(kernels/a.cl:2)"));
    CHECK_FALSE(has(explain(pocl, "3.1", copy), "known cause"));
    CHECK(has(explain(pocl, "5.0", copy), "no wait_group_events()"));
    CHECK_FALSE(has(explain(pocl, "5.0", ""), "known cause"));
}

TEST_CASE("endless blanks use no stack") {
    const std::string blanks(std::size_t{200} << 10, ' ');
    CHECK(helpers::survives(
        [&] { (void)find_loop_bound("for" + blanks + "(;" + blanks + "get_local_size("); }));
}
