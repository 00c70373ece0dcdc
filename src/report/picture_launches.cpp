#include "report/picture_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace report {
namespace {

constexpr double edge_of_launches = 16;
constexpr double height_of_strip_label = 18;
constexpr double height_of_element = 24;
constexpr double distance_of_launches = 78;
constexpr std::size_t most_numbers = 64; ///< of a row

using Elements = std::set<wire::TracedElement>;

/// What a group stores in an array, and which elements of each array of global memory that comes
/// from.
struct Share {
    std::map<std::int64_t, std::vector<std::uint64_t>> stored; ///< by index
    std::map<std::size_t, std::set<std::int64_t>> from;        ///< by array
};

/// By group and array.
using Shares = std::map<std::pair<std::size_t, std::size_t>, Share>;

/// The shares of a launch: an element in local memory counts as the global elements that it is made
/// of.
Shares shares_of(const wire::Trace& trace) {
    Shares shares;
    std::map<std::pair<std::size_t, wire::TracedElement>, Elements> local; // by group and element
    for (const wire::TracedAccess& access : trace.accesses) {
        if (access.kind == wire::TracedAccess::Kind::load || access.outside)
            continue;
        Elements sources;
        for (const wire::TracedElement& from : access.from) {
            if (!trace.arrays[from.array].local) {
                sources.insert(from);
                continue;
            }
            const auto known = local.find({access.group, from});
            if (known != local.end())
                sources.insert(known->second.begin(), known->second.end());
        }
        if (trace.arrays[access.element.array].local) {
            local[{access.group, access.element}] = std::move(sources);
            continue;
        }
        Share& share = shares[{access.group, access.element.array}];
        share.stored[access.element.index] = access.value;
        for (const wire::TracedElement& source : sources)
            share.from[source.array].insert(source.index);
    }
    return shares;
}

/// A buffer at a time: its elements, from the first to the last that is known.
struct Strip {
    double y = 0;
    const wire::TracedArray* array = nullptr;
    std::map<std::int64_t, std::string> values;
    std::map<std::int64_t, std::string> right; ///< instead of wrong ones
};

class LaunchesView {
  public:
    LaunchesView(Drawing& drawing, const std::vector<Picture::Launch>& launches, double top)
        : drawing_(drawing), launches_(launches), y_(top) {}

    double draw(std::string& description) {
        drawing_.text({edge_of_launches, y_},
                      launches_.size() == 1 ? "Global memory: what each work-group takes and writes"
                                            : "Global memory, launch by launch: what each "
                                              "work-group takes and writes",
                      "title");
        y_ += 30;
        width_ = width_of_number();
        for (std::size_t i = 0; i < launches_.size(); ++i)
            draw_launch(i, description);
        return y_;
    }

  private:
    /// Wide enough for every number.
    double width_of_number() const {
        std::size_t longest = 2;
        for (const Picture::Launch& launch : launches_) {
            const auto need = [&](const std::string& text, const wire::TracedArray& array) {
                longest = std::max(longest, (text.size() + array.lanes - 1) / array.lanes);
            };
            for (const wire::TracedAccess& access : launch.trace.accesses) {
                const wire::TracedArray& array = launch.trace.arrays[access.element.array];
                if (!array.local && !access.value.empty())
                    need(show_value(access.value, array), array);
            }
            for (const auto& [element, value] : launch.right) {
                const wire::TracedArray& array = launch.trace.arrays[element.array];
                need(wanted(show_value(value, array)), array);
            }
        }
        return 10 + 7.4 * static_cast<double>(std::min<std::size_t>(longest, 11));
    }

    Box box_of(const Strip& strip, std::int64_t index) const {
        const auto lanes = static_cast<double>(strip.array->lanes);
        return {{edge_of_launches + static_cast<double>(index) * lanes * (width_ + 3), strip.y},
                lanes * (width_ + 3) - 3,
                height_of_element};
    }

    static std::int64_t elements_of(const wire::TracedArray& array) {
        return static_cast<std::int64_t>(array.elements);
    }

    static bool is_drawn(const wire::TracedArray& array, std::int64_t index) {
        return index >= 0 && index < static_cast<std::int64_t>(most_numbers / array.lanes);
    }

    void draw_strip(const Strip& strip, const std::string& label, const char* kind) {
        drawing_.text({edge_of_launches, strip.y - 5}, label, "note");
        for (const auto& [index, value] : strip.values) {
            const Box box = box_of(strip, index);
            const auto right = strip.right.find(index);
            const bool is_wrong = right != strip.right.end();
            drawing_.box(box, value, is_wrong ? "cell wrong" : kind);
            if (is_wrong)
                drawing_.centered({box.bottom().x, box.bottom().y + 11}, wanted(right->second),
                                  "bad");
        }
        if (!strip.values.empty() && strip.values.rbegin()->first + 1 < elements_of(*strip.array))
            drawing_.text({box_of(strip, strip.values.rbegin()->first).right().x + 6, strip.y + 16},
                          "...", "note");
    }

    /// The elements that a launch loads from buffers that no launch before it has drawn.
    void draw_inputs(const Picture::Launch& launch) {
        std::map<std::size_t, Strip> inputs;
        std::set<wire::TracedElement> stored;
        for (const wire::TracedAccess& access : launch.trace.accesses) {
            const std::size_t number = access.element.array;
            const wire::TracedArray& array = launch.trace.arrays[number];
            if (array.local || access.outside || strips_.contains(launch.buffers[number]) ||
                !is_drawn(array, access.element.index))
                continue;
            if (access.kind != wire::TracedAccess::Kind::load)
                stored.insert(access.element);
            else if (!stored.contains(access.element))
                inputs[number].values.emplace(access.element.index,
                                              show_value(access.value, array));
        }
        for (auto& [number, strip] : inputs) {
            strip.array = &launch.trace.arrays[number];
            strip.y = y_ + height_of_strip_label;
            draw_strip(strip, strip.array->name + " before the launch", "cell");
            strips_[launch.buffers[number]] = strip;
            y_ = strip.y + height_of_element + 14;
        }
    }

    /// "sums holds [0]=3 [1]=7 (not 12)".
    static std::string describe(const Strip& strip) {
        std::string text = strip.array->name + " holds";
        for (const auto& [index, value] : strip.values)
            text += " " + describe_element(index, value, strip.right);
        return text;
    }

    void draw_launch(std::size_t number, std::string& description) {
        const Picture::Launch& launch = launches_[number];
        const wire::Trace& trace = launch.trace;
        draw_inputs(launch);
        y_ += 30;
        const std::string title =
            (launches_.size() == 1 ? "" : "launch " + std::to_string(number + 1) + ": ") +
            trace.kernel + ", " + std::to_string(trace.groups) +
            (trace.groups == 1 ? " work-group" : " work-groups") + " of " +
            std::to_string(trace.group_size);
        drawing_.text({edge_of_launches, y_ - 8}, title, "code");
        const Shares shares = shares_of(trace);
        std::map<std::uint64_t, Strip> written;
        std::set<std::size_t> arrays;
        for (const auto& [key, share] : shares)
            arrays.insert(key.second);
        for (const std::size_t array : arrays) {
            Strip strip;
            strip.array = &trace.arrays[array];
            strip.y = y_ + height_of_strip_label;
            for (const auto& [key, share] : shares) {
                if (key.second != array)
                    continue;
                for (const auto& [index, value] : share.stored) {
                    if (is_drawn(*strip.array, index))
                        strip.values[index] = show_value(value, *strip.array);
                }
                draw_shares(launch, share, strip);
            }
            for (const auto& [element, value] : launch.right) {
                if (element.array == array)
                    strip.right[element.index] = show_value(value, *strip.array);
            }
            draw_strip(strip, strip.array->name + " after it", "changed");
            description += "After launch " + std::to_string(number + 1) + " of " + trace.kernel +
                           ", " + describe(strip) + ".\n";
            written[launch.buffers[array]] = strip;
            y_ = strip.y + height_of_element + 14;
        }
        for (auto& [buffer, strip] : written) {
            // Elements that this launch has not touched keep their values.
            const auto before = strips_.find(buffer);
            if (before != strips_.end() && before->second.array->lanes == strip.array->lanes)
                strip.values.insert(before->second.values.begin(), before->second.values.end());
            strips_[buffer] = strip;
        }
        y_ += distance_of_launches - height_of_element - 44;
    }

    /// An area from what a group has taken to what it has written.
    void draw_shares(const Picture::Launch& launch, const Share& share, const Strip& target) {
        if (share.stored.empty() || !is_drawn(*target.array, share.stored.begin()->first))
            return;
        const Box first = box_of(target, share.stored.begin()->first);
        const Box last = box_of(target, last_drawn(*target.array, share.stored.rbegin()->first));
        for (const auto& [array, indices] : share.from) {
            const auto source = strips_.find(launch.buffers[array]);
            if (source == strips_.end() || !is_drawn(*source->second.array, *indices.begin()))
                continue;
            const Strip& strip = source->second;
            const Box from = box_of(strip, *indices.begin());
            const Box to = box_of(strip, last_drawn(*strip.array, *indices.rbegin()));
            drawing_.area({{from.at.x, from.bottom().y},
                           {to.at.x + to.width, to.bottom().y},
                           {last.at.x + last.width, last.at.y},
                           {first.at.x, first.at.y}},
                          "share");
        }
    }

    static std::int64_t last_drawn(const wire::TracedArray& array, std::int64_t index) {
        return std::min(index, static_cast<std::int64_t>(most_numbers / array.lanes) - 1);
    }

    Drawing& drawing_;
    const std::vector<Picture::Launch>& launches_;
    double y_;
    double width_ = 0;
    std::map<std::uint64_t, Strip> strips_; ///< of each buffer, the last one drawn
};

} // namespace

double draw_launches(Drawing& drawing, const std::vector<Picture::Launch>& launches, double top,
                     std::string& description) {
    return LaunchesView(drawing, launches, top).draw(description);
}

} // namespace report
