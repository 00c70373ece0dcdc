#pragma once

/// How make bench and make bench-peers begin.

#include "bench/table.hpp"
#include "runner/lab.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

namespace bench {

/// Exits where the arguments ask for help. Throws std::runtime_error; `help` is the command that helps.
inline void parse_or_exit(CLI::App& app, int argc, const char* const* argv, const char* help) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        std::exit(0); // NOLINT(concurrency-mt-unsafe): no threads yet
    } catch (const CLI::ParseError& error) {
        throw std::runtime_error(std::string(error.what()) + "; see " + help);
    }
}

/// Throws std::runtime_error where there is no such folder and none can be made.
inline void make_folder(const std::string& out) {
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (!std::filesystem::is_directory(out))
        throw std::runtime_error("cannot create the folder " + out +
                                 "; name another one with OUT=dir");
}

inline Place place_of(const cl::Device& device) {
    return {plain(device.getInfo<CL_DEVICE_NAME>()), plain(device.getInfo<CL_DRIVER_VERSION>()),
            plain(device.getInfo<CL_DEVICE_VERSION>())};
}

} // namespace bench
