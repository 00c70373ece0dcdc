#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace report {
namespace {

bool is_control(unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7F; }

/// A character of a text.
struct Character {
    std::uint32_t code = 0;
    std::size_t size = 1; ///< bytes
    bool valid = false;   ///< false: a byte that is not part of a character
};

/// Returns the character at `at`, by the strict rules: nothing overlong, no surrogates.
Character character_at(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80)
        return {first, 1, true};
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + size > text.size())
        return {first, 1, false};
    std::uint32_t code = first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80)
            return {first, 1, false};
        code = code << 6U | (byte(at + i) & 0x3FU);
    }
    const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
        return {first, 1, false};
    return {code, size, true};
}

/// Replaces each byte that is not UTF-8.
std::string valid_utf8(const std::string& text) {
    std::string valid;
    for (std::size_t i = 0; i < text.size();) {
        const Character one = character_at(text, i);
        valid += one.valid ? text.substr(i, one.size) : "\xEF\xBF\xBD";
        i += one.size;
    }
    return valid;
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

/// Invisible characters, or characters that change how others are shown: control and format
/// characters, line separators, fillers, and code points that are not characters.
constexpr std::array<Range, 33> unseen{
    {{0x00, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
     {0x600, 0x605},     {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},
     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x115F, 0x1160},   {0x17B4, 0x17B5},
     {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
     {0x3164, 0x3164},   {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
     {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
     {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF},
     {0x2FFFE, 0x2FFFF}, {0x3FFFE, 0x3FFFF}, {0xE0000, 0xE0FFF}, {0xEFFFE, 0xEFFFF},
     {0xFFFFE, 0x10FFFF}}};

bool is_unseen(std::uint32_t code) {
    return std::ranges::any_of(
        unseen, [&](const Range& range) { return range.first <= code && code <= range.last; });
}

std::string hexadecimal(std::uint32_t number, std::size_t digits) {
    std::string text;
    for (; number != 0 || text.size() < digits; number /= 16)
        text.insert(text.begin(), "0123456789ABCDEF"[number % 16]);
    return text;
}

std::string escaped(const Character& one) {
    if (one.valid && one.code == '\n')
        return "\\n";
    if (one.valid && one.code == '\t')
        return "\\t";
    if (one.valid && one.code == '\r')
        return "\\r";
    if (!one.valid || one.code < 0x80)
        return "\\x" + hexadecimal(one.code, 2);
    return "\\u{" + hexadecimal(one.code, 2) + "}";
}

struct Style {
    bool one_line;
    bool doubled_backslashes;
};

std::string shown(const std::string& text, std::size_t limit, Style style) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Character one = character_at(text, at);
        const bool breaks = one.code == '\n' || one.code == '\t';
        std::string piece = text.substr(at, one.size);
        if (!style.one_line && text.compare(at, 2, "\r\n") == 0)
            piece.clear(); // the line feed follows
        else if (!one.valid || (breaks ? style.one_line : is_unseen(one.code)))
            piece = escaped(one);
        else if (one.code == '\\' && style.doubled_backslashes)
            piece = "\\\\";
        if (piece.size() > limit - result.size())
            return result + (style.one_line ? " ... " : "\n... ") +
                   std::to_string(text.size() - at) + " bytes more";
        result += piece;
        at += one.size;
    }
    return result;
}

/// White space that is longer than a byte.
constexpr std::array<std::string_view, 18> wide_blanks{
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
    "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
    "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};

} // namespace

std::string printable(const std::string& text) {
    std::string result;
    const std::string valid = valid_utf8(text);
    for (std::size_t i = 0; i < valid.size(); ++i) {
        const auto c = static_cast<unsigned char>(valid[i]);
        const auto next = static_cast<unsigned char>(i + 1 < valid.size() ? valid[i + 1] : '\0');
        // U+0080 to U+009F are control characters, too.
        const bool two_bytes = c == 0xC2 && next >= 0x80 && next < 0xA0;
        result += is_control(c) || two_bytes ? '?' : valid[i];
        i += two_bytes ? 1 : 0;
    }
    return result;
}

std::string visible(const std::string& text, std::size_t limit) {
    return shown(text, limit, {.one_line = false, .doubled_backslashes = false});
}

std::string visible_line(const std::string& text, std::size_t limit) {
    return shown(text, limit, {.one_line = true, .doubled_backslashes = false});
}

std::string distinct_line(const std::string& text) {
    return shown(text, std::string::npos, {.one_line = true, .doubled_backslashes = true});
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string count_of(std::size_t count, const std::string& noun) {
    const std::string ending = noun.substr(noun.size() - 2) == "ch" ? "es" : "s";
    return std::to_string(count) + " " + noun + (count == 1 ? "" : ending);
}

std::size_t after_blanks(const std::string& text, std::size_t at) {
    while (at < text.size()) {
        const auto* const wide = std::ranges::find_if(wide_blanks, [&](std::string_view blank) {
            return text.compare(at, blank.size(), blank) == 0;
        });
        if (wide != wide_blanks.end())
            at += wide->size();
        else if (std::string_view(" \t\v\f\r").find(text[at]) != std::string_view::npos)
            ++at;
        else
            break;
    }
    return at;
}

std::string without_commands(const std::string& text, const CommandMarks& marks) {
    std::string result;
    bool at_line_start = true;
    for (std::size_t at = 0; at < text.size();) {
        if (at_line_start) {
            const std::size_t begin = after_blanks(text, at);
            result.append(text, at, begin - at);
            at = begin;
            if (text.compare(at, 2, "::") == 0) {
                result += marks.colons;
                at += 2;
            }
            at_line_start = false;
        } else if (text.compare(at, 3, "##[") == 0) {
            result += marks.bracket;
            at += 3;
        } else {
            at_line_start = text[at] == '\n';
            result += text[at++];
        }
    }
    return result;
}

} // namespace report
