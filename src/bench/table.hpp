#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace bench {

/// The least, the middle and the largest of several measurements.
struct Spread {
    double median = 0;
    double least = 0;
    double most = 0;
};

/// Throws std::invalid_argument where there is none.
Spread spread_of(std::vector<double> values);

/// Where something ran.
struct Place {
    std::string device;
    std::string driver;
    std::string version; ///< of OpenCL, or of C++

    bool operator==(const Place& other) const {
        return device == other.device && driver == other.driver && version == other.version;
    }
};

/// One line of bench.csv. Times are in seconds.
struct Row {
    Place place;
    std::string variant;
    std::string kind;
    std::string kernels; ///< a checksum of the kernel file: other kernels are measured again
    std::size_t n = 0;
    std::size_t work_group_size = 0; ///< 0 without a device
    std::size_t repetitions = 0;
    Spread device; ///< kernels, fills and copies on the device
    double busy = 0;
    Spread wall; ///< the whole call, with transfers
    double gb_per_s = 0;
    double error = 0;

    /// What was measured, without how it came out.
    std::string key() const;
};

/// The rows in a CSV file, which grows by a row at a time. A run that was killed in the middle of a row
/// leaves a part of it behind, which is removed.
class Table {
  public:
    /// Throws std::runtime_error if the file has other columns or cannot be written.
    explicit Table(std::string path);

    bool has(const Row& row) const { return keys_.count(row.key()) != 0; }
    /// Throws std::runtime_error.
    void add(const Row& row);
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::string path_;
    std::vector<Row> rows_;
    std::set<std::string> keys_;
};

/// Eight hexadecimal digits; "-" for an empty text.
std::string checksum(const std::string& text);

/// Without what has a meaning in CSV.
std::string plain(std::string text);

} // namespace bench
