#include "grader/case.hpp"
#include "grader/explain.hpp"
#include "scans.hpp"
#include "trials.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace grader;

namespace {

const std::string kernel_file = "lab8_single_pass_scan.cl";
const Program float_program{kernel_file,
                            "-cl-std=CL1.2 -DTYPE=float -DTYPE4=float4 -DAS_TYPE=as_float"};
const Program int_program{kernel_file, "-cl-std=CL1.2 -DTYPE=uint -DTYPE4=uint4 -DAS_TYPE=as_uint"};

/// The shape of a tile.
struct Tile {
    std::size_t work_group_size;
    std::size_t items; ///< elements of each work-item

    std::size_t size() const { return work_group_size * items; }
};

/// The scan of floats for the checks shared with other labs.
scans::Lab floats(std::size_t items) {
    return {float_program, "scan_floats", scans::Kind::inclusive, items, true};
}

void check_whole_numbers(Case& test, std::size_t n, const Tile& tile) {
    scans::check_whole_numbers(test, floats(tile.items), n, tile.work_group_size);
}

std::string parameters(std::size_t n, const Tile& tile) {
    return ::parameters(n, tile.work_group_size) + ", " + std::to_string(tile.items) +
           (tile.items == 1 ? " element" : " elements") + " per work-item";
}

/// `n` ints of all sizes, so that their sums wrap around.
std::vector<std::int32_t> large_ints(Random& random, std::size_t n) {
    std::vector<std::int32_t> values(n);
    std::ranges::generate(
        values, [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(random())); });
    return values;
}

/// The inclusive scan in 32 bits.
std::vector<std::uint32_t> wrapped_scan(const std::vector<std::int32_t>& values) {
    std::vector<std::uint32_t> sums(values.begin(), values.end());
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    return sums;
}

void check_ints(Case& test, const std::vector<std::int32_t>& values, const Tile& tile,
                const std::string& which = ", ints") {
    const std::size_t n = values.size();
    const std::vector<std::uint32_t> expected = wrapped_scan(values);
    test.trial(parameters(n, tile) + which, [&] {
        scans::explain_host(test, floats(tile.items), n, tile.work_group_size);
        const Run run =
            test.compute(int_program, "scan_ints", values, tile.work_group_size, tile.items);
        const auto got = run.array<std::uint32_t>();
        if (got.size() != n)
            test.fail(int_program, {.what = "wrong length of the result",
                                    .details = {"expected " + count_of(n, "element") + ", got " +
                                                std::to_string(got.size())},
                                    .why = {.hints = hints::length_of_result()}});
        const auto wrong = std::mismatch(expected.begin(), expected.end(), got.begin());
        if (wrong.first == expected.end())
            return;
        const auto i = static_cast<std::size_t>(wrong.first - expected.begin());
        test.end_if_only_judged();
        Failure failure{"wrong scan of ints",
                        {"the first wrong element is " + std::to_string(i) + " (tile " +
                             std::to_string(i / tile.size()) + ")",
                         "expected " + std::to_string(static_cast<std::int32_t>(*wrong.first)) +
                             ", got " + std::to_string(static_cast<std::int32_t>(*wrong.second))}};
        // Rounded to 24 bits, an int changes by at most 128, and so does each part of a sum.
        constexpr std::int64_t most_rounding = 1024;
        const auto difference = static_cast<std::int32_t>(*wrong.second - *wrong.first);
        if (std::abs(std::int64_t{difference}) < most_rounding)
            failure.why.guesses = {"an int is converted to a float, which keeps only 24 bits: use "
                                   "TYPE for the type of all sums"};
        test.fail(int_program, failure);
    });
}

void check_large_ints(Case& test, std::size_t n, const Tile& tile) {
    check_ints(test, large_ints(test.random(), n), tile);
}

/// What is wrong with the launches of a scan, or "".
std::string wrong_launches(const wire::CallReply& seen, std::size_t n, const Tile& tile) {
    if (seen.launches.size() != 1)
        return "one launch must do all the work, but there are " +
               std::to_string(seen.launches.size());
    const wire::Launch& launch = seen.launches.front();
    if (wire::volume(launch.work_group_size) != tile.work_group_size)
        return "the work-group size must be " + std::to_string(tile.work_group_size);
    const std::size_t tiles = (n + tile.size() - 1) / tile.size();
    if (wire::volume(launch.global_size) != tiles * tile.work_group_size)
        return "there must be one work-group for each of the " + count_of(tiles, "tile") + ", " +
               count_of(tiles * tile.work_group_size, "work-item") + " in all";
    const std::size_t bytes_read =
        std::accumulate(seen.reads.begin(), seen.reads.end(), std::size_t{0});
    if (bytes_read != n * sizeof(float))
        return "the host must read back the result, " + std::to_string(n * sizeof(float)) +
               " bytes, but it read " + std::to_string(bytes_read);
    return {};
}

/// Enough tiles for a kernel to behave differently, and few enough that a group can add up all
/// tiles before its own if none has been published.
constexpr std::size_t many_tiles = 201;

/// For the analysis: small tiles, so that a short input has many of them.
void check_small(Case& test) {
    struct Trial {
        std::size_t n;
        Tile tile;
    };
    for (const Trial& trial :
         {Trial{1, {1, 1}},
          {3, {4, 1}}, // a single group takes one ticket
          {9, {2, 1}},
          {60, {1, 16}},
          {100, {4, 3}},
          {200, {32, 1}},
          {300, {8, 6}}, // no whole number of vectors of four
          // A kernel may load vectors: the last tile lacks a part of one, and a whole
          // one. Of kernels for these tiles, corrections are sought in the first trial
          // that fails, so that one is short.
          {63, {2, 32}},
          {125, {2, 32}},
          {126, {2, 32}},
          {124, {2, 32}},
          {501, {2, 32}},
          {1202, {8, 32}}})
        check_whole_numbers(test, trial.n, trial.tile);
    // A sum that is 0 does not mean that there is none yet.
    const Tile four{2, 2};
    std::vector<float> zeros = whole_numbers(test.random(), 30);
    for (const std::size_t tiles : {1, 5}) {
        const auto end = zeros.begin() + static_cast<std::ptrdiff_t>(tiles * four.size());
        *(end - 1) = -std::accumulate(zeros.begin(), end - 1, 0.0F);
    }
    test.trial(parameters(zeros.size(), four) +
                   ", the sum of the first tile is 0, and that of five",
               [&] { scans::check_exact(test, floats(four.items), zeros, four.work_group_size); });
    check_large_ints(test, 100, {8, 2});
    // No sum can mean that there is none yet: here the first tile has it, or all before have 0.
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    check_ints(test, {-1, 0, 1, 0, least, 0, least, 0, most, 0, -most, 0, 0}, {2, 1},
               ", ints, with sums of -1, the smallest int and the largest int");
    // A kernel may behave differently with other numbers.
    scans::check_random_floats(test, floats(1), 256, 64);
    scans::check_floats_of_all_kinds(test, floats(3), 300, 16);
    scans::check_random_floats(test, floats(1), many_tiles * 4 - 1, 4);
    // A look-back may look at as many tiles at once as a group has work-items.
    check_whole_numbers(test, std::size_t{34} * 32 - 1, {32, 1});
    // One group of each remaining size: an array can be too small for it, or it can have a special
    // step.
    for (const std::size_t size :
         group_sizes(test, float_program, "single_pass_scan", 2 * sizeof(float))) {
        if (size > 64 && size <= 1024)
            check_whole_numbers(test, size - 1, {size, 1});
    }
    // The first and the last of many groups run alone. They end only if they take tickets or add up
    // the missing tiles themselves.
    for (const Trial& trial :
         {Trial{(std::size_t{1} << 14) + 1, {2, 4}}, {(std::size_t{1} << 18) - 1, {64, 16}}})
        test.watch_ends(parameters(trial.n, trial.tile) + first_and_last, [&] {
            scans::scan(test, floats(trial.tile.items), random_floats(test.random(), trial.n),
                        trial.tile.work_group_size);
        });
}

/// Ends the case with a failure if more than one work-item of a group publishes.
void check_atomics(Case& test, const wire::WorkCounts& counts, const Tile& tile) {
    // A ticket, two words that are published twice, and two that each work-item may read atomically.
    const std::size_t most = counts.groups * (1 + 4 + 2 * tile.work_group_size);
    if (counts.global_atomics > most)
        test.fail(float_program,
                  {"there are " + std::to_string(counts.global_atomics) +
                       " atomic operations on the state of " + std::to_string(counts.groups) +
                       " tiles",
                   {"only one work-item of each group must take the ticket, publish and look back. "
                    "If others publish, too, they overwrite what it has published, and a reader "
                    "can get halves of two different values",
                    show_work(counts)},
                   counts.kernel});
}

/// Ends the case with a failure if few work-items do what their group should share. The groups are
/// large, because few are few there, and the last tile is not full.
void check_sharing(Case& test) {
    const Tile tile{
        group_size_up_to(test, float_program, "single_pass_scan", 2 * sizeof(float), 256), 4};
    const auto work =
        test.count_work([&] { check_whole_numbers(test, 8 * tile.size() - 1, tile); });
    if (work.empty())
        return;
    check_atomics(test, work.front(), tile);
    check_span(test, float_program, work.front(), span_of_tree(tile.work_group_size, tile.items));
}

/// Ends the case with a failure if groups that find all tiles before them finished read far more of
/// the state than one tile's: then no PREFIX ends the look-back, and n tiles are read n^2 / 2 times.
void check_look_back(Case& test) {
    const Tile tile{4, 1};
    const std::size_t tiles = 2 * many_tiles;
    const std::size_t n = tiles * tile.size();
    const auto work = test.count_work([&] { check_whole_numbers(test, n, tile); });
    if (work.empty())
        return;
    check_atomics(test, work.front(), tile);
    // Each group may look at 32 tiles of four words at once, or all its work-items look at the same.
    constexpr std::size_t most_per_tile = 512; // bytes
    const std::size_t data_bytes = 2 * n * sizeof(float);
    const std::size_t loaded = work.front().global_bytes_loaded;
    if (loaded > data_bytes + tiles * most_per_tile)
        test.fail(float_program,
                  {"with " + std::to_string(tiles) + " tiles, the kernel loads " +
                       std::to_string(loaded) + " bytes of global memory; the input is " +
                       std::to_string(n * sizeof(float)),
                   {"the groups run one after another here: if each publishes its PREFIX, the next "
                    "one needs to look back at a single tile"},
                   work.front().kernel});
}

/// Ends the case with a failure if a scan in whole tiles loads or stores too much, or if one
/// work-item or group does what all should share.
void check_work(Case& test) {
    const Tile tile{32, 32};
    const std::size_t tiles = 8;
    const std::size_t n = tiles * tile.size();
    const std::size_t bytes = n * sizeof(float);
    const std::string first; // its name depends on the device
    const auto work = test.count_work(
        [&] { check_whole_numbers(test, n, tile); },
        {{first, "global_bytes_loaded", bytes}, {first, "global_bytes_stored", bytes}});
    if (work.empty())
        return test.fail(float_program, {"no kernel is launched"});
    const wire::WorkCounts& counts = work.front();
    const auto fail = [&](const std::string& what) {
        test.fail(float_program, {what, {show_work(counts)}, counts.kernel});
    };
    // The state of the tiles that a group looks at comes in addition: 32 tiles of two words are 256
    // bytes for each tile of 4096 bytes.
    const std::size_t state_bytes = bytes / 4;
    if (counts.global_bytes_loaded > 2 * bytes + state_bytes)
        fail("the kernel loads " + std::to_string(counts.global_bytes_loaded) +
             " bytes of global memory; the input is " + std::to_string(bytes) +
             ", and no tile needs to be read more than twice");
    if (counts.global_bytes_stored > bytes + state_bytes)
        fail("the kernel stores " + std::to_string(counts.global_bytes_stored) +
             " bytes in global memory; the result is " + std::to_string(bytes));
    if (counts.busiest_group_bytes > bytes / 2)
        fail("one group loads " + std::to_string(counts.busiest_group_bytes) +
             " different bytes of global memory; its tile is " +
             std::to_string(tile.size() * sizeof(float)));
    check_atomics(test, counts, tile);
    check_loads(test, float_program, work, {bytes, sizeof(float), tile.size()});
    check_sharing(test);
    check_look_back(test);
    test.remark(show_work(counts));
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab8",
            "Single-pass scan by decoupled look-back",
            {{kernel_file, {"single_pass_scan"}, {float_program.options, int_program.options}}},
            check_small,
            scans::examples(floats(2), {{13, 2}, {16, 4}, {1, 2}, {5, 1}, {3, 4}}),
            scans::effect(floats(2))};
}

TEST_CASE("one tile" * points(1) *
          hint("There is only one tile, so nothing comes from other groups. Which element is the "
               "first wrong one?",
               "The first tile has no tiles before it, so its sum is its prefix. Before the "
               "elements of each work-item come those of the work-items before it.",
               "Each work-item adds up its items, scan_group() scans these sums, and work-item lid "
               "starts with the scanned sum at lid - 1, or with 0. Then it goes through its items "
               "once more and writes the running sum.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 64))
        check_whole_numbers(test, n, {64, 1});
    for (const std::size_t n : lengths_around(96, 96))
        check_whole_numbers(test, n, {32, 3});
}

TEST_CASE("every length" * points(2) *
          hint("Is the first tile right, and the second? Is the last one, which is not full?",
               "The offset of a tile is the sum of all tiles before it: the AGGREGATEs back to the "
               "first PREFIX, plus that PREFIX. The last tile can be partial.",
               "Go back from tile - 1: add each value, and stop after the first one with the "
               "status PREFIX. Then publish the sum of all before plus the tile's own sum as "
               "PREFIX. Limit first and end of each work-item to n.")) {
    Case test;
    for (const std::size_t n : lengths_around(64, 70000))
        check_whole_numbers(test, n, {16, 4});
    for (const std::size_t n : lengths_around(2048, 2048)) // a GPU gets a kernel for these tiles
        check_whole_numbers(test, n, {64, 32});
}

TEST_CASE("every work-group size" * points(1) *
          hint("If your code works only for some tile sizes, look for one of these sizes as a "
               "number in your code.",
               "Compute the local memory, the size of a tile and the number of tiles from the "
               "work-group size and the elements per work-item. Both can be 1.",
               "A tile has work_group_size * items elements; temp has two elements for each "
               "work-item. In a group of one, the scan of the group is its only value.")) {
    Case test;
    for (const std::size_t size :
         group_sizes(test, float_program, "single_pass_scan", 2 * sizeof(float))) {
        for (const std::size_t items : {1, 7}) {
            const Tile tile{size, items};
            check_whole_numbers(test, 3 * tile.size() + 1, tile);
        }
    }
    for (const std::size_t items : {1, 2, 32, 1000, 16384})
        check_whole_numbers(test, 20011, {1, items});
    check_whole_numbers(test, 20011, {64, 32});
    for (const std::size_t missing : {1, 2, 3, 4})
        check_whole_numbers(test, std::size_t{3} * 512 - missing, {16, 32});
}

TEST_CASE("millions of elements" * points(1) *
          hint("If short inputs pass, look for what grows with the input.",
               "If this fails but small inputs pass, look for a truncated number of tiles or "
               "bytes, and for two tiles that share a word of the state.",
               "The state has 1 + 2 * tiles words: the ticket, then the words 1 + 2 * tile and 2 + "
               "2 * tile of each tile. Compute indices of elements as size_t.")) {
    Case test;
    check_whole_numbers(test, test.affordable((std::size_t{1} << 20) - 1), {32, 8});
    check_whole_numbers(test, test.affordable((std::size_t{1} << 24) + 1), {16, 64});
    check_whole_numbers(test, test.affordable((std::size_t{1} << 16) + 5), {1, 1}); // tiles
}

TEST_CASE(
    "floats that round" * points(1) *
    hint("If whole numbers pass, look for a place where bits get lost.",
         "Sums of floats stay floats, and the two words carry all bits of a float.",
         "Copy the bits with as_uint() and AS_TYPE(), never with a cast: (uint) of a float drops "
         "the fraction. The upper half goes into one word and the lower half into the other.")) {
    Case test;
    for (const std::size_t n : {1, 2, 1000, 65537})
        scans::check_random_floats(test, floats(4), n, 32);
    scans::check_random_floats(test, floats(32), 65537, 64);
}

TEST_CASE("ints that wrap" * points(1) *
          hint("Which bits of a large or negative sum get lost on the way through the two words?",
               "The two words carry all 32 bits of a sum: copy both halves, and do not let a sign "
               "spread into the status.",
               "Use uint for the bits. One word has (status << 16) | (bits >> 16), the other has "
               "the status and bits & 0xFFFF. Shifting an int to the right copies its sign.")) {
    Case test;
    for (const std::size_t n : {1, 2, 63, 64, 65, 1000, 65537})
        check_large_ints(test, n, {16, 4});
    check_large_ints(test, 100000, {16, 1000});
    check_large_ints(test, 100000, {64, 12});
}

TEST_CASE("one launch does the work" * points(1) *
          hint("The message says which part of the launch is different.",
               "Use one launch with one work-group per tile, and read back only the result.",
               "The number of tiles is n divided by work_group_size * items, rounded up, and the "
               "global size is tiles * work_group_size. Fill the state with enqueueFillBuffer, "
               "which is not a launch.")) {
    Case test;
    const Tile tile{16, 4};
    for (const std::size_t n : {20 * tile.size() - 7, 20 * tile.size()}) {
        const std::vector<float> values = whole_numbers(test.random(), n);
        test.trial(parameters(n, tile), [&] {
            const Run run =
                scans::check_exact(test, floats(tile.items), values, tile.work_group_size);
            const std::string wrong = wrong_launches(run.seen, n, tile);
            if (!wrong.empty())
                test.fail(float_program, grader::wrong_launch(wrong));
            test.require_kernels(float_program, run, n * sizeof(float), "scan_floats", values,
                                 tile.work_group_size, tile.items);
        });
    }
}

TEST_CASE("the state is cleared at every call" * points(1) *
          hint("What is in the state when the kernel starts for the second time?",
               "The ticket and the states must be 0 when the kernel starts. A fresh buffer can "
               "hold anything, and a reused one holds what the last call left in it.",
               "Call enqueueFillBuffer with cl_uint{0} for all (1 + 2 * tiles) * sizeof(cl_uint) "
               "bytes before each launch, in every call.")) {
    Case test;
    const Tile tile{16, 4};
    for (const std::size_t n : {1000, 5000, 100, 3000}) {
        const std::vector<float> values = whole_numbers(test.random(), n);
        for (const char* which : {", first call", ", second call with the same data"})
            test.trial(parameters(n, tile) + which, [&] {
                scans::check_exact(test, floats(tile.items), values, tile.work_group_size);
            });
        check_large_ints(test, n, tile);
    }
}

TEST_CASE("least traffic and shared work" * points(1) *
          hint("Compare the bytes in the message with those of the input.",
               "Each tile is read once or twice and written once, by its own group. All work-items "
               "of the group do their share.",
               "Each work-item reads its own items to add them up, and again to write them. For "
               "the tiles before, read only their two words of the state, not their elements.")) {
    Case test;
    check_work(test);
}

TEST_CASE("no data race" * points(2) * reports(findings::races_and_locks) *
          hint("Which memory do the two work-items share at the lines that the message names: "
               "local memory, the state, or the result?",
               "One work-item takes the ticket and looks back. Put a barrier before others read "
               "what it found. A loop that waits for another group must read through a volatile "
               "pointer or with an atomic operation.",
               "Write the tile number to local memory in work-item 0, then a barrier, then read it "
               "in all; the same for the sum of all tiles before. Publish with atomic_xchg.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE(
    "barriers and waiting" * points(1) * reports(findings::barriers) *
    hint("Does a work-item skip the barrier, or does a group wait for one that cannot continue?",
         "Every work-item of the group must reach every barrier. A group can wait only for groups "
         "that are already running, so take the tile from the ticket. A group must publish its sum "
         "before it waits.",
         "Order: ticket, sum of the tile, publish AGGREGATE, look back, publish PREFIX. The tile "
         "is what atomic_inc(&state[0]) returned, not get_group_id(0). Only work-item 0 looks "
         "back; the barrier comes after its if.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("inside its buffers" * points(1) * reports(findings::bounds) *
          hint("Compute the largest index of the last tile.",
               "Keep every index within its array, even if the last tile is partial. Local memory "
               "is uninitialized until a work-item writes to it.",
               "Limit the first and the end index of each work-item to n with min(). scan_group() "
               "uses 2 * group size elements of temp, and look_back() never goes below tile 0.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("time: what a single pass should take" * points(1) *
          hint("What does a group do before the next one can continue?",
               "Groups must work at the same time: each publishes the sum of its tile before it "
               "looks back.",
               "Publish AGGREGATE as soon as the tile's sum is known. Look back from the nearest "
               "tile and stop at the first PREFIX, so that few tiles are added again.")) {
    Case test;
    const std::size_t n = elements_to_time(test, scan_bound);
    const std::size_t size = group_size_up_to(test, float_program, "single_pass_scan",
                                              2 * sizeof(float), 256); // for the baselines
    constexpr auto tuned = "scan_floats_tuned";
    const std::vector<float> values = whole_numbers(test.random(), n);
    const auto check = [&](const Run& run) {
        const wire::Launch& launch = run.seen.launches.front();
        const std::size_t work_items = std::max<std::size_t>(1, wire::volume(launch.global_size));
        scans::compare_exactly(test, floats((n + work_items - 1) / work_items), values,
                               run.array<float>(),
                               std::max<std::size_t>(1, wire::volume(launch.work_group_size)));
    };
    test.trial("n = " + std::to_string(n) + ", the tile of tuning.hpp",
               [&] { check(test.compute(float_program, tuned, values)); });
    const double bytes = 2 * sizeof(float); // read once, written once
    for (SpeedLimit limit :
         {against_copy(n, bytes, size), against_scalar_tree(n, bytes, size, scan_bound)}) {
        limit.check = check;
        test.time(float_program, limit, tuned, values);
    }
}
