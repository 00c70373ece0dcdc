#include "grader/progress.hpp"
#include "helpers.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;
using report::Status;

namespace {

report::Case case_with(Status status, const std::string& message = "") {
    report::Case one;
    one.status = status;
    one.message = message;
    one.score = report::has_passed(status) ? 2 : 0;
    one.max_score = 2;
    return one;
}

/// The content of a file; "" if there is none.
std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

TEST_CASE("a run is whole only if every case was selected and ended") {
    report::Result result;
    CHECK_FALSE(grader::is_whole(result));
    result.cases = {case_with(Status::pass), case_with(Status::fail, "wrong"),
                    case_with(Status::skipped, "no such device")};
    CHECK(grader::is_whole(result));
    result.cases.push_back(case_with(Status::skipped));
    result.cases.back().progress = report::Case::Progress::not_selected;
    CHECK_FALSE(grader::is_whole(result));
    result.cases.back() = case_with(Status::error, "did not run");
    result.cases.back().progress = report::Case::Progress::not_reached;
    CHECK_FALSE(grader::is_whole(result));
}

TEST_CASE("the points are written with the time at which the run began") {
    const helpers::TemporaryFolder folder;
    report::Result result;
    result.cases = {case_with(Status::pass), case_with(Status::fail)};
    const auto start = fs::file_time_type::clock::now() - std::chrono::seconds(60);
    const std::string file = folder.path("a/b/lab1");
    grader::write_progress(result, start, file);
    CHECK(text_of(file) == "2 of 4\n");
    const auto error = fs::last_write_time(file) - start;
    CHECK(std::chrono::abs(error) < std::chrono::milliseconds(1)); // file systems round
    result.cases.pop_back();
    grader::write_progress(result, start, file);
    CHECK(text_of(file) == "2 of 2\n");
    result.cases = {case_with(Status::pass), case_with(Status::pass), case_with(Status::fail)};
    for (report::Case& one : result.cases)
        one.score = one.max_score = 0; // of an optional lab, the passed cases count
    grader::write_progress(result, start, file);
    CHECK(text_of(file) == "2 of 3\n");
    CHECK_NOTHROW(grader::write_progress(result, start, "/proc/no/such/folder/lab1"));
}

TEST_CASE("the next lab is the one with the next number that exists") {
    const helpers::TemporaryFolder folder;
    const std::string root = folder.path(".");
    CHECK_FALSE(grader::lab_after(root, "lab1").has_value());
    for (const char* lab : {"lab1", "lab2", "lab10", "lab4", "lab3x", "label5"})
        fs::create_directories(folder.path(std::string("labs/") + lab));
    folder.write("labs/lab3", "not a folder");
    folder.write("labs/lab4/README.md", "# Lab 4: Inclusive scan: part one\n\n## Purpose\n"
                                        "You learn: sums.\nYou learn: nothing else.\n");
    const auto after_two = grader::lab_after(root, "lab2");
    REQUIRE(after_two.has_value());
    CHECK(after_two->name == "lab4");
    CHECK(after_two->title == "Inclusive scan: part one");
    CHECK(after_two->teaches == "sums.");
    const auto after_four = grader::lab_after(root, "lab4");
    REQUIRE(after_four.has_value());
    CHECK(after_four->name == "lab10");
    CHECK(after_four->title.empty()); // it has no handout
    CHECK_FALSE(grader::lab_after(root, "lab10").has_value());
}

TEST_CASE("every handout says in one line what its lab teaches") {
    std::string lab = "lab0";
    int labs = 0;
    for (auto next = grader::lab_after(".", lab); next; next = grader::lab_after(".", lab)) {
        lab = next->name;
        ++labs;
        CAPTURE(lab);
        CHECK_FALSE(next->title.empty());
        CHECK_FALSE(next->teaches.empty());
        CHECK(next->teaches.size() <= 63); // so that it fits on a line of 80 columns
    }
    CHECK(labs == 9);
}
