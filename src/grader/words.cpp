#include "grader/words.hpp"

#include <algorithm>
#include <cctype>

namespace grader {
namespace {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace

std::size_t find_word(const std::string& text, const std::string& word, std::size_t begin) {
    for (std::size_t at = text.find(word, begin); at != std::string::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word_character(text[at - 1])) &&
            (end == text.size() || !is_word_character(text[end])))
            return at;
    }
    return std::string::npos;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_word(text, at);
        if (end > at && std::isdigit(static_cast<unsigned char>(text[at])) == 0)
            words.push_back(text.substr(at, end - at));
        at = std::max(end, at + 1);
    }
    return words;
}

std::size_t end_of_word(const std::string& text, std::size_t at) {
    while (at < text.size() && is_word_character(text[at]))
        ++at;
    return at;
}

std::size_t skip_blanks(const std::string& text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

bool stands_at(const std::string& text, std::size_t at, const std::string& part) {
    return at <= text.size() && text.compare(at, part.size(), part) == 0;
}

} // namespace grader
