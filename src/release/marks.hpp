#pragma once

#include <string>

/// The marks in a solved file, from which its starter is made:
///
///     // [student] choose the work-group size         what to write there
///     // | Ask the device for its largest one.        more about it, as many lines as it takes
///     ...the solution...
///     // [end]
///
/// In the starter, what to write stands in the place of the solution; in host code the harness is told
/// as well, by not_implemented(). Between `// [left out]` and `// [end]` stands what a starter does
/// not have: helpers that nobody need think of. In Markdown `<!-- [left out] -->` and `<!-- [end] -->`
/// stand around what is not for students.
namespace release {

/// The starter that `text` gives, the content of a file of this name: .cpp, .cl or .md.
/// Throws std::runtime_error that begins with name and line where the marks do not match.
std::string starter_of(const std::string& name, const std::string& text);

/// `text` without its marks, to be handed out. Throws as starter_of() does.
std::string without_marks(const std::string& name, const std::string& text);

} // namespace release
