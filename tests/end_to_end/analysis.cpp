/// What a run says if the analysis of kernels is not installed or produces no report.

#include "tree.hpp"

#include <doctest/doctest.h>

namespace fs = std::filesystem;

namespace {

/// Replaces the program that interprets kernels with `script`, or removes it, as long as this
/// object exists.
class OtherInterpreter {
  public:
    OtherInterpreter() {
        if (fs::exists(path_))
            fs::rename(path_, kept_);
    }
    explicit OtherInterpreter(const std::string& script) : OtherInterpreter() {
        tree::write(path_, "#!/bin/sh\n" + script + "\n");
        fs::permissions(path_, fs::perms::owner_all);
    }
    OtherInterpreter(const OtherInterpreter&) = delete;
    OtherInterpreter& operator=(const OtherInterpreter&) = delete;
    ~OtherInterpreter() {
        fs::remove(path_);
        if (fs::exists(kept_))
            fs::rename(kept_, path_);
    }

  private:
    fs::path path_ = tree::root() / "build/labgrind/labgrind";
    fs::path kept_ = path_.string() + ".kept";
};

/// The cases that cannot be decided without the analysis.
constexpr int cases_with_analysis = 4;

int count(const nlohmann::json& result, const std::string& status, const std::string& message) {
    int found = 0;
    for (const auto& one : result["cases"]) {
        if (one["status"] == status && one["score"] == 0 &&
            one["message"].get<std::string>().find(message) != std::string::npos)
            ++found;
    }
    return found;
}

void build_lab1() {
    const tree::Outcome built = tree::run("make lab1 SOLUTIONS=1");
    INFO(built.output);
    REQUIRE(built.status == 0);
}

} // namespace

TEST_CASE("without the analysis, its cases are skipped and say so") {
    build_lab1();
    const OtherInterpreter none;
    const tree::Verdict verdict = tree::verdict("");
    INFO(verdict.outcome.output);
    REQUIRE(verdict.result.is_object());
    CHECK(verdict.outcome.status == 1);
    CHECK(count(verdict.result, "skipped", "clang, which ") == cases_with_analysis);
    CHECK(verdict.result["score"] == 10);
    CHECK(verdict.outcome.output.find("4 skipped\n4 cases skipped: clang, which ") !=
          std::string::npos);
    // Cases that were not selected do not count.
    CHECK(tree::run("./harness -tc=minimum,maximum").status == 0);
}

TEST_CASE("--require-analysis fails without the analysis") {
    build_lab1();
    const OtherInterpreter none;
    const tree::Verdict verdict = tree::verdict("--require-analysis");
    INFO(verdict.outcome.output);
    CHECK(verdict.outcome.status == 2);
    CHECK(verdict.result.is_null());
    CHECK(verdict.outcome.output.find("make setup") != std::string::npos);
}

TEST_CASE("an analysis without a report is an error and earns nothing") {
    build_lab1();
    for (const char* const script : {"exit 0", "exit 1", "kill -9 $$", "echo nonsense >&3"}) {
        CAPTURE(script);
        const OtherInterpreter broken(script);
        const tree::Verdict verdict = tree::verdict("--require-analysis");
        INFO(verdict.outcome.output);
        REQUIRE(verdict.result.is_object());
        CHECK(verdict.outcome.status == 1);
        CHECK(count(verdict.result, "error", "the analysis failed: ") == cases_with_analysis);
        CHECK(verdict.result["score"] == 10);
    }
}
