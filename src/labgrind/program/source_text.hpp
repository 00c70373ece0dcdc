#pragma once

#include "labgrind/vm/ir.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace labgrind {

/// The text of a kernel file: how it writes what an instruction does.
class SourceText {
  public:
    explicit SourceText(const std::string& source);

    /// Whether the source has `symbol` at the place of `one`: in a macro, that is the macro's name.
    bool is_at(const ir::Instruction& one, std::string_view symbol) const;

    /// Whether the line of `one` has a number that is no part of a name.
    bool has_number(const ir::Instruction& one) const;
    /// "0xFFFFu": how the line of `one` writes a number that is no part of a name; "" if it does not.
    std::string number(const ir::Instruction& one, double number, bool is_whole) const;

    /// ".xz", ".even" or ".s02": how the line of `one` writes these components of a vector with `lanes`
    /// lanes; "" if it does not.
    std::string components(const ir::Instruction& one, const std::vector<int>& components,
                           std::size_t lanes) const;

    /// "the variable lid", or "the second "lid"" if the line of `one`, which uses it, has several of them.
    std::string name_variable(const ir::Instruction& one, const std::string& name) const;
    /// "the number 2", or "the second number 2". `operand`: which operand of `one` it is.
    std::string name_number(const ir::Instruction& one, std::size_t operand,
                            const std::string& written) const;
    /// "the comparison <", or "the second comparison <". `symbol` is at the place of `one`.
    std::string name_comparison(const ir::Instruction& one, const std::string& symbol) const;

  private:
    /// The line of an instruction; "" if there is none.
    std::string_view line_of(const ir::Instruction& one) const;

    std::vector<std::string> lines_;
};

} // namespace labgrind
