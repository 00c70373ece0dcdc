#include "grader/sealed_call.hpp"
#include "helpers.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>

using grader::Carried;
using grader::LaunchEnd;
using grader::RunnerEnd;
using grader::Seal;
using grader::SealedCall;
using helpers::has;
using wire::KernelLaunch;
using wire::LaunchArgument;
using wire::LaunchDone;
using wire::UniqueFd;

namespace {

using Words = std::vector<std::uint32_t>;
using Kind = LaunchArgument::Kind;

constexpr std::size_t word_size = sizeof(std::uint32_t);

Words words_in(const UniqueFd& memory, std::size_t count) {
    Words words(count);
    const auto size = static_cast<ssize_t>(count * word_size);
    REQUIRE(::pread(memory.get(), words.data(), words.size() * word_size, 0) == size);
    return words;
}

void put_words(const UniqueFd& memory, const Words& words) {
    const auto size = static_cast<ssize_t>(words.size() * word_size);
    REQUIRE(::pwrite(memory.get(), words.data(), words.size() * word_size, 0) == size);
}

UniqueFd memory_of(const Words& words) {
    UniqueFd memory = wire::create_shared_memory("test", words.size() * word_size);
    put_words(memory, words);
    return memory;
}

UniqueFd unsealed_memory(std::size_t size, unsigned seals = 0) {
    UniqueFd memory(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(::ftruncate(memory.get(), static_cast<off_t>(size)) == 0);
    REQUIRE(::fcntl(memory.get(), F_ADD_SEALS, seals) == 0);
    return memory;
}

Words hidden(Seal& seal, Words words) {
    std::vector<std::byte> bytes(words.size() * word_size);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    seal.hide({bytes.data(), bytes.size()});
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

Words revealed(const Seal& seal, Words words) {
    std::vector<std::byte> bytes(words.size() * word_size);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    seal.reveal({bytes.data(), bytes.size()});
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

LaunchArgument argument(Kind kind, std::size_t offset, std::size_t size) {
    return {kind, {offset, size}, false};
}

/// A launch of a kernel with one buffer, which is all of its memory.
KernelLaunch launch_of(std::size_t words) {
    KernelLaunch launch;
    launch.kernel = "twice";
    launch.arguments = {argument(Kind::buffer, 0, words * word_size)};
    launch.memory_size = words * word_size;
    return launch;
}

/// Plays the process that executes launches: records requests and gives a prepared answer.
struct Player {
    std::vector<KernelLaunch> launches;
    Carried answer;
    std::function<void(std::span<std::uint32_t>)> kernel = [](auto words) {
        for (std::uint32_t& word : words)
            word *= 2;
    };

    grader::Carrier carrier() {
        return [this](const KernelLaunch& launch, const UniqueFd& memory) {
            launches.push_back(launch);
            const wire::Mapping mapping(memory, launch.memory_size,
                                        wire::Mapping::Access::read_write);
            kernel({static_cast<std::uint32_t*>(mapping.data()), launch.memory_size / word_size});
            return answer;
        };
    }
};

/// A call with its seal and the player that executes its launches.
struct Stage {
    Seal seal;
    Player player;
    SealedCall call{seal, player.carrier()};

    explicit Stage(std::size_t visible_words = 0) : seal(visible_words) {}
};

/// Why a launch was refused; "" if it was not.
std::string refusal(const LaunchEnd& end) {
    return std::holds_alternative<LaunchDone>(end) ? std::get<LaunchDone>(end).error
                                                   : "a process died";
}

/// Why a launch with only the fault that `spoil` adds is refused. It must not be executed.
template <class Spoil> std::string refusal_of(const Spoil& spoil) {
    Stage stage;
    KernelLaunch launch = launch_of(4);
    UniqueFd memory = memory_of({1, 2, 3, 4});
    spoil(launch, memory);
    std::string why = refusal(stage.call.carry_out(launch, memory));
    CHECK(stage.player.launches.size() == (why.empty() ? 1 : 0));
    return why;
}

/// The same for a fault in the launch only.
template <class Spoil> std::string refusal_of_launch(const Spoil& spoil) {
    return refusal_of([&](KernelLaunch& launch, UniqueFd& /*memory*/) { spoil(launch); });
}

/// The same for other memory.
std::string refusal_of_memory(UniqueFd other) {
    return refusal_of(
        [&](KernelLaunch& /*launch*/, UniqueFd& memory) { memory = std::move(other); });
}

const std::string no_memory = "its memory is too small for its arguments";

} // namespace

TEST_CASE("a launch runs on the data, and the host gets tokens of its results") {
    Stage stage;
    const Words data{1, 2, 3};
    const Words tokens = hidden(stage.seal, data);
    const UniqueFd memory = memory_of(tokens);
    Words given;
    stage.player.kernel = [&](auto words) {
        given.assign(words.begin(), words.end());
        words[1] = 77;
    };
    stage.player.answer.end = LaunchDone{"", 0, 123};
    const LaunchEnd end = stage.call.carry_out(launch_of(3), memory);
    REQUIRE(std::holds_alternative<LaunchDone>(end));
    CHECK(std::get<LaunchDone>(end).error.empty());
    CHECK(std::get<LaunchDone>(end).nanoseconds == 123);
    CHECK(given == data);
    const Words left = words_in(memory, 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(left[i] != tokens[i]);
    CHECK(std::ranges::count(left, 77U) == 0);
    CHECK(revealed(stage.seal, left) == Words{1, 77, 3});
}

TEST_CASE("only buffers are written back") {
    Stage stage;
    const UniqueFd memory = memory_of({1, 2, 3, 4});
    KernelLaunch launch = launch_of(4);
    launch.arguments = {argument(Kind::value, 0, 4), argument(Kind::buffer, 8, 4)};
    CHECK(refusal(stage.call.carry_out(launch, memory)).empty());
    const Words left = words_in(memory, 4);
    CHECK(left[0] == 1);
    CHECK(left[1] == 2);
    CHECK(left[2] != 3);
    CHECK(left[3] == 4);
    CHECK(revealed(stage.seal, left)[2] == 6);
}

TEST_CASE("launches are recorded with their sizes and all of their local memory") {
    Stage stage;
    const UniqueFd memory = memory_of({1});
    KernelLaunch launch = launch_of(1);
    launch.dimensions = 2;
    launch.global_size = {64, 8, 1};
    launch.work_group_size = {16, 4, 1};
    launch.arguments.push_back(argument(Kind::local, 0, 100));
    launch.arguments.push_back(argument(Kind::value, 0, 4));
    launch.arguments.push_back(argument(Kind::local, 0, 28));
    stage.player.answer.end = LaunchDone{"", 0, 55};
    stage.call.carry_out(launch, memory);
    stage.call.carry_out(launch_of(1), memory);
    wire::CallReply reply;
    reply.launches.resize(1);
    reply.launches[0].kernel = "claimed";
    reply.launches[0].arguments = {{3, Kind::value, 4, 42}}; // what the host has set
    reply.launches[0].frames = {0x401000};
    stage.call.settle(reply);
    REQUIRE(reply.launches.size() == 2);
    CHECK(reply.launches[0].kernel == "twice");
    REQUIRE(reply.launches[0].arguments.size() == 1);
    CHECK(reply.launches[0].arguments[0].value == 42);
    CHECK(reply.launches[0].frames == std::vector<std::uint64_t>{0x401000});
    CHECK(reply.launches[1].arguments.empty());
    CHECK(reply.launches[0].global_size == launch.global_size);
    CHECK(reply.launches[0].work_group_size == launch.work_group_size);
    CHECK(reply.launches[0].local_memory == 128);
    CHECK(reply.launches[0].nanoseconds == 55);
    CHECK(reply.launches[1].local_memory == 0);
}

TEST_CASE("a valid launch is accepted") {
    CHECK(refusal_of_launch([](KernelLaunch& /*launch*/) {}).empty());
    // The largest launch allowed.
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.dimensions = 3;
              launch.kernel = std::string(256, 'k');
              launch.arguments.resize(16, argument(Kind::buffer, 12, 4));
              launch.arguments[0] = argument(Kind::local, 77, std::size_t{1} << 24);
              launch.arguments[1] = argument(Kind::buffer, 16, 0);
          }).empty());
    CHECK(refusal_of([](KernelLaunch& launch, UniqueFd& memory) {
              launch = launch_of(0);
              memory = memory_of({});
          }).empty());
}

TEST_CASE("a launch with invalid sizes is rejected") {
    const auto with_argument = [](Kind kind, std::size_t offset, std::size_t size) {
        return refusal_of_launch([&](KernelLaunch& launch) {
            launch.arguments.push_back(argument(kind, offset, size));
        });
    };
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const Kind kind : {Kind::buffer, Kind::value}) {
        CAPTURE(static_cast<int>(kind));
        CHECK(with_argument(kind, 0, 17) == no_memory);
        CHECK(with_argument(kind, 12, 5) == no_memory);
        CHECK(with_argument(kind, 20, 0) == no_memory);
        CHECK(with_argument(kind, 8, most - 7) == no_memory); // its end wraps around to 0
        CHECK(with_argument(kind, most - 3, 4) == no_memory);
        CHECK(with_argument(kind, most - 3, 8) == no_memory);
        for (const std::size_t offset : {1, 2, 3, 5})
            CHECK(with_argument(kind, offset, 4) == no_memory);
    }
    CHECK(with_argument(Kind::local, 0, (std::size_t{1} << 24) + 1) == no_memory);
    CHECK(with_argument(Kind::local, 0, most) == no_memory);
    for (const unsigned dimensions : {0U, 4U, 0x80000001U}) {
        CAPTURE(dimensions);
        CHECK(refusal_of_launch([&](KernelLaunch& launch) { launch.dimensions = dimensions; }) ==
              no_memory);
    }
    // The sizes must be what the device makes of them.
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.global_size = {16, 4, 1};
          }) == no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.global_size = {16, 0, 1};
          }) == no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.global_size = {0, 1, 1};
          }) == no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.work_group_size = {8, 2, 1};
          }) == no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.global_offset = {0, 1, 0};
          }) == no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.work_group_size = {0, 0, 0};
          }).empty());
    CHECK(refusal_of_launch([](KernelLaunch& launch) { launch.kernel = std::string("k\0x", 3); }) ==
          no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) { launch.kernel = std::string(257, 'k'); }) ==
          no_memory);
    CHECK(refusal_of_launch([](KernelLaunch& launch) {
              launch.arguments.resize(17, launch.arguments[0]);
          }) == no_memory);
}

TEST_CASE("a launch whose description does not match its memory is rejected") {
    for (const std::size_t size : {std::size_t{0}, std::size_t{12}, std::size_t{15},
                                   std::size_t{17}, (std::size_t{1} << 30) + 4,
                                   std::size_t{1} << 62, std::numeric_limits<std::size_t>::max()}) {
        CAPTURE(size);
        CHECK(refusal_of_launch([&](KernelLaunch& launch) {
                  launch.memory_size = size;
                  launch.arguments.clear();
              }) == no_memory);
    }
}

TEST_CASE("memory above the limit for a launch or a read is rejected, even if it exists") {
    Seal seal(100);
    Player player;
    SealedCall call(seal, player.carrier(), 16);
    const UniqueFd most = memory_of({1, 2, 3, 4});
    const UniqueFd more = memory_of({1, 2, 3, 4, 5});
    CHECK(refusal(call.carry_out(launch_of(4), most)).empty());
    CHECK(refusal(call.carry_out(launch_of(5), more)) == no_memory);
    CHECK(player.launches.size() == 1);
    CHECK(call.reveal({16}, most).error.empty());
    CHECK_FALSE(call.reveal({20}, more).error.empty());
    CHECK(words_in(most, 4) == Words{2, 4, 6, 8});
}

TEST_CASE("a descriptor that is not memory, or memory that can shrink, is rejected") {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe2(pipe.data(), O_CLOEXEC) == 0);
    const UniqueFd writer(pipe[1]);
    REQUIRE(::write(writer.get(), "four words, less", 16) == 16);
    CHECK(refusal_of_memory(UniqueFd(pipe[0])) == no_memory);

    const helpers::TemporaryFolder folder;
    const std::string file = folder.write("file", "four words, less");
    CHECK(refusal_of_memory(UniqueFd(::open(file.c_str(), O_RDWR | O_CLOEXEC))) == no_memory);
    CHECK(refusal_of_memory(UniqueFd(::open("/", O_RDONLY | O_CLOEXEC))) == no_memory);
    CHECK(refusal_of_memory(UniqueFd(::open("/dev/zero", O_RDWR | O_CLOEXEC))) == no_memory);
    CHECK(refusal_of_memory(UniqueFd()) == no_memory);

    CHECK(refusal_of_memory(unsealed_memory(16)) == no_memory);
    CHECK(refusal_of_memory(unsealed_memory(16, F_SEAL_SHRINK)) == no_memory);
    CHECK(refusal_of_memory(unsealed_memory(16, F_SEAL_GROW)) == no_memory);
    CHECK(refusal_of_memory(unsealed_memory(16, F_SEAL_SHRINK | F_SEAL_GROW)).empty());
    for (const std::size_t size : {0, 12, 15, 17, 4096}) {
        CAPTURE(size);
        CHECK(refusal_of_memory(wire::create_shared_memory("test", size)) == no_memory);
    }
}

TEST_CASE("memory that is not writable is rejected and stays unchanged") {
    Stage stage;
    const UniqueFd memory = memory_of({1, 2});
    wire::seal_against_writing(memory);
    CHECK(has(refusal(stage.call.carry_out(launch_of(2), memory)), "cannot be written to"));
    CHECK(words_in(memory, 2) == Words{1, 2});
}

TEST_CASE("a call can make at most 256 launches") {
    Stage stage;
    const UniqueFd memory = memory_of({});
    for (int i = 0; i < 256; ++i)
        REQUIRE(refusal(stage.call.carry_out(launch_of(0), memory)).empty());
    CHECK(has(refusal(stage.call.carry_out(launch_of(0), memory)), "256 launches"));
    CHECK(stage.player.launches.size() == 256);
}

TEST_CASE("rejected launches count as well") {
    Stage stage;
    const UniqueFd memory = memory_of({});
    for (int i = 0; i < 256; ++i)
        REQUIRE(refusal(stage.call.carry_out(launch_of(1), memory)) == no_memory);
    CHECK(has(refusal(stage.call.carry_out(launch_of(0), memory)), "256 launches"));
    CHECK(stage.player.launches.empty());
}

TEST_CASE("a runner that changes its memory while the kernel runs has no effect") {
    Stage stage;
    const UniqueFd memory = memory_of(hidden(stage.seal, {1, 2, 3}));
    Words meanwhile;
    stage.player.kernel = [&](auto words) {
        put_words(memory, {100, 100, 100});
        meanwhile.assign(words.begin(), words.end());
        words[0] = 10;
        put_words(memory, {200, 200, 200});
    };
    CHECK(refusal(stage.call.carry_out(launch_of(3), memory)).empty());
    CHECK(meanwhile == Words{1, 2, 3});
    CHECK(revealed(stage.seal, words_in(memory, 3)) == Words{10, 2, 3});
}

TEST_CASE("the data of a launch is never in the runner's memory") {
    Stage stage;
    const Words tokens = hidden(stage.seal, {1, 2, 3});
    const UniqueFd memory = memory_of(tokens);
    Words seen;
    stage.player.kernel = [&](auto words) {
        words[0] = 10;
        seen = words_in(memory, 3);
    };
    CHECK(refusal(stage.call.carry_out(launch_of(3), memory)).empty());
    CHECK(seen == tokens);
}

TEST_CASE("a runner_end during a launch ends the call and is reported with the kernel only") {
    Stage stage;
    const UniqueFd memory = memory_of({1});
    stage.call.carry_out(launch_of(1), memory);
    const Words before = words_in(memory, 1);
    RunnerEnd runner_end;
    runner_end.how = RunnerEnd::How::signal;
    runner_end.code = SIGSEGV;
    runner_end.seconds = 2;
    runner_end.kernels = {"another"};
    runner_end.launch = 1;
    runner_end.launched = 1;
    runner_end.on_host = true;
    runner_end.call = "clFinish";
    runner_end.frames = {1, 2};
    stage.player.answer.end = runner_end;
    KernelLaunch launch = launch_of(1);
    launch.kernel = "deadly";
    const LaunchEnd end = stage.call.carry_out(launch, memory);
    REQUIRE(std::holds_alternative<RunnerEnd>(end));
    const auto& ending = std::get<RunnerEnd>(end);
    CHECK(ending.how == RunnerEnd::How::signal);
    CHECK(ending.code == SIGSEGV);
    CHECK(ending.seconds == 2);
    CHECK(ending.kernels == std::vector{std::string("deadly")});
    CHECK(ending.launch == 2);
    CHECK(ending.launched == 2);
    CHECK_FALSE(ending.on_host);
    CHECK(ending.call.empty());
    CHECK(ending.frames.empty());
    CHECK(words_in(memory, 1) == before);
    wire::CallReply reply;
    stage.call.settle(reply);
    CHECK(reply.launches.size() == 1);
}

TEST_CASE("a failed launch is reported, not recorded, and leaves the memory unchanged") {
    Stage stage;
    const Words tokens = hidden(stage.seal, {1, 2});
    const UniqueFd memory = memory_of(tokens);
    stage.player.answer = {LaunchDone{"too large a work-group", -54, 0}, {}};
    stage.player.answer.seen.guard_hits = {{8, 8}};
    const LaunchEnd end = stage.call.carry_out(launch_of(2), memory);
    REQUIRE(std::holds_alternative<LaunchDone>(end));
    CHECK(std::get<LaunchDone>(end).error == "too large a work-group");
    CHECK(std::get<LaunchDone>(end).code == -54);
    CHECK(words_in(memory, 2) == tokens);
    wire::CallReply reply;
    stage.call.settle(reply);
    CHECK(reply.launches.empty());
    CHECK(reply.guard_hits.empty());
}

TEST_CASE("evidence replaces the runner's claims") {
    Stage stage;
    const UniqueFd memory = memory_of({1});
    wire::CallReply& seen = stage.player.answer.seen;
    seen.guard_hits = {{100, 104}};
    seen.read_only_hits = {{200, 4}};
    seen.function_times = {10, 20};
    seen.baseline_times = {6, 9};
    stage.call.carry_out(launch_of(1), memory);
    seen.guard_hits = {};
    seen.read_only_hits = {{300, 8}};
    seen.function_times = {1, 2};
    seen.baseline_times = {7, 10};
    stage.call.carry_out(launch_of(1), memory);

    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = 4;
    reply.launches.resize(7);
    reply.guard_hits.resize(7);
    reply.read_only_hits.resize(7);
    reply.function_times = {1, 1, 1};
    reply.baseline_times = {1000, 1000, 1000};
    stage.call.settle(reply);
    CHECK(reply.launches.size() == 2);
    REQUIRE(reply.guard_hits.size() == 1);
    CHECK(reply.guard_hits[0].byte_offset == 104);
    REQUIRE(reply.read_only_hits.size() == 2);
    CHECK(reply.read_only_hits[0].buffer_size == 200);
    CHECK(reply.read_only_hits[1].buffer_size == 300);
    CHECK(reply.function_times == std::vector<std::uint64_t>{11, 22});
    CHECK(reply.baseline_times == std::vector<std::uint64_t>{6, 9}); // times of the first launch
    CHECK(reply.outcome == wire::Outcome::returned);
    CHECK(reply.result_size == 4);
}

TEST_CASE("a call has as many rounds as its launch with the fewest rounds") {
    Stage stage;
    const UniqueFd memory = memory_of({1});
    wire::CallReply& seen = stage.player.answer.seen;
    seen.function_times = {10, 20, 30, 40};
    seen.baseline_times = {5, 6, 7, 8};
    stage.call.carry_out(launch_of(1), memory);
    seen.function_times = {1, 2};
    seen.baseline_times = {};
    stage.call.carry_out(launch_of(1), memory);
    wire::CallReply reply;
    stage.call.settle(reply);
    CHECK(reply.function_times == std::vector<std::uint64_t>{11, 22});
    CHECK(reply.baseline_times == std::vector<std::uint64_t>{5, 6});
}

TEST_CASE("a call without launches has no evidence, whatever the runner claims") {
    Stage stage;
    wire::CallReply reply;
    reply.launches.resize(1);
    reply.guard_hits.resize(1);
    reply.read_only_hits.resize(1);
    reply.function_times = {1, 2};
    reply.baseline_times = {1000, 2000};
    stage.call.settle(reply);
    CHECK(reply.launches.empty());
    CHECK(reply.guard_hits.empty());
    CHECK(reply.read_only_hits.empty());
    CHECK(reply.function_times.empty());
    CHECK(reply.baseline_times.empty());
}

TEST_CASE("only what the host may read is revealed") {
    Stage stage(3);
    const Words tokens = hidden(stage.seal, {1, 2});
    const UniqueFd memory = memory_of(tokens);
    CHECK(stage.call.reveal({8}, memory).error.empty());
    CHECK(words_in(memory, 2) == Words{1, 2});
    put_words(memory, tokens);
    CHECK(stage.call.reveal({8}, memory).error.empty());
    CHECK(words_in(memory, 2) == tokens);
    CHECK(stage.player.launches.empty());
}

TEST_CASE("memory for reads may be larger than a read and is reused") {
    Stage stage(3);
    const Words tokens = hidden(stage.seal, {1, 2, 3});
    const UniqueFd memory = memory_of(tokens);
    CHECK(stage.call.reveal({4}, memory).error.empty());
    CHECK(words_in(memory, 3) == Words{1, tokens[1], tokens[2]});
    put_words(memory, {tokens[1], tokens[2], 77});
    CHECK(stage.call.reveal({8}, memory).error.empty());
    CHECK(words_in(memory, 3) == Words{2, 3, 77});
}

TEST_CASE("a read without its memory is rejected and does not count") {
    Stage stage(2);
    const Words tokens = hidden(stage.seal, {1, 2});
    const UniqueFd memory = memory_of(tokens);
    for (const std::size_t size :
         {std::size_t{9}, std::size_t{12}, (std::size_t{1} << 30) + 1, std::size_t{1} << 62}) {
        CAPTURE(size);
        CHECK_FALSE(stage.call.reveal({size}, memory).error.empty());
    }
    std::array<int, 2> pipe{};
    REQUIRE(::pipe2(pipe.data(), O_CLOEXEC) == 0);
    const UniqueFd reader(pipe[0]);
    const UniqueFd writer(pipe[1]);
    CHECK_FALSE(stage.call.reveal({0}, reader).error.empty());
    CHECK_FALSE(stage.call.reveal({8}, unsealed_memory(8)).error.empty());
    CHECK_FALSE(stage.call.reveal({8}, UniqueFd()).error.empty());
    CHECK(words_in(memory, 2) == tokens);
    CHECK(stage.call.reveal({8}, memory).error.empty());
    CHECK(words_in(memory, 2) == Words{1, 2});
}
