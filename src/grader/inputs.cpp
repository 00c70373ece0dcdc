#include "grader/inputs.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace grader {
namespace {

/// Floats count whole numbers without a gap up to here.
constexpr std::size_t exact_limit = std::size_t{1} << 24;

template <class Draw> std::vector<float> draw(std::size_t n, const Draw& one) {
    std::vector<float> values(n);
    std::ranges::generate(values, one);
    return values;
}

} // namespace

Random random_for(std::uint64_t seed, const std::string& case_name) {
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(seed),
                                     static_cast<std::uint32_t>(seed >> 32)};
    words.insert(words.end(), case_name.begin(), case_name.end());
    std::seed_seq sequence(words.begin(), words.end());
    return Random(sequence);
}

std::vector<float> whole_numbers(Random& random, std::size_t n) {
    if (n <= exact_limit / 4) {
        const std::size_t largest =
            std::min<std::size_t>(exact_limit / std::max<std::size_t>(n, 1), 1000);
        return draw(n, [&] { return static_cast<float>(1 + random() % largest); });
    }
    // For millions of them, one number of the generator is split into eight bytes.
    constexpr std::array<float, 6> choices{-3, -2, -1, 1, 2, 3};
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; i += sizeof(std::uint64_t)) {
        std::uint64_t drawn = random();
        for (std::size_t k = i; k < std::min(n, i + sizeof drawn); ++k, drawn >>= 8U)
            values[k] = choices[(drawn & 0xFFU) * choices.size() >> 8U];
    }
    return values;
}

std::vector<float> random_floats(Random& random, std::size_t n) {
    std::uniform_real_distribution<float> magnitude(0x1p-10F, 1.0F);
    return draw(n, [&] { return (random() & 1U) != 0 ? magnitude(random) : -magnitude(random); });
}

std::vector<float> floats_of_all_kinds(Random& random, std::size_t n) {
    constexpr std::array<float, 6> magnitudes{0, 0x1p-20F, 0.37F, 1, 1000, 0x1p22F};
    return draw(n, [&] {
        const float value =
            magnitudes[random() % magnitudes.size()] * static_cast<float>(1 + random() % 3);
        return (random() & 1U) != 0 ? value : -value;
    });
}

std::vector<float> with_minimum_at(Random& random, std::size_t n, std::size_t position) {
    constexpr std::uint64_t span = 1U << 20;
    std::vector<float> values = draw(n, [&] { return static_cast<float>(span + random() % span); });
    values.at(position) = static_cast<float>(1 + random() % (span - 1));
    return values;
}

std::vector<float> with_maximum_at(Random& random, std::size_t n, std::size_t position) {
    std::vector<float> values = with_minimum_at(random, n, position);
    for (float& value : values)
        value = -value;
    return values;
}

std::vector<std::size_t> lengths_around(std::size_t block, std::size_t most) {
    std::set<std::size_t> lengths;
    const auto with_neighbors = [&](std::size_t n) { lengths.insert({n - 1, n, n + 1}); };
    for (std::size_t power = 2; power <= 32; power *= 2)
        with_neighbors(power);
    for (const std::size_t prime : {37, 97, 251, 997, 4093, 65537})
        lengths.insert(prime);
    with_neighbors(block);
    with_neighbors(2 * block);
    with_neighbors(3 * block);
    with_neighbors(block * block);
    with_neighbors(block * block + block);
    lengths.erase(0);
    lengths.erase(lengths.upper_bound(most), lengths.end());
    std::vector<std::size_t> all(lengths.begin(), lengths.end());
    if (lengths.contains(block))
        all.insert(std::ranges::find(all, block), block);
    return all;
}

std::vector<std::size_t> powers_of_two(std::size_t least, std::size_t most) {
    std::vector<std::size_t> powers;
    for (std::size_t power = 1; power <= most; power *= 2) {
        if (power >= least)
            powers.push_back(power);
        if (power > most / 2)
            break; // the next one may not fit into a size_t
    }
    return powers;
}

} // namespace grader
