#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iosfwd>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace grade {

/// A lab of a student.
using Unit = std::pair<std::string, std::string>;

/// "39 s", "4 min", "2 h 5 min"
std::string show_time(double seconds);

/// Estimates the time left of a grading from the time so far.
class Estimate {
  public:
    /// `units` have to be built and run, `jobs` of them at a time.
    Estimate(std::set<Unit> units, unsigned jobs) : left_(std::move(units)), jobs_(jobs) {}

    /// A unit has ended after `seconds`. Without a time, it does not count for the estimate.
    void ended(const Unit& unit, std::optional<double> seconds);

    /// Returns a text such as "about 3 to 5 min left": the first number is right if the others take
    /// as long as those so far, the second is on the safe side. "" if none are left; says so if too
    /// little is known.
    std::string text() const;

  private:
    std::set<Unit> left_;
    unsigned jobs_;
    std::size_t measured_ = 0;
    double sum_ = 0;
    double sum_of_squares_ = 0;
};

/// Shows the progress of a grading on a stream: lines that stay, and between them what is running,
/// so that two seconds without output are rare. On a terminal, what is running is one changing
/// line.
class Display {
  public:
    Display(std::ostream& out, bool terminal);
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    ~Display();

    void line(const std::string& text);

    /// Something has begun, or has ended.
    void begin(const std::string& what);
    void end(const std::string& what);

  private:
    using Clock = std::chrono::steady_clock;

    void work();
    void show(std::string text, bool stays);
    std::string status() const;

    std::ostream& out_;
    bool terminal_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, Clock::time_point> under_way_;
    Clock::time_point last_ = Clock::now();
    bool shows_status_ = false;
    bool over_ = false;
    std::thread thread_;
};

} // namespace grade
