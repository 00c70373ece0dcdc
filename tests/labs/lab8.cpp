#include "grader/case.hpp"
#include "grader/explain.hpp"
#include "scans.hpp"
#include "trials.hpp"

#include <algorithm>
#include <cstdint>
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

/// The scan of floats as other labs' checks see it.
scans::Lab floats(std::size_t items) {
    return {float_program, "scan_floats", scans::Kind::inclusive, items, true};
}

void check_whole_numbers(Case& lab, std::size_t n, const Tile& tile) {
    scans::check_whole_numbers(lab, floats(tile.items), n, tile.work_group_size);
}

std::string parameters(std::size_t n, const Tile& tile) {
    return ::parameters(n, tile.work_group_size) + ", " + std::to_string(tile.items) +
           (tile.items == 1 ? " element" : " elements") + " a work-item";
}

/// `n` ints of all sizes, so that their sums wrap around.
std::vector<std::int32_t> large_ints(Random& random, std::size_t n) {
    std::vector<std::int32_t> values(n);
    std::generate(values.begin(), values.end(),
                  [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(random())); });
    return values;
}

/// The inclusive scan in 32 bits.
std::vector<std::uint32_t> wrapped_scan(const std::vector<std::int32_t>& values) {
    std::vector<std::uint32_t> sums(values.begin(), values.end());
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    return sums;
}

void check_ints(Case& lab, std::size_t n, const Tile& tile) {
    const std::vector<std::int32_t> values = large_ints(lab.random(), n);
    const std::vector<std::uint32_t> expected = wrapped_scan(values);
    lab.trial(parameters(n, tile) + ", ints", [&] {
        const Run run =
            lab.compute(int_program, "scan_ints", values, tile.work_group_size, tile.items);
        const auto got = run.array<std::uint32_t>();
        if (got.size() != n)
            lab.fail(int_program, {"wrong length of the result",
                                   {"expected " + count_of(n, "element") + ", got " +
                                    std::to_string(got.size())},
                                   ""});
        const auto wrong = std::mismatch(expected.begin(), expected.end(), got.begin());
        if (wrong.first == expected.end())
            return;
        const auto i = static_cast<std::size_t>(wrong.first - expected.begin());
        lab.fail(int_program,
                 {"wrong scan of ints",
                  {"the first wrong element is " + std::to_string(i) + " (tile " +
                       std::to_string(i / tile.size()) + ")",
                   "expected " + std::to_string(static_cast<std::int32_t>(*wrong.first)) +
                       ", got " + std::to_string(static_cast<std::int32_t>(*wrong.second))},
                  ""});
    });
}

/// What is wrong with the launches of a scan, or "".
std::string wrong_launches(const wire::CallReply& seen, std::size_t n, const Tile& tile) {
    if (seen.launches.size() != 1)
        return "one launch is to do all the work, and there are " +
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

/// So many tiles that a kernel may do something else, and so few that one may add up all tiles before
/// its own where it finds that none has been published.
constexpr std::size_t many_tiles = 201;

/// For the analysis: small tiles, so that a short input has many of them.
void check_small(Case& lab) {
    struct Trial {
        std::size_t n;
        Tile tile;
    };
    for (const Trial& trial : {Trial{1, {1, 1}},
                               {9, {2, 1}},
                               {60, {1, 16}},
                               {100, {4, 3}},
                               {200, {32, 1}},
                               {300, {8, 4}},
                               {501, {2, 32}},
                               {1202, {8, 32}}})
        check_whole_numbers(lab, trial.n, trial.tile);
    check_ints(lab, 100, {8, 2});
    // A kernel may do something else with other numbers.
    scans::check_random_floats(lab, floats(1), 256, 64);
    scans::check_floats_of_all_kinds(lab, floats(3), 300, 16);
    if (lab.is_contended())
        return;
    scans::check_random_floats(lab, floats(1), many_tiles * 4 - 1, 4);
    // A group of every size that is left: an array may be too small for it, or a step of its own.
    for (const std::size_t size :
         group_sizes(lab, float_program, "single_pass_scan", 2 * sizeof(float))) {
        if (size > 64 && size <= 1024)
            check_whole_numbers(lab, size - 1, {size, 1});
    }
    // The first and the last of many groups run alone. They end only with tickets, or if they add up
    // the missing tiles themselves.
    for (const Trial& trial :
         {Trial{(std::size_t{1} << 14) + 1, {2, 4}}, {(std::size_t{1} << 18) - 1, {64, 16}}})
        lab.watch_ends(parameters(trial.n, trial.tile) + first_and_last, [&] {
            scans::scan(lab, floats(trial.tile.items), random_floats(lab.random(), trial.n),
                        trial.tile.work_group_size);
        });
}

/// Ends the case with a failure if a scan in whole tiles loads or stores too much, or leaves to one
/// work-item or group what all should share.
void check_work(Case& lab) {
    const Tile tile{32, 32};
    const std::size_t tiles = 8;
    const std::size_t n = tiles * tile.size();
    const std::size_t bytes = n * sizeof(float);
    const auto work = lab.count_work([&] { check_whole_numbers(lab, n, tile); });
    if (!work)
        return;
    if (work->empty())
        return lab.fail(float_program, {"no kernel is launched", {}, ""});
    const wire::WorkCounts& counts = work->front();
    const auto fail = [&](const std::string& what) {
        lab.fail(float_program, {what, {show_work(counts)}, counts.kernel});
    };
    // The state of the tiles that a group looks at comes on top: 32 tiles of two words are 256 bytes
    // for each tile of 4096.
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
    if (counts.busiest_item_additions * 2 > counts.busiest_group_additions)
        fail("one work-item does most of its group's additions");
    check_loads(lab, float_program, *work, {bytes, sizeof(float), tile.size()});
    lab.remark(show_work(counts));
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab8",
            "Single-pass scan by decoupled look-back",
            {{kernel_file, {"single_pass_scan"}, {float_program.options, int_program.options}}},
            check_small};
}

TEST_CASE("one tile" * points(1) *
          hint("The first tile has no tiles before it: its sum is its prefix, and the elements "
               "before each work-item's own are those of the work-items before it.")) {
    Case lab;
    for (const std::size_t n : lengths_around(64, 64))
        check_whole_numbers(lab, n, {64, 1});
    for (const std::size_t n : lengths_around(96, 96))
        check_whole_numbers(lab, n, {32, 3});
}

TEST_CASE("every length" * points(2) *
          hint("What stands before a tile is the sum of all tiles before it: the AGGREGATEs back "
               "to the first PREFIX, and that PREFIX. The last tile need not be full.")) {
    Case lab;
    for (const std::size_t n : lengths_around(64, 70000))
        check_whole_numbers(lab, n, {16, 4});
}

TEST_CASE("every work-group size" * points(1) *
          hint("Local memory, the size of a tile and the number of tiles all follow from the "
               "work-group size and the elements of a work-item; both may be 1.")) {
    Case lab;
    for (const std::size_t size :
         group_sizes(lab, float_program, "single_pass_scan", 2 * sizeof(float))) {
        for (const std::size_t items : {1, 7}) {
            const Tile tile{size, items};
            check_whole_numbers(lab, 3 * tile.size() + 1, tile);
        }
    }
    for (const std::size_t items : {1, 2, 32, 1000, 16384})
        check_whole_numbers(lab, 20011, {1, items});
    check_whole_numbers(lab, 20011, {64, 32});
}

TEST_CASE("millions of elements" * points(1) *
          hint("If this fails where small inputs pass, look for a number of tiles or bytes that is "
               "cut off, and for two tiles that share a word of the state.")) {
    Case lab;
    check_whole_numbers(lab, lab.affordable((std::size_t{1} << 20) - 1), {32, 8});
    check_whole_numbers(lab, lab.affordable((std::size_t{1} << 24) + 1), {16, 64});
}

TEST_CASE("floats that round" * points(1) *
          hint("Sums of floats stay floats, and all bits of a float travel in the two words.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 1000, 65537})
        scans::check_random_floats(lab, floats(4), n, 32);
}

TEST_CASE("ints that wrap" * points(1) *
          hint("All 32 bits of a sum travel in the two words: both halves, and no sign that "
               "spreads into the status.")) {
    Case lab;
    for (const std::size_t n : {1, 2, 63, 64, 65, 1000, 65537})
        check_ints(lab, n, {16, 4});
    check_ints(lab, 100000, {16, 1000});
    check_ints(lab, 100000, {64, 12});
}

TEST_CASE("one launch does the work" * points(1) *
          hint("One launch with one work-group for each tile, and nothing is read back but the "
               "result.")) {
    Case lab;
    const Tile tile{16, 4};
    for (const std::size_t n : {20 * tile.size() - 7, 20 * tile.size()}) {
        const std::vector<float> values = whole_numbers(lab.random(), n);
        lab.trial(parameters(n, tile), [&] {
            const Run run =
                scans::check_exact(lab, floats(tile.items), values, tile.work_group_size);
            const std::string wrong = wrong_launches(run.seen, n, tile);
            if (!wrong.empty())
                lab.fail(float_program, {"wrong launch", {wrong}, ""});
            lab.require_kernels(float_program, run, n * sizeof(float), "scan_floats", values,
                                tile.work_group_size, tile.items);
        });
    }
}

TEST_CASE("the state is cleared at every call" * points(1) *
          hint("Ticket and states must be 0 when the kernel starts. A fresh buffer holds anything, "
               "and one that is kept holds what the last call has left there.")) {
    Case lab;
    const Tile tile{16, 4};
    for (const std::size_t n : {1000, 5000, 100, 3000}) {
        const std::vector<float> values = whole_numbers(lab.random(), n);
        for (const char* which : {", first call", ", second call with the same data"})
            lab.trial(parameters(n, tile) + which, [&] {
                scans::check_exact(lab, floats(tile.items), values, tile.work_group_size);
            });
        check_ints(lab, n, tile);
    }
}

TEST_CASE("no data race" * points(2) *
          hint("One work-item takes the ticket and looks back; a barrier stands before others read "
               "what it has found. A loop that waits for another group reads through a volatile "
               "pointer or by an atomic operation.")) {
    Case lab;
    lab.require_none(findings::races_and_locks);
}

TEST_CASE("barriers and waiting" * points(1) *
          hint("Every work-item of the group reaches every barrier. A group waits only for groups "
               "that already run, so the tile comes from the ticket; and what it waits for is "
               "published before anything else is waited for.")) {
    Case lab;
    lab.require_none(findings::barriers);
}

TEST_CASE("inside its buffers" * points(1) *
          hint("Every index stays within its array, also in a last tile that is not full, and "
               "local memory holds nothing until somebody has written it.")) {
    Case lab;
    lab.require_none(findings::bounds);
}

TEST_CASE("least traffic and shared work" * points(1) *
          hint("A tile is read once or twice and written once, by its own group, and all "
               "work-items of the group do their share.")) {
    Case lab;
    check_work(lab);
}

TEST_CASE("time: what a single pass should take" * points(1) *
          hint("Groups work at the same time: each publishes the sum of its tile before it looks "
               "back.")) {
    Case lab;
    const std::size_t n = elements_to_time(lab, scan_bound);
    const std::size_t size = group_size_up_to(lab, float_program, "single_pass_scan",
                                              2 * sizeof(float), 256); // of the baselines
    const scans::Lab tuned{float_program, "scan_floats_tuned", scans::Kind::inclusive, 1, true};
    const std::vector<float> values = whole_numbers(lab.random(), n);
    const auto check = [&](const Run& run) {
        scans::compare_exactly(lab, tuned, values, run.array<float>(), size);
    };
    lab.trial("n = " + std::to_string(n) + ", the tile of tuning.hpp",
              [&] { check(lab.compute(float_program, tuned.function, values)); });
    const double bytes = 2 * sizeof(float); // read once, written once
    for (SpeedLimit limit :
         {against_copy(n, bytes, size), against_scalar_tree(n, bytes, size, scan_bound)}) {
        limit.check = check;
        lab.time(float_program, limit, tuned.function, values);
    }
}
