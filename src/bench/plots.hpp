#pragma once

#include "bench/table.hpp"

#include <string>
#include <vector>

namespace bench {

/// Writes a data file for each figure into the folder `out`, from the rows of one device and of the
/// processor beside it. A figure without measurements gets no file.
void write_figures(const std::string& out, const std::vector<Row>& rows);

/// Prints what the rows show, at their largest size, about the three claims in docs/benchmarks.md.
void show_claims(const std::vector<Row>& rows);

/// Draws the figures with gnuplot, as SVG and PNG. Says what to install if gnuplot is missing.
void draw_figures(const std::string& root, const std::string& out);

} // namespace bench
