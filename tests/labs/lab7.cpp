#include "element_counts.hpp"
#include "grader/case.hpp"
#include "grader/explain.hpp"
#include "hosts.hpp"
#include "reductions.hpp"
#include "trials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

using namespace grader;

namespace {

constexpr const char* kernel_file = "lab7_direct_reduction.cl";
constexpr std::size_t lanes = 4;

const Program program = reductions::program_for(kernel_file, reductions::Operator::sum);

/// The numbers are those of `Finish` in labs/lab7/lab7.hpp.
enum class Finish : int { host, kernels, lock, compare_exchange, last_group, tickets };

constexpr std::array<Finish, 6> all_finishes{Finish::host,       Finish::kernels,
                                             Finish::lock,       Finish::compare_exchange,
                                             Finish::last_group, Finish::tickets};

/// Those with a kernel of their own: Finish::host uses that of Finish::kernels.
constexpr std::array<Finish, 5> finishes_with_kernels{
    Finish::kernels, Finish::lock, Finish::compare_exchange, Finish::last_group, Finish::tickets};

/// Those whose groups meet at atomic operations.
constexpr std::array<Finish, 4> atomic_finishes{Finish::lock, Finish::compare_exchange,
                                                Finish::last_group, Finish::tickets};

/// The kernel that a finish launches first, and whether groups meet at atomic operations there.
struct FinishKernel {
    const char* name;
    const char* kernel;
    bool has_atomics;
};

const FinishKernel& kernel_of(Finish finish) {
    static constexpr std::array<FinishKernel, all_finishes.size()> kernels{
        {{"host", "sum_groups", false},
         {"kernels", "sum_groups", false},
         {"lock", "sum_with_lock", true},
         {"compare_exchange", "sum_with_compare_exchange", true},
         {"last_group", "sum_by_last_group", true},
         {"tickets", "sum_by_tickets", true}}};
    return kernels.at(static_cast<std::size_t>(finish));
}

/// One sum to try.
struct Trial {
    std::size_t n;
    std::size_t work_group_size;
    Finish finish;
};

std::string describe(const Trial& trial) {
    return parameters(trial.n, trial.work_group_size) + ", Finish::" + kernel_of(trial.finish).name;
}

/// The most groups for which each can have an element.
std::size_t most_groups(const Trial& trial) {
    return (trial.n + trial.work_group_size - 1) / trial.work_group_size;
}

/// Whether the last group adds up the groups' results.
bool has_last_group(Finish finish) {
    return finish == Finish::last_group || finish == Finish::tickets;
}

/// Groups of the call's first launch.
std::size_t groups_of(const wire::CallReply& seen) {
    const wire::Launch& first = seen.launches.front();
    const std::size_t size = std::max<std::size_t>(1, wire::volume(first.work_group_size));
    return std::max<std::size_t>(1, wire::volume(first.global_size) / size);
}

std::size_t groups_of(const Run& run) { return groups_of(run.seen); }

/// The sum of those elements whose index `belongs`.
template <class Belongs> double sum_some(const std::vector<float>& values, const Belongs& belongs) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += belongs(i) ? double{values[i]} : 0;
    return sum;
}

/// Adds the mistake that leads to the sum of those elements whose index `belongs`.
template <class Belongs> void add_some(std::vector<Suspect>& list, const std::vector<float>& values,
                                       const std::string& mistake, const Belongs& belongs,
                                       const Hints& hints) {
    const double sum = sum_some(values, belongs);
    if (sum != 0)
        list.push_back({sum, mistake, hints});
}

/// Adds the mistake that counts float4 number i, from `begin` on, `times(i)` times in the sum.
template <class Times> void add_counted(std::vector<Suspect>& list,
                                        const std::vector<float>& values, std::size_t begin,
                                        const std::string& mistake, const Times& times) {
    const std::size_t vectors = values.size() / lanes;
    const double all = sum_some(values, [](std::size_t) { return true; });
    double sum = all;
    for (std::size_t i = begin * lanes; i < vectors * lanes; ++i)
        sum += (static_cast<double>(times(i / lanes)) - 1) * double{values[i]};
    if (sum != all)
        list.push_back({sum, mistake});
}

/// The groups' sums, if the rounds and what comes after them are shared in one of two ways each.
std::vector<double> sums_of_groups(const std::vector<float>& values, const Trial& trial,
                                   std::size_t groups, bool in_chunks, bool in_tiles) {
    const std::size_t size = trial.work_group_size;
    const std::size_t vectors = values.size() / lanes;
    const std::size_t round = 4 * groups * size;
    const std::size_t rounds = vectors / round;
    const auto group_of = [&](std::size_t vector) {
        if (vector >= vectors)
            return std::size_t{0};
        if (vector >= rounds * round)
            return in_tiles ? (vector - rounds * round) / (4 * size)
                            : vector % (groups * size) / size;
        return in_chunks ? vector / (4 * rounds * size) : vector % round / (4 * size);
    };
    std::vector<double> sums(groups);
    for (std::size_t i = 0; i < values.size(); ++i)
        sums.at(group_of(i / lanes)) += double{values[i]};
    return sums;
}

/// Where work-items find the float4 of the rounds, as the kernels' parameters say.
struct Arrangement {
    std::size_t vectors;
    std::size_t groups;
    std::size_t size; ///< of a group
    bool in_chunks;

    std::size_t round() const { return 4 * groups * size; }
    std::size_t rounds() const { return vectors / round(); }
    std::size_t step() const { return in_chunks ? rounds() : size; }
    std::size_t stride() const { return in_chunks ? 1 : round(); }
    /// The first float4 of a work-item.
    std::size_t begin(std::size_t group, std::size_t lid) const {
        return in_chunks ? 4 * rounds() * (group * size + lid) : 4 * group * size + lid;
    }
};

/// What each of the four accumulators takes.
struct Accumulators {
    std::array<double, 4> in_rounds{};
    std::array<double, 4> in_last_round{};
    std::array<double, 4> of_rest{}; ///< of the float4 after the last full round
};

/// The same if the rounds and what comes after them are shared in one of two ways each. In tiles, a
/// work-item adds the rest to four accumulators if it has four float4; otherwise to the first one.
Accumulators accumulators_of(const std::vector<float>& values, const Trial& trial,
                             std::size_t groups, bool in_chunks, bool in_tiles) {
    const std::size_t size = trial.work_group_size;
    const std::size_t vectors = values.size() / lanes;
    const Arrangement arranged{vectors, groups, size, in_chunks};
    const std::size_t round = arranged.round();
    const std::size_t rounds = arranged.rounds();
    const std::size_t step = arranged.step();
    const auto accumulator_of_rest = [&](std::size_t i) { // i is counted from the last round's end
        const std::size_t tile = i / (4 * size) * 4 * size;
        const bool has_four = tile + i % size + 3 * size < vectors - rounds * round;
        return in_tiles && has_four ? (i - tile) / size : 0;
    };
    Accumulators all;
    for (std::size_t i = 0; i < vectors * lanes; ++i) {
        const std::size_t vector = i / lanes;
        if (vector < rounds * round) {
            all.in_rounds.at(vector / step % 4) += double{values[i]};
            if ((in_chunks ? vector % rounds : vector / round) == rounds - 1)
                all.in_last_round.at(vector / step % 4) += double{values[i]};
            continue;
        }
        all.of_rest.at(accumulator_of_rest(vector - rounds * round)) += double{values[i]};
    }
    return all;
}

/// The sum of the first `rounds` rounds if the float4 of two accumulators are `step` apart; nothing if one
/// would lie outside the data.
std::optional<double> sum_of_rounds(const std::vector<float>& values, const Arrangement& arranged,
                                    std::size_t rounds, std::size_t step) {
    const std::size_t vectors = values.size() / lanes;
    double sum = 0;
    for (std::size_t group = 0; group < arranged.groups; ++group) {
        for (std::size_t lid = 0; lid < arranged.size; ++lid) {
            const std::size_t begin = arranged.begin(group, lid);
            for (std::size_t k = 0; k < 4 * rounds; ++k) {
                const std::size_t vector = begin + k / 4 * arranged.stride() + k % 4 * step;
                if (vector >= vectors)
                    return std::nullopt;
                sum += std::accumulate(
                    values.begin() + static_cast<std::ptrdiff_t>(vector * lanes),
                    values.begin() + static_cast<std::ptrdiff_t>((vector + 1) * lanes), 0.0);
            }
        }
    }
    return sum;
}

constexpr std::array<const char*, 4> ordinals{"first", "second", "third", "fourth"};

/// "the second and the fourth" for those of the four whose bits are set.
std::string name_some(unsigned bits) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ordinals.size(); ++i) {
        if ((bits >> i & 1U) != 0)
            names.push_back(std::string("the ") + ordinals.at(i));
    }
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

/// The sums without what some accumulators take, and what that means. `all`: the right sum.
std::vector<Suspect> suspects_without_some(const Accumulators& taken, double all) {
    const double whole_rest = std::accumulate(taken.of_rest.begin(), taken.of_rest.end(), 0.0);
    std::vector<Suspect> list;
    for (unsigned missing = 1; missing < 15; ++missing) {
        double in_rounds = 0;
        double of_rest = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            in_rounds += (missing >> k & 1U) != 0 ? taken.in_rounds.at(k) : 0;
            of_rest += (missing >> k & 1U) != 0 ? taken.of_rest.at(k) : 0;
        }
        const bool is_one = (missing & (missing - 1)) == 0;
        const std::string these = "the float4 values of " + name_some(missing) +
                                  (is_one ? " accumulator" : " accumulators");
        const std::string text =
            these + " are missing: do all four accumulators take float4 values in the rounds and "
                    "in the tile that is left, and does the sum at the end include all of them?";
        list.push_back({all - in_rounds, text});
        list.push_back({all - in_rounds - of_rest, text});
        if (in_rounds != 0 && of_rest != whole_rest) // which another mistake explains
            list.push_back({all - of_rest,
                            these + " that come after the rounds are missing: if a whole tile is "
                                    "left, each accumulator takes one float4 of it"});
    }
    return list;
}

/// The sums that mistakes with the accumulators lead to.
std::vector<Suspect> suspects_of_accumulators(const std::vector<float>& values, const Trial& trial,
                                              std::size_t groups) {
    const double all = sum_some(values, [](std::size_t) { return true; });
    const std::string indices = "the indices are i, i + step, i + 2 * step and i + 3 * step";
    std::vector<Suspect> list;
    const auto add = [&](double sum, const std::string& mistake) {
        if (sum != all && sum != 0)
            list.push_back({sum, mistake});
    };
    for (const auto& [in_chunks, in_tiles] :
         {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
        const Accumulators taken = accumulators_of(values, trial, groups, in_chunks, in_tiles);
        for (const Suspect& one : suspects_without_some(taken, all))
            add(one.value, one.mistake);
        double in_rounds = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            in_rounds += taken.in_rounds.at(k);
            add(all - taken.in_rounds.at(k) + taken.in_last_round.at(k),
                std::string("the ") + ordinals.at(k) +
                    " accumulator keeps only the float4 value of its last round: add to it with "
                    "+=");
            for (std::size_t other = 0; other < 4; ++other)
                add(all - taken.in_rounds.at(k) + taken.in_rounds.at(other),
                    std::string("the ") + ordinals.at(k) +
                        " accumulator adds the float4 values of the " + ordinals.at(other) +
                        " one, so its own are missing: " + indices);
        }
        add(all - in_rounds + 4 * taken.in_rounds.front(),
            "all four accumulators add the same float4 values: " + indices);
        const Arrangement arranged{values.size() / lanes, groups, trial.work_group_size, in_chunks};
        const auto add_rounds = [&](std::size_t rounds, std::size_t step,
                                    const std::string& mistake) {
            if (const auto sum = sum_of_rounds(values, arranged, rounds, step))
                add(all - in_rounds + *sum, mistake);
        };
        if (arranged.rounds() > 1) {
            add_rounds(1, arranged.step(),
                       "only the float4 values of the first round are added: the loop goes from "
                       "begin to begin + rounds * stride, in steps of stride");
            add_rounds(arranged.rounds(), arranged.stride(),
                       "the accumulators add float4 values that are stride apart, not step: " +
                           indices);
        }
    }
    return list;
}

/// The sums that mistakes with the float4 after the last full round lead to.
std::vector<Suspect> suspects_of_rest(const std::vector<float>& values, const Trial& trial,
                                      std::size_t groups) {
    const std::size_t size = trial.work_group_size;
    const std::size_t items = groups * size;
    const std::size_t vectors = values.size() / lanes;
    const std::size_t begin = vectors / (4 * items) * 4 * items;
    const double all = sum_some(values, [](std::size_t) { return true; });
    std::vector<Suspect> list;
    // `times(i)`: how often float4 number i of them is added
    const auto add = [&](const std::string& mistake, const auto& times) {
        add_counted(list, values, begin, mistake, [&](std::size_t i) { return times(i - begin); });
    };
    const std::string more = "float4 values after the last full round are added more than once: ";
    const std::string overlap = more + "groups take the same ones. Go on in steps of "
                                       "get_global_size(0), or give each group a tile of its own";
    add(overlap, [&](std::size_t i) { return std::min(groups, i / size + 1); });
    add(overlap, [&](std::size_t i) { return std::min(groups, i / (4 * size) + 1); });
    add(overlap, [&](std::size_t i) { // tiles of four that begin only one after another
        const std::size_t first = i / size < 3 ? 0 : i / size - 3;
        const std::size_t end = std::min(groups, i / size + 1);
        return end - std::min(first, end);
    });
    add(more + "each group adds all of them, but they must be shared by all groups",
        [&](std::size_t) { return groups; });
    add(more + "each work-item adds all of them, but all work-items must share them",
        [&](std::size_t) { return items; });
    add(more + "each work-item advances by 1; advance by get_global_size(0)",
        [&](std::size_t i) { return std::min(items, i + 1); });
    add("of the float4 values after the last full round, each work-item adds at most one; there "
        "can be up to four for each",
        [&](std::size_t i) { return i < items ? 1 : 0; });
    if (begin != 0)
        list.push_back(
            {all + sum_some(
                       values,
                       [&](std::size_t i) { return i / lanes >= begin / 4 && i / lanes < begin; }),
             "the float4 values after the last full round begin at 4 * rounds * work-items; if you "
             "begin at rounds * work-items, you add many of them twice"});
    const std::size_t rounds = begin / (4 * items);
    const std::size_t early = 4 * rounds * size;
    const auto is_in_tiles = [&](std::size_t i) { return i >= early && i < early + 4 * items; };
    if (rounds != 0 && groups > 1)
        add_counted(
            list, values, 0,
            "the float4 values after the last full round begin at 4 * rounds * work-items of "
            "all groups, not of one",
            [&](std::size_t i) { return (i < begin ? 1 : 0) + (is_in_tiles(i) ? 1 : 0); });
    return list;
}

/// The totals of a last group that adds up the results of the groups in a wrong way.
std::vector<Suspect> suspects_of_results(const std::vector<double>& sums, std::size_t size) {
    const std::size_t groups = sums.size();
    const std::string go_on = "begin at get_local_id(0) and continue in steps of get_local_size(0)";
    std::vector<Suspect> list;
    // `times(group)`: how often its result is added
    const auto add = [&](const std::string& mistake, const auto& times) {
        double total = 0;
        for (std::size_t group = 0; group < groups; ++group)
            total += static_cast<double>(times(group)) * sums[group];
        list.push_back({total, mistake});
    };
    add("each work-item of the last group adds up all results; each result must be added once: " +
            go_on,
        [&](std::size_t) { return size; });
    add("each work-item of the last group begins with the first result: " + go_on,
        [&](std::size_t group) { return group % size == 0 ? size : 0; });
    for (std::size_t last = 0; last < groups; ++last)
        add("the last group adds its own sum once more: it is already among the results",
            [&](std::size_t group) { return group == last ? 2 : 1; });
    for (std::size_t last = 0; last < groups; ++last)
        add("each work-item of the last group begins with the sum of its own group: begin with 0",
            [&](std::size_t group) { return group == last ? size + 1 : 1; });
    if (groups > 1)
        add("each work-item of the last group adds its own result and all results after it: " +
                go_on,
            [&](std::size_t group) { return std::min(size, group + 1); });
    if (groups <= size)
        return list;
    add("each work-item of the last group adds its first result again in every round: there are "
        "more results than work-items in the group",
        [&](std::size_t group) { return group < size ? (groups - group + size - 1) / size : 0; });
    add("the last group adds up only one result for each of its work-items, but there are more: " +
            go_on,
        [&](std::size_t group) { return group < size ? 1 : 0; });
    return list;
}

/// The totals of groups that add to the bits of the total as to a whole number: the first one finds
/// 0, and the others follow in an order in which each of them succeeds.
std::vector<Suspect> suspects_of_bits(const std::vector<double>& sums) {
    const auto add_to_bits = [](float total, double sum) {
        return static_cast<float>(std::bit_cast<std::uint32_t>(total)) + static_cast<float>(sum);
    };
    std::vector<Suspect> list;
    for (const float total : {std::accumulate(sums.begin(), sums.end(), 0.0F, add_to_bits),
                              std::accumulate(sums.rbegin(), sums.rend(), 0.0F, add_to_bits)})
        list.push_back({total, "the bits of the old total are used as a whole number in the "
                               "addition: reinterpret them with as_float() before you add"});
    return list;
}

/// The sums that mistakes with the groups' results lead to.
std::vector<Suspect> suspects_of_groups(const std::vector<float>& values, const Trial& trial,
                                        std::size_t groups) {
    const std::size_t size = trial.work_group_size;
    const bool adds = trial.finish == Finish::lock || trial.finish == Finish::compare_exchange;
    const char* const overwrites = adds ? ": each group must add to the total, not replace it" : "";
    std::vector<Suspect> list;
    for (const auto& [in_chunks, in_tiles] :
         {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
        const std::vector<double> sums = sums_of_groups(values, trial, groups, in_chunks, in_tiles);
        for (std::size_t group = 0; groups > 1 && group < groups; ++group) {
            if (sums[group] != 0)
                list.push_back({sums[group], "only the sum of group " + std::to_string(group) +
                                                 " is included" + overwrites});
        }
        for (std::size_t group = 0; trial.finish == Finish::compare_exchange && group < groups;
             ++group) {
            if (sums[group] > 0)
                list.push_back(
                    {std::bit_cast<float>(static_cast<std::uint32_t>(sums[group])),
                     "the total has the bits of a whole number: as_uint() keeps the bits "
                     "of a float, but a cast to uint drops its fraction, and atomic_add() adds "
                     "whole numbers"});
        }
        std::uint32_t bits = 0;
        for (const double sum : sums)
            bits += std::bit_cast<std::uint32_t>(static_cast<float>(sum));
        if (trial.finish == Finish::compare_exchange && groups > 1)
            list.push_back({std::bit_cast<float>(bits),
                            "the bits of the floats were added as if they were whole numbers"});
        std::vector<Suspect> more;
        if (trial.finish == Finish::compare_exchange && groups > 1)
            more = suspects_of_bits(sums);
        if (has_last_group(trial.finish))
            more = suspects_of_results(sums, size);
        list.insert(list.end(), more.begin(), more.end());
    }
    return list;
}

/// The sums that mistakes with the tiles of tickets lead to.
std::vector<Suspect> suspects_of_tiles(const std::vector<float>& values, const Trial& trial,
                                       std::size_t groups) {
    const std::size_t vectors = values.size() / lanes;
    const std::size_t tile = 4 * trial.work_group_size;
    const std::size_t whole = vectors / tile * tile;
    std::vector<Suspect> list;
    const auto add = [&](const std::string& mistake, const auto& times) {
        add_counted(list, values, 0, mistake, times);
    };
    add("the last, partial tile is missing: take every tile that begins before n / 4",
        [&](std::size_t i) { return i < whole ? 1 : 0; });
    add("only the first tile of each group is included: does the group go on with the tile of its "
        "ticket?",
        [&](std::size_t i) { return i / tile < groups ? 1 : 0; });
    for (std::size_t first = 0; first < std::min<std::size_t>(groups, 16); ++first)
        add("some tiles are added twice: groups take tiles 0 to get_num_groups(0) - 1 without a "
            "ticket, so ticket t must be tile get_num_groups(0) + t",
            [&](std::size_t i) { return i / tile >= first && i / tile < groups ? 2 : 1; });
    add("tile 0 is missing", [&](std::size_t i) { return i / tile == 0 ? 0 : 1; });
    add("tile get_num_groups(0) is missing: atomic_inc() returns the old value, so the first "
        "ticket is 0",
        [&](std::size_t i) { return i / tile == groups ? 0 : 1; });
    for (std::size_t part = 0; part < 4; ++part)
        add(std::string("the ") + ordinals.at(part) +
                " float4 of each work-item is missing in each tile",
            [&](std::size_t i) { return i % tile / trial.work_group_size == part ? 0 : 1; });
    return list;
}

/// The sums that mistakes with rounds and with what comes after them lead to.
std::vector<Suspect> suspects_of_rounds(const std::vector<float>& values, const Trial& trial,
                                        std::size_t groups) {
    const std::size_t n = values.size();
    const std::size_t whole = n / lanes * lanes;                  // elements in float4
    const std::size_t round = 4 * groups * trial.work_group_size; // float4 that all take in a round
    const std::size_t in_rounds = n / lanes / round * round * lanes;
    std::vector<Suspect> list;
    const auto add = [&](const std::string& mistake, const auto& belongs, const Hints& hints = {}) {
        add_some(list, values, mistake, belongs, hints);
    };
    if (in_rounds != whole)
        add("the float4 values after the last full round are missing",
            [&](std::size_t i) { return i < in_rounds || i >= whole; },
            {"Which work-items take the float4 values that do not fill a round?",
             "After the rounds, let the work-items continue from the first float4 that is left, in "
             "steps of all work-items or of a group, as long as the index is below n / 4."});
    if (in_rounds != 0 && in_rounds != n)
        add("everything after the last full round is missing",
            [&](std::size_t i) { return i < in_rounds; });
    for (const auto& find : {suspects_of_groups, suspects_of_accumulators, suspects_of_rest}) {
        const std::vector<Suspect> more = find(values, trial, groups);
        list.insert(list.end(), more.begin(), more.end());
    }
    return list;
}

constexpr const char* counted_twice = "every element is counted twice";

/// The sums that typical mistakes lead to.
std::vector<Suspect> suspects(const std::vector<float>& values, const Trial& trial,
                              std::size_t groups) {
    const std::size_t n = values.size();
    const std::size_t whole = n / lanes * lanes; // elements in float4
    const std::size_t size = trial.work_group_size;
    const double all = sum_some(values, [](std::size_t) { return true; });
    std::vector<Suspect> list{
        {0, has_last_group(trial.finish)
                ? "no group has added up the results: does a group find out that it is the last? "
                  "atomic_inc() returns the old value, so the last group gets groups - 1"
                : "nothing was added"}};
    const auto add = [&](const std::string& mistake, const auto& belongs, const Hints& hints = {}) {
        add_some(list, values, mistake, belongs, hints);
    };

    if (n != whole)
        add("the elements after the last whole float4 are missing, or the sum is overwritten after "
            "they are added",
            [&](std::size_t i) { return i < whole; },
            {"Which work-item takes the last n % 4 elements?",
             "Work-item 0 of group 0 adds the floats from n / 4 * 4 to n, after its float4 "
             "values."});
    add("only lane x of each float4 is included", [](std::size_t i) { return i % lanes == 0; });
    add("lane w of each float4 is missing", [](std::size_t i) { return i % lanes != lanes - 1; });
    const auto& find = trial.finish == Finish::tickets ? suspects_of_tiles : suspects_of_rounds;
    const std::vector<Suspect> more = find(values, trial, groups);
    list.insert(list.end(), more.begin(), more.end());
    list.push_back({2 * all,
                    counted_twice,
                    {"Which elements are read in the rounds, and read again after them?",
                     "The float4 values that are left begin where the last round ended."}});
    list.push_back({all + 1, "the total starts at 1; it must start at 0"});
    list.push_back({all + double{values.front()},
                    "element 0 is counted twice: the total must start with 0, not with element 0"});
    if (whole != 0)
        list.push_back(
            {all + sum_some(values, [&](std::size_t i) { return i >= n / lanes && i < whole; }),
             "the elements after the last whole float4 begin at n / 4 * 4; if you begin at n / 4, "
             "you add many elements twice"});
    const double tail = sum_some(values, [&](std::size_t i) { return i >= whole; });
    if (n != whole && whole != 0)
        list.push_back({all - tail +
                            sum_some(values,
                                     [&](std::size_t i) {
                                         return i >= n / lanes && i < n / lanes + n % lanes;
                                     }),
                        "the elements after the last whole float4 begin at n / 4 * 4, not at n / "
                        "4, which counts float4 values"});
    if (tail != 0 && groups > 1)
        list.push_back({all + static_cast<double>(groups - 1) * tail,
                        "each group adds the elements after the last whole float4; only one "
                        "work-item of the launch may"});
    if (tail != 0)
        list.push_back({all + static_cast<double>(groups * size - 1) * tail,
                        "each work-item adds the elements after the last whole float4; only one "
                        "work-item of the launch should"});
    if (has_last_group(trial.finish))
        return list;
    list.push_back(
        {static_cast<double>(size) * all,
         "every work-item has added its group's sum; only one work-item of the group should",
         {"How many times is the sum of one group added?",
          "Finish only where get_local_id(0) is 0."}});
    return list;
}

/// What is wrong with how the first launch shares the work, or "".
std::string wrong_groups(const Run& run, const Trial& trial) {
    const std::string kernel = kernel_of(trial.finish).kernel;
    const std::vector<wire::Launch>& launches = run.seen.launches;
    if (launches.front().kernel != kernel)
        return "the first launch must run " + kernel;
    if (groups_of(run) > most_groups(trial))
        return "there are " + grader::count_of(groups_of(run), "group") +
               ", but elements for only " + grader::count_of(most_groups(trial), "group") + " of " +
               grader::count_of(trial.work_group_size, "work-item") +
               ": use std::min(groups that the device can use, groups that the input needs), "
               "but at least 1";
    if (trial.finish == Finish::kernels &&
        wire::volume(launches.back().global_size) != wire::volume(launches.back().work_group_size))
        return "the last launch must have one group";
    return {};
}

/// The four numbers that say which float4 a work-item takes.
using Strides = std::array<std::size_t, 4>;

/// How they differ from both ways of the handout in one number, or in the order of two; "" if they
/// do not.
std::string wrong_strides(const Strides& given, std::size_t rounds, std::size_t items,
                          std::size_t size) {
    static constexpr std::array<const char*, 4> names{"tile", "distance", "step", "stride"};
    const std::array<Strides, 2> ways{
        {{4 * size, 1, size, 4 * items}, {4 * rounds * size, 4 * rounds, rounds, 1}}};
    if (rounds == 0 || given == ways[0] || given == ways[1])
        return {};
    std::string found;
    const auto note = [&](const std::string& text) { found = found.empty() ? text : "several"; };
    for (const Strides& way : ways) {
        std::vector<std::size_t> wrong;
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (given[i] != way[i])
                wrong.push_back(i);
        }
        if (wrong.size() == 2 && given[wrong[0]] == way[wrong[1]] &&
            given[wrong[1]] == way[wrong[0]])
            note(std::string(names[wrong[0]]) + " and " + names[wrong[1]] + " are swapped");
        if (wrong.size() == 1)
            note(std::string(names[wrong[0]]) + " is " + std::to_string(given[wrong[0]]) +
                 ", but must be " + std::to_string(way[wrong[0]]) + ", given the other three");
    }
    return found == "several" ? "" : found;
}

/// What the host did wrong in launch number `i`, which adds up `n` elements of data.
std::optional<KnownMistake> mistake_in_launch(const wire::CallReply& seen, std::size_t i,
                                              std::size_t n, std::size_t size, std::size_t groups) {
    using Role = hosts::Buffer::Role;
    const wire::Launch& launch = seen.launches[i];
    const bool is_first = i == 0;
    hosts::Needs needs{{is_first ? 0 : size, size, size * sizeof(float)}};
    needs.numbers = {{1, "n", n, std::max(n, hosts::floats_in(launch, 0)),
                      is_first ? "the number of elements" : "the number of results"}};
    needs.buffers = {
        {0, "data", is_first ? Role::input : Role::result, n * sizeof(float), n * sizeof(float)}};
    const std::size_t results = groups * sizeof(float);
    const bool is_last = i + 1 == seen.launches.size();
    const auto add = [&](int index, const char* name, Role role, std::size_t bytes) {
        const bool is_input = role != Role::output && role != Role::other;
        needs.buffers.push_back({index, name, role, bytes, is_input ? bytes : 0});
    };
    if (launch.kernel == "sum_by_tickets") {
        add(3, "total", Role::output, sizeof(float));
        add(4, "results", Role::other, results);
        add(5, "done", Role::changed, sizeof(std::uint32_t));
        add(6, "tickets", Role::changed, sizeof(std::uint32_t));
    } else if (launch.kernel == "sum_groups") {
        add(7, "results", is_last ? Role::output : Role::other, is_first ? results : sizeof(float));
    } else {
        add(7, "total", launch.kernel == "sum_by_last_group" ? Role::output : Role::both,
            sizeof(float));
        if (launch.kernel == "sum_with_lock")
            add(8, "mutex", Role::changed, sizeof(std::int32_t));
        if (launch.kernel == "sum_by_last_group") {
            add(8, "results", Role::other, results);
            add(9, "done", Role::changed, sizeof(std::uint32_t));
        }
    }
    if (auto wrong = hosts::find_mistake(seen, i, needs))
        return wrong;
    if (launch.kernel == "sum_by_tickets")
        return {};
    Strides strides{};
    for (std::size_t k = 0; k < strides.size(); ++k) {
        const wire::GivenArgument* const given = hosts::argument(launch, 2 + static_cast<int>(k));
        strides.at(k) = given == nullptr ? 0 : given->value;
    }
    const std::size_t items = (is_first ? groups : 1) * size;
    const std::string wrong = wrong_strides(strides, n / (16 * items), items, size);
    if (wrong.empty())
        return {};
    KnownMistake mistake = hosts::wrong_argument(
        "in the arguments 2 to 5 of " + launch.kernel + ", " + wrong, "the arguments 2 to 5");
    mistake.launch = static_cast<int>(i) + 1;
    return mistake;
}

/// A later launch that adds up the input again.
std::optional<KnownMistake> adds_input_again(const wire::CallReply& seen) {
    const wire::Launch& first = seen.launches.front();
    const int input = hosts::buffer_of(first, 0);
    if (input == 0 || input == hosts::buffer_of(first, 7) || hosts::moves_data(seen))
        return {};
    for (std::size_t i = 1; i < seen.launches.size(); ++i) {
        const wire::Launch& launch = seen.launches[i];
        if (launch.kernel == "sum_groups" && hosts::buffer_of(launch, 0) == input)
            return hosts::in_launch(
                i, hosts::wrong_argument(hosts::name_argument(launch, 0, "data") +
                                             " is the input, but must be the results of launch " +
                                             std::to_string(i),
                                         hosts::name_argument(launch, 0, "data")));
    }
    return {};
}

std::optional<KnownMistake> mistake_of_host(const wire::CallReply& seen, const Trial& trial) {
    const std::vector<wire::Launch>& launches = seen.launches;
    const std::size_t size = trial.work_group_size;
    const bool has_second = trial.finish == Finish::kernels && launches.size() == 2;
    if (launches.empty() || launches.front().kernel != kernel_of(trial.finish).kernel ||
        hosts::moves_data(seen))
        return {};
    if (launches.size() > 1 && !has_second) {
        const std::string cause = std::string("after ") + launches.front().kernel +
                                  ", it launches " + launches[1].kernel +
                                  ", too: is a break missing in the switch?";
        return KnownMistake{cause, cause, Hints{}};
    }
    const std::size_t groups = groups_of(seen);
    auto in_first = mistake_in_launch(seen, 0, trial.n, size, groups);
    if (in_first || !has_second)
        return in_first;
    const std::string name = hosts::name_argument(launches[1], 0, "data");
    if (auto again = adds_input_again(seen))
        return again;
    if (hosts::buffer_of(launches[1], 0) != hosts::buffer_of(launches[0], 7))
        return hosts::in_launch(
            1, hosts::wrong_argument(
                   name + " is not the buffer of results that launch 1 has written", name));
    if (const auto in_second = mistake_in_launch(seen, 1, groups, size, groups))
        return hosts::in_launch(1, *in_second);
    return {};
}

void fail_launch(Case& test, const std::string& wrong) {
    grader::Failure failure = grader::wrong_launch(
        wrong, Hints{"How many groups have an element of the input?",
                     "A group takes 16 elements for each of its work-items in a round. A "
                     "short input needs fewer groups than the device has room for, but at "
                     "least one.",
                     "The number of groups is the smaller of two numbers: as many as the "
                     "device can use (labs/tuning.hpp), and n / (16 * work_group_size). It "
                     "is at least 1."});
    failure.why.mistake = "wrong number of groups";
    test.fail(program, failure);
}

/// The mistakes that explain a sum of `values`.
std::vector<std::string> explain_sum(Case& test, const std::vector<float>& values,
                                     std::size_t work_group_size, Finish finish) {
    const Trial trial{values.size(), work_group_size, finish};
    const Run run = test.compute(program, "direct_sum", values, work_group_size, finish);
    return find_mistakes(run.value<float>(), suspects(values, trial, groups_of(run)));
}

/// The mistakes that explain a sum by tickets with many tiles for each group.
std::vector<std::string> explain_many_tiles(Case& test, std::size_t work_group_size) {
    wire::Limits small_device;
    small_device.compute_units = 1;
    const wire::Limits before = test.set_limits(small_device);
    const std::vector<float> values =
        whole_numbers(test.random(), std::size_t{200} * 16 * work_group_size + 7);
    std::vector<std::string> mistakes;
    test.examine([&] { mistakes = explain_sum(test, values, work_group_size, Finish::tickets); });
    test.set_limits(before);
    return mistakes;
}

/// Those of `some` that also explain the sums of other inputs, which `explain_others` returns.
std::vector<std::string>
confirmed(Case& test, const std::vector<std::string>& some,
          const std::function<std::vector<std::string>()>& explain_others) {
    std::vector<std::string> others;
    test.examine([&] { others = explain_others(); });
    return in_both(some, others);
}

/// What is wrong with the number of tickets that the groups take; "" if nothing is, or if it is not
/// known.
std::string mistake_in_tickets(Case& test, const Trial& trial) {
    constexpr std::size_t tickets = 6; // the argument
    std::string mistake;
    const std::vector<float> values = whole_numbers(test.random(), trial.n);
    test.examine_interpreted([&] {
        const Run run =
            test.compute(program, "direct_sum", values, trial.work_group_size, trial.finish);
        const std::vector<std::uint32_t> words = test.words_left("sum_by_tickets", tickets);
        const std::size_t groups = groups_of(run);
        const std::size_t items = groups * trial.work_group_size;
        const std::size_t in_tile = 16 * trial.work_group_size;
        const std::size_t needed = std::max(groups, (trial.n + in_tile - 1) / in_tile);
        // If there are far fewer tiles than work-items, only tickets for each work-item make that many.
        if (!words.empty() && words.front() >= items && items >= 2 * needed)
            mistake = "*tickets is " + std::to_string(words.front()) + " after a launch of " +
                      count_of(groups, "group") + " of " + std::to_string(trial.work_group_size) +
                      " work-items: " + each_takes_ticket;
    });
    return mistake;
}

/// The mistakes that lead to `got`. A small input has no full round and perhaps no whole float4, so
/// several mistakes give the same, and more of them 0. A larger input shows which one it is. In
/// another order, the elements show whether a mistake leads to `got` by chance.
std::vector<std::string> explain(Case& test, double got, const std::vector<float>& values,
                                 const Trial& trial, std::size_t groups) {
    if (test.is_in_other_schedule())
        return {}; // these mistakes do not depend on the schedule
    const std::size_t size = trial.work_group_size;
    const std::size_t in_round = 4 * lanes * groups * size;
    if (trial.finish == Finish::tickets && size > 1) {
        const std::string mistake = mistake_in_tickets(test, trial);
        if (!mistake.empty())
            return {mistake};
    }
    std::vector<std::string> here = find_mistakes(got, suspects(values, trial, groups));
    const auto explain_larger = [&] {
        if (trial.finish == Finish::tickets)
            return explain_many_tiles(test, size);
        return explain_sum(test, whole_numbers(test.random(), 15 * in_round / 2 + 7), size,
                           trial.finish);
    };
    if (got == 0 && trial.n < in_round) {
        here.clear();
        test.examine([&] { here = explain_larger(); });
        return here;
    }
    if (here.size() == 1 && trial.n + 1 < in_round) // a part of the work-items is idle
        here = confirmed(test, here, [&] {
            return explain_sum(test, whole_numbers(test.random(), in_round - 1), size,
                               trial.finish);
        });
    if (here.size() > 1) {
        const std::vector<std::string> narrowed = confirmed(test, here, explain_larger);
        if (!narrowed.empty() || trial.n < in_round)
            here = narrowed;
    }
    if (here.empty())
        return here;
    return confirmed(test, here, [&] {
        std::vector<float> others = values;
        std::shuffle(others.begin(), others.end(), test.random());
        return explain_sum(test, others, size, trial.finish);
    });
}

/// Adds to `failure` which elements a wrong sum lacks, or has more than once.
void add_counts(Case& test, Failure& failure, const std::vector<float>& values, double got,
                const Trial& trial) {
    element_counts::WrongSum wrong = element_counts::explain_sum(
        test, values, got, {lanes, 4 * lanes * trial.work_group_size},
        [&](const std::vector<float>& others) -> double {
            return test.compute(program, "direct_sum", others, trial.work_group_size, trial.finish)
                .value<float>();
        });
    if (wrong.text.empty())
        return;
    if (failure.why.guesses == std::vector<std::string>{counted_twice})
        failure.why.guesses.clear(); // it says the same
    failure.details.push_back(wrong.text);
    failure.wrong_step = std::move(wrong.wrong_step);
    if (failure.why.guesses.empty())
        failure.why.mistake = wrong.text; // the kernels share the function that adds the elements
}

/// A buffer of one word that must be 0 before the launch.
struct StartsAtZero {
    std::size_t argument; ///< of the kernel
    const char* name;
};

std::vector<StartsAtZero> start_at_zero(Finish finish) {
    switch (finish) {
    case Finish::lock:
        return {{7, "total"}, {8, "mutex"}};
    case Finish::compare_exchange:
        return {{7, "total"}};
    case Finish::last_group:
        return {{9, "done"}};
    case Finish::tickets:
        return {{5, "done"}, {6, "tickets"}};
    default:
        return {};
    }
}

/// Which buffer the host starts with another number than 0 for a wrong `run`, if that is known.
std::optional<KnownMistake> wrong_start(Case& test, const Run& run,
                                        const std::vector<float>& values, const Trial& trial) {
    // After a second launch, it is not known what the first one has changed.
    if (run.seen.launches.size() != 1 || test.is_in_other_schedule() || test.has_host_mistake())
        return {};
    for (const StartsAtZero& one : start_at_zero(trial.finish)) {
        const auto word = first_value(test, one.argument, std::uint32_t{0}, [&] {
            test.call(program, "direct_sum", values, trial.work_group_size, trial.finish);
        });
        if (word == 0 || wire::is_filling(word))
            continue;
        const bool is_float = one.name == std::string_view("total");
        const std::string starts = std::string("your host code starts ") + one.name + " with ";
        return KnownMistake{starts + show(is_float ? double{std::bit_cast<float>(word)} : word) +
                                "; it must start with 0",
                            starts + "another number than 0"};
    }
    return {};
}

/// One sum. `allowed` is the error bound, 0 where every order gives the exact result.
Run try_sum(Case& test, const std::vector<float>& values, std::size_t work_group_size,
            Finish finish, double allowed = 0) {
    const Trial trial{values.size(), work_group_size, finish};
    const bool host_adds = finish == Finish::host;
    test.let_host_see(host_adds ? most_groups(trial) + 1 : 0);
    test.explain_host_by([&](const wire::CallReply& seen) { return mistake_of_host(seen, trial); });
    Run run = test.compute(program, "direct_sum", values, work_group_size, finish);
    const std::string wrong = wrong_groups(run, trial);
    if (!wrong.empty())
        fail_launch(test, wrong);
    const auto again =
        finish == Finish::kernels ? adds_input_again(run.seen) : std::optional<KnownMistake>();
    if (again)
        test.fail(
            program,
            grader::wrong_launch(
                again->text, Hints{"What does the second launch add up?",
                                   "The first launch writes one result for each group. The second "
                                   "launch adds up these results, in one group.",
                                   "For the second launch, data is the buffer of results, and n is "
                                   "the number of groups of the first launch."}));

    const std::size_t groups = groups_of(run);
    const double got = run.value<float>();
    const double expected = sum_some(values, [](std::size_t) { return true; });
    test.show_result({expected}, {got});
    const bool both_nan = std::isnan(got) && std::isnan(expected);
    if (!both_nan && got != expected && !(std::fabs(got - expected) <= allowed)) {
        test.end_if_only_judged();
        Failure failure{"wrong sum", {compare_values(expected, got, allowed)}};
        const bool has_own_finish = kernel_of(finish).has_atomics;
        failure.why.symptom =
            has_own_finish ? std::string("wrong sum by ") + kernel_of(finish).kernel : "wrong sum";
        failure.why.wider_symptom = "wrong sum";
        failure.why.is_basic = trial.n <= std::size_t{2} * 16 * work_group_size && allowed == 0;
        const std::vector<float>& read = test.last_read();
        if (auto strange = hints_for_value(expected, got)) {
            failure.why.hints = strange;
        } else if (host_adds && allowed == 0 && !read.empty() &&
                   std::accumulate(read.begin(), read.end(), 0.0) == expected) {
            failure.details.push_back(
                reductions::mistake_of_host(read, reductions::Operator::sum, got));
            failure.why.hints = Hints{};
            failure.why.mistake = failure.details.back();
        } else if (const auto start = wrong_start(test, run, values, trial)) {
            failure.details.push_back(start->text);
            failure.why = {
                .cause = Explanation::Cause::host, .hints = Hints{}, .mistake = start->cause};
        } else if (allowed == 0) {
            failure.why.hints = hints_for_mistake(got, suspects(values, trial, groups));
            failure.why.guesses = explain(test, got, values, trial, groups);
            failure.why.only_asks = got == 0 && has_last_group(finish); // what stops the group?
            if (failure.why.guesses.size() != 1 || failure.why.guesses.front() == counted_twice)
                add_counts(test, failure, values, got, trial);
        } else if (are_fractions(values) && std::isfinite(got) && got == std::floor(got)) {
            failure.why.guesses = {whole_result + std::string(finish == Finish::host
                                                                  ? ". With Finish::host, the "
                                                                    "host adds the results"
                                                                  : "")};
        }
        test.fail(program, failure);
    }
    check_launches(test, program, run,
                   {kernel_of(finish).kernel, work_group_size, 0, work_group_size * sizeof(float),
                    (host_adds ? groups : 1) * sizeof(float)});
    return run;
}

Run check_sum(Case& test, const Trial& trial) {
    return test.trial(describe(trial), [&] {
        return try_sum(test, whole_numbers(test.random(), trial.n), trial.work_group_size,
                       trial.finish);
    });
}

void check_rounding_sum(Case& test, const Trial& trial, const std::vector<float>& values,
                        const std::string& what) {
    double magnitudes = 0;
    for (const float value : values)
        magnitudes += std::fabs(double{value});
    test.trial(describe(trial) + what, [&] {
        try_sum(test, values, trial.work_group_size, trial.finish,
                summation_bound(trial.n, magnitudes));
    });
}

/// Every length, and nothing without the kernels.
void check_every_length(Case& test, Finish finish) {
    for (const std::size_t n : lengths_around(256, 70000))
        check_sum(test, {n, 16, finish});
    const Trial trial{5000, 16, finish};
    const std::vector<float> values = whole_numbers(test.random(), trial.n);
    test.trial(describe(trial), [&] {
        const Run run = try_sum(test, values, trial.work_group_size, finish);
        test.require_kernels(program, run, sizeof(float), "direct_sum", values,
                             trial.work_group_size, finish);
    });
}

/// A sum as on a device with so many compute units, of the other type if `other_type`. With one unit,
/// there are several rounds.
void check_with_units(Case& test, std::size_t units, const Trial& trial, bool other_type) {
    wire::Limits device;
    device.other_type = other_type;
    device.compute_units = units;
    test.set_limits(device);
    const bool is_cpu = (test.device().type == wire::DeviceType::cpu) != other_type;
    test.trial(describe(trial) + ", as on a " + (is_cpu ? "CPU" : "GPU") + " with " +
                   count_of(units, "compute unit"),
               [&] {
                   try_sum(test, whole_numbers(test.random(), trial.n), trial.work_group_size,
                           trial.finish);
               });
    test.set_limits({});
}

/// Sums in several rounds, with the elements arranged in chunks as on a CPU, and as on a GPU.
void check_arrangements(Case& test) {
    for (const bool other_type : {false, true}) {
        for (const std::size_t n : {1000, 40003, 200003})
            check_with_units(test, 1, {n, 64, Finish::host}, other_type);
    }
}

/// A sum as on a processor with one compute unit, which has 256 work-items.
void check_on_small_processor(Case& test, const Trial& trial) {
    check_with_units(test, 1, trial, test.device().type == wire::DeviceType::gpu);
}

/// Tickets with `tiles` full tiles for the groups of a small processor, and some more elements.
void check_tiles(Case& test, std::size_t tiles, std::size_t size) {
    check_on_small_processor(test, {tiles * 16 * size + 77, size, Finish::tickets});
}

/// For the analysis: small groups, which it tries in many schedules, and some large ones.
void check_small(Case& test) {
    check_sum(test, {195, 2, Finish::host}); // the same kernel as Finish::kernels
    for (const Finish finish : finishes_with_kernels) {
        for (const SmallTrial& trial : {SmallTrial{1, 2}, {195, 2}, {303, 8}})
            check_sum(test, {trial.n, trial.work_group_size, finish});
        // A kernel may behave differently with other numbers or in larger groups.
        const Trial many{1000, 16, finish};
        check_rounding_sum(test, many, floats_of_all_kinds(test.random(), many.n),
                           ", floats of all kinds");
    }
    check_sum(test, {2100, 32, Finish::last_group});
    check_on_small_processor(test, {9877, 64, Finish::host}); // in two rounds
    check_tiles(test, 7, 128);
    check_tiles(test, 9, 64);
    check_with_units(test, 8, {9637, 2, Finish::last_group},
                     test.device().type == wire::DeviceType::gpu); // 301 groups
    // 0 can be the sum of a group; it does not mean that the group has none yet.
    for (const Finish finish : atomic_finishes)
        check_rounding_sum(test, {195, 2, finish}, std::vector<float>(195), ", all 0");
    const Trial exchanges{195, 2, Finish::compare_exchange};
    // A total that another group has changed need not be larger.
    std::vector<float> negative = whole_numbers(test.random(), exchanges.n);
    std::ranges::transform(negative, negative.begin(), std::negate<>());
    test.trial(describe(exchanges) + ", all below 0",
               [&] { try_sum(test, negative, exchanges.work_group_size, exchanges.finish); });
    // A change of the total can be too small for an int, or for half of the bits.
    std::vector<float> beside_large(exchanges.n, 0x1p-7F);
    beside_large.front() = 0x1p15F;
    test.trial(describe(exchanges) + ", one element of 2^15 and all others of 2^-7",
               [&] { try_sum(test, beside_large, exchanges.work_group_size, exchanges.finish); });
    std::vector<float> small(exchanges.n, 0x1p-20F);
    small.back() = 1; // a total that has hardly changed has changed
    test.trial(describe(exchanges) + ", one element of 1 and all others of 2^-20",
               [&] { try_sum(test, small, exchanges.work_group_size, exchanges.finish); });
    // More groups than a limited number of tries, or a count in a few bits, can get by with.
    for (const Finish finish : atomic_finishes)
        check_sum(test, {1300, 2, finish});
    wire::Limits many_groups;
    many_groups.compute_units = 16;
    const wire::Limits before = test.set_limits(many_groups);
    check_sum(test, {17600, 1, Finish::compare_exchange}); // in 1100 groups
    test.set_limits(before);
    // Large groups can have special steps and need more local memory: each size runs with another
    // finish, and the largest one with all of them.
    std::vector<std::size_t> sizes = group_sizes(test, program, "sum_groups", sizeof(float));
    std::erase_if(sizes, [](std::size_t size) { return size <= 32 || size > 1024; });
    std::size_t turn = 0;
    for (const std::size_t size : sizes) {
        const Finish next = all_finishes[turn++ % all_finishes.size()];
        for (const Finish finish : all_finishes) {
            if (finish == next || size == sizes.back())
                check_sum(test, {2 * size + 1, size, finish});
        }
    }
}

/// What is wrong with how a launch adds the sums of the groups, or "".
std::string wrong_finish(const wire::WorkCounts& work, Finish finish) {
    const std::string groups = std::to_string(work.groups) + " groups";
    if (finish == Finish::last_group && work.groups_with_atomics == 0)
        return "no group has an atomic operation on global memory, so no group can know that it is "
               "the last one to end: groups run in any order";
    if (kernel_of(finish).has_atomics && work.groups_with_atomics == 0)
        return "no group has an atomic operation on global memory, but groups run at the same "
               "time: two groups can read a number before either of them writes it";
    if (kernel_of(finish).has_atomics && work.groups_with_atomics < work.groups)
        return "only " + std::to_string(work.groups_with_atomics) + " of " + groups +
               " have an atomic operation on global memory";
    const std::size_t results = work.groups * sizeof(float);
    const bool keeps_results = work.groups > 4 && work.global_bytes_changed >= results;
    const bool has_lock = work.global_bytes_changed > sizeof(float); // beside the total
    if (finish == Finish::lock && (!has_lock || keeps_results))
        return "each group must change the total while it holds the lock";
    if (finish == Finish::compare_exchange && work.global_stores >= work.groups)
        return "each group must change the total with a compare-and-swap, but there are " +
               std::to_string(work.global_stores) + " ordinary stores to global memory";
    if (has_last_group(finish) && work.global_bytes_changed < results)
        return "each group must write its result, but the " + groups + " change only " +
               std::to_string(work.global_bytes_changed) + " different bytes of global memory";
    // Beside the results, the total and two counters change; the last group may keep its result.
    if (finish == Finish::tickets && (work.global_atomics <= work.groups ||
                                      work.global_bytes_changed < results + 2 * sizeof(float)))
        return "no group takes a ticket for its next tile: only one counter changes, done";
    return {};
}

/// What is wrong with how a launch shares `n` elements, or "".
std::string unshared(const wire::WorkCounts& work, std::size_t n) {
    if (work.additions < n / 2)
        return "the kernel does not do most of the additions: it does " +
               std::to_string(work.additions) + " for " + std::to_string(n) + " elements";
    if (2 * work.global_loads * lanes > 3 * n) {
        const std::string loads = "there are " + std::to_string(work.global_loads) + " loads for " +
                                  std::to_string(n) + " elements";
        return work.global_bytes_loaded < work.global_loads * lanes * sizeof(float) / 2
                   ? "the data is not loaded as float4: " + loads
                   : loads + ", but " + std::to_string(n / lanes) + " loads of a float4 are enough";
    }
    if (work.barriers < work.groups)
        return "a group has no barrier, so its work-items do not add up together";
    return {};
}

/// The work of the first launch for `finish`, or nothing. Ends the case with a failure if few
/// work-items of a group add up its elements.
std::optional<wire::WorkCounts> work_of(Case& test, const Trial& trial) {
    const std::string kernel = kernel_of(trial.finish).kernel;
    const auto work = test.count_work([&] { check_sum(test, trial); },
                                      {{kernel, "global_bytes_loaded", trial.n * sizeof(float)}});
    const auto first =
        std::ranges::find_if(work, [&](const auto& one) { return one.kernel == kernel; });
    if (first == work.end())
        return std::nullopt; // another case says so
    const std::size_t elements = trial.n / std::max<std::size_t>(first->work_items, 1) + 1;
    check_span(test, program, *first, span_of_tree(trial.work_group_size, elements));
    return *first;
}

/// Ends the case with a failure unless the work-items share the work, in whole rounds.
void check_shared(Case& test, Finish finish, std::size_t size) {
    const Trial trial{std::size_t{5} * 16 * size, size, finish};
    const auto work = work_of(test, trial);
    if (!work)
        return;
    for (const std::string& wrong : {unshared(*work, trial.n), wrong_finish(*work, finish)}) {
        if (!wrong.empty())
            test.fail(program, {wrong, {show_work(*work)}, work->kernel});
    }
    check_loads(test, program, {*work}, {trial.n * sizeof(float), lanes * sizeof(float), size});
    if (has_last_group(finish))
        test.remark(show_work(*work));
}

/// Ends the case with a failure unless tickets decide which group takes a tile. Groups run one after another
/// where work is counted, so the first one must take all tiles that are not the first of another group: with
/// up to four tiles for each ticket, that is at least half of them.
void check_tickets_are_used(Case& test, std::size_t size) {
    constexpr std::size_t tiles = 24;
    constexpr std::size_t most_groups = 4;
    const Trial trial{tiles * 16 * size, size, Finish::tickets};
    const auto work = test.count_work([&] { check_sum(test, trial); });
    if (work.empty() || work.front().groups > most_groups)
        return;
    const std::size_t bytes = trial.n * sizeof(float);
    const wire::WorkCounts& counts = work.front();
    if (2 * counts.busiest_group_bytes < bytes)
        test.fail(
            program,
            {"tickets do not decide which group takes a tile",
             {"here, the first group runs alone at first, so it must take every tile except the "
              "first tile of each other group. But no group loads more than " +
                  std::to_string(counts.busiest_group_bytes) + " of the " + std::to_string(bytes) +
                  " bytes",
              show_work(counts)},
             counts.kernel});
}

/// Ends the case with a failure unless work-items and groups share the work, for all ways to finish.
void check_all_shared(Case& test) {
    wire::Limits few_groups;
    few_groups.compute_units = 16;
    wire::Limits fewer_groups_than_tiles; // so that groups take tickets
    fewer_groups_than_tiles.compute_units = 2;
    fewer_groups_than_tiles.other_type = test.device().type == wire::DeviceType::gpu;
    // In small groups one work-item can add as fast as all of them.
    const std::size_t size = group_size_up_to(test, program, "sum_groups", sizeof(float), 128);
    for (const Finish finish : finishes_with_kernels) {
        test.set_limits(finish == Finish::tickets ? fewer_groups_than_tiles : few_groups);
        check_shared(test, finish, size);
        // Almost as much as a round takes is left at the end.
        work_of(test, {std::size_t{3} * 16 * size - 1, size, finish});
        if (finish == Finish::tickets)
            check_tickets_are_used(test, size);
    }
}

/// Where the number of groups stops growing with the input.
struct GroupLimit {
    std::size_t n;
    std::size_t groups_of_half; ///< for n / 2 elements
    std::size_t groups;         ///< for n elements

    bool is_reached() const { return groups == groups_of_half; }
};

/// The limit for inputs of up to `most` elements.
GroupLimit find_limit(Case& test, Finish finish, std::size_t most) {
    const auto groups_for = [&](std::size_t n) {
        return groups_of(check_sum(test, {n, 64, finish}));
    };
    std::size_t n = std::size_t{1} << 15;
    std::size_t before = groups_for(n / 2);
    std::size_t groups = groups_for(n);
    while ((groups != before || groups < 2) && 2 * n <= most) {
        n *= 2;
        before = std::exchange(groups, groups_for(n));
    }
    return {n, before, groups};
}

/// The most work-items for a compute unit: four times as many as it runs at once on an H100, and more
/// than any device needs to be busy.
constexpr std::size_t most_work_items = 8192;

/// A short input has fewer groups than the device has room for.
void check_groups_of_short_input(Case& test) {
    constexpr std::size_t enough_groups = 5;
    // One element more would be enough for another group.
    const Trial trial{(enough_groups + 1) * 16 * 64 - 1, 64, Finish::host};
    test.trial(describe(trial), [&] {
        const std::size_t groups = groups_of(try_sum(test, whole_numbers(test.random(), trial.n),
                                                     trial.work_group_size, trial.finish));
        if (groups > enough_groups)
            fail_launch(test,
                        "there are " + std::to_string(groups) +
                            " groups, but each work-item must have at least 16 elements, so " +
                            std::to_string(enough_groups) +
                            " groups are enough: n / (16 * work-group size), rounded down");
    });
}

/// A group can be larger than what one compute unit runs at once.
constexpr const char* divide_last =
    ": multiply the compute units by the work-items of each before you divide by the work-group "
    "size, because an integer division rounds down";

/// The groups for `trial` on a device with so many compute units. There must be several.
void check_groups(Case& test, const Trial& trial, unsigned units,
                  const std::function<std::string(std::size_t groups)>& wrong) {
    test.trial(describe(trial) + ", " + std::to_string(units) + " compute units", [&] {
        const std::size_t groups = groups_of(try_sum(test, whole_numbers(test.random(), trial.n),
                                                     trial.work_group_size, trial.finish));
        if (groups < 2)
            fail_launch(test, "one group leaves all other compute units idle" +
                                  (trial.work_group_size <= 64 ? std::string() : divide_last));
        if (const std::string other = wrong(groups); !other.empty())
            fail_launch(test, "there are " + std::to_string(groups) + " groups " + other +
                                  ": the number of groups must follow from the device");
        if (groups * trial.work_group_size > units * most_work_items)
            fail_launch(test, "there are " + std::to_string(groups) + " groups of " +
                                  std::to_string(trial.work_group_size) + " for " +
                                  std::to_string(units) +
                                  " compute units: divide the number of work-items for all of "
                                  "them by the work-group size");
    });
}

/// More compute units have more groups, and from some length on, longer inputs do not.
void check_groups_of_device(Case& test) {
    wire::Limits device;
    device.compute_units = 2; // so that shorter inputs already count as long
    test.set_limits(device);
    check_groups_of_short_input(test);
    // At the latest, the limit is reached when each of 256 compute units of a processor, or 341 of a
    // GPU, has as much as labs/tuning.hpp says.
    const std::size_t enough = std::size_t{1}
                               << (test.device().type == wire::DeviceType::gpu ? 25 : 21);
    const std::size_t most = test.affordable(enough);
    const GroupLimit limit = find_limit(test, Finish::host, most);
    const GroupLimit with_tickets = find_limit(test, Finish::tickets, most);
    for (const Finish finish : all_finishes) {
        const GroupLimit& own = finish == Finish::tickets ? with_tickets : limit;
        check_groups(test, {own.n, 64, finish}, device.compute_units, [&](std::size_t groups) {
            return groups == own.groups_of_half || !(own.is_reached() || own.n == enough)
                       ? ""
                       : "for this input, and " + std::to_string(own.groups_of_half) +
                             " for one that is half as long";
        });
    }
    device.compute_units = 5 + test.random()() % 11;
    test.set_limits(device);
    for (const auto& [finish, own] :
         {std::pair{Finish::host, limit}, std::pair{Finish::tickets, with_tickets}}) {
        if (!own.is_reached())
            continue;
        const Trial trial{std::min(4 * own.n, most), 64, finish};
        check_groups(test, trial, device.compute_units,
                     [&, &limit_of_two = own](std::size_t groups) {
                         return groups > limit_of_two.groups
                                    ? ""
                                    : "on a device with " + std::to_string(device.compute_units) +
                                          " compute units, and " +
                                          std::to_string(limit_of_two.groups) + " on one with 2";
                     });
    }
    device.compute_units = 8;
    test.set_limits(device);
    const std::size_t size = group_size_up_to(test, program, "sum_groups", sizeof(float), 512);
    check_groups(test, {std::size_t{64} * size, size, Finish::host}, device.compute_units,
                 [](std::size_t /*groups*/) { return ""; });
}

void try_example(Case& test, const Trial& trial) {
    test.trial(describe(trial), [&] {
        try_sum(test, digits(test.random(), trial.n), trial.work_group_size, trial.finish);
    });
}

} // namespace

LabInfo grader::describe_lab() {
    return {"lab7",
            "Direct reduction",
            {{kernel_file,
              {"sum_groups", "sum_with_lock", "sum_with_compare_exchange", "sum_by_last_group",
               "sum_by_tickets"},
              {program.options}}},
            check_small,
            examples_of(try_example, std::vector<Trial>{{29, 2, Finish::host},
                                                        {64, 2, Finish::host},
                                                        {3, 2, Finish::kernels},
                                                        {70, 2, Finish::lock},
                                                        {70, 2, Finish::compare_exchange},
                                                        {70, 2, Finish::last_group},
                                                        {70, 2, Finish::tickets}})};
}

TEST_CASE(
    "host and kernels: every length" * points(1) *
    hint("The message says which elements are missing, if it can. Which part of sum_of_item adds "
         "those?",
         "sum_groups leaves one float per group. After the full rounds come the remaining float4 "
         "values, then n % 4 elements.",
         "Three parts: full rounds of four float4 values for each work-item; the float4 values "
         "from the end of the rounds to n / 4; and, only in work-item 0 of group 0, the elements "
         "from n / 4 * 4 to n. For Finish::kernels launch sum_groups again, in one group, over the "
         "results.")) {
    Case test;
    check_every_length(test, Finish::host);
    check_every_length(test, Finish::kernels);
    check_arrangements(test);
}

TEST_CASE("lock: every length" * points(1) *
          hint("What do lock and total hold before the kernel starts?",
               "The host sets lock and total to 0; work-item 0 of each group adds to the total "
               "between lock() and unlock().",
               "Create both buffers with a 0 in every call. In the kernel: if the local id is 0, "
               "lock(mutex), add sum to *total, unlock(mutex).")) {
    Case test;
    check_every_length(test, Finish::lock);
}

TEST_CASE(
    "compare_exchange: every length" * points(2) *
    hint("What if another group changes the total between your read and your write?",
         "atomic_cmpxchg returns the old value. Your addition succeeded only if that is the value "
         "from which you computed the new total. If not, try again with the current value.",
         "Treat the total as a uint. In a loop: assumed = seen; seen = atomic_cmpxchg(bits, "
         "assumed, the bits of assumed + value), until seen equals assumed. Only work-item 0 of "
         "each group calls it.")) {
    Case test;
    check_every_length(test, Finish::compare_exchange);
    // A NaN is not equal to itself as a float, but its bits are.
    std::vector<float> with_nan = whole_numbers(test.random(), 5000);
    with_nan[50] = std::numeric_limits<float>::quiet_NaN();
    const Trial trial{with_nan.size(), 16, Finish::compare_exchange};
    test.trial(describe(trial) + ", element 50 is a NaN",
               [&] { try_sum(test, with_nan, trial.work_group_size, trial.finish); });
}

TEST_CASE("last_group: every length" * points(1) *
          hint("How does a group know that all others have written their results?",
               "The counter is 0 before each launch. atomic_inc returns the old value, so the last "
               "group gets the number of groups minus 1. It adds up all results.",
               "Work-item 0 writes results[group], calls mem_fence(), and increments the counter. "
               "Then it writes to local memory whether its group is the last one, and a barrier "
               "follows. In the last group, each work-item adds up results from lid on in steps of "
               "the group's size, and sum_of_group() adds up these sums.")) {
    Case test;
    check_every_length(test, Finish::last_group);
}

TEST_CASE(
    "tickets: every length" * points(1) *
    hint("Which tile does a group take after its first one?",
         "Group g begins with tile g. Each later tile is get_num_groups(0) plus what "
         "atomic_inc(tickets) returns, and a group goes on while its tile begins below n / 4.",
         "Work-item 0 takes the ticket and writes it to local memory; a barrier follows, and then "
         "all work-items read it. If you use the two elements of `next` in turn, one barrier per "
         "tile is enough.")) {
    Case test;
    check_every_length(test, Finish::tickets);
    check_tiles(test, 7, 128);
    check_tiles(test, 40, 128);
}

TEST_CASE("every work-group size" * points(1) *
          hint("Do some work-group sizes work? Then look for a number in your code that is "
               "one of those sizes.",
               "Compute the number of groups and the local memory from work_group_size. Do not "
               "hard-code numbers of your own machine.",
               "Rounds, tile, distance, step and stride all follow from the number of groups and "
               "work_group_size. The local memory is one float for each work-item. There is at "
               "least one group.")) {
    Case test;
    // All finishes share what depends on the size, so one of them tries every size.
    for (const Finish finish : all_finishes) {
        std::vector<std::size_t> sizes =
            group_sizes(test, program, kernel_of(finish).kernel, sizeof(float));
        if (finish != Finish::last_group && sizes.size() > 2)
            sizes = {sizes.front(), sizes.back()};
        for (const std::size_t size : sizes) {
            for (const std::size_t n : {size - 1, 3 * size + 1, std::size_t{40003}})
                check_sum(test, {n, size, finish});
        }
    }
}

TEST_CASE(
    "millions of elements and floats that round" * points(1) *
    hint("Short inputs of whole numbers pass. What is different with long inputs and with "
         "fractions?",
         "All sums are floats. The number of elements and their indices do not fit into 16 bits.",
         "Use uint for indices in the kernel and std::size_t on the host, with a cast to cl_uint "
         "only in setArg. Accumulators are float4, their sum is a float.")) {
    Case test;
    check_sum(test, {test.affordable((std::size_t{1} << 24) + 1), 128, Finish::last_group});
    check_sum(test, {test.affordable((std::size_t{1} << 22) + 1), 128, Finish::tickets});
    for (const Finish finish : all_finishes) {
        check_sum(test, {(std::size_t{1} << 18) - 1, 64, finish});
        for (const std::size_t n : {1, 2, 1000, 300007})
            check_rounding_sum(test, {n, 128, finish}, random_floats(test.random(), n),
                               ", floats that round");
    }
}

TEST_CASE("the number of groups follows from the device" * points(1) *
          hint("How many groups does your host launch for twice the elements?",
               "Query CL_DEVICE_MAX_COMPUTE_UNITS: labs/tuning.hpp says how many work-items each "
               "compute unit takes. Longer inputs give each work-item more to do.",
               "The number of groups is the smaller of two: compute units times "
               "work_items_per_compute_unit divided by the work-group size, and the groups that "
               "have 16 elements for each work-item. It is at least 1.")) {
    Case test;
    check_groups_of_device(test);
}

TEST_CASE("the work is shared" * points(1) *
          hint("Compare the loads and additions of the busiest work-item with those of its group.",
               "Each work-item loads as many float4 values as the others, the group adds up in "
               "local memory, and one work-item of each group does the atomic operation.",
               "Call sum_of_item() in every work-item, then sum_of_group() once, and only after "
               "that if (lid == 0) and the lock, the compare-and-swap or the counter. The "
               "remaining float4 values are shared, too.")) {
    Case test;
    check_all_shared(test);
}

TEST_CASE(
    "locks and fences" * points(1) * reports(findings::locks) *
    hint("Which write must be visible before the group counts itself?",
         "Retry a compare-and-swap until it succeeds. A group writes its result, then calls "
         "mem_fence(CLK_GLOBAL_MEM_FENCE), then counts itself with an atomic operation.",
         "One work-item does it all in this order: write the result, fence, atomic_inc, fence. The "
         "second fence is for the last group, which then reads the results of the others.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE(
    "no data race" * points(1) * reports(findings::races) *
    hint("Which memory do several groups use at the lines that the message names?",
         "Groups share only the total, the counter and the results. Protect them with the lock, "
         "atomic operations, or a fence before a group counts itself and one after that.",
         "Within the group, the other work-items learn from local memory whether theirs is the "
         "last group: write that in work-item 0, then a barrier with both flags, then read.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE(
    "barriers reached by all" * points(1) * reports(findings::barriers) *
    hint("Which work-items skip the barrier that the message names?",
         "Every work-item of the group must reach every barrier. All work-items of a group must "
         "know whether it is the last one.",
         "sum_of_group() contains barriers: call it outside any if (lid == 0). Share is_last in "
         "local memory with a barrier after it, so that all of the group take the same branch.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE(
    "inside its buffers" * points(1) * reports(findings::bounds) *
    hint("Compute the largest index of the last round.",
         "Each round reads four float4 values per work-item: the last round must end within the "
         "data. The remaining float4 values end at n / 4, the last elements at n.",
         "The number of full rounds is n / (16 * work-items), rounded down. Compare each further "
         "index with n / 4 before you read a float4; the last n % 4 are floats, not a float4.")) {
    Case test;
    test.require_no_findings();
}

TEST_CASE("time: no slower than a tree" * points(1) *
          hint("Which elements do neighboring work-items read at the same time?",
               "On a CPU, each work-item reads neighboring float4 values. On a GPU, neighboring "
               "work-items do. See `chunks` in labs/tuning.hpp.",
               "With chunks, distance is 4 * rounds and stride is 1; without, distance is 1 and "
               "stride is 4 * work-items. Four accumulators that do not wait for each other hide "
               "the time of an addition.")) {
    Case test;
    const reductions::Lab under_test{
        kernel_file, "", lanes,
        [](Case& a_case, const Program& /*program*/, reductions::Operator /*op*/,
           const std::vector<float>& values, std::size_t work_group_size) {
            return try_sum(a_case, values, work_group_size, Finish::last_group).value<float>();
        }};
    reductions::check_time(
        test, under_test, kernel_of(Finish::last_group).kernel, vector_bound,
        [&](const SpeedLimit& limit, const std::vector<float>& values, std::size_t size) {
            test.time(program, limit, "direct_sum", values, size, Finish::last_group);
        });
}
