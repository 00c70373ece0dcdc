#pragma once

#include "bench/table.hpp"

#include <string>
#include <vector>

namespace bench {

/// Writes a data file for each figure into the folder `out`, from the rows of one device and of the
/// processor beside it. A figure for which nothing is measured yet gets none.
void write_figures(const std::string& out, const std::vector<Row>& rows);

/// What the rows say, at their largest size, of the three claims in docs/benchmarks.md.
void show_claims(const std::vector<Row>& rows);

/// Draws them with gnuplot, as SVG and PNG. Says what to install where there is none.
void draw_figures(const std::string& root, const std::string& out);

} // namespace bench
