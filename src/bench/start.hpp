#pragma once

/// The common start of make bench and make bench-peers.

#include "bench/table.hpp"
#include "runner/lab.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

namespace bench {

/// Exits if the arguments ask for help. Throws std::runtime_error that names `help`, the command
/// for help.
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

/// Creates the folder unless it exists. Throws std::runtime_error if that fails.
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
