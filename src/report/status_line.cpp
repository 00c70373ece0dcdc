#include "report/status_line.hpp"

#include <ostream>

namespace report {
namespace {

constexpr std::chrono::milliseconds period{500};
constexpr std::chrono::seconds patience{1};

} // namespace

StatusLine::StatusLine(std::ostream& out) : out_(out), thread_([this] { run(); }) {}

StatusLine::~StatusLine() {
    {
        const std::lock_guard lock(mutex_);
        clear();
        stops_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void StatusLine::begin(const std::string& what) {
    const std::lock_guard lock(mutex_);
    clear();
    what_ = what;
    start_ = Clock::now();
}

void StatusLine::end() {
    const std::lock_guard lock(mutex_);
    clear();
    what_.clear();
}

void StatusLine::run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, period, [this] { return stops_; })) {
        if (!what_.empty() && Clock::now() - start_ >= patience)
            draw();
    }
}

void StatusLine::draw() {
    const auto time = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
    const std::string text = "        " + what_ + ": " + std::to_string(time.count()) + " s";
    out_ << '\r' << text << std::flush; // never shorter than before
    width_ = text.size();
}

void StatusLine::clear() {
    if (width_ != 0)
        out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
    width_ = 0;
}

} // namespace report
