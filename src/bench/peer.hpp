#pragma once

/// A program that competes in make bench-peers. It starts as
///
///     peer_NAME --n N --device D --root DIR
///
/// It computes once with each of its contestants and prints a line for each,
/// "contestant,NAME,KIND,BYTES,ERROR", with the bytes per element and the relative error of the
/// result. Then it prints "ready". For each line "I" on standard input, it runs contestant I and
/// prints "sample,DEVICE,WALL": the seconds of a call. A program that cannot compete prints "left
/// out,REASON".

#include "bench/problem.hpp"

#include <functional>
#include <iostream>
#include <map>
#include <memory>

namespace bench {

/// Seconds of a call on the device, and from its beginning to its end. Without a device they are
/// equal.
struct Times {
    double device = 0;
    double wall = 0;
};

/// One way to compute a sum or a scan of data that is already where it is needed.
struct Contestant {
    std::string name;
    std::string kind; ///< reduction, scan or copy
    std::size_t bytes = 0;
    double error = 0;
    std::function<Times(std::size_t calls)> run; ///< the times per call of this many
};

/// For contestants that measure each call separately: returns the medians.
template <class Call> std::function<Times(std::size_t)> each(const Call& call) {
    return [call](std::size_t calls) {
        std::vector<double> device(calls);
        std::vector<double> wall(calls);
        for (std::size_t i = 0; i < calls; ++i) {
            const Times one = call();
            device[i] = one.device;
            wall[i] = one.wall;
        }
        const auto middle = static_cast<std::ptrdiff_t>(calls / 2);
        std::nth_element(device.begin(), device.begin() + middle, device.end());
        std::nth_element(wall.begin(), wall.begin() + middle, wall.end());
        return Times{device[calls / 2], wall[calls / 2]};
    };
}

struct PeerOptions {
    std::size_t n = 0;
    int device = -1;
    std::string root = ".";
};

inline PeerOptions parse_peer_options(int argc, const char* const* argv) {
    std::map<std::string, std::string> given;
    for (int i = 1; i + 1 < argc; i += 2)
        given[argv[i]] = argv[i + 1];
    PeerOptions options;
    options.n = parse_count("--n", given["--n"]);
    if (given.contains("--device"))
        options.device = std::stoi(given["--device"]);
    if (given.contains("--root"))
        options.root = given["--root"];
    return options;
}

/// Runs the program as described above. `make_contestants` gets the options and the input.
template <class MakeContestants>
int compete(int argc, const char* const* argv, const MakeContestants& make_contestants) {
    std::vector<Contestant> contestants;
    try {
        const PeerOptions options = parse_peer_options(argc, argv);
        const std::vector<float> input = make_input(options.n);
        contestants = make_contestants(options, input);
    } catch (const std::exception& error) {
        std::cout << "left out," << error.what() << std::endl;
        return 3;
    }
    for (const Contestant& one : contestants)
        std::cout << "contestant," << one.name << ',' << one.kind << ',' << one.bytes << ','
                  << one.error << '\n';
    std::cout << "ready" << std::endl;

    std::map<std::size_t, std::size_t> calls; // this many make a sample of some milliseconds
    constexpr double sample_seconds = 0.02;
    std::cout.precision(9);
    try {
        for (std::size_t index = 0; std::cin >> index;) {
            const Contestant& one = contestants.at(index);
            const Times first = one.run(1); // to warm up
            if (!calls.contains(index))
                calls[index] = static_cast<std::size_t>(
                    std::min(100.0, std::max(1.0, sample_seconds / std::max(first.wall, 1e-9))));
            const Times times = one.run(calls[index]);
            std::cout << "sample," << times.device << ',' << times.wall << std::endl;
        }
    } catch (const std::exception& error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    return 0;
}

} // namespace bench
