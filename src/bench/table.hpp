#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace bench {

/// The median, least and largest of several measurements.
struct Spread {
    double median = 0;
    double least = 0;
    double most = 0;
};

/// Throws std::invalid_argument if there are no values.
Spread spread_of(std::vector<double> values);

/// The device or processor that something ran on.
struct Place {
    std::string device;
    std::string driver;
    std::string version; ///< of OpenCL, or of C++

    bool operator==(const Place& other) const = default;
};

/// One line of bench.csv. Times are in seconds.
struct Row {
    Place place;
    std::string variant;
    std::string kind;
    std::string kernels; ///< a checksum of the kernel file: changed kernels are measured again
    std::size_t n = 0;
    std::size_t work_group_size = 0; ///< 0 without a device
    std::size_t repetitions = 0;
    Spread device; ///< kernels, fills and copies on the device
    double busy = 0;
    Spread wall; ///< the whole call, with transfers
    double gb_per_s = 0;
    double error = 0;

    /// Returns what was measured, without the results.
    std::string key() const;
};

/// The rows of a CSV file, which grows row by row. Removes a partial row that a killed run has
/// left.
class Table {
  public:
    /// Throws std::runtime_error if the file has other columns or cannot be written.
    explicit Table(std::string path);

    bool has(const Row& row) const { return keys_.contains(row.key()); }
    /// Throws std::runtime_error.
    void add(const Row& row);
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::string path_;
    std::vector<Row> rows_;
    std::set<std::string> keys_;
};

/// Returns eight hexadecimal digits; "-" for an empty text.
std::string checksum(const std::string& text);

/// Returns `text` without characters that have a meaning in CSV.
std::string plain(std::string text);

} // namespace bench
