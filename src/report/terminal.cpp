#include "report/terminal.hpp"

#include "report/text.hpp"
#include "report/wrap.hpp"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace report {
namespace {

constexpr const char* red = "\033[31m";
constexpr const char* green = "\033[32m";
constexpr const char* yellow = "\033[33m";
constexpr const char* faint = "\033[2m";
constexpr const char* bold = "\033[1m";
constexpr const char* plain = "\033[0m";

constexpr std::size_t name_width = 54;
constexpr std::size_t columns_beside_name = 17; ///< the verdict and the points
constexpr int max_output_lines = 12;
constexpr const char* margin = "        ";

const char* color_of(Status status) {
    if (status == Status::pass)
        return green;
    if (status == Status::skipped)
        return faint;
    return status == Status::fail || status == Status::error ? red : yellow;
}

} // namespace

bool is_watched(int fd) { return ::isatty(fd) == 1; }

bool wants_colors(int fd) {
    return is_watched(fd) && std::getenv("NO_COLOR") == nullptr; // NOLINT(concurrency-mt-unsafe)
}

std::string Terminal::paint(const char* color, const std::string& text) const {
    return colors_ ? color + text + plain : text;
}

void Terminal::show_block(const std::string& text, const std::string& indent) {
    out_ << wrapped(printable(text), columns_, indent);
}

void Terminal::show_painted(const char* color, const std::string& text) {
    std::istringstream lines(wrapped(printable(text), columns_));
    for (std::string line; std::getline(lines, line);)
        out_ << paint(color, line) << '\n';
}

void Terminal::wait_for(const std::string& what) {
    if (status_)
        status_->begin(what);
}

void Terminal::end_status() {
    if (status_)
        status_->end();
}

void Terminal::begin(const Result& result) {
    end_status();
    seed_ = result.seed;
    show_painted(bold, result.lab + "  " + result.title);
    show_painted(faint, "device: " + result.device);
    show_painted(faint, "seed: " + std::to_string(result.seed));
    if (!result.due.empty())
        show_painted(faint, "due: " + result.due);
    for (const Finding& one : result.findings) {
        if (one.kind == compiler_warning)
            show_painted(yellow, one.file + ":" + std::to_string(one.line) +
                                     ": the compiler warns: " + one.message);
    }
    out_ << "\n" << std::flush;
}

void Terminal::show(const Case& one) {
    end_status();
    if (!one.follows.empty() && !has_passed(one.status)) {
        followers_.push_back(one);
        if (failed_.contains(one.follows))
            show_followers(one.follows);
    } else {
        show_all(one);
        if (!has_passed(one.status)) {
            failed_.insert(one.name);
            show_followers(one.name);
        }
    }
    out_ << std::flush;
}

/// Shows the waiting cases that follow from `cause`, and what follows from them.
void Terminal::show_followers(const std::string& cause) {
    const auto rest = std::stable_partition(followers_.begin(), followers_.end(),
                                            [&](const Case& one) { return one.follows != cause; });
    const std::vector<Case> shown(rest, followers_.end());
    followers_.erase(rest, followers_.end());
    if (!shown.empty() && cause_ != cause)
        out_ << paint(faint, "may fail because of \"" + cause + "\"; fix that first:") << '\n';
    for (const Case& one : shown) {
        show_status(one);
        cause_ = cause;
        failed_.insert(one.name);
    }
    for (const Case& one : shown)
        show_followers(one.name);
}

/// Shows the line with the status and the points. A case without points is optional.
void Terminal::show_status(const Case& one) {
    cause_.clear();
    std::string label(names_of(one.status).label);
    label.resize(8, ' ');
    std::string name = one.name;
    name.resize(std::max(name.size(), std::min(name_width, columns_ - columns_beside_name)), ' ');
    out_ << paint(color_of(one.status), label) << name << ' ';
    if (one.max_score == 0)
        out_ << "optional\n";
    else
        out_ << std::setw(2) << one.score << " of " << one.max_score << '\n';
}

void Terminal::show_all(const Case& one) {
    show_status(one);
    const bool wrong = one.status == Status::fail || one.status == Status::error;
    const bool tells_why = wrong || one.status == Status::blocked || one.status == Status::skipped;
    if (tells_why && !one.message.empty() && one.message == last_message_) {
        out_ << margin << paint(faint, "same failure as in \"" + last_name_ + "\"") << '\n';
        show_hint(one);
        return;
    }
    if (tells_why) {
        last_message_ = one.message;
        last_name_ = one.name;
    }
    show_block(one.message, margin);
    if (wrong && !one.output.empty()) {
        std::istringstream lines(printable(one.output));
        out_ << margin << paint(faint, "your code printed:") << '\n';
        int shown = 0;
        for (std::string line; std::getline(lines, line); ++shown) {
            if (shown < max_output_lines)
                out_ << margin << "| " << line << '\n';
        }
        if (shown > max_output_lines)
            out_ << margin << "| ... " << shown - max_output_lines
                 << " more lines; --json FILE keeps them\n";
    }
    if (wrong) {
        show_hint(one);
        out_ << margin
             << paint(faint, "again: ./harness --seed " + std::to_string(seed_) + " -tc=\"" +
                                 one.name + "\"")
             << "\n\n";
    }
}

/// Shows the chosen hint of a case, unless the case before it showed the same.
void Terminal::show_hint(const Case& one) {
    if (one.hint_level == 0)
        return;
    const std::string& text = one.hints.at(one.hint_level - 1);
    if (std::exchange(last_hint_, text) == text)
        return;
    const std::string number =
        one.hints.size() == 1
            ? ""
            : " " + std::to_string(one.hint_level) + " of " + std::to_string(one.hints.size());
    show_block("hint" + number + ": " + text, margin);
}

/// What to type for another hint; "" if there is none.
std::string Terminal::next_hint(const Result& result) {
    bool has_shown = false;
    bool has_more = false;
    for (const Case& one : result.cases) {
        if (one.status != Status::fail)
            continue;
        has_shown = has_shown || one.hint_level != 0;
        has_more = has_more || one.hint_level < one.hints.size();
    }
    if (!has_more)
        return "";
    return has_shown ? "still stuck? ./harness --hint shows the next hint"
                     : "stuck? ./harness --hint";
}

void Terminal::show_next(const std::optional<NextLab>& next) {
    if (!next) {
        show_block("That was the last lab. Well done! make progress shows your points in all labs.",
                   "");
        return;
    }
    show_block("next: " + next->name + (next->title.empty() ? "" : ", " + next->title), "");
    if (!next->teaches.empty())
        show_block("You learn: " + next->teaches, "      ");
    show_block("Read labs/" + next->name + "/README.md, then type: make " + next->name +
                   " && ./harness",
               "      ");
}

void Terminal::end(const Result& result, const std::optional<NextLab>& next) {
    end_status();
    for (const Case& one : std::exchange(followers_, {})) // their causes were not selected
        show_all(one);
    std::size_t left_out = 0;
    std::map<Status, std::size_t> count;
    std::map<std::string, std::size_t> skipped; // by their reasons
    for (const Case& one : result.cases) {
        if (!was_selected(one)) {
            ++left_out;
            continue;
        }
        ++count[one.status];
        if (one.status == Status::skipped)
            ++skipped[one.message];
    }
    const auto failed = count[Status::fail] + count[Status::error] + count[Status::blocked];
    const bool all_passed = failed == 0 && skipped.empty();
    std::ostringstream line;
    if (result.max_score() == 0)
        line << "optional, no points";
    else
        line << result.score() << " of " << result.max_score() << " points";
    if (all_passed && left_out == 0)
        line << ", every case passed";
    else
        line << ": " << count_of(count[Status::pass] + count[Status::inconclusive], "case")
             << " passed, " << failed << " did not";
    if (count[Status::inconclusive] != 0)
        line << ", " << count[Status::inconclusive] << " unsure (this costs no points)";
    if (!skipped.empty())
        line << ", " << count[Status::skipped] << " skipped";
    if (left_out != 0)
        line << ", " << left_out << " not selected";
    out_ << '\n';
    show_painted(failed != 0 ? red : all_passed ? green : yellow, line.str());
    for (const auto& [reason, number] : skipped)
        show_block(count_of(number, "case") + " skipped: " + reason, "");
    if (all_passed && left_out == 0 && !result.cases.empty())
        show_next(next);
    const std::string more = next_hint(result);
    if (!more.empty())
        show_painted(faint, more);
    out_ << std::flush;
}

} // namespace report
