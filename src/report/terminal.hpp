#pragma once

#include "report/result.hpp"

#include <iosfwd>
#include <string>

namespace report {

/// Tells a run on a terminal while it goes on: a line a case, and under a failing one what is
/// wrong.
class Terminal {
  public:
    /// With `hints` every failing case ends with its hint. `colours` are for terminals only.
    Terminal(std::ostream& out, bool colours, bool hints)
        : out_(out), colours_(colours), hints_(hints) {}

    void begin(const Result& result);
    void show(const Case& one);
    /// The score and, unless all is well, what to type next.
    void end(const Result& result);

  private:
    std::string paint(const char* colour, const std::string& text) const;
    void show_block(const std::string& text, const std::string& indent);

    std::ostream& out_;
    bool colours_;
    bool hints_;
    std::uint64_t seed_ = 0;
    std::string last_message_;
    std::string last_name_;
};

/// Whether colours are welcome on descriptor `fd`: it is a terminal, and NO_COLOR is not set.
bool wants_colours(int fd);

} // namespace report
