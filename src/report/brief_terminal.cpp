#include "report/brief_terminal.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace report {
namespace {

/// Lines that the first failure leaves for the names of others, and those that names leave for the
/// end of the run: an empty line, the score, and what to do next.
constexpr std::size_t rows_for_names = 3;
constexpr std::size_t rows_for_end = 4;
constexpr std::size_t fewest_rows = 12;

/// The bytes of `line` outside escape sequences, each of which ends with the letter m.
std::size_t size_without_colors(std::string_view line) {
    std::size_t size = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\033')
            at = std::min(line.find('m', at), line.size());
        else
            ++size;
    }
    return size;
}

} // namespace

BriefTerminal::BriefTerminal(std::ostream& screen, std::size_t rows, bool colors, bool watched,
                             std::size_t columns)
    : Terminal(text_, colors, false, columns), screen_(screen), columns_(columns),
      left_(std::max(rows, fewest_rows)) {
    if (watched)
        screen_status_.emplace(screen);
}

void BriefTerminal::wait_for(const std::string& what) {
    if (screen_status_)
        screen_status_->begin(what);
}

/// The lines that the whole terminal has written since the last call, without empty ones at the end.
std::vector<std::string> BriefTerminal::take_lines() {
    std::istringstream text(text_.str());
    text_.str("");
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    while (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

/// Clears the screen from the cursor on before the first line, so that what was there stays until
/// something replaces it.
void BriefTerminal::write(const std::string& line) {
    if (screen_status_)
        screen_status_->end();
    if (!title_.empty()) {
        if (screen_status_)
            screen_ << "\r\033[J";
        for (const std::string& one : std::exchange(title_, {}))
            write(one);
    }
    screen_ << line << '\n' << std::flush;
    left_ -= std::min(left_, rows_of(line));
}

void BriefTerminal::begin(const Result& result) {
    Terminal::begin(result);
    const auto lines = take_lines();
    if (!lines.empty())
        title_.push_back(lines.front()); // the lab; its device is the same in every run
    if (!result.due.empty())
        title_.push_back(lines.back());
    title_.emplace_back();
}

/// The rows that a line takes: one that is never broken can be wider than the screen.
std::size_t BriefTerminal::rows_of(const std::string& line) const {
    const std::size_t width = size_without_colors(line); // at least its characters
    return std::max<std::size_t>(1, (width + columns_ - 1) / columns_);
}

/// Leaves out what does not fit, but not the last line, which is the command for this case.
void BriefTerminal::show_first(const std::vector<std::string>& lines) {
    const std::size_t kept = 2 + rows_of(lines.back()); // "...", the last line, an empty one
    const std::size_t room = left_ - std::min(left_, rows_for_names + rows_for_end + kept);
    std::size_t used = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        used += rows_of(lines[i]);
        if (used > room && i > 1) {
            write("        ... " + std::to_string(lines.size() - 1 - i) + " more lines");
            break;
        }
        write(lines[i]);
    }
    write(lines.back());
    write("");
}

void BriefTerminal::show(const Case& one) {
    Terminal::show(one);
    const auto lines = take_lines();
    if (has_passed(one.status) || lines.empty()) {
        if (screen_status_)
            screen_status_->end();
        return;
    }
    if (!has_failed_ && (one.status == Status::fail || one.status == Status::error)) {
        has_failed_ = true;
        show_first(lines);
    } else if (left_ > rows_for_end + 1) {
        write(lines.front());
    } else {
        ++not_named_;
    }
}

void BriefTerminal::end(const Result& result, const std::optional<NextLab>& next) {
    if (not_named_ != 0)
        write("... and " + std::to_string(not_named_) + " more that did not pass");
    Terminal::end(result, next);
    for (const std::string& line : take_lines()) {
        if (left_ != 0)
            write(line);
    }
}

} // namespace report
