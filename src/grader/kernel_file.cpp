#include "grader/kernel_file.hpp"

#include "grader/words.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <set>
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

/// `text` with its comments replaced by blanks; line numbers do not change.
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
        throw std::runtime_error(
            name_ +
            " is missing or cannot be read; restore the lab's kernel file (git checkout -- " +
            name_ + ")");
    std::ostringstream content;
    content << stream.rdbuf();
    text_ = content.str();
    if (strip(text_).empty())
        throw std::runtime_error(name_ +
                                 " is empty; the lab's kernels belong there (git checkout -- " +
                                 name_ + " restores the starter)");
    split();
    find_kernels();
}

KernelFile KernelFile::from_text(std::string text, std::string name) {
    KernelFile file;
    file.name_ = std::move(name);
    file.text_ = std::move(text);
    file.split();
    file.find_kernels();
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

/// Notes where each kernel begins: at the first keyword between the end of the previous code and a
/// name that a bracket follows.
void KernelFile::find_kernels() {
    const std::string code = without_comments(text_);
    int line = 1;
    int keyword_line = 0; // 0: none since the last end
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = end_of_word(code, at);
        if (end == at) {
            if (code[at] == '\n')
                ++line;
            else if (code[at] == ';' || code[at] == '{' || code[at] == '}')
                keyword_line = 0;
            ++at;
            continue;
        }
        const std::string word = code.substr(at, end - at);
        if (keyword_line != 0 && stands_at(code, skip_blanks(code, end), "("))
            kernel_lines_.emplace(word, keyword_line);
        else if (keyword_line == 0 && (word == "__kernel" || word == "kernel"))
            keyword_line = line;
        at = end;
    }
}

int KernelFile::line_of_kernel(const std::string& kernel) const {
    const auto found = kernel_lines_.find(kernel);
    return found == kernel_lines_.end() ? 0 : found->second;
}

std::vector<std::string> KernelFile::kernels() const {
    std::vector<std::string> names;
    for (const auto& [name, line] : kernel_lines_)
        names.push_back(name);
    return names;
}

std::vector<std::string> KernelFile::code_lines() const {
    std::vector<std::string> lines;
    std::istringstream code(without_comments(text_));
    for (std::string text; std::getline(code, text);)
        lines.push_back(text);
    return lines;
}

std::vector<KernelFile::Place> KernelFile::tested_macros() const {
    std::vector<Place> tested;
    std::set<std::string> defined{"defined"};
    int number = 0;
    for (const std::string& text : code_lines()) {
        ++number;
        const std::vector<std::string> words = words_of(text);
        if (!strip(text).starts_with("#") || words.size() < 2)
            continue;
        if (words[0] == "define")
            defined.insert(words[1]);
        else if (words[0] == "if" || words[0] == "ifdef" || words[0] == "elif")
            for (std::size_t i = 1; i < words.size(); ++i)
                tested.push_back({number, words[i]});
    }
    std::erase_if(tested, [&](const Place& one) { return defined.contains(one.text); });
    return tested;
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
    std::ranges::replace(text, '\t', ' ');
    std::string prefix = std::to_string(number) + " | ";
    prefix.insert(0, prefix.size() < 7 ? 7 - prefix.size() : 0, ' ');
    std::string quoted = prefix + text;
    if (column > 0 && static_cast<std::size_t>(column) <= text.size() + 1)
        quoted +=
            "\n" + std::string(prefix.size() + static_cast<std::size_t>(column) - 1, ' ') + "^";
    return quoted;
}

namespace {

/// ":LINE:COLUMN" in a build log.
struct Position {
    int line = 0;
    int column = 0;
    std::size_t end = 0; ///< the index after it
};

std::optional<Position> position_at(const std::string& text, std::size_t at) {
    Position position;
    for (int* number : {&position.line, &position.column}) {
        if (!stands_at(text, at, ":"))
            return std::nullopt;
        const char* begin = text.data() + at + 1;
        const auto [end, error] = std::from_chars(begin, text.data() + text.size(), *number);
        if (error != std::errc() || *number < 0)
            return std::nullopt;
        at = static_cast<std::size_t>(end - text.data());
    }
    position.end = at;
    return position;
}

/// The message that `tail` makes of the text after a file name (without blanks) and a position. The
/// name begins at `begin`.
template <class Tail>
std::optional<Diagnostic> message_of(const std::string& text, std::size_t begin, const Tail& tail) {
    const std::size_t blank = std::min(text.find_first_of(" \t", begin), text.size());
    for (std::size_t at = text.find(':', begin); at < blank; at = text.find(':', at + 1)) {
        const auto position = position_at(text, at);
        if (!position)
            continue;
        if (auto found = tail(position->end)) {
            found->line = position->line;
            found->column = position->column;
            return found;
        }
    }
    return std::nullopt;
}

const std::array<std::pair<std::string, Diagnostic::Severity>, 3> severities{
    {{"fatal error", Diagnostic::Severity::fatal_error},
     {"error", Diagnostic::Severity::error},
     {"warning", Diagnostic::Severity::warning}}};

/// "error: FILE:1:2: TEXT". POCL 3.1 puts the place of a macro's definition into angle brackets after
/// that of its use.
std::optional<Diagnostic> diagnostic_of_pocl(const std::string& line) {
    static const std::string spelling = " <Spelling=";
    for (const auto& [word, severity] : severities) {
        if (!stands_at(line, 0, word + ": "))
            continue;
        return message_of(line, word.size() + 2, [&, severity = severity](std::size_t at) {
            if (stands_at(line, at, spelling))
                at = std::min(line.find(">: ", at), line.size()) + 1;
            return stands_at(line, at, ": ")
                       ? std::make_optional(Diagnostic{0, 0, severity, line.substr(at + 2)})
                       : std::nullopt;
        });
    }
    return std::nullopt;
}

/// "FILE:1:2: error: TEXT".
std::optional<Diagnostic> diagnostic_of_clang(const std::string& line) {
    return message_of(line, skip_blanks(line, 0), [&](std::size_t at) -> std::optional<Diagnostic> {
        for (const auto& [word, severity] : severities) {
            const std::string head = ": " + word + ": ";
            if (stands_at(line, at, head))
                return Diagnostic{0, 0, severity, line.substr(at + head.size())};
        }
        return std::nullopt;
    });
}

/// "; half is a type in OpenCL C: choose another name", if a declaration has a type instead of its
/// name.
std::string explain_second_type(const Diagnostic& one, const KernelFile& file) {
    if (one.text.find("cannot combine with previous") == std::string::npos)
        return "";
    const std::string line = file.line(one.line);
    const std::size_t begin = std::min(line.size(), static_cast<std::size_t>(one.column) - 1);
    const auto end =
        std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(),
                         [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    const std::string name(line.begin() + static_cast<std::ptrdiff_t>(begin), end);
    return name.empty() ? "" : "; " + name + " is a type in OpenCL C: choose another name";
}

} // namespace

std::vector<Diagnostic> parse_build_log(const std::string& log) {
    std::vector<Diagnostic> found;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        line.resize(std::min(line.size(), max_log_line));
        auto one = diagnostic_of_pocl(line);
        if (!one)
            one = diagnostic_of_clang(line);
        if (one)
            found.push_back(std::move(*one));
    }
    return found;
}

std::string explain_build_log(const std::string& log, const KernelFile& file) {
    std::ostringstream text;
    std::size_t shown = 0;
    std::size_t errors = 0;
    for (const Diagnostic& one : parse_build_log(log)) {
        if (one.is_warning())
            continue;
        ++errors;
        if (shown == max_diagnostics)
            continue;
        text << file.name() << ":" << one.line << ":" << one.column << ": " << one.text
             << explain_second_type(one, file) << "\n"
             << file.quote(one.line, one.column) << "\n";
        ++shown;
    }
    if (errors == 0) {
        text << "the compiler says:\n" << log.substr(0, max_log);
        if (log.size() > max_log)
            text << "\n... (" << log.size() - max_log << " more bytes)";
    } else if (errors > shown) {
        text << "... and " << report::count_of(errors - shown, "more error");
    }
    std::string result = text.str();
    result.erase(result.find_last_not_of(" \n") + 1);
    return result;
}

} // namespace grader
