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

/// What a grading still takes, by what it took so far.
class Estimate {
  public:
    /// `units` are those that have to be built and run, `jobs` of them at a time.
    Estimate(std::set<Unit> units, unsigned jobs) : left_(std::move(units)), jobs_(jobs) {}

    /// A unit has ended after so many seconds; without them nothing is to be learnt from it.
    void ended(const Unit& unit, std::optional<double> seconds);

    /// As in "about 3 to 5 min left": the first is true if the others are like those so far, the
    /// second is on the safe side. "" if none are left; says so where too little is known.
    std::string text() const;

  private:
    std::set<Unit> left_;
    unsigned jobs_;
    std::size_t measured_ = 0;
    double sum_ = 0;
    double sum_of_squares_ = 0;
};

/// Shows on a stream how a grading goes on: lines that stay, and in between what is under way, so that
/// two seconds without news are rare. On a terminal that is one line that changes.
class Display {
  public:
    Display(std::ostream& out, bool terminal);
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    Display(Display&&) = delete;
    Display& operator=(Display&&) = delete;
    ~Display();

    void line(const std::string& text);

    /// Something is under way, or not any more.
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
