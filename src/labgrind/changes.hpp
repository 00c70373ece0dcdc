#pragma once

#include "labgrind/vm/ir.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace labgrind {

/// The small changes that correct the most common slips: another comparison, number, operator,
/// built-in function or variable. If one of them makes wrong results right, the mistake is there.
class Changes {
    struct Change {
        wire::Change described;
        unsigned rank = 0; ///< of more common mistakes, it is smaller
        const ir::Instruction* instruction = nullptr;
        ir::Behavior behavior;                           ///< what that does after the change
        std::vector<const ir::Instruction*> before = {}; ///< inserted before it, in order
        const ir::Instruction* after = nullptr;          ///< inserted after it; null: none is
    };

  public:
    /// Finds those of a whole program; `source` is its text.
    Changes(ir::Module& module, const std::string& source);

    /// Those of the instructions that a launch has executed, the most common mistakes first. Calls
    /// `effect` with the program changed by each of them, for Change::effect.
    std::vector<wire::Change> of(const std::unordered_set<const ir::Instruction*>& executed,
                                 const std::function<std::uint64_t()>& effect) const;

    /// The program with one change, until this is destroyed.
    class Applied {
      public:
        Applied(const Changes& changes, const std::string& key);
        explicit Applied(const Change* change);
        Applied(const Applied&) = delete;
        Applied& operator=(const Applied&) = delete;
        ~Applied();

      private:
        const Change* change_ = nullptr; ///< null: the program has no such change
        ir::Behavior before_;
    };

  private:
    class Finder;

    std::vector<Change> all_;
};

} // namespace labgrind
