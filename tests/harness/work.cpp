#include "grader/work.hpp"

#include <doctest/doctest.h>

namespace {

wire::WorkCounts launch_of(const std::string& kernel, std::uint64_t number) {
    wire::WorkCounts work;
    work.kernel = kernel;
    work.launches = 1;
    work.additions = 10 * number;
    work.lone_additions = number;
    work.busiest_item_additions = number;
    work.busiest_group_additions = 100 - number;
    work.busiest_group_bytes = 4 * number;
    work.idlest_group_bytes = 8 * number;
    return work;
}

} // namespace

TEST_CASE("the counts of a kernel's launches add up") {
    const wire::WorkCounts total = grader::total_work(
        {launch_of("scan", 2), launch_of("add", 9), launch_of("scan", 3), launch_of("scan", 1)},
        "scan");
    CHECK(total.kernel == "scan");
    CHECK(total.launches == 3);
    CHECK(total.additions == 60);
    CHECK(total.lone_additions == 6);
    CHECK(total.busiest_item_additions == 3);
    CHECK(total.busiest_group_additions == 97); // of the group of that work-item
    CHECK(total.busiest_group_bytes == 12);
    CHECK(total.idlest_group_bytes == 8);
}

TEST_CASE("a kernel that was not launched has no counts") {
    const wire::WorkCounts total = grader::total_work({launch_of("add", 9)}, "scan");
    for (const wire::WorkCount& count : wire::work_counts) {
        CAPTURE(count.name);
        CHECK(total.*count.value == 0);
    }
}
