#include "bench/table.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace bench {
namespace {

constexpr const char* header =
    "device,driver,version,variant,kind,kernels,n,work_group_size,repetitions,device_median_s,"
    "device_min_s,device_max_s,device_busy_s,wall_median_s,wall_min_s,wall_max_s,gb_per_s,error";

std::string text_of(const Row& row) {
    std::ostringstream line;
    line << std::setprecision(6) << row.key() << ',' << row.repetitions << ',' << row.device.median
         << ',' << row.device.least << ',' << row.device.most << ',' << row.busy << ','
         << row.wall.median << ',' << row.wall.least << ',' << row.wall.most << ',' << row.gb_per_s
         << ',' << row.error;
    return line.str();
}

Row parse(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(stream, cell, ',');)
        cells.push_back(cell);
    if (cells.size() != 18)
        throw std::invalid_argument("it has " + std::to_string(cells.size()) + " cells, not 18");
    std::size_t next = 0;
    const auto text = [&] { return cells.at(next++); };
    const auto number = [&] { return std::stod(cells.at(next++)); };
    const auto count = [&] { return std::stoull(cells.at(next++)); };
    Row row;
    row.place = {text(), text(), text()};
    row.variant = text();
    row.kind = text();
    row.kernels = text();
    row.n = count();
    row.work_group_size = count();
    row.repetitions = count();
    row.device = {number(), number(), number()};
    row.busy = number();
    row.wall = {number(), number(), number()};
    row.gb_per_s = number();
    row.error = number();
    return row;
}

/// Removes what follows the last whole line.
void cut_torn_line(const std::string& path, const std::string& text) {
    const std::size_t whole = text.find_last_of('\n');
    const std::size_t size = whole == std::string::npos ? 0 : whole + 1;
    if (size != text.size())
        fs::resize_file(path, size);
}

std::string read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void append(const std::string& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary | std::ios::app);
    stream << text << std::flush;
    if (!stream)
        throw std::runtime_error("cannot write " + path);
}

} // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty())
        throw std::invalid_argument("no measurement");
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

std::string Row::key() const {
    std::ostringstream text;
    text << place.device << ',' << place.driver << ',' << place.version << ',' << variant << ','
         << kind << ',' << kernels << ',' << n << ',' << work_group_size;
    return text.str();
}

Table::Table(std::string path) : path_(std::move(path)) {
    if (fs::exists(path_))
        cut_torn_line(path_, read(path_));
    std::istringstream stream(read(path_));
    std::string line;
    if (!std::getline(stream, line))
        append(path_, std::string(header) + "\n");
    else if (line != header)
        throw std::runtime_error(
            path_ + " does not have the columns that this program writes; remove it, or "
                    "name another folder with OUT=dir");
    for (std::size_t number = 2; std::getline(stream, line); ++number) {
        try {
            rows_.push_back(parse(line));
        } catch (const std::logic_error& error) { // of std::stod, too
            throw std::runtime_error(path_ + ":" + std::to_string(number) +
                                     ": not a row of a benchmark (" + error.what() +
                                     "); remove the line");
        }
        keys_.insert(rows_.back().key());
    }
}

void Table::add(const Row& row) {
    append(path_, text_of(row) + "\n");
    rows_.push_back(row);
    keys_.insert(row.key());
}

std::string checksum(const std::string& text) {
    if (text.empty())
        return "-";
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::ostringstream digits;
    digits << std::hex << std::setfill('0') << std::setw(8) << hash;
    return digits.str();
}

std::string plain(std::string text) {
    text.resize(std::min(text.size(), text.find('\0')));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == ',' || c == '"' || c == '\n'; }, ' ');
    return text.empty() ? "unknown" : text;
}

} // namespace bench
