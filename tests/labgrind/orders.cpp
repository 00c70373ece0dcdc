#include "labgrind/findings.hpp"
#include "labgrind/interpreter.hpp"

#include <cstring>
#include <doctest/doctest.h>

namespace {

/// Three groups of four work-items, of which one each adds 4 to a sum.
class Sum {
  public:
    explicit Sum(const std::string& critical_section) {
        program_.source =
            "void lock(volatile __global int* mutex) {\n"
            "    while (atomic_cmpxchg(mutex, 0, 1) != 0) {}\n"
            "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
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
        launch_.arguments = {{wire::LaunchArgument::Kind::buffer, {0, 4}},
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

TEST_CASE("orders: without a seed none is tried") {
    Sum sum(two_holds);
    CHECK(sum.analyse(0).other_orders.empty());
}
