/// make bench-peers: labs 7 and 8 beside the best libraries, in turn.

#include "bench/labs.hpp"
#include "bench/problem.hpp"
#include "bench/start.hpp"
#include "wire/handles.hpp"
#include "wire/process.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace bench {
namespace {

struct Program {
    const char* file;
    const char* name;
    const char* how_to_get;
};

constexpr std::array<Program, 6> programs{
    {{"peer_labs", "labs 7 and 8", "make bench-peers"},
     {"peer_cub", "CUB",
      "install NVIDIA's CUDA toolkit, whose nvcc must be in PATH or named by NVCC=file"},
     {"peer_std", "C++'s execution policies", "apt-get install libtbb-dev"},
     {"peer_boost", "Boost.Compute", "apt-get install libboost-dev"},
     {"peer_clblast", "CLBlast", "apt-get install libclblast-dev"},
     {"peer_viennacl", "ViennaCL", "apt-get install libviennacl-dev"}}};

/// A slow contestant pauses once it has used this much time and has had this many rounds.
constexpr double most_seconds = 20;
constexpr std::size_t enough_rounds = 5;

struct CommandLine {
    std::string root = ".";
    std::string out = "build/bench";
    std::string sizes;
    int device = -1;
    std::size_t rounds = 15;
};

/// Exits if the arguments ask for help. Throws std::runtime_error.
CommandLine parse(int argc, const char* const* argv) {
    CommandLine line;
    CLI::App app(
        "Runs labs 7 and 8 in turn with the libraries that were built beside them, and compares "
        "them round by round.",
        "make bench-peers");
    app.add_option("--root", line.root, "the course's folder, with solutions/kernels");
    app.add_option("--out", line.out, "folder for peers.csv and peers_samples.csv (OUT=)");
    app.add_option("--n", line.sizes,
                   "sizes, such as \"2^20 2^28\" (N=); default: 2^25 on a CPU, 2^28 elsewhere");
    app.add_option("--device", line.device, "a device number of ./harness --list-devices (DEVICE=)")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--rounds", line.rounds, "samples of each contestant (ROUNDS=); default: 15")
        ->check(CLI::PositiveNumber);
    parse_or_exit(app, argc, argv, "make bench-peers-help");
    return line;
}

/// A program that competes: see peer.hpp for the protocol.
class Peer {
  public:
    Peer(const fs::path& program, const std::vector<std::string>& arguments) {
        wire::PipeEnds to = wire::create_pipe();
        wire::PipeEnds from = wire::create_pipe();
        wire::Program peer{{program.string()}};
        peer.arguments.insert(peer.arguments.end(), arguments.begin(), arguments.end());
        peer.descriptors = {to.reader.get(), from.writer.get()};
        pid_ = wire::start(peer);
        input_ = std::move(to.writer);
        output_ = std::move(from.reader);
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    ~Peer() {
        input_.reset(); // it ends at the end of its input
        output_.reset();
        wire::wait_for(pid_);
    }

    /// Returns the cells of its next line; nothing after its end.
    std::vector<std::string> read() {
        std::string line;
        for (char c = 0; ::read(output_.get(), &c, 1) == 1 && c != '\n';)
            line += c;
        std::istringstream stream(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(stream, cell, ',');)
            cells.push_back(cell);
        return cells;
    }

    /// Whether it accepted the line.
    bool write(const std::string& line) {
        const std::string text = line + "\n";
        return ::write(input_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }

  private:
    wire::UniqueFd input_;
    wire::UniqueFd output_;
    pid_t pid_ = -1;
};

/// One of a peer's contestants.
struct Contestant {
    Peer* peer;
    std::size_t index; ///< among those of the peer
    std::string name;
    std::string kind;
    double bytes;
    double error;
    std::vector<double> device{}; ///< seconds in each round; 0 if it paused
    std::vector<double> wall{};
    double used = 0; ///< seconds in all its rounds
    bool has_ended = false;
};

/// The folder of this program.
fs::path own_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

void say_left_out(const Program& program, const std::string& reason) {
    std::cout << "left out: " << program.name << "; " << reason << std::endl;
}

/// Returns the contestants of the peer; none if it cannot compete.
std::vector<Contestant> contestants_of(Peer& peer, const Program& program) {
    std::vector<Contestant> all;
    for (;;) {
        const std::vector<std::string> cells = peer.read();
        if (cells.empty()) {
            say_left_out(program, "it ended before it was ready");
            return {};
        }
        if (cells.front() == "left out") {
            std::string reason;
            for (std::size_t i = 1; i < cells.size(); ++i)
                reason += (i == 1 ? "" : ",") + cells[i];
            say_left_out(program, reason);
            return {};
        }
        if (cells.front() == "ready")
            return all;
        if (cells.front() == "contestant" && cells.size() == 5)
            all.push_back(
                {&peer, all.size(), cells[1], cells[2], std::stod(cells[3]), std::stod(cells[4])});
    }
}

/// Returns the times of a sample on the device and of the whole call; nothing if the peer has
/// ended.
std::optional<std::pair<double, double>> sample_of(Contestant& one) {
    if (!one.peer->write(std::to_string(one.index)))
        return std::nullopt;
    for (;;) {
        const std::vector<std::string> cells = one.peer->read();
        if (cells.empty())
            return std::nullopt;
        if (cells.front() == "sample" && cells.size() == 3)
            return std::make_pair(std::stod(cells[1]), std::stod(cells[2]));
    }
}

void run_once(Contestant& one) {
    std::optional<std::pair<double, double>> sample;
    if (!one.has_ended && (one.used <= most_seconds || one.device.size() < enough_rounds)) {
        one.used += seconds([&] { sample = sample_of(one); });
        if (!sample) {
            one.has_ended = true;
            std::cout << "left out from here on: " << one.name << "; its program has ended"
                      << std::endl;
        }
    }
    one.device.push_back(sample ? sample->first : 0);
    one.wall.push_back(sample ? sample->second : 0);
}

/// Returns the contestant that others of this kind are compared with: for a reduction, the way to
/// finish that is the fastest with long inputs.
const char* ours_for(const std::string& kind, bool is_cpu) {
    if (kind != "reduction")
        return "lab 8";
    return is_cpu ? "lab 7 last_group" : "lab 7 tickets";
}

std::vector<double> present(const std::vector<double>& values) {
    std::vector<double> kept;
    std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
                 [](double value) { return value > 0; });
    return kept;
}

/// Returns the speed of `ours` divided by that of the other contestant, for each round.
std::vector<double> ratios(const Contestant& ours, const Contestant& other) {
    std::vector<double> all;
    for (std::size_t round = 0; round < ours.device.size(); ++round) {
        if (ours.device[round] > 0 && other.device[round] > 0)
            all.push_back(other.device[round] / ours.device[round]);
    }
    return all;
}

/// Writes the files with the results, and the table on the terminal.
class Report {
  public:
    explicit Report(const CommandLine& line, const Workshop& workshop)
        : folder_(line.out), is_cpu_(workshop.is_cpu()), summary_(unfinished(summary_file)),
          samples_(unfinished(samples_file)) {
        require_written();
        const Place place = place_of(workshop.device());
        place_ = place.device + "," + place.driver + "," + place.version;
        summary_ << "device,driver,version,n,kind,contestant,rounds,device_median_s,device_min_s,"
                    "device_max_s,wall_median_s,gb_per_s,error,compared_with,speed_ratio_median,"
                    "speed_ratio_min,speed_ratio_max\n";
        samples_ << "device,driver,version,n,kind,contestant,round,device_s,wall_s\n";
    }

    void add(std::size_t n, const std::vector<Contestant>& contestants) {
        for (const char* kind : {"reduction", "scan", "copy"}) {
            const std::string name = ours_for(kind, is_cpu_);
            const auto ours = std::ranges::find_if(
                contestants, [&](const auto& one) { return one.name == name; });
            if (ours == contestants.end() || present(ours->device).empty()) {
                std::cout << "left out: each " << kind << ", because " << name
                          << " could not be measured" << std::endl;
                continue;
            }
            std::cout << '\n'
                      << std::left << std::setw(32)
                      << (std::string(kind) + ", n = " + std::to_string(n)) << std::right
                      << "  on the device      GB/s  whole call     error  speed of " << ours->name
                      << " divided by this one's\n";
            for (const Contestant& one : contestants) {
                if (one.kind == kind && !ratios(*ours, one).empty())
                    add(n, one, *ours);
            }
        }
        keep();
    }

    void say_where() const {
        std::cout
            << "\nwhole call: with what the host does, such as the memory of the vector that lab "
               "8 returns\nwritten: "
            << folder_ << "/peers.csv, and each sample in " << folder_ << "/peers_samples.csv\n";
    }

  private:
    static constexpr const char* summary_file = "peers.csv";
    static constexpr const char* samples_file = "peers_samples.csv";

    std::string unfinished(const char* file) const { return folder_ + "/" + file + ".part"; }

    /// Throws std::runtime_error.
    void require_written() const {
        if (!summary_ || !samples_)
            throw std::runtime_error("cannot write peers.csv and peers_samples.csv in " + folder_);
    }

    /// A run that is stopped keeps the finished sizes. Before the first one, it keeps the last run's
    /// files. Throws std::runtime_error.
    void keep() {
        summary_.flush();
        samples_.flush();
        require_written();
        for (const char* file : {summary_file, samples_file}) {
            if (fs::exists(unfinished(file)))
                fs::rename(unfinished(file), folder_ + "/" + file);
        }
    }

    void add(std::size_t n, const Contestant& one, const Contestant& ours) {
        const Spread device = spread_of(present(one.device));
        const Spread wall = spread_of(present(one.wall));
        const Spread ratio = spread_of(ratios(ours, one));
        const double gb_per_s = one.bytes * static_cast<double>(n) * 1e-9 / device.median;
        std::cout << "  " << std::left << std::setw(30) << one.name << std::right << std::fixed
                  << std::setprecision(3) << std::setw(12) << device.median * 1e3 << " ms"
                  << std::setw(10) << std::setprecision(2) << gb_per_s << std::setw(9)
                  << std::setprecision(3) << wall.median * 1e3 << " ms" << std::setw(10)
                  << std::defaultfloat << std::setprecision(2) << one.error << std::fixed
                  << std::setprecision(3) << std::setw(9) << ratio.median << "  (" << ratio.least
                  << " to " << ratio.most << ")" << std::endl;
        summary_ << place_ << ',' << n << ',' << one.kind << ',' << one.name << ','
                 << present(one.device).size() << ',' << device.median << ',' << device.least << ','
                 << device.most << ',' << wall.median << ',' << gb_per_s << ',' << one.error << ','
                 << ours.name << ',' << ratio.median << ',' << ratio.least << ',' << ratio.most
                 << '\n';
        for (std::size_t round = 0; round < one.device.size(); ++round) {
            if (one.device[round] > 0)
                samples_ << place_ << ',' << n << ',' << one.kind << ',' << one.name << ',' << round
                         << ',' << one.device[round] << ',' << one.wall[round] << '\n';
        }
    }

    std::string folder_;
    bool is_cpu_;
    std::string place_;
    std::ofstream summary_;
    std::ofstream samples_;
};

std::vector<Contestant> compete(const CommandLine& line, int device, std::size_t n) {
    const std::vector<std::string> arguments{
        "--n", std::to_string(n), "--device", std::to_string(device), "--root", line.root};
    std::vector<std::unique_ptr<Peer>> peers;
    std::vector<Contestant> contestants;
    for (const Program& program : programs) {
        const fs::path file = own_folder() / program.file;
        if (!fs::exists(file)) {
            say_left_out(program, std::string(program.how_to_get) + ", then make bench-peers");
            continue;
        }
        std::cout << "starting " << program.name << std::endl;
        peers.push_back(std::make_unique<Peer>(file, arguments));
        const std::vector<Contestant> its = contestants_of(*peers.back(), program);
        contestants.insert(contestants.end(), its.begin(), its.end());
        if (its.empty() && &program == programs.begin())
            throw std::runtime_error("without labs 7 and 8 there is nothing to compare");
    }
    for (std::size_t round = 0; round < line.rounds; ++round) {
        std::cout << "round " << round + 1 << " of " << line.rounds << std::endl;
        for (Contestant& one : contestants)
            run_once(one);
        std::ranges::reverse(contestants); // A B, B A, A B, ...
    }
    if (line.rounds % 2 == 1)
        std::ranges::reverse(contestants);
    return contestants;
}

void run(const CommandLine& line) {
    const Workshop workshop(line.root, line.device);
    std::istringstream words(!line.sizes.empty() ? line.sizes
                             : workshop.is_cpu() ? "2^25"
                                                 : "2^28");
    std::vector<std::size_t> sizes;
    for (std::string word; words >> word;)
        sizes.push_back(parse_count("N", word));
    make_folder(line.out);
    std::cout << "device: " << place_of(workshop.device()).device << std::endl;
    Report report(line, workshop);
    for (const std::size_t n : sizes)
        report.add(n, compete(line, line.device, n));
    report.say_where();
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
    // write() detects a peer that has ended
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    try {
        bench::run(bench::parse(argc, argv));
        return 0;
    } catch (const cl::Error& error) {
        std::cerr << "bench-peers: " << error.what() << " returned error " << error.err() << '\n';
    } catch (const std::exception& error) {
        std::cerr << "bench-peers: " << error.what() << '\n';
    }
    return 2;
}
