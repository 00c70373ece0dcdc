#pragma once

#include <chrono>
#include <condition_variable>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>

namespace report {

/// The last line of a terminal, which shows what is running and for how long. It is removed before
/// anything else is printed.
class StatusLine {
  public:
    explicit StatusLine(std::ostream& out);
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine();

    /// Shows `what` if it is still under way in a second.
    void begin(const std::string& what);
    /// Removes the line. Nothing is written until the next begin().
    void end();

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    void draw();
    void clear();

    std::ostream& out_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string what_; ///< "": nothing is under way
    Clock::time_point start_;
    std::size_t width_ = 0; ///< of the current text
    bool stops_ = false;
    std::thread thread_; ///< the last member: it uses the others
};

} // namespace report
