#include "bench/plots.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace bench {
namespace {

using Names = std::vector<std::string>;
using Cell = std::optional<double>;

/// The rows, by variant, size and work-group size.
class Measured {
  public:
    explicit Measured(const std::vector<Row>& rows) {
        for (const Row& row : rows) {
            rows_[row.variant][row.n][row.work_group_size] = row;
            sizes_.insert(row.n);
        }
    }

    const std::set<std::size_t>& sizes() const { return sizes_; }
    bool has(const std::string& variant) const { return rows_.contains(variant); }

    /// Returns the rows by work-group size; empty if there are none.
    std::map<std::size_t, Row> at(const std::string& variant, std::size_t n) const {
        const auto by_size = rows_.find(variant);
        if (by_size == rows_.end())
            return {};
        const auto found = by_size->second.find(n);
        return found == by_size->second.end() ? std::map<std::size_t, Row>{} : found->second;
    }

    /// Returns the least of `value` over the work-group sizes.
    Cell least(const std::string& variant, std::size_t n,
               const std::function<double(const Row&)>& value) const {
        Cell best;
        for (const auto& [size, row] : at(variant, n))
            best = best ? std::min(*best, value(row)) : value(row);
        return best;
    }

  private:
    std::map<std::string, std::map<std::size_t, std::map<std::size_t, Row>>> rows_;
    std::set<std::size_t> sizes_;
};

double device_time(const Row& row) { return row.device.median; }
double wall_time(const Row& row) { return row.wall.median; }

/// A file of columns for gnuplot.
class Figure {
  public:
    Figure(const std::string& path, const Names& columns) : path_(path), stream_(path) {
        stream_ << "x";
        for (const std::string& column : columns)
            stream_ << " \"" << column << '"';
        stream_ << '\n';
    }

    void line(std::size_t x, const std::vector<Cell>& cells) {
        stream_ << x;
        for (const Cell& cell : cells) {
            is_empty_ = is_empty_ && !cell;
            if (cell)
                stream_ << ' ' << *cell;
            else
                stream_ << " ?";
        }
        stream_ << '\n';
    }

    void close() {
        stream_.close();
        if (!stream_)
            throw std::runtime_error("cannot write " + path_);
        if (is_empty_)
            std::filesystem::remove(path_);
    }

  private:
    std::string path_;
    std::ofstream stream_;
    bool is_empty_ = true;
};

Cell quotient(const Cell& a, const Cell& b) { return a && b && *b > 0 ? Cell(*a / *b) : Cell(); }

Names those_in(const Measured& measured, Names names) {
    std::erase_if(names, [&](const auto& name) { return !measured.has(name); });
    return names;
}

/// Writes the bandwidth of each variant with its best work-group size.
void write_bandwidth(const std::string& path, const Measured& measured, const Names& variants) {
    Figure figure(path, variants);
    for (const std::size_t n : measured.sizes()) {
        std::vector<Cell> cells;
        for (const std::string& variant : variants) {
            const Cell best =
                measured.least(variant, n, [](const Row& row) { return -row.gb_per_s; });
            cells.push_back(best ? Cell(-*best) : Cell());
        }
        figure.line(n, cells);
    }
    figure.close();
}

/// Writes how many times faster than `baseline` the variants are, with transfers and without.
void write_speedup(const std::string& path, const Measured& measured, const std::string& baseline,
                   const Names& variants) {
    Names columns;
    for (const std::string& variant : variants) {
        const bool on_device = !variant.starts_with("cpu");
        columns.push_back(on_device ? variant + ", data on the device" : variant);
        if (on_device)
            columns.push_back(variant + ", with transfers");
    }
    Figure figure(path, columns);
    for (const std::size_t n : measured.sizes()) {
        const Cell loop = measured.least(baseline, n, wall_time);
        std::vector<Cell> cells;
        for (const std::string& variant : variants) {
            cells.push_back(quotient(loop, measured.least(variant, n, device_time)));
            if (!variant.starts_with("cpu"))
                cells.push_back(quotient(loop, measured.least(variant, n, wall_time)));
        }
        figure.line(n, cells);
    }
    figure.close();
}

/// Writes GB/s by work-group size, at the largest size.
void write_work_groups(const std::string& path, const Measured& measured, const Names& variants) {
    const std::size_t n = *measured.sizes().rbegin();
    std::set<std::size_t> work_group_sizes;
    for (const std::string& variant : variants) {
        for (const auto& [size, row] : measured.at(variant, n))
            work_group_sizes.insert(size);
    }
    Figure figure(path, variants);
    for (const std::size_t size : work_group_sizes) {
        std::vector<Cell> cells;
        for (const std::string& variant : variants) {
            const auto rows = measured.at(variant, n);
            const auto row = rows.find(size);
            cells.push_back(row == rows.end() ? Cell() : Cell(row->second.gb_per_s));
        }
        figure.line(size, cells);
    }
    figure.close();
}

/// Writes Hillis-Steele's time divided by Blelloch's, each with its best work-group size and both
/// with the same one.
void write_scans_compared(const std::string& path, const Measured& measured) {
    std::set<std::size_t> sizes;
    for (const std::size_t n : measured.sizes()) {
        for (const auto& [size, row] : measured.at("lab4", n))
            sizes.insert(size);
    }
    Names columns{"each at its best work-group size"};
    for (const std::size_t size : sizes)
        columns.push_back("groups of " + std::to_string(size));
    Figure figure(path, columns);
    for (const std::size_t n : measured.sizes()) {
        std::vector<Cell> cells{quotient(measured.least("lab4", n, device_time),
                                         measured.least("lab5", n, device_time))};
        const auto hillis_steele = measured.at("lab4", n);
        const auto blelloch = measured.at("lab5", n);
        for (const std::size_t size : sizes) {
            const auto time_in = [&](const auto& rows) {
                const auto row = rows.find(size);
                return row == rows.end() ? Cell() : Cell(device_time(row->second));
            };
            cells.push_back(quotient(time_in(hillis_steele), time_in(blelloch)));
        }
        figure.line(n, cells);
    }
    figure.close();
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace

void write_figures(const std::string& out, const std::vector<Row>& rows) {
    const Measured measured(rows);
    const auto there = [&](const Names& names) { return those_in(measured, names); };
    write_bandwidth(out + "/bandwidth_reduction.dat", measured,
                    there({"copy", "lab1", "lab1 work_group", "lab1 sub_group", "lab2", "lab3",
                           "lab7 last_group", "lab7 tickets", "lab7 host", "lab7 kernels",
                           "lab7 lock", "lab7 compare_exchange"}));
    write_bandwidth(out + "/bandwidth_scan.dat", measured,
                    there({"copy", "lab4", "lab4 work_group", "lab4 sub_group", "lab5", "lab8"}));
    write_speedup(out + "/speedup_reduction.dat", measured, "cpu loop (sum)",
                  there({"lab1", "lab2", "lab7 last_group", "cpu std::reduce",
                         "cpu std::reduce (all cores)"}));
    write_speedup(out + "/speedup_scan.dat", measured, "cpu loop (scan)",
                  there({"lab4", "lab5", "lab8", "cpu std::inclusive_scan"}));
    write_work_groups(out + "/work_groups.dat", measured,
                      there({"lab1", "lab2", "lab3", "lab7 last_group", "lab4", "lab5", "lab8"}));
    write_scans_compared(out + "/hillis_steele.dat", measured);
}

void show_claims(const std::vector<Row>& rows) {
    const Measured measured(rows);
    const std::size_t n = *measured.sizes().rbegin();
    std::cout << "the claims of the sources, at n = " << n
              << ", each at its best work-group size:\n";
    const auto show = [&](const std::string& what, const Cell& value) {
        std::cout << "  " << what << ": ";
        if (value)
            std::cout << *value << '\n';
        else
            std::cout << "not measured\n";
    };
    const Cell loop = measured.least("cpu loop (sum)", n, wall_time);
    for (const char* variant : {"lab1", "lab2", "lab7 last_group"}) {
        const std::string what =
            std::string("speed of ") + variant + " divided by that of a sequential loop, ";
        show(what + "data on the device", quotient(loop, measured.least(variant, n, device_time)));
        show(what + "with transfers", quotient(loop, measured.least(variant, n, wall_time)));
    }
    show("time of Hillis-Steele divided by that of Blelloch (lab4, lab5)",
         quotient(measured.least("lab4", n, device_time), measured.least("lab5", n, device_time)));
    show("speed of float4 divided by that of float (lab2, lab1)",
         quotient(measured.least("lab1", n, device_time), measured.least("lab2", n, device_time)));
}

void draw_figures(const std::string& root, const std::string& out) {
    // NOLINTBEGIN(concurrency-mt-unsafe): no other threads
    if (std::system("command -v gnuplot > /dev/null") != 0) {
        std::cout
            << "no plots: gnuplot is not installed. Install it (apt-get install gnuplot-nox) and "
               "rerun the command: nothing is measured twice\n";
        return;
    }
    const std::string script = root + "/src/bench/plots.gp";
    if (std::system(("gnuplot -c " + quoted(script) + " " + quoted(out)).c_str()) != 0)
        throw std::runtime_error("gnuplot could not draw with " + script +
                                 "; its message is above, the measurements are in " + out);
    // NOLINTEND(concurrency-mt-unsafe)
    std::cout << "plots: " << out << "/*.svg and *.png\n";
}

} // namespace bench
