#pragma once

#include "grader/session.hpp"

#include <string>
#include <vector>

namespace grader {

/// The arguments of ./harness.
struct CommandLine {
    Session::Options session;
    bool seed_given = false;
    bool list_devices = false;
    bool hints = false;
    int hint_level = 0;               ///< the hint to show, from 1; 0: the one after the last shown
    bool declare = false;             ///< print the result as it is before any case runs
    std::string json;                 ///< file to write, "" for none
    std::string junit;                ///< the file to write, "" for none
    std::string trace;                ///< the picture to write, "" for none
    std::string report;               ///< the HTML page to write, "" for none
    bool without_code = false;        ///< the picture shows no lines of the kernel
    std::vector<std::string> doctest; ///< options that are doctest's
    std::size_t rows = 0;             ///< lines of the screen to show the run on; 0: any number
    std::string state;                ///< folder for what the next run must know, "" for none
    bool query = false;               ///< one of them only lists something
};

/// Reads the command line. Throws Unusable for anything invalid. The launcher handles --help and
/// --version, so that they work before anything is built.
CommandLine parse_command_line(int argc, const char* const* argv);

} // namespace grader
