#pragma once

#include <cstddef>
#include <string>

namespace report {

/// `text` as valid UTF-8 without control characters other than line feed and tab: student code must
/// not move the cursor of a terminal. What is neither becomes "?" or the replacement character.
std::string printable(const std::string& text);

/// `text` with all that cannot be seen shown as an escape: bytes that are no UTF-8 and control
/// characters (\x1B), characters that turn the direction of writing or have no width (\u{202E}).
/// Line feeds and tabs stay, CR LF becomes a line feed. What does not fit into `limit` bytes is
/// left out, and "... N bytes more" says so.
std::string visible(const std::string& text, std::size_t limit = std::string::npos);

/// The same on one line: line feeds and tabs become escapes, too.
std::string visible_line(const std::string& text, std::size_t limit = std::string::npos);

/// The same whole and with doubled backslashes, so that different texts stay different.
std::string distinct_line(const std::string& text);

/// The first place from `at` on in `text` where no white space stands.
std::size_t after_blanks(const std::string& text, std::size_t at);

/// What stands in for the marks of workflow commands.
struct CommandMarks {
    const char* colons;  ///< for "::" where a line begins with it
    const char* bracket; ///< for "##[" anywhere
};

/// A blank in between, where nothing but plain text is understood.
constexpr CommandMarks marks_in_text{": :", "## ["};
/// The same characters in the spelling of XML and HTML.
constexpr CommandMarks marks_in_markup{"&#58;:", "##&#91;"};
/// The same characters in the spelling of JSON, whose lines cannot begin with a colon.
constexpr CommandMarks marks_in_json{"::", "##\\u005b"};

/// `text` without anything that GitHub Actions would take for a command if it were printed there:
/// it trims a line before it looks for "::", and looks for "##[" everywhere.
std::string without_commands(const std::string& text, const CommandMarks& marks = marks_in_text);

} // namespace report
