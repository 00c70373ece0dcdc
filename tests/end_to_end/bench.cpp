/// make bench and make bench-peers, with small inputs.

#include "tree.hpp"

#include <doctest/doctest.h>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

constexpr const char* bench = "build/bench/bin/bench --root . --no-plots ";
constexpr const char* small = "--max-n 2^11 --work-groups 64 --repetitions 1 ";

/// Builds the programs and returns an empty folder for results.
fs::path prepare() {
    const tree::Outcome built =
        tree::run("make build/bench/bin/bench build/bench/bin/peers build/bench/bin/peer_labs");
    INFO(built.output);
    REQUIRE(built.status == 0);
    fs::path out = tree::root() / "build/bench-results";
    fs::remove_all(out);
    return out;
}

std::vector<std::vector<std::string>> rows_of(const fs::path& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(tree::read(csv));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            rows.back().push_back(cell);
    }
    return rows;
}

tree::Outcome run_bench(const std::string& arguments) {
    return tree::run(bench + arguments + " --out build/bench-results");
}

void check_refused(const std::string& command, const std::string& what) {
    const tree::Outcome outcome = tree::run(command);
    INFO(command, "\n", outcome.output);
    CHECK(outcome.status == 2);
    const std::string last =
        outcome.output.substr(outcome.output.rfind("bench", outcome.output.find(what)));
    CHECK(last.find(what) != std::string::npos);
    CHECK(last.find('\n') == last.size() - 1);
}

} // namespace

TEST_CASE("make bench measures every variant correctly and draws the figures") {
    const fs::path out = prepare();
    const tree::Outcome outcome =
        tree::run("make bench MAX_N=2^12 WORK_GROUPS=64 REPETITIONS=1 OUT=build/bench-results");
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);

    const auto rows = rows_of(out / "bench.csv");
    REQUIRE(rows.size() > 1);
    std::set<std::string> labs;
    std::set<std::string> variants;
    std::set<std::string> sizes;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::vector<std::string>& row = rows[i];
        CAPTURE(i);
        REQUIRE(row.size() == rows[0].size());
        labs.insert(row[3].substr(0, row[3].find(' ')));
        variants.insert(row[3]);
        sizes.insert(row[6]);
        CHECK(std::stod(row[9]) > 0);     // time on the device
        CHECK(std::stod(row[13]) > 0);    // time of the whole call
        CHECK(std::stod(row[17]) < 1e-5); // error
    }
    CHECK(labs == std::set<std::string>{"copy", "cpu", "lab1", "lab2", "lab3", "lab4", "lab5",
                                        "lab7", "lab8"});
    for (const std::string name :
         {"lab1 work_group", "lab1 sub_group", "lab4 work_group", "lab4 sub_group"}) {
        CAPTURE(name);
        const bool is_skipped =
            outcome.output.find("skipped: " + name +
                                "; it needs a device with OpenCL C 3.0 and ") != std::string::npos;
        CHECK(is_skipped == (!variants.contains(name)));
    }
    CHECK(sizes == std::set<std::string>{"1024", "2048", "4096"});

    CHECK(outcome.output.find("time of Hillis-Steele divided by that of Blelloch (lab4, lab5): ") !=
          std::string::npos);
    CHECK(outcome.output.find("not measured") == std::string::npos);

    if (tree::run("command -v gnuplot").status != 0) {
        CHECK(outcome.output.find("apt-get install gnuplot-nox") != std::string::npos);
        return;
    }
    for (const char* figure : {"bandwidth_reduction", "bandwidth_scan", "speedup_reduction",
                               "speedup_scan", "work_groups", "hillis_steele"}) {
        CAPTURE(figure);
        const std::string path = (out / figure).string();
        CHECK(tree::read(path + ".svg").find("</svg>") != std::string::npos);
        CHECK(tree::read(path + ".png").substr(1, 3) == "PNG");
    }
}

TEST_CASE("partial measurements draw the figures that they suffice for") {
    if (tree::run("command -v gnuplot").status != 0)
        return;
    const fs::path out = prepare();
    const tree::Outcome outcome =
        tree::run("make bench MAX_N=2^11 WORK_GROUPS=64 ONLY=lab8 OUT=build/bench-results");
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    CHECK(fs::exists(out / "bandwidth_scan.svg"));
    CHECK_FALSE(fs::exists(out / "bandwidth_reduction.svg"));
    CHECK_FALSE(fs::exists(out / "hillis_steele.svg"));
}

TEST_CASE("without gnuplot, make bench writes the CSV and says what to install") {
    prepare();
    const tree::Outcome outcome =
        tree::run("PATH=/nowhere build/bench/bin/bench --root . --only cpu --max-n 2^10 "
                  "--repetitions 1 --out build/bench-results");
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    CHECK(outcome.output.find("apt-get install gnuplot-nox") != std::string::npos);
}

TEST_CASE("a killed benchmark resumes when rerun") {
    const fs::path csv = prepare() / "bench.csv";
    REQUIRE(run_bench(small).status == 0);
    const std::string whole = tree::read(csv);
    const auto rows = rows_of(csv);

    // A run that was stopped in the middle of a row.
    const std::string torn = whole.substr(0, whole.size() / 2);
    REQUIRE(torn.back() != '\n');
    const std::string kept = torn.substr(0, torn.rfind('\n') + 1);
    tree::write(csv, torn);
    const tree::Outcome again = run_bench(small);
    INFO(again.output);
    CHECK(again.status == 0);
    CHECK(tree::read(csv).rfind(kept, 0) == 0); // existing measurements stay
    const auto resumed = rows_of(csv);
    REQUIRE(resumed.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t cell = 0; cell < 8; ++cell)
            CHECK(resumed[i][cell] == rows[i][cell]);
    }

    // Nothing is left to measure, and the file stays unchanged.
    const std::string before = tree::read(csv);
    CHECK(run_bench(small).status == 0);
    CHECK(tree::read(csv) == before);
}

TEST_CASE("a benchmark stops at its time limit and resumes later") {
    const fs::path csv = prepare() / "bench.csv";
    const tree::Outcome stopped = run_bench(std::string(small) + "--time-limit 0.000001");
    INFO(stopped.output);
    CHECK(stopped.status == 0);
    CHECK(stopped.output.find("stopped at the time limit") != std::string::npos);
    CHECK(rows_of(csv).size() == 2); // the columns and the first row
    const tree::Outcome finished = run_bench(small);
    CHECK(finished.output.find("1 of them in") != std::string::npos);
    CHECK(finished.output.find("stopped") == std::string::npos);
}

TEST_CASE("a changed kernel is measured again") {
    const fs::path csv = prepare() / "bench.csv";
    const std::string command = std::string(small) + "--only lab5"; // its variants use one kernel
    REQUIRE(run_bench(command).status == 0);
    const std::size_t rows = rows_of(csv).size();
    const fs::path kernel = tree::root() / "solutions/kernels/lab5_blelloch_scan.cl";
    const std::string text = tree::read(kernel);
    tree::write(kernel, text + "\n");
    CHECK(run_bench(command).status == 0);
    tree::write(kernel, text);
    CHECK(rows_of(csv).size() == 2 * rows - 1);
}

TEST_CASE("wrong arguments of the benchmarks are rejected") {
    const fs::path out = prepare();
    const std::string there = std::string(bench) + "--out build/bench-results ";
    check_refused(there + "--max-n many", "MAX_N must be a number");
    check_refused(there + "--max-n 2^40", "MAX_N must be a number");
    check_refused(there + "--max-n 2^9", "there is no size from 2^10 to 512");
    check_refused(there + "--min-n 1000", "MIN_N must be a power of two of at least 2^10");
    check_refused(there + "--work-groups '64 48'", "powers of two of at least 2, not 48");
    check_refused(there + "--work-groups ' '", "at least one work-group size");
    check_refused(there + "--only lab10", "no variant begins with");
    check_refused(there + "--device 99", "there is no device 99");
    check_refused(there + "--repetitions -1", "see make bench-help");
    check_refused(there + "--sizes 3", "see make bench-help");
    check_refused("build/bench/bin/bench --root /nowhere --out build/bench-results",
                  "name the course's folder: --root DIR");
    check_refused(std::string(bench) + "--out Makefile", "cannot create the folder Makefile");
    check_refused("OCL_ICD_VENDORS=build/no-vendors/ " + there, "there is no OpenCL device");

    tree::write(out / "bench.csv", "a,b\n1,2\n");
    check_refused(there + small, "does not have the columns that this program writes");
    fs::remove_all(out);
    REQUIRE(run_bench(std::string(small) + "--only copy").status == 0);
    tree::write(out / "bench.csv", tree::read(out / "bench.csv") + "half a row\n");
    check_refused(there + small, "not a row of a benchmark");

    const std::string peers = "build/bench/bin/peers --root . --out build/bench-results ";
    check_refused(peers + "--n 0", "N must be a number");
    check_refused(peers + "--rounds 0", "see make bench-peers-help");
    check_refused(peers + "--device 99", "there is no device 99");
}

TEST_CASE("peers compete in turn, and a missing or crashing peer affects no other") {
    const fs::path out = prepare();
    // In a separate folder, so that libraries installed here play no part.
    const fs::path programs = tree::root() / "build/bench-peers";
    fs::remove_all(programs);
    fs::create_directories(programs);
    for (const char* name : {"peers", "peer_labs"})
        fs::copy(tree::root() / "build/bench/bin" / name, programs / name);
    const auto play = [&](const std::string& name, const std::string& script) {
        tree::write(programs / name, "#!/bin/sh\n" + script);
        fs::permissions(programs / name, fs::perms::owner_all);
    };
    play("peer_cub", "echo 'left out,there is no CUDA device'\n");
    play("peer_std", "echo contestant,mortal,reduction,4,0\necho ready\nread line\n"
                     "echo sample,1,1\nread line\n");
    play("peer_boost", "exit 127\n");

    const tree::Outcome outcome = tree::run(
        "build/bench-peers/peers --root . --out build/bench-results --n '2^10 1001' --rounds 3");
    INFO(outcome.output);
    REQUIRE(outcome.status == 0);
    for (const char* said :
         {"left out: CUB; there is no CUDA device",
          "left out: Boost.Compute; it ended before it was ready",
          "left out: CLBlast; apt-get install libclblast-dev", "left out from here on: mortal"}) {
        CAPTURE(said);
        CHECK(outcome.output.find(said) != std::string::npos);
    }
    std::set<std::string> names;
    const auto rows = rows_of(out / "peers.csv");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        names.insert(rows[i][3] + " " + rows[i][5]);
        CHECK(std::stod(rows[i][12]) < 1e-5); // error
        CHECK(std::stod(rows[i][14]) > 0);    // our speed by its
    }
    for (const char* n : {"1024", "1001"}) {
        for (const char* name : {"lab 7 tickets", "lab 7 last_group", "lab 7 compare_exchange",
                                 "lab 7 kernels", "lab 3", "lab 8", "copy kernel", "mortal"}) {
            CAPTURE(std::string(name));
            CHECK(names.count(std::string(n) + " " + name) == 1);
        }
    }
}
