// Plays the program labgrind. The kernel's name says what it reports about a launch.
#include "wire/channel.hpp"
#include "wire/messages.hpp"

#include <cstdlib>
#include <string>

namespace {

wire::Analysis report_of(const wire::Interpret& request) {
    wire::Analysis analysis;
    analysis.work.kernel = request.launch.kernel;
    analysis.work.launches = 1;
    if (request.launch.kernel == "race")
        analysis.findings = {{wire::FindingKind::no_retry, "race", 3, 4, "two sides"}};
    else if (request.launch.kernel == "barrier" && request.watched)
        analysis.findings = {{.kind = wire::FindingKind::data_race,
                              .kernel = "twice",
                              .line = 2,
                              .other_line = 2,
                              .message = "two work-items",
                              .within_group = true}};
    else if (request.launch.kernel == "groups")
        analysis.findings = {{wire::FindingKind::data_race, "twice", 2, 2, "two groups"}};
    else if (request.launch.kernel == "flag")
        analysis.findings = {{wire::FindingKind::barrier_flag, "twice", 2, 2, "local memory"}};
    else if (request.launch.kernel == "outside")
        analysis.findings = {{wire::FindingKind::out_of_bounds, "twice", 2, 2, "one past the end"}};
    else if (request.launch.kernel == "unordered")
        analysis.footprint = {.known = true, .written = {{0, 16}}};
    else if (request.launch.kernel == "differs") {
        analysis.difference_line = 2;
        analysis.difference = "tests a macro of the compiler";
    } else if (request.launch.kernel == "reads")
        analysis.last_reads = {{0, 4, 1, 7}};
    else if (request.launch.kernel == "fails")
        analysis.failure = "this was not watched";
    else if (request.launch.kernel == "stops")
        analysis.cut_short = true;
    else if (request.launch.kernel == "twice" && request.how.lists_changes)
        analysis.changes = {{"worse", 1, "the number 1", "0"},
                            {"better", 2, "the number 3", "2"},
                            {"too", 2, "the operator +", "*"}};
    else if (request.launch.kernel == "ambiguous" && request.how.lists_changes)
        analysis.changes = {{"better", 2, "the number 3", "2"},
                            {"elsewhere", 1, "the number 1", "2"}};
    return analysis;
}

} // namespace

int main() {
    wire::Channel channel{wire::UniqueFd(wire::runner_channel_fd)};
    for (;;) {
        const wire::Packet packet = channel.receive();
        const auto request = std::get<wire::Interpret>(wire::decode_request(packet.text));
        const std::string& kernel = request.launch.kernel;
        if (kernel == "crash")
            std::abort();
        if (kernel == "leave")
            return 0;
        if (kernel == "other") {
            channel.send(wire::encode(wire::Reply(wire::Refusal{"not today"})));
            continue;
        }
        if (request.change == "better" || request.change == "too" || request.change == "elsewhere")
            wire::Mapping(packet.fds.at(0), request.launch.memory_size,
                          wire::Mapping::Access::read_write)
                .bytes()[0] = std::byte{1}; // the result is right
        const std::string reply = wire::encode(wire::Reply(report_of(request)));
        channel.send(kernel == "half" ? reply.substr(0, reply.size() / 2) : reply);
    }
}
