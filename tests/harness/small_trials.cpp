#include "grader/small_trials.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using grader::KnownMistake;
using grader::Observation;
using grader::ObservedFinding;
using grader::SmallTrials;
using wire::FindingKind;

namespace {

ObservedFinding finding(FindingKind kind, const std::string& kernel,
                        const grader::TrialId& trial = {2, "n = 2"}) {
    ObservedFinding one;
    one.finding.kind = kind;
    one.finding.kernel = kernel;
    one.trial = trial;
    return one;
}

Observation seen(std::vector<ObservedFinding> findings) {
    Observation observation;
    observation.findings = std::move(findings);
    return observation;
}

std::vector<FindingKind> kinds(const std::vector<ObservedFinding>& findings) {
    std::vector<FindingKind> all(findings.size());
    std::ranges::transform(findings, all.begin(),
                           [](const ObservedFinding& one) { return one.finding.kind; });
    return all;
}

} // namespace

TEST_CASE("a wrong flag comes before races, and uninitialized memory after them") {
    SmallTrials small;
    small.seen =
        seen({finding(FindingKind::uninitialized, "scan"), finding(FindingKind::data_race, "scan"),
              finding(FindingKind::barrier_flag, "scan")});
    grader::sort_findings(small);
    CHECK(kinds(small.seen.findings) == std::vector{FindingKind::barrier_flag,
                                                    FindingKind::data_race,
                                                    FindingKind::uninitialized});
}

TEST_CASE("a loop that hangs in lock step is reported once") {
    SmallTrials small;
    small.seen = seen({finding(FindingKind::lock_step_hang, "lock"),
                       finding(FindingKind::unpromised_wait, "lock")});
    SUBCASE("at one line") {
        grader::sort_findings(small);
        CHECK(kinds(small.seen.findings) == std::vector{FindingKind::lock_step_hang});
    }
    SUBCASE("but another loop keeps its finding") {
        small.seen.findings.back().finding.line = 7;
        grader::sort_findings(small);
        CHECK(small.seen.findings.size() == 2);
    }
}

TEST_CASE("a schedule says nothing more about a lock without a fence") {
    SmallTrials small;
    small.seen =
        seen({finding(FindingKind::wrong_order, "lock"), finding(FindingKind::wrong_order, "scan"),
              finding(FindingKind::missing_fence, "lock", {37, "n = 37"})});
    grader::sort_findings(small);
    CHECK(kinds(small.seen.findings) ==
          std::vector{FindingKind::wrong_order, FindingKind::missing_fence});
    CHECK(small.seen.findings.front().finding.kernel == "scan");
}

TEST_CASE("schedules show nothing about a kernel with wrong results") {
    SmallTrials small;
    small.seen = seen(
        {finding(FindingKind::wrong_order, "scan"), finding(FindingKind::wrong_order, "offsets")});
    small.failed_kernels = {"scan"};
    grader::sort_findings(small);
    REQUIRE(small.seen.findings.size() == 1);
    CHECK(small.seen.findings.front().finding.kernel == "offsets");
    REQUIRE(small.unjudged.size() == 1);
    CHECK(small.unjudged.front().finding.kernel == "scan");
}

TEST_CASE("a race between groups can follow from a mistake of the host in the same trial") {
    SmallTrials small;
    KnownMistake& mistake = small.host_mistakes[{2, "n = 2"}];
    mistake.text = "the buffer is too small";
    ObservedFinding race = finding(FindingKind::data_race, "scan");
    SUBCASE("within a group it cannot") { CHECK(grader::known_cause_of(race, small) == nullptr); }
    SUBCASE("within a group, too, if a lock has a wrong value") {
        mistake.explains_every_race = true;
        CHECK(grader::known_cause_of(race, small) == &mistake);
    }
    race.finding.between_groups = true;
    SUBCASE("in that trial") { CHECK(grader::known_cause_of(race, small) == &mistake); }
    SUBCASE("in another trial it cannot, even with the same parameters") {
        race.trial.number = 3;
        CHECK(grader::known_cause_of(race, small) == nullptr);
    }
}

TEST_CASE("wrong indices do not follow from a mistake that leaves only wrong values") {
    SmallTrials small;
    KnownMistake& mistake = small.host_mistakes[{2, "n = 2"}];
    mistake.text = "the PREFIX of tile 0 lacks the tile's own sum";
    const ObservedFinding stray = finding(FindingKind::out_of_bounds, "scan");
    const ObservedFinding wait = finding(FindingKind::unpromised_wait, "scan");
    CHECK(grader::known_cause_of(stray, small) == &mistake);
    mistake.spoils_indices = false;
    CHECK(grader::known_cause_of(stray, small) == nullptr);
    CHECK(grader::known_cause_of(wait, small) == &mistake);
}

TEST_CASE("findings of a kernel can follow from what its wrong results show") {
    SmallTrials small;
    small.kernel_mistake = {.text = "the tree ends one step early", .cause = "", .kernel = "scan"};
    CHECK(grader::known_cause_of(finding(FindingKind::out_of_bounds, "scan"), small) ==
          &*small.kernel_mistake);
    CHECK(grader::known_cause_of(finding(FindingKind::out_of_bounds, "offsets"), small) == nullptr);
    CHECK(grader::known_cause_of(finding(FindingKind::divergent_barrier, "scan"), small) ==
          nullptr);
}

TEST_CASE("a finding can follow from another one") {
    const Observation all = seen({finding(FindingKind::divergent_barrier, "scan"),
                                  finding(FindingKind::out_of_bounds, "scatter")});
    const ObservedFinding& diverges = all.findings.front();
    const ObservedFinding& stray = all.findings.back();
    SUBCASE("an index in one kernel from a barrier in another one") {
        CHECK(grader::finding_before(stray, all) == &diverges);
        for (const FindingKind kind : {FindingKind::data_race, FindingKind::misaligned})
            CHECK(grader::finding_before(finding(kind, "scatter"), all) == &diverges);
        CHECK(grader::finding_before(finding(FindingKind::data_race, "scan"), all) == nullptr);
    }
    SUBCASE("an endless loop from an index in the same kernel") {
        CHECK(grader::finding_before(finding(FindingKind::endless_loop, "scatter"), all) == &stray);
        CHECK(grader::finding_before(finding(FindingKind::endless_loop, "scan"), all) == nullptr);
    }
    SUBCASE("an endless loop from uninitialized memory in the same kernel") {
        const Observation unset = seen({finding(FindingKind::uninitialized, "scan")});
        CHECK(grader::finding_before(finding(FindingKind::endless_loop, "scan"), unset) ==
              &unset.findings.front());
    }
    SUBCASE("a barrier from nothing") { CHECK(grader::finding_before(diverges, all) == nullptr); }
}

TEST_CASE("kernels only lack barriers if that is all that was found") {
    ObservedFinding race = finding(FindingKind::data_race, "scan");
    race.finding.within_group = true;
    CHECK(grader::only_lacks_barriers(seen({race})));
    CHECK(grader::only_lacks_barriers(seen({race, finding(FindingKind::barrier_flag, "scan")})));
    CHECK_FALSE(grader::only_lacks_barriers(seen({})));
    CHECK_FALSE(
        grader::only_lacks_barriers(seen({race, finding(FindingKind::out_of_bounds, "scan")})));
    Observation unfinished = seen({race});
    unfinished.failure = "labgrind did not end";
    CHECK_FALSE(grader::only_lacks_barriers(unfinished));
}

TEST_CASE("a missing barrier does not spoil what comes later, an index outside a buffer does") {
    ObservedFinding race = finding(FindingKind::data_race, "scan");
    race.finding.within_group = true;
    const SmallTrials small;
    CHECK_FALSE(grader::can_spoil_others(seen({race}), small));
    CHECK(
        grader::can_spoil_others(seen({race, finding(FindingKind::out_of_bounds, "scan")}), small));
}

TEST_CASE("only findings of launched kernels count") {
    wire::Launch launch;
    launch.kernel = "scan";
    const Observation left =
        grader::in_kernels_of({launch}, seen({finding(FindingKind::data_race, "scan"),
                                              finding(FindingKind::data_race, "offsets")}));
    REQUIRE(left.findings.size() == 1);
    CHECK(left.findings.front().finding.kernel == "scan");
}
