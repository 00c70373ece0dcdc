/// Faults of the machine do not count against students, and a grading can be stopped.

#include "grade/command.hpp"
#include "grade/display.hpp"
#include "grade/files.hpp"
#include "grade/room.hpp"
#include "grade/stop.hpp"
#include "helpers.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

using grade::Estimate;
using grade::Room;
using grade::Unit;
using helpers::has;
using helpers::what_of;

namespace {

constexpr std::size_t more_than_any_disk = std::numeric_limits<std::size_t>::max() / 2;

std::set<Unit> units_of(std::size_t count) {
    std::set<Unit> units;
    for (std::size_t i = 0; i < count; ++i)
        units.insert({std::to_string(i), "lab1"});
    return units;
}

/// Runs `function` in a separate process, with an object that blocks signals, and returns how that
/// process ends.
template <class Function> int status_of(const Function& function) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const grade::Stop stop;
        try {
            function(stop);
        } catch (const grade::Stopped&) {
            grade::Stop::wait_for_children();
            stop.end();
        } catch (...) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

TEST_CASE("a disk with free space causes no complaint, and a full disk stays full") {
    const helpers::TemporaryFolder folder;
    Room room(folder.path(""), 1);
    room.look();
    room.try_writing();
    CHECK(room.complaint().empty());
    CHECK_NOTHROW(room.require());
    CHECK(fs::is_empty(folder.path("")));

    Room full(folder.path(""), more_than_any_disk);
    CHECK(full.complaint().empty());
    full.look();
    CHECK(has(full.complaint(), "the disk is full"));
    CHECK(has(what_of<std::runtime_error>([&] { full.require(); }), "the disk is full"));
}

TEST_CASE("an unwritable disk is detected by writing") {
    Room room("/nowhere/at/all", 1);
    room.try_writing();
    CHECK(has(room.complaint(), "cannot be written"));
}

TEST_CASE("a failed write says why and leaves nothing") {
    const helpers::TemporaryFolder folder;
    try {
        grade::write_file(folder.path("none/book"), "x");
        CHECK(false);
    } catch (const std::system_error& error) {
        CHECK(error.code() == std::errc::no_such_file_or_directory);
        CHECK(has(error.what(), "none/book"));
    }
    fs::create_directory(folder.path("book")); // a file cannot replace it
    CHECK_THROWS_AS(grade::write_file(folder.path("book"), "x"), std::system_error);
    CHECK(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()) == 1);
}

TEST_CASE("a termination signal ends the command and then the program with that signal") {
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        const int status = status_of([&](const grade::Stop& stop) {
            stop.check();
            grade::Command command;
            command.arguments = {"/bin/sleep", "1000"};
            bool sent = false;
            command.watch = [&] {
                if (!sent)
                    ::kill(::getpid(), number);
                sent = true;
                stop.check();
            };
            grade::run(command);
        });
        CHECK(status == 128 + number);
    }
}

TEST_CASE("a command does not inherit blocked signals") {
    CHECK(status_of([](const grade::Stop&) {
              const grade::Outcome outcome =
                  grade::run({{"/bin/sh", "-c", "kill -TERM $$; exit 3"}, "/", 60, {}, {}, {}});
              ::_exit(outcome.status == 128 + SIGTERM ? 7 : 8);
          }) == 7);
}

TEST_CASE("the time left is unknown until some labs have run, and is then a cautious estimate") {
    Estimate even(units_of(20), 2);
    CHECK(has(even.text(), "time left unknown"));
    std::set<Unit>::size_type next = 0;
    const auto end = [&](Estimate& estimate, std::optional<double> seconds) {
        estimate.ended({std::to_string(next++), "lab1"}, seconds);
    };
    for (int i = 0; i < 10; ++i)
        end(even, 10);
    CHECK(even.text() == "about 50 s left");
    for (int i = 0; i < 10; ++i)
        end(even, 10);
    CHECK(even.text().empty());

    next = 0;
    Estimate mixed(units_of(20), 2);
    for (int i = 0; i < 10; ++i)
        end(mixed, i == 0 ? 60 : 5);
    CHECK(mixed.text() == "about 53 s to 2 min left");
    mixed.ended({"somebody else", "lab1"}, 1000); // lacks a file, so its time does not count
    CHECK(mixed.text() == "about 53 s to 2 min left");
}

TEST_CASE("a log says what is running when nothing else happens") {
    std::ostringstream out;
    {
        grade::Display display(out, false);
        display.line("grading");
        display.begin("ada lab1");
        display.line("[1/2]");
        display.end("ada lab1");
    }
    CHECK(out.str() == "grading\n[1/2]\n");
}
