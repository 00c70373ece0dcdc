#include "grader/seal.hpp"

#include "wire/made_up_words.hpp"
#include "wire/regions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace grader {
namespace {

/// Tokens go down from here: as floats they are negative NaNs, and after eight million of them
/// numbers far below 0; as ints they are below 0, too. Host code does not write such words itself.
constexpr std::uint32_t first_token = 0xFFFEFFFFU;

/// As many as reach down to -1.6e29 as a float and take 1 GiB.
constexpr std::size_t most_tokens = std::size_t{1} << 28;

/// A call after more than that begins with the first token again, where tokens are NaNs.
constexpr std::size_t most_kept_tokens = std::size_t{1} << 22;

/// Words within that range that host code does write: the processor's default NaN, minus infinity,
/// and the lowest float.
constexpr std::array<std::uint32_t, 3> no_tokens{0xFFC00000U, 0xFF800000U, 0xFF7FFFFFU};

bool is_no_token(std::uint32_t word) {
    return std::ranges::find(no_tokens, word) != no_tokens.end();
}

std::uint32_t word_at(const std::byte* place) {
    std::uint32_t word = 0;
    std::memcpy(&word, place, sizeof word);
    return word;
}

void put(std::byte* place, std::uint32_t word) { std::memcpy(place, &word, sizeof word); }

/// Least size in bytes of a buffer that is kept, whatever it contains, if a launch only read it.
constexpr std::size_t least_kept = 4096;

constexpr std::size_t word_size = sizeof(std::uint32_t);

} // namespace

std::uint32_t Seal::token_for(std::uint32_t word) {
    while (is_no_token(first_token - static_cast<std::uint32_t>(words_.size())))
        words_.push_back(first_token - static_cast<std::uint32_t>(words_.size()));
    if (words_.size() >= most_tokens)
        throw std::length_error("the call's launches write more than the harness can track");
    words_.push_back(word);
    return first_token - static_cast<std::uint32_t>(words_.size() - 1);
}

bool Seal::is_token(std::uint32_t word) const {
    const std::uint32_t index = first_token - word; // wraps around for a word above the first one
    return index < words_.size() && !is_no_token(word);
}

std::uint32_t Seal::word_for(std::uint32_t token) const {
    return is_token(token) ? words_[first_token - token] : token;
}

void Seal::begin_call(std::size_t visible_words) {
    visible_words_ = visible_words;
    if (words_.size() > most_kept_tokens)
        words_ = {};
    first_of_call_ = words_.size();
    arguments_end_ = first_of_call_;
}

void Seal::hide(std::span<std::byte> bytes) {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size)
        put(bytes.data() + i, token_for(word_at(bytes.data() + i)));
}

void Seal::hide_argument(std::span<std::byte> bytes) {
    hide(bytes);
    arguments_end_ = words_.size();
}

bool Seal::holds_argument(std::span<const std::byte> bytes) const {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size) {
        const std::uint32_t word = word_at(bytes.data() + i);
        const std::size_t index = first_token - word;
        if (is_token(word) && index >= first_of_call_ && index < arguments_end_)
            return true;
    }
    return false;
}

void Seal::reveal(std::span<std::byte> bytes) const {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size)
        put(bytes.data() + i, word_for(word_at(bytes.data() + i)));
}

void Seal::let_read(std::span<std::byte> bytes) {
    const std::size_t words = bytes.size() / word_size;
    if (words > visible_words_)
        return;
    visible_words_ -= words;
    reveal(bytes);
}

std::size_t Seal::count_plain(std::span<const std::byte> bytes) const {
    std::vector<std::uint32_t> plain;
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size) {
        if (const std::uint32_t word = word_at(bytes.data() + i); !is_token(word))
            plain.push_back(word);
    }
    wire::MadeUpWords made_up(std::move(plain));
    for (std::size_t i = first_of_call_; i < words_.size() && made_up.count() != 0; ++i) {
        if (!is_no_token(words_[i]))
            made_up.remove(words_[i]);
    }
    return made_up.count();
}

bool Seal::holds_tokens_only(std::span<const std::byte> bytes) const {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size) {
        if (!is_token(word_at(bytes.data() + i)))
            return false;
    }
    return true;
}

/// Whether `now` differs from what `then` stood for.
bool Seal::has_changed(std::span<const std::byte> then, std::span<const std::byte> now) const {
    const std::size_t whole = then.size() - then.size() % word_size;
    for (std::size_t i = 0; i < whole; i += word_size) {
        if (word_at(now.data() + i) != word_for(word_at(then.data() + i)))
            return true;
    }
    return !std::ranges::equal(then.subspan(whole), now.subspan(whole, then.size() - whole));
}

/// Whether the host keeps its `then`. This reveals that a launch did not change `now`: one bit per
/// argument, whatever the size of the buffer. A small buffer with the host's own words is never
/// kept: a kernel's result can equal the initial value, and it must still count as the kernel's.
bool Seal::is_kept(std::span<const std::byte> then, std::span<const std::byte> now) const {
    return (then.size() >= least_kept || holds_tokens_only(then)) && !has_changed(then, now);
}

void Seal::hide_results(const wire::KernelLaunch& launch, std::span<const std::byte> before,
                        std::span<std::byte> after) {
    for (const wire::Region& region : wire::regions_of(launch)) {
        const auto [begin, size] = region.bytes;
        const std::span<std::byte> now = after.subspan(begin, size);
        const std::span<const std::byte> then = before.subspan(begin, size);
        if (region.read_only || is_kept(then, {now.data(), now.size()})) {
            std::ranges::copy(then, now.begin());
            continue;
        }
        hide(now);
        // Bytes after the last whole word have no token and are part of no result.
        std::ranges::fill(now.last(now.size() % word_size), std::byte{0});
    }
}

} // namespace grader
