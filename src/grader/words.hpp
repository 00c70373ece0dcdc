#pragma once

#include <string>

/// Words in the text of a program. The text may be a student's and of any kind, so whoever walks
/// over it goes forward only: the time it takes grows as the text does.
namespace grader {

/// Where `word` stands by itself in `text`, from `begin` on; npos if nowhere.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t begin);

/// The end of the word that begins at `at`.
std::size_t end_of_word(const std::string& text, std::size_t at);

/// The first place from `at` on that is not blank, or the end of `text`.
std::size_t skip_blanks(const std::string& text, std::size_t at);

/// Whether `part` stands in `text` at `at`.
bool stands_at(const std::string& text, std::size_t at, const std::string& part);

} // namespace grader
