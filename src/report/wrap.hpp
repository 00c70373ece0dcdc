#pragma once

#include <cstddef>
#include <string>

namespace report {

/// The width of lines if nothing asks for another one.
constexpr std::size_t usual_columns = 80;

/// Returns `text` with each line broken at blanks, so that it and the `margin` before it take at
/// most `columns`. Every line begins with `margin`; the further parts of a broken line are indented
/// more. Lines of source code, carets under them, lines that begin with "again:", and commands and
/// paths within a line stay whole, even if they are too long.
std::string wrapped(const std::string& text, std::size_t columns, const std::string& margin = "");

/// Returns the columns for lines on descriptor `fd`: those that the environment's COLUMNS asks for;
/// otherwise 80, or fewer if `fd` is a narrower terminal.
std::size_t columns_of(int fd);

} // namespace report
