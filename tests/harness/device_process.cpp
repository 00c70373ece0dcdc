#include "grader/device_process.hpp"
#include "grader/session.hpp"
#include "grader/unusable.hpp"
#include "helpers.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <optional>
#include <unistd.h>

using grader::Budget;
using grader::Carried;
using grader::DeviceProcess;
using grader::RunnerEnd;
using grader::RunnerProcess;
using grader::Unusable;
using helpers::has;
using helpers::what_of;
using wire::CarryOut;
using wire::LaunchArgument;
using wire::LaunchDone;

namespace {

using Words = std::vector<std::uint32_t>;
using Kind = LaunchArgument::Kind;

constexpr Budget ample{60, 60, 120};
constexpr Budget small_wall{20, 20, 0.3};
constexpr std::size_t word_size = sizeof(std::uint32_t);

wire::UniqueFd memory_of(const Words& words) {
    wire::UniqueFd memory = wire::create_shared_memory("test", words.size() * word_size);
    const auto size = static_cast<ssize_t>(words.size() * word_size);
    REQUIRE(::pwrite(memory.get(), words.data(), words.size() * word_size, 0) == size);
    return memory;
}

Words words_in(const wire::UniqueFd& memory, std::size_t count) {
    Words words(count);
    const auto size = static_cast<ssize_t>(count * word_size);
    REQUIRE(::pread(memory.get(), words.data(), count * word_size, 0) == size);
    return words;
}

/// The device process that tests/harness/programs/carry_out.cpp plays.
DeviceProcess player(int index = -1) {
    return {[] { return std::make_unique<RunnerProcess>(helpers::program("carry_out")); }, index};
}

wire::ProgramInfo inspect(DeviceProcess& device, const std::string& source) {
    return device.inspect({source, ""}, ample);
}

/// Asks the player to execute a kernel of this name, on memory of one word.
Carried carry_out(DeviceProcess& device, const std::string& kernel, const Budget& budget = ample) {
    CarryOut request;
    request.launch.kernel = kernel;
    request.launch.memory_size = word_size;
    return device.carry_out(request, memory_of({1}), budget);
}

LaunchDone done(const Carried& carried) {
    REQUIRE(std::holds_alternative<LaunchDone>(carried.end));
    return std::get<LaunchDone>(carried.end);
}

/// Identifies the process of the player.
std::string process_of(const DeviceProcess& device) { return device.opened().device.version; }

// --- a real device ---

/// The program that executes kernels, which is beside the folder of the tests.
std::string device_program() {
    const auto tests = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return (tests.parent_path() / "device" / "device").string();
}

/// The first CPU among the OpenCL devices; prints a message if there is none.
std::optional<DeviceProcess> processor() {
    const std::vector<wire::DeviceInfo> devices = grader::list_devices(device_program());
    const auto found = std::ranges::find_if(
        devices, [](const auto& device) { return device.type == wire::DeviceType::cpu; });
    if (found == devices.end()) {
        MESSAGE("skipped: there is no CPU among the OpenCL devices");
        return std::nullopt;
    }
    return std::optional<DeviceProcess>(
        std::in_place, [] { return std::make_unique<RunnerProcess>(device_program()); },
        static_cast<int>(found - devices.begin()));
}

const char* const kernels_source = R"(
kernel void add(global const uint* from, global uint* to, uint amount) {
    to[get_global_id(0)] = from[get_global_id(0)] + amount;
}
kernel void increment(global uint* words) { ++words[get_global_id(0)]; }
kernel void write_at(global uint* words, int index) { words[index] = 7; }
kernel void cast_away(global const uint* words) { ((global uint*)words)[1] = 7; }
kernel void reverse(global uint* words, local uint* copy) {
    copy[get_local_id(0)] = words[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    words[get_global_id(0)] = copy[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void where(global uint* words) {
    words[get_global_id(0) - get_global_offset(0)] = get_global_id(0);
}
)";

/// Buffers begin at multiples of this, which suits every device.
constexpr std::size_t alignment = 1024;

LaunchArgument buffer(std::size_t offset, std::size_t words, bool read_only = false) {
    return {Kind::buffer, {offset, words * word_size}, read_only};
}

/// A launch of one work-group.
CarryOut request_of(const std::string& kernel, std::size_t work_items,
                    const std::vector<LaunchArgument>& arguments, std::size_t memory_size) {
    CarryOut request;
    request.program.source = kernels_source;
    request.launch.kernel = kernel;
    request.launch.global_size = {work_items, 1, 1};
    request.launch.work_group_size = {work_items, 1, 1};
    request.launch.arguments = arguments;
    request.launch.memory_size = memory_size;
    return request;
}

/// Makes the device write its 7 into element `index` of a buffer of 4 words.
Carried write_at(DeviceProcess& device, std::uint32_t index) {
    const CarryOut request =
        request_of("write_at", 1, {buffer(0, 4), {Kind::value, {16, word_size}, false}}, 20);
    return device.carry_out(request, memory_of({0, 0, 0, 0, index}), ample);
}

} // namespace

TEST_CASE("a device process opens the requested device") {
    CHECK(player(5).opened().index == 5);
    CHECK(player().opened().index == 3); // the best one
}

TEST_CASE("a device process that cannot open its device is unusable and says why") {
    CHECK(what_of<Unusable>([] { player(99); }) == "there is no device 99");
    const std::string why = what_of<Unusable>([] { player(98); });
    CHECK(has(why, "before the first kernel"));
    CHECK(has(why, "no driver"));
}

TEST_CASE("a device process describes a program") {
    DeviceProcess device = player();
    const wire::ProgramInfo info = inspect(device, "sum");
    CHECK(info.built);
    REQUIRE(info.kernels.size() == 1);
    CHECK(info.kernels[0].name == "sum");
}

TEST_CASE("a device process runs a launch on the memory it receives") {
    DeviceProcess device = player();
    CarryOut request;
    request.launch.kernel = "increment";
    request.launch.memory_size = 2 * word_size;
    const wire::UniqueFd memory = memory_of({1, 5});
    const Carried carried = device.carry_out(request, memory, ample);
    CHECK(done(carried).error.empty());
    CHECK(done(carried).nanoseconds == 77);
    REQUIRE(carried.seen.guard_hits.size() == 1);
    CHECK(carried.seen.guard_hits[0].byte_offset == 20);
    CHECK(words_in(memory, 2) == Words{2, 6});
}

TEST_CASE("a device process that dies during a launch is restarted on the same device") {
    DeviceProcess device = player();
    const std::string first = process_of(device);
    const Carried carried = carry_out(device, "deadly");
    REQUIRE(std::holds_alternative<RunnerEnd>(carried.end));
    CHECK(std::get<RunnerEnd>(carried.end).how == RunnerEnd::How::exit);
    CHECK(std::get<RunnerEnd>(carried.end).code == 6);
    CHECK(device.take_output() == "last words");
    CHECK(done(carry_out(device, "increment")).error.empty());
    CHECK(process_of(device) != first);
    CHECK(device.opened().index == 3);
}

TEST_CASE("an endless launch counts as an end of the process") {
    DeviceProcess device = player();
    const Carried carried = carry_out(device, "asleep", small_wall);
    REQUIRE(std::holds_alternative<RunnerEnd>(carried.end));
    CHECK(std::get<RunnerEnd>(carried.end).how == RunnerEnd::How::hang);
    CHECK(done(carry_out(device, "increment")).error.empty());
}

TEST_CASE("a program whose compiler dies is not built, and the next program compiles") {
    DeviceProcess device = player();
    const wire::ProgramInfo info = inspect(device, "deadly");
    CHECK_FALSE(info.built);
    CHECK(info.kernels.empty());
    CHECK(has(info.build_log, "error: "));
    CHECK(has(info.build_log, "the device's compiler exited with status"));
    CHECK(inspect(device, "sum").built);
}

TEST_CASE("a program without a report from the device process is not built") {
    DeviceProcess device = player();
    CHECK_FALSE(inspect(device, "refused").built);
    CHECK(inspect(device, "refused").build_log == "error: not today");
    CHECK_FALSE(inspect(device, "other").built);
    CHECK(has(inspect(device, "other").build_log, "no report"));
}

TEST_CASE("a launch that the device process rejects has an error") {
    DeviceProcess device = player();
    CHECK_FALSE(done(carry_out(device, "refused")).error.empty());
    CHECK_FALSE(done(carry_out(device, "unbuilt")).error.empty());
    CHECK(done(carry_out(device, "thrown")).error == "what it says");
    CHECK(done(carry_out(device, "thrown")).code == 0);
}

TEST_CASE("an OpenCL error is reported with its code, and the next launch gets a new process") {
    DeviceProcess device = player();
    const std::string first = process_of(device);
    CHECK(done(carry_out(device, "increment")).error.empty());
    CHECK(process_of(device) == first);
    const LaunchDone failed = done(carry_out(device, "failed"));
    CHECK(failed.error == "clFinish failed");
    CHECK(failed.code == -5);
    CHECK(done(carry_out(device, "failed for a reason")).error ==
          "this device allows 64 work-items per group");
    CHECK(done(carry_out(device, "increment")).error.empty());
    CHECK(process_of(device) != first);
}

TEST_CASE("the output of a device process is kept until it is taken") {
    DeviceProcess device = player();
    carry_out(device, "print");
    carry_out(device, "print");
    CHECK(device.take_output() == "printedprinted");
    CHECK(device.take_output().empty());
}

TEST_CASE("a missing device cannot be opened") {
    const std::string why = what_of<Unusable>([] {
        const DeviceProcess device([] { return std::make_unique<RunnerProcess>(device_program()); },
                                   1000000);
    });
    CHECK(has(why, "there is no device 1000000"));
}

TEST_CASE("a device lists the kernels of a program, or says why it does not compile") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    const wire::ProgramInfo info = inspect(*device, kernels_source);
    CHECK(info.built);
    CHECK(info.kernels.size() == 6);
    const wire::ProgramInfo broken = inspect(*device, "kernel void broken() { nonsense; }");
    CHECK_FALSE(broken.built);
    CHECK(has(broken.build_log, "nonsense"));
}

TEST_CASE("a device runs a kernel on buffers, values and local memory") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    Words words(alignment / word_size + 5);
    words[0] = 1;
    words[1] = 2;
    words[2] = 3;
    words.back() = 40;
    const wire::UniqueFd memory = memory_of(words);
    const std::size_t size = words.size() * word_size;
    const LaunchArgument value{Kind::value, {size - word_size, word_size}, false};
    const Carried added = device->carry_out(
        request_of("add", 3, {buffer(0, 3, true), buffer(alignment, 3), value}, size), memory,
        ample);
    CHECK(done(added).error.empty());
    CHECK(added.seen.guard_hits.empty());
    CHECK(added.seen.read_only_hits.empty());
    REQUIRE(added.seen.launches.size() == 1);
    CHECK(added.seen.launches[0].kernel == "add");
    const Words sums(words_in(memory, words.size()));
    CHECK(Words(sums.begin(), sums.begin() + 3) == Words{1, 2, 3});
    CHECK(Words(sums.end() - 5, sums.end()) == Words{41, 42, 43, 0, 40});

    const Carried reversed = device->carry_out(
        request_of("reverse", 3, {buffer(0, 3), {Kind::local, {0, 3 * word_size}, false}}, size),
        memory, ample);
    CHECK(done(reversed).error.empty());
    CHECK(words_in(memory, 3) == Words{3, 2, 1});
}

TEST_CASE("a device begins at a launch's offset") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CarryOut request = request_of("where", 3, {buffer(0, 3)}, 3 * word_size);
    request.launch.global_offset = {100, 0, 0};
    const wire::UniqueFd memory = memory_of({0, 0, 0});
    CHECK(done(device->carry_out(request, memory, ample)).error.empty());
    CHECK(words_in(memory, 3) == Words{100, 101, 102});
}

TEST_CASE("a kernel's writes outside its buffer are detected") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CHECK(write_at(*device, 3).seen.guard_hits.empty());
    const Carried behind = write_at(*device, 5);
    CHECK(done(behind).error.empty());
    REQUIRE(behind.seen.guard_hits.size() == 1);
    CHECK(behind.seen.guard_hits[0].buffer_size == 16);
    CHECK(behind.seen.guard_hits[0].byte_offset == 20);
    const Carried before = write_at(*device, static_cast<std::uint32_t>(-1));
    REQUIRE(before.seen.guard_hits.size() == 1);
    CHECK(before.seen.guard_hits[0].byte_offset == -1);
}

TEST_CASE("a kernel's writes to a read-only buffer are detected on request") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    const auto hits = [&](bool read_only, bool checked) {
        CarryOut request = request_of("cast_away", 1, {buffer(0, 3, read_only)}, 3 * word_size);
        request.checked = checked;
        const Carried carried = device->carry_out(request, memory_of({1, 2, 3}), ample);
        CHECK(done(carried).error.empty());
        CHECK(carried.seen.guard_hits.empty());
        return carried.seen.read_only_hits;
    };
    const std::vector<wire::ReadOnlyHit> seen = hits(true, true);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].buffer_size == 12);
    CHECK(seen[0].byte_offset == 4);
    CHECK(hits(false, true).empty());
    CHECK(hits(true, false).empty());
}

TEST_CASE("a work-group above the device's limit is rejected with OpenCL's code") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    constexpr int invalid_work_group_size = -54;
    const Words words(64);
    for (const bool of_kernel : {false, true}) {
        CAPTURE(of_kernel);
        CarryOut request = request_of("increment", 64, {buffer(0, 64)}, 64 * word_size);
        std::size_t& limit =
            of_kernel ? request.limits.kernel_work_group_size : request.limits.max_work_group_size;
        limit = 32;
        const wire::UniqueFd memory = memory_of(words);
        const LaunchDone refused = done(device->carry_out(request, memory, ample));
        CHECK(refused.code == invalid_work_group_size);
        CHECK(has(refused.error, "32 work-items"));
        CHECK(words_in(memory, 64) == words);
        limit = 64;
        CHECK(done(device->carry_out(request, memory, ample)).error.empty());
        CHECK(words_in(memory, 64) == Words(64, 1));
    }
}

TEST_CASE("local memory above the device's limit is rejected with OpenCL's code") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    constexpr int out_of_resources = -5;
    CarryOut request = request_of(
        "reverse", 4, {buffer(0, 4), {Kind::local, {0, 4 * word_size}, false}}, 4 * word_size);
    request.limits.local_memory = 15;
    const wire::UniqueFd memory = memory_of({1, 2, 3, 4});
    CHECK(done(device->carry_out(request, memory, ample)).code == out_of_resources);
    request.limits.local_memory = 16;
    CHECK(done(device->carry_out(request, memory, ample)).error.empty());
    CHECK(words_in(memory, 4) == Words{4, 3, 2, 1});
}

TEST_CASE("a missing kernel or wrong arguments are an error") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    const wire::UniqueFd memory = memory_of({1, 2, 3});
    const auto error_of = [&](const std::string& kernel,
                              const std::vector<LaunchArgument>& arguments) {
        return done(device->carry_out(request_of(kernel, 3, arguments, 12), memory, ample));
    };
    CHECK(error_of("nowhere", {buffer(0, 3)}).code == -46);
    CHECK(error_of("increment", {}).code == -52);
    CHECK(error_of("increment", {buffer(0, 3), buffer(0, 3)}).code == -49);
    CHECK_FALSE(error_of("increment", {buffer(0, 0)}).error.empty());
    CHECK(words_in(memory, 3) == Words{1, 2, 3});
    CHECK(error_of("increment", {buffer(0, 3)}).error.empty());
    CHECK(words_in(memory, 3) == Words{2, 3, 4});
}

TEST_CASE("overlapping buffers share memory on the device") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    // to[] is from[] itself first, and then its later part.
    Words words(alignment / word_size + 2);
    const std::size_t size = (words.size() + 1) * word_size;
    const LaunchArgument amount{Kind::value, {size - word_size, word_size}, false};
    for (const std::size_t offset : {std::size_t{0}, alignment}) {
        CAPTURE(offset);
        words.assign(words.size(), 10);
        words.push_back(5);
        const wire::UniqueFd memory = memory_of(words);
        words.pop_back();
        const Carried carried = device->carry_out(
            request_of("add", 2, {buffer(0, words.size(), true), buffer(offset, 2), amount}, size),
            memory, ample);
        CHECK(done(carried).error.empty());
        CHECK(carried.seen.guard_hits.empty());
        CHECK(carried.seen.read_only_hits.empty());
        Words expected = words;
        expected[offset / word_size] = expected[offset / word_size + 1] = 15;
        CHECK(words_in(memory, words.size()) == expected);
    }
}

namespace {

/// A timed launch of the kernel increment on four words.
CarryOut increments_in_rounds(int rounds) {
    CarryOut request = request_of("increment", 4, {buffer(0, 4)}, 4 * word_size);
    request.checked = false;
    request.rounds = rounds;
    return request;
}

wire::Baseline nothing() { return {{"kernel void nothing() {}", ""}, "nothing", {}, 0, 1, 1}; }

} // namespace

TEST_CASE("rounds alternate between kernel and baseline, and leave the result of one launch") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CarryOut request = increments_in_rounds(3);
    request.baseline.program.source =
        "kernel void fill(global float* to) { to[get_global_id(0)] = 1; }";
    request.baseline.kernel = "fill";
    request.baseline.buffers = {1024};
    request.baseline.global_size = 256;
    request.baseline.work_group_size = 64;
    const wire::UniqueFd memory = memory_of({1, 2, 3, 4});
    const Carried carried = device->carry_out(request, memory, ample);
    CHECK(done(carried).error.empty());
    CHECK(carried.seen.function_times.size() == 6);
    CHECK(carried.seen.baseline_times.size() == 6);
    CHECK(std::ranges::count(carried.seen.function_times, 0) == 0);
    CHECK(carried.seen.launches.size() == 1);
    CHECK(words_in(memory, 4) == Words{2, 3, 4, 5});
}

TEST_CASE("rounds without a baseline measure the kernel alone") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CarryOut request = increments_in_rounds(3);
    const wire::UniqueFd memory = memory_of({1, 2, 3, 4});
    const Carried carried = device->carry_out(request, memory, ample);
    CHECK(done(carried).error.empty());
    CHECK(carried.seen.function_times.size() == 6);
    CHECK(carried.seen.baseline_times.empty());
    CHECK(words_in(memory, 4) == Words{2, 3, 4, 5});
}

TEST_CASE("no round starts after the time for rounds is over") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CarryOut request = increments_in_rounds(10'000'000);
    request.seconds = 1e-6;
    request.baseline = nothing();
    const wire::UniqueFd memory = memory_of({1, 2, 3, 4});
    const Carried carried = device->carry_out(request, memory, ample);
    CHECK(done(carried).error.empty());
    CHECK(carried.seen.function_times.size() == 2);
    CHECK(carried.seen.baseline_times.size() == 2);
    CHECK(words_in(memory, 4) == Words{2, 3, 4, 5});
}

TEST_CASE("each measured launch starts with the input of the first") {
    std::optional<DeviceProcess> device = processor();
    if (!device)
        return;
    CarryOut request = request_of("only_once", 1, {buffer(0, 2)}, 2 * word_size);
    request.program.source = R"(
kernel void only_once(global volatile uint* words) {
    while (words[0] != 0)
        words[1] = words[1] + 1;
    words[0] = 1;
}
)";
    request.rounds = 2;
    request.baseline = nothing();
    const wire::UniqueFd memory = memory_of({0, 5});
    const Carried carried = device->carry_out(request, memory, ample);
    CHECK(done(carried).error.empty());
    CHECK(carried.seen.function_times.size() == 4);
    CHECK(words_in(memory, 2) == Words{1, 5});
}
