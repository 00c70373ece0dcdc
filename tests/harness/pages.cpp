/// Writes pages for make pages, which opens them in a browser. make test leaves this out.

#include "formats.hpp"
#include "report/class_page.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

using report::Status;

namespace {

/// A class in which about half of the cases fail.
std::vector<report::ClassEntry> class_of(std::size_t students) {
    std::vector<report::ClassEntry> entries;
    for (std::size_t student = 0; student < students; ++student) {
        report::ClassEntry entry{"student-with-a-name-" + std::to_string(student), "", {}, {}};
        for (int number = 1; number <= 8; ++number) {
            report::ClassLab lab{"lab" + std::to_string(number), "A lab", 0, 14, true, {}, {}};
            for (std::size_t i = 0; i < 14; ++i) {
                const std::size_t draw = (student * 7 + i * i * 3) % 17;
                const Status status = draw * students < student * 17 ? Status::fail : Status::pass;
                lab.cases.push_back("a case with a long name, number " + std::to_string(i + 1));
                lab.statuses.push_back(draw == 16 ? Status::blocked : status);
                lab.score += lab.statuses.back() == Status::pass ? 1 : 0;
            }
            entry.labs.push_back(lab);
        }
        for (std::size_t i = 0; i < student % 5; ++i)
            entry.mistakes.push_back(
                {"lab" + std::to_string(i + 1), "data race", "kernels/lab1_reduction_scalar.cl:13",
                 "partial_sums[lid] = partial_sums[lid] + partial_sums[lid + i];", i == 0});
        entries.push_back(entry);
    }
    return entries;
}

} // namespace

TEST_CASE("pages for a browser" * doctest::skip()) {
    const char* folder = std::getenv("PAGES"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    REQUIRE(folder != nullptr);
    const auto write = [&](const std::string& name, const std::string& page) {
        std::ofstream(std::filesystem::path(folder) / name) << page;
    };
    write("submission.html", report::to_html(formats::some_submission()));
    write("lab.html", report::to_html(formats::some_result("lab1")));
    write("long-words.html", report::to_html(formats::submission_of(std::string(5000, 'x'))));
    write("long-lines.html", report::to_html(formats::submission_of(
                                 "word word\n  12 | " + std::string(300, 'x') + "\nword")));
    write("no-labs.html", report::to_html(report::Submission()));
    write("class.html", report::class_page(class_of(30), false));
    write("large-class.html", report::class_page(class_of(300), true));
    std::vector<report::ClassEntry> odd = class_of(3);
    odd[0].student = odd[0].note = odd[0].labs[0].title = odd[0].labs[0].cases[0] =
        odd[0].mistakes.emplace_back().text = std::string(5000, 'x');
    write("odd-class.html", report::class_page(odd, false));
}
