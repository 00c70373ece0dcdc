#include "scans.hpp"

#include "element_counts.hpp"
#include "grader/explain.hpp"
#include "hosts.hpp"
#include "launch_words.hpp"
#include "look_back.hpp"
#include "trials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

namespace scans {
namespace {

using grader::Failure;

constexpr const char* all_zero = "this is 0 everywhere";

/// The scan of `values` in double precision.
std::vector<double> reference(Kind kind, const std::vector<float>& values) {
    std::vector<double> result(values.size());
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double before = sum;
        sum += double{values[i]};
        result[i] = kind == Kind::inclusive ? sum : before;
    }
    return result;
}

/// The first index from `begin` on at which `got` differs from `expected(i)`; got.size() if there
/// is none.
template <class Expected> std::size_t
first_difference(std::span<const float> got, const Expected& expected, std::size_t begin = 0) {
    std::size_t i = begin;
    while (i < got.size() && double{got[i]} == expected(i))
        ++i;
    return i;
}

/// The elements of a group, with 0 beyond the end of the data.
using Group = std::vector<double>;

/// A scan on several levels with one mistake in it.
struct Variant {
    std::string mistake;
    /// Scans the elements of a group and returns what is stored as their sum; if not set, rightly.
    std::function<double(Group&)> scan_group = {};
    /// The sum of a group, from its elements and their scan; if not set, that of scan_group.
    std::function<double(const Group& elements, const Group& scanned)> sum = {};
    bool sums_are_inclusive = false; ///< an offset has the sum of its own group, too
    std::function<bool(std::size_t i)> is_adjusted = {}; ///< whether element i gets its offset
    bool adds_to_values = false;                         ///< what is scanned is not replaced
    bool spares_first_group = false;                     ///< it is scanned rightly on each level
};

/// Groups that are scanned each by itself, and their sums.
struct ScannedGroups {
    std::vector<double> result;
    std::vector<double> sums;
};

ScannedGroups scan_each(const Variant& variant, Kind kind, std::size_t per_group,
                        const std::vector<double>& values) {
    ScannedGroups all{std::vector<double>(values.size()), {}};
    for (std::size_t begin = 0; begin < values.size(); begin += per_group) {
        const std::size_t count = std::min(per_group, values.size() - begin);
        const auto first = static_cast<std::ptrdiff_t>(begin);
        Group elements(per_group);
        std::copy_n(values.begin() + first, count, elements.begin());
        Group scanned(per_group);
        double sum = 0;
        for (std::size_t i = 0; i < per_group; ++i) {
            scanned[i] = kind == Kind::inclusive ? sum + elements[i] : sum;
            sum += elements[i];
        }
        if (variant.scan_group && (begin != 0 || !variant.spares_first_group)) {
            scanned = elements;
            sum = variant.scan_group(scanned);
        }
        std::copy_n(scanned.begin(), count, all.result.begin() + first);
        for (std::size_t i = 0; variant.adds_to_values && i < count; ++i)
            all.result[begin + i] += elements[i];
        all.sums.push_back(variant.sum ? variant.sum(elements, scanned) : sum);
    }
    return all;
}

/// What a scan in groups of `per_group` elements computes with that mistake. `levels`: it scans the
/// group sums in groups, too.
std::vector<double> scan_with(const Variant& variant, Kind kind, std::size_t per_group, bool levels,
                              const std::vector<double>& values) {
    const std::size_t n = values.size();
    auto [result, sums] = scan_each(variant, kind, per_group, values);
    if (sums.size() == 1)
        return result;
    const std::vector<double> scanned =
        scan_with(variant, kind, levels ? per_group : sums.size(), levels, sums);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t group = i / per_group;
        double offset = scanned[group];
        if (kind == Kind::inclusive && !variant.sums_are_inclusive)
            offset = group == 0 ? 0 : scanned[group - 1];
        if (kind == Kind::exclusive && variant.sums_are_inclusive)
            offset += sums[group];
        if (!variant.is_adjusted || variant.is_adjusted(i))
            result[i] += offset;
    }
    return result;
}

/// A step of Hillis and Steele's scan, with `left(lid)` instead of the right element to add; -1 for
/// none.
template <class Left> void add_left(Group& group, const Left& left) {
    const Group before = group;
    for (std::size_t lid = 0; lid < group.size(); ++lid) {
        const std::ptrdiff_t from = left(lid);
        group[lid] += from < 0 ? 0 : before[static_cast<std::size_t>(from)];
    }
}

/// The scan of Hillis and Steele from the distance `first` to below `end`, with `left(lid, distance)`
/// as in add_left(). Returns its last element, the sum of the group.
template <class Next, class Left> double scan_by_steps(Group& group, std::size_t first,
                                                       std::size_t end, const Next& next,
                                                       const Left& left) {
    for (std::size_t distance = first; distance < end; distance = next(distance))
        add_left(group, [&](std::size_t lid) { return left(lid, distance); });
    return group.back();
}

std::size_t twice(std::size_t distance) { return 2 * distance; }

std::ptrdiff_t left_of(std::size_t lid, std::size_t distance) {
    return lid >= distance ? static_cast<std::ptrdiff_t>(lid - distance) : -1;
}

/// The scan if work-items below the distance add element 0.
double scan_adding_first(Group& group) {
    return scan_by_steps(group, 1, group.size(), twice, [](std::size_t lid, std::size_t distance) {
        return static_cast<std::ptrdiff_t>(lid - std::min(lid, distance));
    });
}

/// The scan if each step adds an element of the data.
double scan_adding_data(Group& group) {
    const Group data = group;
    for (std::size_t distance = 1; distance < group.size(); distance *= 2) {
        for (std::size_t lid = distance; lid < group.size(); ++lid)
            group[lid] += data[lid - distance];
    }
    return group.back();
}

/// The scan if each step adds to what was loaded. `resets_others`: those that add nothing get that, too.
double scan_adding_to_data(Group& group, bool resets_others) {
    const Group data = group;
    for (std::size_t distance = 1; distance < group.size(); distance *= 2) {
        for (std::size_t lid = group.size(); lid-- > distance;)
            group[lid] = data[lid] + group[lid - distance];
        if (resets_others)
            std::copy_n(data.begin(), distance, group.begin());
    }
    return group.back();
}

/// The scan with two arrays if only work-items that add write to the other one, which holds the data or
/// zeros at first.
double scan_without_copies(Group& group, bool begins_with_data) {
    Group other(group.size());
    if (begins_with_data)
        other = group;
    for (std::size_t distance = 1; distance < group.size(); distance *= 2) {
        for (std::size_t lid = distance; lid < group.size(); ++lid)
            other[lid] = group[lid] + group[lid - distance];
        std::swap(group, other);
    }
    return group.back();
}

constexpr const char* does_not_copy =
    "in each step, a work-item whose local id is smaller than the distance leaves an older value "
    "in the other array: it must copy its element there";

/// With two arrays, a result from the wrong one is the same.
constexpr const char* own_sum =
    "every group also adds its own sum: the offset of group g is the sum of the groups "
    "before g";
constexpr const char* each_step_replaces = "each step replaces the element; it must add to it";
constexpr const char* lacks_last_step = "the last step, of half the group, is missing";

/// Typical mistakes in the steps of lab 4.
std::vector<Variant> mistakes_in_steps() {
    const auto leaves_out_one = [](Group& group) {
        return scan_by_steps(group, 1, group.size(), twice,
                             [](std::size_t lid, std::size_t distance) {
                                 return lid > distance ? left_of(lid, distance) : -1;
                             });
    };
    const auto adds_neighbor = [](Group& group) {
        return scan_by_steps(group, 1, group.size(), twice,
                             [](std::size_t lid, std::size_t distance) {
                                 return lid >= distance ? left_of(lid, 1) : -1;
                             });
    };
    const auto adds_right = [](Group& group) {
        const std::size_t size = group.size();
        return scan_by_steps(group, 1, size, twice, [=](std::size_t lid, std::size_t distance) {
            return lid + distance < size ? static_cast<std::ptrdiff_t>(lid + distance) : -1;
        });
    };
    const auto replaces = [](Group& group) {
        for (std::size_t distance = 1; distance < group.size(); distance *= 2) {
            std::copy_backward(group.begin(), group.end() - static_cast<std::ptrdiff_t>(distance),
                               group.end());
            std::fill_n(group.begin(), distance, 0.0);
        }
        return group.back();
    };
    const auto steps = [](std::size_t first, std::size_t size, const auto& next) {
        return [=](Group& group) {
            const std::size_t begin = first == 0 ? group.size() / 2 : first;
            return scan_by_steps(group, begin, group.size() / size, next, left_of);
        };
    };
    const char* const adds_to_loaded =
        "each step adds to the element that was loaded; it must add to "
        "the sum of the step before";
    return {
        {does_not_copy, [](Group& group) { return scan_without_copies(group, false); }},
        {does_not_copy, [](Group& group) { return scan_without_copies(group, true); }},
        {"in each step, the work-item whose local id is the distance adds nothing: it must add "
         "element 0, so compare with >=, not with >",
         leaves_out_one},
        {"each step adds the neighbor on the left; it must add the element that is `distance` to "
         "the left",
         adds_neighbor},
        {"each work-item adds an element to its right: use lid - distance, not lid + distance",
         adds_right},
        {"a work-item whose local id is smaller than the distance adds element 0 of its group: it "
         "must add nothing",
         scan_adding_first},
        {each_step_replaces, replaces},
        {"each step adds an element of the data, not a sum of the step before: it must write its "
         "sum to local memory, where the next step reads it",
         scan_adding_data},
        {adds_to_loaded, [](Group& group) { return scan_adding_to_data(group, false); }},
        {adds_to_loaded, [](Group& group) { return scan_adding_to_data(group, true); }},
        {"the first step, of distance 1, is missing", steps(2, 1, twice)},
        {lacks_last_step, steps(1, 2, twice)},
        {"the sum of each group is right, but the result is not: with two arrays, it must be taken "
         "from the array that the last step has written",
         [](Group& group) {
             const double sum = std::accumulate(group.begin(), group.end(), 0.0);
             scan_by_steps(group, 1, group.size() / 2, twice, left_of);
             return sum;
         }},
        {"only the last step has an effect: each step must read what the step before it has "
         "written, so with two arrays, swap them after each step",
         steps(0, 1, twice)},
        {"the distance grows by 1 from step to step; it must double",
         steps(1, 1, [](std::size_t distance) { return distance + 1; })},
    };
}

/// Moves each element of an inclusive scan one place to the right.
void make_exclusive(Group& group) {
    std::rotate(group.begin(), group.end() - 1, group.end());
    group.front() = 0;
}

constexpr const char* is_exclusive = "this is the exclusive scan: element i must include data[i]";

/// Each group of lab 4 is scanned exclusively.
std::vector<Variant> mistakes_in_kind() {
    return {{is_exclusive,
             [](Group& group) {
                 std::partial_sum(group.begin(), group.end(), group.begin());
                 const double sum = group.back();
                 make_exclusive(group);
                 return sum;
             }},
            {is_exclusive, [](Group& group) {
                 std::partial_sum(group.begin(), group.end(), group.begin());
                 make_exclusive(group);
                 return group.back();
             }}};
}

/// The indices of a node's children.
struct Children {
    std::size_t left = 0;
    std::size_t right = 0;
};
using ChildrenOf = Children (*)(std::size_t distance, std::size_t lid);

Children children_of(std::size_t distance, std::size_t lid) {
    return {distance * (2 * lid + 1) - 1, distance * (2 * lid + 2) - 1};
}
Children exchanged(std::size_t distance, std::size_t lid) {
    return {children_of(distance, lid).right, children_of(distance, lid).left};
}
Children from_zero(std::size_t distance, std::size_t lid) {
    return {distance * (2 * lid), distance * (2 * lid + 1)};
}
Children beside(std::size_t distance, std::size_t lid) {
    const std::size_t right = children_of(distance, lid).right;
    return {right - 1, right};
}
Children next_to(std::size_t distance, std::size_t lid) {
    const std::size_t left = children_of(distance, lid).left;
    return {left, left + 1};
}
Children without_distance(std::size_t /*distance*/, std::size_t lid) {
    return {2 * lid, 2 * lid + 1};
}
Children left_too_far(std::size_t distance, std::size_t lid) {
    const Children right = children_of(distance, lid);
    return {right.left + 1, right.right};
}
Children right_too_far(std::size_t distance, std::size_t lid) {
    const Children right = children_of(distance, lid);
    return {right.left, right.right + 1};
}

/// What a sweep does with the values of two children.
using Change = void (*)(double& left, double& right);

void add_to_right(double& left, double& right) { right += left; }
void pass_down(double& left, double& right) {
    const double sum = left;
    left = right;
    right += sum;
}

/// Blelloch's scan, as it should be.
struct Sweeps {
    ChildrenOf up = children_of;
    ChildrenOf down = children_of;
    Change add = add_to_right;
    Change pass = pass_down;
    std::size_t up_begin = 1;    ///< the part of the work-items that are nodes in its first step
    std::size_t up_end = 1;      ///< its last step has this many nodes
    std::size_t up_distance = 1; ///< in its first step
    std::size_t down_begin = 1;  ///< the nodes of its first step
    std::size_t down_part = 2;   ///< the part of the group that is the distance of its first step
    std::size_t down_end = 1;    ///< the part of the work-items that are nodes in its last step
    /// Which element is saved as the sum of the group.
    std::size_t (*saved)(std::size_t count) = [](std::size_t count) { return count - 1; };
    /// Which element becomes 0 between the sweeps; `count` for none.
    std::size_t (*cleared)(std::size_t count) = [](std::size_t count) { return count - 1; };
    bool clears_first = false; ///< before the up-sweep, not after it
    bool clears_often = false; ///< before each step of the down-sweep, too
};

/// Scans as `sweeps` say and returns the root, the sum of the group.
double scan_by_sweeps(const Sweeps& sweeps, Group& group) {
    const std::size_t count = group.size();
    const auto step = [&](std::size_t nodes, std::size_t distance, ChildrenOf children,
                          Change change) {
        for (std::size_t lid = 0; lid < nodes && distance != 0; ++lid) {
            const Children at = children(distance, lid);
            if (at.left < count && at.right < count)
                change(group[at.left], group[at.right]);
        }
    };
    const auto clear = [&](bool applies) {
        if (applies && sweeps.cleared(count) < count)
            group[sweeps.cleared(count)] = 0;
    };
    clear(sweeps.clears_first);
    std::size_t distance = sweeps.up_distance;
    for (std::size_t nodes = count / 2 / sweeps.up_begin; nodes >= sweeps.up_end; nodes /= 2) {
        step(nodes, distance, sweeps.up, sweeps.add);
        distance *= 2;
    }
    const double root = group[sweeps.saved(count)];
    clear(!sweeps.clears_first);
    distance = count / sweeps.down_part;
    for (std::size_t nodes = sweeps.down_begin; nodes <= count / 2 / sweeps.down_end; nodes *= 2) {
        clear(sweeps.clears_often);
        step(nodes, distance, sweeps.down, sweeps.pass);
        distance /= 2;
    }
    return root;
}

/// A scan that differs from Blelloch's as `change` makes it.
template <class Edit> Variant by_sweeps(const std::string& mistake, const Edit& edit) {
    Sweeps sweeps;
    edit(sweeps);
    return {mistake, [=](Group& group) { return scan_by_sweeps(sweeps, group); }};
}

constexpr const char* right_indices =
    "left is distance * (2 * lid + 1) - 1, and right is distance * (2 * lid + 2) - 1";

/// Wrong indices in one of the sweeps of lab 5, or in both.
std::vector<Variant> mistakes_in_children() {
    std::vector<Variant> list;
    const auto add = [&](const std::string& text, ChildrenOf children, const std::string& advice) {
        const auto in = [&](const std::string& where) { return text + where + advice; };
        list.push_back(by_sweeps(in("in the up-sweep"), [=](Sweeps& all) { all.up = children; }));
        list.push_back(
            by_sweeps(in("in the down-sweep"), [=](Sweeps& all) { all.down = children; }));
        list.push_back(
            by_sweeps(in("in both sweeps"), [=](Sweeps& all) { all.up = all.down = children; }));
    };
    const std::string indices = std::string(": ") + right_indices;
    add("the left and the right child of a node are swapped ", exchanged, "");
    add("the indices of the children are wrong ", from_zero, indices);
    add("the left child is always the element next to the right one ", beside, indices);
    add("the right child is always the element next to the left one ", next_to, indices);
    add("the indices of the children do not depend on the distance ", without_distance, indices);
    add("the left child is one place too far to the right ", left_too_far, indices);
    add("the right child is one place too far to the right ", right_too_far, indices);
    return list;
}

/// Wrong changes of the children in the sweeps of lab 5.
std::vector<Variant> mistakes_in_nodes() {
    const auto up = [](const std::string& text, Change change) {
        return by_sweeps(text, [=](Sweeps& all) { all.add = change; });
    };
    const auto down = [](const std::string& text, Change change) {
        return by_sweeps(text, [=](Sweeps& all) { all.pass = change; });
    };
    return {
        up("the up-sweep replaces the right child; it must add the left child to it",
           [](double& left, double& right) { right = left; }),
        // Either of them adds the parent, which is 0, so the results are the same.
        down("the down-sweep overwrites the left child before it adds it, or does not add it to "
             "the right child: keep the old left child in a variable",
             [](double& left, double& right) {
                 left = right;
                 right += left;
             }),
        down("in the down-sweep, the left child keeps its value: it must get that of its parent, "
             "which is in the right child",
             [](double& left, double& right) { right += left; }),
        down("the down-sweep adds the parent to the left child; the left child must be replaced by "
             "its parent, which is in the right child",
             [](double& left, double& right) {
                 const double sum = left;
                 left += right;
                 right += sum;
             }),
        down("the down-sweep gives the sum of both children to the left one: it must go to the "
             "right one, and the left child must get the old value of the right one",
             [](double& left, double& right) { left += right; }),
        down("the down-sweep only swaps the two children: the right child must get the sum of both",
             [](double& left, double& right) { std::swap(left, right); }),
    };
}

constexpr const char* lacks_last_step_down =
    "the last step of the down-sweep is missing: it has as many nodes as work-items";
/// The same result, if what its first step does beyond the group has no effect.
constexpr const char* begins_too_far = "the last step of the down-sweep, of distance 1, is "
                                       "missing. If its first distance is that of the "
                                       "whole group, halve it before each step, not after it: the "
                                       "last step of the up-sweep doubles the "
                                       "distance once more. If not, the loop ends too early";

/// Missing steps in the sweeps of lab 5, and steps of a wrong distance.
std::vector<Variant> mistakes_in_order() {
    return {
        by_sweeps("the first step of the up-sweep, of distance 1, is missing",
                  [](Sweeps& all) {
                      all.up_begin = 2;
                      all.up_distance = 2;
                  }),
        by_sweeps("the up-sweep starts with too few nodes: its first step has as many as there are "
                  "work-items",
                  [](Sweeps& all) { all.up_begin = 2; }),
        by_sweeps("the last step of the up-sweep, of one node, is missing",
                  [](Sweeps& all) { all.up_end = 2; }),
        by_sweeps("the first step of the down-sweep, of one node, is missing",
                  [](Sweeps& all) {
                      all.down_begin = 2;
                      all.down_part = 4;
                  }),
        by_sweeps("the down-sweep starts with a distance of a quarter of the group; it must start "
                  "with half",
                  [](Sweeps& all) { all.down_part = 4; }),
        by_sweeps(lacks_last_step_down, [](Sweeps& all) { all.down_end = 2; }),
    };
}

/// The element of lab 5's tree that is at the index `count - 1` of local memory if there is an unused
/// place after each `banks` elements; `count` if none is.
template <std::size_t banks> std::size_t stored_last(std::size_t count) {
    for (std::size_t i = count; i-- > 0;) {
        if (i + i / banks == count - 1)
            return i;
    }
    return count;
}

constexpr const char* lacks_padding =
    "the last element is set to 0 between up-sweep and down-sweep at its index without padding: "
    "use the padded index there, too";

/// The root of lab 5 is not set to 0, or at the wrong place or time.
std::vector<Variant> mistakes_in_root() {
    const auto keeps_root = [](Sweeps& all) {
        all.cleared = [](std::size_t count) { return count; };
    };
    Variant only_first_clears =
        by_sweeps("only the first group sets the last element of its tree to 0 between up-sweep "
                  "and down-sweep: one work-item of each group must, the one whose local id is 0",
                  keeps_root);
    only_first_clears.spares_first_group = true;
    return {
        by_sweeps("the first element of the tree is set to 0 between up-sweep and down-sweep; it "
                  "must be the last one, the root",
                  [](Sweeps& all) { all.cleared = [](std::size_t) { return std::size_t{0}; }; }),
        by_sweeps(
            "the second-to-last element of the tree is set to 0 between up-sweep and down-sweep; "
            "it must be the last one, the root",
            [](Sweeps& all) { all.cleared = [](std::size_t count) { return count - 2; }; }),
        by_sweeps("the last element of the tree is not set to 0 between up-sweep and down-sweep: "
                  "every element includes the sum of its whole group",
                  keeps_root),
        only_first_clears,
        by_sweeps("the last element of the tree is set to 0 before the up-sweep; it must be set to "
                  "0 after it",
                  [](Sweeps& all) { all.clears_first = true; }),
        by_sweeps(
            "the last element of the tree is set to 0 in each step of the down-sweep; it must "
            "be set to 0 once, before the first step",
            [](Sweeps& all) { all.clears_often = true; }),
        by_sweeps("get_local_size(0) - 1 is used as the index of the root; a group has two "
                  "elements for each work-item, so it is 2 * get_local_size(0) - 1",
                  [](Sweeps& all) {
                      all.saved = all.cleared = [](std::size_t count) { return count / 2 - 1; };
                  }),
        by_sweeps(lacks_padding, [](Sweeps& all) { all.cleared = stored_last<16>; }),
        by_sweeps(lacks_padding, [](Sweeps& all) { all.cleared = stored_last<32>; }),
    };
}

/// The two elements of each work-item of lab 5 are loaded from other places than stored to.
std::vector<Variant> mistakes_in_pairs() {
    const auto halves_to_pairs = [](const Group& group) {
        Group pairs(group.size());
        for (std::size_t lid = 0; lid < group.size() / 2; ++lid) {
            pairs[2 * lid] = group[lid];
            pairs[2 * lid + 1] = group[lid + group.size() / 2];
        }
        return pairs;
    };
    const auto pairs_to_halves = [](const Group& group) {
        Group halves(group.size());
        for (std::size_t lid = 0; lid < group.size() / 2; ++lid) {
            halves[lid] = group[2 * lid];
            halves[lid + group.size() / 2] = group[2 * lid + 1];
        }
        return halves;
    };
    const auto stored = [](const auto& moved) {
        return [=](Group& group) {
            const double sum = scan_by_sweeps({}, group);
            group = moved(group);
            return sum;
        };
    };
    const auto loaded = [](const auto& moved) {
        return [=](Group& group) {
            group = moved(group);
            return scan_by_sweeps({}, group);
        };
    };
    return {
        {"each work-item stores two neighboring elements of the tree at places that are "
         "get_local_size(0) apart: store each element at the place from which it was loaded",
         stored(pairs_to_halves)},
        {"each work-item loads two neighboring elements into places of the tree that are "
         "get_local_size(0) apart: keep the order of the data in the tree",
         loaded(pairs_to_halves)},
        {"each work-item stores elements lid and lid + get_local_size(0) of the tree at two "
         "neighboring places: elements 2 * lid and 2 * lid + 1 belong there",
         stored(halves_to_pairs)},
        {"each work-item loads two elements that are get_local_size(0) apart into neighboring "
         "places of the tree: keep the order of the data in the tree",
         loaded(halves_to_pairs)},
    };
}

/// Typical mistakes in the kernel scan_groups of lab 5.
std::vector<Variant> mistakes_in_sweeps() {
    std::vector<Variant> list{
        {"the sum of each group lacks its second half: the root of the tree has the index "
         "2 * get_local_size(0) - 1",
         [](Group& group) {
             const auto half = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
             const double sum = std::accumulate(group.begin(), half, 0.0);
             scan_by_sweeps({}, group);
             return sum;
         }},
        {"each group is scanned inclusively, or its scan is added to the values: a result must "
         "not include its own element, on any level",
         [](Group& group) {
             std::partial_sum(group.begin(), group.end(), group.begin());
             return group.back();
         }}};
    for (const auto& more : {mistakes_in_children(), mistakes_in_nodes(), mistakes_in_order(),
                             mistakes_in_root(), mistakes_in_pairs()})
        list.insert(list.end(), more.begin(), more.end());
    return list;
}

/// Tiles in which `wrong` scans the sums of the work-items, and each of them adds the sum before its own to
/// the scan of its elements. The sums of the tiles are scanned rightly.
Variant of_item_sums(const Variant& wrong, std::size_t per_tile, std::size_t per_item) {
    return {.mistake = wrong.mistake, .scan_group = [=](Group& group) {
                if (group.size() != per_tile) {
                    std::partial_sum(group.begin(), group.end(), group.begin());
                    return group.back();
                }
                Group sums(group.size() / per_item);
                for (std::size_t i = 0; i < group.size(); ++i)
                    sums[i / per_item] += group[i];
                const double sum = wrong.scan_group(sums);
                double before = 0;
                for (std::size_t i = 0; i < group.size(); ++i) {
                    if (i % per_item == 0)
                        before = i == 0 ? 0 : sums[i / per_item - 1];
                    before += group[i];
                    group[i] = before;
                }
                return sum;
            }};
}

/// Tiles in which the elements of a work-item are `group_size` apart.
Variant with_strided_items(std::size_t group_size) {
    return {.mistake = "the elements of each work-item are get_local_size(0) apart: they must be "
                       "adjacent, because a scan keeps the order of the elements",
            .scan_group = [=](Group& group) {
                double sum = 0;
                for (std::size_t lid = 0; lid < group_size; ++lid) {
                    for (std::size_t i = lid; i < group.size(); i += group_size) {
                        sum += group[i];
                        group[i] = sum;
                    }
                }
                return sum;
            }};
}

/// Typical mistakes.
std::vector<Variant> variants(Kind kind, std::size_t per_group, bool single_pass,
                              std::size_t per_item) {
    const std::size_t half = per_group / 2;
    const auto lacks_last = [=](const Group& elements, const Group& /*scanned*/) {
        return std::accumulate(elements.begin(), elements.end() - 1, 0.0);
    };
    const auto is_first = [](const Group& elements, const Group& /*scanned*/) {
        return elements.front();
    };
    const auto is_last = [=](const Group& elements, const Group& /*scanned*/) {
        return elements.size() == per_group ? elements.back() : 0.0;
    };
    const auto scan_magnitudes = [=](Group& group) {
        double sum = 0;
        for (double& element : group) {
            const double before = sum;
            sum += std::fabs(element);
            element = kind == Kind::inclusive ? sum : before;
        }
        return sum;
    };
    std::vector<Variant> list{
        {.mistake = takes_magnitudes, .scan_group = scan_magnitudes},
        {.mistake = std::string("the last element of each group is missing from the group's sum") +
                    (kind == Kind::exclusive
                         ? ": an exclusive scan has no element with the sum of all; if it comes "
                           "from the tree, take the sum before the root is set to 0"
                         : ""),
         .sum = lacks_last},
        {.mistake = "the group's sum contains only its first element", .sum = is_first},
        {.mistake = "the group's sum is only its last element: group_sums needs that element "
                    "after the scan, not before",
         .sum = is_last},
        {.mistake = own_sum, .sums_are_inclusive = true}};
    const auto add = [&](const std::vector<Variant>& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    if (kind == Kind::inclusive) {
        // the first group has no offset
        add({{.mistake = own_sum, .sums_are_inclusive = true, .is_adjusted = [=](std::size_t i) {
                  return i >= per_group;
              }}});
        if (single_pass) {
            if (per_group == per_item) // a single work-item makes no steps
                return list;
            if (per_item > 1)
                add({with_strided_items(per_group / per_item)});
            for (const Variant& one : mistakes_in_steps()) {
                if (one.mistake != each_step_replaces) // any scan without an effect leads to that
                    add({of_item_sums(one, per_group, per_item)});
            }
            return list;
        }
        add({{.mistake = "the result is added to the values; it must replace them",
              .adds_to_values = true}});
        add(mistakes_in_steps());
        add(mistakes_in_kind());
        return list;
    }
    add({{.mistake = "add_offsets changes only the first of each work-item's two elements",
          .is_adjusted = [](std::size_t i) { return i % 2 == 0; }},
         {.mistake = "add_offsets changes only the second of each work-item's two elements",
          .is_adjusted = [](std::size_t i) { return i % 2 == 1; }},
         {.mistake = "add_offsets changes only the first half of each group: a work-item has two "
                     "elements",
          .is_adjusted = [=](std::size_t i) { return i % per_group < half; }}});
    add(mistakes_in_sweeps());
    return list;
}

constexpr const char* lacks_sums =
    "every group is right by itself, but lacks the sums of the groups before it";

/// What remains if nothing else explains a scan.
constexpr const char* results_of_others =
    "each wrong element has the result of another element of its group: does each work-item store "
    "its own results at its own places?";

/// Finds the likely mistake in a wrong scan.
class Diagnosis {
  public:
    Diagnosis(const Lab& lab, const std::vector<float>& values, std::span<const float> got,
              std::size_t elements_per_group, std::vector<wire::WordRead> reads = {})
        : kind_(lab.kind), levels_(!lab.single_pass), values_(values), got_(got),
          per_item_(lab.elements_per_item), per_group_(elements_per_group),
          reads_(std::move(reads)), inclusive_(reference(Kind::inclusive, values)),
          exclusive_(reference(Kind::exclusive, values)) {}

    bool is_right() const { return first_wrong() == got_.size(); }

    /// The mistakes that each explain every element.
    std::vector<std::string> explanations() const {
        std::vector<std::string> found;
        const auto add = [&](const std::string& text) {
            if (std::ranges::find(found, text) == found.end())
                found.push_back(text);
        };
        for (const auto& [pattern, text] : whole_patterns()) {
            if (first_difference(got_, pattern) == got_.size())
                add(text);
        }
        const std::vector<double> values(values_.begin(), values_.end());
        const std::vector<double>& right = kind_ == Kind::inclusive ? inclusive_ : exclusive_;
        for (const Variant& variant : variants(kind_, per_group_, !levels_, per_item_)) {
            const std::vector<double> scanned =
                scan_with(variant, kind_, per_group_, levels_, values);
            if (scanned != right &&
                first_difference(got_, [&](std::size_t i) { return scanned[i]; }) == got_.size())
                add(variant.mistake);
        }
        if (!levels_) {
            const std::vector<std::string> more = look_back::explanations(tiles());
            found.insert(found.end(), more.begin(), more.end());
        }
        if (!is_right() && are_results_of_others())
            found.emplace_back(results_of_others);
        return found;
    }

    /// The mistakes in the look-back that explain the first wrong tile.
    std::vector<look_back::Idea> ideas(std::size_t first, bool depends_on_schedule) const {
        return levels_ ? std::vector<look_back::Idea>{}
                       : look_back::ideas(tiles(), first, depends_on_schedule);
    }

    /// The first wrong element; got.size() if there is none.
    std::size_t first_wrong() const {
        const std::vector<double>& right = kind_ == Kind::inclusive ? inclusive_ : exclusive_;
        return first_difference(got_, [&](std::size_t i) { return right[i]; });
    }

    /// What the first wrong element suggests; "" for nothing. `depends_on_schedule`: the result is
    /// right in another one, so its place means little.
    std::string suggestion(std::size_t first, bool depends_on_schedule) const {
        if (grader::is_poison(got_[first]))
            return "this element was never written, or it was computed from one that was never "
                   "written";
        if (std::isnan(got_[first]))
            return "an uninitialized value was added here";
        if (levels_ && kind_ == Kind::exclusive && first == 0 && got_[0] == values_[0])
            return "element 0 must be 0, but is still data[0]: does the down-sweep bring the "
                   "root's 0 to it, and does the kernel store it for every n?";
        const std::string offset = wrong_offset(first);
        if (!offset.empty())
            return offset + (depends_on_schedule && !levels_
                                 ? ": read each word once, use a value only if both of its words "
                                   "have the same status, add every value to the sum so far, and "
                                   "add up all elements of a tile that has published nothing"
                                 : "");
        if (!levels_ && first % per_group_ == 0 && first != 0)
            return "the sum of all elements before tile " + std::to_string(first / per_group_) +
                   " is wrong: check what the tiles before it publish, how their words are read, "
                   "and how the look-back uses them" +
                   (depends_on_schedule ? ". If a group adds up elements itself, which ones?" : "");
        if (depends_on_schedule)
            return {};
        const std::size_t square = per_group_ * per_group_;
        const std::size_t last_group = (values_.size() - 1) / per_group_ * per_group_;
        if (levels_ && first >= square && first <= square + per_group_ && first % per_group_ == 0)
            return "wrong from the third level on: " + std::to_string(square) +
                   " elements have more groups than one group can scan";
        if (first == per_group_)
            return "the first group is right, but the second is wrong from its beginning: check "
                   "the offsets, and what only the first group does";
        if (first >= last_group && last_group > per_group_ && values_.size() % per_group_ != 0)
            return "only the last group, which is not full, is wrong";
        if (first % per_group_ == 0 && first != 0)
            return "wrong from the beginning of a group";
        if (levels_ && kind_ == Kind::inclusive && first < per_group_ && first > 1 &&
            (first & (first - 1)) == 0)
            return "wrong from element " + std::to_string(first) +
                   " on, a power of two: look at the step of that distance, or, if the kernel "
                   "scans pieces of a group first, at what joins pieces of that size";
        return {};
    }

  private:
    using Pattern = std::function<double(std::size_t)>;

    look_back::Scan tiles() const { return {values_, got_, per_item_, per_group_, reads_}; }

    /// The sum of the elements of the work-item that has element i.
    double item_sum(std::size_t i) const {
        const std::size_t begin = group_begin(i) + i % per_group_ / per_item_ * per_item_;
        return inclusive_[std::min(begin + per_item_, values_.size()) - 1] - exclusive_[begin];
    }

    std::size_t group_begin(std::size_t i) const { return i / per_group_ * per_group_; }

    /// What element i would be if its group were the only one.
    double alone(std::size_t i) const {
        const double whole = kind_ == Kind::inclusive ? inclusive_[i] : exclusive_[i];
        return whole - exclusive_[group_begin(i)];
    }

    double group_sum(std::size_t group) const {
        const std::size_t end = std::min((group + 1) * per_group_, values_.size());
        return inclusive_[end - 1] - exclusive_[group * per_group_];
    }

    /// Which groups are missing in the sum before a group, or counted twice; "" if that is not known.
    /// `first` is the group's first element, and all elements of the group must be wrong by the same.
    std::string wrong_offset(std::size_t first) const {
        if (first % per_group_ != 0)
            return {};
        const std::size_t group = first / per_group_;
        const std::vector<double>& right = kind_ == Kind::inclusive ? inclusive_ : exclusive_;
        const double difference = got_[first] - right[first];
        const std::size_t end = std::min(first + per_group_, got_.size());
        for (std::size_t i = first; i < end; ++i) {
            if (got_[i] - right[i] != difference)
                return {};
        }
        std::vector<std::string> found;
        const auto try_groups = [&](double sum, const std::string& groups) {
            if (difference == -sum || difference == sum)
                found.push_back(
                    "the sum of all elements before group " + std::to_string(group) +
                    (difference == sum ? " contains " + groups + " twice" : " lacks " + groups));
        };
        for (std::size_t other = 0; other < group; ++other) {
            const std::string number = std::to_string(other);
            try_groups(group_sum(other), "group " + number);
            if (other > 0)
                try_groups(exclusive_[(other + 1) * per_group_], "groups 0 to " + number);
        }
        if (found.size() != 1)
            return "";
        const bool has_one_item = !levels_ && end - first <= per_item_;
        return found.front() + (has_one_item ? ", or only work-item 0 does not add it" : "");
    }

    /// Whether each wrong element has the result of another element of its group.
    bool are_results_of_others() const {
        const std::vector<double>& right = kind_ == Kind::inclusive ? inclusive_ : exclusive_;
        for (std::size_t i = 0; i < got_.size(); ++i) {
            if (got_[i] == right[i])
                continue;
            const std::size_t begin = group_begin(i);
            const std::span<const double> group =
                std::span(right).subspan(begin, std::min(per_group_, right.size() - begin));
            if (std::ranges::count(group, double{got_[i]}) == 0)
                return false;
        }
        return true;
    }

    /// By group: the sum of the offsets of all groups up to it.
    std::vector<double> sums_of_offsets() const {
        std::vector<double> sums;
        for (std::size_t begin = 0; begin < values_.size(); begin += per_group_)
            sums.push_back((sums.empty() ? 0 : sums.back()) + exclusive_[begin]);
        return sums;
    }

    std::string lacks_offsets() const {
        if (!levels_)
            return std::string(lacks_sums) +
                   ": check four things: a PREFIX contains the group's own sum; the look-back adds "
                   "a PREFIX before it stops; the words carry all 32 bits (as_uint() keeps them, a "
                   "conversion to uint does not); each work-item adds the sum of all groups before";
        return lacks_sums;
    }

    std::vector<std::pair<Pattern, std::string>> whole_patterns() const {
        const auto other = [this](std::size_t i) {
            return kind_ == Kind::inclusive ? exclusive_[i] : inclusive_[i];
        };
        std::vector<std::pair<Pattern, std::string>> list{
            {other, kind_ == Kind::inclusive
                        ? is_exclusive
                        : "this is the inclusive scan: element i must not contain data[i] itself"},
            {[this](std::size_t i) { return double{values_[i]}; },
             std::string("this is the input: the scan has no effect") +
                 (levels_ ? "; with two arrays, they must be swapped after each step" : "")},
            {[](std::size_t) { return 0.0; }, all_zero},
            {[this](std::size_t i) { return alone(i); }, lacks_offsets()},
            {[this](std::size_t i) {
                 const std::size_t group = i / per_group_;
                 const double offset = exclusive_[group_begin(i)];
                 return alone(i) + (group == 0 ? 0 : offset - group_sum(group - 1));
             },
             kind_ == Kind::exclusive && levels_
                 ? "every group lacks the sum of the group just before it: the scan of the sums is "
                   "exclusive, so group g adds offsets[g], not offsets[g - 1] as in lab 4"
                 : "every group lacks the sum of the group just before it"},
            {[this](std::size_t i) {
                 const std::size_t group = i / per_group_;
                 return alone(i) + (group == 0 ? 0 : group_sum(group - 1));
             },
             std::string("every group has only the sum of the group just before it, not of all "
                         "groups before: ") +
                 (levels_ ? "the group sums are not scanned"
                          : "a PREFIX contains the sums of all groups up to its own")},
        };
        if (levels_)
            list.emplace_back(
                [this, sums = sums_of_offsets()](std::size_t i) {
                    return alone(i) + sums[i / per_group_];
                },
                "every group adds the offsets of all groups before it, but each of them contains "
                "the ones before: add only " +
                    std::string(kind_ == Kind::inclusive ? "scanned_sums[group - 1]"
                                                         : "offsets[group]"));
        if (levels_ && kind_ == Kind::inclusive)
            list.emplace_back(
                [this](std::size_t i) {
                    const bool is_later = i >= per_group_ && i % per_group_ != 0;
                    return inclusive_[i] + (is_later ? group_sum(i / per_group_) : 0);
                },
                "all elements but the first of each group also get the sum of their own group: "
                "group g adds scanned_sums[g - 1]");
        if (levels_ && kind_ == Kind::exclusive)
            list.emplace_back(
                [this](std::size_t i) {
                    const std::size_t begin = i / (per_group_ / 2) * per_group_;
                    return begin < values_.size() ? alone(i) + exclusive_[begin] : double{got_[i]};
                },
                "add_offsets gives element i the offset of the wrong group: it belongs to group i "
                "/ (2 * get_local_size(0)), because work-item i has the elements 2 * i and 2 * i + "
                "1");
        if (!levels_) {
            list.emplace_back([this](std::size_t i) { return inclusive_[i] + item_sum(i); },
                              "each element contains the sum of its own work-item once more: add "
                              "the scanned sum at lid - 1, not at lid");
        }
        if (!levels_ && values_.size() > per_group_)
            list.emplace_back(
                [this](std::size_t i) { return inclusive_[i] + group_sum(i / per_group_); },
                own_sum);
        return list;
    }

    Kind kind_;
    bool levels_;
    const std::vector<float>& values_;
    std::span<const float> got_;
    std::size_t per_item_;
    std::size_t per_group_;
    std::vector<wire::WordRead> reads_;
    std::vector<double> inclusive_;
    std::vector<double> exclusive_;
};

std::string place(const Lab& under_test, std::size_t i, std::size_t per_group) {
    return "element " + std::to_string(i) + " (" + under_test.block() + " " +
           std::to_string(i / per_group) + ", local id " +
           std::to_string(i % per_group / under_test.elements_per_item) + ")";
}

} // namespace

namespace {

using grader::KnownMistake;

/// The mistake of a host that scans on several levels, if launches are all that moves data.
std::optional<KnownMistake> mistake_of_host(const Lab& lab, const wire::CallReply& seen,
                                            std::size_t n, std::size_t size) {
    const hosts::LevelScan scan{.scan_kernel = "scan_groups",
                                .add_kernel = "add_offsets",
                                .n = n,
                                .group = size,
                                .per_item = lab.elements_per_item,
                                .is_exclusive = lab.kind == Kind::exclusive,
                                .is_read_back = true};
    if (hosts::moves_data(seen))
        return {};
    return hosts::find_mistake_in_levels(seen, 0, seen.launches.size(), scan);
}

/// How many bytes the state of a scan with one launch needs: by the handout's layout, unless another
/// layout is as likely as a mistake.
std::size_t bytes_of_state(const wire::Launch& launch, std::size_t tiles) {
    constexpr std::size_t arguments = 6; // more of them may be a second buffer for the state
    if (launch.arguments.size() > arguments)
        return 0;
    const std::size_t words = 1 + 2 * tiles;
    const wire::GivenArgument* const given = hosts::argument(launch, look_back::state_argument);
    const std::size_t there = given == nullptr ? 0 : given->size / sizeof(std::uint32_t);
    const bool is_mistake = there <= tiles || there == words - 1 || there == words - 2;
    return (is_mistake ? words : std::min(there, words)) * sizeof(std::uint32_t);
}

/// The mistake of a host that scans with one launch.
std::optional<KnownMistake> mistake_of_single_pass(const Lab& lab, const wire::CallReply& seen,
                                                   std::size_t n, std::size_t size) {
    if (seen.launches.size() != 1)
        return {};
    using Role = hosts::Buffer::Role;
    const std::size_t tile = size * lab.elements_per_item;
    const std::size_t tiles = (n + tile - 1) / tile;
    const std::size_t bytes = n * sizeof(float);
    const std::size_t state = bytes_of_state(seen.launches.front(), tiles);
    const hosts::Needs needs{{tiles * size, size},
                             {{0, "data", Role::input, bytes, bytes},
                              {1, "result", Role::output, bytes},
                              {4, "state", Role::changed, state, state}},
                             {{2, "n", n, std::max(n, hosts::floats_in(seen.launches.front(), 0)),
                               "the number of elements"},
                              {3, "items", lab.elements_per_item, lab.elements_per_item,
                               "the elements of each work-item"}}};
    return hosts::find_mistake(seen, 0, needs);
}

} // namespace

void explain_host(grader::Case& test, const Lab& under_test, std::size_t n,
                  std::size_t work_group_size) {
    test.explain_host_by([=](const wire::CallReply& seen) {
        return (under_test.single_pass ? mistake_of_single_pass
                                       : mistake_of_host)(under_test, seen, n, work_group_size);
    });
}

namespace {

/// Whether a scan in tiles leaves all elements unwritten but those of the first tile, and those of the first
/// work-item in every other tile.
bool only_first_item_knows_tile(const std::vector<std::uint32_t>& result,
                                const look_back::Scan& scan) {
    const std::size_t n = scan.values.size();
    if (scan.per_item == scan.per_tile || n <= scan.per_tile + scan.per_item || result.size() < n)
        return false;
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_written = i < scan.per_tile || i % scan.per_tile < scan.per_item;
        if (is_written == grader::is_poison(std::bit_cast<float>(result[i])))
            return false;
    }
    return true;
}

/// What is wrong with the state or the result that lab 8's kernel leaves, if labgrind has run it.
std::optional<KnownMistake> mistake_in_state(const grader::Case& test, const Lab& lab,
                                             const std::vector<float>& values,
                                             std::size_t work_group_size) {
    if (test.is_in_other_schedule()) // then the values that are published mean little
        return {};
    const std::string kernel = "single_pass_scan";
    const look_back::Scan scan{
        values, {}, lab.elements_per_item, work_group_size * lab.elements_per_item};
    if (only_first_item_knows_tile(test.words_left(kernel, 1), scan))
        return KnownMistake{
            .text = "work-item 0 of each group writes to the tile of its group, but all others "
                    "write to tile 0: they must get the number of the tile from work-item 0, "
                    "through local memory",
            .cause = "the number of the tile",
            .kernel = kernel,
            .explains_every_race = true};
    const look_back::StateMistake mistake =
        look_back::mistake_in_state(scan, test.words_left(kernel, look_back::state_argument),
                                    !test.has_seen(wire::FindingKind::endless_loop));
    if (mistake.text.empty())
        return {};
    return KnownMistake{.text = mistake.text,
                        .cause = "what tiles publish",
                        .kernel = kernel,
                        .spoils_indices = mistake.is_in_ticket};
}

/// Explains a wrong result by what the host did, and in lab 8 by what the tiles have published.
void explain_scan(grader::Case& test, const Lab& lab, const std::vector<float>& values,
                  std::size_t work_group_size) {
    // If a longer input fails, a shorter one does, too.
    constexpr std::size_t most_elements = std::size_t{1} << 16;
    if (!lab.single_pass || values.size() > most_elements)
        return explain_host(test, lab, values.size(), work_group_size);
    test.explain_host_by([=, &test](const wire::CallReply& seen) {
        auto of_host = mistake_of_single_pass(lab, seen, values.size(), work_group_size);
        return of_host ? of_host : mistake_in_state(test, lab, values, work_group_size);
    });
}

} // namespace

grader::Run scan(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                 std::size_t work_group_size) {
    explain_scan(test, under_test, values, work_group_size);
    grader::Run run =
        under_test.single_pass
            ? test.compute(under_test.program, under_test.function, values, work_group_size,
                           under_test.elements_per_item)
            : test.compute(under_test.program, under_test.function, values, work_group_size);
    const std::size_t size = run.seen.result_size / sizeof(float);
    if (size != values.size())
        test.fail(under_test.program,
                  {.what = "wrong length of the result",
                   .details = {"expected " + grader::count_of(values.size(), "element") + ", got " +
                               std::to_string(size) +
                               (size == 0 ? ": reserve() makes no elements, resize() does" : "")},
                   .why = {.hints = hints::length_of_result()}});
    if (!under_test.single_pass)
        ::check_launches(test, under_test.program, run,
                         {"scan_groups", work_group_size, 0,
                          work_group_size * under_test.elements_per_item * sizeof(float),
                          values.size() * sizeof(float)});
    return run;
}

namespace {

/// `text` with `block` instead of each "group".
std::string name_blocks(std::string text, const std::string& block) {
    const std::string group = "group";
    for (std::size_t at = text.find(group); at != std::string::npos;
         at = text.find(group, at + block.size()))
        text.replace(at, group.size(), block);
    return text;
}

/// What may be wrong; "" if there is no idea.
struct Guess {
    std::string text;
    bool explains_all = false; ///< every element, and nothing else does
    bool only_asks = false;    ///< where to look: no mistake is known
    std::string kernel = {};   ///< the only one that is wrong; "": not known
};

/// How another scan of whole numbers ends: a short input leaves several explanations, and so do
/// numbers that round.
struct OtherScan {
    bool is_right = false;
    std::vector<std::string> explanations; ///< if it is wrong
    std::vector<look_back::Idea> ideas;    ///< likewise
};

OtherScan scan_other(grader::Case& test, const Lab& under_test, std::size_t work_group_size,
                     std::size_t half_groups) {
    const std::size_t per_group = work_group_size * under_test.elements_per_item;
    const std::vector<float> values = digits(test.random(), per_group * half_groups / 2);
    OtherScan other;
    test.examine([&] {
        const grader::Run run = scan(test, under_test, values, work_group_size);
        const Diagnosis diagnosis(under_test, values, run.array<float>(), per_group);
        other.is_right = diagnosis.is_right();
        if (!other.is_right) {
            other.explanations = diagnosis.explanations();
            other.ideas = diagnosis.ideas(diagnosis.first_wrong(), false);
        }
    });
    return other;
}

constexpr std::size_t several = 7; ///< half groups; the last group is not full

bool is_right_in_groups_of(grader::Case& test, const Lab& under_test, std::size_t size) {
    return scan_other(test, under_test, size, several).is_right;
}

/// What to ask if groups with an even number of steps are right and those of this size are not.
std::string ask_for_steps(std::size_t work_group_size) {
    const std::size_t steps = steps_of(work_group_size);
    return "groups of 16, with 4 steps, are right, and groups of " +
           std::to_string(work_group_size) + ", with " + grader::count_of(steps, "step") +
           ", are wrong: after an odd number of steps, the result is in the other one of two "
           "arrays";
}

/// What to ask if groups of 16 are right and those of this smaller size are not.
std::string ask_for_group_size(grader::Case& test, const Lab& under_test,
                               std::size_t work_group_size) {
    const auto is_right = [&](std::size_t size) {
        return is_right_in_groups_of(test, under_test, size);
    };
    if (steps_of(work_group_size) % 2 == 1 && is_right(4) && !is_right(8))
        return ask_for_steps(work_group_size);
    std::size_t larger = 2 * work_group_size;
    while (larger < 16 && !is_right(larger))
        larger *= 2;
    return "groups of " + std::to_string(work_group_size) + " are wrong, and groups of " +
           std::to_string(larger) + " are right: does the kernel need a minimum group size?";
}

/// Those that also explain the scan in groups of 16: in smaller ones, different mistakes have the
/// same result.
std::vector<std::string> confirmed_in_large_groups(grader::Case& test, const Lab& under_test,
                                                   std::size_t work_group_size,
                                                   const std::vector<std::string>& explanations,
                                                   std::size_t half_groups) {
    constexpr std::size_t large = 16;
    if (explanations.empty() || work_group_size >= large)
        return explanations;
    const OtherScan other = scan_other(test, under_test, large, half_groups);
    if (other.is_right && !test.is_in_other_schedule())
        return {ask_for_group_size(test, under_test, work_group_size)};
    return in_both(explanations, other.explanations);
}

/// Asks for the number of steps if groups with an odd number of them are wrong and others right; ""
/// if that is not so.
std::string doubt_odd_steps(grader::Case& test, const Lab& under_test,
                            std::size_t work_group_size) {
    const bool is_odd = steps_of(work_group_size) % 2 == 1;
    return is_odd && !test.is_in_other_schedule() && is_right_in_groups_of(test, under_test, 16) &&
                   !is_right_in_groups_of(test, under_test, 8)
               ? ask_for_steps(work_group_size)
               : "";
}

/// Those that also explain scans of one group: a second mistake can change what several groups do.
std::vector<std::string> confirmed_in_one_group(grader::Case& test, const Lab& under_test,
                                                std::size_t work_group_size,
                                                std::vector<std::string> explanations) {
    constexpr std::size_t full = 2;
    for (const std::size_t half_groups : {full, full / 2}) {
        if (explanations.empty())
            return {};
        explanations = in_both(
            explanations, scan_other(test, under_test, work_group_size, half_groups).explanations);
    }
    explanations = confirmed_in_large_groups(test, under_test, work_group_size, explanations, full);
    if (explanations.size() > 1)
        std::erase(explanations, results_of_others);
    return explanations;
}

/// The mistake in the look-back that explains the first wrong tile; "" if it is not sure.
std::string mistake_in_look_back(grader::Case& test, const Lab& under_test,
                                 const Diagnosis& diagnosis, std::span<const float> got,
                                 std::size_t work_group_size, std::size_t first) {
    std::vector<look_back::Idea> ideas = diagnosis.ideas(first, test.is_in_other_schedule());
    // Such a large number is not there by chance.
    const bool is_huge = std::fabs(got[first]) > 0x1p30F;
    if (ideas.size() == 1 && (!ideas.front().shows_always || is_huge))
        return ideas.front().what + ": " + ideas.front().advice;
    if (ideas.empty() || test.is_in_other_schedule())
        return {};
    // A mistake in the bits changes only some numbers.
    OtherScan other = scan_other(test, under_test, work_group_size, several);
    for (int scans = 1; other.is_right && scans < 5; ++scans)
        other = scan_other(test, under_test, work_group_size, several);
    const auto is_confirmed = [&](const look_back::Idea& one) {
        return std::ranges::any_of(
            other.ideas, [&](const auto& another) { return another.advice == one.advice; });
    };
    std::erase_if(ideas, std::not_fn(is_confirmed));
    return ideas.size() == 1 ? ideas.front().what + ": " + ideas.front().advice : "";
}

/// What is wrong with the state that the same scan, or one of negative numbers, leaves in the usual
/// schedule; "" if nothing is known to be.
std::string published_mistake(grader::Case& test, const Lab& under_test,
                              const std::vector<float>& values, std::size_t work_group_size) {
    std::string text;
    constexpr std::size_t most_elements = 4096;
    if (!under_test.single_pass || values.size() > most_elements)
        return text;
    std::vector<float> negative = values; // a sign can get into the status
    for (float& value : negative)
        value = -std::fabs(value);
    for (const std::vector<float>& input : {std::cref(values), std::cref(negative)}) {
        test.examine_interpreted([&] {
            scan(test, under_test, input, work_group_size);
            if (const auto mistake = mistake_in_state(test, under_test, input, work_group_size))
                text = mistake->text;
        });
        if (!text.empty())
            break;
    }
    return text;
}

/// Why no group of lab 5 gets the sums before it: what scan_groups leaves of the sum of a single group.
std::string reason_for_missing_sums(grader::Case& test, const Lab& under_test,
                                    std::size_t work_group_size) {
    const std::size_t elements = work_group_size * under_test.elements_per_item;
    std::vector<std::uint32_t> sums;
    test.examine_interpreted([&] {
        scan(test, under_test, std::vector<float>(elements, 1.0F), work_group_size);
        sums = test.words_left("scan_groups", 1);
    });
    const auto sum = std::bit_cast<std::uint32_t>(static_cast<float>(elements));
    if (!sums.empty() && sums.front() == 0)
        return ": scan_groups sets the root to 0 before it saves the group's sum";
    if (!sums.empty() && sums.front() == sum)
        return ": does add_offsets change every element, and with the scanned sums?";
    return ": does scan_groups save its sum before it sets the root to 0, and does add_offsets "
           "change every element?";
}

/// What the kernels of labs 4 and 5 must leave.
std::optional<grader::Words> right_words(const Lab& under_test, std::size_t work_group_size,
                                         const grader::LaunchWords& launch) {
    const launch_words::GroupScan<float> groups{work_group_size * under_test.elements_per_item,
                                                under_test.kind == Kind::exclusive, std::plus<>()};
    return launch_words::after_level(launch, groups, "add_offsets");
}

/// A word that a kernel of labs 4 and 5 leaves.
std::string describe(const Lab& under_test, const grader::WrongWord& wrong) {
    const auto number = [](std::uint32_t word) { return grader::show(std::bit_cast<float>(word)); };
    const bool is_sum = wrong.argument == 1;
    const std::string meaning =
        is_sum                               ? "the sum of group " + std::to_string(wrong.index)
        : wrong.kernel == "add_offsets"      ? "with the sum of all groups before it, it"
        : under_test.kind == Kind::inclusive ? "the sum of its group up to this element"
                                             : "the sum of the elements of its group before it";
    return launch_words::describe(
        wrong, {(is_sum ? "group_sums[" : "values[") + std::to_string(wrong.index) + "]", meaning,
                number(wrong.before), number(wrong.after), number(wrong.right)});
}

/// What the launches of a short scan with a wrong result show.
Guess guess_by_launches(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                        std::size_t work_group_size) {
    if (under_test.single_pass || test.is_in_other_schedule())
        return {};
    const auto is_right = [&] {
        const grader::Run run = scan(test, under_test, values, work_group_size);
        return Diagnosis(under_test, values, run.array<float>(),
                         work_group_size * under_test.elements_per_item)
            .is_right();
    };
    const auto check = test.find_wrong_launch(is_right, [&](const grader::LaunchWords& launch) {
        return right_words(under_test, work_group_size, launch);
    });
    if (!check)
        return {};
    if (!check->first_wrong())
        return {.text = launch_words::host_is_wrong, .only_asks = true};
    const grader::WrongWord& wrong = *check->first_wrong();
    return {.text = describe(under_test, wrong), .only_asks = true, .kernel = wrong.kernel};
}

/// `exact`: the numbers do not round.
Guess guess_mistake(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                    std::span<const float> got, bool exact, std::size_t work_group_size,
                    std::size_t first) {
    const std::size_t per_group = work_group_size * under_test.elements_per_item;
    const Diagnosis diagnosis(under_test, values, got, per_group, test.last_reads());
    const std::string published =
        exact ? published_mistake(test, under_test, values, work_group_size) : "";
    if (!published.empty())
        return {published, true};
    std::vector<std::string> here;
    if (exact)
        here = diagnosis.explanations();
    std::vector<std::string> found = here;
    if (here.size() != 1 || values.size() <= per_group) {
        const OtherScan other = scan_other(test, under_test, work_group_size, several);
        if (!exact && other.is_right && are_fractions(values) && !test.is_in_other_schedule())
            return {"whole numbers are right with this work-group size, so fractions get lost: is "
                    "a variable an int, or is a large sum subtracted again?"};
        found = exact ? in_both(other.explanations, here) : other.explanations;
    }
    found = confirmed_in_large_groups(test, under_test, work_group_size, found, several);
    if (found.empty() && values.size() <= per_group)
        found = confirmed_in_one_group(test, under_test, work_group_size, here);
    if (found.size() > 1) // it is true, but another one says why
        std::erase(found, all_zero);
    if (!found.empty() && found.front() == lacks_sums && under_test.kind == Kind::exclusive)
        found.front() += reason_for_missing_sums(test, under_test, work_group_size);
    if (!found.empty() && found.front() == lacks_last_step_down &&
        test.has_seen(wire::FindingKind::out_of_bounds))
        found.front() = begins_too_far;
    if (!found.empty())
        return {.text = name_blocks(found.front(), under_test.block()),
                .explains_all = found.size() == 1,
                .only_asks = found.front() == results_of_others};
    if (!exact)
        return {};
    const std::string in_look_back =
        mistake_in_look_back(test, under_test, diagnosis, got, work_group_size, first);
    if (!in_look_back.empty())
        return {in_look_back};
    const std::string odd_steps = doubt_odd_steps(test, under_test, work_group_size);
    if (!odd_steps.empty())
        return {.text = name_blocks(odd_steps, under_test.block()), .only_asks = true};
    Guess by_launches = guess_by_launches(test, under_test, values, work_group_size);
    if (!by_launches.text.empty())
        return by_launches;
    return {.text = name_blocks(diagnosis.suggestion(first, test.is_in_other_schedule()),
                                under_test.block()),
            .only_asks = true};
}

/// Adds to `failure` which elements of the input the wrong element `first` lacks, or has more than once.
void add_counts(grader::Case& test, Failure& failure, const Lab& under_test,
                const std::vector<float>& values, double got, std::size_t work_group_size,
                std::size_t first) {
    const auto sum = [&](const std::vector<float>& others) -> double {
        return scan(test, under_test, others, work_group_size).array<float>()[first];
    };
    const bool is_inclusive = under_test.kind == Kind::inclusive;
    const element_counts::WrongSum wrong = element_counts::explain_prefix(
        test, values, got, {first + (is_inclusive ? 1 : 0), first, is_inclusive},
        {1, work_group_size * under_test.elements_per_item}, sum);
    if (!wrong.text.empty())
        failure.details.push_back("in the sum of element " + std::to_string(first) + ", " +
                                  wrong.text);
    failure.wrong_step = wrong.wrong_step;
}

/// Asks for a variable that is too small for the number of the first wrong element, or of its group; "" if
/// neither is the first number that a type does not hold. If a mistake is known, an element with such a
/// number is rather the first one of a group.
std::string ask_for_narrow_number(const Lab& under_test, std::size_t first, std::size_t per_group,
                                  bool is_known) {
    for (const auto& [number, type] :
         {std::pair{std::size_t{1} << 8, "uchar"}, std::pair{std::size_t{1} << 16, "ushort"}}) {
        const bool is_group = first == number * per_group;
        if (is_group || (first == number && !is_known))
            return std::to_string(number) + " is the first number that does not fit into a " +
                   type + ": is the number of " +
                   (is_group ? std::string("a ") + under_test.block() : "an element") +
                   " stored in one?";
    }
    return "";
}

/// Compares every element; `allowed(i)` is the error bound of element i.
template <class Allowed> void check(grader::Case& test, const Lab& under_test,
                                    const std::vector<float>& values, std::span<const float> got,
                                    std::size_t work_group_size, const Allowed& allowed) {
    const std::vector<double> expected = reference(under_test.kind, values);
    std::size_t wrong = 0;
    std::size_t first = values.size();
    for (std::size_t i = values.size(); i-- > 0;) {
        if (std::fabs(double{got[i]} - expected[i]) <= allowed(i)) // false for a NaN
            continue;
        ++wrong;
        first = i;
    }
    if (wrong == 0)
        return;
    test.end_if_only_judged();
    const std::size_t per_group = work_group_size * under_test.elements_per_item;
    const bool exact = allowed(values.size() - 1) == 0;
    Failure failure;
    failure.what = "wrong scan";
    failure.why.hints = grader::hints_for_value(expected[first], got[first]);
    failure.details = {std::to_string(wrong) + " of " + grader::count_of(values.size(), "element") +
                           (wrong == 1 ? " is" : " are") + " wrong, the first is " +
                           place(under_test, first, per_group),
                       grader::compare_values(expected[first], got[first], allowed(first))};
    const std::string by_host = hosts::returns_another(test, expected);
    Guess guess;
    if (!by_host.empty())
        failure.details.push_back(by_host);
    else
        guess = guess_mistake(test, under_test, values, got, exact, work_group_size, first);
    if (!guess.text.empty())
        failure.why.guesses.push_back(guess.text);
    failure.details.push_back(
        ask_for_narrow_number(under_test, first, per_group, !guess.text.empty()));
    if (guess.text == name_blocks(lacks_last_step, under_test.block()))
        failure.why.guesses.emplace_back("the result is taken from the array of the step before");
    failure.why.only_asks = guess.only_asks;
    failure.kernel = guess.kernel;
    if (guess.text == begins_too_far)
        failure.why.explained_kernel = "scan_groups";
    if (guess.explains_all)
        failure.why.mistake = guess.text;
    else if (exact && by_host.empty())
        add_counts(test, failure, under_test, values, got[first], work_group_size, first);
    failure.needs_no_other_launch = first > per_group; // the second group has its offset
    failure.why.symptom = exact ? "wrong scan" : "wrong scan of floats that round";
    failure.why.wider_symptom = "wrong scan";
    failure.why.is_basic = values.size() <= 2 * per_group;
    test.fail(under_test.program, failure);
}

} // namespace

void compare_exactly(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                     std::span<const float> got, std::size_t work_group_size) {
    check(test, under_test, values, got, work_group_size, [](std::size_t) { return 0.0; });
}

grader::Run check_exact(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                        std::size_t work_group_size) {
    grader::Run run = scan(test, under_test, values, work_group_size);
    compare_exactly(test, under_test, values, run.array<float>(), work_group_size);
    return run;
}

void check_whole_numbers(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size) {
    const std::vector<float> values = grader::whole_numbers(test.random(), n);
    test.trial(parameters(n, work_group_size),
               [&] { check_exact(test, under_test, values, work_group_size); });
}

namespace {

/// One trial with values that need not add up exactly.
void check_rounding(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                    std::size_t work_group_size, const std::string& what) {
    const std::size_t n = values.size();
    // Any order of adding up the elements of a prefix is legal, even adding data[i] and subtracting
    // it again: that makes at most i + 2 additions.
    std::vector<double> allowed(n);
    double magnitudes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        magnitudes += std::fabs(double{values[i]});
        allowed[i] = grader::summation_bound(i + 2, magnitudes);
    }
    test.trial(parameters(n, work_group_size) + what, [&] {
        const grader::Run run = scan(test, under_test, values, work_group_size);
        check(test, under_test, values, run.array<float>(), work_group_size,
              [&](std::size_t i) { return allowed[i]; });
    });
}

} // namespace

void check_random_floats(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size) {
    check_rounding(test, under_test, grader::random_floats(test.random(), n), work_group_size,
                   ", floats that round");
}

void check_floats_of_all_kinds(grader::Case& test, const Lab& under_test, std::size_t n,
                               std::size_t work_group_size) {
    check_rounding(test, under_test, grader::floats_of_all_kinds(test.random(), n), work_group_size,
                   ", floats of all kinds");
}

void check_signs(grader::Case& test, const Lab& under_test, std::size_t n,
                 std::size_t work_group_size) {
    const std::vector<float> values = numbers_of_both_signs(test.random(), n);
    test.trial(parameters(n, work_group_size) + ", numbers of both signs",
               [&] { check_exact(test, under_test, values, work_group_size); });
}

grader::Hint levels_hint() {
    return grader::hint(
        "How many group sums are there, and how many elements can one group scan?",
        "The group sums can be more than one group takes, and so can the sums of their "
        "groups. Let the function that scans a buffer call itself for the sums.",
        "Write a function that scans the first n floats of a buffer in place: launch "
        "scan_groups with a new buffer of group sums; if there is more than one group, call "
        "the function itself for the group sums, and then launch add_offsets.");
}

grader::Hint group_sizes_hint() {
    return grader::hint(
        "Do some work-group sizes work? Then look for a number in your code that is "
        "one of those sizes.",
        "Compute the local memory, the number of groups and the distances from the "
        "work-group size.",
        "In the kernel, take the size from get_local_size(0). On the host, pass cl::Local "
        "with as many floats as a group has elements, and round the number of groups up.");
}

grader::Hint millions_hint() {
    return grader::hint(
        "If short inputs pass, look for what grows with the input.",
        "If this fails but small inputs pass, look for a truncated number of groups or "
        "bytes, and for a buffer of sums that is too small.",
        "Use std::size_t on the host and size_t or uint in the kernel. The buffer of sums "
        "has groups * sizeof(cl_float) bytes, on every level.");
}

grader::Hint floats_hint() {
    return grader::hint(
        "If whole numbers pass, look for a place where a fraction gets lost.",
        "Sums of floats stay floats on every level. Somewhere, an int drops the fraction.",
        "Check the types of temp, of all variables in the kernels and of the group sums: "
        "each of them is a float.");
}

void check_one_group(grader::Case& test, const Lab& under_test) {
    for (const std::size_t n : grader::lengths_around(64 * under_test.elements_per_item,
                                                      64 * under_test.elements_per_item))
        check_whole_numbers(test, under_test, n, 64);
}

void check_lengths(grader::Case& test, const Lab& under_test) {
    for (const std::size_t n : grader::lengths_around(64 * under_test.elements_per_item, 70000))
        check_whole_numbers(test, under_test, n, 64);
    check_signs(test, under_test, 1000, 64);
}

void check_levels(grader::Case& test, const Lab& under_test) {
    for (const std::size_t size : {2, 4, 8}) {
        const std::size_t per_group = size * under_test.elements_per_item;
        const std::size_t cube = per_group * per_group * per_group;
        for (const std::size_t n : {cube - 1, cube, cube + 1, per_group * cube + 1})
            check_whole_numbers(test, under_test, n, size);
    }
}

void check_millions(grader::Case& test, const Lab& under_test) {
    check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 20) - 1), 128);
    check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 24) + 1), 64);
}

void check_rounding(grader::Case& test, const Lab& under_test) {
    for (const std::size_t n : {1, 2, 1000, 65537})
        check_random_floats(test, under_test, n, 128);
}

void check_every_group_size(grader::Case& test, const Lab& under_test) {
    const std::size_t local_bytes = 2 * under_test.elements_per_item * sizeof(float);
    for (const std::size_t size :
         group_sizes(test, under_test.program, "scan_groups", local_bytes)) {
        const std::size_t per_group = size * under_test.elements_per_item;
        for (const std::size_t n : {per_group - 1, 3 * per_group + 1, std::size_t{5000}})
            check_whole_numbers(test, under_test, n, size);
    }
}

void check_small(grader::Case& test, const Lab& under_test) {
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {100, 2}, {300, 8}, {200, 32}, {500, 64}})
        check_whole_numbers(test, under_test, trial.n, trial.work_group_size);
    // A kernel may behave differently with other numbers.
    check_signs(test, under_test, 30, 4);
    check_random_floats(test, under_test, 256, 64);
    check_random_floats(test, under_test, hundreds_of_groups * 4 * under_test.elements_per_item - 1,
                        4);
    check_floats_of_all_kinds(test, under_test, 300, 128);
    // One group of each remaining size: an array can be too small for it, or it can have a special
    // step.
    const std::size_t local_bytes = 2 * under_test.elements_per_item * sizeof(float);
    for (const std::size_t size :
         group_sizes(test, under_test.program, "scan_groups", local_bytes)) {
        if (size > 128)
            check_whole_numbers(test, under_test, size * under_test.elements_per_item - 1, size);
    }
    watch_many_groups(test, [&](std::size_t n, std::size_t size) {
        scan(test, under_test, grader::random_floats(test.random(), n), size);
    });
}

namespace {

/// The most additions that a group of `m` elements may take, and the steps of its scan.
std::pair<std::size_t, std::size_t> allowed_additions(Kind kind, std::size_t m) {
    // Hillis and Steele: m log2(m) - m + 1, or m log2(m) with a 0 added below the distance.
    // Blelloch: 2 (m - 1). Twice that leaves room for sums of groups and for odd shapes, and stays
    // below Hillis and Steele's count (6 m for 128 elements) and Sklansky's (4.5 m for 512).
    const std::size_t steps = steps_of(m);
    return {kind == Kind::inclusive ? m * steps : 4 * m, steps};
}

/// What scan_groups takes for `groups` whole groups of `m` elements and for the scans of their sums.
std::vector<report::Need> needs_of(Kind kind, std::size_t m, std::size_t groups) {
    const std::size_t steps = steps_of(m);
    std::size_t scans = 0;
    for (std::size_t left = groups; left != 0; left = left == 1 ? 0 : (left + m - 1) / m)
        scans += left;
    const std::size_t per_scan = kind == Kind::inclusive ? m * steps - m + 1 : 2 * (m - 1);
    // Inclusive: after the load, and two in each step. Exclusive: before each step of both sweeps,
    // before the root is cleared, and before the result is read.
    const std::size_t barriers = kind == Kind::inclusive ? 1 + 2 * steps : 2 + 2 * steps;
    return {{"scan_groups", "additions", scans * per_scan},
            {"scan_groups", "barriers", scans * barriers}};
}

/// The largest span that the additions of a group of `m` elements may have: three times that of the
/// two sweeps of an exclusive scan.
std::uint64_t span_of_scan(std::size_t m) { return 6 * steps_of(m) + 8; }

/// Ends the case with a failure if the groups of `m` elements make so many comparisons of elements
/// that these can replace additions: an addition of two numbers takes one for each of their bits, or
/// for a few of them.
void check_comparisons(grader::Case& test, const Lab& under_test, const wire::WorkCounts& counts,
                       std::size_t m) {
    const std::size_t steps = steps_of(m);
    if (counts.comparisons > 2 * counts.groups * m * steps)
        test.fail(under_test.program,
                  {"too many comparisons of elements: " + std::to_string(counts.comparisons) +
                       " for " + grader::count_of(counts.groups, "group") + " of " +
                       std::to_string(m) + " elements; a scan only adds",
                   {grader::show_work(counts)},
                   counts.kernel});
}

/// What it means if a Blelloch scan takes too many additions, but at most `in_each_step`, as many as all
/// work-items do in all steps; "" if that says nothing.
std::string explain_additions(Kind kind, std::size_t additions, std::size_t in_each_step) {
    return kind == Kind::exclusive && additions <= in_each_step
               ? "that is about n log n, as if all work-items added in each step, as in lab 4; "
                 "here each step of the up-sweep has half as many additions as the one before"
               : "";
}

/// Checks the work on `groups` whole groups of `size` work-items and returns a description of it.
std::string check_work_of(grader::Case& test, const Lab& under_test, std::size_t size,
                          std::size_t groups) {
    const std::size_t m = size * under_test.elements_per_item; // elements of a group
    const auto work =
        test.count_work([&] { check_whole_numbers(test, under_test, groups * m, size); },
                        needs_of(under_test.kind, m, groups));
    const auto first =
        std::ranges::find_if(work, [](const auto& one) { return one.kernel == "scan_groups"; });
    if (first == work.end())
        test.fail(under_test.program, {"there is no launch of scan_groups"});
    const wire::WorkCounts& counts = *first; // it scans whole groups
    std::string summary = grader::show_work(counts);
    const auto [per_group, steps] = allowed_additions(under_test.kind, m);
    const std::size_t allowed = groups * per_group;
    if (counts.additions > allowed)
        test.fail(under_test.program,
                  {"too many additions: " + std::to_string(counts.additions) + " for " +
                       std::to_string(groups) + " groups of " + std::to_string(m) +
                       " elements; the algorithm of this lab takes at most " +
                       std::to_string(allowed),
                   {explain_additions(under_test.kind, counts.additions, groups * m * (steps + 2)),
                    summary},
                   "scan_groups"});
    for (const wire::WorkCounts& one : work)
        check_comparisons(test, under_test, one, m);
    if (counts.additions == 0)
        test.fail(under_test.program, {"the kernel adds nothing", {summary}, "scan_groups"});
    // The sum of m elements takes m - 1 additions, whatever else is computed.
    if (counts.additions < groups * m / 2)
        test.fail(under_test.program,
                  {"scan_groups does not do most of the additions: it does " +
                       std::to_string(counts.additions) + " for " + std::to_string(groups) +
                       " groups of " + std::to_string(m) + " elements",
                   {summary},
                   "scan_groups"});
    check_span(test, under_test.program, counts, span_of_scan(m));
    // The group sums must be scanned and added in parallel, too, in any kernel. A bit more than
    // twice the work of the busiest work-item of a scan is less than going through all of them.
    std::uint64_t alone = 0;
    std::uint64_t total = 0;
    for (const wire::WorkCounts& one : work) {
        total += one.additions;
        alone += &one == &counts ? 0 : lone_additions(one, groups * m);
        if (alone > 4 * steps + 8)
            test.fail(under_test.program,
                      {std::to_string(alone) +
                           " additions are done by work-items that do not share them within their "
                           "groups: scan the group sums in the same way as the elements",
                       {grader::show_work(one)},
                       one.kernel});
        if (one.busiest_item_additions > 4 * steps + 8)
            test.fail(under_test.program,
                      {"one work-item does " + std::to_string(one.busiest_item_additions) +
                           " additions: scan the group sums in the same way as the elements",
                       {grader::show_work(one)},
                       one.kernel});
    }
    // Each level scans the sums of the level before, and each element gets the offset of its group
    // added.
    std::size_t allowed_in_all = 0;
    for (std::size_t left = groups; left != 0; left = left == 1 ? 0 : (left + m - 1) / m)
        allowed_in_all += left * (per_group + (under_test.kind == Kind::inclusive ? 2 * m : m));
    if (total > allowed_in_all)
        test.fail(under_test.program,
                  {"too many additions: " + std::to_string(total) +
                       " by all launches together, for " + std::to_string(groups) + " groups of " +
                       std::to_string(m) + " elements; the algorithm of this lab takes at most " +
                       std::to_string(allowed_in_all),
                   {summary},
                   ""});
    check_loads(test, under_test.program, work, {groups * m * sizeof(float), sizeof(float), m});
    return summary;
}

/// The same with other numbers and group sizes, and so many groups that two represent all of them.
void check_work_at_ends(grader::Case& test, const Lab& under_test) {
    const std::size_t local_bytes = 2 * under_test.elements_per_item * sizeof(float);
    const std::size_t size =
        group_size_up_to(test, under_test.program, "scan_groups", local_bytes, 128);
    const std::vector<float> values = grader::random_floats(test.random(), many_elements);
    const auto work = test.count_work_at_ends(parameters(many_elements, size) + first_and_last,
                                              [&] { scan(test, under_test, values, size); });
    const auto first =
        std::ranges::find_if(work, [](const auto& one) { return one.kernel == "scan_groups"; });
    if (first == work.end())
        return; // another case says so
    const std::size_t m = size * under_test.elements_per_item;
    const std::size_t allowed = allowed_additions(under_test.kind, m).first;
    if (first->additions > first->groups * allowed)
        test.fail(under_test.program, {"too many additions: " + std::to_string(first->additions) +
                                           " for " + grader::count_of(first->groups, "group") +
                                           " of " + std::to_string(m) + " elements",
                                       {grader::show_work(*first)},
                                       "scan_groups"});
    check_span(test, under_test.program, *first, span_of_scan(m));
    check_comparisons(test, under_test, *first, m);
    check_loads(test, under_test.program, {*first},
                {many_elements * sizeof(float), sizeof(float), m});
}

} // namespace

Examples examples(const Lab& under_test, const std::vector<SmallTrial>& trials) {
    const auto attempt = [under_test](grader::Case& test, const SmallTrial& trial) {
        const std::vector<float> values = digits(test.random(), trial.n);
        test.trial(parameters(trial.n, trial.work_group_size), [&] {
            const grader::Run run = scan(test, under_test, values, trial.work_group_size);
            const std::span<const float> got = run.array<float>();
            const std::vector<double> expected = reference(under_test.kind, values);
            test.show_result(expected, {got.begin(), got.end()});
            compare_exactly(test, under_test, values, got, trial.work_group_size);
        });
    };
    return examples_of(attempt, trials);
}

namespace {

/// Replaces the numbers from `begin` to `end` by their scan and returns their sum.
double scan_in_place(Kind kind, std::vector<double>& numbers, std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double number = numbers[i];
        numbers[i] = kind == Kind::exclusive ? sum : sum + number;
        sum += number;
    }
    return sum;
}

} // namespace

grader::Effect effect(const Lab& under_test) {
    if (under_test.single_pass)
        return [kind = under_test.kind](const wire::Trace& /*launch*/,
                                        grader::BufferContents& contents) {
            contents[1] = contents[0];
            scan_in_place(kind, contents[1], 0, contents[1].size());
        };
    return [under_test](const wire::Trace& launch, grader::BufferContents& contents) {
        std::vector<double>& values = contents[0];
        std::vector<double>& of_groups = contents[1]; // the sums, or what comes before each group
        const std::size_t per_group = launch.group_size * under_test.elements_per_item;
        for (std::size_t group = 0; group < launch.groups; ++group) {
            const std::size_t begin = std::min(group * per_group, values.size());
            const std::size_t end = std::min(begin + per_group, values.size());
            if (launch.kernel == "scan_groups") {
                const double sum = scan_in_place(under_test.kind, values, begin, end);
                if (group < of_groups.size())
                    of_groups[group] = sum;
                continue;
            }
            const std::size_t offset = under_test.kind == Kind::exclusive ? group : group - 1;
            for (std::size_t i = begin; i < end && offset < of_groups.size(); ++i)
                values[i] += of_groups[offset];
        }
    };
}

void check_work(grader::Case& test, const Lab& under_test) {
    // Enough groups to detect a serial scan of their sums, and groups large enough to detect
    // log2(m).
    const std::string summary = check_work_of(test, under_test, 64, 64);
    const std::size_t local_bytes = 2 * under_test.elements_per_item * sizeof(float);
    const std::size_t large =
        group_size_up_to(test, under_test.program, "scan_groups", local_bytes, 1024);
    check_work_of(test, under_test, large, 2);
    check_work_of(test, under_test, draw_group_size(test.random(), large), 4);
    check_work_at_ends(test, under_test);
    test.remark(summary);
}

void check_launches(grader::Case& test, const Lab& under_test) {
    const std::size_t size = 32;
    const std::size_t per_group = size * under_test.elements_per_item;
    const std::size_t groups = 20;
    for (const std::size_t n : {groups * per_group - 7, groups * per_group}) {
        const std::vector<float> values = grader::whole_numbers(test.random(), n);
        test.trial(parameters(n, size), [&] {
            const grader::Run run = check_exact(test, under_test, values, size);
            ::check_launches(
                test, under_test.program, run,
                {"scan_groups", size, groups * size, per_group * sizeof(float), n * sizeof(float)});
            test.require_kernels(under_test.program, run, n * sizeof(float), under_test.function,
                                 values, size);
        });
    }
}

void check_time(grader::Case& test, const Lab& under_test) {
    const std::size_t n = elements_to_time(test, scan_bound);
    const std::size_t local_bytes = 2 * under_test.elements_per_item * sizeof(float);
    const std::size_t size =
        group_size_up_to(test, under_test.program, "scan_groups", local_bytes, 256);
    const std::vector<float> values = grader::whole_numbers(test.random(), n);
    test.trial(parameters(n, size), [&] { check_exact(test, under_test, values, size); });
    const double bytes = 2 * sizeof(float); // read once, written once
    for (grader::SpeedLimit limit :
         {against_copy(n, bytes, size), against_scalar_tree(n, bytes, size, scan_bound)}) {
        limit.check = [&](const grader::Run& run) {
            compare_exactly(test, under_test, values, run.array<float>(), size);
        };
        test.time(under_test.program, limit, under_test.function, values, size);
    }
}

} // namespace scans
