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

/// Thrown when there is nothing left to do: --help was asked for and answered.
struct Done {};

/// Reads the command line. Throws Unusable for anything that is not understood, and Done.
CommandLine parse_command_line(int argc, const char* const* argv);

} // namespace grader
