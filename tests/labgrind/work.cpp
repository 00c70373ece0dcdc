#include "labgrind/analyses/work.hpp"

#include <doctest/doctest.h>

using labgrind::Work;

namespace {

constexpr std::uint32_t some_site = 0;
constexpr int some_line = 7;
constexpr std::uint32_t some_buffer = 1;

void load_global(Work& work, std::size_t offset, std::size_t size) {
    work.global_access(some_site, false, some_buffer, offset, size, some_line);
}

} // namespace

TEST_CASE("work: repeated loads by a work-item count every time") {
    wire::WorkCounts counts;
    Work work(counts);
    work.switch_to(0);
    load_global(work, 0, 16);
    load_global(work, 4, 4);
    work.local_access(some_site, false, some_buffer, 0, 4);
    work.atomic(true, some_buffer, 0, 4);
    work.local_access(some_site, true, some_buffer, 64, 4); // a store
    work.switch_to(1);
    load_global(work, 0, 16);
    work.end_group();
    CHECK(counts.busiest_item_bytes == 20);
    CHECK(counts.global_bytes_loaded == 36);
}

TEST_CASE("work: the busiest and the idlest group are reported") {
    wire::WorkCounts counts;
    Work work(counts);
    work.switch_to(0);
    load_global(work, 0, 16);
    work.switch_to(1);
    load_global(work, 0, 16);
    work.local_access(some_site, false, some_buffer, 0, 128); // not global memory
    work.end_group();
    work.copy(some_buffer, 64, 8, 4);
    work.end_group();
    work.copy(some_buffer, 0, 64, 16);
    load_global(work, 32, 16);
    work.end_group();
    CHECK(counts.busiest_group_bytes == 64);
    CHECK(counts.idlest_group_bytes == 8);
    CHECK(counts.global_loads == 2 + 2 + 4 + 1); // one for each element that is copied
}

TEST_CASE("work: atomic operations on global memory, and groups with some, are counted") {
    wire::WorkCounts counts;
    Work work(counts);
    work.atomic(true, some_buffer, 0, 4);
    work.end_group();
    work.atomic(false, some_buffer, 0, 4);
    work.atomic(false, some_buffer, 0, 4);
    work.end_group();
    work.end_group();
    CHECK(counts.global_atomics == 2);
    CHECK(counts.groups_with_atomics == 1);
}

TEST_CASE("work: the span of a group adds up the busiest work-items between barriers") {
    wire::WorkCounts counts;
    Work work(counts);
    const auto add = [&](std::uint32_t item, std::uint32_t additions) {
        work.switch_to(item);
        work.additions(additions, some_line);
    };
    add(0, 5);
    add(1, 3);
    work.barrier();
    add(0, 1);
    add(1, 4);
    work.end_group();
    CHECK(counts.longest_span == 9);
    add(1, 8);
    work.end_group();
    CHECK(counts.longest_span == 9);
}

TEST_CASE("work: a byte of global memory that changes twice counts once") {
    wire::WorkCounts counts;
    Work work(counts);
    work.switch_to(0);
    work.global_access(some_site, true, some_buffer, 0, 8, some_line);
    work.atomic(false, some_buffer, 4, 4);
    work.atomic(true, some_buffer, 16, 4);
    work.end_group();
    work.switch_to(0);
    work.global_access(some_site, true, some_buffer, 0, 4, some_line);
    work.global_access(some_site, true, some_buffer + 1, 0, 4, some_line);
    work.end_group();
    CHECK(counts.global_bytes_changed == 12);
}
