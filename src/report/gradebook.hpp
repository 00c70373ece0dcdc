#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace report {

/// A student in a gradebook.
struct Row {
    std::string student;                              ///< name of the folder, which can be anything
    std::map<std::string, std::optional<int>> scores; ///< by lab; empty: not graded
    int max = 0;
    std::string note;
};

/// Returns `rows` as CSV (RFC 4180) in UTF-8 with a byte order mark, sorted by the bytes of the
/// names, with a column for each of `labs` and of the labs of `rows` in natural order. A lab that
/// was not graded is an empty cell, and so is the total if none was. Different names stay
/// different. No cell is a formula to a spreadsheet: cells that would be begin with an apostrophe.
std::string gradebook(const std::vector<Row>& rows, const std::vector<std::string>& labs);

} // namespace report
