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

} // namespace

std::string to_json(const Result& result) {
    Json cases = Json::array();
    for (const Case& one : result.cases)
        cases.push_back(to_value(one));
    Json timing = Json::object();
    for (const Timing& one : result.timings)
        timing[one.name] = to_value(one);
    const Json json{{"schema", "opencl-labs/result/v1"},
                    {"lab", result.lab},
                    {"title", result.title},
                    {"seed", result.seed},
                    {"device", result.device},
                    {"score", result.score()},
                    {"max_score", result.max_score()},
                    {"cases", cases},
                    {"findings", Json::array()},
                    {"work", Json::object()},
                    {"timing", timing}};
    // Student code prints what it likes, also bytes that are no UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace report
