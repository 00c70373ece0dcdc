#include "grader/case.hpp"
#include "scans.hpp"
#include "trials.hpp"

using namespace grader;

namespace {

const scans::Lab under_test{
    {"lab4_hillis_steele_scan.cl", "-cl-std=CL1.2"}, "inclusive_scan", scans::Kind::inclusive, 1};

} // namespace

LabInfo grader::describe_lab() {
    return {
        "lab4",
        "Inclusive scan by Hillis and Steele",
        {{under_test.program.file, {"scan_groups", "add_offsets"}, {under_test.program.options}}},
        [](Case& test) { scans::check_small(test, under_test); },
        [](Case& test) { scans::draw_example(test, under_test, 13, 8); }};
}

TEST_CASE("one group" * points(2) *
          hint("In the step of distance d, work-item i adds temp[i - d] if there is one. All must "
               "have read before any writes, and all must have written before any reads: two "
               "barriers per step.")) {
    Case test;
    for (const std::size_t n :
         lengths_around(64 * under_test.elements_per_item, 64 * under_test.elements_per_item))
        scans::check_whole_numbers(test, under_test, n, 64);
}

TEST_CASE("every length" * points(2) *
          hint("Work-items beyond the end must not read or write values, but they must reach every "
               "barrier. The "
               "offset of group g is the inclusive scan of the sums at g - 1.")) {
    Case test;
    for (const std::size_t n : lengths_around(64 * under_test.elements_per_item, 70000))
        scans::check_whole_numbers(test, under_test, n, 64);
}

TEST_CASE("three levels and more" * points(1) *
          hint("The group sums can be more than one group takes, and so can the sums of their "
               "groups. Let the function that scans a buffer call itself for the sums.")) {
    Case test;
    for (const std::size_t size : {2, 4, 8}) {
        const std::size_t per_group = size * under_test.elements_per_item;
        const std::size_t cube = per_group * per_group * per_group;
        for (const std::size_t n : {cube - 1, cube, cube + 1, per_group * cube + 1})
            scans::check_whole_numbers(test, under_test, n, size);
    }
}

TEST_CASE("every work-group size" * points(1) *
          hint("Compute the local memory, the number of groups and the distances from the "
               "work-group size.")) {
    Case test;
    scans::check_every_group_size(test, under_test);
}

TEST_CASE("millions of elements" * points(1) *
          hint("If this fails but small inputs pass, look for a truncated number of groups or "
               "bytes, and for a buffer of sums that is too small.")) {
    Case test;
    scans::check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 20) - 1), 128);
    scans::check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 24) + 1), 64);
}

TEST_CASE(
    "floats that round" * points(1) *
    hint("Sums of floats stay floats on every level. An int on the way drops the fraction.")) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537})
        scans::check_random_floats(test, under_test, n, 128);
}

TEST_CASE("the kernels do the work" * points(1) *
          hint("Use one work-item per element in the first launch of scan_groups, and read back "
               "only the result: scan the sums on the device, too.")) {
    Case test;
    scans::check_launches(test, under_test);
}

TEST_CASE("no data race" * points(2) *
          hint("If one work-item reads what another has written, put a barrier in between, with "
               "the flag for the memory they use: CLK_LOCAL_MEM_FENCE for local memory.")) {
    Case test;
    test.require_none(findings::races_and_locks);
}

TEST_CASE("barriers reached by all" * points(1) *
          hint("Every work-item of the group must reach every barrier. Put no barrier inside an if "
               "that some work-items skip, and none after a return.")) {
    Case test;
    test.require_none(findings::barriers);
}

TEST_CASE("inside its buffers" * points(1) *
          hint("Keep every index within its array. Local memory is uninitialized until a work-item "
               "writes to it.")) {
    Case test;
    test.require_none(findings::bounds);
}

TEST_CASE("n log n additions" * points(1) *
          hint("In step d, every work-item from d on adds one pair: a group of m elements takes at "
               "most m log2(m) additions, and each work-item at most log2(m).")) {
    Case test;
    scans::check_work(test, under_test);
}

TEST_CASE("time: what a scan should take" * points(1) *
          hint("All work-items must work in every step: one that goes through all of the data is "
               "not a parallel scan.")) {
    Case test;
    scans::check_time(test, under_test);
}
