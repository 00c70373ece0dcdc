#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace grader {

/// Hides the data of calls from the student's host code. Every word of 4 bytes is replaced by a token,
/// an opaque placeholder; host code can move tokens as it can move data. Tokens become data again
/// only where a launch is executed, and its results are replaced in turn. So a right result can
/// come only from the kernels.
class Seal {
  public:
    /// `visible_words`: how many words the host may read as data, because the lab lets it combine
    /// them.
    explicit Seal(std::size_t visible_words = 0) : visible_words_(visible_words) {}

    /// A new call, in which the host may read that many words. Tokens of earlier calls still stand
    /// for their words, which a host may have kept, unless there are millions of them.
    void begin_call(std::size_t visible_words);

    /// Replaces each word with a token. Throws std::length_error if no tokens are left.
    void hide(std::span<std::byte> bytes);
    /// The same for an argument of the call, before any launch.
    void hide_argument(std::span<std::byte> bytes);

    /// Whether a word is a token of an argument of this call.
    bool holds_argument(std::span<const std::byte> bytes) const;

    /// Replaces each token with its word; other words stay as they are.
    void reveal(std::span<std::byte> bytes) const;

    /// The same for what the host reads back, if it may still see that much.
    void let_read(std::span<std::byte> bytes);

    /// `after` is the memory of a launch after it ran, `before` the memory as the host passed it.
    /// Replaces `after` with what the host may see: new tokens, even for unchanged words, because
    /// the host must not learn which words changed. Read-only memory stays as the host knows it,
    /// and so does an unchanged buffer that is large or holds only tokens: it may be backed by the
    /// host's own memory, which no launch changes. Throws like hide().
    void hide_results(const wire::KernelLaunch& launch, std::span<const std::byte> before,
                      std::span<std::byte> after);

    /// The number of words that the host has made up: no tokens, not what memory is filled with, and
    /// equal to none that was hidden in this call, which a kernel may have computed, too.
    std::size_t count_plain(std::span<const std::byte> bytes) const;

  private:
    bool holds_tokens_only(std::span<const std::byte> bytes) const;
    bool is_kept(std::span<const std::byte> then, std::span<const std::byte> now) const;
    bool has_changed(std::span<const std::byte> then, std::span<const std::byte> now) const;
    std::uint32_t token_for(std::uint32_t word);
    bool is_token(std::uint32_t word) const;
    std::uint32_t word_for(std::uint32_t token) const;

    std::deque<std::uint32_t> words_; ///< by token, from the first one down
    std::size_t visible_words_;
    std::size_t first_of_call_ = 0; ///< index in words_
    std::size_t arguments_end_ = 0; ///< index in words_ after those of the arguments
};

} // namespace grader
