#include "report/picture_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace report {
namespace {

using Access = wire::TracedAccess;
using Element = wire::TracedElement;

constexpr double edge_of_group = 16;
constexpr double height_of_cell = 26;
constexpr double height_of_label = 15;
constexpr double gap_between_rows = 34; ///< with the indices of the cells, and the barrier
constexpr std::size_t most_lines = 3;   ///< of source code over a row
constexpr std::size_t most_rows = 24;
constexpr std::size_t last_rows = 2;    ///< of them, those at the end
constexpr std::size_t most_outside = 4; ///< cells outside an array
constexpr std::size_t most_cells = 64;
constexpr std::size_t most_races = 6;

/// A step of a group: its stores between two barriers. A work-item that stores several times has
/// as many rows, because each store may depend on the last.
using Step = std::pair<std::size_t, std::size_t>; ///< phase, and the number of the store in it

/// A picture of an array at a time.
struct Row {
    std::size_t array = 0;
    Step step;
    std::size_t phase = 0; ///< of its last access
    double y = 0;
    std::map<std::int64_t, std::string> values;
    std::map<std::int64_t, std::string> expected; ///< instead of some values, which are wrong
    std::map<std::int64_t, std::vector<Element>> changed; ///< with what the values are made of
    std::set<std::int64_t> raced;
    std::set<std::int64_t> unwritten; ///< read although nothing has written them
    std::set<std::int64_t> outside;   ///< accessed outside the array
    std::set<int> lines;
    std::size_t left_out = 0; ///< rows before this one that are not drawn
};

/// The group with the first problem, or the first group.
std::size_t group_to_draw(const Picture::Launch& launch) {
    const std::vector<Access>& accesses = launch.trace.accesses;
    for (const Access& access : accesses) {
        const bool is_wrong =
            access.kind != Access::Kind::load && launch.right.contains(access.element);
        if (access.race >= 0 || access.outside || access.uninitialized || is_wrong)
            return access.group;
    }
    for (const wire::TracedBarrier& barrier : launch.trace.barriers) {
        if (!barrier.missing.empty())
            return barrier.group;
    }
    return accesses.empty() ? 0 : accesses.front().group;
}

/// The right values of stores. Work-items make the same stores in each run, whatever their order.
class ExpectedValues {
  public:
    using Values = std::vector<std::uint64_t>; ///< of the lanes, as bits

    explicit ExpectedValues(const std::vector<Access>& accesses) {
        Places places;
        for (const Access& access : accesses) {
            if (access.kind != Access::Kind::load)
                values_[place_of(access, places)] = access.value;
        }
    }

    /// Call it for each store of another run, in order. Null: the value is not known, or is right.
    const Values* correct(const Access& store) {
        const auto found = values_.find(place_of(store, seen_));
        return found == values_.end() || found->second == store.value ? nullptr : &found->second;
    }

  private:
    /// Group, work-item, phase and element, and how often it was stored there before.
    using Store = std::tuple<std::size_t, std::size_t, std::size_t, Element>;
    using Place = std::pair<Store, std::size_t>;
    using Places = std::map<Store, std::size_t>;

    static Place place_of(const Access& access, Places& places) {
        const Store store{access.group, access.item, access.phase, access.element};
        return {store, places[store]++};
    }

    std::map<Place, Values> values_;
    Places seen_;
};

/// "work-item 3", "work-items 4 to 7", "work-items 1, 3 and 5".
std::string name_items(const std::vector<std::size_t>& items) {
    if (items.size() == 1)
        return "work-item " + std::to_string(items.front());
    std::string text = "work-items " + std::to_string(items.front());
    if (items.back() - items.front() + 1 == items.size() && items.size() > 2)
        return text + " to " + std::to_string(items.back());
    for (std::size_t i = 1; i < items.size(); ++i)
        text += (i + 1 == items.size() ? " and " : ", ") + std::to_string(items[i]);
    return text;
}

class GroupView {
  public:
    GroupView(Drawing& drawing, const Picture::Launch& launch, double top)
        : drawing_(drawing), launch_(launch), trace_(launch.trace), y_(top),
          group_(group_to_draw(launch)) {}

    double draw(std::string& description) {
        find_rows();
        drawing_.text({edge_of_group, y_},
                      "Kernel " + trace_.kernel + ": local memory of work-group " +
                          std::to_string(group_) + " (" + std::to_string(trace_.group_size) +
                          " work-items), step by step",
                      "title");
        y_ += 34;
        place_rows();
        draw_rows();
        draw_flows();
        draw_races(description);
        describe(description);
        return y_;
    }

  private:
    const wire::TracedArray& array(std::size_t number) const { return trace_.arrays[number]; }

    bool is_drawn(const Access& access) const {
        return access.group == group_ && !access.outside && access.element.index >= 0 &&
               access.element.index < static_cast<std::int64_t>(most_cells);
    }

    /// How far a work-item has come in its phase.
    struct Progress {
        std::size_t phase = 0;
        std::size_t step = 0;
        std::set<Element> stored; ///< in this step
        std::set<Element> reread; ///< of them, those it has loaded again since
    };

    /// The steps of all accesses, by their numbers in the trace. A store that uses what its
    /// work-item has stored in the same phase, or that replaces it, begins another step.
    void find_steps() {
        std::map<std::size_t, Progress> items;
        for (std::size_t i = 0; i < trace_.accesses.size(); ++i) {
            const Access& access = trace_.accesses[i];
            if (!is_drawn(access))
                continue;
            Progress& item = items[access.item];
            if (item.phase != access.phase)
                item = {access.phase, 0, {}, {}};
            const bool again = item.stored.contains(access.element);
            if (access.kind == Access::Kind::load) {
                if (again)
                    item.reread.insert(access.element);
                steps_[i] = {access.phase, item.step};
                continue;
            }
            const bool builds = std::ranges::any_of(
                access.from, [&](const Element& from) { return item.reread.contains(from); });
            if (again || builds)
                item = {access.phase, item.step + 1, {}, {}};
            item.stored.insert(access.element);
            steps_[i] = {access.phase, item.step};
        }
    }

    /// The accesses that race, by their numbers in the trace.
    std::set<std::size_t> racing_accesses() const {
        std::set<std::size_t> racing;
        for (std::size_t i = 0; i < trace_.accesses.size(); ++i) {
            if (trace_.accesses[i].race < 0)
                continue;
            racing.insert(i);
            racing.insert(static_cast<std::size_t>(trace_.accesses[i].race));
        }
        return racing;
    }

    /// Local arrays have a row for each step with stores; global ones have a row of what is loaded
    /// before all others, and one of what is stored after them.
    void find_rows() {
        find_steps();
        const std::set<std::size_t> racing = racing_accesses();
        std::map<std::size_t, Row> loaded;
        std::map<std::size_t, Row> stored;
        std::map<std::pair<Step, std::size_t>, Row> local;
        ExpectedValues expected(launch_.expected);
        for (const auto& [number, step] : steps_) {
            const Access& access = trace_.accesses[number];
            const std::size_t of = access.element.array;
            const std::int64_t index = access.element.index;
            const std::string value = show_value(access.value, array(of));
            if (access.kind != Access::Kind::load) {
                Row& row = array(of).local ? local[{step, of}] : stored[of];
                row.values[index] = value;
                note(row, access);
                const auto known = launch_.right.find(access.element);
                if (const auto* right = expected.correct(access))
                    row.expected[index] = show_value(*right, array(of));
                else if (known != launch_.right.end())
                    row.expected[index] = show_value(known->second, array(of));
                if (array(of).local && racing.contains(number))
                    row.raced.insert(index);
            } else if (!array(of).local && !stored.contains(of)) {
                loaded[of].values.emplace(index, value);
                loaded[of].lines.insert(access.line);
            }
        }
        for (auto& [of, row] : loaded)
            add(of, {0, 0}, std::move(row));
        std::map<std::size_t, std::map<std::int64_t, std::string>> contents;
        for (auto& [key, row] : local) {
            auto& known = contents[key.second];
            for (auto& [index, value] : row.values)
                known[index] = value;
            row.values = known;
            add(key.second, key.first, std::move(row));
        }
        constexpr std::size_t after_all_steps = 1U << 30U;
        for (auto& [of, row] : stored) {
            const std::size_t phase = row.phase;
            add(of, {phase, after_all_steps}, std::move(row));
        }
        std::ranges::stable_sort(rows_, [](const Row& a, const Row& b) {
            // Short rows come first, so that arrows to them do not cross long ones.
            return std::make_tuple(!a.changed.empty(), a.step, a.values.size()) <
                   std::make_tuple(!b.changed.empty(), b.step, b.values.size());
        });
        mark_bad_accesses();
        if (rows_.size() > most_rows) {
            const std::size_t left_out = rows_.size() - most_rows;
            const auto end = rows_.end() - last_rows;
            rows_.erase(end - static_cast<std::ptrdiff_t>(left_out), end);
            rows_[most_rows - last_rows].left_out = left_out;
        }
    }

    /// Marks accesses outside an array, and to elements without a value, in the last row of their
    /// array before them; if there is none, in a row of their own.
    void mark_bad_accesses() {
        for (const Access& access : trace_.accesses) {
            if (access.group != group_ || (!access.outside && !access.uninitialized))
                continue;
            Row* place = nullptr;
            for (Row& row : rows_) {
                const bool is_before = place == nullptr || row.phase <= access.phase;
                if (row.array == access.element.array && is_before)
                    place = &row;
            }
            if (place == nullptr) {
                add(access.element.array, {access.phase, 0}, {});
                place = &rows_.back();
                place->phase = access.phase;
            }
            place->lines.insert(access.line);
            auto& marked = access.outside ? place->outside : place->unwritten;
            if (!access.outside || marked.size() < most_outside)
                marked.insert(access.element.index);
        }
    }

    static void note(Row& row, const Access& access) {
        row.changed[access.element.index] = access.from;
        row.lines.insert(access.line);
        row.phase = access.phase;
    }

    void add(std::size_t of, Step step, Row row) {
        row.array = of;
        row.step = step;
        rows_.push_back(std::move(row));
    }

    std::int64_t first_of(const Row& row) const {
        return array(row.array).local || row.values.empty() ? 0 : row.values.begin()->first;
    }

    void place_rows() {
        widest_ = 34;
        for (const Row& row : rows_) {
            for (const auto& [index, value] : row.values)
                widest_ = std::max(widest_, 14 + 7.4 * static_cast<double>(value.size()));
            for (const auto& [index, value] : row.expected)
                widest_ = std::max(widest_, 14 + 7.4 * static_cast<double>(wanted(value).size()));
        }
        for (Row& row : rows_) {
            if (row.left_out != 0)
                y_ += height_of_label + gap_between_rows;
            row.y = y_ + height_of_label * static_cast<double>(labels_of(row).size());
            y_ = row.y + height_of_cell + gap_between_rows;
            right_ = std::max(right_, left_of(cells_of(row) + row.outside.size()));
        }
    }

    std::size_t cells_of(const Row& row) const {
        const wire::TracedArray& of = array(row.array);
        return of.local ? std::min(of.elements, most_cells) : row.values.size();
    }

    double left_of(std::size_t column) const {
        return edge_of_group + static_cast<double>(column) * (widest_ + 6);
    }

    Box box_of(const Row& row, std::int64_t index) const {
        const auto column = static_cast<std::size_t>(index - first_of(row));
        return {{left_of(column), row.y}, widest_, height_of_cell};
    }

    /// The array, and the lines that access it.
    std::vector<std::string> labels_of(const Row& row) const {
        const wire::TracedArray& of = array(row.array);
        const std::string name = of.name.empty() ? "an array" : of.name;
        std::vector<std::string> labels{(of.local              ? "local "
                                         : row.changed.empty() ? "read from "
                                                               : "written to ") +
                                        name};
        for (const int line : row.lines) {
            const std::string text = show_line(launch_, line);
            if (!text.empty() && labels.size() <= most_lines)
                labels.push_back(text);
        }
        return labels;
    }

    void draw_rows() {
        const Row* before = nullptr;
        for (const Row& row : rows_) {
            draw_label(row, before);
            const wire::TracedArray& of = array(row.array);
            if (of.local) {
                const std::size_t cells = std::min(of.elements, most_cells);
                for (std::size_t i = 0; i < cells; ++i)
                    draw_cell(row, static_cast<std::int64_t>(i));
            } else {
                for (const auto& [index, value] : row.values)
                    draw_cell(row, index);
            }
            draw_outside(row);
            before = &row;
        }
    }

    void draw_label(const Row& row, const Row* before) {
        const std::vector<std::string> labels = labels_of(row);
        double y = row.y - height_of_label * static_cast<double>(labels.size());
        if (!row.changed.empty() && before != nullptr && before->phase != row.phase)
            draw_barrier(row, y);
        if (row.left_out != 0)
            drawing_.text({edge_of_group, y - gap_between_rows},
                          "... " + std::to_string(row.left_out) + " rows are left out ...", "note");
        for (const std::string& label : labels) {
            drawing_.text({edge_of_group, y + 9}, label, &label == labels.data() ? "note" : "code");
            y += height_of_label;
        }
    }

    /// The barrier before a phase of the group, which is like that of the first group unless some
    /// work-items did not reach it; null if it is not known.
    const wire::TracedBarrier* barrier_before(std::size_t phase) const {
        const wire::TracedBarrier* found = nullptr;
        for (const wire::TracedBarrier& barrier : trace_.barriers) {
            if (barrier.phase + 1 == phase && (barrier.group == group_ || found == nullptr))
                found = &barrier;
        }
        return found;
    }

    /// "not reached by work-items 4 to 7"; "" if the whole group reaches the barrier.
    std::string missing_at(const wire::TracedBarrier* barrier) const {
        if (barrier == nullptr || barrier->group != group_ || barrier->missing.empty())
            return "";
        return "not reached by " + name_items(barrier->missing);
    }

    /// The line over a row that begins at `top`, with the barrier's line if it is known.
    void draw_barrier(const Row& row, double top) {
        const double y = top - 5;
        const wire::TracedBarrier* barrier = barrier_before(row.phase);
        const std::string missing = missing_at(barrier);
        drawing_.line({edge_of_group, y}, {right_, y}, missing.empty() ? "barrier" : "problem");
        const int line = barrier == nullptr || launch_.source.empty() ? 0 : barrier->line;
        drawing_.text({right_ + 6, y + 3},
                      (line == 0 ? "barrier" : "barrier, line " + std::to_string(line)) +
                          (missing.empty() ? "" : ": " + missing),
                      missing.empty() ? "index" : "bad");
    }

    /// Cells behind the array's own for accesses outside it.
    void draw_outside(const Row& row) {
        std::size_t column = cells_of(row);
        for (const std::int64_t index : row.outside) {
            const Box box{{left_of(column++) + 6, row.y}, widest_, height_of_cell};
            drawing_.box(box, "none", "cell wrong");
            drawing_.centered({box.bottom().x, box.bottom().y + 11},
                              "[" + std::to_string(index) + "]", "bad");
        }
    }

    void draw_cell(const Row& row, std::int64_t index) {
        const auto value = row.values.find(index);
        const auto expected = row.expected.find(index);
        const bool known = value != row.values.end();
        const bool wrong = expected != row.expected.end();
        const bool is_read_unwritten = !known && row.unwritten.contains(index);
        std::string kind = "cell";
        if (row.raced.contains(index))
            kind += " race";
        else if (wrong || is_read_unwritten)
            kind += " wrong";
        else if (row.changed.contains(index))
            kind += " changed";
        else if (!known)
            kind += " unknown";
        const Box box = box_of(row, index);
        drawing_.box(box, known ? value->second : "?", kind);
        drawing_.centered({box.bottom().x, box.bottom().y + 11},
                          wrong ? wanted(expected->second) : "[" + std::to_string(index) + "]",
                          wrong ? "bad" : "index");
    }

    /// The row that shows `element` as store number `number` uses it: the last one before the
    /// store's own with the value that its work-item has loaded. Null if there is none.
    const Row* source_of(const Element& element, std::size_t number) const {
        const Access& store = trace_.accesses[number];
        std::optional<std::size_t> loaded;
        for (std::size_t i = 0; i <= number; ++i) {
            const Access& access = trace_.accesses[i];
            if (access.element == element && access.group == group_ && access.item == store.item &&
                access.kind != Access::Kind::store)
                loaded = i;
        }
        const Row* found = nullptr;
        for (std::size_t i = 0; i < loaded.value_or(0); ++i) {
            const Access& access = trace_.accesses[i];
            if (access.element == element && access.kind != Access::Kind::load &&
                steps_.contains(i))
                found = row_of(i);
        }
        const Row* target = row_of(number);
        for (const Row& row : rows_) {
            if (row.array != element.array || row.y >= target->y)
                continue;
            const bool is_input = found == nullptr && row.changed.empty();
            const bool unchanged =
                found != nullptr && row.y > found->y && !row.changed.contains(element.index);
            if (found != nullptr && row.y > found->y && !unchanged)
                break;
            if (is_input || unchanged)
                found = &row;
        }
        return found;
    }

    /// The row in which a store is drawn.
    const Row* row_of(std::size_t number) const {
        const Access& access = trace_.accesses[number];
        for (const Row& row : rows_) {
            const bool same_step =
                array(row.array).local ? row.step == steps_.at(number) : !row.changed.empty();
            if (row.array == access.element.array && same_step)
                return &row;
        }
        return nullptr;
    }

    void draw_flows() {
        std::set<std::pair<std::pair<double, double>, std::pair<double, double>>> known;
        for (const auto& [number, step] : steps_) {
            const Access& access = trace_.accesses[number];
            const Row* target = access.kind == Access::Kind::load ? nullptr : row_of(number);
            if (target == nullptr)
                continue;
            for (const Element& from : access.from) {
                const Row* source = source_of(from, number);
                if (source == nullptr || source == target || !source->values.contains(from.index))
                    continue;
                const Point begin = box_of(*source, from.index).bottom();
                const Point end = box_of(*target, access.element.index).top();
                if (known.insert({{begin.x, begin.y}, {end.x, end.y}}).second)
                    drawing_.arrow({begin.x, begin.y + 13}, {end.x, end.y - 1}, "flow");
            }
        }
    }

    static std::string verb(const Access& access) {
        return access.kind == Access::Kind::load ? "reads" : "writes";
    }

    static std::string name_of(const Access& access, bool in_group) {
        return "work-item " + std::to_string(access.item) +
               (in_group ? "" : " of group " + std::to_string(access.group));
    }

    /// Where an access is seen: its cell, or for a load the cell that its work-item writes next.
    std::optional<Point> place_of(std::size_t number) const {
        const Access& access = trace_.accesses[number];
        for (std::size_t i = number; i < trace_.accesses.size(); ++i) {
            const Access& later = trace_.accesses[i];
            if (!steps_.contains(i) || later.item != access.item ||
                later.kind == Access::Kind::load)
                continue;
            const bool uses =
                i == number || std::ranges::find(later.from, access.element) != later.from.end();
            const Row* row = uses ? row_of(i) : nullptr;
            if (row != nullptr)
                return box_of(*row, later.element.index).top();
        }
        return std::nullopt;
    }

    void draw_races(std::string& description) {
        std::set<std::pair<int, int>> known; // lines
        for (std::size_t i = 0; i < trace_.accesses.size() && known.size() < most_races; ++i) {
            const Access& later = trace_.accesses[i];
            if (later.race < 0 || later.group != group_)
                continue;
            const auto first = static_cast<std::size_t>(later.race);
            const Access& earlier = trace_.accesses[first];
            const bool in_group = earlier.group == later.group;
            const auto from = in_group ? place_of(first) : std::nullopt;
            const auto to = place_of(i);
            if (from && to)
                drawing_.curve(*from, *to, "problem");
            if (!known.insert({earlier.line, later.line}).second)
                continue;
            const std::string text =
                "race: " + name_of(earlier, in_group) + " " + verb(earlier) + " " + earlier.name +
                " (line " + std::to_string(earlier.line) + ") and " + name_of(later, in_group) +
                " " + verb(later) + " it (line " + std::to_string(later.line) + ")" +
                (in_group ? " with no barrier between them" : "; groups run in any order");
            drawing_.text({edge_of_group, y_}, text, "bad");
            description += text + ".\n";
            y_ += 18;
        }
        draw_bad_accesses(description);
    }

    void draw_bad_accesses(std::string& description) {
        std::set<std::pair<int, bool>> known; // lines
        for (const Access& access : trace_.accesses) {
            if (access.group != group_ || (!access.outside && !access.uninitialized) ||
                !known.insert({access.line, access.outside}).second)
                continue;
            const std::string text =
                "work-item " + std::to_string(access.item) + " " + verb(access) + " " +
                access.name + " (line " + std::to_string(access.line) + "), " +
                (access.outside
                     ? "which is outside: there are " +
                           std::to_string(array(access.element.array).elements) + " elements"
                     : "which holds no value yet");
            drawing_.text({edge_of_group, y_}, text, "bad");
            description += text + ".\n";
            y_ += 18;
        }
    }

    /// " from temp[0] and temp[4]": the elements that a new value is made of; "" if there are none.
    std::string sources_of(const Row& row, std::int64_t index) const {
        const auto changed = row.changed.find(index);
        if (changed == row.changed.end())
            return "";
        std::string text;
        for (const Element& from : changed->second)
            text += (text.empty() ? " from " : " and ") + array(from.array).name + "[" +
                    std::to_string(from.index) + "]";
        return text;
    }

    /// The cells of a row, in words.
    std::string describe(const Row& row) const {
        std::string text = array(row.array).name + (row.changed.empty() ? " holds" : " becomes");
        for (const auto& [index, value] : row.values)
            text += (index == row.values.begin()->first ? " " : ", ") +
                    describe_element(index, value, row.expected) + sources_of(row, index);
        return text;
    }

    void describe(std::string& description) const {
        description +=
            "Work-group " + std::to_string(group_) + " of kernel " + trace_.kernel + ":\n";
        const Row* before = nullptr;
        for (const Row& row : rows_) {
            if (before != nullptr && !row.changed.empty() && before->phase != row.phase) {
                const std::string missing = missing_at(barrier_before(row.phase));
                description += "After a barrier" + (missing.empty() ? "" : " " + missing) + ", ";
            }
            description += describe(row);
            for (const int line : row.lines)
                description += ", line " + std::to_string(line);
            description += ".\n";
            before = &row;
        }
    }

    Drawing& drawing_;
    const Picture::Launch& launch_;
    const wire::Trace& trace_;
    double y_;
    std::size_t group_;
    std::map<std::size_t, Step> steps_; ///< of the accesses that are drawn
    std::vector<Row> rows_;
    double widest_ = 0;
    double right_ = 0; ///< the end of the longest row
};

} // namespace

double draw_group(Drawing& drawing, const Picture::Launch& launch, double top,
                  std::string& description) {
    return GroupView(drawing, launch, top).draw(description);
}

} // namespace report
