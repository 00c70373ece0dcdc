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
    for (const std::size_t n :
         lengths_around(64 * under_test.elements_per_item, 64 * under_test.elements_per_item))
        scans::check_whole_numbers(test, under_test, n, 64);
}

TEST_CASE(
    "every length" * points(2) *
    hint("Is the first group right, and the second? Is the last one, which is not full?",
         "Elements beyond the end count as 0, and work-items beyond the end must reach every "
         "barrier. The exclusive scan of the sums at g is the offset of group g.",
         "Each of the two elements of a work-item needs its own comparison with n, for loading and "
         "for storing. Save the root as the group's sum before you set it to 0.")) {
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
