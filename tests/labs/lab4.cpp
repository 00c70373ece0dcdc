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
        scans::examples(under_test, {{13, 8}, {16, 8}, {1, 4}, {3, 2}, {8, 8}}),
        scans::effect(under_test)};
}

TEST_CASE("one group" * points(2) *
          hint("Draw the steps of distance 1, 2 and 4 for eight elements. Which elements are added "
               "in each?",
               "In the step of distance d, work-item i adds temp[i - d] if there is one. All must "
               "have read before any writes, and all must have written before any reads: two "
               "barriers per step.",
               "Read the left neighbor into a variable (0 if lid is below the distance), barrier, "
               "add it to temp[lid], barrier, double the distance. The distance goes from 1 to "
               "below the size of the group.")) {
    Case test;
    scans::check_one_group(test, under_test);
}

TEST_CASE("every length" * points(2) *
          hint("Is the first group right, and the second? Is the last one, which is not full?",
               "Work-items beyond the end must not read or write values, but they must reach every "
               "barrier. The offset of group g is the inclusive scan of the sums at g - 1.",
               "Load values[gid] if gid < n, otherwise 0. Store only if gid < n. In add_offsets, "
               "group 0 adds nothing; group g adds scanned_sums[g - 1].")) {
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
               "Use one work-item per element in the first launch of scan_groups, and read back "
               "only the result: scan the sums on the device, too.",
               "The global size is the number of groups times the work-group size, for scan_groups "
               "and for add_offsets. One enqueueReadBuffer at the end reads n floats.")) {
    Case test;
    scans::check_launches(test, under_test);
}

TEST_CASE("n log n additions" * points(1) *
          hint("Count the additions of one group of 8 by hand: there are three steps.",
               "In the step with distance d, every work-item whose local id is at least d adds one "
               "pair: a group of m elements takes at most m log2(m) additions, and each work-item "
               "at most log2(m).",
               "The distance doubles in each step. One loop, one addition in each round; the group "
               "sum is what the last work-item has at the end, and add_offsets adds once.")) {
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
    hint("Which work-items do nothing while others work?",
         "All work-items must work in every step: one that goes through all of the data is not a "
         "parallel scan.",
         "Scan in local memory, read and write each element of values once in scan_groups, and "
         "scan the group sums with the same kernel, not on the host or with one work-item.")) {
    Case test;
    scans::check_time(test, under_test);
}
