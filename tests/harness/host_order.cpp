#include "grader/host_order.hpp"

#include <doctest/doctest.h>

using grader::Clash;
using grader::clash_of;
using grader::SeenLaunch;

namespace {

wire::BufferUse transfer(bool writes, std::size_t offset, std::size_t size) {
    return {writes ? wire::HostCommand::write : wire::HostCommand::read,
            "",
            -1,
            -1,
            writes,
            {offset, size},
            1,
            true};
}

/// The use of a whole buffer as the only argument of launch `number`.
wire::BufferUse launch(int number, std::size_t offset, std::size_t size) {
    return {wire::HostCommand::launch, "kernel", number, 0, true, {offset, size}, 0, true};
}

/// A launch with one buffer of 64 bytes, at byte 128 of its memory.
SeenLaunch seen(const wire::Footprint& footprint) {
    return {"", {{wire::LaunchArgument::Kind::buffer, {128, 64}}}, footprint};
}

} // namespace

TEST_CASE("two transfers of the same bytes clash if one of them writes") {
    CHECK(clash_of({transfer(true, 0, 8), transfer(false, 4, 8)}, {}) == Clash::certain);
    CHECK(clash_of({transfer(true, 0, 8), transfer(true, 4, 8)}, {}) == Clash::certain);
    CHECK(clash_of({transfer(false, 0, 8), transfer(false, 4, 8)}, {}) == Clash::none);
    CHECK(clash_of({transfer(true, 0, 4), transfer(false, 4, 8)}, {}) == Clash::none);
}

TEST_CASE("a launch clashes by its observed accesses, not by its argument") {
    const std::vector<SeenLaunch> launches{seen({true, {{128, 16}}, {{144, 16}}, {}})};
    CHECK(clash_of({launch(0, 0, 64), transfer(false, 0, 16)}, launches) == Clash::none);
    CHECK(clash_of({launch(0, 0, 64), transfer(true, 0, 16)}, launches) == Clash::certain);
    CHECK(clash_of({launch(0, 0, 64), transfer(false, 16, 4)}, launches) == Clash::certain);
    CHECK(clash_of({launch(0, 0, 64), transfer(true, 32, 32)}, launches) == Clash::none);
    // The argument is part of the buffer, from byte 1000 on.
    CHECK(clash_of({launch(0, 1000, 64), transfer(true, 1000, 1)}, launches) == Clash::certain);
    CHECK(clash_of({launch(0, 1000, 64), transfer(true, 0, 1000)}, launches) == Clash::none);
}

TEST_CASE("clashes of a launch that was not interpreted are unknown") {
    CHECK(clash_of({launch(0, 0, 64), transfer(true, 0, 16)}, {}) == Clash::unknown);
    const std::vector<SeenLaunch> too_many_pieces{seen({false, {}, {}, {}})};
    CHECK(clash_of({launch(0, 0, 64), transfer(true, 0, 16)}, too_many_pieces) == Clash::unknown);
    const wire::BufferUse forged{
        wire::HostCommand::launch, "kernel", 7, 99, true, {0, 64}, 0, true};
    CHECK(clash_of({forged, transfer(true, 0, 16)}, too_many_pieces) == Clash::unknown);
}

TEST_CASE("atomic operations clash only with other kinds of operations") {
    const std::vector<SeenLaunch> launches{seen({true, {}, {}, {{128, 4}}}),
                                           seen({true, {}, {}, {{128, 4}}}),
                                           seen({true, {{128, 4}}, {}, {}})};
    CHECK(clash_of({launch(0, 0, 64), launch(1, 0, 64)}, launches) == Clash::none);
    CHECK(clash_of({launch(0, 0, 64), launch(2, 0, 64)}, launches) == Clash::certain);
    CHECK(clash_of({launch(0, 0, 64), transfer(false, 0, 4)}, launches) == Clash::certain);
}

TEST_CASE("an explanation names both commands and their queues") {
    wire::BufferUse fill = transfer(true, 0, 8);
    fill.in_order = false;
    fill.offset = 16;
    const std::string text = grader::explain_clash({fill, launch(2, 0, 64)});
    CHECK(text.find("enqueueWriteBuffer of 8 bytes at offset 16 (your queue 1, an out-of-order "
                    "queue)") != std::string::npos);
    CHECK(text.find("kernel kernel, launch 3 (argument 0; setup.queue)") != std::string::npos);
}
