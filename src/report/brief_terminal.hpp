#pragma once

#include "report/terminal.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace report {

/// Shows a run on a screen with few lines, for make watch: what is wrong in the first case that
/// fails, as soon as it fails, then the names of the others, then the score. It writes every line
/// once, and no more lines than the screen has.
class BriefTerminal final : public Terminal {
  public:
    /// For `rows` lines of `columns`; `colors` and the status line if `watched` are for terminals.
    BriefTerminal(std::ostream& screen, std::size_t rows, bool colors = false, bool watched = false,
                  std::size_t columns = usual_columns);

    void wait_for(const std::string& what) override;
    void begin(const Result& result) override;
    void show(const Case& one) override;
    void end(const Result& result, const std::optional<NextLab>& next = std::nullopt) override;

  private:
    std::vector<std::string> take_lines();
    void write(const std::string& line);
    std::size_t rows_of(const std::string& line) const;
    void show_first(const std::vector<std::string>& lines);

    std::ostream& screen_;
    std::ostringstream text_; ///< what the whole terminal would show
    std::size_t columns_;
    std::size_t left_;               ///< lines that are still free
    std::vector<std::string> title_; ///< lines that come before the next one
    bool has_failed_ = false;
    std::size_t not_named_ = 0; ///< cases that failed and for whose names there was no line
    std::optional<StatusLine> screen_status_;
};

} // namespace report
