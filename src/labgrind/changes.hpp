#pragma once

#include "labgrind/vm/ir.hpp"
#include "wire/messages.hpp"

#include <string>
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

    /// Those in a kernel and the functions that it calls, the most common mistakes first.
    std::vector<wire::Change> of(const ir::Function& kernel) const;

    /// The program with one change, until this is destroyed.
    class Applied {
      public:
        Applied(const Changes& changes, const std::string& key);
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
