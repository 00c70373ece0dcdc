#include "release/marks.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace release {
namespace {

constexpr std::string_view student_mark = "// [student]";
constexpr std::string_view more_mark = "// |";
constexpr std::array<std::string_view, 2> left_out_marks{"// [left out]", "<!-- [left out] -->"};
constexpr std::array<std::string_view, 2> end_marks{"// [end]", "<!-- [end] -->"};

struct Line {
    std::string text;
    std::size_t number = 0;
    std::size_t indent = 0; ///< number of leading blanks

    bool has(std::string_view mark) const { return text.compare(indent, mark.size(), mark) == 0; }
    bool has_one_of(const std::array<std::string_view, 2>& marks) const {
        return std::ranges::any_of(marks, [&](auto mark) { return has(mark); });
    }
    std::string after(std::string_view mark) const { return text.substr(indent + mark.size()); }
    std::string blanks() const { return text.substr(0, indent); }
};

/// A part of a file: lines that all readers get, or the lines between two marks.
struct Part {
    enum class Kind { common, student, left_out };
    Kind kind = Kind::common;
    Line mark;                     ///< the line that begins it, unless it is common
    std::vector<std::string> more; ///< the lines with // | after the mark
    std::vector<std::string> lines;
};

[[noreturn]] void refuse(const std::string& name, const Line& line, const std::string& why) {
    throw std::runtime_error(name + ":" + std::to_string(line.number) + ": " + why);
}

/// Returns the text of a student's mark.
std::string what_to_write(const std::string& name, const Line& mark) {
    const std::string text = mark.after(student_mark);
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos)
        refuse(name, mark, "say what to write here: // [student] what");
    if (text.find_first_of("\"\\") != std::string::npos)
        refuse(name, mark, "this becomes a string: no quotation marks, no backslashes");
    return text.substr(first);
}

std::vector<Part> parts_of(const std::string& name, const std::string& text) {
    std::vector<Part> parts(1);
    std::istringstream stream(text);
    std::size_t number = 0;
    for (std::string content; std::getline(stream, content);) {
        const std::size_t indent = std::min(content.find_first_not_of(' '), content.size());
        const Line line{content, ++number, indent};
        Part& part = parts.back();
        const bool is_open = part.kind != Part::Kind::common;
        if (line.has(student_mark) || line.has_one_of(left_out_marks)) {
            if (is_open)
                refuse(name, line, "// [end] is missing before this");
            const auto kind = line.has(student_mark) ? Part::Kind::student : Part::Kind::left_out;
            parts.push_back({kind, line, {}, {}});
        } else if (line.has_one_of(end_marks)) {
            if (!is_open)
                refuse(name, line, "// [end] without a mark before it");
            parts.emplace_back();
        } else if (line.has(more_mark)) {
            if (part.kind != Part::Kind::student || !part.lines.empty())
                refuse(name, line, "// | must follow // [student]");
            part.more.push_back(line.after(more_mark));
        } else {
            part.lines.push_back(content);
        }
    }
    if (parts.back().kind != Part::Kind::common)
        refuse(name, parts.back().mark, "no // [end] follows this mark");
    return parts;
}

bool is_host_code(const std::string& name) {
    return name.size() > 4 && name.compare(name.size() - 4, 4, ".cpp") == 0;
}

} // namespace

std::string starter_of(const std::string& name, const std::string& text) {
    std::ostringstream starter;
    bool follows_empty = true; // lines, or none
    bool skips_empty = false;
    for (const Part& part : parts_of(name, text)) {
        if (part.kind == Part::Kind::student) {
            const std::string what = what_to_write(name, part.mark);
            const std::string blanks = part.mark.blanks();
            if (!is_host_code(name))
                starter << blanks << "// not implemented yet: " << what << "\n";
            for (const std::string& line : part.more)
                starter << blanks << "//" << line << "\n";
            if (is_host_code(name))
                starter << blanks << "not_implemented(\"" << what << "\");\n";
        } else if (part.kind == Part::Kind::common) {
            for (const std::string& line : part.lines) {
                if (!(skips_empty && line.empty()))
                    starter << line << "\n";
                skips_empty = false;
                follows_empty = line.empty();
            }
        }
        // A left-out part between two empty lines removes one of them, too.
        skips_empty = part.kind == Part::Kind::left_out && follows_empty;
    }
    return starter.str();
}

std::string without_marks(const std::string& name, const std::string& text) {
    std::ostringstream unmarked;
    for (const Part& part : parts_of(name, text)) {
        for (const std::string& line : part.lines)
            unmarked << line << "\n";
    }
    return unmarked.str();
}

} // namespace release
