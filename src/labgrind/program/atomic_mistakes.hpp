#pragma once

#include "labgrind/vm/ir.hpp"

#include <string>

namespace labgrind {

/// What is wrong with an atomic operation, as its text shows: "line 9 stores ...: compute it again".
struct AtomicMistake {
    std::string text;        ///< "": nothing is known to be wrong
    int line = 0;            ///< of the mistake
    bool is_data = false;    ///< the word holds the bits of a number, so it is no lock
    bool never_ends = false; ///< its loop may not
    bool races = false;      ///< with plain reads of the number, which cannot be mended otherwise
};

/// The first atomic operation of the program that loses what other work-items have stored.
AtomicMistake explain_atomics(const ir::Module& module);

} // namespace labgrind
