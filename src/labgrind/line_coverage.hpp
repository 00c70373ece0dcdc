#pragma once

#include "labgrind/vm/vm.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace labgrind {

/// Notes the lines that work-items execute.
class LineCoverage final : public vm::Watcher {
  public:
    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* /*result*/) override {
        const bool is_brace = instruction.opcode == ir::Opcode::branch ||
                              instruction.opcode == ir::Opcode::ret; // or it comes after others
        if (!is_brace && !calls_.contains(instruction.line))
            calls_.emplace(instruction.line, item.call_lines());
    }

    /// The lines that are not among `others`, in order, without those of functions that are called there.
    std::vector<int> beyond(const LineCoverage& others) const {
        const auto is_new = [&](int line) { return !others.calls_.contains(line); };
        std::vector<int> rest;
        for (const auto& one : calls_) {
            const auto is_other_new = [&](int call) { return call != one.first && is_new(call); };
            if (is_new(one.first) && std::ranges::none_of(one.second, is_other_new))
                rest.push_back(one.first);
        }
        return rest;
    }

  private:
    std::map<int, std::vector<int>> calls_; ///< by line: the calls that led there the first time
};

} // namespace labgrind
