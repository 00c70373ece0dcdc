#include "labgrind/findings.hpp"
#include "labgrind/interpreter.hpp"

#include <cstring>
#include <doctest/doctest.h>

namespace {

/// Three groups of four work-items, of which one each adds 4 to a sum.
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
        launch_.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 8}},
                             {wire::LaunchArgument::Kind::buffer, {64, 4}}};
        launch_.memory_size = 128;
    }

    wire::Analysis analyse(std::uint64_t seed) {
        memory_.assign(launch_.memory_size, std::byte{0});
        return interpreter_.run(program_, launch_, {memory_.data(), memory_.size()}, false, seed);
    }
    wire::Analysis tell(std::uint64_t seed, int order) {
        memory_.assign(launch_.memory_size, std::byte{0});
        return interpreter_.run_order(program_, launch_, {memory_.data(), memory_.size()}, seed,
                                      order, true);
    }
    int sum() const {
        int sum = 0;
        std::memcpy(&sum, memory_.data() + 64, sizeof sum);
        return sum;
    }

  private:
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

} // namespace

TEST_CASE("orders: one hold of a lock gives the same in all") {
    Sum sum(one_hold);
    const wire::Analysis analysis = sum.analyse(1);
    CHECK(analysis.failure.empty());
    CHECK(analysis.findings.empty());
    CHECK(analysis.other_orders.empty());
    CHECK(sum.sum() == 12);
}

TEST_CASE("orders: what another one writes between two holds is lost in some, and told") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Sum sum(two_holds);
        const wire::Analysis analysis = sum.analyse(seed);
        CHECK(analysis.findings.empty()); // nothing else shows it
        CHECK(sum.sum() == 12);
        REQUIRE_FALSE(analysis.other_orders.empty());
        const wire::Analysis told = sum.tell(seed, analysis.other_orders.front());
        CHECK(sum.sum() < 12);
        REQUIRE(told.findings.size() == 1);
        const wire::Finding& finding = told.findings.front();
        CHECK(finding.kind == labgrind::kind::wrong_order);
        CHECK(finding.line >= 2);
        CHECK(finding.message.find("stops before line " + std::to_string(finding.line) + " and ") !=
              std::string::npos);
    }
}

TEST_CASE("orders: they are the same for the same seed, and others for another") {
    Sum sum(two_holds);
    const auto first = sum.analyse(7).other_orders;
    CHECK(sum.analyse(7).other_orders == first);
    bool differs = false;
    for (std::uint64_t seed = 8; seed < 16; ++seed)
        differs = differs || sum.analyse(seed).other_orders != first;
    CHECK(differs);
}

TEST_CASE("orders: who gives up after many tries is seen where the lock is held for long") {
    for (const std::string tries : {"100", "5000", "1000000"}) {
        CAPTURE(tries);
        Sum sum(one_hold,
                "for (int i = 0; i < " + tries + " && atomic_cmpxchg(mutex, 0, 1) != 0; ++i) {}");
        const wire::Analysis analysis = sum.analyse(1);
        CHECK(analysis.findings.size() + analysis.other_orders.size() > 0);
        if (analysis.other_orders.empty())
            continue;
        const wire::Analysis told = sum.tell(1, analysis.other_orders.front());
        CHECK(sum.sum() != 12);
        REQUIRE(told.findings.size() == 1);
        CHECK(told.findings.front().message.find("stops ") != std::string::npos);
        CHECK(told.findings.front().line > 0);
    }
    Sum counts(one_hold, "int tries = 0; while (atomic_cmpxchg(mutex, 0, 1) != 0) ++tries;");
    CHECK(counts.analyse(1).other_orders.empty());
}

TEST_CASE("orders: one that never ends is told with the places where it goes round") {
    // Who counts itself out after the lock was set to 0 leaves it below 0.
    Sum sum(one_hold, "while (atomic_inc(mutex) != 0) atomic_dec(mutex);");
    const wire::Analysis analysis = sum.analyse(1);
    REQUIRE(analysis.findings.size() == 1);
    CHECK(analysis.findings.front().kind == labgrind::kind::wrong_order);
    CHECK(analysis.findings.front().line == 2);
    CHECK(analysis.findings.front().message.find("may never end: work-item 0 of group ") !=
          std::string::npos);
}

TEST_CASE("orders: two locks that are taken in both orders never end in some") {
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
    CHECK(analysis.findings.front().message.find("may never end") != std::string::npos);
}

TEST_CASE("orders: without a seed none is tried") {
    Sum sum(two_holds);
    CHECK(sum.analyse(0).other_orders.empty());
}
