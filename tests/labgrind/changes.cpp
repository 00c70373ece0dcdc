#include "../corpora.hpp"
#include "kernel_case.hpp"
#include "labgrind/interpreter.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr std::size_t items = 8;

/// A kernel k(const int* from, int* to) in groups of 4; `from` holds 3, 4, 5, ...
class Changeable {
  public:
    explicit Changeable(const std::string& body) {
        request_.program.source = "int twice(int a, int b) { return a - b + a; }\n"
                                  "__kernel void k(__global const int* from, __global int* to) {\n"
                                  "const int gid = get_global_id(0);\n"
                                  "const int lid = get_local_id(0);\n" +
                                  body + "\n}\n";
        wire::KernelLaunch& launch = request_.launch;
        launch.kernel = "k";
        launch.global_size = {items, 1, 1};
        launch.work_group_size = {4, 1, 1};
        const std::size_t bytes = items * sizeof(std::int32_t);
        launch.arguments = {{wire::LaunchArgument::Kind::buffer, {0, bytes}},
                            {wire::LaunchArgument::Kind::buffer, {bytes, bytes}}};
        launch.memory_size = 2 * bytes;
        request_.watched = false;
        request_.how.most_instructions = 10'000;
    }

    wire::Analysis list_changes() {
        wire::Interpret request = request_;
        request.how.lists_changes = true;
        return run(request);
    }

    /// Why the launch fails with a change, or what it leaves in its buffers.
    std::string outcome(const std::string& change) {
        wire::Interpret request = request_;
        request.change = change;
        if (const std::string failure = run(request).failure; !failure.empty())
            return failure.find("outside its buffer") == std::string::npos ? failure : "outside";
        std::string left;
        for (const std::int32_t one : memory_)
            left.append(std::to_string(one)).append(" ");
        return left;
    }

    /// The results with a change; "" changes nothing.
    std::vector<std::int32_t> results(const std::string& change = "") {
        wire::Interpret request = request_;
        request.change = change;
        CHECK(run(request).failure == "");
        return {memory_.begin() + items, memory_.end()};
    }

    /// "line 5: the comparison <, <=": where a change makes the results right, and which, in the order
    /// in which they are tried.
    std::vector<std::string> corrections(const std::vector<std::int32_t>& right) {
        std::vector<std::string> found;
        for (const wire::Change& one : list_changes().changes) {
            wire::Interpret request = request_;
            request.change = one.key;
            if (run(request).failure.empty() &&
                std::equal(right.begin(), right.end(), memory_.begin() + items))
                found.push_back("line " + std::to_string(one.line) + ": " + one.wrong + ", " +
                                one.right);
        }
        return found;
    }

    /// The lines before which this barrier makes everything right.
    std::vector<int> lines_for(const std::string& barrier) {
        std::vector<int> lines;
        for (const wire::Change& one : list_changes().changes) {
            wire::Interpret request = request_;
            request.watched = true;
            CHECK_FALSE(run(request).findings.empty());
            request.change = one.key;
            if (one.wrong.empty() && one.right == barrier && run(request).findings.empty())
                lines.push_back(one.line);
        }
        return lines;
    }

  private:
    wire::Analysis run(const wire::Interpret& request) {
        for (std::size_t i = 0; i < 2 * items; ++i)
            memory_[i] = i < items ? static_cast<std::int32_t>(i) + 3 : -1;
        return interpreter_.run(request, std::as_writable_bytes(std::span(memory_)));
    }

    wire::Interpret request_;
    labgrind::Interpreter interpreter_;
    std::vector<std::int32_t> memory_ = std::vector<std::int32_t>(2 * items);
};

struct Slip {
    std::string wrong;
    std::string right;
    std::string correction;
};

} // namespace

TEST_CASE("a barrier is put where one is missing") {
    const std::string reverse = "__local int t[4];\n" // line 5
                                "t[lid] = gid;\n"
                                "to[gid] = 1;\n"
                                "to[gid] = t[3 - lid];\n";
    const std::string for_all_memory = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
    CHECK(Changeable(reverse).lines_for("a barrier") == std::vector<int>{7, 8});
    CHECK(Changeable(reverse).lines_for(for_all_memory) == std::vector<int>{7, 8});
    const std::string in_branch = "__local int t[4];\n"
                                  "t[lid] = gid;\n"
                                  "if (lid != 0)\n"
                                  "    to[gid] = t[lid - 1];\n";
    CHECK(Changeable(in_branch).lines_for("a barrier") == std::vector<int>{7}); // not all reach 8
    const std::string in_global_memory = "to[gid] = gid;\n"                     // line 5
                                         "const int other = to[gid / 4 * 4 + 3 - lid];\n"
                                         "barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                         "to[gid] = other;\n";
    CHECK(Changeable(in_global_memory).lines_for("a barrier").empty());
    CHECK(Changeable(in_global_memory).lines_for(for_all_memory) == std::vector<int>{6});
}

TEST_CASE("a slip is corrected in its line") {
    const std::vector<Slip> slips{
        {"to[gid] = gid <= 5 ? 1 : 0;", "to[gid] = gid < 5 ? 1 : 0;", "the comparison <=, <"},
        {"to[gid] = from[gid] + 2;", "to[gid] = from[gid] + 1;", "the number 2, 1"},
        {"to[gid] = from[gid] + gid;", "to[gid] = from[gid] * gid;", "the operator +, *"},
        {"to[gid] = get_group_id(0);", "to[gid] = get_local_id(0);", "get_group_id, get_local_id"},
        {"to[gid] = min(from[gid], 6);", "to[gid] = max(from[gid], 6);", "min, max"},
        {"to[gid] = 0;\nif (gid == 3)\n    return;\nto[gid] = 1;",
         "to[gid] = 0;\nif (gid != 3)\n    return;\nto[gid] = 1;", "the comparison ==, !="},
        {"to[gid] = 0;\nif (from[gid] & 1)\n    to[gid] = 1;",
         "to[gid] = 0;\nif (!(from[gid] & 1))\n    to[gid] = 1;", "the condition, the opposite"},
        {"to[gid] = lid + 0 * gid;", "to[gid] = gid + 0 * lid;", "the variable lid, gid"},
        {"to[gid] = from[7 - gid];", "to[gid] = from[gid];",
         "the operator -, only its right operand"},
        {"to[gid] = lid;", "to[gid] = lid + 1;", "the variable lid, lid + 1"},
        {"to[gid] = 2 * lid + 2;", "to[gid] = 2 * lid + 1;", "the second number 2, 1"},
        {"to[gid] = 2 * (3 + 2 * lid);", "to[gid] = 1 * (3 + 2 * lid);", "the first number 2, 1"},
        {"to[gid] = lid + 3 * lid;", "to[gid] = lid + 3 * gid;", "the second \"lid\", gid"},
        {"to[gid] = max(lid, min(lid, 9));", "to[gid] = max(lid, min(gid, 9));",
         "the second \"lid\", gid"},
        {"to[gid] = gid < 3 && from[gid] < 8;", "to[gid] = gid < 3 && from[gid] <= 8;",
         "the second comparison <, <="},
        {"to[gid] = lid;", "to[gid] = lid - gid;", "the variable lid, lid - gid"},
        {"to[gid] = 5;\nto[gid] = from[gid];", "to[gid] = 5;\nto[gid] += from[gid];",
         "the assignment, +="},
        {"to[gid] = from[gid];\nto[gid] = 5;", "to[gid] = from[gid];", "the assignment, nothing"},
        {"to[gid] = twice(gid, from[gid]);", "to[gid] = twice(from[gid], gid);",
         "the argument order of twice, the other order"},
        {"const float f = from[gid];\nto[gid] = f * gid + 2.0f;",
         "const float f = from[gid];\nto[gid] = f * 2.0f + gid;",
         "the order of the operands, the other order"},
        {"const int2 v = (int2)(gid, 7);\nto[gid] = v.x;",
         "const int2 v = (int2)(gid, 7);\nto[gid] = v.y;", "the component .x, .y"},
        {"to[gid] = 0;\nif (gid > 1 && lid < 2)\n    to[gid] = 1;",
         "to[gid] = 0;\nif (gid > 1 || lid < 2)\n    to[gid] = 1;", "the operator &&, ||"},
        {"to[gid] = 0;\nif (gid > 1 || lid < 2)\n    to[gid] = 1;",
         "to[gid] = 0;\nif (gid > 1 && lid < 2)\n    to[gid] = 1;", "the operator ||, &&"},
        {"int2 v = (int2)(gid, 7);\nv.y = 300;\nto[gid] = v.y;",
         "int2 v = (int2)(gid, 7);\nv.y = 301;\nto[gid] = v.y;", "the number 300, 301"},
        {"barrier(CLK_LOCAL_MEM_FENCE);\nto[gid] = from[gid] + 100;", "to[gid] = from[gid] + 4;",
         "the number 100, get_local_size(0)"},
        {"barrier(CLK_LOCAL_MEM_FENCE);\nto[gid] = from[gid] + 100;", "to[gid] = from[gid] + 2;",
         "the number 100, get_local_size(0) / 2"},
        {"barrier(CLK_LOCAL_MEM_FENCE);\nto[gid] = get_group_id(0) + lid;", "to[gid] = gid;",
         "get_group_id, get_group_id(0) * get_local_size(0)"},
        {"to[gid] = 99999 * gid & 0xFFF;", "to[gid] = 99999 * gid & 0xFFFF;",
         "the number 0xFFF, 0xFFFF"},
        {"to[gid] = 99999 * gid & 4095;", "to[gid] = 99999 * gid & 65535;",
         "the number 4095, 65535"},
        {"const float4 v = (float4)(0.0f);\nto[gid] = v.y > gid;", "to[gid] = 1;",
         "the number 0.0f, INFINITY"},
        {"float4 v = (float4)(gid, 0.0f, 0.0f, 0.0f);\nto[gid] = v.z > gid;", "to[gid] = 1;",
         "one of the numbers 0.0f, INFINITY"},
        {"const int2 v = (int4)(gid, 7, 8, 9).yz;\nto[gid] = v.x * v.y;",
         "const int2 v = (int4)(gid, 7, 8, 9).xy;\nto[gid] = v.x * v.y;", ".yz, .xy"},
        {"const int2 v = (int2)(gid, 7);\nto[gid] = v.s0;",
         "const int2 v = (int2)(gid, 7);\nto[gid] = v.s1;", "the component .s0, .y"},
        {"const int2 v = (int4)(gid, 7, 8, 9).even;\nto[gid] = v.x * v.y;",
         "const int2 v = (int4)(gid, 7, 8, 9).yz;\nto[gid] = v.x * v.y;", ".even, .yz"},
        {"const int2 v = (int4)(gid, 7, 8, 9).hi;\nto[gid] = v.x * v.y;",
         "const int2 v = (int4)(gid, 7, 8, 9).lo;\nto[gid] = v.x * v.y;", ".hi, .xy"},
        {"const int scale = 3;\nto[gid] = gid + lid;",
         "const int scale = 3;\nto[gid] = gid * scale + lid;", "the second \"gid\", gid * scale"},
        {"const int scale = 3;\nto[gid] = get_group_id(0) + lid;",
         "const int scale = 3;\nto[gid] = get_group_id(0) * scale + lid;",
         "get_group_id, get_group_id * scale"},
        {"const int next = lid + 1;\nto[gid] = get_group_id(0);",
         "const int next = lid + 1;\nto[gid] = next;", "get_group_id, next"},
        {"struct { int a, b; } pair;\npair.a = gid;\npair.b = lid;\nto[gid] = pair.a;",
         "struct { int a, b; } pair;\npair.a = gid;\npair.b = lid;\nto[gid] = pair.b;",
         "the member, another member"},
    };
    for (const Slip& slip : slips) {
        CAPTURE(slip.wrong);
        Changeable kernel(slip.wrong);
        const auto before = kernel.results();
        const std::vector<std::string> found = kernel.corrections(Changeable(slip.right).results());
        CHECK(std::ranges::any_of(
            found, [&](const std::string& one) { return one.ends_with(": " + slip.correction); }));
        CHECK(kernel.results() == before); // nothing is left of the changes
    }
}

TEST_CASE("changes with the same results have the same effect") {
    Changeable kernel("if (gid > 100)\n" // line 5
                      "    to[gid] = 3;\n"
                      "for (int i = 0; i <= lid; i++)\n"
                      "    to[gid] += from[i];\n");
    const wire::Analysis listed = kernel.list_changes();
    std::map<std::uint64_t, std::string> outcomes{{listed.effect, kernel.outcome("")},
                                                  {wire::effect_of_failure, "outside"}};
    std::size_t unknown = 0;
    for (const wire::Change& one : listed.changes) {
        CAPTURE(one.key);
        CHECK(one.line != 6); // not executed
        if (one.effect == 0) {
            ++unknown;
            continue;
        }
        const std::string outcome = kernel.outcome(one.key);
        CHECK(outcomes.try_emplace(one.effect, outcome).first->second == outcome);
    }
    std::set<std::string> different;
    for (const auto& [effect, outcome] : outcomes)
        different.insert(outcome);
    CHECK(different.size() == outcomes.size());
    CHECK(unknown < listed.changes.size() / 2); // loops that take long or never end
    CHECK(outcomes.size() < listed.changes.size() / 2);
    CHECK(outcomes.size() > 10);
}

TEST_CASE("a change of a macro or of a condition without an operator has no words of its own") {
    Changeable kernel("#define NEXT(i) i + 1\nto[gid] = NEXT(gid);");
    const auto found = kernel.corrections(Changeable("to[gid] = gid + 2;").results());
    REQUIRE(!found.empty());
    CHECK(found.front() == "line 6: what is computed, 2");
}

TEST_CASE("structures in arrays and in structures are read") {
    Changeable kernel("struct { int a; struct { int b[2], c; } inner; } all[4];\n"
                      "all[lid].a = 1;\nall[lid].inner.b[lid & 1] = gid;\n"
                      "all[lid].inner.c = 2;\nall[1] = all[lid];\nto[gid] = all[lid].inner.c;");
    CHECK(kernel.corrections(Changeable("to[gid] = 1;").results()).size() >= 1);
}

TEST_CASE("a program without the change stays as it is") {
    Changeable kernel("to[gid] = 1;");
    CHECK(kernel.results("of another program") == std::vector<std::int32_t>(items, 1));
}

TEST_CASE("a changed program that never ends is stopped") {
    Changeable kernel("for (int i = 0; i < 4; ++i)\n    to[gid] = i;"); // ++i can become i - 1
    CHECK(!kernel.corrections(std::vector<std::int32_t>(items, 4)).empty());
}

/// The changed kernels do what nobody has written: nothing of that may leave the machine.
TEST_CASE("all changes of kernels in the corpus run or are stopped") {
    std::size_t tried = 0;
    for (const std::string& name : corpora::share({"tests/labgrind/right", ".cl", 431}, 12)) {
        CAPTURE(name);
        KernelCase one = KernelCase::read("tests/labgrind/right/" + name + ".cl");
        const std::vector<std::byte> start = one.memory;
        labgrind::Interpreter interpreter;
        wire::Interpret request{.program = one.program,
                                .launch = one.launch,
                                .how = {.most_instructions = 1'000'000, .lists_changes = true},
                                .watched = false};
        const wire::Analysis unchanged = interpreter.run(request, one.memory);
        const std::vector<std::byte> results = std::exchange(one.memory, start);
        request.how.lists_changes = false;
        for (const wire::Change& change : unchanged.changes) {
            request.change = change.key;
            interpreter.run(request, one.memory);
            one.memory = start;
            ++tried;
        }
        request.change.clear();
        CHECK(interpreter.run(request, one.memory).failure == unchanged.failure);
        CHECK(one.memory == results);
    }
    if (!corpora::are_named())
        CHECK(tried > 20);
}
