#include "grader/finding_words.hpp"

#include "grader/kernel_file.hpp"
#include "grader/session.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>

namespace grader {
namespace {

/// Lines of one mistake that are named, beside its first one.
constexpr std::ptrdiff_t most_further_lines = 3;

/// "; the same happens at lines 3, 5, 7 and 2 more"; "" for none.
std::string further_lines(const std::vector<int>& lines) {
    if (lines.empty())
        return "";
    const auto named = static_cast<std::size_t>(std::min(std::ssize(lines), most_further_lines));
    std::string text =
        lines.size() == 1 ? "; the same happens at line " : "; the same happens at lines ";
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
    return lines.size() == named ? text
                                 : text + " and " + std::to_string(lines.size() - named) + " more";
}

/// A warning of clang, without its option and what only explains a type: "'uint' to 'uchar'" instead of
/// "'__private uint' (aka '__private unsigned int') to 'uchar' (aka 'unsigned char') [-Wconversion]".
std::string with_short_types(const std::string& warning) {
    static const std::regex additions(R"( \(aka '[^']*'\)|__private |const | \[-W[^\]]*\]$)");
    return std::regex_replace(warning, additions, "");
}

} // namespace

std::string FindingWords::describe(const ObservedFinding& one,
                                   const std::set<int>& more_lines) const {
    const wire::Finding& finding = one.finding;
    const KernelFile& file = session_.file_of(finding.kernel);
    std::string text = file.name();
    if (finding.line != 0)
        text += ":" + std::to_string(finding.line);
    const std::string message = text_of(finding);
    const std::size_t first_end = std::min(message.find('\n'), message.size());
    text += std::string(": ") + wire::kind_of_finding(finding.kind).words + ": " +
            message.substr(0, first_end);
    const std::string& trial = one.trial.parameters;
    if (!trial.empty() && message.find(trial, first_end) == std::string::npos)
        text += " (" + trial + ")";
    text += further_lines({more_lines.begin(), more_lines.end()}) + message.substr(first_end);
    std::set<int> quoted(
        more_lines.begin(),
        std::next(more_lines.begin(), std::min(std::ssize(more_lines), most_further_lines)));
    quoted.insert({finding.line, finding.other_line});
    quoted.insert(finding.more_lines.begin(), finding.more_lines.end());
    quoted.erase(0);
    for (const int line : quoted)
        text += "\n" + file.quote(line);
    return text;
}

std::vector<std::string> FindingWords::describe(const KnownMistake& known,
                                                const std::string& of_host,
                                                const std::string& of_kernel) const {
    if (known.kernel.empty())
        return {of_host + known.text};
    std::vector<std::string> parts = suspicious_lines(session_.file_of(known.kernel));
    parts.push_back(of_kernel + known.text);
    return parts;
}

std::string FindingWords::describe(const Correction& correction, bool is_likely,
                                   const std::string& shown) const {
    const KernelFile& file = session_.file_of(*correction.kernels.begin());
    const std::string line = "line " + std::to_string(correction.line) +
                             (session_.lab().sources.size() > 1 ? " of " + file.name() : "");
    const std::string all_right = ", all small inputs give the right result";
    std::string text;
    if (correction.inserts_barrier()) {
        text = "with " + correction.right + " before " + line + all_right;
    } else {
        text = (is_likely ? "the mistake is probably in " : "the mistake may be in ") + line +
               ": if you change " + correction.wrong.front();
        if (correction.wrong.size() > 1)
            text.append(" or ").append(correction.wrong[1]);
        text += " there" + all_right;
    }
    const std::string quote = file.quote(correction.line);
    return lines({text, shown.find(quote) == std::string::npos ? quote : ""});
}

std::string FindingWords::mistake_of(const Correction& correction) const {
    return "a mistake in line " + std::to_string(correction.line) + " of " +
           session_.file_of(*correction.kernels.begin()).name();
}

std::vector<std::string> FindingWords::suspicious_lines(const KernelFile& file) const {
    std::vector<std::string> lines = session_.suspicious_lines(file);
    const std::optional<SmallTrials>& small = session_.known.small_trials;
    if (!small)
        return lines;
    std::map<std::string, std::set<int>> by_text;
    for (const auto& [kernel, log] : small->seen.warnings) {
        if (&session_.file_of(kernel) != &file)
            continue;
        for (const Diagnostic& one : parse_build_log(log)) {
            if (one.is_warning())
                by_text[with_short_types(one.text)].insert(one.line);
        }
    }
    for (const auto& [text, all] : by_text) {
        const int first = *all.begin();
        lines.insert(lines.end(), {compiler_warns(first, text) +
                                       further_lines({std::next(all.begin()), all.end()}),
                                   file.quote(first)});
    }
    return lines;
}

bool FindingWords::add_suspects(const std::string& kernel,
                                const std::optional<Correction>& correction,
                                const std::string& known, std::vector<std::string>& parts) const {
    for (const std::string& line : suspicious_lines(session_.file_of(kernel))) {
        if (known.find(line) == std::string::npos)
            parts.push_back(line);
    }
    if (correction)
        parts.push_back(describe(*correction, true, lines(parts)));
    return correction.has_value();
}

void FindingWords::point_to(const wire::Finding& finding, CaseOutcome& ended) const {
    ended.file = session_.file_of(finding.kernel).name();
    ended.line = finding.line;
    ended.finding = finding.kind;
}

} // namespace grader
