#pragma once

#include "grader/session.hpp"

#include <string>
#include <vector>

namespace grader {

/// What was typed after ./harness.
struct CommandLine {
    Session::Options session;
    bool seed_given = false;
    bool list_devices = false;
    bool hints = false;
    bool declare = false;             ///< print what the result is before any case has run
    std::string json;                 ///< file to write, "" for none
    std::string junit;                ///< likewise
    std::vector<std::string> doctest; ///< options that are doctest's
    bool query = false;               ///< one of them only asks what there is
    bool own_reporter = false;        ///< one of them chooses how doctest reports
};

/// Reads the command line. Throws Unusable for anything that is not understood. The launcher
/// answers --help and --version: they work before anything is built.
CommandLine parse_command_line(int argc, const char* const* argv);

} // namespace grader
