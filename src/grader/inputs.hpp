#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// Inputs drawn from a seed, and lengths worth trying.
namespace grader {

using Random = std::mt19937_64;

/// The generator of one case: the same seed and name give the same numbers, whatever else runs.
Random random_for(std::uint64_t seed, const std::string& case_name);

/// `n` whole numbers as floats such that every sum of some of them is exact, in any order. None is
/// 0, so an element lost or added twice changes a sum. Up to 2^22 elements they are positive and
/// add up to 2^24 at most; beyond, they are -3 to 3, where a sum of elements chosen independently
/// of their values passes 2^24 with a probability under 2 exp(-2 (2^24)^2 / (36 n)) (Hoeffding's
/// inequality), which is 0 for every n that fits into memory.
std::vector<float> whole_numbers(Random& random, std::size_t n);

/// `n` floats from -1 to 1, none closer to 0 than 2^-10.
std::vector<float> random_floats(Random& random, std::size_t n);

/// `n` floats of every kind: zeros, small and large ones, whole numbers and fractions, of both
/// signs.
std::vector<float> floats_of_all_kinds(Random& random, std::size_t n);

/// `n` distinct-looking values above 0 whose only smallest element is at `position`.
std::vector<float> with_minimum_at(Random& random, std::size_t n, std::size_t position);

/// The same below 0 with the only largest element at `position`.
std::vector<float> with_maximum_at(Random& random, std::size_t n, std::size_t position);

/// Lengths at which a kernel that works on blocks of `block` elements is most likely to be wrong:
/// 1, 2, powers of two and their neighbors, primes, and sizes around the block, twice the block
/// and its square. Ascending, none above `most`. The block comes twice: with other numbers, a host
/// must not use what it has kept from the call before.
std::vector<std::size_t> lengths_around(std::size_t block, std::size_t most);

/// The powers of two from `least` to `most`.
std::vector<std::size_t> powers_of_two(std::size_t least, std::size_t most);

} // namespace grader
