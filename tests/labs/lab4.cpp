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
    for (const std::size_t n :
         lengths_around(64 * under_test.elements_per_item, 64 * under_test.elements_per_item))
        scans::check_whole_numbers(test, under_test, n, 64);
}

TEST_CASE("every length" * points(2) *
          hint("Is the first group right, and the second? Is the last one, which is not full?",
               "Work-items beyond the end must not read or write values, but they must reach every "
               "barrier. The offset of group g is the inclusive scan of the sums at g - 1.",
               "Load values[gid] if gid < n, otherwise 0. Store only if gid < n. In add_offsets, "
               "group 0 adds nothing; group g adds scanned_sums[g - 1].")) {
    Case test;
    for (const std::size_t n : lengths_around(64 * under_test.elements_per_item, 70000))
        scans::check_whole_numbers(test, under_test, n, 64);
    scans::check_signs(test, under_test, 1000, 64);
}

TEST_CASE("three levels and more" * points(1) *
          hint("How many group sums are there, and how many elements can one group scan?",
               "The group sums can be more than one group takes, and so can the sums of their "
               "groups. Let the function that scans a buffer call itself for the sums.",
               "Write a function that scans the first n floats of a buffer in place: launch "
               "scan_groups with a new buffer of group sums; if there is more than one group, call "
               "the function itself for the group sums, and then launch add_offsets.")) {
    Case test;
    for (const std::size_t size : {2, 4, 8}) {
        const std::size_t per_group = size * under_test.elements_per_item;
        const std::size_t cube = per_group * per_group * per_group;
        for (const std::size_t n : {cube - 1, cube, cube + 1, per_group * cube + 1})
            scans::check_whole_numbers(test, under_test, n, size);
    }
}

TEST_CASE("every work-group size" * points(1) *
          hint("Do some work-group sizes work? Then look for a number in your code that is "
               "one of those sizes.",
               "Compute the local memory, the number of groups and the distances from the "
               "work-group size.",
               "In the kernel, take the size from get_local_size(0). On the host, pass cl::Local "
               "with as many floats as a group has elements, and round the number of groups up.")) {
    Case test;
    scans::check_every_group_size(test, under_test);
}

TEST_CASE("millions of elements" * points(1) *
          hint("If short inputs pass, look for what grows with the input.",
               "If this fails but small inputs pass, look for a truncated number of groups or "
               "bytes, and for a buffer of sums that is too small.",
               "Use std::size_t on the host and size_t or uint in the kernel. The buffer of sums "
               "has groups * sizeof(cl_float) bytes, on every level.")) {
    Case test;
    scans::check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 20) - 1), 128);
    scans::check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 24) + 1), 64);
}

TEST_CASE("floats that round" * points(1) *
          hint("If whole numbers pass, look for a place where a fraction gets lost.",
               "Sums of floats stay floats on every level. Somewhere, an int drops the fraction.",
               "Check the types of temp, of all variables in the kernels and of the group sums: "
               "each of them is a float.")) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537})
        scans::check_random_floats(test, under_test, n, 128);
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
