#include "grader/kernel_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace grader {
namespace {

constexpr std::size_t max_diagnostics = 5;
constexpr std::size_t max_log = 4000;
constexpr std::size_t max_log_line = 1000;

std::string strip(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where `word` stands by itself in `text`, from `begin` on; npos if nowhere.
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

/// `text` with blanks for its comments; lines stay where they are.
std::string without_comments(std::string text) {
    const auto blank = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            text[i] = text[i] == '\n' ? '\n' : ' ';
        return end;
    };
    for (std::size_t at = text.find('/'); at != std::string::npos; at = text.find('/', at)) {
        if (text.compare(at, 2, "//") == 0) {
            at = blank(at, std::min(text.find('\n', at), text.size()));
        } else if (text.compare(at, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", at + 2);
            at = blank(at, end == std::string::npos ? text.size() : end + 2);
        } else {
            ++at;
        }
    }
    return text;
}

} // namespace

KernelFile::KernelFile(const std::string& path, std::string name) : name_(std::move(name)) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        throw std::runtime_error(name_ +
                                 " is missing or cannot be read; put the lab's kernel file "
                                 "back (git checkout -- " +
                                 name_ + ")");
    std::ostringstream content;
    content << stream.rdbuf();
    text_ = content.str();
    if (strip(text_).empty())
        throw std::runtime_error(name_ +
                                 " is empty; the lab's kernels belong there (git checkout -- " +
                                 name_ + " brings the starter back)");
    split();
}

KernelFile KernelFile::from_text(std::string text, std::string name) {
    KernelFile file;
    file.name_ = std::move(name);
    file.text_ = std::move(text);
    file.split();
    return file;
}

void KernelFile::split() {
    std::istringstream stream(text_);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        lines_.push_back(line);
    }
}

std::string KernelFile::line(int number) const {
    const auto index = static_cast<std::size_t>(number) - 1;
    return number >= 1 && index < lines_.size() ? lines_[index] : std::string();
}

int KernelFile::line_of_kernel(const std::string& kernel) const {
    const std::string code = without_comments(text_);
    for (std::size_t at = find_word(code, kernel, 0); at != std::string::npos;
         at = find_word(code, kernel, at + 1)) {
        const std::size_t after = code.find_first_not_of(" \t\r\n", at + kernel.size());
        if (after == std::string::npos || code[after] != '(')
            continue;
        // A definition's keyword stands between the end of what came before and the name.
        const std::size_t before = code.find_last_of(";{}", at);
        const std::size_t begin = before == std::string::npos ? 0 : before;
        const std::size_t keyword =
            std::min(find_word(code, "__kernel", begin), find_word(code, "kernel", begin));
        if (keyword < at)
            return 1 +
                   static_cast<int>(std::count(
                       code.begin(), code.begin() + static_cast<std::ptrdiff_t>(keyword), '\n'));
    }
    return 0;
}

std::vector<KernelFile::Place> KernelFile::unimplemented() const {
    static const std::string mark = "not implemented yet:";
    std::vector<Place> places;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const auto at = lines_[i].find(mark);
        if (at == std::string::npos)
            continue;
        std::string what = strip(lines_[i].substr(at + mark.size()));
        if (what.size() >= 2 && what.compare(what.size() - 2, 2, "*/") == 0)
            what = strip(what.substr(0, what.size() - 2));
        places.push_back({static_cast<int>(i) + 1, what});
    }
    return places;
}

std::string KernelFile::quote(int number, int column) const {
    std::string text = line(number);
    std::replace(text.begin(), text.end(), '\t', ' ');
    std::string prefix = std::to_string(number) + " | ";
    prefix.insert(0, prefix.size() < 7 ? 7 - prefix.size() : 0, ' ');
    std::string quoted = prefix + text;
    if (column > 0 && static_cast<std::size_t>(column) <= text.size() + 1)
        quoted +=
            "\n" + std::string(prefix.size() + static_cast<std::size_t>(column) - 1, ' ') + "^";
    return quoted;
}

std::vector<Diagnostic> parse_build_log(const std::string& log) {
    // POCL 3.1 puts the place of a macro's definition into angle brackets after that of its use.
    static const std::regex pocl(
        R"(^(fatal error|error|warning): \S+?:(\d+):(\d+)(?: <Spelling=.*?>(?=: ))?: (.*)$)");
    static const std::regex clang(R"(^\s*\S*?:(\d+):(\d+): (fatal error|error|warning): (.*)$)");
    std::vector<Diagnostic> found;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        // std::regex needs a stack frame for each character.
        line.resize(std::min(line.size(), max_log_line));
        std::smatch match;
        try {
            if (std::regex_match(line, match, pocl))
                found.push_back({std::stoi(match[2]), std::stoi(match[3]), match[1], match[4]});
            else if (std::regex_match(line, match, clang))
                found.push_back({std::stoi(match[1]), std::stoi(match[2]), match[3], match[4]});
        } catch (const std::out_of_range&) {
            continue; // a line number too large for any file
        }
    }
    return found;
}

std::string explain_build_log(const std::string& log, const KernelFile& file) {
    std::ostringstream text;
    std::size_t shown = 0;
    std::size_t errors = 0;
    for (const Diagnostic& one : parse_build_log(log)) {
        if (one.severity == "warning")
            continue;
        ++errors;
        if (shown == max_diagnostics)
            continue;
        text << file.name() << ":" << one.line << ":" << one.column << ": " << one.text << "\n"
             << file.quote(one.line, one.column) << "\n";
        ++shown;
    }
    if (errors == 0) {
        text << "the compiler says:\n" << log.substr(0, max_log);
        if (log.size() > max_log)
            text << "\n... (" << log.size() - max_log << " bytes more)";
    } else if (errors > shown) {
        text << "... and " << errors - shown << " errors more";
    }
    std::string result = text.str();
    result.erase(result.find_last_not_of(" \n") + 1);
    return result;
}

} // namespace grader
