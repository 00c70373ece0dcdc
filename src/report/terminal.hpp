#pragma once

#include "report/result.hpp"
#include "report/status_line.hpp"
#include "report/wrap.hpp"

#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace report {

/// Shows a run on a terminal while it is in progress: one line per case, and what is wrong under a
/// failing case.
class Terminal {
  public:
    /// `colors`, and the status line if `watched`, are for terminals only. Lines take at most
    /// `columns`.
    explicit Terminal(std::ostream& out, bool colors = false, bool watched = false,
                      std::size_t columns = usual_columns)
        : out_(out), colors_(colors), columns_(columns) {
        if (watched)
            status_.emplace(out);
    }

    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    virtual ~Terminal() = default;

    /// Shows `what` until something else is printed, if it takes more than a second.
    virtual void wait_for(const std::string& what);
    virtual void begin(const Result& result);
    /// A case that follows from another one is shown after it, in one line.
    virtual void show(const Case& one);
    /// Shows the score and, if a case failed, what to run next. If all have passed in a whole run,
    /// shows the next lab, or that there is none.
    virtual void end(const Result& result, const std::optional<NextLab>& next = std::nullopt);

  private:
    std::string paint(const char* color, const std::string& text) const;
    void end_status();
    void show_status(const Case& one);
    void show_all(const Case& one);
    void show_followers(const std::string& cause);
    void show_block(const std::string& text, const std::string& indent);
    void show_painted(const char* color, const std::string& text);
    void show_hint(const Case& one);
    void show_next(const std::optional<NextLab>& next);
    static std::string next_hint(const Result& result);

    std::ostream& out_;
    bool colors_;
    std::size_t columns_;
    std::uint64_t seed_ = 0;
    std::string last_message_;
    std::string last_name_;
    std::string last_hint_;
    std::set<std::string> failed_; ///< the names of those shown
    std::vector<Case> followers_;  ///< of cases that have not been shown yet
    std::string cause_;            ///< of the last line; "": that was no follower
    std::optional<StatusLine> status_;
};

/// Whether the output to descriptor `fd` can be watched: it is a terminal.
bool is_watched(int fd);

/// Whether to use colors on descriptor `fd`: it is a terminal, and NO_COLOR is not set.
bool wants_colors(int fd);

} // namespace report
