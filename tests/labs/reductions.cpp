#include "reductions.hpp"

#include "element_counts.hpp"
#include "hosts.hpp"
#include "trials.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace reductions {
namespace {

using grader::Suspect;

constexpr std::string_view zero_question =
    ": is the data padded with 0, or does something begin with 0?";
constexpr const char* no_element = "the result is the operator's identity: no element was combined";

/// Processors convert infinity to the smallest int or to the largest one, which is 2^31 as a float.
constexpr const char* infinity_as_int =
    "somewhere, a float is converted to an int: no int holds infinity, the identity";

double combine(Operator op, double a, double b) {
    switch (op) {
    case Operator::minimum:
        return std::min(a, b);
    case Operator::maximum:
        return std::max(a, b);
    default:
        return a + b;
    }
}

void combine_into(double& result, Operator op, double value) {
    result = combine(op, result, value);
}

/// How a lab shares the elements.
struct Shape {
    std::size_t items;    ///< work-items of a group
    std::size_t lanes;    ///< elements of a work-item
    bool several_kernels; ///< they reduce until one group is left; otherwise the host continues
};

Shape shape_of(const Lab& lab, std::size_t work_group_size) {
    return {work_group_size, lab.lanes, lab.kernel.empty()};
}

/// The reduction of those elements whose index `belongs`.
template <class Belongs>
double reduce_some(Operator op, const std::vector<float>& values, const Belongs& belongs) {
    double result = identity(op);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (belongs(i))
            result = combine(op, result, double{values[i]});
    }
    return result;
}

/// The reduction of the elements without their signs.
double reduce_magnitudes(Operator op, const std::vector<float>& values) {
    double result = identity(op);
    for (const float value : values)
        result = combine(op, result, std::fabs(double{value}));
    return result;
}

/// Combines a group's elements of one lane, rightly or not, and leaves the result in the first.
using Tree = std::function<void(std::vector<double>& elements)>;

/// Combines the lanes of a group's vector, rightly or not.
using Lanes = std::function<double(std::span<const double> lanes)>;

/// The parts of a reduction, right or wrong.
struct Steps {
    Tree tree;
    Lanes lanes;
    Operator host;
    bool starts_with_first = false; ///< group's result; the host starts with the identity otherwise
};

/// A tree that combines all elements.
Tree tree_of(Operator op) {
    return [=](std::vector<double>& elements) {
        for (std::size_t i = 1; i < elements.size(); ++i)
            combine_into(elements.front(), op, elements[i]);
    };
}

/// All elements, combined by their bits as if these were an integer of type `Bits`.
template <class Bits> double reduce_bits(Operator op, std::span<const double> elements) {
    const auto bits = [](double value) { return std::bit_cast<Bits>(static_cast<float>(value)); };
    return op == Operator::minimum ? *std::ranges::min_element(elements, {}, bits)
                                   : *std::ranges::max_element(elements, {}, bits);
}

/// All lanes, combined one after the other.
Lanes lanes_by(Operator op) {
    return [=](std::span<const double> lanes) {
        double result = lanes.front();
        for (const double lane : lanes.subspan(1))
            combine_into(result, op, lane);
        return result;
    };
}

/// What the algorithm of the lab computes with these steps.
double reduce_by(const Steps& steps, Operator op, const Shape& shape,
                 const std::vector<float>& values) {
    std::vector<double> left(values.begin(), values.end());
    const std::size_t per_group = shape.items * shape.lanes;
    double result = identity(steps.starts_with_first ? steps.host : op);
    for (;;) {
        left.resize((left.size() + per_group - 1) / per_group * per_group, identity(op));
        std::vector<double> vectors; // of one group after the other
        for (std::size_t begin = 0; begin < left.size(); begin += per_group) {
            for (std::size_t lane = 0; lane < shape.lanes; ++lane) {
                std::vector<double> elements;
                for (std::size_t i = begin + lane; i < begin + per_group; i += shape.lanes)
                    elements.push_back(left[i]);
                steps.tree(elements);
                vectors.push_back(elements.front());
            }
        }
        if (shape.several_kernels && vectors.size() > shape.lanes) {
            left = std::move(vectors);
            continue;
        }
        for (std::size_t group = 0; group < vectors.size(); group += shape.lanes) {
            const double of_group = steps.lanes(std::span(vectors).subspan(group, shape.lanes));
            if (shape.several_kernels)
                return of_group;
            combine_into(result, steps.host, of_group);
        }
        return result;
    }
}

/// Four lanes of which some are added, and the others combined with `op`.
std::vector<Lanes> lanes_with_a_sum(Operator op) {
    return {
        [=](auto v) { return combine(op, v[0], v[1]) + combine(op, v[2], v[3]); },
        [=](auto v) { return combine(op, v[0] + v[1], v[2] + v[3]); },
        [=](auto v) { return combine(op, combine(op, v[0], v[1]), v[2]) + v[3]; },
        [=](auto v) { return combine(op, combine(op, v[0], v[1]), v[2] + v[3]); },
        [=](auto v) { return combine(op, v[0] + v[1], combine(op, v[2], v[3])); },
    };
}

constexpr const char* kernel_adds =
    "the kernel adds where it must use COMBINE: this is not only for sums";
constexpr const char* host_adds = "the host adds the results of the groups; use combine()";
constexpr const char* combines_with_fmin = "the tree combines with fmin(); use COMBINE";
constexpr const char* combines_with_fmax = "the tree combines with fmax(); use COMBINE";

/// The maximum instead of the minimum, and the other way around.
Operator other_extreme(Operator op) {
    return op == Operator::minimum ? Operator::maximum : Operator::minimum;
}

std::string call_of(Operator extreme) { return extreme == Operator::minimum ? "min()" : "max()"; }

std::string combines_with_other(Operator op) {
    return "the kernel combines with " + call_of(other_extreme(op)) + "; use COMBINE";
}

std::string host_takes_other(Operator op) {
    return "the host takes the " + name_of(other_extreme(op)) +
           " of the results of the groups; use combine()";
}

/// The results of using another operator somewhere.
std::vector<Suspect> suspects_of_operators(Operator op, const Shape& shape,
                                           const std::vector<float>& values) {
    constexpr Operator sum = Operator::sum;
    std::vector<Suspect> list;
    const auto add = [&](Operator tree, Operator lanes, Operator host, const std::string& mistake) {
        list.push_back(
            {reduce_by({tree_of(tree), lanes_by(lanes), host}, op, shape, values), mistake});
    };
    add(sum, op, op, kernel_adds);
    const Operator other = other_extreme(op);
    const std::string extreme = call_of(other) + "; use COMBINE";
    if (shape.lanes > 1) {
        add(sum, sum, op, kernel_adds);
        add(op, sum, op, "the lanes of the float4 are added, as dot() does; use COMBINE");
        add(op, other, op, "the lanes of the float4 are combined with " + extreme);
        for (const Lanes& some_added : lanes_with_a_sum(op))
            list.push_back({reduce_by({tree_of(op), some_added, op}, op, shape, values),
                            "some of the lanes of the float4 are added; use COMBINE for all"});
    }
    add(other, other, op, combines_with_other(op));
    const auto add_by_bits = [&](const auto& reduce, const std::string& type) {
        const Tree tree = [&](std::vector<double>& elements) {
            elements.front() = reduce(op, elements);
        };
        const Lanes lanes = [&](std::span<const double> all) { return reduce(op, all); };
        list.push_back({reduce_by({tree, lanes, op}, op, shape, values),
                        "the kernel compares the bits of the floats as " + type +
                            ", which orders negative numbers the wrong way",
                        {},
                        true});
    };
    add_by_bits(reduce_bits<std::int32_t>, "ints");
    add_by_bits(reduce_bits<std::uint32_t>, "uints");
    if (shape.several_kernels)
        return list;
    add(op, op, sum, host_adds);
    list.back().is_by_host = true;
    for (const bool from_first : {false, true})
        list.push_back(
            {.value = reduce_by({tree_of(op), lanes_by(op), other, from_first}, op, shape, values),
             .mistake = host_takes_other(op),
             .is_by_host = true});
    if (shape.lanes == 1)
        return list;
    double of_sums = identity(op); // of each work-item's lanes
    for (std::size_t begin = 0; begin < values.size(); begin += shape.lanes) {
        double lanes = 0;
        for (std::size_t i = begin; i < begin + shape.lanes; ++i)
            lanes += i < values.size() ? double{values[i]} : identity(op);
        combine_into(of_sums, op, lanes);
    }
    list.push_back({of_sums, "the lanes of each float4 are added when it is loaded; use COMBINE"});
    return list;
}

/// The results of typical mistakes that do not depend on how the elements are shared, except for those
/// in an operator.
std::vector<Suspect> suspects_without_groups(Operator op, const Shape& shape,
                                             const std::vector<float>& values) {
    std::vector<Suspect> list;
    if (op == Operator::sum) {
        const double all = reference(op, values);
        double bits = 0;
        for (const float value : values)
            bits += std::bit_cast<std::int32_t>(value);
        list.push_back({bits,
                        "the bits of the elements are added as ints: the kernel reads floats "
                        "through a pointer to int",
                        {},
                        true});
        const std::size_t per_group = shape.items * shape.lanes;
        const std::size_t padding = (per_group - values.size() % per_group) % per_group;
        list.push_back({all + static_cast<double>(padding) * double{values.back()},
                        "the padding repeats the last element: pad with identity(op)"});
        list.push_back({2 * all, "every element is counted twice"});
        list.push_back({all + double{values.back()}, "the last element is counted twice"});
        list.push_back({all + double{values.front()}, "the first element is counted twice"});
        list.push_back({static_cast<double>(values.size()), "this is the number of elements"});
        list.push_back({*std::ranges::max_element(values), "this is the maximum"});
        list.push_back({*std::ranges::min_element(values), "this is the minimum"});
        for (const auto& [other, mistake] : {std::pair{Operator::minimum, combines_with_fmin},
                                             std::pair{Operator::maximum, combines_with_fmax}})
            list.push_back({reduce_by({tree_of(other), lanes_by(shape.lanes > 1 ? op : other), op},
                                      op, shape, values),
                            mistake,
                            {},
                            true});
    } else {
        list.push_back(
            {.value = 0,
             .mistake = "0 is not the identity of the " + name_of(op) + std::string(zero_question),
             .is_in_padding = true});
        for (const double most : {-0x1p31, 0x1p31})
            list.push_back({.value = most,
                            .mistake = infinity_as_int,
                            .is_by_kernel = true,
                            .is_in_padding = true});
        list.push_back({reference(Operator::sum, values), "this is the sum"});
        list.push_back(
            {reference(op == Operator::minimum ? Operator::maximum : Operator::minimum, values),
             "this is the opposite extreme"});
        list.push_back(
            {.value = double{std::numeric_limits<float>::min()},
             .mistake = "FLT_MIN is the smallest float above 0, not the identity of the maximum",
             .is_in_padding = true});
        for (const Suspect& one : suspects_of_operators(op, shape, values))
            list.push_back(one);
    }
    const auto right = static_cast<float>(reference(op, values));
    list.push_back(
        {double{static_cast<float>(std::bit_cast<std::int32_t>(right))},
         "these are the bits of the right result: the host has read a float into an int"});
    return list;
}

/// The result if each step of the tree combines lane x of the partner into all lanes.
double reduce_first_lanes(Operator op, const std::vector<float>& values, const Shape& shape) {
    const std::size_t lanes = shape.lanes;
    const std::size_t per_group = shape.items * lanes;
    double result = identity(op);
    for (std::size_t begin = 0; begin < values.size(); begin += per_group) {
        std::vector<double> elements(per_group, identity(op));
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
                  values.begin() +
                      static_cast<std::ptrdiff_t>(std::min(begin + per_group, values.size())),
                  elements.begin());
        for (std::size_t i = shape.items / 2; i > 0; i /= 2) {
            for (std::size_t k = 0; k < i * lanes; ++k)
                combine_into(elements[k], op, elements[(k / lanes + i) * lanes]);
        }
        for (std::size_t lane = 0; lane < lanes; ++lane)
            combine_into(result, op, elements[lane]);
    }
    return result;
}

/// The results of typical mistakes in the lanes of each vector.
std::vector<Suspect> suspects_of_lanes(Operator op, const std::vector<float>& values,
                                       const Shape& shape) {
    const std::size_t lanes = shape.lanes;
    const grader::Hints all_lanes{
        "What happens to the lanes y, z and w of the last float4?",
        "Combine all four lanes at the end: x with y, z with w, and then both results."};
    std::vector<Suspect> list;
    const auto add = [&](const std::string& mistake, const auto& belongs) {
        list.push_back({reduce_some(op, values, belongs), mistake, all_lanes});
    };
    add("only lane x of each float4 is included", [&](auto i) { return i % lanes == 0; });
    add("only lanes x and y of each float4 are included", [&](auto i) { return i % lanes < 2; });
    add("only lanes x and z of each float4 are included",
        [&](auto i) { return i % lanes % 2 == 0; });
    const std::string names = "xyzw";
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::string missing =
            std::string("lane ") + names[lane] + " of each float4 is missing";
        const double rest = reduce_some(op, values, [&](auto i) { return i % lanes != lane; });
        list.push_back({rest, missing, all_lanes});
        for (std::size_t twice = 0; op == Operator::sum && twice < lanes; ++twice) {
            if (twice != lane)
                list.push_back(
                    {rest + reduce_some(op, values, [&](auto i) { return i % lanes == twice; }),
                     missing + ", and lane " + names[twice] + " is counted twice", all_lanes});
        }
    }
    if (!shape.several_kernels)
        list.push_back({reduce_first_lanes(op, values, shape),
                        "each step combines lane x of the partner into all four lanes: the partner "
                        "is a whole float4, without .x",
                        all_lanes});
    list.push_back(
        {reduce_some(op, values, [&](auto i) { return i < values.size() / lanes * lanes; }),
         "elements beyond the last whole float4 are missing"});
    if (op != Operator::sum)
        return list;
    list.push_back({static_cast<double>(lanes) * reference(op, values),
                    "every element is counted four times: the four lanes are combined too early, "
                    "and again at the end"});
    const std::size_t per_group =
        shape.several_kernels ? std::max<std::size_t>(1, values.size()) : shape.items * lanes;
    double squares = 0; // of the lanes of each sum that the host, or the last kernel, takes
    for (std::size_t begin = 0; begin < values.size(); begin += per_group) {
        std::vector<double> sums(lanes);
        for (std::size_t i = begin; i < std::min(begin + per_group, values.size()); ++i)
            sums[i % lanes] += double{values[i]};
        squares += std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0);
    }
    list.push_back(
        {squares, std::string("the lanes of ") +
                      (shape.several_kernels ? "the last float4" : "each group's float4") +
                      " are squared: dot(v, v) multiplies v by itself; "
                      "dot(v, (float4)(1.0f)) adds its lanes"});
    return list;
}

/// The results of typical mistakes within each group of several work-items.
std::vector<Suspect> suspects_of_items(Operator op, const std::vector<float>& values,
                                       const Shape& shape) {
    const std::size_t items = shape.items;
    const grader::Hints steps_of_tree{
        "Write down the distances of your tree for a group of 8. Which one is missing?",
        "The first distance is half of the group, get_local_size(0) / 2, the last one is 1, and "
        "each is half of the one before it.",
        "The loop continues while the distance is above 0. In each round, each work-item whose "
        "local id is less than the distance combines its element with the element at lid + "
        "distance."};
    std::vector<Suspect> list;
    const std::size_t vectors = (values.size() + shape.lanes - 1) / shape.lanes;
    enum class Wrong { everywhere, before_the_last, in_the_last }; // launches
    const auto add = [&](const std::string& mistake, const auto& belongs) {
        // The results of the groups are the elements of the next launch, if there is one.
        const auto arrives = [&](std::size_t i, Wrong wrong) {
            std::size_t vector = i / shape.lanes;
            for (std::size_t left = vectors;; left = (left + items - 1) / items) {
                const bool is_last = !shape.several_kernels || left <= items;
                const bool is_wrong =
                    wrong == Wrong::everywhere || (wrong == Wrong::in_the_last) == is_last;
                if (is_wrong && !belongs(vector % items))
                    return false;
                if (is_last)
                    return true;
                vector /= items;
            }
        };
        const auto add_launches = [&](Wrong wrong, const std::string& launches) {
            list.push_back({reduce_some(op, values, [&](auto i) { return arrives(i, wrong); }),
                            launches + mistake, steps_of_tree});
        };
        add_launches(Wrong::everywhere, "");
        if (shape.several_kernels && vectors > items)
            add_launches(Wrong::before_the_last, "in the launches before the last, ");
        if (shape.several_kernels)
            add_launches(Wrong::in_the_last, "in the last launch, ");
    };
    add("only the element of work-item 0 of each group is included: nothing that the tree "
        "adds up reaches the result",
        [](auto item) { return item == 0; });
    add("each group lacks the upper half of its elements: the step of half the group is missing",
        [&](auto item) { return item < items / 2; });
    add("each group lacks every second element: the step of distance 1 is missing, or its "
        "result is not stored",
        [](auto item) { return item % 2 == 0; });
    if (shape.several_kernels)
        return list;
    add("only the element of the last work-item of each group is included: is that where your tree "
        "leaves the group's result?",
        [&](auto item) { return item + 1 == items; });
    list.back().hints = {"Which element of local memory has the group's result after the tree?",
                         "In the handout's tree it is partial_results[0], so work-item 0 writes "
                         "it to the output."};
    return list;
}

/// The results of typical mistakes in the steps of the tree.
std::vector<Suspect> suspects_of_trees(Operator op, const std::vector<float>& values,
                                       const Shape& shape) {
    // A tree whose work-item `lid` does step(elements, lid, i) in the step of distance i.
    const auto tree_of_steps = [](std::size_t divisor, const auto& step) -> Tree {
        return [=](std::vector<double>& elements) {
            for (std::size_t i = elements.size() / 2; i > 0; i /= divisor) {
                for (std::size_t lid = 0; lid < i; ++lid)
                    step(elements, lid, i);
            }
        };
    };
    using Elements = std::vector<double>;
    const Tree skips_steps = tree_of_steps(4, [=](Elements& all, std::size_t lid, std::size_t i) {
        combine_into(all[lid], op, all[lid + i]);
    });
    const Tree takes_one_partner =
        tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t i) {
            combine_into(all[lid], op, all[i]);
        });
    const Tree adds_itself = tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t i) {
        all[lid] += combine(op, all[lid], all[lid + i]);
    });
    const Tree reads_what_was_loaded =
        tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t i) {
            if (lid == 0)
                combine_into(all[0], op, all[i]);
        });
    const Tree takes_mirrored =
        tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t /*i*/) {
            combine_into(all[lid], op, all[all.size() - 1 - lid]);
        });
    const Tree takes_other_half =
        tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t /*i*/) {
            combine_into(all[lid], op, all[lid + all.size() / 2]);
        });
    const Tree leaves_out_the_last =
        tree_of_steps(2, [=](Elements& all, std::size_t lid, std::size_t i) {
            if (lid + 1 < i)
                combine_into(all[lid], op, all[lid + i]);
        });
    const char* const same_partner = "in every step, a work-item takes the same partner; it must "
                                     "depend on the distance i, as lid + i does";
    const char* const which_partner =
        "Which element does work-item 0 take in each step, in a group of 8?";
    std::vector<Suspect> list;
    for (const auto& [tree, mistake, hint] :
         {std::tuple{skips_steps, "every other step of the tree is missing: halve the distance",
                     "Write down the distances of your tree for a group of 16."},
          {takes_one_partner,
           "in a step of distance i, all work-items take element i; each must take the one that is "
           "i to the right of its own, lid + i",
           "Which element does work-item 1 take in a step of distance 4?"},
          {reads_what_was_loaded,
           "only elements 0, 1, 2, 4, 8, ... of each group are included: does each step store its "
           "result in local memory, where the next step reads it? If so, does the first step have "
           "the largest distance, and is there a barrier after each step?",
           "Where does a work-item store what it has combined, and which work-item reads it in the "
           "next step?"},
          {takes_mirrored, same_partner, which_partner},
          {takes_other_half, same_partner, which_partner},
          {leaves_out_the_last,
           "in each step of distance i, work-item i - 1 does nothing: the condition is lid < i",
           "Which work-items add in a step of distance 1?"},
          {adds_itself,
           "each step adds the work-item's own element twice: write = before COMBINE, not +=",
           "What is a += a + b?"}})
        list.push_back({reduce_by({tree, lanes_by(op), op}, op, shape, values), mistake, {hint}});
    return list;
}

/// The sum if the work-item with the number gid takes the float4 with the number gid / 4.
double sum_of_repeated_vectors(const std::vector<float>& values, std::size_t lanes,
                               std::size_t work_items) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size() && i / lanes * 4 < work_items; ++i)
        sum += static_cast<double>(std::min<std::size_t>(4, work_items - i / lanes * 4)) *
               double{values[i]};
    return sum;
}

/// The sum if each group begins one element after the one before it.
double sum_of_shifted_groups(const std::vector<float>& values, std::size_t per_group) {
    const std::size_t n = values.size();
    std::vector<double> before{0}; // the sum of all elements before each one
    for (const float value : values)
        before.push_back(before.back() + double{value});
    double sum = 0;
    for (std::size_t group = 0; group * per_group < n; ++group)
        sum += before[std::min(group + per_group, n)] - before[group];
    return sum;
}

grader::Hints all_results() {
    return {"How many partial results are there, and how many do you combine?",
            "Each group writes to output[get_group_id(0)]. Combine one result for each group, from "
            "the first to the last."};
}

/// The results if a group is missing, or counts twice, on the host.
std::vector<Suspect> suspects_of_results(Operator op, const std::vector<float>& values,
                                         const Shape& shape) {
    if (shape.several_kernels)
        return {};
    const std::size_t n = values.size();
    const std::size_t per_group = shape.items * shape.lanes;
    const std::size_t groups = (n + per_group - 1) / per_group;
    const double last =
        reduce_some(op, values, [&](auto i) { return i >= (groups - 1) * per_group; });
    std::vector<Suspect> list{{reduce_some(op, values, [&](auto i) { return i >= per_group; }),
                               "the first group is missing: its result is at index 0",
                               all_results()}};
    if (groups > 1)
        list.push_back({last, "only the last group is included", all_results()});
    constexpr std::size_t floats_of_vector = 4;
    if (groups > 1)
        list.push_back(
            {reduce_some(op, values, [&](auto i) { return i / per_group % floats_of_vector == 0; }),
             "only the result of every fourth group is included: each result is one "
             "float, not a float4",
             all_results()});
    if (op != Operator::sum)
        return list;
    list.push_back({reference(op, values) +
                        reduce_some(op, values, [&](auto i) { return i < std::min(per_group, n); }),
                    "the result of the first group is counted twice: begin with identity(op), or "
                    "add from the second group on",
                    all_results()});
    list.push_back({2 * last,
                    "the last group is counted twice, and the others are missing: combine "
                    "the result so far with the next one",
                    all_results()});
    return list;
}

/// A kernel that multiplies, in a tree. What is not finite depends on the tree, so it is a NaN.
Suspect suspect_of_products(const Shape& shape, const std::vector<float>& values,
                            bool multiplies_lanes) {
    constexpr Operator op = Operator::sum;
    const Lanes multiply = [](std::span<const double> all) {
        std::vector<float> products(all.begin(), all.end());
        for (std::size_t distance = std::bit_ceil(all.size()) / 2; distance > 0; distance /= 2) {
            for (std::size_t i = 0; i < distance && i + distance < all.size(); ++i)
                products[i] *= products[i + distance];
        }
        return double{products.front()};
    };
    const Tree tree = [&](std::vector<double>& elements) { elements.front() = multiply(elements); };
    const double result =
        reduce_by({tree, multiplies_lanes ? multiply : lanes_by(op), op}, op, shape, values);
    return {std::isfinite(result) ? result : std::numeric_limits<double>::quiet_NaN(),
            "the kernel multiplies where it must use COMBINE",
            {},
            true};
}

/// The results of typical mistakes for `values`, in groups of `items` work-items that take `lanes`
/// elements each.
std::vector<Suspect> suspects(Operator op, const std::vector<float>& values, const Shape& shape) {
    assert(shape.items > 0 && shape.lanes > 0);
    const std::size_t n = values.size();
    const std::size_t per_group = shape.items * shape.lanes;
    const std::size_t whole = n / per_group * per_group; // elements in full groups
    const std::size_t groups = (n + per_group - 1) / per_group;
    const grader::Hints rounding_up{
        "How many groups are there if a few elements do not fill a group?",
        "Round up: the number of groups is (n + per_group - 1) / per_group, where per_group is "
        "what a group takes. Buffers, launches and the host's sum all use that number."};
    const grader::Hints global_id{
        "Which element of data does work-item 0 of group 1 load?",
        "get_local_id(0) starts at 0 in every group; get_global_id(0) keeps counting."};
    std::vector<Suspect> list{{identity(op), no_element}};
    const auto first = [&](std::size_t count) {
        return reduce_some(op, values, [&](auto i) { return i < count; });
    };
    const auto append = [&](const std::vector<Suspect>& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    const auto append_of_kernel = [&](std::vector<Suspect> more) {
        for (Suspect& one : more)
            one.is_by_kernel = true;
        append(more);
    };
    if (whole != n && whole != 0)
        list.push_back(
            {first(whole), "the last group, which is not full, is missing", rounding_up});
    if (groups > 1)
        list.push_back({first(per_group), "only the first group is included", all_results()});
    append(suspects_of_results(op, values, shape));
    list.push_back({first((groups - 1) * per_group), "the last group is missing", all_results()});
    if (op == Operator::sum && groups > 1 && !shape.several_kernels)
        list.push_back({static_cast<double>(groups) * first(per_group),
                        "every group has loaded the elements of the first one: the local id is the "
                        "same in each group, so use the global id",
                        global_id});
    if (op == Operator::sum && shape.lanes == 1 && groups > 1)
        list.push_back({sum_of_shifted_groups(values, per_group),
                        "group g has loaded elements starting at index g; it must start at index g "
                        "* work-group size",
                        global_id});
    if (op == Operator::sum && shape.lanes > 1 && !shape.several_kernels) {
        const double sum = sum_of_repeated_vectors(values, shape.lanes, groups * shape.items);
        list.push_back({sum,
                        "four work-items have loaded the same float4: get_global_id(0) already "
                        "counts float4 values",
                        global_id});
    }
    if (shape.lanes > 1)
        append_of_kernel(suspects_of_lanes(op, values, shape));
    if (shape.items > 1) {
        append_of_kernel(suspects_of_items(op, values, shape));
        append_of_kernel(suspects_of_trees(op, values, shape));
    }
    if (op == Operator::sum) { // a wrong minimum or maximum follows
        for (const bool multiplies_lanes : {false, true})
            list.push_back(suspect_of_products(shape, values, multiplies_lanes));
    }
    list.push_back({reduce_magnitudes(op, values), takes_magnitudes});
    list.push_back({first(n - 1), "the last element is missing"});
    list.push_back(
        {reduce_some(op, values, [](auto i) { return i > 0; }), "the first element is missing"});
    append(suspects_without_groups(op, shape, values));
    return list;
}

bool has_both_signs(const std::vector<float>& values) {
    return std::ranges::any_of(values, [](float one) { return one < 0; }) &&
           std::ranges::any_of(values, [](float one) { return one > 0; });
}

/// Whole numbers to try next, as many as need six groups. Whole numbers of one sign have the extreme
/// element at the same place as `values`. Unless they fill all groups, the last group and the last vector are full
/// exactly if those of `values` are.
std::vector<float> probe_like(grader::Case& test, Operator op, const std::vector<float>& values,
                              const Shape& shape, bool fills_groups) {
    const std::size_t per_group = shape.items * shape.lanes;
    std::size_t n = 6 * per_group;
    if (!fills_groups && values.size() % per_group != 0)
        n -= per_group / 2;
    if (!fills_groups && values.size() % shape.lanes != 0)
        ++n;
    if (op != Operator::sum && has_both_signs(values))
        return numbers_of_both_signs(test.random(), n);
    std::vector<float> probe = grader::whole_numbers(test.random(), n);
    if (op == Operator::sum)
        return probe;
    const float sign = op == Operator::minimum ? 1.0F : -1.0F;
    for (float& value : probe)
        value = sign * std::max(9.0F, std::fabs(value));
    const auto extreme = op == Operator::minimum ? std::ranges::min_element(values)
                                                 : std::ranges::max_element(values);
    const auto original = static_cast<std::size_t>(extreme - values.begin());
    const std::size_t position = original == 0 ? 0
                                 : original + 1 == values.size()
                                     ? n - 1
                                     : 2 * per_group + original % per_group;
    // The next ones are in the other lanes: of the same work-item, with lane y first, or each of another
    // work-item, with lane z first.
    const std::size_t group = position - position % per_group;
    const std::size_t item = position % per_group / shape.lanes;
    float next = 3.0F; // an odd number is not the sum of two
    for (std::size_t i = 1; i <= shape.lanes; ++i) {
        const std::size_t lane = (fills_groups ? i + 1 : i) % shape.lanes;
        const std::size_t owner = fills_groups ? (item + i) % shape.items : item;
        const std::size_t place = group + owner * shape.lanes + lane;
        if (lane != position % shape.lanes && place < n)
            probe[place] = sign * std::exchange(next, next + 2);
    }
    probe[position] = sign;
    return probe;
}

/// The hints for the only mistake in `found`, if it has any.
std::optional<grader::Hints> hints_of(const std::vector<std::string>& found,
                                      const std::vector<Suspect>& list) {
    for (const Suspect& one : list) {
        if (found.size() == 1 && one.mistake == found.front() && !one.hints.empty())
            return one.hints;
    }
    return std::nullopt;
}

/// A reduction that was tried.
struct Tried {
    std::vector<Suspect> suspects;
    double right;
    double got;
};

/// Whether a mistake that leads to `value` leads to `got`, too: floats above 2^24 round, and a NaN stands
/// for everything that is not finite.
bool leads_to(double value, double got) {
    constexpr double most_exact = 1 << 24;
    constexpr double error = 1e-5;
    return value == got || (std::isnan(value) && !std::isfinite(got)) ||
           (std::isfinite(value) && std::fabs(value) > most_exact &&
            std::fabs(value - got) <= error * std::fabs(value));
}

/// Whether a mistake leads to what was got. One that cannot be made with so many elements leads to
/// the right result, and so does wrong padding where there is none.
bool explains(const std::string& mistake, const Tried& tried) {
    const bool is_right = tried.got == tried.right;
    bool can_be_made = false;
    for (const Suspect& one : tried.suspects) {
        if (one.mistake != mistake)
            continue;
        if (leads_to(one.value, tried.got) || (one.is_in_padding && is_right))
            return true;
        can_be_made = true;
    }
    return !can_be_made && is_right;
}

/// Whether the host or the kernels caused a wrong result.
enum class Fault { unknown, host, kernels };

/// What the results that the host read back say about its own result `got`. If they are right, the host
/// is at fault. If there are several and `got` is their combination, the kernels are.
Fault fault_of(const grader::Case& test, Operator op, double expected, double got, double allowed) {
    const std::vector<float>& read = test.last_read();
    if (read.empty() || got == expected)
        return Fault::unknown;
    double combined = identity(op);
    for (const float one : read)
        combine_into(combined, op, double{one});
    const auto is_combined_to = [&](double value) { // false for a NaN
        return combined == value || std::fabs(combined - value) <= allowed;
    };
    if (is_combined_to(expected))
        return Fault::host;
    return read.size() > 1 && is_combined_to(got) ? Fault::kernels : Fault::unknown;
}

/// The suspects that can be at fault.
std::vector<Suspect> without_cleared(std::vector<Suspect> list, Fault fault) {
    std::erase_if(list, [&](const Suspect& one) {
        return (one.is_by_kernel && fault == Fault::host) ||
               (one.is_by_host && fault == Fault::kernels);
    });
    return list;
}

/// The mistakes that explain the extreme `got` of elements that are all infinite.
std::vector<std::string> explanations_if_infinite(double got) {
    if (!std::isfinite(got))
        return {};
    if (std::fabs(got) == double{std::numeric_limits<float>::max()})
        return {"FLT_MAX is the largest finite float: the identity of the minimum is INFINITY, and "
                "that of the maximum is -INFINITY"};
    if (std::fabs(got) == 0x1p31)
        return {infinity_as_int};
    return {
        "a finite number, such as 0, is combined with the elements: the identity of the minimum is "
        "INFINITY, that of the maximum -INFINITY (identity(op), IDENTITY)"};
}

/// Drops mistakes that have the same results as more likely ones, or joins them: infinity absorbs what is
/// added to it, and if no element arrives, the result is that of padding.
void drop_unlikely(std::set<std::string>& found, Operator op, bool nothing_arrives) {
    if (found.contains(kernel_adds))
        found.erase(combines_with_other(op));
    if (found.contains(host_adds) && found.erase(host_takes_other(op)) != 0) {
        found.erase(host_adds);
        found.insert("the host adds the results of the groups, or takes their " +
                     name_of(other_extreme(op)) + "; use combine()");
    }
    if (nothing_arrives) {
        found.erase(combines_with_fmin);
        found.erase(combines_with_fmax);
    }
    if (found.size() > 1) // it is true, but another mistake explains it
        found.erase(no_element);
}

/// The mistakes that explain `got`, which is `exact` if the numbers do not round. A small input leaves
/// several explanations, or one by chance, so a mistake must explain the results of two others, too.
std::vector<std::string> explanations(grader::Case& test, const Lab& under_test, Operator op,
                                      const std::vector<float>& values, double got, bool exact,
                                      std::size_t work_group_size, Fault fault) {
    const Shape shape = shape_of(under_test, work_group_size);
    if (std::ranges::none_of(values, [](float one) { return std::isfinite(one); }))
        return explanations_if_infinite(got);
    std::vector<Tried> tried;
    for (const bool fills_groups : {false, true}) {
        const std::vector<float> probe = probe_like(test, op, values, shape, fills_groups);
        const bool returned = test.examine([&] {
            const double other = under_test.reduce(test, program_for(under_test.file, op), op,
                                                   probe, work_group_size);
            tried.push_back({suspects(op, probe, shape), reference(op, probe), other});
            if (fault == Fault::unknown)
                fault = fault_of(test, op, tried.back().right, other, 0);
        });
        if (!returned)
            return {};
    }
    for (Tried& one : tried)
        one.suspects = without_cleared(std::move(one.suspects), fault);
    const Tried first{without_cleared(suspects(op, values, shape), fault), reference(op, values),
                      got};
    const bool any_wrong =
        std::ranges::any_of(tried, [](const Tried& one) { return one.got != one.right; });
    std::set<std::string> found;
    for (const Suspect& one : first.suspects) {
        if (exact && leads_to(one.value, got))
            found.insert(one.mistake);
    }
    for (const Suspect& one : tried.front().suspects) {
        if (any_wrong && (!exact || explains(one.mistake, first)))
            found.insert(one.mistake);
    }
    if (!exact && !any_wrong && are_fractions(values) && got == std::floor(got))
        return {whole_result};
    for (const Tried& one : tried) {
        for (auto mistake = found.begin(); mistake != found.end();)
            mistake = explains(*mistake, one) ? std::next(mistake) : found.erase(mistake);
    }
    const bool nothing_arrives =
        got == identity(op) &&
        std::ranges::all_of(tried, [&](const Tried& one) { return one.got == identity(op); });
    drop_unlikely(found, op, nothing_arrives);
    return {found.begin(), found.end()};
}

} // namespace

grader::Hint group_sizes_hint() {
    return grader::hint(
        "Do some work-group sizes work? Then look for a number in your code that is one of those "
        "sizes.",
        "Take the group's size from get_local_size(0) in the kernel. On the host, compute the "
        "number of groups and the local memory from the size of the work-group.",
        "The tree begins with half of get_local_size(0) as its distance. The number of groups is "
        "the number of elements, divided by what a group takes, rounded up.");
}

grader::Hint millions_hint() {
    return grader::hint(
        "If short inputs pass, look for what grows with the input.",
        "Sizes in bytes and in elements do not fit into 16 bits, and there are very many groups.",
        "Use std::size_t on the host and size_t or uint in the kernel for sizes, indices and "
        "numbers of groups: no short, no fixed number of groups.");
}

grader::Hint floats_hint() {
    return grader::hint(
        "If whole numbers pass, look for a place where a fraction gets lost.",
        "All sums must be floats, in the kernel and on the host. Somewhere, an int drops the "
        "fraction.",
        "Check the types of all variables that hold a sum, the start value of std::accumulate (0 "
        "is an int, 0.0f is a float), and conversions such as (int).");
}

grader::Hint minimum_hint() {
    return grader::hint(
        "What does your code do that is right only for a sum?",
        "Use COMBINE in the kernel and combine() on the host. Padding must not change a minimum.",
        "Pad with identity(op), which is infinity here, start the host's result with it, and "
        "replace every + and every dot() by COMBINE.");
}

grader::Hint maximum_hint() {
    return grader::hint(
        "All elements can be below 0. Which value in your code is larger than all of them, then?",
        "As for the minimum, but the identity is minus infinity: 0 and FLT_MIN are larger than "
        "negative elements.",
        "Pad with identity(op), and start the host's result with identity(op), not with 0.");
}

std::string name_of(Operator op) {
    switch (op) {
    case Operator::minimum:
        return "minimum";
    case Operator::maximum:
        return "maximum";
    default:
        return "sum";
    }
}

grader::Program program_for(const std::string& file, Operator op) {
    const std::string common = "-cl-std=CL1.2 ";
    switch (op) {
    case Operator::minimum:
        return {file, common + "-DMINIMUM -DCOMBINE(a,b)=fmin((a),(b)) -DIDENTITY=INFINITY"};
    case Operator::maximum:
        return {file, common + "-DMAXIMUM -DCOMBINE(a,b)=fmax((a),(b)) -DIDENTITY=-INFINITY"};
    default:
        return {file, common + "-DSUM -DCOMBINE(a,b)=((a)+(b)) -DIDENTITY=0.0f"};
    }
}

std::vector<std::string> all_options() {
    std::vector<std::string> options;
    for (const Operator op : {Operator::sum, Operator::minimum, Operator::maximum})
        options.push_back(program_for("", op).options);
    return options;
}

double identity(Operator op) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (op) {
    case Operator::minimum:
        return infinity;
    case Operator::maximum:
        return -infinity;
    default:
        return 0;
    }
}

double reference(Operator op, const std::vector<float>& values) {
    return reduce_some(op, values, [](std::size_t) { return true; });
}

void let_host_combine(grader::Case& test, std::size_t n, std::size_t elements_per_group) {
    // One group too many, or groups of half the size, are mistakes of their own, but no reason to hide
    // everything.
    test.let_host_see(2 * ((n + elements_per_group - 1) / elements_per_group) + 1);
}

void explain_launch(grader::Case& test, const std::string& kernel, std::size_t n,
                    std::size_t work_group_size, std::size_t lanes) {
    test.explain_host_by([=](const wire::CallReply& seen) -> std::optional<grader::KnownMistake> {
        const auto first = std::ranges::find_if(
            seen.launches, [&](const wire::Launch& launch) { return launch.kernel == kernel; });
        if (first != seen.launches.end()) {
            const std::string wrong = hosts::wrong_pattern(seen, hosts::buffer_of(*first, 0));
            const std::string name = hosts::name_argument(*first, 0, "data");
            if (!wrong.empty())
                return hosts::wrong_argument(name + " " + wrong, name);
        }
        const std::size_t size = work_group_size;
        const std::size_t groups = (n + size * lanes - 1) / (size * lanes);
        const std::size_t bytes = groups * size * lanes * sizeof(float);
        using Role = hosts::Buffer::Role;
        const hosts::Needs needs{{groups * size, size, size * lanes * sizeof(float), lanes},
                                 {{0, "data", Role::input, bytes, n * sizeof(float)},
                                  {2, "output", Role::output, groups * sizeof(float), 0, true}}};
        return hosts::find_mistake(seen, static_cast<std::size_t>(first - seen.launches.begin()),
                                   needs);
    });
}

namespace {

/// Adds to `failure` which elements a wrong sum lacks, or has more than once.
void add_counts(grader::Case& test, grader::Failure& failure, const Lab& under_test,
                const std::vector<float>& values, double got, std::size_t work_group_size) {
    const auto sum = [&](const std::vector<float>& others) -> double {
        return under_test.reduce(test, program_for(under_test.file, Operator::sum), Operator::sum,
                                 others, work_group_size);
    };
    element_counts::WrongSum wrong = element_counts::explain_sum(
        test, values, got, {under_test.lanes, under_test.lanes * work_group_size}, sum);
    if (failure.why.mistake.empty())
        failure.details.push_back(wrong.text);
    failure.wrong_step = std::move(wrong.wrong_step);
}

/// Whether the mistake in `found` has added something to an infinite number, which hides it.
bool is_absorbed(double got, const std::vector<std::string>& found) {
    return std::isinf(got) && found.size() == 1 && found.front() != no_element;
}

/// A wrong result of a reduction.
struct WrongResult {
    Operator op;
    const std::vector<float>& values;
    double got;
    bool is_exact; ///< nothing rounds
};

/// Where the kernels make a minimum or maximum that is no element, or else lose the element that is the
/// right result, which can also be the only one of a sum.
std::optional<grader::WrongStep> step_to_result(grader::Case& test, const Lab& under_test,
                                                const WrongResult& wrong,
                                                std::size_t work_group_size) {
    constexpr std::size_t most_elements = 1024; // launches on more are too long to be followed
    const auto& [op, values, got, is_exact] = wrong;
    if (values.empty() || values.size() > most_elements ||
        (op == Operator::sum && values.size() > 1))
        return std::nullopt;
    const auto call = [&, op = op, &values = values] {
        under_test.reduce(test, program_for(under_test.file, op), op, values, work_group_size);
    };
    const auto shown = static_cast<float>(got);
    if (op != Operator::sum && got != identity(op) && std::ranges::count(values, shown) == 0) {
        if (auto origin = test.find_origin(call, shown))
            return origin;
    }
    const auto result = op == Operator::minimum ? std::ranges::min_element(values)
                                                : std::ranges::max_element(values);
    if (std::ranges::count(values, *result) != 1 || *result == identity(op))
        return std::nullopt; // other values cannot be told from it
    return test.find_loss(call, {static_cast<std::size_t>(result - values.begin()), *result});
}

/// Whether a buffer holds each of these values as often as they do, in any order.
bool holds_each(const std::vector<std::uint32_t>& buffer, const std::vector<float>& values) {
    std::map<std::uint32_t, std::ptrdiff_t> missing;
    for (const float value : values)
        ++missing[std::bit_cast<std::uint32_t>(value)];
    for (const std::uint32_t word : buffer) {
        if (const auto found = missing.find(word); found != missing.end())
            --found->second;
    }
    return std::ranges::all_of(missing, [](const auto& one) { return one.second == 0; });
}

/// Which element of the input buffer, or of its padding, is wrong before the launch, because the host has
/// written another one there; "" if none is, nothing if that is not known.
std::optional<std::string> wrong_input(grader::Case& test, const Lab& under_test, Operator op,
                                       const std::vector<float>& values,
                                       std::size_t work_group_size) {
    constexpr std::size_t most_elements = 4096; // of longer buffers, nothing is known
    const bool can_be_passed_on = shape_of(under_test, work_group_size).several_kernels &&
                                  values.size() > work_group_size * under_test.lanes;
    if (values.size() > most_elements || can_be_passed_on)
        return std::nullopt;
    std::vector<std::uint32_t> given;
    test.examine_interpreted([&] {
        under_test.reduce(test, program_for(under_test.file, op), op, values, work_group_size);
        given = test.words_given(0);
    });
    if (given.size() < values.size())
        return std::nullopt;
    const auto element = [&](std::size_t i) { return std::bit_cast<float>(given[i]); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (element(i) == values[i])
            continue;
        if (holds_each(given, values)) // another order is no mistake
            return std::nullopt;
        const auto other = std::ranges::find(values, element(i));
        const bool is_element = other != values.end();
        const std::string held =
            is_element ? "element " + std::to_string(std::distance(values.begin(), other))
            : wire::is_filling(given[i]) ? "a value that nothing has written"
                                         : grader::show(element(i));
        return "in your host code: before the launch, argument 0, data, holds " + held +
               " at index " + std::to_string(i) + ", not element " + std::to_string(i) +
               (i == values.size() / sizeof(float) && !is_element && !test.has_host_mistake()
                    ? ": is a number of elements used as a number of bytes?"
                    : "");
    }
    const auto padding = std::find_if(
        given.begin() + static_cast<std::ptrdiff_t>(values.size()), given.end(), [&](auto word) {
            return !wire::is_filling(word) && std::bit_cast<float>(word) != identity(op);
        });
    return padding == given.end()
               ? ""
               : "in your host code: before the launch, argument 0, data, does not hold "
                 "identity(op) at index " +
                     std::to_string(padding - given.begin()) + ", which is padding";
}

/// Replaces the question where a 0 comes from by the answer, if that is known.
void answer_zero_question(std::vector<std::string>& guesses, Fault fault,
                          const std::optional<std::string>& input) {
    for (std::string& guess : guesses) {
        if (!guess.ends_with(zero_question) || (fault != Fault::host && !input))
            continue;
        guess.erase(guess.size() - zero_question.size());
        if (fault == Fault::host)
            guess += ": does your host code begin with 0?";
        else if (input->empty())
            guess +=
                ": the padding is right, so a value in the kernel is 0 that should be IDENTITY";
    }
}

/// Adds to `failure` which elements the kernels lose, or count more than once, and where.
void add_loss(grader::Case& test, grader::Failure& failure, const Lab& under_test,
              const WrongResult& wrong, std::size_t work_group_size) {
    if (wrong.op == Operator::sum && wrong.is_exact)
        add_counts(test, failure, under_test, wrong.values, wrong.got, work_group_size);
    else
        failure.wrong_step = step_to_result(test, under_test, wrong, work_group_size);
}

} // namespace

std::string mistake_of_host(const std::vector<float>& read, Operator op, double got) {
    if (read.size() == 1)
        return "your host code reads back the right result, but returns " +
               (got == identity(op) ? grader::show(got) : std::string("another value"));
    const std::string mistake = "your host code reads back the right results of the groups, but ";
    for (const Operator other : {Operator::sum, Operator::minimum, Operator::maximum}) {
        if (other == op || reference(other, read) != got)
            continue;
        if (read.size() == 2 && other != Operator::sum) // each is the minimum or the maximum
            return mistake + "returns only one of them";
        return mistake + "returns their " + name_of(other) +
               (op == Operator::sum ? "" : ": use combine(op, a, b)");
    }
    const auto first_ones = [&](const char* what, std::size_t count) {
        return mistake + what + " the first " + (count == 1 ? "" : std::to_string(count) + " ") +
               "of " + std::to_string(read.size());
    };
    double sum = 0; // of the first ones
    for (std::size_t first = 1; op == Operator::sum && first < read.size(); ++first) {
        sum += double{read[first - 1]};
        if (sum == got)
            return first_ones("adds up only", first);
        if (reference(op, read) - sum == got)
            return first_ones("leaves out", first);
    }
    return mistake + "does not combine all of them correctly";
}

void check_result(grader::Case& test, const Lab& under_test, Operator op,
                  const std::vector<float>& values, double got, double allowed,
                  std::size_t work_group_size) {
    const double expected = reference(op, values);
    if (got == expected || std::fabs(got - expected) <= allowed) // false for a NaN
        return test.require_few_reads(program_for(under_test.file, op));
    test.end_if_only_judged();
    grader::Failure failure;
    failure.what = "wrong " + name_of(op);
    failure.details = {
        op == Operator::sum
            ? grader::compare_values(expected, got, allowed)
            : grader::compare_values(expected, got, allowed,
                                     "the identity of the " +
                                         name_of(got > 0 ? Operator::minimum : Operator::maximum))};
    failure.why.hints = grader::hints_for_value(expected, got);
    const Fault fault = fault_of(test, op, expected, got, allowed);
    std::optional<std::string> input; // what is wrong with it
    if (fault == Fault::host) {
        failure.details.emplace_back(mistake_of_host(test.last_read(), op, got));
    } else {
        input = wrong_input(test, under_test, op, values, work_group_size);
        failure.details.push_back(input.value_or(""));
    }
    const std::string unseen = test.unseen();
    if (!unseen.empty()) {
        failure.details.push_back(unseen + "; one float for each group is enough");
        failure.why.hints = grader::Hints{};
    } else if (!grader::is_poisoned_nan(got)) {
        const std::vector<std::string> found =
            explanations(test, under_test, op, values, got, allowed == 0, work_group_size, fault);
        if (!failure.why.hints)
            failure.why.hints =
                hints_of(found, suspects(op, values, shape_of(under_test, work_group_size)));
        failure.why.guesses = found;
        answer_zero_question(failure.why.guesses, fault, input);
        if (fault == Fault::host && found == std::vector<std::string>{no_element})
            failure.why.guesses = {
                shape_of(under_test, work_group_size).several_kernels
                    ? "the host reads the result into a variable that it does not return, or that "
                      "has another type, such as double"
                    : "what the host reads is not combined into the variable that it returns: is "
                      "the vector that it reads into empty (reserve() makes no elements), or are "
                      "there two variables of that name?"};
        if (found.size() == 1)
            failure.why.mistake = failure.why.guesses.front();
        const bool loses_nothing =
            fault == Fault::host || !input.value_or("").empty() || is_absorbed(got, found);
        if (!loses_nothing)
            add_loss(test, failure, under_test, {op, values, got, allowed == 0}, work_group_size);
        failure.why.symptom = op != Operator::sum ? "wrong minimum or maximum"
                              : allowed == 0      ? "wrong sum"
                                                  : "wrong sum of floats that round";
        failure.why.wider_symptom = "wrong sum";
        failure.why.is_basic = values.size() <= 2 * work_group_size * under_test.lanes;
    }
    test.fail(program_for(under_test.file, op), failure);
}

namespace {

/// One trial with these values; `what` describes what is special about them.
void check_values(grader::Case& test, const Lab& under_test, Operator op,
                  const std::vector<float>& values, std::size_t work_group_size,
                  const std::string& what, double allowed = 0) {
    const auto program = program_for(under_test.file, op);
    test.trial(parameters(values.size(), work_group_size) + what, [&] {
        const float got = under_test.reduce(test, program, op, values, work_group_size);
        check_result(test, under_test, op, values, got, allowed, work_group_size);
    });
}

} // namespace

void check_whole_numbers(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size) {
    check_values(test, under_test, Operator::sum, grader::whole_numbers(test.random(), n),
                 work_group_size, "");
}

namespace {

/// One trial with values that need not add up exactly.
void check_rounding(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                    std::size_t work_group_size, const std::string& what) {
    double magnitudes = 0;
    for (const float value : values)
        magnitudes += std::fabs(double{value});
    // Any order of n - 1 additions is legal.
    const double allowed = grader::summation_bound(values.size(), magnitudes);
    check_values(test, under_test, Operator::sum, values, work_group_size, what, allowed);
}

} // namespace

void check_random_floats(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size) {
    check_rounding(test, under_test, grader::random_floats(test.random(), n), work_group_size,
                   ", floats that round");
}

namespace {

std::string place_of_extreme(Operator op, std::size_t position) {
    return ", the " + name_of(op) + " is element " + std::to_string(position);
}

void check_extreme_of_both_signs(grader::Case& test, const Lab& under_test, Operator op,
                                 std::size_t n, std::size_t position, std::size_t work_group_size) {
    std::vector<float> values = numbers_of_both_signs(test.random(), n);
    values.at(position) = op == Operator::minimum ? -2000 : 2000;
    check_values(test, under_test, op, values, work_group_size,
                 ", numbers of both signs" + place_of_extreme(op, position));
}

void check_extreme(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                   std::size_t position, std::size_t work_group_size) {
    const std::vector<float> values = op == Operator::minimum
                                          ? grader::with_minimum_at(test.random(), n, position)
                                          : grader::with_maximum_at(test.random(), n, position);
    check_values(test, under_test, op, values, work_group_size, place_of_extreme(op, position));
}

} // namespace

void check_signs(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                 std::size_t work_group_size) {
    check_values(test, under_test, op, numbers_of_both_signs(test.random(), n), work_group_size,
                 ", numbers of both signs");
}

void check_extremes(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                    std::size_t work_group_size) {
    const std::size_t per_group = under_test.lanes * work_group_size;
    std::set<std::size_t> positions{0, n - 1, n / 2, test.random()() % n};
    if (n > per_group)
        positions.insert({per_group - 1, per_group, (n - 1) / per_group * per_group});
    for (const std::size_t position : positions)
        check_extreme(test, under_test, op, n, position, work_group_size);

    for (std::size_t lane = 0; lane < std::min(under_test.lanes, n); ++lane)
        check_extreme_of_both_signs(test, under_test, op, n, lane, work_group_size);

    // The padding must not win, whatever the elements are.
    const std::vector<float> values(3 * per_group + 1, static_cast<float>(identity(op)));
    check_values(test, under_test, op, values, work_group_size, ", all infinite");
}

void check_every_group_size(grader::Case& test, const Lab& under_test, const std::string& kernel) {
    const auto program = program_for(under_test.file, Operator::sum);
    for (const std::size_t size :
         group_sizes(test, program, kernel, under_test.lanes * sizeof(float))) {
        for (const std::size_t n : {size - 1, 3 * size + 1, 4 * size * size + 1, std::size_t{5000}})
            if (n <= 70000)
                check_whole_numbers(test, under_test, n, size);
    }
}

void check_small(grader::Case& test, const Lab& under_test, const std::string& kernel) {
    for (const SmallTrial& trial : {SmallTrial{1, 2}, {37, 8}, {512, 64}})
        check_whole_numbers(test, under_test, trial.n, trial.work_group_size);
    // A kernel may behave differently with other numbers.
    for (const Operator op : {Operator::sum, Operator::minimum, Operator::maximum})
        check_signs(test, under_test, op, 30 * under_test.lanes, 8);
    check_random_floats(test, under_test, 300, 64);
    check_random_floats(test, under_test, hundreds_of_groups * 4 * under_test.lanes - 1, 4);
    check_rounding(test, under_test, grader::floats_of_all_kinds(test.random(), 600), 128,
                   ", floats of all kinds");
    // One group of each remaining size: an array can be too small for it, or it can have a special
    // step. If there are several kernels, one of them needs more than one group.
    const bool several_kernels = under_test.kernel.empty();
    const auto sum = program_for(under_test.file, Operator::sum);
    for (const std::size_t size :
         group_sizes(test, sum, kernel, under_test.lanes * sizeof(float))) {
        if (size > 128)
            check_whole_numbers(
                test, under_test,
                several_kernels ? size * under_test.lanes + 1 : size * under_test.lanes - 1, size);
    }
    for (const Operator op : {Operator::minimum, Operator::maximum}) {
        check_extreme(test, under_test, op, 300, 299, 64);
        if (under_test.lanes == 1)
            continue;
        for (std::size_t lane = 0; lane < under_test.lanes; ++lane) {
            check_extreme(test, under_test, op, 2 * under_test.lanes, lane, 2);
            check_extreme_of_both_signs(test, under_test, op, 2 * under_test.lanes, lane, 2);
        }
    }
    watch_many_groups(test, [&](std::size_t n, std::size_t size) {
        under_test.reduce(test, sum, Operator::sum, grader::random_floats(test.random(), n), size);
    });
}

namespace {

/// The same with other numbers and group sizes, and so many groups that two represent all of them.
void check_shared_at_ends(grader::Case& test, const Lab& under_test, const std::string& kernel) {
    const auto program = program_for(under_test.file, Operator::sum);
    const std::size_t vector_bytes = under_test.lanes * sizeof(float);
    const std::size_t size = group_size_up_to(test, program, kernel, vector_bytes, 128);
    const std::vector<float> values = grader::random_floats(test.random(), many_elements);
    const auto work =
        test.count_work_at_ends(parameters(many_elements, size) + first_and_last, [&] {
            under_test.reduce(test, program, Operator::sum, values, size);
        });
    const auto first =
        std::ranges::find_if(work, [&](const auto& one) { return one.kernel == kernel; });
    if (first == work.end())
        return; // another case says so
    check_span(test, program, *first, span_of_tree(size, under_test.lanes, under_test.lanes));
    check_loads(test, program, {*first}, {many_elements * sizeof(float), vector_bytes, size});
}

} // namespace

Examples examples(const Lab& under_test, const std::vector<SmallTrial>& trials) {
    const auto attempt = [under_test](grader::Case& test, const SmallTrial& trial) {
        const std::vector<float> values = digits(test.random(), trial.n);
        test.trial(parameters(trial.n, trial.work_group_size), [&] {
            const float got = under_test.reduce(test, program_for(under_test.file, Operator::sum),
                                                Operator::sum, values, trial.work_group_size);
            test.show_result({reference(Operator::sum, values)}, {got});
            check_result(test, under_test, Operator::sum, values, got, 0, trial.work_group_size);
        });
    };
    return examples_of(attempt, trials);
}

grader::Effect effect(const Lab& under_test) {
    return [lanes = under_test.lanes](const wire::Trace& launch, grader::BufferContents& contents) {
        constexpr int data = 0;
        constexpr int output = 2;
        const std::vector<double> numbers = contents[data];
        std::vector<double>& sums = contents[output];
        // A group stores one float, or one for each lane.
        const auto array = std::ranges::find_if(
            launch.arrays, [](const auto& one) { return one.argument == output; });
        const std::size_t stored = array == launch.arrays.end() ? 1 : array->lanes;
        std::fill_n(sums.begin(), std::min(sums.size(), launch.groups * stored), 0.0);
        const std::size_t used =
            std::min(numbers.size(), launch.groups * launch.group_size * lanes);
        for (std::size_t i = 0; i < used; ++i) {
            const std::size_t group = i / (launch.group_size * lanes);
            const std::size_t place = group * stored + i % stored;
            if (place < sums.size())
                sums[place] += numbers[i];
        }
    };
}

namespace {

/// What trees of `size` work-items take for `n` elements, of which each work-item loads `lanes`.
std::vector<report::Need> needs_of(const Lab& under_test, const std::string& kernel, std::size_t n,
                                   std::size_t size) {
    const bool has_passes = under_test.kernel.empty(); // each pass leaves vectors for the next one
    const std::size_t lanes_left = has_passes ? under_test.lanes : 1;
    std::size_t vectors = n / under_test.lanes;
    std::size_t groups = 0;
    std::size_t loads = 0;
    do {
        loads += vectors;
        vectors = (vectors + size - 1) / size;
        groups += vectors;
    } while (has_passes && vectors > 1);
    return {{kernel, "additions", n - vectors * lanes_left},
            {kernel, "barriers", groups * (1 + steps_of(size))},
            {kernel, "global_loads", loads},
            {kernel, "global_bytes_loaded", loads * under_test.lanes * sizeof(float)},
            {kernel, "global_bytes_stored", groups * lanes_left * sizeof(float)}};
}

/// Ends the case with a failure unless the work-items of all launches share the additions of `n`
/// elements within their groups of `size`.
void check_sharing(grader::Case& test, const Lab& under_test, const std::string& kernel,
                   const std::vector<wire::WorkCounts>& work, std::size_t n, std::size_t size) {
    const auto program = program_for(under_test.file, Operator::sum);
    std::uint64_t alone = 0; // by all other kernels of the call, which may have nothing to share
    for (const wire::WorkCounts& one : work) {
        if (one.kernel == kernel)
            check_span(test, program, one, span_of_tree(size, under_test.lanes, under_test.lanes));
        else
            alone += lone_additions(one, n);
        if (alone >= size)
            test.fail(program, {"one work-item does most of its group's additions",
                                {grader::show_work(one)},
                                one.kernel});
    }
}

/// Ends the case with a failure if one work-item goes through the elements of its group when it
/// looks for an extreme one.
void check_extreme_shared(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                          std::size_t size) {
    const auto work = test.count_work([&] { check_extreme(test, under_test, op, n, n / 2, size); });
    check_loads(test, program_for(under_test.file, op), work,
                {n * sizeof(float), under_test.lanes * sizeof(float), size});
}

} // namespace

void check_shared_work(grader::Case& test, const Lab& under_test, const std::string& kernel) {
    const auto program = program_for(under_test.file, Operator::sum);
    const std::size_t vector_bytes = under_test.lanes * sizeof(float);
    // In large groups, few work-items are few.
    const std::size_t large = group_size_up_to(test, program, kernel, vector_bytes, 1024);
    const std::size_t drawn = draw_group_size(test.random(), large);
    for (const std::size_t size : {large, drawn, std::size_t{64}}) {
        // As many groups as a group has work-items, so that adding up their results is checked,
        // too.
        const std::size_t n = (size == 64 ? 64 : 4) * size * under_test.lanes;
        const auto work = test.count_work([&] { check_whole_numbers(test, under_test, n, size); },
                                          needs_of(under_test, kernel, n, size));
        const wire::WorkCounts counts = grader::total_work(work, kernel);
        const std::string summary = grader::show_work(counts);
        if (counts.additions == 0)
            test.fail(program, {"the kernel adds nothing", {summary}, kernel});
        check_sharing(test, under_test, kernel, work, n, size);
        // A condition for each element of each step is usual; adding bit by bit takes many more.
        constexpr std::uint64_t most_comparisons = 16;
        if (counts.comparisons > most_comparisons * n)
            test.fail(program,
                      {"too many comparisons of elements: " + std::to_string(counts.comparisons) +
                           " for " + std::to_string(n) + " elements; a sum needs none",
                       {summary},
                       kernel});
        // n numbers take n - 1 additions. Few are left for the host or other kernels.
        if (counts.additions < n / 2)
            test.fail(program, {"the kernel does not do most of the additions: it does " +
                                    std::to_string(counts.additions) + " for " + std::to_string(n) +
                                    " elements",
                                {summary},
                                kernel});
        check_loads(test, program, work, {n * sizeof(float), vector_bytes, size});
        // Rounded up, because a work-item can also load a few other numbers.
        const std::size_t loaded =
            counts.global_loads == 0
                ? 0
                : (counts.global_bytes_loaded + counts.global_loads - 1) / counts.global_loads;
        if (loaded < vector_bytes)
            test.fail(program,
                      {"the data is not loaded as float" + std::to_string(under_test.lanes) +
                           ": a load reads " + std::to_string(loaded) + " bytes on average, not " +
                           std::to_string(vector_bytes),
                       {summary},
                       kernel});
        // A few large loads do not make up for the others.
        if (under_test.lanes > 1 && 2 * counts.global_loads * under_test.lanes > 3 * n)
            test.fail(program, {"there are " + std::to_string(counts.global_loads) + " loads for " +
                                    std::to_string(n) + " elements, but " +
                                    std::to_string(n / under_test.lanes) + " loads of a float" +
                                    std::to_string(under_test.lanes) + " are enough",
                                {summary},
                                kernel});
        if (size == 64)
            test.remark(summary);
    }
    for (const Operator op : {Operator::minimum, Operator::maximum})
        check_extreme_shared(test, under_test, op, 4 * large * under_test.lanes, large);
    check_shared_at_ends(test, under_test, kernel);
}

void check_millions(grader::Case& test, const Lab& under_test, const std::string& kernel) {
    const auto program = program_for(under_test.file, Operator::sum);
    const std::size_t largest =
        group_sizes(test, program, kernel, under_test.lanes * sizeof(float)).back();
    check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 20) - 1), largest);
    check_whole_numbers(test, under_test, test.affordable((std::size_t{1} << 24) + 1),
                        std::min<std::size_t>(largest, 64));
}

void check_time(grader::Case& test, const Lab& under_test, const std::string& kernel, double bound,
                const std::function<void(const grader::SpeedLimit&, const std::vector<float>&,
                                         std::size_t work_group_size)>& time) {
    const auto program = program_for(under_test.file, Operator::sum);
    const std::size_t n = elements_to_time(test, bound);
    const std::size_t size =
        group_size_up_to(test, program, kernel, under_test.lanes * sizeof(float), 256);
    const std::vector<float> values = grader::whole_numbers(test.random(), n);
    check_values(test, under_test, Operator::sum, values, size, "");
    for (grader::SpeedLimit limit : {against_copy(n, sizeof(float), size),
                                     against_scalar_tree(n, sizeof(float), size, bound)}) {
        limit.check = [&](const grader::Run& run) {
            if (run.seen.result_size < sizeof(float))
                throw std::logic_error("the function returns less than a float");
            float got = 0; // the result of every lab begins with it
            std::memcpy(&got, run.result(), sizeof got);
            check_result(test, under_test, Operator::sum, values, got, 0, size);
        };
        time(limit, values, size);
    }
}

} // namespace reductions
