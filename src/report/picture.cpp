#include "report/picture.hpp"

#include "report/picture_parts.hpp"
#include "report/text.hpp"
#include "report/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

namespace report {
namespace {

constexpr double left_edge = 16;
constexpr double line_of_text = 18;
constexpr std::size_t most_result_cells = 32;
constexpr std::size_t longest_source = 90;

std::string show_number(double number) {
    if (std::isnan(number))
        return "nan"; // without the sign, which means nothing
    std::ostringstream text;
    text << std::setprecision(5) << number;
    return text.str();
}

template <class Number> Number from_bits(std::uint64_t bits) {
    Number number{};
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

bool uses_local_memory(const Picture::Launch& launch) {
    return std::ranges::any_of(launch.trace.arrays,
                               [](const wire::TracedArray& array) { return array.local; });
}

bool has_structures(const Picture::Launch& launch) {
    return std::ranges::any_of(launch.trace.arrays,
                               [](const wire::TracedArray& array) { return array.is_struct; });
}

/// Whether groups change words of global memory that they share: by atomic operations, or by stores
/// that build on what they replace.
bool has_shared_words(const Picture::Launch& launch) {
    std::map<wire::TracedElement, std::set<std::size_t>> updated_by; // groups
    for (const wire::TracedAccess& access : launch.trace.accesses) {
        if (launch.trace.arrays[access.element.array].local)
            continue;
        if (access.kind == wire::TracedAccess::Kind::atomic)
            return true;
        if (access.kind == wire::TracedAccess::Kind::store &&
            std::ranges::find(access.from, access.element) != access.from.end())
            updated_by[access.element].insert(access.group);
    }
    return std::ranges::any_of(updated_by, [](const auto& word) { return word.second.size() > 1; });
}

/// The first launch of `kernel` that leaves wrong values, or the first one.
const Picture::Launch* launch_to_draw(const Picture& picture, const std::string& kernel) {
    const Picture::Launch* first = nullptr;
    for (const Picture::Launch& launch : picture.launches) {
        if (launch.trace.kernel != kernel)
            continue;
        if (!launch.right.empty())
            return &launch;
        if (first == nullptr)
            first = &launch;
    }
    return first;
}

double draw_message(Drawing& drawing, const std::string& message, double top) {
    constexpr int most_lines = 16;
    std::istringstream lines(wrapped(visible(message), usual_columns));
    int shown = 0;
    for (std::string line; std::getline(lines, line) && shown < most_lines; ++shown) {
        drawing.text({left_edge, top}, line, shown == 0 ? "bad" : "code");
        top += line_of_text;
    }
    return top;
}

double draw_result(Drawing& drawing, const Picture& picture, double top, std::string& description) {
    constexpr double width = 52;
    constexpr double height = 28;
    drawing.text({left_edge, top}, "The result that the host returns", "title");
    top += 12;
    for (std::size_t i = 0; i < std::min(picture.result.size(), most_result_cells); ++i) {
        const Picture::Value& value = picture.result[i];
        const Box box{{left_edge + static_cast<double>(i) * (width + 4), top}, width, height};
        drawing.box(box, show_number(value.got), value.wrong ? "cell wrong" : "cell");
        if (!value.wrong)
            continue;
        drawing.centered({box.bottom().x, box.bottom().y + 14}, wanted(show_number(value.expected)),
                         "bad");
        description += "Element " + std::to_string(i) + " of the result is " +
                       show_number(value.got) + ", expected " + show_number(value.expected) + ".\n";
    }
    return top + height + 2 * line_of_text;
}

/// Small numbers are counts. Large ones are words of several parts, which only hexadecimal digits
/// show.
std::string show_word(std::uint64_t bits) {
    constexpr std::uint64_t largest_count = 0xFFFF;
    std::ostringstream text;
    if (bits > largest_count)
        text << "0x" << std::hex;
    text << bits;
    return text.str();
}

} // namespace

std::string show_bits(std::uint64_t bits, const wire::TracedArray& array) {
    using Numbers = wire::TracedArray::Numbers;
    const bool wide = array.bytes > sizeof(std::uint32_t);
    if (array.numbers == Numbers::floating)
        return show_number(wide ? from_bits<double>(bits) : from_bits<float>(bits));
    if (array.numbers == Numbers::without_sign)
        return show_word(bits);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(std::min<std::size_t>(array.bytes, 8));
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string show_value(const std::vector<std::uint64_t>& lanes, const wire::TracedArray& array) {
    std::string text;
    for (const std::uint64_t lane : lanes)
        text += (text.empty() ? "" : " ") + show_bits(lane, array);
    return text.empty() ? "?" : text;
}

std::string describe_element(std::int64_t index, const std::string& value,
                             const std::map<std::int64_t, std::string>& right) {
    const auto found = right.find(index);
    return "[" + std::to_string(index) + "]=" + value +
           (found == right.end() ? "" : " (" + wanted(found->second) + ")");
}

std::string show_line(const Picture::Launch& launch, int line) {
    if (line <= 0 || static_cast<std::size_t>(line) > launch.source.size())
        return "";
    std::string source = launch.source[static_cast<std::size_t>(line) - 1];
    source.erase(0, after_blanks(source, 0));
    if (source.size() > longest_source)
        source = source.substr(0, longest_source - 3) + "...";
    return std::to_string(line) + "  " + source;
}

bool shows_mistake(const Picture& picture) {
    const auto is_mistake = [](const wire::TracedAccess& access) {
        return access.race >= 0 || access.outside || access.uninitialized;
    };
    const auto is_missed = [](const wire::TracedBarrier& barrier) {
        return !barrier.missing.empty();
    };
    return std::ranges::any_of(picture.result,
                               [](const Picture::Value& value) { return value.wrong; }) ||
           std::ranges::any_of(picture.launches, [&](const Picture::Launch& launch) {
               return std::ranges::any_of(launch.trace.accesses, is_mistake) ||
                      std::ranges::any_of(launch.trace.barriers, is_missed);
           });
}

std::string to_svg(const Picture& picture) {
    Drawing drawing;
    std::string description;
    double top = 24;
    drawing.text({left_edge, top}, picture.title, "title");
    top += line_of_text;
    if (!picture.message.empty()) {
        top = draw_message(drawing, picture.message, top);
        description += picture.message + "\n";
    }
    const bool several = picture.launches.size() > 1 ||
                         (!picture.launches.empty() && picture.launches.front().trace.groups > 1);
    if (several && !has_structures(picture.launches.front()))
        top = draw_launches(drawing, picture.launches, top + line_of_text, description);
    for (const Picture::Launch& launch : picture.launches) {
        if (has_shared_words(launch) && launch.trace.groups > 1)
            top = draw_turns(drawing, launch, top + line_of_text, description);
        else if (uses_local_memory(launch) &&
                 &launch == launch_to_draw(picture, launch.trace.kernel))
            top = draw_group(drawing, launch, top + line_of_text, description);
    }
    if (!picture.result.empty())
        draw_result(drawing, picture, top + line_of_text, description);
    return drawing.finish(picture.title, description);
}

} // namespace report
