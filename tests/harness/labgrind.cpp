#include "labgrind/analyses/locks.hpp"
#include "labgrind/analyses/order.hpp"
#include "labgrind/analyses/races.hpp"
#include "labgrind/analyses/swaps.hpp"
#include "labgrind/analyses/waits.hpp"
#include "labgrind/analyses/work.hpp"
#include "labgrind/reports/findings.hpp"

#include <doctest/doctest.h>

using namespace labgrind;

namespace {

/// The address of a lock.
constexpr std::uint64_t mutex = 1000;

/// Two groups of two work-items each, numbered 0, 1 and 2, 3.
struct TwoGroups {
    Order order;
    Races races;

    void begin(std::uint32_t group) { order.begin_group(group, 2 * group, 2); }
    bool access(std::uint32_t item, bool write, bool atomic = false, std::size_t offset = 0,
                std::size_t size = 4, bool same_value = false) {
        Access one;
        one.epoch = order.epoch(item);
        one.write = write;
        one.atomic = atomic;
        const auto conflict = races.access(order, 1, offset, size, one, same_value);
        return conflict && !conflict->is_load_race;
    }
    bool write(std::uint32_t item) { return access(item, true); }
    bool read(std::uint32_t item) { return access(item, false); }
    void fence(std::uint32_t item) { order.fence(item, true, true); }
    void atomic(std::uint32_t item) { order.atomic(item, mutex, true, true); }
};

AtomicStep take(std::uint32_t item, std::uint64_t before = 0) {
    AtomicStep step;
    step.item = item;
    step.word = mutex;
    step.tries = true;
    step.site = 1;
    step.before = before;
    step.after = 1;
    step.writes = before == 0;
    step.changes = step.writes;
    step.spin = 77;
    return step;
}

AtomicStep release(std::uint32_t item) {
    AtomicStep step;
    step.item = item;
    step.word = mutex;
    step.site = 2;
    step.writes = true;
    step.changes = true;
    step.before = 1;
    step.after = 0;
    return step;
}

} // namespace

TEST_CASE("races: work-items of a group conflict unless a barrier separates them") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.write(0));
    CHECK_FALSE(run.read(0));
    CHECK(run.read(1));
    run.order.barrier(true);
    CHECK_FALSE(run.read(1));
    CHECK(run.write(0)); // item 1 has read since the barrier
}

TEST_CASE("races: a barrier for the other address space orders nothing") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.write(0));
    run.order.barrier(false);
    CHECK(run.read(1));
}

TEST_CASE("races: reads and disjoint bytes never conflict") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.read(0));
    CHECK_FALSE(run.read(1));
    CHECK_FALSE(run.access(0, true, false, 8, 1));
    CHECK_FALSE(run.access(1, true, false, 9, 1));
    CHECK(run.access(1, true, false, 8, 2));
}

TEST_CASE("races: a vector conflicts in any of its words") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.access(0, true, false, 0, 16));
    CHECK(run.access(1, false, false, 12, 4));
}

TEST_CASE("races: storing the same value twice is no conflict, but storing another one is") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.write(0));
    CHECK_FALSE(run.access(1, true, false, 0, 4, true));
    CHECK(run.access(1, true, false, 0, 4, false));
}

TEST_CASE("races: atomics conflict only with ordinary stores") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.access(0, true, true));
    CHECK_FALSE(run.access(1, true, true));
    CHECK(run.write(0));
    // Atomics before the item's own atomic no longer conflict.
    CHECK_FALSE(run.access(1, true, true, 8));
    CHECK_FALSE(run.access(0, true, true, 8));
    CHECK_FALSE(run.access(0, true, false, 8));
}

TEST_CASE("races: an atomic does not hide an earlier ordinary store") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.write(0));
    CHECK_FALSE(run.access(0, true, true));
    run.begin(1);
    CHECK(run.access(2, true, true));
}

TEST_CASE("races: groups are ordered by a fence before and a fence after an atomic") {
    for (const bool before : {false, true}) {
        for (const bool after : {false, true}) {
            CAPTURE(before);
            CAPTURE(after);
            TwoGroups run;
            run.begin(0);
            run.write(0);
            if (before)
                run.fence(0);
            run.atomic(0);
            run.begin(1);
            run.atomic(2);
            if (after)
                run.fence(2);
            CHECK(run.read(2) == !(before && after));
        }
    }
}

TEST_CASE("races: work-items that synchronize are ordered by a fence before and a fence after") {
    for (const bool before : {false, true}) {
        for (const bool after : {false, true}) {
            CAPTURE(before);
            CAPTURE(after);
            TwoGroups run;
            run.begin(0);
            run.write(0);
            if (before)
                run.fence(0);
            run.order.barrier(false);
            if (after)
                run.fence(1);
            CHECK(run.read(1) == !(before && after));
        }
    }
}

TEST_CASE("races: an asynchronous copy ends when all work-items have waited for it") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.write(0));
    CHECK(run.read(copies)); // no barrier lies between
    run.order.barrier(true);
    CHECK_FALSE(run.write(copies));
    CHECK(run.read(1));
    run.order.copies_done();
    CHECK_FALSE(run.read(1));
    run.begin(1);
    CHECK(run.read(2));
}

TEST_CASE("races: a fence does not publish later stores") {
    TwoGroups run;
    run.begin(0);
    run.fence(0);
    run.write(0);
    run.atomic(0);
    run.begin(1);
    run.atomic(2);
    run.fence(2);
    CHECK(run.read(2));
}

TEST_CASE("races: a barrier shares one work-item's knowledge with its group") {
    TwoGroups run;
    run.begin(0);
    run.write(0);
    run.fence(0);
    run.atomic(0);
    run.begin(1);
    run.atomic(2);
    SUBCASE("with its flag") {
        run.order.barrier(true);
        CHECK_FALSE(run.read(3));
    }
    SUBCASE("without it") {
        run.order.barrier(false);
        CHECK(run.read(3));
    }
    SUBCASE("without it, but with a fence after it") {
        run.order.barrier(false);
        run.fence(3);
        CHECK_FALSE(run.read(3));
    }
}

TEST_CASE("races: an atomic publishes what others released before they met") {
    for (const bool released : {false, true}) {
        CAPTURE(released);
        TwoGroups run;
        run.begin(0);
        run.write(1);
        if (released)
            run.fence(1);
        run.order.barrier(false);
        run.atomic(0);
        run.begin(1);
        run.atomic(2);
        run.fence(2);
        CHECK(run.read(2) == !released);
    }
}

TEST_CASE("races: a barrier publishes the stores of all work-items in the group") {
    TwoGroups run;
    run.begin(0);
    run.write(1);
    run.order.barrier(true);
    run.atomic(0);
    run.begin(1);
    run.atomic(2);
    run.fence(2);
    CHECK_FALSE(run.read(2));
}

TEST_CASE("races: knowledge passes from group to group") {
    Order order;
    Races races;
    const auto read = [&](std::uint32_t item) {
        Access one;
        one.epoch = order.epoch(item);
        return races.access(order, 1, 0, 4, one, false).has_value();
    };
    order.begin_group(0, 0, 1);
    Access write;
    write.epoch = order.epoch(0);
    write.write = true;
    races.access(order, 1, 0, 4, write, false);
    for (std::uint32_t group = 0; group < 3; ++group) {
        order.begin_group(group, group, 1);
        order.atomic(group, mutex, true, true);
        order.fence(group, true, true);
        order.atomic(group, mutex, true, true);
    }
    // Group 0 begins again, as if another group had written: the write is visible after its fence.
    CHECK_FALSE(read(2));
}

TEST_CASE("locks: a word is a lock once it has been released") {
    Locks locks;
    locks.atomic(take(0));
    CHECK_FALSE(locks.is_lock(mutex));
    CHECK(locks.held_by(0) == 1);
    locks.atomic(release(0));
    CHECK(locks.is_lock(mutex));
    CHECK(locks.held_by(0) == 0);
    CHECK(locks.strays().empty());
}

TEST_CASE("locks: a word that takes many values is not a lock") {
    Locks locks;
    for (std::uint64_t value = 0; value < 5; ++value) {
        AtomicStep step = take(static_cast<std::uint32_t>(value), value);
        step.tries = value == 0;
        step.after = value + 1;
        step.writes = step.changes = true;
        locks.atomic(step);
    }
    CHECK_FALSE(locks.is_lock(mutex));
    CHECK(locks.contended().at(mutex).values.size() == 5);
    CHECK_FALSE(locks.contended().at(mutex).lock);
}

TEST_CASE("locks: electing the first of many work-items is not a lock") {
    Locks locks;
    locks.atomic(take(0));
    for (std::uint32_t item = 1; item < 50; ++item)
        locks.atomic(take(item, 1));
    CHECK_FALSE(locks.is_lock(mutex));
    CHECK(locks.contended().empty());
}

TEST_CASE("locks: a work-item that waits forever has an obstacle") {
    Locks locks;
    locks.atomic(take(0));
    for (int attempt = 0; attempt < 200; ++attempt)
        locks.atomic(take(1, 1));
    CHECK(locks.is_lock(mutex));
    CHECK(locks.obstacle(1) == 1);
    CHECK(locks.hold(1).item == 0);
    CHECK_FALSE(locks.hold(1).released);
}

TEST_CASE("locks: fences inside the critical section are seen at both ends") {
    Locks locks;
    locks.atomic(take(0));
    CHECK_FALSE(locks.hold(1).lock_fenced[global_space]);
    locks.touch(0, global_space);
    locks.atomic(release(0));
    CHECK_FALSE(locks.hold(1).release_fenced[global_space]);
    locks.atomic(take(1));
    locks.fence(1, global_space, true, true);
    locks.touch(1, global_space);
    locks.fence(1, global_space, true, true);
    locks.atomic(release(1));
    CHECK(locks.hold(2).lock_fenced[global_space]);
    CHECK(locks.hold(2).release_fenced[global_space]);
}

TEST_CASE("locks: releases by ordinary stores and by non-holders are reported") {
    Locks locks;
    locks.atomic(take(0));
    AtomicStep store;
    store.site = 9;
    store.word = mutex;
    locks.store(store);
    CHECK(locks.hold(1).plain_release);
    locks.atomic(take(0));
    locks.atomic(release(1));
    REQUIRE(locks.strays().size() == 1);
    CHECK(locks.strays().front().item == 1);
    CHECK(locks.strays().front().holder == 2U);
}

TEST_CASE("locks: two work-items of a warp hang in lock step unless the waiting loop "
          "also releases") {
    for (const bool inside : {false, true}) {
        CAPTURE(inside);
        Locks locks;
        for (std::uint32_t item = 0; item < 2; ++item) {
            locks.atomic(take(item));
            AtomicStep step = release(item);
            if (inside)
                step.enclosing_loops = {77};
            locks.atomic(step);
        }
        CHECK(locks.lock_step_hang().has_value() == !inside);
    }
}

TEST_CASE("locks: in separate phases or branches, work-items do not wait for each other") {
    for (const bool other_phase : {false, true}) {
        CAPTURE(other_phase);
        Locks locks;
        for (std::uint32_t item = 0; item < 2; ++item) {
            AtomicStep step = take(item);
            step.phase = other_phase ? item : 0;
            step.context = other_phase ? 0 : item;
            locks.atomic(step);
            locks.atomic(release(item));
        }
        CHECK_FALSE(locks.lock_step_hang().has_value());
    }
}

TEST_CASE("work: 32 neighbours share a segment of 128 bytes, distant work-items do not") {
    wire::WorkCounts counts;
    Work work(counts);
    for (std::uint32_t item = 0; item < 64; ++item) {
        work.switch_to(item);
        work.global_access(0, false, 1, item * std::size_t{4}, 4, 5);
        work.global_access(1, true, 2, item * std::size_t{128}, 4, 6);
    }
    work.end_group();
    CHECK(counts.global_loads == 64);
    CHECK(counts.global_bytes_stored == 256);
    CHECK(counts.transactions == 2 + 64);
}

TEST_CASE("work: banks conflict by stride, but not for the same word or whole vectors") {
    const auto conflicts = [](std::size_t stride, std::size_t size) {
        wire::WorkCounts counts;
        Work work(counts);
        for (std::uint32_t item = 0; item < 32; ++item) {
            work.switch_to(item);
            work.local_access(0, false, 1, item * stride, size);
        }
        work.end_group();
        return counts.bank_conflicts;
    };
    CHECK(conflicts(4, 4) == 0);
    CHECK(conflicts(0, 4) == 0);
    CHECK(conflicts(8, 4) == 1);
    CHECK(conflicts(128, 4) == 31);
    CHECK(conflicts(16, 16) == 0);
}

TEST_CASE("work: a branch diverges when one warp takes both sides at once") {
    wire::WorkCounts counts;
    Work work(counts);
    for (std::uint32_t item = 0; item < 64; ++item) {
        work.switch_to(item);
        work.branch(0, item < 32);     // whole warps
        work.branch(1, item % 2 == 0); // every other lane
        work.branch(2, true);
    }
    work.barrier();
    CHECK(counts.divergent_branches == 2);
    CHECK(counts.barriers == 1);
}

TEST_CASE("work: the busiest work-item is reported with its own group") {
    wire::WorkCounts counts;
    Work work(counts);
    work.switch_to(0);
    work.additions(10, 3);
    work.end_group();
    work.switch_to(0);
    work.additions(7, 3);
    work.switch_to(1);
    work.additions(20, 4);
    work.end_group();
    CHECK(counts.additions == 37);
    CHECK(counts.busiest_item_additions == 20);
    CHECK(counts.busiest_group_additions == 27);
}

TEST_CASE("waits: a work-item hangs if the store it waits for comes after the same loop") {
    constexpr std::uint64_t loop = 77;
    struct Situation {
        const char* what;
        std::uint64_t context;
        std::vector<std::uint64_t> enclosing_loops;
        std::uint32_t warp;
        bool hangs;
    };
    const std::vector<Situation> cases{{"the same warp", 0, {}, 0, true},
                                       {"another warp", 0, {}, 1, false},
                                       {"another round of a loop around both", 5, {}, 0, false},
                                       {"stored inside the loop", 0, {loop}, 0, false}};
    for (const auto& one : cases) {
        CAPTURE(one.what);
        Waits waits;
        waits.poll({0, 0, 0, 1, mutex, loop, 0});
        waits.change({0, 0, 2, mutex, one.enclosing_loops});
        waits.poll({1, one.warp, 0, 1, mutex, loop, one.context});
        CHECK_FALSE(waits.hang()); // it might never get past the loop
        waits.change({1, 0, 2, mutex, one.enclosing_loops});
        CHECK(waits.hang().has_value() == one.hangs);
    }
}

TEST_CASE("waits: a work-item hangs if the one that it waits for has waited in the same loop") {
    constexpr std::uint64_t loop = 77;
    constexpr std::uint64_t other = mutex + 4;
    for (const bool changed_since : {false, true}) {
        CAPTURE(changed_since);
        Waits waits;
        waits.poll({0, 0, 0, 1, mutex, loop, 0});
        waits.change({0, 0, 2, other, {}});
        if (changed_since)
            waits.change({5, 0, 3, other, {}}); // by a work-item that has not waited
        waits.poll({1, 0, 0, 1, other, loop, 0});
        waits.change({1, 0, 2, other + 4, {}});
        CHECK(waits.hang().has_value() == !changed_since);
    }
}

TEST_CASE("swaps: a compare-and-swap has failed if none of its executions stores") {
    const Swap fails{1, 0, 64, 4, true, 1, 0, 2};
    Swap stores = fails;
    stores.found = stores.expected;
    Swaps swaps;
    swaps.note(fails, true);
    REQUIRE(swaps.failed().size() == 1);
    CHECK(swaps.failed().front().item == 0);
    swaps.note({2, 5, 64, 4, true, 1, 0, 2}, true);
    CHECK(swaps.failed().size() == 2);
    swaps.note(stores, true);
    CHECK(swaps.failed().size() == 1);
}

TEST_CASE("swaps: one that stores what it finds changes nothing until its work-item stores "
          "something else") {
    const Swap same{1, 3, 64, 4, true, 7, 7, 7};
    const Swap free{1, 3, 64, 4, false, 0, 0, 0, true};
    const Swap takes{1, 3, 64, 4, false, 0, 0, 1, true};
    const Swap fetches{1, 3, 64, 4, false, 0, 9, 0, true}; // an exchange for 0 that brings a value
    Swaps swaps;
    swaps.note(same, false);
    CHECK_FALSE(swaps.unchanging(3)); // no loop waits for it
    swaps.note(same, true);
    CHECK(swaps.unchanging(3).has_value());
    CHECK(swaps.failed().empty());
    for (const Swap& other : {takes, fetches}) {
        swaps.note(free, true);
        REQUIRE(swaps.unchanging(3).has_value());
        CHECK_FALSE(swaps.unchanging(3)->compares);
        swaps.note(other, true);
        CHECK_FALSE(swaps.unchanging(3));
        CHECK_FALSE(swaps.unchanging(4));
    }
}

TEST_CASE("swaps: a lock is taken unchecked if nothing looks at what was there") {
    Swap takes{1, 3, 64, 4, false, 0, 1, 1};
    const Swap opens{2, 3, 64, 4, false, 0, 1, 0};
    Swaps swaps;
    swaps.note(takes, false);
    CHECK_FALSE(swaps.unchecked(3)); // it may be a signal, which stays
    swaps.note(opens, false);
    REQUIRE(swaps.unchecked(3).has_value());
    CHECK(swaps.unchecked(3)->site == 1);
    CHECK_FALSE(swaps.unchecked(4));
    takes.uses_result = true;
    Swaps others;
    others.note(takes, true);
    others.note(opens, false);
    CHECK_FALSE(others.unchecked(3));
}

TEST_CASE("races: a reset is unordered with concurrent counting") {
    for (const bool barrier : {false, true}) {
        CAPTURE(barrier);
        TwoGroups run;
        run.begin(0);
        Access reset;
        reset.epoch = run.order.epoch(0);
        reset.write = reset.atomic = reset.resets = true;
        CHECK_FALSE(run.races.access(run.order, 1, 0, 4, reset, false));
        if (barrier)
            run.order.barrier(true);
        Access count;
        count.epoch = run.order.epoch(1);
        count.write = count.atomic = count.counts = true;
        CHECK(run.races.access(run.order, 1, 0, 4, count, false).has_value() == !barrier);
    }
}

TEST_CASE("races: storing the value already present still conflicts with a concurrent read") {
    TwoGroups run;
    run.begin(0);
    CHECK_FALSE(run.read(0));
    CHECK_FALSE(run.write(0));
    CHECK(run.access(1, true, false, 0, 4, true)); // item 0 might read what item 1 stored
}

TEST_CASE("findings: findings of one kind at the same lines are merged") {
    Findings findings;
    findings.add({FindingKind::data_race, "k", 3, 5, "first"});
    findings.add({FindingKind::data_race, "k", 3, 5, "second"});
    findings.add({FindingKind::data_race, "k", 3, 6, "third"});
    REQUIRE(findings.all().size() == 2);
    CHECK(findings.all().front().message == "first");
    CHECK(findings.has(FindingKind::data_race));
    CHECK_FALSE(findings.has(FindingKind::out_of_bounds));
}

TEST_CASE("findings: findings with one cause at one line are merged, wherever they appear") {
    Findings findings;
    const auto add = [&](int line, int other_line, const std::string& cause) {
        wire::Finding one{FindingKind::missing_fence, "k", line, other_line,
                          cause + ": line " + std::to_string(other_line)};
        one.cause = cause;
        findings.add(one);
    };
    add(3, 5, "no fence before line 3");
    add(3, 6, "no fence before line 3");
    add(3, 6, "no fence after line 3");
    add(4, 6, "no fence before line 3");
    REQUIRE(findings.all().size() == 3);
}

TEST_CASE("locks: after a barrier, a plain store may clear a lock that only the group uses") {
    for (const bool shared : {false, true}) {
        CAPTURE(shared);
        Locks locks;
        if (shared) {
            AtomicStep other = take(7);
            other.group = 1;
            locks.atomic(other);
            AtomicStep back = release(7);
            back.group = 1;
            locks.atomic(back);
        }
        const AtomicStep taken = take(0);
        locks.atomic(taken);
        AtomicStep store = taken;
        store.site = 9;
        store.phase = 1;
        store.after = 0;
        locks.store(store);
        CHECK(locks.holds().back().released);
        CHECK(locks.holds().back().plain_release == shared);
    }
}

TEST_CASE("locks: an atomic read of a free lock does not release it") {
    Locks locks;
    locks.atomic(take(0));
    locks.atomic(release(0));
    AtomicStep read;
    read.item = 1;
    read.word = mutex;
    read.site = 3;
    read.writes = true; // adds 0
    read.uses_result = true;
    locks.atomic(read);
    CHECK(locks.is_lock(mutex));
    CHECK(locks.strays().empty());
}
