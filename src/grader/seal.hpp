#pragma once

#include "wire/messages.hpp"
#include "wire/span.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace grader {

/// Keeps a call's data from the student's host code. Every word of 4 bytes is replaced by a token
/// that says nothing about it; host code may move tokens about as it may move data. Only where a
/// launch is carried out do they become data again, and what it leaves is replaced in turn. So a
/// right result can have come from nowhere but the kernels.
class Seal {
  public:
    /// `visible_words`: so many words the host may read as they are, which are what a lab lets it
    /// combine.
    explicit Seal(std::size_t visible_words = 0) : visible_words_(visible_words) {}

    /// Puts a token in the place of each word. Throws std::length_error when there are none left.
    void hide(wire::Span<std::byte> bytes);

    /// Puts each token's word in its place; other words stay as they are.
    void reveal(wire::Span<std::byte> bytes) const;

    /// The same for what the host reads back, as long as it may see that much.
    void let_read(wire::Span<std::byte> bytes);

    /// `after` is what a launch has made of its memory, `before` what the host had given for it.
    /// Afterwards `after` holds what the host may have of it: new tokens, also for words that are
    /// what they were, for it must not learn which. What is read-only stays as the host knows it, and
    /// so does a buffer in which nothing has changed, if it is large or holds nothing but tokens: the
    /// host's own memory may be behind it, which no launch changes. Throws like hide().
    void hide_results(const wire::KernelLaunch& launch, wire::Span<const std::byte> before,
                      wire::Span<std::byte> after);

    /// The words that neither are tokens nor what memory is filled with.
    std::size_t count_plain(wire::Span<const std::byte> bytes) const;

  private:
    bool holds_tokens_only(wire::Span<const std::byte> bytes) const;
    bool is_kept(wire::Span<const std::byte> then, wire::Span<const std::byte> now) const;
    bool has_changed(wire::Span<const std::byte> then, wire::Span<const std::byte> now) const;
    std::uint32_t token_for(std::uint32_t word);
    bool is_token(std::uint32_t word) const;
    std::uint32_t word_for(std::uint32_t token) const;

    std::deque<std::uint32_t> words_; ///< by token, from the first one down
    std::size_t visible_words_;
};

} // namespace grader
