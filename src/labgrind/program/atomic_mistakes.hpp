#pragma once

#include "labgrind/vm/ir.hpp"

#include <string>

namespace labgrind {

/// How a program loses what other work-items have stored: "line 9 stores ...: compute it again".
struct AtomicMistake {
    std::string text;        ///< "": nothing is known to be wrong
    int line = 0;            ///< of the mistake
    int other_line = 0;      ///< that it is about, too; 0: none
    bool is_data = false;    ///< the word holds the bits of a number, so it is no lock
    bool never_ends = false; ///< its loop may not
    bool races = false;      ///< with plain reads of the number, which cannot be fixed otherwise
};

/// The first atomic operation of the program that loses what other work-items have stored.
AtomicMistake explain_atomics(const ir::Module& module);

} // namespace labgrind
