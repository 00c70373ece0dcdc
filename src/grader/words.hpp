#pragma once

#include <string>
#include <vector>

/// Finds words in program text. A student's text can contain anything, so each scan only moves
/// forward: its time is linear in the length of the text.
namespace grader {

/// The position of `word` as a whole word in `text`, from `begin` on; npos if there is none.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t begin);

/// The names in `text`, in their order.
std::vector<std::string> words_of(const std::string& text);

/// The end of the word that begins at `at`.
std::size_t end_of_word(const std::string& text, std::size_t at);

/// The first position from `at` on that is not blank, or the end of `text`.
std::size_t skip_blanks(const std::string& text, std::size_t at);

/// Whether `text` contains `part` at position `at`.
bool stands_at(const std::string& text, std::size_t at, const std::string& part);

} // namespace grader
