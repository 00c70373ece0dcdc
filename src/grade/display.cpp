#include "grade/display.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace grade {
namespace {

/// How often a line on a terminal changes, and how long a log stays silent.
constexpr std::chrono::milliseconds terminal_interval{500};
constexpr std::chrono::milliseconds silence{1900};

std::size_t columns() {
    winsize size{};
    constexpr std::size_t usual = 80;
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

/// Returns the first `bytes` of `text` at most, without a partial character at the end.
std::string cut(const std::string& text, std::size_t bytes) {
    std::size_t end = std::min(text.size(), bytes);
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

} // namespace

std::string show_time(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 100)
        return std::to_string(whole) + " s";
    if (whole < 6000)
        return std::to_string((whole + 30) / 60) + " min";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

void Estimate::ended(const Unit& unit, std::optional<double> seconds) {
    if (left_.erase(unit) == 0 || !seconds)
        return;
    ++measured_;
    sum_ += *seconds;
    sum_of_squares_ += *seconds * *seconds;
}

std::string Estimate::text() const {
    if (left_.empty())
        return {};
    // A few units do not show whether others hang.
    constexpr std::size_t least_measured = 4;
    if (measured_ < least_measured)
        return "time left unknown";
    const auto count = static_cast<double>(left_.size());
    const auto measured = static_cast<double>(measured_);
    const double mean = sum_ / measured;
    const double variance = std::max(0.0, sum_of_squares_ / measured - mean * mean);
    // The uncertainty of the mean and of the sum of the units left.
    const double doubt = 2 * std::sqrt(variance * (count * count / measured + count));
    const double at_a_time = std::min<double>(jobs_, count);
    const double low = count * mean / at_a_time;
    const double high = (count * mean + doubt) / at_a_time;
    const std::string from = show_time(low);
    const std::string to = show_time(high);
    return from == to ? "about " + from + " left" : "about " + from + " to " + to + " left";
}

Display::Display(std::ostream& out, bool terminal)
    : out_(out), terminal_(terminal), thread_([this] { work(); }) {}

Display::~Display() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (shows_status_)
        out_ << "\r\x1B[K" << std::flush;
}

void Display::line(const std::string& text) {
    const std::lock_guard lock(mutex_);
    show(text, true);
}

void Display::begin(const std::string& what) {
    const std::lock_guard lock(mutex_);
    under_way_[what] = Clock::now();
}

void Display::end(const std::string& what) {
    const std::lock_guard lock(mutex_);
    under_way_.erase(what);
}

void Display::work() {
    std::unique_lock lock(mutex_);
    while (!over_) {
        const auto next = last_ + (terminal_ ? terminal_interval : silence);
        changed_.wait_until(lock, next);
        if (!over_ && Clock::now() >= next)
            show(status(), false);
    }
}

std::string Display::status() const {
    if (under_way_.empty())
        return "working";
    std::string text;
    for (const auto& [what, start] : under_way_) {
        const std::chrono::duration<double> seconds = Clock::now() - start;
        text += (text.empty() ? "" : ", ") + what + " " + show_time(seconds.count());
    }
    return text;
}

void Display::show(std::string text, bool stays) {
    if (terminal_ && shows_status_)
        out_ << "\r\x1B[K";
    shows_status_ = terminal_ && !stays;
    if (!stays)
        text = cut("... " + text, shows_status_ ? columns() - 1 : text.size() + 4);
    out_ << text << (shows_status_ ? "" : "\n") << std::flush;
    last_ = Clock::now();
}

} // namespace grade
