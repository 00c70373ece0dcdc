#include "../corpora.hpp"
#include "labgrind/interpreter.hpp"
#include "labgrind/reports/findings.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <set>

namespace {

/// Three groups of four work-items; one work-item of each adds 4 to a sum.
class Sum {
  public:
    explicit Sum(const std::string& critical_section,
                 const std::string& wait = "while (atomic_cmpxchg(mutex, 0, 1) != 0) {}") {
        program_.source =
            "void lock(volatile __global int* mutex) {\n    " + wait +
            "\n    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
            "}\n"
            "void unlock(volatile __global int* mutex) {\n"
            "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
            "    atomic_xchg(mutex, 0);\n"
            "}\n"
            "__kernel void k(volatile __global int* mutex, volatile __global int* sum) {\n"
            "    if (get_local_id(0) != 0)\n"
            "        return;\n" +
            critical_section + "}\n";
        launch_.kernel = "k";
        launch_.global_size = {12, 1, 1};
        launch_.work_group_size = {4, 1, 1};
        launch_.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 64}},
                             {wire::LaunchArgument::Kind::buffer, {sum_at, 4}}};
        launch_.memory_size = sum_at + 64;
    }

    /// Launches this many groups, with as many words in front of the sum.
    void use_groups(std::size_t groups) {
        launch_.global_size[0] = groups * launch_.work_group_size[0];
        launch_.arguments.front().bytes = {0, sum_at};
    }
    /// Leaves the lock uninitialized, or as many words from there on.
    void leave_lock_unwritten(std::size_t words = 1) { unwritten_ = words; }

    wire::Analysis analyse(std::uint64_t seed) {
        reset();
        return interpreter_.run({.program = program_, .launch = launch_, .how = {.seed = seed}},
                                memory_);
    }
    wire::Analysis explain(std::uint64_t seed, const wire::Schedule& schedule) {
        reset();
        return interpreter_.run(
            {.program = program_,
             .launch = launch_,
             .how = {.seed = seed, .schedule = schedule, .explains_schedule = true}},
            memory_);
    }
    int sum() const { return word(sum_at); }
    int lock() const { return word(0); }

  private:
    static constexpr std::size_t sum_at = 1024;

    int word(std::size_t at) const {
        int word = 0;
        std::memcpy(&word, memory_.data() + at, sizeof word);
        return word;
    }
    void reset() {
        memory_.assign(launch_.memory_size, std::byte{0});
        const std::uint32_t word = wire::poison;
        for (std::size_t i = 0; i < unwritten_; ++i)
            std::memcpy(memory_.data() + i * sizeof word, &word, sizeof word);
    }

    std::size_t unwritten_ = 0;
    labgrind::Interpreter interpreter_;
    wire::ProgramSource program_;
    wire::KernelLaunch launch_;
    std::vector<std::byte> memory_;
};

const std::string one_hold = "    lock(mutex);\n"
                             "    *sum = *sum + 4;\n"
                             "    unlock(mutex);\n";
const std::string two_holds = "    lock(mutex);\n"
                              "    const int before = *sum;\n"
                              "    unlock(mutex);\n"
                              "    lock(mutex);\n"
                              "    *sum = before + 4;\n"
                              "    unlock(mutex);\n";

/// The sums of those of these schedules that have a finding.
std::set<int> sums_with_findings(Sum& sum, std::uint64_t seed,
                                 const std::vector<wire::Schedule>& schedules) {
    std::set<int> sums;
    for (const wire::Schedule& schedule : schedules) {
        if (!sum.explain(seed, schedule).findings.empty())
            sums.insert(sum.sum());
    }
    return sums;
}

/// What happens in the first schedule with another result than the usual one. Leaves that result.
wire::Finding first_finding(Sum& sum, std::uint64_t seed, const wire::Analysis& analysis) {
    REQUIRE_FALSE(analysis.other_schedules.empty());
    const wire::Analysis explained = sum.explain(seed, analysis.other_schedules.front());
    REQUIRE(explained.findings.size() == 1);
    return explained.findings.front();
}

} // namespace

TEST_CASE("schedules: one hold of a lock gives the same result in all schedules") {
    Sum sum(one_hold);
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(analysis.failure.empty());
    CHECK(analysis.findings.empty());
    CHECK(analysis.other_schedules.empty());
    CHECK(sum.sum() == 12);
}

TEST_CASE("schedules: a write by another work-item between two holds is lost in some "
          "schedules and reported") {
    for (std::uint64_t seed = 1; seed <= corpora::share_of(20); ++seed) {
        CAPTURE(seed);
        Sum sum(two_holds);
        const wire::Analysis analysis = sum.analyse(seed);
        CHECK(analysis.findings.empty()); // no other analysis finds it
        CHECK(sum.sum() == 12);
        const wire::Finding finding = first_finding(sum, seed, analysis);
        CHECK(sum.sum() < 12);
        CHECK(finding.kind == wire::FindingKind::wrong_order);
        CHECK(finding.other_line < finding.line);
        CHECK(text_of(finding).find(
                  "line " + std::to_string(finding.other_line) +
                  " reads sum[0] under the lock, but line " + std::to_string(finding.line) +
                  " writes it after the lock has been released") != std::string::npos);
        CHECK(text_of(finding).find("is paused before line ") != std::string::npos);
    }
}

TEST_CASE("schedules: two holds are named, also if the first launch of the kernel has none") {
    Sum sum("    if (get_num_groups(0) == 1)\n"
            "        return;\n" +
            two_holds);
    sum.use_groups(1);
    CHECK(sum.analyse(1).other_schedules.empty());
    sum.use_groups(3);
    const wire::Finding finding = first_finding(sum, 1, sum.analyse(1));
    CHECK(text_of(finding).find(" writes it after the lock has been released") !=
          std::string::npos);
}

TEST_CASE("schedules: a group that sets a first value is found if it is not the first group") {
    Sum sum("    lock(mutex);\n"
            "    if (get_group_id(0) == 0)\n"
            "        *sum = 0;\n"
            "    *sum = *sum + 4;\n"
            "    unlock(mutex);\n");
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(analysis.findings.empty());
    CHECK(sum.sum() == 12);
    const wire::Finding finding = first_finding(sum, 1, analysis);
    CHECK(sum.sum() == 4);
    CHECK(finding.line == 14);
    CHECK(finding.cause.find("line 14 overwrites what other groups may already have written") == 0);
    CHECK(text_of(finding).find("if the groups run in the opposite order") != std::string::npos);
}

TEST_CASE("schedules: a sum that only the last group reads depends on the order of groups") {
    Sum sum("    lock(mutex);\n"
            "    mutex[4] += 4;\n"
            "    if (get_group_id(0) == get_num_groups(0) - 1)\n"
            "        *sum = mutex[4];\n"
            "    unlock(mutex);\n");
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(sum.sum() == 12);
    const wire::Finding finding = first_finding(sum, 1, analysis);
    CHECK(sum.sum() == 4);
    CHECK(text_of(finding) ==
          "the result is wrong if the groups run in the opposite order, from the last one to the "
          "first");
    CHECK(finding.cause.empty());
}

TEST_CASE("schedules: the same seed gives the same schedules, another seed gives others") {
    Sum sum(two_holds);
    const auto first = sum.analyse(7).other_schedules;
    CHECK(sum.analyse(7).other_schedules == first);
    bool differs = false;
    for (std::uint64_t seed = 8; seed < 16; ++seed)
        differs = differs || sum.analyse(seed).other_schedules != first;
    CHECK(differs);
}

TEST_CASE("schedules: giving up after many tries is found when the lock is held for long") {
    for (const std::string tries : {"100", "5000", "1000000", "1234567890"}) {
        CAPTURE(tries);
        Sum sum(one_hold,
                "for (int i = 0; i < " + tries + " && atomic_cmpxchg(mutex, 0, 1) != 0; ++i) {}");
        const wire::Analysis analysis = sum.analyse(1);
        CHECK(analysis.findings.size() + analysis.other_schedules.size() > 0);
        if (analysis.other_schedules.empty())
            continue;
        const wire::Analysis explained = sum.explain(1, analysis.other_schedules.front());
        CHECK(sum.sum() != 12);
        REQUIRE(explained.findings.size() == 1);
        CHECK(text_of(explained.findings.front()).find("stops ") != std::string::npos);
        CHECK(explained.findings.front().line > 0);
    }
    Sum counts_in_memory(one_hold,
                         "for (mutex[8 + get_group_id(0)] = 0; mutex[8 + get_group_id(0)] "
                         "< 5000 && atomic_cmpxchg(mutex, 0, 1) != 0; "
                         "++mutex[8 + get_group_id(0)]) {}");
    CHECK_FALSE(counts_in_memory.analyse(1).other_schedules.empty());
    Sum counts(one_hold, "int tries = 0; while (atomic_cmpxchg(mutex, 0, 1) != 0) ++tries;");
    CHECK(counts.analyse(1).other_schedules.empty());
}

TEST_CASE("schedules: rounds that only count are skipped up to the last one") {
    const auto gives_up = [](const std::string& counter, const std::string& end) {
        return counter + "; while (atomic_cmpxchg(mutex, 0, 1) != 0) { " + end + " break; }";
    };
    for (const std::string& loop :
         {gives_up("long i = 0", "if (++i >= 300000000001L)"),
          gives_up("int left = 40000000", "if ((left -= 2) < 1)"),
          gives_up("int i = 0, j = 0", "j += 2; if ((i += 3) > 300000000)"),
          gives_up("int i = 0", "if (++i == 200001)")}) {
        CAPTURE(loop);
        Sum sum(one_hold, loop);
        const wire::Analysis analysis = sum.analyse(1);
        REQUIRE_FALSE(analysis.other_schedules.empty());
        const wire::Analysis explained = sum.explain(1, analysis.other_schedules.front());
        CHECK(sum.sum() != 12);
        REQUIRE(explained.findings.size() == 1);
        CHECK(text_of(explained.findings.front()).find("gives up at line ") != std::string::npos);
    }
}

TEST_CASE("schedules: a work-item stops before it publishes until another one gives up") {
    const auto waits = [](const std::string& loop) {
        return "    volatile __global int* flag = mutex + 8;\n"
               "    if (get_group_id(0) == 0)\n"
               "        atomic_xchg(flag, 6);\n"
               "    int got = 0;\n"
               "    " +
               loop + "\n    atomic_add(sum, got);\n";
    };
    Sum sum(waits("for (int i = 0; got == 0 && i < 1000000000; ++i) got = atomic_or(flag, 0);"));
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(sum.sum() == 18);
    REQUIRE_FALSE(analysis.other_schedules.empty());
    const wire::Analysis explained = sum.explain(1, analysis.other_schedules.front());
    CHECK(sum.sum() == 12); // group 1 has given up
    REQUIRE(explained.findings.size() == 1);
    CHECK(explained.findings.front().line == 14);
    CHECK(
        text_of(explained.findings.front()).find("continues without the value that it waits for") !=
        std::string::npos);
    Sum patient(waits("while (got == 0) got = atomic_or(flag, 0);"));
    CHECK(patient.analyse(1).other_schedules.empty());
}

TEST_CASE("schedules: an endless work-item is reported with the places of its loop") {
    // A work-item that decrements after the lock was set to 0 leaves it below 0.
    Sum sum(one_hold, "while (atomic_inc(mutex) != 0) atomic_dec(mutex);");
    const wire::Analysis analysis = sum.analyse(1);
    REQUIRE(analysis.findings.size() == 1);
    CHECK(analysis.findings.front().kind == wire::FindingKind::wrong_order);
    CHECK(analysis.findings.front().line == 2);
    CHECK(text_of(analysis.findings.front())
              .find("launch never ends in some schedules: work-item 0 of group ") !=
          std::string::npos);
    CHECK(text_of(analysis.findings.front()).find("in the same order") == std::string::npos);
}

TEST_CASE("schedules: taking two locks in both orders deadlocks in some schedules") {
    const std::string both = "    lock(mutex + first);\n"
                             "    lock(mutex + 1 - first);\n"
                             "    *sum = *sum + 4;\n"
                             "    unlock(mutex + first);\n"
                             "    unlock(mutex + 1 - first);\n";
    Sum same("    const int first = 0;\n" + both);
    CHECK(same.analyse(1).findings.empty());
    Sum inverted("    const int first = get_group_id(0) % 2;\n" + both);
    const wire::Analysis analysis = inverted.analyse(1);
    REQUIRE(analysis.findings.size() == 1);
    CHECK(text_of(analysis.findings.front()).find("launch never ends") != std::string::npos);
    CHECK(text_of(analysis.findings.front()).find("in the same order") != std::string::npos);
}

TEST_CASE("schedules: a ring of locks deadlocks if all work-items come to their second lock") {
    const std::string ring = "    const int me = get_group_id(0);\n"
                             "    const int other = (me + 1) % get_num_groups(0);\n"
                             "    lock(mutex + INNER);\n"
                             "    lock(mutex + OUTER);\n"
                             "    atomic_add(sum, 4);\n"
                             "    unlock(mutex + OUTER);\n"
                             "    unlock(mutex + INNER);\n";
    const auto with = [&](const std::string& first, const std::string& second) {
        std::string text = ring;
        for (const auto& [from, to] : {std::pair{"INNER", first}, std::pair{"OUTER", second}}) {
            for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
                text.replace(at, std::strlen(from), to);
        }
        return text;
    };
    for (std::uint64_t seed = 1; seed <= corpora::share_of(5); ++seed) {
        Sum sum(with("me", "other"));
        sum.use_groups(12);
        const wire::Analysis analysis = sum.analyse(seed);
        REQUIRE(analysis.findings.size() == 1);
        const std::string message = text_of(analysis.findings.front());
        CHECK(message.find("launch never ends in some schedules: ") != std::string::npos);
        CHECK(message.find("in the same order") != std::string::npos);
        Sum sorted(with("min(me, other)", "max(me, other)"));
        sorted.use_groups(12);
        CHECK(sorted.analyse(seed).findings.empty());
    }
}

TEST_CASE("schedules: a walk over published sums that ends too early is found") {
    const auto walk = [](const std::string& limit) {
        return "    const int me = get_group_id(0);\n"
               "    for (int both = 0; both < 2; ++both) {\n"
               "        int before = 0;\n"
               "        if (both)\n"
               "            for (int i = me - 1; i >= 0" +
               limit +
               "; --i) {\n"
               "                int seen;\n"
               "                while ((seen = atomic_or(&mutex[1 + i], 0)) == 0) {}\n"
               "                before += seen & 0xFF;\n"
               "                if (seen & 0x100)\n"
               "                    break;\n"
               "            }\n"
               "        atomic_xchg(&mutex[1 + me], 1 + before + 0x100 * (both || me == 0));\n"
               "    }\n"
               "    if (me == (int)get_num_groups(0) - 1)\n"
               "        *sum = atomic_or(&mutex[1 + me], 0) & 0xFF;\n";
    };
    Sum right(walk(""));
    right.use_groups(250);
    CHECK(right.analyse(1).other_schedules.empty());
    CHECK(right.sum() == 250);
    for (const char* limit : {"40", "150", "240"}) {
        CAPTURE(limit);
        Sum wrong(walk(std::string(" && i >= me - ") + limit));
        wrong.use_groups(250);
        const wire::Analysis analysis = wrong.analyse(1);
        CHECK(wrong.sum() == 250);
        REQUIRE_FALSE(analysis.other_schedules.empty());
        const wire::Analysis explained = wrong.explain(1, analysis.other_schedules.front());
        CHECK(wrong.sum() < 250);
        CHECK(explained.findings.size() == 1);
    }
}

TEST_CASE("schedules: without a seed, none is tried") {
    Sum sum(two_holds);
    CHECK(sum.analyse(0).other_schedules.empty());
}

TEST_CASE(
    "schedules: one stop finds a lost update, whatever the seed, and reports it in one line") {
    for (std::uint64_t seed = 1; seed <= corpora::share_of(20); ++seed) {
        CAPTURE(seed);
        Sum sum(two_holds);
        const wire::Analysis analysis = sum.analyse(seed);
        REQUIRE_FALSE(analysis.other_schedules.empty());
        const wire::Schedule first =
            *std::min_element(analysis.other_schedules.begin(), analysis.other_schedules.end());
        const wire::Analysis explained = sum.explain(seed, first);
        CHECK(sum.sum() < 12);
        REQUIRE(explained.findings.size() == 1);
        CHECK(text_of(explained.findings.front()).find(" while all others continue") !=
              std::string::npos);
    }
}

TEST_CASE("schedules: a work-item with only a few tries is overtaken in some schedule") {
    const std::string twice = "    for (int i = 0; i < 2; ++i) {\n"
                              "        const int seen = *sum;\n"
                              "        if (atomic_cmpxchg(sum, seen, seen + 4) == seen)\n"
                              "            break;\n"
                              "    }\n";
    for (std::uint64_t seed = 1; seed <= corpora::share_of(20); ++seed) {
        CAPTURE(seed);
        Sum sum(twice);
        const wire::Analysis analysis = sum.analyse(seed);
        CHECK(sum.sum() == 12);
        CHECK(sums_with_findings(sum, seed, analysis.other_schedules).count(8) != 0);
    }
}

TEST_CASE("schedules: uninitialized memory may hold 0") {
    // Groups that run before group 0 find the lock open, and then group 0 opens it once more.
    const std::string opens = "    if (get_group_id(0) == 0)\n"
                              "        atomic_xchg(mutex, 0);\n";
    for (std::uint64_t seed = 1; seed <= corpora::share_of(5); ++seed) {
        CAPTURE(seed);
        Sum sum(opens + one_hold);
        sum.leave_lock_unwritten();
        const wire::Analysis analysis = sum.analyse(seed);
        CHECK(sum.sum() == 12);
        const std::set<int> sums = sums_with_findings(sum, seed, analysis.other_schedules);
        REQUIRE_FALSE(sums.empty());
        CHECK(*sums.begin() < 12);
    }
}

TEST_CASE("schedules: uninitialized memory may hold what an earlier launch has left there") {
    // The upper bits say that a value is there, but nothing has cleared them.
    Sum sum("    if (get_group_id(0) == 0) {\n"
            "        atomic_xchg(&mutex[4], 1);\n"
            "        atomic_xchg(&mutex[0], 256 + 1);\n"
            "        atomic_xchg(&mutex[1], 256 + 2);\n"
            "    } else if (get_group_id(0) == 1) {\n"
            "        while (atomic_add(&mutex[4], 0) == 0) {}\n"
            "        int value = 0;\n"
            "        while (value >> 8 != 1)\n"
            "            value = atomic_add(&mutex[0], 0);\n"
            "        *sum = value & 255;\n"
            "    }\n");
    sum.leave_lock_unwritten(2);
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(sum.sum() == 1);
    REQUIRE_FALSE(analysis.other_schedules.empty());
    const wire::Analysis explained = sum.explain(1, analysis.other_schedules.front());
    CHECK(sum.sum() == 2);
    REQUIRE(explained.findings.size() == 1);
    CHECK(text_of(explained.findings.front())
              .find("argument 0 of k is uninitialized from byte 0 on: the result is wrong if "
                    "values from "
                    "an earlier launch are left there") == 0);
    sum.leave_lock_unwritten(0);
    CHECK(sum.analyse(1).other_schedules.empty());
}

TEST_CASE("schedules: a result of 0 counts as written") {
    // If uninitialized memory holds 0, the last group runs first and writes one.
    Sum sum("    const int ticket = atomic_inc(sum);\n"
            "    if (get_group_id(0) == 2)\n"
            "        *mutex = ticket;\n");
    sum.leave_lock_unwritten();
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(sum.lock() == 2);
    std::set<int> tickets;
    for (const wire::Schedule& schedule : analysis.other_schedules) {
        sum.explain(1, schedule);
        tickets.insert(sum.lock());
    }
    CHECK(tickets == std::set<int>{0, 1});
}

TEST_CASE("schedules: a hang that needs two stops is found, whatever the seed") {
    // The holder checks once whether a work-item waits behind it, but that work-item may not have
    // announced itself yet.
    const std::string queue = "    const int me = get_group_id(0) + 1;\n"
                              "    volatile __global int* next = mutex + 4;\n"
                              "    volatile __global int* open = mutex + 8;\n"
                              "    const int before = atomic_xchg(mutex, me);\n"
                              "    if (before != 0) {\n"
                              "        atomic_xchg(&next[before], me);\n"
                              "        while (atomic_add(&open[me], 0) == 0) {}\n"
                              "    }\n"
                              "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
                              "    *sum = *sum + 4;\n"
                              "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
                              "    if (atomic_cmpxchg(mutex, me, 0) != me) {\n"
                              "        const int after = atomic_add(&next[me], 0);\n"
                              "        if (after != 0)\n"
                              "            atomic_xchg(&open[after], 1);\n"
                              "    }\n";
    for (std::uint64_t seed = 1; seed <= corpora::share_of(10); ++seed) {
        CAPTURE(seed);
        Sum sum(queue);
        const wire::Analysis analysis = sum.analyse(seed);
        REQUIRE(analysis.findings.size() == 1);
        CHECK(analysis.findings.front().kind == wire::FindingKind::wrong_order);
        CHECK(text_of(analysis.findings.front()).find("launch never ends in some schedules: ") !=
              std::string::npos);
    }
}

TEST_CASE("races: a loop that waits with a non-volatile load may wait forever") {
    Sum sum(one_hold, "do {\n        while (*(__global int*)mutex != 0) {}\n    } while "
                      "(atomic_cmpxchg(mutex, 0, 1) != 0);");
    const wire::Analysis analysis = sum.analyse(1);
    REQUIRE_FALSE(analysis.findings.empty());
    CHECK(analysis.findings.front().kind == wire::FindingKind::data_race);
    CHECK(text_of(analysis.findings.front()).find("not volatile") != std::string::npos);
    Sum right(one_hold, "do {\n        while (*mutex != 0) {}\n    } while "
                        "(atomic_cmpxchg(mutex, 0, 1) != 0);");
    CHECK(right.analyse(1).findings.empty());
}

namespace {

/// Group 0 publishes a number, which groups 1 and 2 add to `sum`. `between` comes after the number,
/// `between_reads` after they see the flag.
std::string
message(const std::string& between, const std::string& publish = "atomic_xchg",
        const std::string& between_reads = "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n") {
    return "    volatile __global int* number = mutex + 4;\n"
           "    volatile __global int* flag = mutex + 8;\n"
           "    if (get_group_id(0) == 0) {\n        " +
           publish + "(number, 6);\n" + between +
           "        atomic_xchg(flag, 1);\n"
           "    } else {\n"
           "        while (atomic_add(flag, 0) == 0) {}\n" +
           between_reads +
           "        atomic_add(sum, atomic_add(number, 0));\n"
           "    }\n";
}

} // namespace

TEST_CASE("schedules: atomic writes without a fence between them are seen in another order") {
    for (const char* publish : {"atomic_xchg", "atomic_add"}) {
        CAPTURE(publish);
        Sum sum(message("", publish));
        const wire::Analysis analysis = sum.analyse(1);
        REQUIRE(analysis.findings.size() == 1); // group 0 may begin last
        CHECK(analysis.findings.front().between_groups);
        CHECK(sum.sum() == 12);
        REQUIRE(analysis.other_schedules.size() == 1);
        const wire::Finding finding = first_finding(sum, 1, analysis);
        CHECK(sum.sum() == 0);
        CHECK(finding.line == 15);
        CHECK(finding.other_line == 16);
        CHECK(text_of(finding).find("put a mem_fence(CLK_GLOBAL_MEM_FENCE) between the two") !=
              std::string::npos);
    }
}

TEST_CASE("schedules: a fence after both atomic writes is too late to keep their order") {
    Sum sum("    volatile __global int* number = mutex + 4 + get_group_id(0);\n"
            "    atomic_xchg(number, 4);\n"
            "    const int before = atomic_inc(mutex);\n"
            "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
            "    if (before == 2)\n"
            "        for (int i = 4; i < 7; ++i)\n"
            "            *sum += atomic_add(&mutex[i], 0);\n");
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(analysis.findings.empty());
    CHECK(sum.sum() == 12);
    std::set<int> sums;
    for (const wire::Schedule& schedule : analysis.other_schedules) {
        const wire::Analysis explained = sum.explain(1, schedule);
        sums.insert(sum.sum());
        REQUIRE(explained.findings.size() == 1);
        CHECK(explained.findings.front().line == 13);
        CHECK(explained.findings.front().other_line == 14);
    }
    CHECK(sums == std::set<int>{4, 8}); // two numbers are late, or one of them
}

TEST_CASE("schedules: a late write can break a lock only if another work-item stops inside") {
    // A queue lock: each group raises its own flag and waits for that of the one before it.
    const auto queue = [](const std::string& between) {
        return "    const int me = (int)get_group_id(0) + 1;\n"
               "    atomic_xchg(&mutex[4 + me], 1);\n" +
               between +
               "    const int before = atomic_xchg(mutex, me);\n"
               "    while (atomic_add(&mutex[4 + before], 0) != 0) {}\n"
               "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
               "    *sum = *sum + 4;\n"
               "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
               "    atomic_xchg(&mutex[4 + me], 0);\n";
    };
    for (std::uint64_t seed = 1; seed <= corpora::share_of(10); ++seed) {
        CAPTURE(seed);
        Sum unfenced(queue(""));
        const std::vector<wire::Schedule> schedules = unfenced.analyse(seed).other_schedules;
        CHECK(unfenced.sum() == 12);
        int broken = 0; // in other schedules, only the places in the queue are different
        for (const wire::Schedule& schedule : schedules) {
            const wire::Analysis explained = unfenced.explain(seed, schedule);
            if (unfenced.sum() == 12)
                continue;
            ++broken;
            REQUIRE(explained.findings.size() == 1);
            CHECK(explained.findings.front().line == 13);
            CHECK(explained.findings.front().other_line == 14);
        }
        CHECK(broken > 0);
        Sum fenced(queue("    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"));
        CHECK(sums_with_findings(fenced, seed, fenced.analyse(seed).other_schedules) <=
              std::set<int>{12});
    }
}

TEST_CASE("schedules: a fence, or another use of the word, keeps the order of atomic writes") {
    for (const char* between :
         {"        mem_fence(CLK_GLOBAL_MEM_FENCE);\n", "        write_mem_fence(3);\n",
          "        if (atomic_or(number, 0) != 6) return;\n"}) {
        CAPTURE(between);
        Sum sum(message(between));
        CHECK(sum.analyse(1).other_schedules.empty());
        CHECK(sum.sum() == 12);
    }
    for (const char* too_weak : {"        read_mem_fence(CLK_GLOBAL_MEM_FENCE);\n",
                                 "        mem_fence(CLK_LOCAL_MEM_FENCE);\n"}) {
        CAPTURE(too_weak);
        Sum sum(message(too_weak));
        CHECK(sum.analyse(1).other_schedules.size() == 1);
    }
}

TEST_CASE("schedules: an atomic read without a fence after the flag returns an old value") {
    const std::string fence = "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n";
    for (const char* too_weak : {"", "        write_mem_fence(CLK_GLOBAL_MEM_FENCE);\n",
                                 "        mem_fence(CLK_LOCAL_MEM_FENCE);\n"}) {
        CAPTURE(too_weak);
        const std::string weak = too_weak;
        Sum sum(message(fence, "atomic_xchg", weak));
        const wire::Analysis analysis = sum.analyse(1);
        CHECK(sum.sum() == 12);
        REQUIRE(analysis.other_schedules.size() == 1);
        const wire::Finding finding = first_finding(sum, 1, analysis);
        CHECK(sum.sum() == 0);
        CHECK(finding.line == (weak.empty() ? 20 : 21));
        CHECK(finding.other_line == 19);
        CHECK(text_of(finding).find("put a mem_fence(CLK_GLOBAL_MEM_FENCE) between the two") !=
              std::string::npos);
    }
    Sum sum(message(fence, "atomic_xchg", "        read_mem_fence(CLK_GLOBAL_MEM_FENCE);\n"));
    CHECK(sum.analyse(1).other_schedules.empty());
    CHECK(sum.sum() == 12);
}

TEST_CASE("schedules: an address that follows from the flag keeps the order of the reads") {
    const auto published_at = [](const std::string& index) {
        return "    volatile __global int* place = mutex + 4;\n"
               "    if (get_group_id(0) == 0) {\n"
               "        atomic_xchg(&mutex[8], 6);\n"
               "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
               "        atomic_xchg(place, 8);\n"
               "    } else {\n"
               "        int index = 0;\n"
               "        while (index == 0)\n"
               "            index = atomic_or(place, 0);\n"
               "        atomic_add(sum, atomic_or(&mutex[" +
               index +
               "], 0));\n"
               "    }\n";
    };
    Sum dependent(published_at("index"));
    CHECK(dependent.analyse(1).other_schedules.empty());
    CHECK(dependent.sum() == 12);
    Sum independent(published_at("8"));
    CHECK(independent.analyse(1).other_schedules.size() == 1);
}

TEST_CASE("unwritten: only the first use of elements that nothing has written is reported, beside "
          "the findings") {
    Sum sum("    if (get_group_id(0) == 0)\n        *sum = mutex[0] + mutex[0];\n");
    CHECK(sum.analyse(1).unwritten.empty());
    sum.leave_lock_unwritten();
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(analysis.findings.empty());
    REQUIRE(analysis.unwritten.size() == 1);
    const wire::Finding& use = analysis.unwritten.front();
    CHECK(use.kind == wire::FindingKind::uninitialized);
    CHECK(use.line == 13);
    CHECK(use.argument == 0);
    CHECK(text_of(use).find("reads mutex[0] at line 13, which nothing has written, and a result in "
                            "global memory depends on it") != std::string::npos);
}

TEST_CASE("schedules: an access outside its buffer is found where only some schedules make it") {
    // Each group takes a number. If another one takes its number in between, the index is too large.
    for (const std::uint64_t seed : {1, 2, 3}) {
        Sum sum("    const int before = atomic_add(&mutex[0], 1);\n"
                "    const int after = atomic_add(&mutex[1], 1);\n"
                "    sum[after - before] = 12;\n");
        const wire::Analysis analysis = sum.analyse(seed);
        REQUIRE(analysis.findings.size() == 1);
        const wire::Finding& stray = analysis.findings.front();
        CHECK(stray.kind == wire::FindingKind::out_of_bounds);
        CHECK(stray.line == 14);
        CHECK(text_of(stray).find("in some schedules, work-item 0 of group ") == 0);
        CHECK(text_of(stray).find(" outside its buffer at line 14") != std::string::npos);
        CHECK(sum.analyse(seed + 1).findings.empty()); // once is enough
    }
}

TEST_CASE(
    "schedules: a drawn schedule is described by accesses to memory that the launch changes") {
    Sum sum("    int before = 0;\n"
            "    for (int i = 0; i < 7; ++i)\n"
            "        before += mutex[8 + i];\n"
            "    const int seen = atomic_add(sum, 0);\n"
            "    before += mutex[15];\n"
            "    atomic_xchg(sum, seen + 4 + before);\n");
    int described = 0;
    for (std::uint64_t number = 0; number < 24; ++number) {
        const wire::Analysis explained = sum.explain(1, {wire::Schedule::Kind::drawn, number});
        if (explained.findings.empty())
            continue; // the sum is right
        ++described;
        const int line = explained.findings.front().line;
        CAPTURE(text_of(explained.findings.front()));
        CHECK((line == 0 || line == 15 || line == 17)); // not 14 and 16, where it only reads
    }
    CHECK(described > 0);
}

namespace {

/// Launches kernel k in two groups of two work-items, with two buffers of two words.
wire::Analysis analyse_two_groups(const std::string& source, std::uint64_t seed) {
    wire::ProgramSource program;
    program.source = source;
    wire::KernelLaunch launch;
    launch.kernel = "k";
    launch.global_size = {4, 1, 1};
    launch.work_group_size = {2, 1, 1};
    launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 8}},
                        {wire::LaunchArgument::Kind::buffer, {64, 8}}};
    launch.memory_size = 128;
    std::vector<std::byte> memory(launch.memory_size);
    return labgrind::Interpreter().run(
        {.program = program, .launch = launch, .how = {.seed = seed}}, memory);
}

/// The second group to begin waits for the first one, and does something only if it has waited.
wire::Analysis analyse_late(const std::string& if_it_has_waited) {
    const std::string source =
        "__kernel void k(volatile __global int* state, __global int* result) {\n"
        "    __local int ticket, looks, value[2];\n"
        "    const int lid = get_local_id(0);\n"
        "    if (lid == 0) {\n"
        "        ticket = atomic_inc(&state[0]);\n"
        "        for (looks = 0; ticket == 1 && atomic_add(&state[1], 0) == 0; ++looks) {}\n"
        "        atomic_xchg(&state[1], 1);\n"
        "    }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (ticket == 0)\n"
        "        return;\n"
        "    if (looks > 0) {\n" +
        if_it_has_waited + "    }\n    result[lid] = 1;\n}\n";
    return analyse_two_groups(source, 1);
}

/// The first finding.
wire::Finding finding_of_late(const std::string& if_it_has_waited) {
    const wire::Analysis analysis = analyse_late(if_it_has_waited);
    REQUIRE_FALSE(analysis.findings.empty());
    CHECK(analysis.other_schedules.empty());
    for (const wire::Finding& one : analysis.findings)
        CHECK(text_of(one).ends_with("; it happens if some groups arrive late at line 7"));
    return analysis.findings.front();
}

} // namespace

TEST_CASE("schedules: mistakes are found on paths that only a group takes that has waited") {
    const wire::Finding race =
        finding_of_late("value[lid] = lid;\nresult[lid] = value[1 - lid];\n");
    CHECK(race.kind == wire::FindingKind::data_race);
    CHECK(std::set{race.line, race.other_line} == std::set{13, 14});
    const wire::Finding flag = finding_of_late(
        "value[lid] = lid;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nresult[lid] = value[1 - lid];\n");
    CHECK(flag.kind == wire::FindingKind::barrier_flag);
    CHECK(flag.line == 14);
    const wire::Finding barrier =
        finding_of_late("if (lid == 0)\n    barrier(CLK_LOCAL_MEM_FENCE);\n");
    CHECK(barrier.kind == wire::FindingKind::divergent_barrier);
    const wire::Finding undefined = finding_of_late("if (value[lid] > 0)\n    result[lid] = 2;\n");
    CHECK(undefined.kind == wire::FindingKind::uninitialized);
    CHECK(undefined.line == 13);
    const wire::Analysis right = analyse_late(
        "value[lid] = lid;\nbarrier(CLK_LOCAL_MEM_FENCE);\nresult[lid] = value[1 - lid];\n");
    CHECK(right.failure.empty());
    CHECK(right.findings.empty());
}

namespace {

/// Two groups of two work-items count themselves. `is_last` says whether a work-item sees both, and then
/// goes to a barrier. All results are the same in all schedules.
wire::Analysis analyse_last(const std::string& is_last, std::uint64_t seed) {
    const std::string source =
        "__kernel void k(volatile __global int* done, __global int* result) {\n"
        "    __local int ids[2], all_done;\n"
        "    const int lid = get_local_id(0);\n"
        "    ids[lid] = lid;\n"
        "    if (lid == 0)\n"
        "        all_done = atomic_inc(done) == 1;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    const int is_last = " +
        is_last +
        ";\n"
        "    if (is_last) {\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        atomic_xchg(&result[lid], ids[1 - lid]);\n"
        "    }\n"
        "}\n";
    return analyse_two_groups(source, seed);
}

} // namespace

TEST_CASE("schedules: work-items of a group that see different values diverge, also if no result "
          "depends on it") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const wire::Analysis analysis = analyse_last("atomic_add(done, 0) == 2", seed);
        CHECK(analysis.other_schedules.empty());
        REQUIRE(analysis.findings.size() == 1);
        const wire::Finding& barrier = analysis.findings.front();
        CHECK(barrier.kind == wire::FindingKind::divergent_barrier);
        CHECK(barrier.line == 10);
        CHECK(barrier.other_line == 9);
        CHECK(
            text_of(barrier).starts_with("in some schedules, the barrier at line 10 is reached "));
        CHECK(text_of(barrier).find("let only one execute it") != std::string::npos);
        const wire::Analysis right = analyse_last("all_done", seed);
        CHECK(right.failure.empty());
        CHECK(right.findings.empty());
        CHECK(right.other_schedules.empty());
    }
}

TEST_CASE("schedules: a drawn schedule is described by one that goes wrong, also if work-items "
          "meet twice without an access in between") {
    wire::ProgramSource program;
    program.source = "__kernel void k(volatile __global int* sum) {\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "    if (get_local_id(0) != 0)\n"
                     "        return;\n"
                     "    const int assumed = *sum;\n"
                     "    atomic_cmpxchg(sum, assumed, assumed + 1);\n"
                     "}\n";
    wire::KernelLaunch launch;
    launch.kernel = "k";
    launch.global_size = {12, 1, 1};
    launch.work_group_size = {2, 1, 1};
    launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 4}}};
    launch.memory_size = 64;
    int described = 0;
    for (std::uint64_t number = 0; number < 48; ++number) {
        std::vector<std::byte> memory(launch.memory_size);
        const wire::Analysis analysis =
            labgrind::Interpreter().run({.program = program,
                                         .launch = launch,
                                         .how = {.seed = 1,
                                                 .schedule = {wire::Schedule::Kind::drawn, number},
                                                 .explains_schedule = true}},
                                        memory);
        int sum = 0;
        std::memcpy(&sum, memory.data(), sizeof sum);
        CHECK(analysis.findings.empty() == (sum == 6));
        if (analysis.findings.empty())
            continue;
        ++described;
        CHECK(text_of(analysis.findings.front()).ends_with(" fails and is not retried"));
    }
    CHECK(described > 0);
}
