#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/told.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace report {
namespace {

/// What GitHub Actions shows of one step; it cuts messages at 4096 characters, escaped ones.
constexpr std::size_t most_annotations = 10;
constexpr std::size_t annotation_limit = 2000;

/// `text` with a percent sign, its code and another one for each of `marks`, as GitHub's toolkit does.
std::string escaped(const std::string& text, std::string_view marks) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        if (marks.find(c) == std::string_view::npos) {
            result += c;
            continue;
        }
        const auto code = static_cast<unsigned char>(c);
        result += {'%', digits[code / 16U], digits[code % 16U]};
    }
    return result;
}

std::string data(const std::string& text) { return escaped(without_commands(text), "%\r\n"); }

std::string property(const std::string& text) {
    return escaped(without_commands(visible_line(text, name_limit)), "%\r\n:,");
}

std::string annotation(const Result& lab, const Case& one) {
    std::string command = "::error ";
    if (!one.file.empty()) {
        command += "file=" + property(one.file) + ",";
        if (one.line > 0)
            command += "line=" + std::to_string(one.line) + ",";
    }
    command += "title=" + property(lab.lab + ": " + one.name);
    const std::string message = one.message.empty() ? to_string(one.status) : one.message;
    return command + "::" + data(visible(message, annotation_limit)) + "\n";
}

} // namespace

std::string to_annotations(const Submission& submission) {
    std::vector<std::string> at_lines;
    std::vector<std::string> elsewhere;
    for (const Result& lab : submission.labs) {
        for (const Case& one : told_cases(lab)) {
            if (!earned(one))
                (one.line > 0 ? at_lines : elsewhere).push_back(annotation(lab, one));
        }
    }
    at_lines.insert(at_lines.end(), elsewhere.begin(), elsewhere.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(at_lines.size(), most_annotations); ++i)
        text += at_lines[i];
    return text;
}

} // namespace report
