#include "grader/seal.hpp"

#include "wire/regions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace grader {
namespace {

/// Tokens go down from here: as floats they are negative NaNs, and after eight million of them
/// numbers far below 0; as ints as well. Nothing that host code writes on its own.
constexpr std::uint32_t first_token = 0xFFFEFFFFU;

/// As many as reach down to -1.6e29 as a float, and take 1 GiB.
constexpr std::size_t most_tokens = std::size_t{1} << 28;

/// Words within that range that host code does write: the processor's own NaN, minus infinity, and
/// the lowest float.
constexpr std::array<std::uint32_t, 3> no_tokens{0xFFC00000U, 0xFF800000U, 0xFF7FFFFFU};

bool is_no_token(std::uint32_t word) {
    return std::find(no_tokens.begin(), no_tokens.end(), word) != no_tokens.end();
}

std::uint32_t word_at(const std::byte* place) {
    std::uint32_t word = 0;
    std::memcpy(&word, place, sizeof word);
    return word;
}

void put(std::byte* place, std::uint32_t word) { std::memcpy(place, &word, sizeof word); }

/// Bytes of a buffer that is worth keeping when a launch has only read it, whatever is in it.
constexpr std::size_t least_kept = 4096;

constexpr std::size_t word_size = sizeof(std::uint32_t);

} // namespace

std::uint32_t Seal::token_for(std::uint32_t word) {
    while (is_no_token(first_token - static_cast<std::uint32_t>(words_.size())))
        words_.push_back(first_token - static_cast<std::uint32_t>(words_.size()));
    if (words_.size() >= most_tokens)
        throw std::length_error("the call's launches write more than the harness can follow");
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

void Seal::hide(wire::Span<std::byte> bytes) {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size)
        put(bytes.data() + i, token_for(word_at(bytes.data() + i)));
}

void Seal::reveal(wire::Span<std::byte> bytes) const {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size)
        put(bytes.data() + i, word_for(word_at(bytes.data() + i)));
}

void Seal::let_read(wire::Span<std::byte> bytes) {
    const std::size_t words = bytes.size() / word_size;
    if (words > visible_words_)
        return;
    visible_words_ -= words;
    reveal(bytes);
}

std::size_t Seal::count_plain(wire::Span<const std::byte> bytes) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size) {
        const std::uint32_t word = word_at(bytes.data() + i);
        const bool unwritten = word == 0 || word == wire::poison || word == wire::finite_guard;
        count += !unwritten && !is_token(word) ? 1 : 0;
    }
    return count;
}

bool Seal::holds_tokens_only(wire::Span<const std::byte> bytes) const {
    for (std::size_t i = 0; i + word_size <= bytes.size(); i += word_size) {
        if (!is_token(word_at(bytes.data() + i)))
            return false;
    }
    return true;
}

/// Whether `now` is not what `then` stood for.
bool Seal::has_changed(wire::Span<const std::byte> then, wire::Span<const std::byte> now) const {
    const std::size_t whole = then.size() - then.size() % word_size;
    for (std::size_t i = 0; i < whole; i += word_size) {
        if (word_at(now.data() + i) != word_for(word_at(then.data() + i)))
            return true;
    }
    return !std::equal(then.begin() + whole, then.end(), now.begin() + whole);
}

/// Whether the host keeps what it knows as `then`. It learns by it that a launch has left `now` as it
/// was: a bit for each argument, which a large buffer tells as well as a small one. Of its own words
/// in a small one it must not be told: the result may be just what it had been initialised with, and
/// has come out of a kernel all the same.
bool Seal::is_kept(wire::Span<const std::byte> then, wire::Span<const std::byte> now) const {
    return (then.size() >= least_kept || holds_tokens_only(then)) && !has_changed(then, now);
}

void Seal::hide_results(const wire::KernelLaunch& launch, wire::Span<const std::byte> before,
                        wire::Span<std::byte> after) {
    for (const wire::Region& region : wire::regions_of(launch)) {
        const auto [begin, size] = region.bytes;
        const wire::Span<std::byte> now = after.subspan(begin, size);
        const wire::Span<const std::byte> then = before.subspan(begin, size);
        if (region.read_only || is_kept(then, {now.data(), now.size()})) {
            std::copy(then.begin(), then.end(), now.begin());
            continue;
        }
        hide(now);
        // No word, no token: what is left at the end is nobody's result.
        std::fill(now.end() - now.size() % word_size, now.end(), std::byte{0});
    }
}

} // namespace grader
