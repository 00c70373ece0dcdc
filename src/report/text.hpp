#pragma once

#include <cstddef>
#include <string>

namespace report {

/// Returns `text` as valid UTF-8 without control characters other than line feed and tab: student
/// code must not move the cursor of a terminal. All others become "?" or the replacement character.
std::string printable(const std::string& text);

/// Returns `text` with escapes for all that cannot be seen: bytes that are not UTF-8, control
/// characters (\x1B), characters that change the writing direction or have no width (\u{202E}).
/// Line feeds and tabs stay, CR LF becomes a line feed. Cuts what does not fit into `limit` bytes,
/// and then ends with "... N bytes more".
std::string visible(const std::string& text, std::size_t limit = std::string::npos);

/// The same on one line: line feeds and tabs become escapes, too.
std::string visible_line(const std::string& text, std::size_t limit = std::string::npos);

/// The same without a limit and with doubled backslashes, so that different texts stay different.
std::string distinct_line(const std::string& text);

/// Returns `text` up to its first line feed.
std::string first_line(const std::string& text);

/// "1 group", "3 groups".
std::string count_of(std::size_t count, const std::string& noun);

/// Returns the first position from `at` on in `text` that is not white space.
std::size_t after_blanks(const std::string& text, std::size_t at);

/// Replacements for the characters that begin workflow commands.
struct CommandMarks {
    const char* colons;  ///< for "::" at the beginning of a line
    const char* bracket; ///< for "##[" anywhere
};

/// A blank in between, for plain text.
constexpr CommandMarks marks_in_text{": :", "## ["};
/// The same characters as XML and HTML spell them.
constexpr CommandMarks marks_in_markup{"&#58;:", "##&#91;"};
/// The same characters as JSON spells them; its lines cannot begin with a colon.
constexpr CommandMarks marks_in_json{"::", "##\\u005b"};

/// Returns `text` without anything that GitHub Actions would take for a command: it trims a line
/// before it looks for "::", and looks for "##[" everywhere.
std::string without_commands(const std::string& text, const CommandMarks& marks = marks_in_text);

} // namespace report
