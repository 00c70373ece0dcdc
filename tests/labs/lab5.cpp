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
        scans::examples(under_test, {{13, 4}, {16, 4}, {1, 4}, {3, 2}, {8, 4}}),
        scans::effect(under_test)};
}

TEST_CASE(
    "one group" * points(2) *
    hint("Draw the up-sweep and the down-sweep for eight elements. Which of the two first goes "
         "wrong?",
         "The up-sweep builds sums in place, the root becomes 0, and the down-sweep passes the "
         "sums down again. Every step needs a barrier before it.",
         "In a step of distance d, work-item lid works on left = d * (2 * lid + 1) - 1 and right = "
         "d * (2 * lid + 2) - 1, if lid is below the number of nodes. Up: right becomes left + "
         "right. Down: left becomes the old right, and right becomes the old left + right.")) {
    Case test;
    scans::check_one_group(test, under_test);
}

TEST_CASE(
    "every length" * points(2) *
    hint("Is the first group right, and the second? Is the last one, which is not full?",
         "Elements beyond the end count as 0, and work-items beyond the end must reach every "
         "barrier. The exclusive scan of the sums at g is the offset of group g.",
         "Each of the two elements of a work-item needs its own comparison with n, for loading and "
         "for storing. Save the root as the group's sum before you set it to 0.")) {
    Case test;
    scans::check_lengths(test, under_test);
}

TEST_CASE("three levels and more" * points(1) * scans::levels_hint()) {
    Case test;
    scans::check_levels(test, under_test);
}

TEST_CASE("every work-group size" * points(1) * scans::group_sizes_hint()) {
    Case test;
    scans::check_every_group_size(test, under_test);
}

TEST_CASE("millions of elements" * points(1) * scans::millions_hint()) {
    Case test;
    scans::check_millions(test, under_test);
}

TEST_CASE("floats that round" * points(1) * scans::floats_hint()) {
    Case test;
    scans::check_rounding(test, under_test);
}

TEST_CASE("the kernels do the work" * points(1) *
          hint("The message says which launch or read is different.",
               "A group of m work-items takes 2 m elements. Read back only the result.",
               "The number of groups is (n + 2 * size - 1) / (2 * size), the global size is groups "
               "* size, and the local memory is 2 * size floats. One enqueueReadBuffer at the end "
               "reads n floats.")) {
    Case test;
    scans::check_launches(test, under_test);
}

TEST_CASE(
    "O(n) additions" * points(1) *
    hint("How many work-items add in the second step of your up-sweep?",
         "For a group of m elements, the up-sweep adds m - 1 pairs and so does the down-sweep. A "
         "scan in which all work-items add in every step takes m log2(m) additions.",
         "Half as many work-items work in each step of the up-sweep, and twice as many in each "
         "step of the down-sweep: compare lid with the number of nodes of that step.")) {
    Case test;
    scans::check_work(test, under_test);
}

TEST_CASE("no data race" * points(2) * reports(findings::races_and_locks) * hints::local_races()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("barriers reached by all" * points(1) * reports(findings::barriers) * hints::barriers()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("inside its buffers" * points(1) * reports(findings::bounds) * hints::bounds()) {
    Case test;
    test.require_no_findings();
}

TEST_CASE(
    "time: what a scan should take" * points(1) *
    hint(
        "Which work-items do nothing while others work?",
        "In each step, one work-item for each node of the tree adds. If one work-item goes through "
        "all of the data, it is not a parallel scan.",
        "Scan in local memory, read and write each element of values once in scan_groups, and "
        "scan the group sums with the same kernel, not on the host or with one work-item.")) {
    Case test;
    scans::check_time(test, under_test);
}
