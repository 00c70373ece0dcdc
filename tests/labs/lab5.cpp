#include "grader/case.hpp"
#include "scans.hpp"
#include "trials.hpp"

using namespace grader;

namespace {

const scans::Lab under_test{
    {"lab5_blelloch_scan.cl", "-cl-std=CL1.2"}, "exclusive_scan", scans::Kind::exclusive, 2};

} // namespace

LabInfo grader::describe_lab() {
    return {
        "lab5",
        "Exclusive scan by Blelloch",
        {{under_test.program.file, {"scan_groups", "add_offsets"}, {under_test.program.options}}},
        [](Case& test) { scans::check_small(test, under_test); },
        [](Case& test) { scans::draw_example(test, under_test, 13, 4); }};
}

TEST_CASE("one group" * points(2) *
          hint("The up-sweep builds sums in place, the root becomes 0, and the down-sweep passes "
               "the sums down again. Every step needs a barrier before it.")) {
    Case test;
    for (const std::size_t n :
         lengths_around(64 * under_test.elements_per_item, 64 * under_test.elements_per_item))
        scans::check_whole_numbers(test, under_test, n, 64);
}

TEST_CASE("every length" * points(2) *
          hint("Elements beyond the end count as 0, and work-items beyond the end must reach every "
               "barrier. The "
               "exclusive scan of the sums at g is the offset of group g.")) {
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
          hint("A group of m work-items takes 2 m elements. Read back only the result.")) {
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

TEST_CASE(
    "O(n) additions" * points(1) *
    hint("For a group of m elements, the up-sweep adds m - 1 pairs and so does the down-sweep. A "
         "scan in which all work-items add in every step takes m log2(m) additions.")) {
    Case test;
    scans::check_work(test, under_test);
}

TEST_CASE("time: what a scan should take" * points(1) *
          hint("All work-items must work in every step: one that goes through all of the data is "
               "not a parallel scan.")) {
    Case test;
    scans::check_time(test, under_test);
}
