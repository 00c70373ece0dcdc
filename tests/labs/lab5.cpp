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
        [](Case& lab) { scans::check_small(lab, under_test); }};
}

TEST_CASE("one group" * points(2) *
          hint("The up-sweep builds sums in place, the root becomes 0, the down-sweep passes them "
               "down again. Every "
               "step needs a barrier before it.")) {
    Case lab;
    for (const std::size_t n :
         lengths_around(64 * under_test.elements_per_item, 64 * under_test.elements_per_item))
        scans::check_whole_numbers(lab, under_test, n, 64);
}

TEST_CASE("every length" * points(2) *
          hint("Elements beyond the end count as 0, and work-items beyond the end must reach every "
               "barrier. The "
               "exclusive scan of the sums at g is the offset of group g.")) {
    Case lab;
    for (const std::size_t n : lengths_around(64 * under_test.elements_per_item, 70000))
        scans::check_whole_numbers(lab, under_test, n, 64);
}

TEST_CASE("three levels and more" * points(1) *
          hint("The sums of the groups can be more than one group takes, and the sums of their "
               "groups again. Let the function that scans a buffer call itself for the sums.")) {
    Case lab;
    for (const std::size_t size : {2, 4, 8}) {
        const std::size_t per_group = size * under_test.elements_per_item;
        const std::size_t cube = per_group * per_group * per_group;
        for (const std::size_t n : {cube - 1, cube, cube + 1, per_group * cube + 1})
            scans::check_whole_numbers(lab, under_test, n, size);
    }
}

TEST_CASE("every work-group size" * points(1) *
          hint("Local memory, the number of groups and the distances all follow from the "
               "work-group size.")) {
    Case lab;
    scans::check_every_group_size(lab, under_test);
}

TEST_CASE(
    "millions of elements" * points(1) *
    hint("If this fails where small inputs pass, look for a number of groups or bytes that is "
         "cut off, and for buffers of the sums that are too small.")) {
    Case lab;
    scans::check_whole_numbers(lab, under_test, lab.affordable((std::size_t{1} << 20) - 1), 128);
    scans::check_whole_numbers(lab, under_test, lab.affordable((std::size_t{1} << 24) + 1), 64);
}

TEST_CASE("floats that round" * points(1) *
          hint("Sums of floats stay floats on every level; an int on the way cuts off what stands "
               "after the point.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 1000, 65537})
        scans::check_random_floats(lab, under_test, n, 128);
}

TEST_CASE(
    "the kernels do the work" * points(1) *
    hint("Half a work-item an element: a group of m work-items takes 2 m elements. Nothing but the "
         "result is read back.")) {
    Case lab;
    scans::check_launches(lab, under_test);
}

TEST_CASE(
    "no data race" * points(2) *
    hint("Where one work-item reads what another one has written, a barrier lies between, with "
         "the flag of the memory they use: CLK_LOCAL_MEM_FENCE for local memory.")) {
    Case lab;
    lab.require_none(findings::races_and_locks);
}

TEST_CASE("barriers reached by all" * points(1) *
          hint("A barrier stands where every work-item of the group comes by: outside of every if "
               "that some do not take, and after no return.")) {
    Case lab;
    lab.require_none(findings::barriers);
}

TEST_CASE("inside its buffers" * points(1) *
          hint("Every index stays within its array, and local memory holds nothing until "
               "somebody has written it.")) {
    Case lab;
    lab.require_none(findings::bounds);
}

TEST_CASE("O(n) additions" * points(1) *
          hint("The up-sweep adds m - 1 pairs and the down-sweep m - 1 again, for a group of m "
               "elements; a scan that adds in every step everywhere takes m log2(m).")) {
    Case lab;
    scans::check_work(lab, under_test);
}

TEST_CASE("time: what a scan should take" * points(1) *
          hint("All work-items work in every step; one that walks through the data is no parallel "
               "scan.")) {
    Case lab;
    scans::check_time(lab, under_test);
}
