#pragma once

#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace labgrind {

/// Notes which work-items fail at a compare-and-swap and do not retry it.
class FailedSwaps final : public vm::Watcher {
  public:
    struct Failed {
        std::size_t item = 0; ///< its number in the launch
        int line = 0;
    };

    /// One of those that are not retried; nothing if there is none.
    std::optional<Failed> not_retried() const {
        if (failed_.empty())
            return std::nullopt;
        const auto& [key, line] = *failed_.begin();
        return Failed{key.first, line};
    }

    void on_executed(vm::WorkItem& item, const ir::Instruction& instruction,
                     std::byte* result) override {
        if (instruction.atomic() != ir::Atomic::compare_exchange)
            return;
        const std::uint64_t expected = item.operand(instruction.operands[1]).get_unsigned();
        const std::pair key{item.number_in_launch(),
                            item.operand(instruction.operands[0]).get_address()};
        if (vm::number_at(result, instruction.type->size) == expected)
            failed_.erase(key);
        else
            failed_[key] = instruction.line;
    }

  private:
    std::map<std::pair<std::size_t, vm::Address>, int> failed_; ///< by work-item and word: the line
};

} // namespace labgrind
