/// The baselines on the processor. Compiled with -O3, and like the kernels without -ffast-math.

#include <algorithm>
#include <future>
#include <numeric>
#include <thread>
#include <vector>

namespace bench {

float loop_sum(const std::vector<float>& input) {
    float sum = 0;
    for (const float value : input)
        sum += value;
    return sum;
}

float reduce_sum(const std::vector<float>& input) {
    return std::reduce(input.begin(), input.end(), 0.0F);
}

float threads_sum(const std::vector<float>& input) {
    constexpr std::size_t least = 1U << 16U; // a thread for fewer elements costs more than it saves
    const std::size_t threads = std::max<std::size_t>(
        1, std::min<std::size_t>(std::thread::hardware_concurrency(), input.size() / least));
    const auto sum_of_part = [&](std::size_t part) {
        const auto begin = [&](std::size_t i) {
            return input.begin() + static_cast<std::ptrdiff_t>(input.size() * i / threads);
        };
        return std::reduce(begin(part), begin(part + 1), 0.0F);
    };
    std::vector<std::future<float>> others;
    for (std::size_t part = 1; part < threads; ++part)
        others.push_back(std::async(std::launch::async, sum_of_part, part));
    float sum = sum_of_part(0);
    for (std::future<float>& other : others)
        sum += other.get();
    return sum;
}

void loop_scan(const std::vector<float>& input, std::vector<float>& result) {
    float sum = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        sum += input[i];
        result[i] = sum;
    }
}

void library_scan(const std::vector<float>& input, std::vector<float>& result) {
    std::inclusive_scan(input.begin(), input.end(), result.begin());
}

} // namespace bench
