#include "report/result.hpp"

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
    return {{"name", one.name},       {"status", to_string(one.status)},
            {"score", one.score},     {"max_score", one.max_score},
            {"message", one.message}, {"hint", one.hint},
            {"file", one.file},       {"line", one.line},
            {"seconds", one.seconds}, {"output", one.output},
            {"launches", launches}};
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
    return {{"kind", finding.kind},
            {"file", finding.file},
            {"line", finding.line},
            {"message", finding.message}};
}

Json to_value(const wire::WorkCounts& work) {
    return {{"launches", work.launches},
            {"work_items", work.work_items},
            {"groups", work.groups},
            {"additions", work.additions},
            {"busiest_item_additions", work.busiest_item_additions},
            {"busiest_group_additions", work.busiest_group_additions},
            {"barriers", work.barriers},
            {"local_loads", work.local_loads},
            {"local_stores", work.local_stores},
            {"global_loads", work.global_loads},
            {"global_stores", work.global_stores},
            {"global_bytes_loaded", work.global_bytes_loaded},
            {"global_bytes_stored", work.global_bytes_stored},
            {"transactions", work.transactions},
            {"bank_conflicts", work.bank_conflicts},
            {"divergent_branches", work.divergent_branches}};
}

} // namespace

std::string to_json(const Result& result) {
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
    const Json json{{"schema", "opencl-labs/result/v1"},
                    {"lab", result.lab},
                    {"title", result.title},
                    {"seed", result.seed},
                    {"device", result.device},
                    {"score", result.score()},
                    {"max_score", result.max_score()},
                    {"cases", cases},
                    {"findings", findings},
                    {"work", work},
                    {"timing", timing}};
    // Student code prints what it likes, also bytes that are no UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace report
