#pragma once

#include "report/drawing.hpp"
#include "report/picture.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The views of a picture, one below the other. Each begins at `top` and returns where it ends.
namespace report {

/// A number as it is in memory: "17", "0.5", "7.1e+08".
std::string show_bits(std::uint64_t bits, const wire::TracedArray& array);
/// The lanes of an element: "17", "1 2 3 4"; "?" if they are not known.
std::string show_value(const std::vector<std::uint64_t>& lanes, const wire::TracedArray& array);

/// What is written beside a wrong value.
inline std::string wanted(const std::string& right) { return "not " + right; }

/// "[3]=7 (not 12)": an element with its value, and what is right in its place, if that is in `right`.
std::string describe_element(std::int64_t index, const std::string& value,
                             const std::map<std::int64_t, std::string>& right);

/// The number and the text of a line; "" if it is not known.
std::string show_line(const Picture::Launch& launch, int line);

/// One group: its local memory after each step, and where each value comes from.
double draw_group(Drawing& drawing, const Picture::Launch& launch, double top,
                  std::string& description);
/// All launches: which elements each group takes, and which it writes.
double draw_launches(Drawing& drawing, const std::vector<Picture::Launch>& launches, double top,
                     std::string& description);
/// The accesses of several work-items to the memory that they share, in the order of time.
double draw_turns(Drawing& drawing, const Picture::Launch& launch, double top,
                  std::string& description);

} // namespace report
