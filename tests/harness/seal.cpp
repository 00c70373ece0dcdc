#include "grader/seal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <vector>

using grader::Seal;
using wire::LaunchArgument;

namespace {

using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;
using Kind = LaunchArgument::Kind;

/// Words that host code writes itself: in the range of tokens, but not tokens.
constexpr std::array<std::uint32_t, 3> no_tokens{0xFFC00000U, 0xFF800000U, 0xFF7FFFFFU};

std::span<std::byte> view(Bytes& bytes) { return {bytes.data(), bytes.size()}; }

Bytes bytes_of(const Words& words) {
    Bytes bytes(words.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

Words words_in(const Bytes& bytes) {
    Words words(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
    return words;
}

std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

Bytes hidden(Seal& seal, Bytes bytes) {
    seal.hide(view(bytes));
    return bytes;
}

Bytes hidden(Seal& seal, const Words& words) { return hidden(seal, bytes_of(words)); }

Bytes revealed(const Seal& seal, Bytes bytes) {
    seal.reveal(view(bytes));
    return bytes;
}

Bytes read_by(Seal& seal, Bytes bytes) {
    seal.let_read(view(bytes));
    return bytes;
}

/// What the host gets from a launch that has turned `before` into `after`.
Bytes results(Seal& seal, const wire::KernelLaunch& launch, const Bytes& before, Bytes after) {
    seal.hide_results(launch, before, view(after));
    return after;
}

LaunchArgument argument(Kind kind, std::size_t offset, std::size_t size) {
    return {kind, {offset, size}, false};
}

LaunchArgument buffer(std::size_t offset, std::size_t size) {
    return argument(Kind::buffer, offset, size);
}

wire::KernelLaunch launch_of(const std::vector<LaunchArgument>& arguments) {
    wire::KernelLaunch launch;
    launch.arguments = arguments;
    return launch;
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

/// A random word, often one that is easily mistaken for something else.
std::uint32_t any_word(Random& random) {
    const auto infinity = std::numeric_limits<float>::infinity();
    const std::array<std::uint32_t, 12> special{
        0,           0x80000000U, 0xFFFFFFFFU, 0x7FFFDEADU,       0xFFC00000U,        0xFF800000U,
        0xFF7FFFFFU, 0x7FC00000U, 0xFFFEFFFFU, bits_of(infinity), bits_of(-infinity), 0xFFFF0000U};
    const auto word = static_cast<std::uint32_t>(random());
    switch (below(random, 4)) {
    case 0:
        return special.at(below(random, special.size()));
    case 1:
        return 0xFFFEFFFFU - word % 64; // a token, given out or not
    default:
        return word;
    }
}

Bytes any_bytes(Random& random, std::size_t size) {
    Words words(size / sizeof(std::uint32_t) + 1);
    std::ranges::generate(words, [&] { return any_word(random); });
    Bytes bytes = bytes_of(words);
    bytes.resize(size);
    return bytes;
}

/// Contents that differ in each byte from `known` and from the data behind `known`.
Bytes changed(Random& random, const Seal& seal, const Bytes& known) {
    const Bytes data = revealed(seal, known);
    Bytes now(known.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        do
            now[i] = static_cast<std::byte>(random());
        while (now[i] == known[i] || now[i] == data[i]);
    }
    return now;
}

/// Buffers of any sizes in memory of `size` bytes. They can overlap completely or in part.
std::vector<LaunchArgument> any_buffers(Random& random, std::size_t size) {
    std::vector<LaunchArgument> arguments;
    for (std::size_t count = 1 + below(random, 5); count > 0; --count) {
        const std::size_t offset = below(random, size / 4) * 4;
        arguments.push_back(buffer(offset, below(random, size - offset + 1)));
    }
    return arguments;
}

} // namespace

TEST_CASE("tokens of arguments differ from those of results and of earlier calls") {
    Seal seal;
    seal.begin_call(0);
    Bytes earlier = bytes_of({7});
    seal.hide_argument(view(earlier));
    CHECK(seal.holds_argument(view(earlier)));
    seal.begin_call(0);
    Bytes argument = bytes_of({7});
    seal.hide_argument(view(argument));
    Bytes result = hidden(seal, bytes_of({7}));
    CHECK(seal.holds_argument(view(argument)));
    CHECK_FALSE(seal.holds_argument(view(result)));
    CHECK_FALSE(seal.holds_argument(view(earlier)));
    Bytes both = result;
    both.insert(both.end(), argument.begin(), argument.end());
    CHECK(seal.holds_argument(view(both)));
    Bytes plain = bytes_of({7});
    CHECK_FALSE(seal.holds_argument(view(plain)));
}

TEST_CASE("hidden words of any kind are revealed unchanged") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    Seal seal;
    std::size_t different = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        const Bytes data = any_bytes(random, below(random, 100));
        different += revealed(seal, hidden(seal, data)) == data ? 0 : 1;
    }
    CHECK(different == 0);
}

TEST_CASE("words hidden twice are revealed in two steps") {
    Seal seal;
    const Bytes data = bytes_of({1, 2, 3});
    const Bytes once = hidden(seal, data);
    const Bytes twice = hidden(seal, once);
    CHECK(revealed(seal, twice) == once);
    CHECK(revealed(seal, revealed(seal, twice)) == data);
}

TEST_CASE("in a later call, a token of an earlier one stands for its word, not for a new one") {
    Seal seal;
    const Bytes kept = hidden(seal, bytes_of({1, 2, 3}));
    seal.begin_call(0);
    const Bytes other = hidden(seal, bytes_of({4, 5, 6}));
    CHECK(words_in(revealed(seal, kept)) == Words{1, 2, 3});
    CHECK(words_in(revealed(seal, other)) == Words{4, 5, 6});
}

TEST_CASE("after millions of tokens, a call begins with the first one again") {
    Seal seal;
    const Words first = words_in(hidden(seal, Words(1, 7)));
    hidden(seal, Words((std::size_t{1} << 22) + 1, 7));
    seal.begin_call(0);
    CHECK(words_in(hidden(seal, Words(1, 8))) == first);
}

TEST_CASE("equal words have different tokens") {
    Seal seal;
    Words tokens = words_in(hidden(seal, Words(1000, 7)));
    const Words more = words_in(hidden(seal, Words(1000, 7)));
    tokens.insert(tokens.end(), more.begin(), more.end());
    std::ranges::sort(tokens);
    CHECK(std::adjacent_find(tokens.begin(), tokens.end()) == tokens.end());
    CHECK(std::ranges::count(tokens, 7U) == 0);
}

TEST_CASE("tokens can be moved and copied like data") {
    Seal seal;
    Words tokens = words_in(hidden(seal, Words{10, 20, 30}));
    std::swap(tokens[0], tokens[2]);
    tokens.push_back(tokens[1]);
    CHECK(words_in(revealed(seal, bytes_of(tokens))) == Words{30, 20, 10, 20});
}

TEST_CASE("tokens are independent of the data") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    Seal first;
    Seal second;
    std::size_t differences = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        const std::size_t size = 4 * below(random, 30);
        differences +=
            hidden(first, any_bytes(random, size)) == hidden(second, any_bytes(random, size)) ? 0
                                                                                              : 1;
    }
    CHECK(differences == 0);
}

TEST_CASE("the result of a launch looks the same to the host, whatever it is") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    std::size_t differences = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        const std::size_t size = 4 + below(random, 60);
        Seal first;
        Seal second;
        // The host sees the same memory, with different data behind it.
        Bytes before = any_bytes(random, size);
        const std::size_t data = size / 8 * 4;
        const Bytes tokens = hidden(first, any_bytes(random, data));
        hidden(second, any_bytes(random, data));
        std::ranges::copy(tokens, before.begin());
        const wire::KernelLaunch launch = launch_of(any_buffers(random, size));
        Bytes left = before; // the same where there is no buffer
        Bytes also_left = before;
        for (const LaunchArgument& one : launch.arguments) {
            const auto fill = [&](const Seal& seal, Bytes& memory) {
                const Bytes now = changed(random, seal, before);
                std::copy_n(now.begin() + static_cast<std::ptrdiff_t>(one.bytes.offset),
                            one.bytes.size,
                            memory.begin() + static_cast<std::ptrdiff_t>(one.bytes.offset));
            };
            fill(first, left);
            fill(second, also_left);
        }
        differences +=
            results(first, launch, before, left) == results(second, launch, before, also_left) ? 0
                                                                                               : 1;
        differences += hidden(first, Words{1}) == hidden(second, Words{2}) ? 0 : 1;
    }
    CHECK(differences == 0);
}

TEST_CASE("the host cannot detect which words of a buffer a launch has changed") {
    const Words data{1, 2, 3, 4, 5, 6, 7, 8};
    const wire::KernelLaunch launch = launch_of({buffer(0, 32)});
    Seal one_changed;
    const Bytes before = hidden(one_changed, data);
    Words left = data;
    left[5] ^= 1U;
    const Bytes seen = results(one_changed, launch, before, bytes_of(left));
    CHECK(words_in(revealed(one_changed, seen)) == left);

    Seal all_changed;
    hidden(all_changed, data);
    const Words others{11, 12, 13, 14, 15, 16, 17, 18};
    CHECK(results(all_changed, launch, before, bytes_of(others)) == seen);

    const Words old = words_in(before);
    for (const std::uint32_t token : words_in(seen))
        CHECK(std::ranges::count(old, token) == 0);
}

TEST_CASE("words that are not tokens are revealed unchanged") {
    Seal seal;
    const Bytes plain = bytes_of(
        {0, 1, 0x3F800000U, 0x7FFFDEADU, 0xFFFFFFFFU, 0xFFFF0000U, 0xFFFEFFFFU, 0x80000000U});
    CHECK(revealed(seal, plain) == plain); // the seventh will be the first token
    const Words mixed{1, words_in(hidden(seal, Words{99}))[0], 0xFFFEFFFEU, 3};
    CHECK(words_in(revealed(seal, bytes_of(mixed))) == Words{1, 99, 0xFFFEFFFEU, 3});
}

TEST_CASE("words that host code writes itself are not tokens, however many there are") {
    constexpr std::size_t beyond_all_three = 0x00800100;
    Seal seal;
    Bytes many(beyond_all_three * sizeof(std::uint32_t));
    seal.hide(view(many));
    const Words last = words_in(hidden(seal, Words{42}));
    CHECK(last[0] < no_tokens.back());
    CHECK(words_in(revealed(seal, bytes_of(last))) == Words{42});
    const Words tokens = words_in(many);
    CHECK(std::adjacent_find(tokens.begin(), tokens.end(), std::less_equal<>()) == tokens.end());
    for (const std::uint32_t word : no_tokens) {
        CAPTURE(word);
        CHECK_FALSE(std::binary_search(tokens.rbegin(), tokens.rend(), word));
        CHECK(words_in(revealed(seal, bytes_of({word}))) == Words{word});
        CHECK(seal.count_plain(bytes_of({word})) == 1);
    }
    seal.reveal(view(many));
    CHECK(std::ranges::all_of(many, [](std::byte byte) { return byte == std::byte{}; }));
}

TEST_CASE("the host can read only a limited number of words over all reads") {
    Seal seal(5);
    const Bytes tokens = hidden(seal, Words{1, 2, 3});
    CHECK(words_in(read_by(seal, tokens)) == Words{1, 2, 3});
    CHECK(read_by(seal, tokens) == tokens); // only two are left, and a read is never partial
    const Bytes two(tokens.begin(), tokens.begin() + 8);
    CHECK(words_in(read_by(seal, two)) == Words{1, 2});
    const Bytes one(tokens.begin(), tokens.begin() + 4);
    CHECK(read_by(seal, one) == one);
}

TEST_CASE("the host's reads count whether the words are tokens or not") {
    Seal seal(2);
    const Bytes plain = bytes_of({1, 2});
    CHECK(read_by(seal, plain) == plain);
    const Bytes token = hidden(seal, Words{3});
    CHECK(read_by(seal, token) == token);
}

TEST_CASE("without visible words nothing can be read") {
    Seal seal;
    const Bytes token = hidden(seal, Words{3});
    CHECK(read_by(seal, token) == token);
    CHECK(read_by(seal, {}).empty());
}

TEST_CASE("the grader itself can read without limit") {
    Seal seal(1);
    const Bytes tokens = hidden(seal, Words{3, 4});
    for (int turn = 0; turn < 3; ++turn)
        CHECK(words_in(revealed(seal, tokens)) == Words{3, 4});
    const Bytes one(tokens.begin(), tokens.begin() + 4);
    CHECK(words_in(read_by(seal, one)) == Words{3});
}

TEST_CASE("a large buffer that a launch does not change keeps its tokens") {
    Seal seal;
    // Tokens, the host's own words, and bytes that are not a whole word.
    Bytes before = hidden(seal, Words(1024, 2));
    const Bytes own = bytes_of({3, 0xFFC00000U, 0x00000504U});
    before.insert(before.end(), own.begin(), own.end() - 1);
    const wire::KernelLaunch launch = launch_of({buffer(0, before.size())});
    const Bytes data = revealed(seal, before);
    CHECK(data != before);
    CHECK(results(seal, launch, before, data) == before);
}

TEST_CASE("of two large buffers, only the changed one gets new tokens") {
    Seal seal;
    constexpr std::size_t size = 4096;
    Words data(size / 2, 7);
    const Bytes before = hidden(seal, data);
    const wire::KernelLaunch launch = launch_of({buffer(0, size), buffer(size, size)});
    data.back() = 8;
    const Bytes seen = results(seal, launch, before, bytes_of(data));
    CHECK(std::equal(seen.begin(), seen.begin() + size, before.begin()));
    CHECK(words_in(seen)[size / 4] != words_in(before)[size / 4]);
    CHECK(words_in(revealed(seal, seen)) == data);
}

TEST_CASE("the host cannot detect whether a small buffer has changed") {
    const auto seen_after = [](std::uint32_t left) {
        Seal seal;
        const Bytes before = bytes_of({0, 0});
        return results(seal, launch_of({buffer(0, 4), buffer(4, 4)}), before, bytes_of({left, 1}));
    };
    CHECK(seen_after(0) == seen_after(1));
}

TEST_CASE("a buffer of only tokens keeps them, however small it is") {
    Seal seal;
    const Words data{1, 2, 3};
    const Bytes before = hidden(seal, data);
    const wire::KernelLaunch launch = launch_of({buffer(0, 4), buffer(4, 8)});
    CHECK(results(seal, launch, before, bytes_of(data)) == before);
    const Words seen = words_in(results(seal, launch, before, bytes_of({1, 2, 4})));
    CHECK(seen[0] == words_in(before)[0]);
    CHECK(seen[1] != words_in(before)[1]);
    CHECK(words_in(revealed(seal, bytes_of(seen))) == Words{1, 2, 4});
}

TEST_CASE("a result equal to what the host wrote there still counts as a kernel's output") {
    Seal seal;
    Bytes before = hidden(seal, Words{1});
    const Bytes own = bytes_of({0x7F800000U}); // such as infinity, the identity of a minimum
    before.insert(before.end(), own.begin(), own.end());
    const Bytes left = revealed(seal, before);
    const Bytes seen = results(seal, launch_of({buffer(0, 8)}), before, left);
    CHECK(seal.count_plain(seen) == 0);
    CHECK(revealed(seal, seen) == left);
}

TEST_CASE("a read-only buffer keeps its tokens, whatever a kernel does to it") {
    Seal seal;
    const Bytes before = hidden(seal, Words{1, 2, 3, 4});
    LaunchArgument input = buffer(0, 8);
    input.read_only = true;
    const wire::KernelLaunch launch = launch_of({buffer(8, 8), input});
    const Words seen = words_in(results(seal, launch, before, bytes_of({9, 9, 9, 9})));
    CHECK(seen[0] == words_in(before)[0]);
    CHECK(seen[1] == words_in(before)[1]);
    CHECK(words_in(revealed(seal, bytes_of(seen))) == Words{1, 2, 9, 9});
}

TEST_CASE("a buffer is not read-only if any of its arguments is writable") {
    Seal seal;
    const Bytes before = hidden(seal, Words{1, 2, 3});
    LaunchArgument input = buffer(0, 8);
    input.read_only = true;
    const wire::KernelLaunch launch = launch_of({input, buffer(4, 8)});
    const Bytes seen = results(seal, launch, before, bytes_of({1, 7, 8}));
    CHECK(words_in(revealed(seal, seen)) == Words{1, 7, 8});
}

TEST_CASE("a kernel that writes the bits of the tokens themselves has changed the buffer") {
    Seal seal;
    const Bytes before = hidden(seal, Words{1, 2});
    const wire::KernelLaunch launch = launch_of({buffer(0, 8)});
    const Bytes seen = results(seal, launch, before, before);
    CHECK(seen != before);
    CHECK(revealed(seal, seen) == before);
}

TEST_CASE("a buffer that is passed twice is hidden once") {
    Seal seal;
    const Bytes before = hidden(seal, Words{1, 2, 3, 4});
    const wire::KernelLaunch launch = launch_of({buffer(0, 16), buffer(0, 16), buffer(0, 16)});
    const Words left{9, 2, 3, 4};
    CHECK(words_in(revealed(seal, results(seal, launch, before, bytes_of(left)))) == left);
}

TEST_CASE("each word of overlapping buffers is hidden once") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    std::size_t lost = 0;
    std::size_t shown = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        Seal seal;
        const std::size_t words = 1 + below(random, 12);
        Words data(words);
        std::ranges::generate(data, [&] { return below(random, 1000); });
        const Bytes before = hidden(seal, data);
        std::vector<LaunchArgument> buffers = any_buffers(random, words * 4);
        Words left = data;
        std::vector<bool> written(words);
        for (LaunchArgument& one : buffers) {
            one.bytes.size = one.bytes.size / 4 * 4;
            for (std::size_t i = 0; i < one.bytes.size / 4; ++i) {
                left[one.bytes.offset / 4 + i] = data[one.bytes.offset / 4 + i] + 1;
                written[one.bytes.offset / 4 + i] = true;
            }
        }
        const Bytes seen = results(seal, launch_of(buffers), before, bytes_of(left));
        const Words now = words_in(revealed(seal, seen));
        for (std::size_t i = 0; i < words; ++i) {
            lost += written[i] && now[i] != left[i] ? 1 : 0;
            shown += written[i] && words_in(seen)[i] == left[i] ? 1 : 0;
        }
    }
    CHECK(lost == 0);
    CHECK(shown == 0);
}

TEST_CASE("trailing bytes that are not a whole word do not show whether a buffer has changed") {
    Seal seal;
    const Bytes before(11, std::byte{1});
    const wire::KernelLaunch launch = launch_of({buffer(0, 7), buffer(8, 3)});
    const Bytes seen = results(seal, launch, before, Bytes(11, std::byte{2}));
    CHECK(Bytes(seen.begin() + 4, seen.begin() + 7) == Bytes(3));
    CHECK(seen[7] == std::byte{2}); // in no buffer
    CHECK(Bytes(seen.begin() + 8, seen.end()) == Bytes(3));
}

TEST_CASE("only buffers are hidden: no values, no local memory, nothing between them") {
    Seal seal;
    const Bytes before = bytes_of({1, 2, 3, 4});
    const Words left{11, 12, 13, 14};
    const wire::KernelLaunch launch =
        launch_of({argument(Kind::value, 0, 4), buffer(8, 4), argument(Kind::local, 0, 16)});
    const Words seen = words_in(results(seal, launch, before, bytes_of(left)));
    CHECK(seen[0] == 11);
    CHECK(seen[1] == 12);
    CHECK(seen[2] != 13);
    CHECK(seen[3] == 14);
    CHECK(words_in(revealed(seal, bytes_of(seen))) == left);
}

TEST_CASE("empty buffers are skipped") {
    Seal seal;
    const Bytes before = bytes_of({1, 2});
    const wire::KernelLaunch launch =
        launch_of({buffer(8, 0), buffer(0, 0), buffer(4, 0), buffer(4, 4)});
    const Bytes seen = results(seal, launch, before, bytes_of({1, 3}));
    CHECK(words_in(seen)[0] == 1);
    CHECK(words_in(revealed(seal, seen)) == Words{1, 3});
    CHECK(results(seal, launch_of({buffer(0, 0)}), {}, {}).empty());
}

TEST_CASE("words that are neither tokens nor fill patterns are plain") {
    Seal seal;
    CHECK(seal.count_plain(Bytes()) == 0);
    CHECK(seal.count_plain(bytes_of({0, wire::poison, wire::finite_guard})) == 0);
    CHECK(seal.count_plain(bytes_of({1, 0, 0x80000000U, 0xFFFEFFFFU})) == 3);
    Bytes mixed = hidden(seal, Words{5, 0});
    CHECK(seal.count_plain(mixed) == 0);
    const Bytes own = bytes_of({0, 7, 0xFFFFFFFFU});
    mixed.insert(mixed.end(), own.begin(), own.end());
    CHECK(seal.count_plain(mixed) == 2);
    // A kernel may have computed a word that was hidden in this call, but not one of an earlier call.
    CHECK(seal.count_plain(bytes_of({5})) == 0);
    seal.begin_call(0);
    CHECK(seal.count_plain(bytes_of({5})) == 1);
    mixed.resize(mixed.size() + 3, std::byte{1}); // not a whole word
    CHECK(seal.count_plain(mixed) == 2);
}
