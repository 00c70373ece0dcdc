#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace report {
namespace {

/// Limits of GitHub Actions for one step; it cuts messages at 4096 characters, after escaping.
constexpr std::size_t most_annotations = 10;
constexpr std::size_t annotation_limit = 2000;

/// Returns `text` with a percent sign and its code for each of `marks`, as GitHub's toolkit does.
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

/// Cases of a lab with the same message about the same place.
struct Note {
    std::string lab;
    Case first;
    std::size_t more = 0; ///< cases like it
};

bool says_the_same(const Case& a, const Case& b) {
    return a.file == b.file && a.line == b.line && a.message == b.message;
}

std::vector<Note> notes_on(const Submission& submission) {
    std::vector<Note> notes;
    for (const Result& lab : submission.labs) {
        for (const Case& one : shown_cases(lab)) {
            if (counts_as_passed(one))
                continue;
            const auto same = std::ranges::find_if(notes, [&](const Note& note) {
                return note.lab == lab.lab && says_the_same(note.first, one);
            });
            if (same == notes.end())
                notes.push_back({lab.lab, one});
            else
                ++same->more;
        }
    }
    return notes;
}

std::string annotation(const Note& note) {
    const Case& one = note.first;
    std::string command = "::error ";
    if (!one.file.empty()) {
        command += "file=" + property(one.file) + ",";
        if (one.line > 0)
            command += "line=" + std::to_string(one.line) + ",";
    }
    std::string title = note.lab + ": " + one.name;
    if (note.more > 0)
        title += " (and " + std::to_string(note.more) + " more)";
    command += "title=" + property(title);
    const std::string message = one.message.empty() ? to_string(one.status) : one.message;
    return command + "::" + data(visible(message, annotation_limit)) + "\n";
}

} // namespace

std::string to_annotations(const Submission& submission) {
    std::vector<Note> notes = notes_on(submission);
    std::stable_partition(notes.begin(), notes.end(),
                          [](const Note& note) { return note.first.line > 0; });
    std::string text;
    for (std::size_t i = 0; i < std::min(notes.size(), most_annotations); ++i)
        text += annotation(notes[i]);
    return text;
}

} // namespace report
