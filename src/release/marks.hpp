#pragma once

#include <string>

/// The marks in a solved file, from which its starter is made:
///
///     // [student] choose the work-group size         what to write there
///     // | Ask the device for its largest one.        more about it, as many lines as it takes
///     ...the solution...
///     // [end]
///
/// In the starter, the text of the mark replaces the solution; in host code it becomes a call of
/// not_implemented(), which the harness reports. A starter leaves out what is between
/// `// [left out]` and `// [end]`, such as helpers that students do not need. In Markdown,
/// `<!-- [left out] -->` and `<!-- [end] -->` enclose what is not for students.
namespace release {

/// Returns the starter of `text`, the content of a file of this name: .cpp, .cl or .md. Throws
/// std::runtime_error that begins with name and line if the marks do not match.
std::string starter_of(const std::string& name, const std::string& text);

/// Returns `text` without its marks, to hand it out. Throws as starter_of() does.
std::string without_marks(const std::string& name, const std::string& text);

} // namespace release
