#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace report {
namespace {

/// The limit of a step summary.
constexpr std::size_t most_bytes = std::size_t{1024} * 1024;

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether `text` ends with `end`, in lower or upper case.
bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() &&
           std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
               return a == b || (is_word(b) && (static_cast<unsigned char>(b) | 0x20U) ==
                                                   static_cast<unsigned char>(a));
           });
}

/// Inserts blanks where GitHub would otherwise make a link without any markup: @name, #12, GH-12,
/// www., http://, a@b.com.
std::string without_links(const std::string& line) {
    std::string result;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const char next = i + 1 < line.size() ? line[i + 1] : ' ';
        result += c;
        const bool name = c == '@' && next != ' ';
        const bool issue = (c == '#' || ends_with(result, "gh-")) && is_word(next);
        const bool host = next == '.' && ends_with(result, "www");
        const bool scheme = line.compare(i, 3, "://") == 0;
        if (name || issue || host || scheme)
            result += ' ';
    }
    return result;
}

/// Returns Markdown that shows `text` on one line as it is, also in a table cell.
std::string inline_text(const std::string& text, std::size_t limit = name_limit) {
    std::string result;
    for (const char c : without_links(visible_line(text, limit))) {
        if (c == '|')
            result += "&#124;"; // cells end at a bar before anything else is parsed
        else if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (std::string_view("\\`[]!*_#~@$").find(c) != std::string_view::npos)
            result += {'\\', c};
        else
            result += c;
    }
    return result;
}

/// The same for a text of several lines, which become one.
std::string inline_lines(const std::string& text, std::size_t limit) {
    std::string flat = text;
    std::ranges::replace(flat, '\n', ' ');
    return inline_text(flat, limit);
}

/// Returns `text` in a fence that is longer than any run of backticks in it. GitHub's parser counts
/// at most 255 backticks of a fence: a line that begins with many is indented, so that it ends no
/// fence.
std::string fenced(const std::string& text) {
    constexpr std::size_t most_backticks = 100;
    std::size_t longest = 2;
    std::string body;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t end = std::min(line.find_first_not_of('`', begin), line.size());
        if (end - begin > most_backticks)
            body += "    ";
        else
            longest = std::max(longest, end - begin);
        body += line + "\n";
    }
    const std::string fence(longest + 1, '`');
    return fence + "text\n" + (body.empty() ? "\n" : body) + fence + "\n\n";
}

std::string title(const Result& lab) {
    return inline_text(lab.lab) + (lab.title.empty() ? "" : ": " + inline_text(lab.title));
}

std::string head(const Submission& submission) {
    std::string text = "# " + points(submission.score(), submission.max_score()) +
                       " points: " + inline_text(submission.student) + "\n\n";
    if (submission.labs.empty())
        text += "No lab was graded.\n\n";
    else
        text += "| lab | points | cases passed | remark |\n|---|--:|--:|---|\n";
    for (const Result& lab : submission.labs) {
        const std::vector<Case> cases = shown_cases(lab);
        text += "| " + title(lab) + " | " + points(lab.score(), lab.max_score()) + " | " +
                points(static_cast<int>(passed_cases(cases)), static_cast<int>(cases.size())) +
                " | " + inline_text(first_line(remark_on(lab)), line_limit) + " |\n";
    }
    text += submission.labs.empty() ? "" : "\n";
    for (const std::string& remark : submission.remarks)
        text += "- Note: " + inline_lines(remark, line_limit) + "\n";
    text += submission.remarks.empty() ? "" : "\n";
    if (!submission.protection.empty())
        text +=
            "Sandbox for student code: " + inline_text(submission.protection, line_limit) + "\n\n";
    return text + "Graded by " + product() + ".\n\n";
}

std::string table(const Result& lab) {
    const std::string revision = revision_of(lab);
    std::string text = "## " + title(lab) + "\n\n" +
                       (revision.empty() ? "" : "Graded: " + inline_text(revision) + "\n\n") +
                       "| case | status | points |\n|---|---|--:|\n";
    for (const Case& one : shown_cases(lab))
        text += "| " + inline_text(one.name) + " | " + to_string(one.status) + " | " + points(one) +
                " |\n";
    return text + "\n";
}

std::string details(const Case& one) {
    std::string text =
        std::string("### ") + to_string(one.status) + ": " + inline_text(one.name) + "\n\n";
    if (!one.message.empty())
        text += fenced(visible(one.message, message_limit));
    if (!one.file.empty())
        text += "In " + inline_text(place(one.file, one.line), line_limit) + "\n\n";
    if (!one.hint.empty())
        text += "Hint: " + inline_lines(one.hint, hint_limit) + "\n\n";
    if (!one.output.empty())
        text += "The code printed:\n\n" + fenced(visible(one.output, output_limit));
    return text;
}

/// Joins the parts of a text that must not become too long: leaves out the first part that does not
/// fit and all after it.
class Limited {
  public:
    void add(const std::string& part) {
        const std::string checked = without_commands(part);
        full_ = full_ || text_.size() + checked.size() > most_bytes - left_out.size();
        if (!full_)
            text_ += checked;
    }

    std::string text() const { return full_ ? text_ + std::string(left_out) : text_; }

  private:
    static constexpr std::string_view left_out =
        "\nThe rest does not fit into this summary: see report.html.\n";

    std::string text_;
    bool full_ = false;
};

} // namespace

std::string to_markdown(const Submission& submission) {
    Limited summary;
    summary.add(head(submission));
    for (const Result& lab : submission.labs) {
        summary.add(table(lab));
        for (const Case& one : shown_cases(lab)) {
            if (!counts_as_passed(one))
                summary.add(details(one));
        }
    }
    return summary.text();
}

} // namespace report
