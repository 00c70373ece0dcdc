#include "grader/element_paths.hpp"

#include "grader/explain.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <limits>
#include <map>

namespace grader {
namespace {

using AccessKind = wire::TracedAccess::Kind;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// A place in memory that outlives an access: in local memory of a group in a launch, or in a buffer.
struct Cell {
    std::size_t launch = none; ///< none: in a buffer
    std::size_t group = 0;
    std::uint64_t array = 0; ///< or the buffer
    std::int64_t index = 0;  ///< or the offset in bytes

    // clang-tidy 14 takes what the compiler makes of this for a 0.
    auto operator<=>(const Cell&) const = default; // NOLINT(modernize-use-nullptr)
};

/// A work-item of a launch.
struct Item {
    std::size_t launch = 0;
    std::size_t group = 0;
    std::size_t number = 0;

    auto operator<=>(const Item&) const = default; // NOLINT(modernize-use-nullptr)
};

/// An access of a launch.
struct Step {
    std::size_t launch = 0;
    const wire::TracedAccess* access = nullptr; ///< null: none
};

/// A value that a work-item has read.
struct Held {
    std::size_t value = none; ///< none: it does not contain the element
    Step read = {};
    /// The value there that contained it before something else was stored; none: there was none.
    std::size_t replaced = none;
};

/// A value in memory that contains the element.
struct Value {
    /// The first two values on the way to this one that are combined although both contain it, as read.
    std::optional<std::pair<Held, Held>> doubled = std::nullopt;
    Step origin = {}; ///< the read of the element that it comes from
    Step stored = {}; ///< none: it is the element itself
    Step read = {};   ///< last
    /// The first reads of one work-item at two lines.
    std::optional<std::pair<Step, Step>> read_again = std::nullopt;
    Step overwritten = {}; ///< first
    bool leads_on = false; ///< to a value that is stored later
};

/// The line of `step`, with its launch if that of `near` is another one.
std::string line(const Step& step, const Step& near) {
    const bool is_near = near.access == nullptr || near.launch == step.launch;
    return "line " + std::to_string(step.access->line) +
           (is_near ? "" : " of launch " + std::to_string(step.launch + 1));
}

/// "tmp[3]", with the lane of a vector that has these bits: "tmp[3].y".
std::string name_of(const wire::TracedAccess& access, std::uint32_t bits) {
    const auto lane = std::ranges::find(access.value, bits);
    return access.value.size() < 2 || access.value.size() > 4 || lane == access.value.end()
               ? access.name
               : access.name + "." + "xyzw"[lane - access.value.begin()];
}

/// "work-item 3 of group 1".
std::string item(const Step& step) {
    return "work-item " + std::to_string(step.access->item) + " of group " +
           std::to_string(step.access->group);
}

std::string reader(const Step& step) { return item(step) + " at " + line(step, {}); }

/// Follows an element through the launches of a call.
class Path {
  public:
    /// `bits`: those of a float that only the element and its copies have; nothing: all that is made of
    /// the element counts.
    Path(const std::vector<TracedLaunch>& launches, std::size_t element,
         std::optional<std::uint32_t> bits)
        : launches_(launches), bits_(bits) {
        place_element(element);
        for (std::size_t i = 0; i < launches.size(); ++i) {
            for (const wire::TracedAccess& access : launches[i].trace.accesses)
                follow({i, &access});
        }
    }

    std::optional<WrongStep> where_lost() const; ///< needs the bits
    std::optional<WrongStep> where_overwritten(std::size_t result) const;
    std::optional<WrongStep> where_doubled(std::optional<std::size_t> result) const;

  private:
    std::optional<WrongStep> where_read_again() const;
    const wire::TracedArray& array_of(const Step& step) const {
        return launches_[step.launch].trace.arrays[step.access->element.array];
    }
    Cell cell_of(const Step& step) const;
    void place_element(std::size_t element);
    void follow(const Step& step);
    void load(const Step& step);
    void store(const Step& step);
    bool may_contain(const wire::TracedAccess& access) const;
    /// The read of the element that a value comes from, as read.
    const Step& origin_of(const Held& held) const {
        const Value& value = values_[held.value];
        return value.stored.access == nullptr ? held.read : value.origin;
    }
    bool is_at(const Step& stored, std::size_t index) const;
    /// Whether the last launch has left the value in a buffer.
    bool is_result(const Value& value) const {
        return value.stored.access != nullptr && !array_of(value.stored).local &&
               value.overwritten.access == nullptr && value.stored.launch + 1 == launches_.size();
    }
    WrongStep wrong_step(const std::vector<Step>& steps, const std::string& text) const;

    const std::vector<TracedLaunch>& launches_;
    std::optional<std::uint32_t> bits_;
    std::string element_; ///< in words
    std::vector<Value> values_;
    std::map<Cell, std::size_t> cells_;    ///< that hold a value
    std::map<Cell, std::size_t> replaced_; ///< that held one before something else was stored there
    /// Cells of which the last store has read a replaced value.
    std::map<Cell, std::pair<Step, Held>> incomplete_;
    std::map<std::pair<Item, wire::TracedElement>, Held> held_;
};

Cell Path::cell_of(const Step& step) const {
    const wire::TracedArray& array = array_of(step);
    const wire::TracedElement& element = step.access->element;
    const std::vector<wire::LaunchArgument>& arguments = launches_[step.launch].arguments;
    const auto argument = static_cast<std::size_t>(array.argument);
    if (array.local || array.argument < 0 || argument >= arguments.size())
        return {step.launch, step.access->group, element.array, element.index};
    return {none, 0, arguments[argument].buffer,
            element.index * static_cast<std::int64_t>(array.lanes * array.bytes)};
}

void Path::place_element(std::size_t element) {
    element_ = "element " + std::to_string(element);
    if (launches_.empty() || launches_.front().arguments.empty())
        return;
    const std::vector<wire::TracedArray>& arrays = launches_.front().trace.arrays;
    const auto input = std::ranges::find_if(
        arrays, [](const wire::TracedArray& one) { return !one.local && one.argument == 0; });
    if (input == arrays.end())
        return;
    const std::size_t size = input->lanes * input->bytes;
    const std::size_t offset = element * sizeof(float) / size * size;
    values_.emplace_back();
    cells_[{none, 0, launches_.front().arguments.front().buffer,
            static_cast<std::int64_t>(offset)}] = 0;
}

void Path::follow(const Step& step) {
    if (step.access->outside)
        return;
    if (step.access->kind != AccessKind::store)
        load(step);
    if (step.access->kind != AccessKind::load)
        store(step);
}

void Path::load(const Step& step) {
    const auto value_in = [cell = cell_of(step)](const std::map<Cell, std::size_t>& cells) {
        const auto known = cells.find(cell);
        return known == cells.end() ? none : known->second;
    };
    const std::size_t value = value_in(cells_);
    const Item item{step.launch, step.access->group, step.access->item};
    Held& held = held_[{item, step.access->element}];
    const bool is_again =
        value != none && held.value == value && held.read.access->line != step.access->line;
    if (is_again && !values_[value].read_again)
        values_[value].read_again = {held.read, step};
    held = {value, step, value_in(replaced_)};
    if (value != none)
        values_[value].read = step;
}

void Path::store(const Step& step) {
    const Item item{step.launch, step.access->group, step.access->item};
    std::vector<wire::TracedElement> sources;
    if (may_contain(*step.access)) {
        sources = step.access->from;
        // What an atomic operation finds there can remain a part of the value.
        if (step.access->kind == AccessKind::atomic)
            sources.push_back(step.access->element);
    }
    std::vector<Held> parts;
    const Cell cell = cell_of(step);
    incomplete_.erase(cell);
    for (const wire::TracedElement& source : step.access->from) {
        const auto held = held_.find({item, source});
        if (held != held_.end() && held->second.replaced != none)
            incomplete_.insert_or_assign(cell, std::pair(step, held->second));
    }
    for (const wire::TracedElement& source : sources) {
        const auto held = held_.find({item, source});
        if (held == held_.end() || held->second.value == none)
            continue;
        values_[held->second.value].leads_on = true;
        parts.push_back(held->second);
    }
    std::optional<std::pair<Held, Held>> doubled;
    for (const Held& part : parts) {
        if (!doubled)
            doubled = values_[part.value].doubled;
    }
    if (!doubled && parts.size() > 1)
        doubled = {parts[0], parts[1]};
    if (const auto old = cells_.find(cell); old != cells_.end()) {
        values_[old->second].overwritten = step;
        replaced_[cell] = old->second;
        cells_.erase(old);
    }
    if (parts.empty())
        return;
    replaced_.erase(cell);
    cells_[cell] = values_.size();
    values_.push_back({.doubled = doubled, .origin = origin_of(parts.front()), .stored = step});
}

bool Path::may_contain(const wire::TracedAccess& access) const {
    return !bits_ || access.value.empty() || std::ranges::count(access.value, *bits_) != 0;
}

WrongStep Path::wrong_step(const std::vector<Step>& steps, const std::string& text) const {
    WrongStep wrong{launches_[steps.front().launch].trace.kernel, {}, text};
    for (const Step& step : steps) {
        if (step.launch == steps.front().launch &&
            std::ranges::find(wrong.lines, step.access->line) == wrong.lines.end())
            wrong.lines.push_back(step.access->line);
    }
    return wrong;
}

std::optional<WrongStep> Path::where_lost() const {
    const bool arrives =
        std::ranges::any_of(values_, [&](const Value& value) { return is_result(value); });
    if (arrives || values_.empty())
        return std::nullopt;
    const auto last = std::find_if(values_.rbegin(), values_.rend(),
                                   [](const Value& value) { return !value.leads_on; });
    if (last == values_.rend())
        return std::nullopt;
    const Step& stored = last->stored;
    const Step& read = last->read;
    if (stored.access == nullptr && read.access == nullptr)
        return std::nullopt; // another message says that nothing reads it
    if (stored.access == nullptr)
        return wrong_step({read}, line(read, {}) + " reads " + element_ +
                                      ", but nothing that is stored later contains it");
    const std::string where = element_ + " gets as far as " +
                              name_of(*last->stored.access, *bits_) + ", stored at " +
                              line(stored, {});
    if (read.access != nullptr)
        return wrong_step({stored, read},
                          where + ": " + line(read, stored) +
                              " reads it, but nothing that is stored later contains it");
    if (last->overwritten.access != nullptr)
        return wrong_step({stored, last->overwritten},
                          where + ": " + line(last->overwritten, stored) +
                              " overwrites it before anything reads it");
    return wrong_step({stored}, where + ", and nothing reads it there");
}

/// Where the result with index `result` loses the element: another value has overwritten the one that
/// contained it.
std::optional<WrongStep> Path::where_overwritten(std::size_t result) const {
    for (const auto& [cell, lacking] : incomplete_) {
        const auto& [stored, held] = lacking;
        if (array_of(stored).local || stored.launch + 1 != launches_.size() ||
            !is_at(stored, result))
            continue;
        const Step& overwritten = values_[held.replaced].overwritten;
        return wrong_step({overwritten, held.read},
                          held.read.access->name + " contains " + element_ + " until " +
                              line(overwritten, held.read) + " overwrites it, but " +
                              line(held.read, {}) + " reads it later");
    }
    return std::nullopt;
}

/// Whether a value lies where element `index` of a buffer of floats does.
bool Path::is_at(const Step& stored, std::size_t index) const {
    const wire::TracedArray& array = array_of(stored);
    const std::size_t size = array.lanes * array.bytes;
    const auto begin = static_cast<std::size_t>(stored.access->element.index) * size;
    return begin <= index * sizeof(float) && index * sizeof(float) < begin + size;
}

std::optional<WrongStep> Path::where_doubled(std::optional<std::size_t> result) const {
    const auto arrived = std::ranges::find_if(values_, [&](const Value& value) {
        return is_result(value) && value.doubled && (!result || is_at(value.stored, *result));
    });
    if (arrived == values_.end())
        return where_read_again();
    const auto& [one, other] = *arrived->doubled;
    const Step& first = origin_of(one);
    const Step& second = origin_of(other);
    if (std::pair(first.access->group, first.access->item) !=
        std::pair(second.access->group, second.access->item))
        return wrong_step({first, second}, element_ + " is read twice, by " + reader(first) +
                                               " and by " + reader(second));
    const bool is_one_line = one.read.access->line == other.read.access->line;
    const std::string names = one.read.access->name + " and " + other.read.access->name;
    const std::string lines = is_one_line
                                  ? line(one.read, {}) + " combines "
                                  : "lines " + std::to_string(one.read.access->line) + " and " +
                                        std::to_string(other.read.access->line) + " combine ";
    return wrong_step({one.read, other.read}, lines + names + ", but both contain " + element_);
}

/// A work-item that reads the element at two lines can add it twice to what it keeps.
std::optional<WrongStep> Path::where_read_again() const {
    if (values_.empty() || !values_.front().read_again)
        return std::nullopt;
    const auto& [first, second] = *values_.front().read_again;
    return wrong_step({first, second}, item(first) + " reads " + element_ + " at " +
                                           line(first, {}) + ", and again at " +
                                           line(second, first));
}

} // namespace

std::optional<WrongStep> where_lost(const std::vector<TracedLaunch>& launches,
                                    const FollowedElement& element) {
    return Path(launches, element.index, std::bit_cast<std::uint32_t>(element.value)).where_lost();
}

std::optional<WrongStep> where_overwritten(const std::vector<TracedLaunch>& launches,
                                           const FollowedElement& element, std::size_t result) {
    return Path(launches, element.index, std::bit_cast<std::uint32_t>(element.value))
        .where_overwritten(result);
}

std::optional<WrongStep> where_made(const std::vector<TracedLaunch>& launches, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (const TracedLaunch& launch : launches) {
        const auto first =
            std::ranges::find_if(launch.trace.accesses, [&](const wire::TracedAccess& access) {
                return !access.outside && std::ranges::count(access.value, bits) != 0;
            });
        if (first == launch.trace.accesses.end())
            continue;
        if (first->kind != AccessKind::store)
            return std::nullopt;
        return WrongStep{launch.trace.kernel,
                         {first->line},
                         show(value) + " is no element: line " + std::to_string(first->line) +
                             " stores it first, in " + name_of(*first, bits)};
    }
    return std::nullopt;
}

std::optional<WrongStep> where_doubled(const std::vector<TracedLaunch>& launches,
                                       std::size_t element, std::optional<std::size_t> result) {
    return Path(launches, element, std::nullopt).where_doubled(result);
}

} // namespace grader
