#include "helpers.hpp"
#include "wire/channel.hpp"
#include "wire/handles.hpp"
#include "wire/messages.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <random>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using wire::Channel;
using wire::Mapping;
using wire::UniqueFd;

namespace {

const wire::ProgramSource some_program{"__kernel void f() {}\n\"\\\t\x01", "-D N=3 -cl-std=CL1.2"};

wire::DeviceInfo some_device(const std::string& name) {
    return {name,
            "platform",
            "OpenCL 3.0",
            "580.1",
            wire::DeviceType::gpu,
            1024,
            49152,
            {"cl_khr_fp64", "cl_khr_spir"},
            132};
}

void check_same(const wire::DeviceInfo& a, const wire::DeviceInfo& b) {
    CHECK(a.name == b.name);
    CHECK(a.platform == b.platform);
    CHECK(a.version == b.version);
    CHECK(a.driver == b.driver);
    CHECK(a.type == b.type);
    CHECK(a.max_work_group_size == b.max_work_group_size);
    CHECK(a.local_memory == b.local_memory);
    CHECK(a.compute_units == b.compute_units);
    CHECK(a.extensions == b.extensions);
}

void check_same(const wire::ProgramSource& a, const wire::ProgramSource& b) {
    CHECK(a.source == b.source);
    CHECK(a.options == b.options);
}

/// `message` after encoding and decoding. It must arrive as the same kind.
template <class Kind> Kind travelled_request(const Kind& message) {
    const wire::Request arrived = wire::decode_request(wire::encode(wire::Request(message)));
    REQUIRE(std::holds_alternative<Kind>(arrived));
    return std::get<Kind>(arrived);
}

template <class Kind> Kind travelled_reply(const Kind& message) {
    const wire::Reply arrived = wire::decode_reply(wire::encode(wire::Reply(message)));
    REQUIRE(std::holds_alternative<Kind>(arrived));
    return std::get<Kind>(arrived);
}

std::string random_text(std::size_t size, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text(size, '\0');
    for (char& c : text)
        c = static_cast<char>(random());
    return text;
}

/// Writes `bytes` directly, without the channel's own send().
void send_raw(const Channel& channel, const std::string& bytes) {
    REQUIRE(::send(channel.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
}

/// The header of a message: its length, and the number of descriptors that come with it.
std::string header_for(std::size_t size, std::uint32_t fds = 0) {
    const std::array<std::uint32_t, 2> numbers{static_cast<std::uint32_t>(size), fds};
    std::string bytes(sizeof numbers, '\0');
    std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
    return bytes;
}

/// A shared memory file that contains `text`.
UniqueFd memory_with(const std::string& text) {
    UniqueFd fd = wire::create_shared_memory("test", text.size());
    REQUIRE(::pwrite(fd.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return fd;
}

std::string content_of(const UniqueFd& fd, std::size_t size) {
    std::string text(size, '\0');
    REQUIRE(::pread(fd.get(), text.data(), size, 0) == static_cast<ssize_t>(size));
    return text;
}

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

} // namespace

// --- messages -----------------------------------------------------------------------------------

TEST_CASE("requests survive the transfer") {
    travelled_request(wire::ListDevices{});
    CHECK(travelled_request(wire::OpenDevice{7}).index == 7);
    CHECK(travelled_request(wire::OpenDevice{-3}).index == -3);
    check_same(travelled_request(wire::InspectProgram{some_program}).program, some_program);

    wire::CallFunction call;
    call.function = "sum";
    call.program = some_program;
    call.arguments = {{1, 2}, {std::size_t{1} << 40, 0}};
    call.result_capacity = 99;
    call.limits = {64, 32, 1000, 3, true, true};
    call.checked = false;
    call.guard = 17;
    call.withhold_kernels = true;
    call.interpreted = true;
    call.rounds = 11;
    call.seconds = 0.5;
    call.baseline = {{"other source", "-D X"}, "copy", {16, 32, 48}, 256, 4096, 128};
    const wire::CallFunction arrived = travelled_request(call);
    CHECK(arrived.function == "sum");
    check_same(arrived.program, some_program);
    REQUIRE(arrived.arguments.size() == 2);
    CHECK(arrived.arguments[0].offset == 1);
    CHECK(arrived.arguments[0].size == 2);
    CHECK(arrived.arguments[1].offset == std::size_t{1} << 40);
    CHECK(arrived.arguments[1].size == 0);
    CHECK(arrived.result_capacity == 99);
    CHECK(arrived.limits.max_work_group_size == 64);
    CHECK(arrived.limits.kernel_work_group_size == 32);
    CHECK(arrived.limits.local_memory == 1000);
    CHECK(arrived.limits.compute_units == 3);
    CHECK(arrived.limits.other_type);
    CHECK(arrived.limits.ignores_kernels);
    CHECK_FALSE(arrived.checked);
    CHECK(arrived.guard == 17);
    CHECK(arrived.withhold_kernels);
    CHECK(arrived.interpreted);
    CHECK(arrived.rounds == 11);
    CHECK(arrived.seconds == 0.5);
    check_same(arrived.baseline.program, call.baseline.program);
    CHECK(arrived.baseline.kernel == "copy");
    CHECK(arrived.baseline.buffers == std::vector<std::size_t>{16, 32, 48});
    CHECK(arrived.baseline.local_memory == 256);
    CHECK(arrived.baseline.global_size == 4096);
    CHECK(arrived.baseline.work_group_size == 128);
}

TEST_CASE("an interpreted launch survives the transfer in both directions") {
    using Kind = wire::LaunchArgument::Kind;
    wire::KernelLaunch launch;
    launch.kernel = "scan";
    launch.dimensions = 2;
    launch.global_offset = {1, 2, 3};
    launch.global_size = {64, 32, 1};
    launch.work_group_size = {8, 4, 1};
    launch.arguments = {{Kind::buffer, {64, 100}}, {Kind::local, {0, 512}}, {Kind::value, {0, 4}}};
    launch.memory_size = 164;
    const wire::Interpret request = travelled_request(wire::Interpret{
        .program = some_program, .launch = launch, .how = {.seed = 7}, .watched = true});
    check_same(request.program, some_program);
    CHECK(request.how.seed == 7);
    CHECK(request.watched);
    for (const wire::KernelLaunch& arrived : {request.launch, travelled_reply(launch)}) {
        CHECK(arrived.kernel == "scan");
        CHECK(arrived.dimensions == 2);
        CHECK(arrived.global_offset == launch.global_offset);
        CHECK(arrived.global_size == launch.global_size);
        CHECK(arrived.work_group_size == launch.work_group_size);
        REQUIRE(arrived.arguments.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(arrived.arguments[i].kind == launch.arguments[i].kind);
            CHECK(arrived.arguments[i].bytes.offset == launch.arguments[i].bytes.offset);
            CHECK(arrived.arguments[i].bytes.size == launch.arguments[i].bytes.size);
        }
        CHECK(arrived.memory_size == 164);
    }
    CHECK(travelled_request(wire::LaunchDone{"it did not"}).error == "it did not");
    CHECK(travelled_request(wire::LaunchDone{}).error.empty());
}

TEST_CASE("an analysis survives the transfer") {
    wire::Analysis analysis;
    analysis.failure = "half of it";
    analysis.cut_short = true;
    analysis.findings = {{wire::FindingKind::no_retry, "scan", 20, 18, "two sides"}};
    analysis.findings[0].explanation = "; and why";
    analysis.findings[0].may_be_elsewhere = true;
    analysis.findings[0].cause = "one cause";
    std::uint64_t next = 1;
    for (const wire::WorkCount& count : wire::work_counts)
        analysis.work.*count.value = next++;
    analysis.work.kernel = "scan";
    const wire::Analysis arrived = travelled_reply(analysis);
    CHECK(arrived.failure == "half of it");
    CHECK(arrived.cut_short);
    REQUIRE(arrived.findings.size() == 1);
    CHECK(arrived.findings[0].kind == wire::FindingKind::no_retry);
    CHECK(arrived.findings[0].kernel == "scan");
    CHECK(arrived.findings[0].line == 20);
    CHECK(arrived.findings[0].other_line == 18);
    CHECK(text_of(arrived.findings[0]) ==
          "two sides (the mistake may be in another line); and why");
    CHECK(arrived.findings[0].cause == "one cause");
    CHECK(arrived.work.kernel == "scan");
    for (const wire::WorkCount& count : wire::work_counts)
        CHECK(arrived.work.*count.value == analysis.work.*count.value);
}

TEST_CASE("a trace survives the transfer") {
    wire::Analysis analysis;
    wire::Trace& trace = analysis.trace;
    trace.kernel = "scan";
    trace.groups = 3;
    trace.group_size = 4;
    trace.barriers = {{0, 0, 7, {}}, {2, 1, 9, {1, 3}}};
    trace.cut_short = true;
    wire::TracedArray array;
    array.name = "temp";
    array.local = true;
    array.argument = 2;
    array.elements = 8;
    array.lanes = 4;
    array.bytes = 2;
    array.numbers = wire::TracedArray::Numbers::without_sign;
    array.is_struct = true;
    trace.arrays = {array};
    wire::TracedAccess access;
    access.kind = wire::TracedAccess::Kind::atomic;
    access.group = 1;
    access.item = 2;
    access.phase = 3;
    access.line = 4;
    access.element = {0, -5};
    access.name = "temp[-5]";
    access.operation = "atomic_inc";
    access.before = {0xffffffffffffffffU};
    access.value = {0};
    access.outside = access.uninitialized = true;
    access.from = {{0, 6}};
    access.race = 7;
    access.times = 8;
    trace.accesses = {access};
    // Everything is in the text, so equal texts are equal traces.
    CHECK(wire::encode(wire::Reply(travelled_reply(analysis))) ==
          wire::encode(wire::Reply(analysis)));
    const wire::Trace arrived = travelled_reply(analysis).trace;
    CHECK(arrived.arrays.at(0).numbers == array.numbers);
    CHECK(arrived.accesses.at(0).before == access.before);
    CHECK(arrived.accesses.at(0).from == access.from);
    CHECK(arrived.accesses.at(0).element == access.element);
}

TEST_CASE("replies about devices and programs survive the transfer") {
    const auto list = travelled_reply(wire::DeviceList{{some_device("a"), some_device("b")}});
    REQUIRE(list.devices.size() == 2);
    check_same(list.devices[0], some_device("a"));
    check_same(list.devices[1], some_device("b"));
    CHECK(travelled_reply(wire::DeviceList{}).devices.empty());

    const auto opened = travelled_reply(wire::OpenedDevice{3, some_device("c")});
    CHECK(opened.index == 3);
    check_same(opened.device, some_device("c"));

    const auto info = travelled_reply(wire::ProgramInfo{true, "a log\n", {{"f", 64}, {"g", 128}}});
    CHECK(info.built);
    CHECK(info.build_log == "a log\n");
    REQUIRE(info.kernels.size() == 2);
    CHECK(info.kernels[0].name == "f");
    CHECK(info.kernels[1].name == "g");
    CHECK(info.kernels[1].work_group_size == 128);

    CHECK(travelled_reply(wire::Refusal{"no reason"}).reason == "no reason");
}

TEST_CASE("the host's commands have the names of the C++ bindings") {
    using wire::HostCommand;
    CHECK(wire::name_of(HostCommand::launch) == "enqueueNDRangeKernel");
    CHECK(wire::name_of(HostCommand::fill) == "enqueueFillBuffer");
    CHECK(wire::name_of(HostCommand::map) == "enqueueMapBuffer");
    CHECK(wire::name_of(HostCommand::last) == "enqueueBarrierWithWaitList");
}

TEST_CASE("the reply to a call survives the transfer") {
    wire::CallReply reply;
    reply.outcome = wire::Outcome::opencl_error;
    reply.message = "a message";
    reply.file = "labs/lab1/sum.cpp";
    reply.line = 12;
    reply.call = "clEnqueueNDRangeKernel";
    reply.error_code = -54;
    reply.build_log = "a log";
    reply.result_size = 77;
    reply.launches = {{"f", {64, 2, 3}, {8, 2, 1}, 512, 123456789012345ULL}, {}};
    reply.launches[0].arguments = {{0, wire::LaunchArgument::Kind::buffer, 4096, 0, 2},
                                   {1, wire::LaunchArgument::Kind::value, 8, ~std::uint64_t{0}, 0},
                                   {2, wire::LaunchArgument::Kind::local, 256, 0, 0}};
    reply.launches[0].frames = {0x401000, ~std::uint64_t{0}};
    reply.attempted = {{"g", {32, 1, 1}}};
    reply.transfers = {{wire::HostCommand::fill, 2, {0, 4096}, true, 0, {7, 7, 7, 7}},
                       {wire::HostCommand::read, 3, {4, 8}, false, 1}};
    reply.reads = {4, 8};
    reply.last_read = {7, ~std::uint32_t{0}};
    reply.guard_hits = {{100, -4}, {200, 200}};
    reply.read_only_hits = {{300, 16}};
    reply.any_order = true;
    reply.unordered = {{{wire::HostCommand::fill, "", -1, -1, true, {4, 8}, 1, true},
                        {wire::HostCommand::launch, "sum", 3, 2, false, {0, 64}, 2, false}}};
    reply.unwaited_read = true;
    reply.unwaited_write = true;
    reply.unwaited_map = true;
    reply.unset_event = true;
    reply.changed_source = true;
    reply.changed_host_memory = true;
    reply.careless_frames = {0x402000};
    reply.changed_input = true;
    reply.seconds = 0.1;
    reply.function_times = {5, ~std::uint64_t{0}};
    reply.baseline_times = {7, 8};
    const wire::CallReply arrived = travelled_reply(reply);
    CHECK(arrived.outcome == wire::Outcome::opencl_error);
    CHECK(arrived.message == "a message");
    CHECK(arrived.file == "labs/lab1/sum.cpp");
    CHECK(arrived.line == 12);
    CHECK(arrived.call == "clEnqueueNDRangeKernel");
    CHECK(arrived.error_code == -54);
    CHECK(arrived.build_log == "a log");
    CHECK(arrived.result_size == 77);
    REQUIRE(arrived.launches.size() == 2);
    CHECK(arrived.launches[0].kernel == "f");
    CHECK(arrived.launches[0].global_size == std::array<std::size_t, 3>{64, 2, 3});
    CHECK(arrived.launches[0].work_group_size == std::array<std::size_t, 3>{8, 2, 1});
    CHECK(arrived.launches[0].local_memory == 512);
    CHECK(arrived.launches[0].nanoseconds == 123456789012345ULL);
    CHECK(arrived.launches[1].global_size == std::array<std::size_t, 3>{1, 1, 1});
    REQUIRE(arrived.launches[0].arguments.size() == 3);
    CHECK(arrived.launches[0].arguments[0].kind == wire::LaunchArgument::Kind::buffer);
    CHECK(arrived.launches[0].arguments[0].size == 4096);
    CHECK(arrived.launches[0].arguments[0].buffer == 2);
    CHECK(arrived.launches[0].arguments[1].index == 1);
    CHECK(arrived.launches[0].arguments[1].value == ~std::uint64_t{0});
    CHECK(arrived.launches[0].arguments[2].kind == wire::LaunchArgument::Kind::local);
    CHECK(arrived.launches[1].arguments.empty());
    CHECK(arrived.launches[0].frames == std::vector<std::uint64_t>{0x401000, ~std::uint64_t{0}});
    REQUIRE(arrived.attempted.size() == 1);
    CHECK(arrived.attempted[0].kernel == "g");
    REQUIRE(arrived.transfers.size() == 2);
    CHECK(arrived.transfers[0].command == wire::HostCommand::fill);
    CHECK(arrived.transfers[0].pattern == std::vector<std::uint32_t>{7, 7, 7, 7});
    CHECK(arrived.transfers[0].writes);
    CHECK(arrived.transfers[1].buffer == 3);
    CHECK(arrived.transfers[1].bytes.offset == 4);
    CHECK(arrived.transfers[1].bytes.size == 8);
    CHECK(arrived.transfers[1].launches == 1);
    CHECK_FALSE(arrived.transfers[1].writes);
    CHECK(arrived.reads == std::vector<std::size_t>{4, 8});
    CHECK(arrived.last_read == reply.last_read);
    REQUIRE(arrived.guard_hits.size() == 2);
    CHECK(arrived.guard_hits[0].buffer_size == 100);
    CHECK(arrived.guard_hits[0].byte_offset == -4);
    CHECK(arrived.guard_hits[1].byte_offset == 200);
    REQUIRE(arrived.read_only_hits.size() == 1);
    CHECK(arrived.read_only_hits[0].buffer_size == 300);
    CHECK(arrived.read_only_hits[0].byte_offset == 16);
    CHECK(arrived.any_order);
    CHECK(arrived.unwaited_read);
    CHECK(arrived.unwaited_write);
    CHECK(arrived.unwaited_map);
    CHECK(arrived.unset_event);
    CHECK(arrived.changed_source);
    CHECK(arrived.changed_host_memory);
    CHECK(arrived.careless_frames == std::vector<std::uint64_t>{0x402000});
    REQUIRE(arrived.unordered.size() == 1);
    CHECK(arrived.unordered[0].earlier.command == wire::HostCommand::fill);
    CHECK(arrived.unordered[0].earlier.launch == -1);
    CHECK(arrived.unordered[0].earlier.writes);
    CHECK(arrived.unordered[0].earlier.bytes.offset == 4);
    CHECK(arrived.unordered[0].later.launch == 3);
    CHECK(arrived.unordered[0].later.argument == 2);
    CHECK(arrived.unordered[0].later.queue == 2);
    CHECK_FALSE(arrived.unordered[0].later.in_order);
    CHECK(arrived.changed_input);
    CHECK(arrived.seconds == 0.1);
    CHECK(arrived.function_times == reply.function_times);
    CHECK(arrived.baseline_times == reply.baseline_times);
}

TEST_CASE("every outcome survives the transfer") {
    using wire::Outcome;
    for (const Outcome outcome :
         {Outcome::returned, Outcome::not_implemented, Outcome::opencl_error, Outcome::exception,
          Outcome::unknown_exception, Outcome::build_failed, Outcome::unknown}) {
        CAPTURE(static_cast<int>(outcome));
        wire::CallReply reply;
        reply.outcome = outcome;
        CHECK(travelled_reply(reply).outcome == outcome);
    }
}

TEST_CASE("texts that are not valid UTF-8 can be sent") {
    for (const std::string& bytes :
         {std::string("\xFF\xFE"), std::string("\xC3"), std::string("\xED\xA0\x80"),
          std::string("\xF8\x88\x80\x80\x80"), std::string("\x80"), std::string("a\0b", 3)}) {
        const std::string text = "before" + bytes + "after";
        std::string arrived;
        CHECK_NOTHROW(arrived = travelled_reply(wire::Refusal{text}).reason);
        CHECK(arrived.substr(0, 6) == "before");
        CHECK(arrived.substr(arrived.size() - 5) == "after");
        CHECK_NOTHROW(arrived =
                          travelled_request(wire::InspectProgram{{text, text}}).program.source);
        CHECK(arrived.substr(0, 6) == "before");
    }
    const std::string text("a\0b\x1F\x7F\n\xC3\xA4", 8);
    CHECK(travelled_reply(wire::Refusal{text}).reason == text);
}

TEST_CASE("an invalid message is rejected with a runtime error") {
    const std::string deep(100000, '[');
    for (const std::string& text : {std::string(),
                                    std::string("{"),
                                    std::string("\xFF"),
                                    std::string("null"),
                                    std::string("[]"),
                                    std::string("3"),
                                    std::string("\"kind\""),
                                    std::string("{}"),
                                    deep,
                                    std::string(R"({"kind":1})"),
                                    std::string(R"({"body":{}})"),
                                    std::string(R"({"kind":99,"body":{}})"),
                                    std::string(R"({"kind":-1,"body":{}})"),
                                    std::string(R"({"kind":"1","body":{}})"),
                                    std::string(R"({"kind":null,"body":{}})"),
                                    std::string(R"({"kind":1,"body":{}})"),
                                    std::string(R"({"kind":1,"body":null})"),
                                    std::string(R"({"kind":1,"body":[]})"),
                                    std::string(R"({"kind":1,"body":{"index":"x"}})"),
                                    std::string(R"({"kind":1,"body":{"index":[]}})"),
                                    std::string(R"({"kind":3,"body":{"function":"f"}})"),
                                    std::string(R"({"kind":1,"body":{"index":1}} rest)")}) {
        CAPTURE(text.substr(0, 60));
        CHECK_THROWS_AS(wire::decode_request(text), std::runtime_error);
        CHECK_THROWS_AS(wire::decode_reply(text), std::runtime_error);
    }
    CHECK_NOTHROW(wire::decode_request(R"({"kind":1,"body":{"index":1}})"));
    CHECK_THROWS_AS(wire::decode_request(R"({"kind":4,"body":{"reason":"x"}})"),
                    std::runtime_error);
    CHECK_NOTHROW(wire::decode_reply(R"({"kind":4,"body":{"reason":"x"}})"));
    CHECK_THROWS_AS(wire::decode_reply(R"({"kind":4,"body":{"reason":3}})"), std::runtime_error);
    CHECK_THROWS_AS(wire::decode_reply(R"({"kind":0,"body":{"devices":{}}})"), std::runtime_error);
    CHECK_THROWS_AS(wire::decode_reply(R"({"kind":0,"body":{"devices":[1]}})"), std::runtime_error);
}

TEST_CASE("a call's reply with a missing or wrongly typed member is rejected") {
    const wire::CallReply reply{};
    const std::string whole = wire::encode(wire::Reply(reply));
    for (const auto& change : std::vector<std::pair<std::string, std::string>>{
             {"\"seconds\"", "\"second\""},
             {"\"launches\":[]", "\"launches\":7"},
             {"\"launches\":[]",
              R"("launches":[{"kernel":"f","global_size":[1],"work_group_size":[1,1,1],)"
              R"("local_memory":0,"nanoseconds":0}])"},
             {"\"message\":\"\"", "\"message\":null"},
             {"\"reads\":[]", "\"reads\":[\"x\"]"}}) {
        const std::string& from = change.first;
        const std::string& to = change.second;
        CAPTURE(to);
        std::string changed = whole;
        const auto at = changed.find(from);
        REQUIRE(at != std::string::npos);
        changed.replace(at, from.size(), to);
        CHECK_THROWS_AS(wire::decode_reply(changed), std::runtime_error);
    }
    CHECK_NOTHROW(wire::decode_reply(whole));
}

// --- channel ------------------------------------------------------------------------------------

TEST_CASE("messages of every size arrive completely") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, (std::size_t{64} << 10) - 4, std::size_t{64} << 10,
          (std::size_t{64} << 10) + 1, Channel::max_text}) {
        CAPTURE(size);
        const std::string text = random_text(size, seed);
        auto [one, other] = Channel::create_pair();
        std::thread sender([&one = one, &text] { one.send(text); });
        std::string arrived;
        CHECK_NOTHROW(arrived = other.receive().text);
        sender.join();
        CHECK((arrived == text));
    }
}

TEST_CASE("consecutive messages stay separate in both directions") {
    auto [one, other] = Channel::create_pair();
    one.send("first");
    one.send("");
    one.send(std::string(1000, 'x'));
    other.send("back");
    CHECK(other.receive().text == "first");
    const auto second = other.receive_available();
    REQUIRE(second);
    CHECK(second->text.empty());
    CHECK(other.receive().text == std::string(1000, 'x'));
    CHECK_FALSE(other.receive_available());
    CHECK(one.receive().text == "back");
    CHECK_FALSE(one.receive_available());
}

TEST_CASE("received descriptors are usable after the sender has closed them") {
    auto [one, other] = Channel::create_pair();
    {
        const UniqueFd a = memory_with("content a");
        const UniqueFd b = memory_with("content b");
        one.send("with two", {&a, &b});
    }
    {
        const UniqueFd c = memory_with("content c");
        const std::vector<const UniqueFd*> most(Channel::max_fds, &c);
        const wire::Packet packet = other.receive();
        CHECK(packet.text == "with two");
        REQUIRE(packet.fds.size() == 2);
        CHECK(content_of(packet.fds[0], 9) == "content a");
        CHECK(content_of(packet.fds[1], 9) == "content b");
        CHECK((::fcntl(packet.fds[0].get(), F_GETFD) & FD_CLOEXEC) != 0);

        one.send("with all", most);
        const wire::Packet full = other.receive();
        REQUIRE(full.fds.size() == Channel::max_fds);
        CHECK(content_of(full.fds.back(), 9) == "content c");

        const std::vector<const UniqueFd*> too_many(Channel::max_fds + 1, &c);
        CHECK_THROWS_AS(one.send("with more", too_many), std::runtime_error);
    }
    one.send("with none");
    CHECK(other.receive().fds.empty());
}

TEST_CASE("descriptors arrive with a message larger than the socket's buffer") {
    auto [one, other] = Channel::create_pair();
    const UniqueFd memory = memory_with("content");
    const std::string text(std::size_t{3} << 20, 'y');
    std::thread sender([&one = one, &text, &memory] { one.send(text, {&memory}); });
    wire::Packet packet;
    CHECK_NOTHROW(packet = other.receive());
    sender.join();
    CHECK((packet.text == text));
    REQUIRE(packet.fds.size() == 1);
    CHECK(content_of(packet.fds[0], 7) == "content");
}

TEST_CASE("descriptors stay with their own message when two messages are waiting") {
    auto [one, other] = Channel::create_pair();
    const UniqueFd memory = memory_with("content");
    one.send("without");
    one.send("with", {&memory});
    const wire::Packet first = other.receive();
    CHECK(first.text == "without");
    CHECK(first.fds.empty());
    const wire::Packet second = other.receive();
    CHECK(second.text == "with");
    CHECK(second.fds.size() == 1);
}

TEST_CASE("using a channel whose other end is closed throws") {
    auto [one, other] = Channel::create_pair();
    one.send("last words");
    one = Channel(UniqueFd());
    CHECK(other.receive().text == "last words");
    CHECK_THROWS_AS(other.receive(), std::runtime_error);
    CHECK_THROWS_AS(other.receive_available(), std::runtime_error);
    CHECK_THROWS_AS(other.send("anybody there?"), std::system_error); // and no SIGPIPE
}

TEST_CASE("a channel that closes in the middle of a message throws") {
    auto [one, other] = Channel::create_pair();
    send_raw(one, header_for(10) + "half");
    CHECK_FALSE(other.receive_available());
    one = Channel(UniqueFd());
    CHECK_THROWS_AS(other.receive(), std::runtime_error);
}

TEST_CASE("a length above the maximum message size throws") {
    for (const std::size_t length : {Channel::max_text + 1, std::size_t{0xFFFFFFFFU}}) {
        auto [one, other] = Channel::create_pair();
        send_raw(one, header_for(length));
        CHECK_THROWS_AS(other.receive_available(), std::runtime_error);
        CHECK_THROWS_AS(other.receive(), std::runtime_error);
    }
    auto [one, other] = Channel::create_pair();
    send_raw(one, header_for(Channel::max_text));
    CHECK_FALSE(other.receive_available());
    CHECK_THROWS_AS(one.send(std::string(Channel::max_text + 1, 'x')), std::runtime_error);
}

TEST_CASE("descriptors that are announced but missing throw") {
    for (const std::uint32_t fds : {1U, 5U}) {
        auto [one, other] = Channel::create_pair();
        send_raw(one, header_for(2, fds) + "ab");
        CHECK_THROWS_AS(other.receive_available(), std::runtime_error);
    }
}

TEST_CASE("an incomplete message is not ready") {
    auto [one, other] = Channel::create_pair();
    CHECK_FALSE(other.receive_available());
    const std::string bytes = header_for(5) + "hello";
    for (const char byte : bytes) {
        CHECK_FALSE(other.receive_available());
        send_raw(one, std::string(1, byte));
    }
    const auto packet = other.receive_available();
    REQUIRE(packet);
    CHECK(packet->text == "hello");
    CHECK_FALSE(other.receive_available());
}

// --- handles ------------------------------------------------------------------------------------

TEST_CASE("a descriptor is closed once, by its last owner") {
    int number = -1;
    {
        UniqueFd first = memory_with("x");
        number = first.get();
        CHECK(is_open(number));
        UniqueFd second(std::move(first));
        CHECK(second.get() == number);
        CHECK(is_open(number));
        UniqueFd third;
        CHECK_FALSE(third);
        third = std::move(second);
        CHECK(third);
        CHECK(is_open(number));
        third = UniqueFd();
        CHECK_FALSE(is_open(number));
        third = memory_with("y");
        number = third.get();
    }
    CHECK_FALSE(is_open(number));
}

TEST_CASE("shared memory keeps its size") {
    const UniqueFd fd = wire::create_shared_memory("test", 5000);
    CHECK(::lseek(fd.get(), 0, SEEK_END) == 5000);
    CHECK(content_of(fd, 5000) == std::string(5000, '\0'));
    for (const off_t size : {0, 100, 4999, 5001, 1 << 20}) {
        CAPTURE(size);
        errno = 0;
        CHECK(::ftruncate(fd.get(), size) == -1);
        CHECK(errno == EPERM);
    }
    CHECK(::lseek(fd.get(), 0, SEEK_END) == 5000);
    const UniqueFd none = wire::create_shared_memory("test", 0);
    CHECK(::ftruncate(none.get(), 1) == -1);
    CHECK_THROWS_AS(wire::create_shared_memory("test", std::size_t{1} << 63), std::system_error);
}

TEST_CASE("a mapping shows what others write to the same memory") {
    const UniqueFd fd = wire::create_shared_memory("test", 100);
    const Mapping writer(fd, 100, Mapping::Access::read_write);
    Mapping reader(fd, 100, Mapping::Access::read);
    CHECK(writer.bytes().size() == 100);
    writer.bytes()[99] = std::byte{42};
    CHECK(reader.bytes()[99] == std::byte{42});
    const Mapping moved(std::move(reader));
    CHECK(moved.bytes()[99] == std::byte{42});
    Mapping assigned;
    CHECK(assigned.bytes().size() == 0);
    assigned = Mapping(fd, 100, Mapping::Access::read);
    CHECK(assigned.bytes()[99] == std::byte{42});
}

TEST_CASE("sealed memory can be read but no longer written") {
    const UniqueFd fd = memory_with("content");
    const UniqueFd copy(::dup(fd.get()));
    wire::seal_against_writing(fd);
    for (const UniqueFd* one : {&fd, &copy}) {
        errno = 0;
        CHECK(::pwrite(one->get(), "x", 1, 0) == -1);
        CHECK(errno == EPERM);
        CHECK_THROWS_AS(Mapping(*one, 7, Mapping::Access::read_write), std::system_error);
        const Mapping reader(*one, 7, Mapping::Access::read);
        CHECK(reader.bytes()[0] == std::byte{'c'});
        // A private reader cannot become a writer later.
        CHECK(::mprotect(reader.data(), 7, PROT_READ | PROT_WRITE) == -1);
    }
    CHECK(content_of(fd, 7) == "content");
}

TEST_CASE("memory that is still writable elsewhere cannot be sealed") {
    const UniqueFd fd = memory_with("content");
    const Mapping writer(fd, 7, Mapping::Access::read_write);
    CHECK_THROWS_AS(wire::seal_against_writing(fd), std::system_error);
}

TEST_CASE("a mapping of no bytes is empty") {
    const UniqueFd fd = wire::create_shared_memory("test", 0);
    for (const auto access : {Mapping::Access::read, Mapping::Access::read_write}) {
        const Mapping nothing(fd, 0, access);
        CHECK(nothing.data() == nullptr);
        CHECK(nothing.bytes().size() == 0);
        CHECK(nothing.bytes().begin() == nothing.bytes().end());
    }
    CHECK_THROWS_AS(Mapping(UniqueFd(), 10, Mapping::Access::read), std::system_error);
}
