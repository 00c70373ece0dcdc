#pragma once

/// The input of all contestants, and the error of a result. Without OpenCL.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Returns `n` floats from 0 to 1, the same in every run. Their sum rounds, and a sum in a single
/// float stops growing at 2^24.
inline std::vector<float> make_input(std::size_t n) {
    std::vector<float> values(n);
    std::uint32_t state = 2463534242U;
    for (float& value : values) {
        state ^= state << 13U; // Marsaglia's xorshift
        state ^= state >> 17U;
        state ^= state << 5U;
        value = static_cast<float>(state >> 8U) * 0x1p-24F;
    }
    return values;
}

inline double sum_of(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values)
        sum += value;
    return sum;
}

inline double relative_error(double got, double expected) {
    const double error = expected == 0 ? std::fabs(got) : std::fabs(got / expected - 1);
    return std::isnan(error) ? INFINITY : error;
}

/// Returns the largest relative error of a scan, compared with sums in double.
inline double scan_error(const std::vector<float>& input, const std::vector<float>& scan,
                         bool exclusive = false) {
    if (scan.size() != input.size())
        return INFINITY;
    double sum = 0;
    double worst = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const double before = sum;
        sum += input[i];
        worst = std::max(worst, relative_error(scan[i], exclusive ? before : sum));
    }
    return worst;
}

/// Returns the seconds that `call` takes.
template <class Call> double seconds(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Parses "2^22" or "4194304". Throws std::runtime_error, with `option` in its text.
inline std::size_t parse_count(const std::string& option, const std::string& text) {
    const bool is_power = text.starts_with("2^");
    const std::string digits = is_power ? text.substr(2) : text;
    const bool is_number = !digits.empty() && digits.size() <= 10 &&
                           digits.find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t number = is_number ? std::stoull(digits) : 0;
    const std::uint64_t count = is_power && number < 32 ? std::uint64_t{1} << number : number;
    if (!is_number || count == 0 || count > UINT32_MAX || (is_power && number >= 32))
        throw std::runtime_error(option +
                                 " must be a number from 1 to 2^32 - 1, such as 4194304 or "
                                 "2^22, not \"" +
                                 text + "\"");
    return count;
}

} // namespace bench
