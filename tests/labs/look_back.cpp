#include "look_back.hpp"

#include "trials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace look_back {
namespace {

constexpr double exact_floats = 0x1p24; ///< whole numbers up to it are floats

/// The sums of the tiles.
struct Sums {
    std::vector<double> own;
    std::vector<double> before; ///< of all tiles before each; one more for the end

    double up_to(std::size_t tile) const { return before[tile + 1]; }
};

Sums sums_of(const Scan& scan) {
    Sums sums{{}, {0}};
    for (std::size_t i = 0; i < scan.values.size(); ++i) {
        if (i % scan.per_tile == 0)
            sums.own.push_back(0);
        sums.own.back() += double{scan.values[i]};
        if ((i + 1) % scan.per_tile == 0 || i + 1 == scan.values.size())
            sums.before.push_back(sums.before.back() + sums.own.back());
    }
    return sums;
}

/// Whether the elements of a tile are those of a scan with `before` as the sum of all elements
/// before it. If it is so large that the sums round, only the first one is compared.
bool begins_with(const Scan& scan, std::size_t tile, double before) {
    const std::size_t begin = tile * scan.per_tile;
    const bool rounds = !(std::fabs(before) < exact_floats / 2);
    const std::size_t end =
        rounds ? begin + 1 : std::min(begin + scan.per_tile, scan.values.size());
    double sum = static_cast<float>(before);
    for (std::size_t i = begin; i < end; ++i) {
        sum += double{scan.values[i]};
        if (scan.got[i] != static_cast<float>(sum))
            return false;
    }
    return true;
}

/// The sum of everything before a tile that all of its elements imply; nothing if they differ.
std::optional<double> sum_before(const Scan& scan, std::size_t tile) {
    const std::size_t begin = tile * scan.per_tile;
    const double sum = double{scan.got[begin]} - double{scan.values[begin]};
    return begins_with(scan, tile, sum) ? std::optional(sum) : std::nullopt;
}

std::uint32_t bits_of(double value) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

double value_of_bits(std::uint32_t bits) { return double{std::bit_cast<float>(bits)}; }

/// The bits with their halves swapped.
std::uint32_t swapped(std::uint32_t bits) { return std::rotl(bits, 16); }

std::string tiles_up_to(std::size_t last) {
    return last == 0 ? "tile 0"
                     : (last == 1 ? "tiles 0 and " : "tiles 0 to ") + std::to_string(last);
}

/// A wrong way through the two words of the state.
struct Coding {
    std::string advice;
    std::function<double(double value, std::uint32_t status)> read;
    bool shows_always = true; ///< also in scans of small numbers
};

std::vector<Coding> codings() {
    const std::string converted =
        "a number is converted: as_uint() and AS_TYPE() keep the bits, but a cast does not";
    const std::string halves =
        "the value has its upper 16 bits from one word and its lower 16 bits "
        "from the other";
    return {
        {"the status in the lower word gets into the value: take only the lower 16 bits of that "
         "word, lower & 0xFFFF",
         [](double value, std::uint32_t status) {
             return value_of_bits(bits_of(value) | status << 16);
         }},
        {converted,
         [](double value, std::uint32_t /*status*/) {
             return double{
                 static_cast<float>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)))};
         }},
        // What a cast of a negative number to uint gives is undefined: some processors give the
        // largest uint.
        {converted,
         [](double value, std::uint32_t /*status*/) { return value < 0 ? 0x1p32 : value; }},
        {"the bits are read as a whole number: AS_TYPE() keeps the bits, but a cast does not",
         [](double value, std::uint32_t /*status*/) {
             return double{static_cast<float>(bits_of(value))};
         }},
        {"the upper bits of each value are missing, as if they were shifted out to make room for "
         "the status: a value has 32 bits",
         [](double value, std::uint32_t /*status*/) {
             return value_of_bits(bits_of(value) << 2 >> 2);
         }},
        {"the lowest bits of each value are missing, as if the status took their place: a value "
         "has 32 bits",
         [](double value, std::uint32_t /*status*/) { return value_of_bits(bits_of(value) & ~3U); },
         false},
        {"the lower half of each value is missing: " + halves,
         [](double value, std::uint32_t /*status*/) {
             return value_of_bits(bits_of(value) & 0xFFFF0000U);
         }},
        {"the halves of each value are swapped: " + halves,
         [](double value, std::uint32_t /*status*/) {
             return value_of_bits(swapped(bits_of(value)));
         }},
    };
}

constexpr std::uint32_t aggregate = 1;
constexpr std::uint32_t prefix = 2;

/// The two words of a tile.
struct Words {
    std::size_t upper_index;
    std::uint32_t upper;
    std::uint32_t lower;

    bool are_written() const { return upper != 0 || lower != 0; }
    std::uint32_t bits() const { return upper << 16 | (lower & 0xFFFF); }
    std::uint32_t status() const { return upper >> 16; }
    bool agree() const { return status() == lower >> 16; }
    bool is_empty() const { return !are_written() || !agree(); }
    std::string names() const {
        return "state[" + std::to_string(upper_index) + "] and state[" +
               std::to_string(upper_index + 1) + "]";
    }
};

Words words_of(std::span<const std::uint32_t> state, std::size_t tile) {
    return {1 + 2 * tile, state[1 + 2 * tile], state[2 + 2 * tile]};
}

std::string hexadecimal(std::uint32_t word) {
    std::ostringstream text;
    text << "0x" << std::hex << std::setw(8) << std::setfill('0') << word;
    return text.str();
}

/// What the look-backs have last read of the words of the tiles, in a schedule other than the usual one;
/// nothing otherwise.
class Looks {
  public:
    explicit Looks(const std::vector<wire::WordRead>& reads) {
        for (const wire::WordRead& one : reads) {
            if (one.argument != state_argument)
                continue;
            words_[{one.group, one.word}] = one.value;
            if (one.word == 0) {
                groups_[one.value] = one.group;
                continue;
            }
            are_of_handout_ = are_of_handout_ && one.value >> 16 <= prefix;
            is_status_[one.word % 2] = is_status_[one.word % 2] && one.value <= prefix;
        }
    }

    /// The words of tile `other`, as the group of `tile` has last read them; nothing if it has not, or if
    /// they are not as the handout says.
    std::optional<Words> at(std::size_t tile, std::size_t other) const {
        return are_of_handout_ ? words_of(tile, other) : std::nullopt;
    }

    struct StatusAndValue {
        std::uint32_t status;
        std::uint32_t value;
    };
    /// The same in a layout in which status and value have a word each.
    std::optional<StatusAndValue> separate(std::size_t tile, std::size_t other) const {
        const std::optional<Words> words = words_of(tile, other);
        if (!words || is_status_[0] == is_status_[1])
            return std::nullopt;
        return is_status_[1] ? StatusAndValue{words->upper, words->lower}
                             : StatusAndValue{words->lower, words->upper};
    }

  private:
    std::optional<Words> words_of(std::size_t tile, std::size_t other) const {
        const auto group = groups_.find(tile);
        if (group == groups_.end())
            return std::nullopt;
        const auto upper = words_.find({group->second, 1 + 2 * other});
        const auto lower = words_.find({group->second, 2 + 2 * other});
        if (upper == words_.end() || lower == words_.end())
            return std::nullopt;
        return Words{1 + 2 * other, upper->second, lower->second};
    }

    std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> words_; ///< by group and number
    std::map<std::size_t, std::size_t> groups_; ///< by tile, if the kernel takes tickets
    bool are_of_handout_ = true;                ///< all words can have a status in their upper half
    /// All second words of the tiles, and all first ones, are a status and nothing else.
    std::array<bool, 2> is_status_{true, true};
};

/// Finds what explains one tile.
class Finder {
  public:
    Finder(const Scan& scan, std::size_t tile)
        : scan_(scan), sums_(sums_of(scan)), looks_(scan.reads), tile_(tile) {}

    std::vector<Idea> find(bool depends_on_schedule) {
        try_tiles(depends_on_schedule);
        try_parts(depends_on_schedule);
        const std::size_t others = found_.size();
        try_own_sums();
        if (!depends_on_schedule)
            try_codings();
        // If the lower half is always missing, half of a value is, too. Of whole values and halves that
        // explain the same, whole ones are more likely.
        const bool has_whole_values = depends_on_schedule && !found_.empty();
        if (found_.size() == others && !has_whole_values)
            try_halves();
        if (found_.empty())
            try_many_looks();
        if (found_.empty())
            find_skipped_tile();
        if (found_.empty())
            ask_for_own_sum();
        return std::move(found_);
    }

  private:
    double right() const { return sums_.before[tile_]; }

    /// The sum of the tiles from `begin` to the one before this one.
    double from(std::size_t begin) const { return right() - sums_.before[begin]; }

    void test(double before, const Idea& idea) {
        const bool is_known =
            std::ranges::any_of(found_, [&](const Idea& one) { return one.advice == idea.advice; });
        if (before != right() && !is_known && begins_with(scan_, tile_, before))
            found_.push_back(idea);
    }

    std::string sum() const {
        return "the sum of all elements before tile " + std::to_string(tile_);
    }

    void try_tiles(bool depends_on_schedule) {
        if (depends_on_schedule)
            test(0, {sum() + " lacks " + tiles_up_to(tile_ - 1) +
                         ", because a value was read before all of it was published",
                     advice_for_nothing()});
        const Idea begins_late{sum() + " contains the tile itself",
                               "begin the look-back at the tile before, tile - 1"};
        test(sums_.own[tile_], begins_late);
        test(right() + sums_.own[tile_], begins_late);
        if (tile_ > 1)
            test(from(tile_ - 1),
                 {sum() + " lacks " + tiles_up_to(tile_ - 2) + ", so it is that of tile " +
                      std::to_string(tile_ - 1) + " alone",
                  advice_for_one_tile(depends_on_schedule)});
        for (std::size_t other = 0; other < tile_; ++other) {
            const std::string advice = advice_for_missing(other);
            if (!advice.empty())
                test(right() - sums_.own[other],
                     {sum() + " lacks tile " + std::to_string(other), advice});
        }
        for (std::size_t last = 0; last + 1 < tile_; ++last)
            test(right() + sums_.up_to(last),
                 {sum() + " contains " + tiles_up_to(last) + " twice",
                  depends_on_schedule
                      ? advice_for_twice(last)
                      : "a PREFIX covers all earlier tiles, so the look-back must stop after the "
                        "first one"});
    }

    static constexpr const char* own_word =
        "publish both in one word, or give the value of a PREFIX a word of its own, and write that "
        "before the status";
    static constexpr const char* one_read =
        "so the value is from an earlier read, or the sum is replaced later: status and value must "
        "come from the same read, or from two words with the same status, and each value must be "
        "added to the sum, also that of a PREFIX";

    static std::string at_last_look(std::size_t other) {
        return "at the last look at tile " + std::to_string(other) + ", ";
    }

    /// "at the last look at tile 1, state[3] is 0x00010000 and state[4] is 0x0001a2b0, "
    static std::string last_look(const Words& words, std::size_t other) {
        return at_last_look(other) + "state[" + std::to_string(words.upper_index) + "] is " +
               hexadecimal(words.upper) + " and state[" + std::to_string(words.upper_index + 1) +
               "] is " + hexadecimal(words.lower) + ", ";
    }

    /// "" if it is not known what the group has read.
    std::string advice_for_missing(std::size_t other) const {
        const auto separate = looks_.separate(tile_, other);
        if (separate && separate->status != 0 && separate->value == 0)
            return at_last_look(other) +
                   "its status is there, but its value is not: publish the value before the "
                   "status, and read it after the status, with a mem_fence between the two";
        const std::optional<Words> words = looks_.at(tile_, other);
        if (!words)
            return "";
        const std::string look = last_look(*words, other);
        if (!words->are_written())
            return look + "so it is EMPTY: wait, or add up the tile";
        if (!words->agree())
            return look + "which have different statuses: wait until they have the same one, or "
                          "add up the tile";
        return look + one_read;
    }

    std::string advice_for_nothing() const {
        const std::string advice = advice_for_missing(tile_ - 1);
        return advice.empty() ? "status and value must come from one read, or from two words with "
                                "the same status, and the look-back must wait until they are there"
                              : advice;
    }

    std::string advice_for_one_tile(bool depends_on_schedule) const {
        const std::size_t other = tile_ - 1;
        const auto separate = looks_.separate(tile_, other);
        if (separate && separate->status == prefix && separate->value == bits_of(sums_.own[other]))
            return at_last_look(other) +
                   "its status is PREFIX already, but its value is still that of its AGGREGATE: " +
                   own_word;
        const std::optional<Words> words = looks_.at(tile_, other);
        if (!words)
            return std::string("the look-back must wait for a tile that is EMPTY, go on after an "
                               "AGGREGATE, and after a tile that the group has added up itself; a "
                               "PREFIX must contain all tiles before") +
                   (depends_on_schedule ? "; status and value must come from the same read" : "");
        const std::string look = last_look(*words, other);
        const std::string go_on = "go on after a tile that the group has added up itself";
        if (!words->are_written())
            return look + "so it is EMPTY: " + go_on;
        const bool is_own_sum = words->bits() == bits_of(sums_.own[other]);
        if (!words->agree()) {
            // The value of half a pair is complete if its other half is 0.
            const bool is_half = words->upper == 0 || words->lower == 0;
            return look + "which have different statuses" +
                   (!is_own_sum ? ", so it is EMPTY: " + go_on
                    : is_half   ? ", so it is EMPTY: do not use its value yet, and " + go_on
                                : ": wait until they have the same one");
        }
        if (is_own_sum)
            return look + (words->status() == aggregate
                               ? "which is an AGGREGATE: go on after it, up to the first PREFIX"
                               : "which is a PREFIX with only the sum of its own elements: publish "
                                 "that as an AGGREGATE");
        return look + one_read;
    }

    /// Tiles 0 to `last` count twice.
    std::string advice_for_twice(std::size_t last) const {
        const auto separate = looks_.separate(tile_, last);
        if (separate && separate->value == bits_of(sums_.up_to(last)))
            return at_last_look(last) +
                   "its value is already that of its PREFIX, but its status was that of its "
                   "AGGREGATE: " +
                   own_word;
        const std::optional<Words> words = looks_.at(tile_, last);
        if (words && !words->are_written())
            return last_look(*words, last) +
                   "so it is EMPTY: a look-back that adds up a tile itself must add only the "
                   "elements of that tile";
        if (words && !words->agree())
            return last_look(*words, last) +
                   "which have different statuses, so it is EMPTY: is its value used anyway, "
                   "or are elements of other tiles added with its own?";
        if (words && words->bits() == bits_of(sums_.up_to(last)))
            return last_look(*words, last) +
                   (words->status() == aggregate
                        ? "which is an AGGREGATE with the sum of all tiles up to it: that is a "
                          "PREFIX"
                        : "which is a PREFIX: stop after it, and take the status from the same "
                          "read as the value");
        return "was the value of a PREFIX taken for an AGGREGATE, because status and value are not "
               "from the same read? Or does a look-back that adds up a tile itself add elements of "
               "other tiles, too?";
    }

    /// The nearest tile that the group has found EMPTY, and so may have added up itself.
    std::optional<std::size_t> empty_tile() const {
        for (std::size_t other = tile_; other-- > 0;) {
            const std::optional<Words> words = looks_.at(tile_, other);
            if (!words)
                return std::nullopt;
            if (words->is_empty())
                return other;
        }
        return std::nullopt;
    }

    static std::string added_up_itself(std::size_t other) {
        return at_last_look(other) + "it is EMPTY, so the group has added it up itself: ";
    }

    /// The group adds up a tile itself, and what it gets is wrong.
    void try_own_sums() {
        const std::optional<std::size_t> empty = empty_tile();
        if (!empty)
            return;
        const double torn = value_of_bits(looks_.at(tile_, *empty)->bits());
        test(right() + torn, {sum() + " contains what the group has read of tile " +
                                  std::to_string(*empty) + ", too",
                              added_up_itself(*empty) +
                                  "that sum must replace the value that was read, not add to it"});
        for (std::size_t other = 0; other < sums_.own.size(); ++other)
            test(right() - sums_.own[*empty] + sums_.own[other],
                 {sum() + " has tile " + std::to_string(other) + " in the place of tile " +
                      std::to_string(*empty),
                  added_up_itself(*empty) + "it must take the elements of that tile"});
    }

    /// The group adds what it reads of a tile in each look, also while only half of it is there.
    void try_many_looks() {
        constexpr std::size_t nearest = 4;
        constexpr double most_looks = 1000;
        const std::optional<double> before = sum_before(scan_, tile_);
        if (!before)
            return;
        for (std::size_t other = tile_; other-- > 0 && other + nearest >= tile_;) {
            for (const double half : halves_of(other)) {
                const double looks = (*before - right()) / half;
                if (looks >= 1 && looks <= most_looks && looks == std::trunc(looks))
                    test(*before, {sum() + " contains what the group has read of tile " +
                                       std::to_string(other) + " while it was EMPTY",
                                   "add the value after the loop that waits for the tile, not in "
                                   "each round of it"});
            }
        }
    }

    /// What a look can read of a tile between two stores: an upper half and the lower half of another value.
    std::vector<double> halves_of(std::size_t other) const {
        const std::uint32_t own = bits_of(sums_.own[other]);
        const std::uint32_t prefix_bits = bits_of(sums_.up_to(other));
        std::vector<double> values;
        for (const std::uint32_t upper : {own, prefix_bits}) {
            for (const std::uint32_t lower : {0U, own, prefix_bits}) {
                if (lower != upper)
                    values.push_back(value_of_bits((upper & 0xFFFF0000U) | (lower & 0xFFFFU)));
            }
        }
        return values;
    }

    /// The look-back goes on after a tile without a PREFIX, but not to the tile before that.
    void find_skipped_tile() {
        for (std::size_t other = tile_; other-- > 0;) {
            const std::optional<Words> words = looks_.at(tile_, other);
            if (words && (words->is_empty() || words->status() == aggregate))
                continue;
            if (words || other + 1 == tile_)
                return;
            const std::size_t last = other + 1;
            found_.push_back({sum() + " is wrong",
                              last_look(*looks_.at(tile_, last), last) +
                                  "so it has no PREFIX. Tile " + std::to_string(other) +
                                  " comes next, but the group never looks at it: which tile does "
                                  "each round of the look-back look at?"});
            return;
        }
    }

    void ask_for_own_sum() {
        if (const std::optional<std::size_t> empty = empty_tile())
            found_.push_back({sum() + " is wrong",
                              added_up_itself(*empty) +
                                  "from its first element to its last, and no others? What is the "
                                  "size of a tile there?"});
    }

    /// Half of the value is from one publish(), half from another, or not yet published.
    void try_halves() {
        // A look-back ends at a PREFIX that is near. Of many tiles, one would explain anything.
        constexpr std::size_t most_tiles = 64;
        for (std::size_t other = tile_ - std::min(tile_, most_tiles); other < tile_; ++other) {
            const double both =
                value_of_bits(bits_of(sums_.own[other]) | bits_of(sums_.up_to(other)));
            const Idea added_bits{
                sum() + " has the bits of two values of tile " + std::to_string(other),
                "what is published must replace what was there before: use atomic_xchg, not "
                "atomic_or"};
            test(both + from(other + 1), added_bits);
            test(both + from(other + 1) + sums_.before[other], added_bits);
            std::set<double> whole{0, sums_.own[other], sums_.up_to(other)};
            if (other + 1 == tile_)
                whole.merge(sums_of_few_items());
            for (const double upper : whole) {
                if (upper == 0) // the value is hardly more than 0
                    continue;
                for (const double lower : whole) {
                    const double value =
                        value_of_bits((bits_of(upper) & 0xFFFF0000U) | (bits_of(lower) & 0xFFFFU));
                    if (whole.contains(value))
                        continue;
                    const std::string half = lower == 0
                                                 ? " has only half of the value of tile "
                                                 : " mixes the halves of two values of tile ";
                    const Idea idea{sum() + half + std::to_string(other),
                                    advice_for_halves(other, value)};
                    test(value + from(other + 1), idea);
                    test(value + from(other + 1) + sums_.before[other], idea);
                }
            }
        }
    }

    std::string advice_for_halves(std::size_t other, double value) const {
        const std::optional<Words> words = looks_.at(tile_, other);
        if (!words)
            return "a value counts only if both words have the same status; the look-back must "
                   "wait while they do not, and one work-item must publish the sum of the whole "
                   "tile";
        const std::string look = last_look(*words, other);
        if (!words->agree())
            return look + "which have different statuses, so the tile counts as EMPTY: a tile "
                          "has a status and a value only if both words have that status";
        if (words->bits() == bits_of(value))
            return look + "which have the same status, but are halves of two values: publish with "
                          "each status only once, the tile's own sum as an AGGREGATE and the sum "
                          "of all elements up to its end as a PREFIX";
        return look + "so one half of the value is from an earlier read: read both words once, and "
                      "take the status and the value from the same two reads";
    }

    /// What the first work-items of the tile just before have added up, without all of them.
    std::vector<double> sums_of_items() const {
        const std::size_t begin = (tile_ - 1) * scan_.per_tile;
        std::vector<double> sums;
        double sum = 0;
        for (std::size_t i = begin; i + scan_.per_item < begin + scan_.per_tile; ++i) {
            sum += double{scan_.values[i]};
            if ((i + 1) % scan_.per_item == 0)
                sums.push_back(sum);
        }
        return sums;
    }

    /// The same if there are so few that halves of them explain nothing by accident, as own sums and as
    /// prefixes.
    std::set<double> sums_of_few_items() const {
        constexpr std::size_t few = 3;
        const std::vector<double> own = sums_of_items();
        if (own.size() > few)
            return {};
        std::set<double> sums(own.begin(), own.end());
        for (const double one : own)
            sums.insert(sums_.before[tile_ - 1] + one);
        return sums;
    }

    /// The tile just before has published less than the sum of all its work-items.
    void try_parts(bool depends_on_schedule) {
        const std::optional<Words> words = looks_.at(tile_, tile_ - 1);
        const bool holds_sum = words && value_of_bits(words->bits()) == sums_.own[tile_ - 1];
        const std::string advice =
            words && words->is_empty()
                ? added_up_itself(tile_ - 1) + "it must take all of its elements"
            : holds_sum
                ? at_last_look(tile_ - 1) +
                      "it holds its sum, which the group does not use: a look-back that "
                      "adds up a tile itself must take all of its elements"
                : std::string("one work-item must publish the sum of the whole tile, which is "
                              "sums[get_local_size(0) - 1]") +
                      (words || !depends_on_schedule
                           ? ""
                           : ", and a look-back that adds up a tile itself must take all of its "
                             "elements");
        for (const double part : sums_of_items())
            test(sums_.before[tile_ - 1] + part,
                 {sum() + " lacks what the last work-items of tile " + std::to_string(tile_ - 1) +
                      " have added up",
                  advice});
    }

    void try_codings() {
        for (const Coding& coding : codings()) {
            double aggregates = 0;
            for (std::size_t other = tile_; other-- > 0 && other + 8 > tile_;) {
                test(aggregates + coding.read(sums_.up_to(other), prefix),
                     {sum() + " is wrong", coding.advice, coding.shows_always});
                aggregates += coding.read(sums_.own[other], aggregate);
            }
        }
    }

    const Scan& scan_;
    Sums sums_;
    Looks looks_;
    std::size_t tile_;
    std::vector<Idea> found_;
};

/// Whether each tile's sum before it can come from a PREFIX that lacks the tile's own sum. That of tile 0 may
/// be right: kernels often treat it alone.
bool lack_own_sums(const Sums& sums, const std::vector<double>& got) {
    for (std::size_t tile = 1; tile < got.size(); ++tile) {
        double aggregates = 0;
        bool is_explained = false;
        for (std::size_t other = tile; other-- > 0;) {
            is_explained = is_explained || got[tile] == aggregates + got[other] ||
                           (other == 0 && got[tile] == aggregates + sums.own.front());
            aggregates += sums.own[other];
        }
        if (!is_explained)
            return false;
    }
    return true;
}

/// Whether each tile has the sum of all tiles after it instead of those before it.
bool is_reversed(const Scan& scan) {
    const Sums sums = sums_of(scan);
    const std::size_t tiles = sums.own.size();
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        if (!begins_with(scan, tile, sums.before[tiles] - sums.up_to(tile)))
            return false;
    }
    return tiles > 1;
}

} // namespace

std::vector<Idea> ideas(const Scan& scan, std::size_t first, bool depends_on_schedule) {
    if (depends_on_schedule && is_reversed(scan)) // the last group has taken the first ticket
        return {
            {"each group adds the sum of all elements before the tile of its ticket, but its own "
             "elements are not those of that tile",
             "the ticket, not get_group_id() or get_global_id(), is the number of the tile"}};
    if (first == 0 || first % scan.per_tile != 0)
        return {};
    return Finder(scan, first / scan.per_tile).find(depends_on_schedule);
}

std::vector<std::string> explanations(const Scan& scan) {
    const Sums sums = sums_of(scan);
    const std::size_t tiles = sums.own.size();
    std::vector<double> got;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const std::optional<double> before = sum_before(scan, tile);
        if (!before)
            return {};
        got.push_back(*before);
    }
    if (tiles < 2 || got.front() != 0)
        return {};
    std::vector<std::string> found;
    bool all_lack_first = true;
    for (std::size_t tile = 1; tile < tiles; ++tile)
        all_lack_first = all_lack_first && got[tile] == sums.before[tile] - sums.own.front();
    if (all_lack_first)
        found.emplace_back("every tile lacks tile 0: the look-back must not end before tile 0, and "
                           "tile 0 must publish its own sum");
    const bool only_tile_0 = tiles > 2 && std::all_of(got.begin() + 1, got.end(), [&](double one) {
                                 return one == sums.own.front();
                             });
    if (only_tile_0)
        found.emplace_back(
            "every tile adds only the sum of tile 0: begin the look-back with the "
            "previous tile, tile - 1, end it at the first PREFIX, and add the tile's "
            "own sum to its PREFIX");
    // If all of them are 0, the look-back can be right.
    const bool are_zero = std::ranges::all_of(got, [](double one) { return one == 0; });
    if (!only_tile_0 && (tiles == 2 || !are_zero) && lack_own_sums(sums, got))
        found.emplace_back("a PREFIX lacks the tile's own sum: publish the sum of all elements "
                           "before the tile plus the sum of its own elements");
    return found;
}

namespace {

/// What a tile has published instead of `right`; "" if that is not known. `before`: the sum of all
/// elements before it.
std::string wrong_value(const Words& words, double right, double before, double own) {
    const auto is = [&](double value) { return words.bits() == bits_of(value); };
    if (is(right))
        return {};
    if (words.bits() == static_cast<std::uint32_t>(static_cast<std::int64_t>(right)))
        return " is the whole number " + std::to_string(words.bits()) +
               ", not the bits of a float: as_uint() keeps the bits, but a cast does not";
    if (words.bits() == swapped(bits_of(right)))
        return " has its upper 16 bits in the second word and its lower 16 bits in the first one";
    if (words.status() != prefix || own == 0 || before == own)
        return {};
    if (is(before))
        return " lacks the tile's own sum: publish the sum of all elements before the tile plus "
               "the sum of its own elements";
    if (!is(own))
        return {};
    // The halves of the sum before, swapped, can be hardly more than 0.
    const bool can_be_swapped = static_cast<float>(own + value_of_bits(swapped(bits_of(before)))) ==
                                static_cast<float>(own);
    return std::string(
               " is only the sum of its own elements: it is published before look_back() is "
               "called, or look_back() returns 0, or its result is not added") +
           (can_be_swapped ? ", or look_at() swaps the halves of each value" : "");
}

/// Whether one word of a tile is its status and the other one its value. That can be right, too.
bool are_status_and_value(const Words& words, const Sums& sums, std::size_t tile) {
    const auto are = [&](std::uint32_t status, std::uint32_t value) {
        return (status == aggregate || status == prefix) &&
               (value == bits_of(sums.own[tile]) || value == bits_of(sums.up_to(tile)));
    };
    return are(words.upper, words.lower) || are(words.lower, words.upper);
}

std::string mistake_of_tile(const Words& words, const Sums& sums, std::size_t tile) {
    const std::string name = "tile " + std::to_string(tile);
    if (!words.agree())
        return "the two words of " + name + ", " + words.names() + ", are " +
               hexadecimal(words.upper) + " and " + hexadecimal(words.lower) +
               ", which have different statuses: each of them must have the status in its upper 16 "
               "bits, and a half of the value in its lower 16 bits" +
               (words.status() == 0xFFFF && words.bits() >> 31 != 0
                    ? ". If an int is negative, >> fills its upper bits with ones: use a uint"
                    : "");
    if (words.status() == aggregate && tile == 0 && sums.own.size() > 1)
        return "tile 0 has published only an AGGREGATE: no elements are before it, so its own sum "
               "is already a PREFIX, at which every look-back ends";
    if (words.status() == aggregate && words.bits() == bits_of(sums.up_to(tile)) &&
        sums.own[tile] != sums.up_to(tile))
        return name + " has published the sum of all elements up to its end as an AGGREGATE: that "
                      "is a PREFIX, at which every look-back ends";
    const bool is_prefix = words.status() == prefix;
    const std::string wrong = wrong_value(words, is_prefix ? sums.up_to(tile) : sums.own[tile],
                                          sums.before[tile], sums.own[tile]);
    return wrong.empty()
               ? ""
               : std::string(is_prefix ? "the PREFIX of " : "the AGGREGATE of ") + name + wrong;
}

/// Whether all tiles have published their sums, rightly, with a PREFIX that has the bit of an AGGREGATE.
bool is_prefix_3(std::span<const std::uint32_t> state, const Sums& sums) {
    for (std::size_t tile = 0; tile < sums.own.size(); ++tile) {
        const Words words = words_of(state, tile);
        if (words.status() != (aggregate | prefix) || words.lower >> 16 != words.status() ||
            words.bits() != bits_of(sums.up_to(tile)))
            return false;
    }
    return true;
}

/// Whether all tiles from number `first` on, at least two, have the status AGGREGATE.
bool are_aggregates(std::span<const std::uint32_t> state, std::size_t first, std::size_t tiles) {
    for (std::size_t tile = first; tile < tiles; ++tile) {
        const Words words = words_of(state, tile);
        if (words.status() != aggregate || !words.agree())
            return false;
    }
    return tiles >= first + 2;
}

/// Whether any word of a tile has a status where the handout says.
bool has_statuses(std::span<const std::uint32_t> state, std::size_t tiles) {
    return std::ranges::any_of(state.subspan(1, 2 * tiles), [](std::uint32_t word) {
        return word >> 16 == aggregate || word >> 16 == prefix;
    });
}

} // namespace

StateMistake mistake_in_state(const Scan& scan, std::span<const std::uint32_t> state,
                              bool has_ended) {
    const Sums sums = sums_of(scan);
    const std::size_t tiles = sums.own.size();
    const bool is_exact =
        std::ranges::all_of(scan.values, [](float one) { return one == std::trunc(one); }) &&
        std::ranges::all_of(sums.before, [](double sum) { return std::fabs(sum) < exact_floats; });
    // With three words or more for each tile, the layout is another one.
    if (!is_exact || state.size() < 1 + 2 * tiles || state.size() >= 1 + 3 * tiles)
        return {};
    const std::size_t items = scan.per_tile / scan.per_item;
    const std::string ticket = "state[0], the ticket, is " + std::to_string(state[0]) +
                               " after a launch with " + std::to_string(tiles) +
                               (tiles == 1 ? " group" : " groups");
    if (items > 1 && state[0] == tiles * items)
        return {ticket + " of " + std::to_string(items) + " work-items: " + each_takes_ticket,
                true};
    // A ticket that was not 0, or a word of a tile; anything else is another layout.
    if (state[0] > tiles && state[0] >> 16 > prefix)
        return {};
    if (state[0] > tiles)
        return {ticket + ": was it 0 before? Do other words overwrite it? Tile t has the words "
                         "1 + 2 * t and 2 + 2 * t",
                true};
    if (is_prefix_3(state, sums))
        return {"PREFIX is 3, which contains the bit of AGGREGATE (1 & 3 is 1): a tile with one "
                "AGGREGATE word and one PREFIX word looks like AGGREGATE. Define PREFIX as 2"};
    if (tiles == 1 || !has_statuses(state, tiles)) // a single tile uses no words
        return {};
    if (are_aggregates(state, 1, tiles))
        return {
            std::string("after the launch, all tiles") +
            (are_aggregates(state, 0, tiles) ? "" : " but tile 0") +
            " have the status AGGREGATE: finally, each tile must publish the sum of all elements "
            "up to its end as a PREFIX, at which every look-back ends"};
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const Words words = words_of(state, tile);
        if (are_status_and_value(words, sums, tile))
            return {};
        std::string mistake = words.are_written() ? mistake_of_tile(words, sums, tile) : "";
        if (!mistake.empty())
            return {std::move(mistake)};
    }
    const bool lacks_first = !words_of(state, 0).are_written() && words_of(state, 1).are_written();
    if (lacks_first)
        return {"after the launch, " + words_of(state, 0).names() +
                ", the words of tile 0, are 0: tile 0 must publish its sum, too, as a PREFIX"};
    const Words last = words_of(state, tiles - 1);
    if (has_ended && !last.are_written())
        return {"after the launch, " + last.names() + ", the words of tile " +
                std::to_string(tiles - 1) +
                ", are 0: does each tile publish in its own words, 1 + 2 * tile and 2 + 2 * tile, "
                "and does only the host clear them?"};
    return {};
}

} // namespace look_back
