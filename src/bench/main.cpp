/// make bench: measures the labs' solutions on a device, and the processor beside it.

#include "bench/plots.hpp"
#include "bench/problem.hpp"
#include "bench/start.hpp"
#include "bench/variants.hpp"
#include "bench/watch.hpp"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace bench {
namespace {

constexpr std::size_t smallest_n = std::size_t{1} << 10U;
constexpr double seconds_for_a_row = 0.2;
constexpr double seconds_to_check = 5e-9; ///< per element of a result; for the estimate only
constexpr std::size_t least_repetitions = 3;
constexpr std::size_t most_repetitions = 101;
/// A kernel with a larger relative error is wrong. Lab 8 adds up to 2^14 floats one after the other,
/// and rounding changes their sum by at most 2^14 / 2^24.
constexpr double largest_error = 1e-3;

struct CommandLine {
    std::string root = ".";
    std::string out = "build/bench";
    std::string min_n = "2^10";
    std::string max_n;
    std::string work_groups = "32 64 128 256 512 1024";
    std::string only;
    int device = -1;
    std::size_t repetitions = 0; ///< 0: as many as fit in the time for a row
    double time_limit = 0;       ///< 0: none
    bool no_plots = false;
};

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Exits if the arguments ask for help. Throws std::runtime_error.
CommandLine parse(int argc, const char* const* argv) {
    CommandLine line;
    CLI::App app(
        "Measures the labs' solutions on an OpenCL device, and the processor beside it. Rows that "
        "are in OUT/bench.csv are not measured again: after a stop, rerun the command to resume.",
        "make bench");
    app.add_option("--root", line.root, "the course's folder, with solutions/kernels");
    app.add_option("--out", line.out,
                   "folder for bench.csv and the plots (OUT=); default: build/bench");
    app.add_option("--min-n", line.min_n,
                   "smallest size, a power of two of at least 2^10 (MIN_N=); default: 2^10");
    app.add_option(
        "--max-n", line.max_n,
        "largest size, such as 2^24 (MAX_N=); default: 2^22 on a CPU, elsewhere the largest that "
        "fits on the device");
    app.add_option("--work-groups", line.work_groups,
                   "work-group sizes, powers of two (WORK_GROUPS=); default: 32 64 ... 1024");
    app.add_option("--only", line.only,
                   "only variants whose names begin with one of these words, such as \"lab7 lab8 "
                   "copy\" (ONLY=)");
    app.add_option("--device", line.device, "a device number of ./harness --list-devices (DEVICE=)")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--repetitions", line.repetitions,
                   "calls per row (REPETITIONS=); default: 3 to 101, to fill 0.2 seconds")
        ->check(CLI::PositiveNumber);
    app.add_option("--time-limit", line.time_limit, "stop after this many seconds (TIME_LIMIT=)")
        ->check(CLI::PositiveNumber);
    app.add_flag("--no-plots", line.no_plots, "write the CSV only (PLOTS=no)");
    parse_or_exit(app, argc, argv, "make bench-help");
    return line;
}

/// Returns the work-group sizes of `text` that the device allows. Throws std::runtime_error.
std::vector<std::size_t> parse_work_groups(const std::string& text, std::size_t limit) {
    std::vector<std::size_t> sizes;
    for (const std::string& word : words_of(text)) {
        const std::size_t size = parse_count("WORK_GROUPS", word);
        if (size < 2 || (size & (size - 1)) != 0)
            throw std::runtime_error("WORK_GROUPS must be powers of two of at least 2, not " +
                                     word);
        if (size <= limit)
            sizes.push_back(size);
        else
            std::cout << "groups of " << word << ": left out, this device allows up to " << limit
                      << std::endl;
    }
    if (sizes.empty())
        throw std::runtime_error("WORK_GROUPS needs at least one work-group size, of up to " +
                                 std::to_string(limit));
    return sizes;
}

/// Returns the bytes of memory that programs can still get; no limit if the system does not say.
std::size_t available_memory() {
    std::ifstream stream("/proc/meminfo");
    for (std::string name, rest; stream >> name && std::getline(stream, rest);) {
        if (name == "MemAvailable:")
            return std::stoull(rest) * 1024;
    }
    return SIZE_MAX;
}

/// Returns the sizes up to what fits on the device and this machine. Throws std::runtime_error.
std::vector<std::size_t> choose_sizes(const Workshop& workshop, const CommandLine& line) {
    const std::size_t smallest = parse_count("MIN_N", line.min_n);
    if (smallest < smallest_n || (smallest & (smallest - 1)) != 0)
        throw std::runtime_error("MIN_N must be a power of two of at least 2^10, not " +
                                 line.min_n);
    const cl::Device& device = workshop.device();
    const std::size_t on_device =
        std::min<std::size_t>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() / 4,
                              device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() / 20);
    const std::size_t held = std::min({on_device, available_memory() / 32, std::size_t{1} << 31U});
    const std::size_t default_n = workshop.is_cpu() ? std::size_t{1} << 22U : held;
    const std::size_t largest =
        std::min(held, line.max_n.empty() ? default_n : parse_count("MAX_N", line.max_n));
    if (!line.max_n.empty() && largest == held)
        std::cout << "sizes end at " << largest << ", the most that fits" << std::endl;
    std::vector<std::size_t> sizes;
    for (std::size_t n = smallest; n <= largest; n *= 2)
        sizes.push_back(n);
    if (sizes.empty())
        throw std::runtime_error("there is no size from " + line.min_n + " to " +
                                 std::to_string(largest) +
                                 "; give a larger MAX_N, or a smaller MIN_N");
    return sizes;
}

/// Returns the processor that the baselines run on.
Place place_of_host() {
    std::string name = "processor";
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            name = line.substr(line.find(": ") + 2);
            break;
        }
    }
    return {plain(name), "g++ " + plain(__VERSION__), "C++20"};
}

/// A row to measure.
struct Task {
    const Variant* variant;
    Row row; ///< what is known before the measurement
};

std::vector<Task> plan(const std::vector<Variant>& variants, const std::vector<std::size_t>& sizes,
                       const Place& device, const Place& host) {
    std::vector<Task> tasks;
    for (const std::size_t n : sizes) {
        for (const Variant& variant : variants) {
            for (const std::size_t work_group_size : variant.work_group_sizes) {
                Row row;
                row.place = variant.kernels.empty() ? host : device;
                row.variant = variant.name;
                row.kind = name_of(variant.kind);
                row.kernels = checksum(variant.kernels);
                row.n = n;
                row.work_group_size = work_group_size;
                tasks.push_back({&variant, row});
            }
        }
    }
    return tasks;
}

std::size_t repetitions_for(double seconds_for_a_call) {
    const double fitting = std::floor(seconds_for_a_row / std::max(seconds_for_a_call, 1e-9));
    return static_cast<std::size_t>(
        std::clamp<double>(fitting, least_repetitions, most_repetitions));
}

/// A kernel's result is wrong.
struct WrongResult : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Calls the variant to warm up, then measures repeated calls. Throws cl::Error and WrongResult.
Row measure(const Task& task, const std::vector<float>& input, std::size_t repetitions) {
    const bool on_device = !task.variant->kernels.empty();
    std::vector<double> device;
    std::vector<double> busy;
    std::vector<double> wall;
    Result result;
    const auto call = [&] {
        watch().start();
        wall.push_back(
            seconds([&] { result = task.variant->run(input, task.row.work_group_size); }));
        const DeviceTime time = watch().stop();
        device.push_back(on_device ? time.span : wall.back());
        busy.push_back(on_device ? time.busy : wall.back());
    };
    call(); // compiles kernels, touches pages
    call();
    const std::size_t calls = repetitions != 0 ? repetitions : repetitions_for(wall.back());
    device.clear();
    busy.clear();
    wall.clear();
    while (wall.size() < calls)
        call();

    Row row = task.row;
    row.repetitions = calls;
    row.device = spread_of(device);
    row.busy = spread_of(busy).median;
    row.wall = spread_of(wall);
    row.gb_per_s = static_cast<double>(bytes_per_element(task.variant->kind) * row.n) * 1e-9 /
                   row.device.median;
    row.error = error_of(*task.variant, input, result);
    if (on_device && !(row.error <= largest_error))
        throw WrongResult("its result is wrong: the relative error is " +
                          std::to_string(row.error));
    return row;
}

/// Estimates the time for rows from rows of the same variant at a smaller size.
class Estimate {
  public:
    /// `repetitions`: calls per row; 0: as many as fit in the time for a row.
    explicit Estimate(std::size_t repetitions) : repetitions_(repetitions) {}

    void measured(const Row& row) {
        known_[{row.variant, row.work_group_size}] = {row.n, row.wall.median};
    }

    /// Nothing if the variant was not measured yet.
    std::optional<double> of(const Row& row) const {
        const auto found = known_.find({row.variant, row.work_group_size});
        if (found == known_.end())
            return std::nullopt;
        const auto n = static_cast<double>(row.n);
        const auto& [known_n, known_call] = found->second;
        // The time of small calls is all launches, and does not grow before they are large.
        const double call =
            known_call < 1e-4 ? known_call : known_call * n / static_cast<double>(known_n);
        const std::size_t calls = repetitions_ != 0 ? repetitions_ : repetitions_for(call);
        return static_cast<double>(calls + 2) * call + seconds_to_check * n;
    }

    /// Returns the seconds for all of `tasks` from `first` on; nothing before half of them are
    /// known.
    std::optional<double> of(const std::vector<Task>& tasks, std::size_t first) const {
        double sum = 0;
        std::size_t known = 0;
        for (std::size_t i = first; i < tasks.size(); ++i) {
            if (const std::optional<double> one = of(tasks[i].row)) {
                sum += *one;
                ++known;
            }
        }
        const std::size_t all = tasks.size() - first;
        if (all == 0)
            return 0;
        if (2 * known < all)
            return std::nullopt;
        return sum * static_cast<double>(all) / static_cast<double>(known);
    }

  private:
    struct Known {
        std::size_t n;
        double call;
    };
    std::size_t repetitions_;
    std::map<std::pair<std::string, std::size_t>, Known> known_;
};

std::string show_left(const std::optional<double>& seconds) {
    if (!seconds)
        return "time left: known after the first sizes";
    std::ostringstream text;
    text << "about ";
    if (*seconds < 90)
        text << std::ceil(*seconds) << " s left";
    else
        text << std::ceil(*seconds / 60) << " min left";
    return text.str();
}

std::string show_size(std::size_t n) {
    return "2^" + std::to_string(std::lround(std::log2(static_cast<double>(n))));
}

std::string show_time(double seconds) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1);
    if (seconds < 1e-3)
        text << seconds * 1e6 << " us";
    else
        text << seconds * 1e3 << " ms";
    return text.str();
}

void show(const Row& row, std::size_t number, std::size_t all, const std::string& left) {
    const std::string groups =
        row.work_group_size == 0 ? "" : "groups of " + std::to_string(row.work_group_size);
    std::cout << '[' << std::setw(4) << number << '/' << all << "] " << std::left << std::setw(28)
              << row.variant << std::setw(6) << show_size(row.n) << std::setw(15) << groups
              << std::right << std::setw(10) << show_time(row.device.median) << std::setw(9)
              << std::fixed << std::setprecision(2) << row.gb_per_s << " GB/s  error "
              << std::defaultfloat << std::setprecision(2) << std::setw(7) << row.error << "  "
              << left << std::endl;
}

/// Leaves out the row after `first` tasks, and those of larger sizes: they would fail, too.
void leave_out(std::vector<Task>& tasks, std::size_t first, const std::string& reason) {
    const Row row = tasks[first].row;
    std::cout << row.variant << ", " << show_size(row.n) << ", groups of " << row.work_group_size
              << ": left out from here on, " << reason << std::endl;
    const auto is_like_it = [&](const Task& task) {
        return task.row.variant == row.variant && task.row.work_group_size == row.work_group_size;
    };
    const auto rest = tasks.begin() + static_cast<std::ptrdiff_t>(first);
    tasks.erase(std::remove_if(rest, tasks.end(), is_like_it), tasks.end());
    watch().start(); // forgets the commands of the failed call
}

/// Measures the `tasks` that `table` lacks. `known`: the rows that say how long they take. Returns how
/// many rows are left for lack of time.
std::size_t measure_all(const std::vector<Task>& tasks, Table& table, const std::vector<Row>& known,
                        const CommandLine& line, bool on_cpu) {
    std::vector<Task> missing;
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(missing),
                 [&](const Task& task) { return !table.has(task.row); });
    std::cout << tasks.size() << " rows, " << tasks.size() - missing.size() << " of them in "
              << line.out << "/bench.csv already" << std::endl;
    Estimate estimate(line.repetitions);
    for (const Row& row : known) // sizes grow, so the last one stays
        estimate.measured(row);

    std::vector<float> input;
    double used = 0;
    const std::size_t done = tasks.size() - missing.size();
    for (std::size_t i = 0; i < missing.size();) {
        const Task task = missing[i];
        if (line.time_limit > 0 && used + estimate.of(task.row).value_or(0) > line.time_limit)
            return missing.size() - i;
        if (input.size() != task.row.n) {
            watch().drop_buffers();
            watch().waits_for_kernels = on_cpu && task.row.n >= long_enough_to_wait;
            used += seconds([&] { input = make_input(task.row.n); });
        }
        try {
            Row row;
            used += seconds([&] { row = measure(task, input, line.repetitions); });
            table.add(row);
            estimate.measured(row);
            ++i;
            show(row, done + i, done + missing.size(), show_left(estimate.of(missing, i)));
        } catch (const cl::Error& error) {
            leave_out(missing, i,
                      std::string(error.what()) + " returned error " + std::to_string(error.err()));
        } catch (const WrongResult& wrong) {
            leave_out(missing, i, wrong.what());
        }
    }
    return 0;
}

/// Returns the variants whose names begin with a word of ONLY. Throws std::runtime_error for a word
/// that none begins with.
std::vector<Variant> choose_variants(const std::vector<Variant>& variants,
                                     const std::string& only) {
    const std::vector<std::string> words = words_of(only);
    if (words.empty())
        return variants;
    std::vector<Variant> chosen;
    std::string names;
    std::set<std::string> used;
    for (const Variant& variant : variants) {
        names += (names.empty() ? "" : ", ") + variant.name;
        bool is_chosen = false;
        for (const std::string& word : words) {
            if (variant.name.starts_with(word)) {
                used.insert(word);
                is_chosen = true;
            }
        }
        if (is_chosen)
            chosen.push_back(variant);
    }
    for (const std::string& word : words) {
        if (!used.contains(word))
            throw std::runtime_error(std::string("no variant begins with ")
                                         .append(word)
                                         .append(", a word of ONLY=\"")
                                         .append(only)
                                         .append("\"; the variants are: ")
                                         .append(names));
    }
    return chosen;
}

/// Returns the variants that the device can run, and says why it skips the others.
std::vector<Variant> skip_missing(std::vector<Variant> variants) {
    for (const Variant& variant : variants) {
        if (!variant.missing.empty())
            std::cout << "skipped: " << variant.name << "; " << variant.missing << std::endl;
    }
    std::erase_if(variants, [](const Variant& variant) { return !variant.missing.empty(); });
    return variants;
}

/// Returns the rows of these places and of the current kernels.
std::vector<Row> rows_of(const Table& table, const std::vector<Variant>& variants,
                         const std::vector<Place>& places) {
    std::vector<Row> rows;
    std::copy_if(table.rows().begin(), table.rows().end(), std::back_inserter(rows),
                 [&](const Row& row) {
                     return std::ranges::any_of(
                                places, [&](const Place& place) { return row.place == place; }) &&
                            std::ranges::any_of(variants, [&](const Variant& variant) {
                                return row.variant == variant.name &&
                                       row.kernels == checksum(variant.kernels);
                            });
                 });
    return rows;
}

void run(const CommandLine& line) {
    const Workshop workshop(line.root, line.device);
    const std::vector<std::size_t> sizes = choose_sizes(workshop, line);
    const std::vector<Variant> all = make_variants(
        workshop, parse_work_groups(line.work_groups,
                                    workshop.device().getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()));
    const Place device = place_of(workshop.device());
    const Place host = place_of_host();
    make_folder(line.out);

    std::cout << "device: " << device.device << ", driver " << device.driver << ", "
              << device.version << "\nbeside it: " << host.device << ", " << host.driver
              << std::endl;
    const std::vector<Variant> variants = skip_missing(choose_variants(all, line.only));
    watch().keeps_buffers = true;
    Table table(line.out + "/bench.csv");
    const std::vector<Task> tasks = plan(variants, sizes, device, host);
    const std::vector<Place> places{device, host};
    const std::size_t left =
        measure_all(tasks, table, rows_of(table, all, places), line, workshop.is_cpu());
    watch().drop_buffers();
    if (left != 0)
        std::cout << "stopped at the time limit with " << left
                  << " rows left; rerun the command to resume\n";
    std::cout << "measurements: " << line.out << "/bench.csv" << std::endl;

    const std::vector<Row> rows = rows_of(table, all, places);
    if (rows.empty())
        return;
    show_claims(rows);
    if (line.no_plots)
        return;
    write_figures(line.out, rows);
    draw_figures(line.root, line.out);
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
    try {
        bench::run(bench::parse(argc, argv));
        return 0;
    } catch (const cl::Error& error) {
        std::cerr << "bench: " << error.what() << " returned error " << error.err()
                  << "; choose a device that works from ./harness --list-devices\n";
    } catch (const std::exception& error) {
        std::cerr << "bench: " << error.what() << '\n';
    }
    return 2;
}
