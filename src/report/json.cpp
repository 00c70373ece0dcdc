#include "report/result.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <nlohmann/json.hpp>

namespace report {
namespace {

using Json = nlohmann::ordered_json;

Json to_value(const wire::Launch& launch) {
    return {{"kernel", launch.kernel},
            {"global_size", launch.global_size},
            {"work_group_size", launch.work_group_size},
            {"local_memory", launch.local_memory},
            {"nanoseconds", launch.nanoseconds}};
}

Json to_value(const Case& one) {
    Json launches = Json::array();
    for (const wire::Launch& launch : one.launches)
        launches.push_back(to_value(launch));
    Json json{{"name", one.name},       {"status", to_string(one.status)},
              {"score", one.score},     {"max_score", one.max_score},
              {"message", one.message}, {"hint", one.hint},
              {"file", one.file},       {"line", one.line},
              {"seconds", one.seconds}, {"output", one.output},
              {"launches", launches}};
    if (!one.trace.empty())
        json["trace"] = one.trace;
    if (!one.finding.empty())
        json["finding"] = one.finding;
    if (!one.follows.empty())
        json["follows"] = one.follows;
    if (!one.guess.empty())
        json["guess"] = one.guess;
    if (one.not_implemented)
        json["not_implemented"] = true;
    return json;
}

Json to_value(const Timing& timing) {
    return {{"elements", timing.elements},
            {"nanoseconds", timing.nanoseconds},
            {"wall_nanoseconds", timing.wall_nanoseconds},
            {"bytes_per_second", timing.bytes_per_second},
            {"baseline", timing.baseline},
            {"ratio", timing.ratio},
            {"ratio_low", timing.ratio_low},
            {"ratio_high", timing.ratio_high},
            {"bandwidth_fraction", timing.bandwidth_fraction},
            {"rounds", timing.rounds}};
}

Json to_value(const Finding& finding) {
    Json json{{"kind", finding.kind},
              {"file", finding.file},
              {"line", finding.line},
              {"message", finding.message}};
    if (finding.other_line != 0)
        json["other_line"] = finding.other_line;
    return json;
}

Json to_value(const wire::WorkCounts& work) {
    Json json = Json::object();
    for (const wire::WorkCount& count : wire::work_counts)
        json[count.name] = work.*count.value;
    return json;
}

Json to_value(const Result& result) {
    Json cases = Json::array();
    for (const Case& one : result.cases)
        cases.push_back(to_value(one));
    Json timing = Json::object();
    for (const Timing& one : result.timings)
        timing[one.name] = to_value(one);
    Json findings = Json::array();
    for (const Finding& one : result.findings)
        findings.push_back(to_value(one));
    Json work = Json::object();
    for (const wire::WorkCounts& one : result.work)
        work[one.kernel] = to_value(one);
    Json json{{"schema", result_schema}, {"version", version},  {"lab", result.lab},
              {"title", result.title},   {"seed", result.seed}, {"device", result.device}};
    if (!result.protection.empty())
        json["protection"] = result.protection;
    if (!result.reason.empty())
        json["reason"] = result.reason;
    if (result.harness_failed)
        json["harness_failed"] = true;
    if (!result.due.empty()) {
        json["due"] = result.due;
        json["seconds_late"] = result.seconds_late;
    }
    if (!result.revision.commit.empty())
        json["commit"] = result.revision.commit;
    if (!result.revision.time.empty())
        json[result.revision.pushed ? "pushed" : "committed"] = result.revision.time;
    json["score"] = result.score();
    json["max_score"] = result.max_score();
    json["cases"] = cases;
    json["findings"] = findings;
    json["work"] = work;
    json["timing"] = timing;
    for (const Need& need : result.needs)
        json["needs"][need.kernel][need.count] = need.value;
    for (const Source& source : result.sources)
        json["sources"][source.file] = source.text;
    return json;
}

std::string dump(const Json& json) {
    // Student code can print anything, including bytes that are not UTF-8.
    return without_commands(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                            marks_in_json);
}

} // namespace

std::string to_json(const Result& result) { return dump(to_value(result)); }

std::string to_json(const Submission& submission) {
    Json labs = Json::array();
    for (const Result& lab : submission.labs)
        labs.push_back(to_value(lab));
    return dump({{"schema", submission_schema},
                 {"version", version},
                 {"student", submission.student},
                 {"protection", submission.protection},
                 {"score", submission.score()},
                 {"max_score", submission.max_score()},
                 {"remarks", submission.remarks},
                 {"labs", labs}});
}

} // namespace report
