#include "report/picture_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace report {
namespace {

constexpr double edge_of_turns = 22;
constexpr double width_of_turn_letter = 7.8; ///< bold
constexpr double height_of_turn = 22;
constexpr std::size_t most_lanes = 4;
constexpr std::size_t most_turns = 60;

using TurnKind = wire::TracedAccess::Kind;
/// A work-item: its group and its number within it.
using Lane = std::pair<std::size_t, std::size_t>;

class TurnsView {
  public:
    TurnsView(Drawing& drawing, const Picture::Launch& launch, double top)
        : drawing_(drawing), trace_(launch.trace), y_(top) {}

    double draw(std::string& description) {
        find_shared();
        find_locks();
        for (std::size_t i = 0; i < trace_.accesses.size(); ++i) {
            if (lane_of(i))
                width_ = std::max(
                    width_, width_of_turn_letter *
                                    static_cast<double>(text_of_turn(trace_.accesses[i]).size()) +
                                40);
        }
        drawing_.text({edge_of_turns, y_},
                      "Kernel " + trace_.kernel +
                          ": what work-items do with the memory they share, one after the other",
                      "title");
        y_ += 18;
        if (!locks_.empty())
            drawing_.text({edge_of_turns, y_},
                          "A bold line at the left means that the work-item holds a lock: a word "
                          "that it has changed from 0.",
                          "note");
        y_ += 24;
        for (std::size_t i = 0; i < lanes_.size(); ++i)
            drawing_.text({left_of(i), y_},
                          "work-item " + std::to_string(lanes_[i].second) + " of group " +
                              std::to_string(lanes_[i].first),
                          "title");
        y_ += 10;
        std::size_t drawn = 0;
        for (std::size_t i = 0; i < trace_.accesses.size(); ++i) {
            const auto lane = lane_of(i);
            if (!lane)
                continue;
            if (drawn++ == most_turns) {
                drawing_.text({edge_of_turns, y_ + 14}, "and so on", "note");
                y_ += height_of_turn;
                break;
            }
            draw_turn(i, *lane, description);
        }
        return y_ + 10;
    }

  private:
    double left_of(std::size_t lane) const {
        return edge_of_turns + static_cast<double>(lane) * width_;
    }

    /// The elements that an atomic operation or a store of one work-item and an access of another
    /// have in common, and the work-items that use them most.
    void find_shared() {
        std::map<wire::TracedElement, std::set<Lane>> users;
        std::set<wire::TracedElement> written;
        for (const wire::TracedAccess& access : trace_.accesses) {
            if (trace_.arrays[access.element.array].local || access.outside)
                continue;
            users[access.element].insert({access.group, access.item});
            if (access.kind != TurnKind::load)
                written.insert(access.element);
        }
        for (const auto& [element, lanes] : users) {
            if (lanes.size() > 1 && written.contains(element))
                shared_.insert(element);
        }
        for (const wire::TracedAccess& access : trace_.accesses) {
            const Lane lane{access.group, access.item};
            if (shared_.contains(access.element) && lanes_.size() < most_lanes &&
                std::ranges::find(lanes_, lane) == lanes_.end())
                lanes_.push_back(lane);
        }
    }

    /// The lane in which an access is drawn, if it is.
    std::optional<std::size_t> lane_of(std::size_t number) const {
        const wire::TracedAccess& access = trace_.accesses[number];
        const auto lane = std::ranges::find(lanes_, Lane{access.group, access.item});
        if (lane == lanes_.end() || !shared_.contains(access.element))
            return std::nullopt;
        return static_cast<std::size_t>(lane - lanes_.begin());
    }

    std::string text_of_turn(const wire::TracedAccess& access) const {
        const wire::TracedArray& array = trace_.arrays[access.element.array];
        const std::string value = show_value(access.value, array);
        std::string text = std::to_string(access.line) + "  ";
        if (access.kind == TurnKind::load)
            text += access.name + " is " + value;
        else if (access.kind == TurnKind::store)
            text += access.name + " = " + value;
        else if (access.before == access.value)
            text += access.operation + ": " + access.name + " stays " + value;
        else
            text += access.operation + ": " + access.name + " from " +
                    show_value(access.before, array) + " to " + value;
        return text + (access.times > 1 ? ", " + std::to_string(access.times) + " times" : "");
    }

    /// Notes which value of each element a work-item has read last. Returns the number of an access
    /// whose value this store overwrites although its work-item has not seen it.
    std::optional<std::size_t> lost_by(std::size_t number) {
        const wire::TracedAccess& access = trace_.accesses[number];
        const Lane lane{access.group, access.item};
        std::optional<std::size_t> lost;
        if (access.kind == TurnKind::store) {
            const bool builds_on_it =
                std::ranges::find(access.from, access.element) != access.from.end();
            const auto seen = seen_.find({lane, access.element});
            const auto written = written_.find(access.element);
            if (builds_on_it && seen != seen_.end() && written != written_.end() &&
                written->second > seen->second && writer_of(written->second) != lane)
                lost = written->second;
        }
        if (access.kind != TurnKind::load)
            written_[access.element] = number;
        seen_[{lane, access.element}] = number;
        return lost;
    }

    /// The last store to the element that this access reads, if it does not see that store: it has
    /// not arrived yet.
    std::optional<std::size_t> unseen_by(std::size_t number) const {
        const wire::TracedAccess& access = trace_.accesses[number];
        const auto written = written_.find(access.element);
        const auto& read = access.kind == TurnKind::atomic ? access.before : access.value;
        if (access.kind == TurnKind::store || written == written_.end() ||
            trace_.accesses[written->second].kind != TurnKind::store ||
            trace_.accesses[written->second].value == read)
            return std::nullopt;
        return written->second;
    }

    Lane writer_of(std::size_t number) const {
        return {trace_.accesses[number].group, trace_.accesses[number].item};
    }

    void draw_turn(std::size_t number, std::size_t lane, std::string& description) {
        const wire::TracedAccess& access = trace_.accesses[number];
        const auto unseen = unseen_by(number);
        const auto lost = lost_by(number);
        const Box box{{left_of(lane), y_}, width_ - 20, height_of_turn - 3};
        const bool changes = access.kind != TurnKind::load && access.before != access.value;
        drawing_.box(box, text_of_turn(access),
                     lost || unseen ? "cell wrong"
                     : changes      ? "cell changed"
                                    : "cell");
        description += "Work-item " + std::to_string(access.item) + " of group " +
                       std::to_string(access.group) + ", line " + text_of_turn(access) + ".\n";
        note_holder(access, lane);
        for (const auto& [element, holder] : holders_)
            drawing_.line({left_of(holder) - 5, y_}, {left_of(holder) - 5, y_ + height_of_turn},
                          "held");
        y_ += height_of_turn;
        if (lost)
            explain_turn(lane, "this overwrites what ", *lost, "", description);
        if (unseen)
            explain_turn(lane, "an old value: what ", *unseen, " is not visible yet", description);
    }

    /// Writes what a turn does to a store of another work-item, under the turn.
    void explain_turn(std::size_t lane, const char* before, std::size_t store, const char* after,
                      std::string& description) {
        const Lane other = writer_of(store);
        const std::string what = before + ("work-item " + std::to_string(other.second)) +
                                 " of group " + std::to_string(other.first) + " stored at line " +
                                 std::to_string(trace_.accesses[store].line) + after;
        drawing_.text({left_of(lane), y_ + 12}, what, "bad");
        description += what + ".\n";
        y_ += height_of_turn;
    }

    static bool is_exchange(const wire::TracedAccess& access) {
        return access.kind == TurnKind::atomic && access.value.size() == 1 &&
               access.operation.find("xchg") != std::string::npos;
    }

    /// Words that are locks: exchanges set them to 0 again, or to nothing but 0 and 1.
    void find_locks() {
        std::set<wire::TracedElement> reset;
        std::set<wire::TracedElement> others;
        for (const wire::TracedAccess& access : trace_.accesses) {
            if (!is_exchange(access))
                continue;
            const std::uint64_t value = access.value.front();
            if (value == 0)
                reset.insert(access.element);
            if (value > 1)
                others.insert(access.element);
            locks_.insert(access.element);
        }
        for (const wire::TracedElement& other : others) {
            if (!reset.contains(other))
                locks_.erase(other);
        }
    }

    /// Notes which lane holds a lock: it has changed the word from 0, and the word is not 0 again.
    void note_holder(const wire::TracedAccess& access, std::size_t lane) {
        if (!is_exchange(access) || !locks_.contains(access.element))
            return;
        if (access.value.front() == 0)
            holders_.erase(access.element);
        else if (access.before.size() == 1 && access.before.front() == 0)
            holders_[access.element] = lane;
    }

    Drawing& drawing_;
    const wire::Trace& trace_;
    double y_;
    double width_ = 240; ///< of a lane
    std::set<wire::TracedElement> shared_;
    std::vector<Lane> lanes_;
    std::map<std::pair<Lane, wire::TracedElement>, std::size_t> seen_;
    std::map<wire::TracedElement, std::size_t> written_;
    std::set<wire::TracedElement> locks_;
    std::map<wire::TracedElement, std::size_t> holders_; ///< of locks: the lane
};

} // namespace

double draw_turns(Drawing& drawing, const Picture::Launch& launch, double top,
                  std::string& description) {
    return TurnsView(drawing, launch, top).draw(description);
}

} // namespace report
