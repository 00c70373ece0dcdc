/// Every result, read by readers of its format: schemas, GitHub's Markdown parser, an HTML checker.

#include "formats.hpp"
#include "grade/command.hpp"
#include "helpers.hpp"
#include "report/class_page.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

using grade::Command;
using grade::Outcome;
using report::Submission;

namespace {

/// What a report can contain: some of everything, nothing, and anything that students can write.
std::vector<Submission> submissions() {
    std::vector<Submission> all{formats::some_submission(), {}};
    Submission quick = formats::some_submission();
    for (report::Case& one : quick.labs[0].cases)
        one.seconds = 4.2e-5;
    all.push_back(quick);
    for (const std::string& text : formats::hostile_texts())
        all.push_back(formats::submission_of(text));
    return all;
}

using Format = std::function<std::string(const Submission&)>;

/// Every submission in a file, as `format` writes it.
class Reading {
  public:
    Reading(const std::string& extension, const Format& format) {
        for (const Submission& submission : submissions())
            files_.push_back(
                folder_.write(std::to_string(files_.size()) + extension, format(submission)));
    }

    const std::vector<std::string>& files() const { return files_; }

    /// The outcome of the reader `command` for all files; `option` precedes each file unless empty.
    Outcome read(std::vector<std::string> command, const std::string& option = "") const {
        for (const std::string& file : files_) {
            if (!option.empty())
                command.push_back(option);
            command.push_back(file);
        }
        Command reader;
        reader.arguments = {"/usr/bin/env"}; // finds it in PATH
        reader.arguments.insert(reader.arguments.end(), command.begin(), command.end());
        return grade::run(reader);
    }

  private:
    helpers::TemporaryFolder folder_;
    std::vector<std::string> files_;
};

std::string schema(const std::string& name) {
    return (fs::path(__FILE__).parent_path() / "schemas" / name).string();
}

/// The outcome of a JSON validator for every submission as `format` writes it.
Outcome validated(const Format& format, const std::string& name) {
    return Reading(".json", format).read({"jsonschema", schema(name)}, "-i");
}

/// What GitHub's parser finds in a document.
struct Markdown {
    std::set<std::string> elements;
    std::size_t rows = 0;     ///< of all tables, without header rows
    bool all_rows_fit = true; ///< each has as many cells as its table's header row
};

Markdown look(const std::string& file) {
    const helpers::TemporaryFolder folder;
    const std::string xml = folder.path("xml"); // it can be longer than what run() keeps
    Command command;
    command.arguments = {"/bin/sh", "-c",
                         "cmark-gfm --to xml -e table -e strikethrough -e autolink -e tasklist '" +
                             file + "' > '" + xml + "'"};
    const Outcome outcome = grade::run(command);
    REQUIRE_MESSAGE(outcome.succeeded(), outcome.output);
    Markdown found;
    pugi::xml_document document;
    REQUIRE(document.load_file(xml.c_str()));
    for (const pugi::xpath_node& node : document.select_nodes("//*"))
        found.elements.insert(node.node().name());
    for (const pugi::xpath_node& table : document.select_nodes("//table")) {
        const auto cells = [](const pugi::xml_node& row) {
            return static_cast<std::size_t>(std::distance(row.begin(), row.end()));
        };
        const std::size_t head = cells(table.node().child("table_header"));
        for (const pugi::xml_node& row : table.node().children("table_row")) {
            ++found.rows;
            found.all_rows_fit = found.all_rows_fit && cells(row) == head;
        }
    }
    return found;
}

} // namespace

TEST_CASE("readers of the Classroom reporter's results accept every result") {
    const Outcome outcome = validated(report::to_classroom, "classroom.schema.json");
    CHECK_MESSAGE(outcome.succeeded(), outcome.output);
}

TEST_CASE("readers of Classroom 50's results accept every result") {
    const report::Classroom50 environment{"gpu-2026",
                                          "labs",
                                          "individual",
                                          "ada",
                                          "submit/2026-06-01T14-32-05Z-a1b2c3d",
                                          "https://github.com/o/gpu-2026-labs-ada/commit/a1b2c3d",
                                          "https://github.com/o/gpu-2026-labs-ada/releases/tag/x",
                                          "https://github.com/o/gpu-2026-labs-ada/compare/a...b",
                                          "2026-06-01T14:32:05Z"};
    const Format format = [&](const Submission& submission) {
        return report::to_classroom50(submission, environment);
    };
    const Outcome outcome = validated(format, "classroom50.schema.json");
    CHECK_MESSAGE(outcome.succeeded(), outcome.output);
    for (const Submission& submission : submissions()) { // rules that no schema can express
        const auto result = nlohmann::json::parse(format(submission));
        CHECK(result["score"] <= result["max-score"]);
        for (const auto& test : result["tests"])
            CHECK(test["score"] <= test["max-score"]);
    }
    const Format without_environment = [](const Submission& submission) {
        return report::to_classroom50(submission);
    };
    CHECK(validated(without_environment, "classroom50.schema.json").status == 1);
}

TEST_CASE("readers of Gradescope's results accept every result") {
    const Outcome outcome = validated(report::to_gradescope, "gradescope.schema.json");
    CHECK_MESSAGE(outcome.succeeded(), outcome.output);
}

TEST_CASE("readers of JUnit XML accept every result") {
    const Reading reading(
        ".xml", [](const Submission& submission) { return report::to_junit(submission); });
    const Outcome outcome =
        reading.read({"xmllint", "--nonet", "--noout", "--schema", schema("junit.xsd")});
    CHECK_MESSAGE(outcome.succeeded(), outcome.output);
}

TEST_CASE("browsers accept every page unchanged") {
    const Format page_of_all = [](const Submission& all) { return report::to_html(all); };
    const Format page_of_lab = [](const Submission& all) {
        return report::to_html(all.labs.empty() ? report::Result() : all.labs.front());
    };
    const Format page_of_class = [](const Submission& all) {
        report::ClassEntry entry{all.student, "", {}, {}};
        for (const report::Result& lab : all.labs) {
            entry.mistakes = report::mistakes_in(lab);
            report::ClassLab shown{lab.lab, lab.title, lab.score(), lab.max_score(), true, {}, {}};
            for (const report::Case& one : lab.cases) {
                shown.cases.push_back(one.name);
                shown.statuses.push_back(one.status);
            }
            entry.labs.push_back(shown);
        }
        return report::class_page({entry, entry}, false);
    };
    for (const Format& format : {page_of_all, page_of_lab, page_of_class}) {
        const Reading reading(".html", format);
        const Outcome outcome =
            reading.read({"tidy", "-quiet", "-errors", "--drop-empty-elements", "no"});
        CHECK_MESSAGE(outcome.succeeded(), outcome.output); // 1: warnings, 2: errors
    }
}

TEST_CASE("GitHub renders every summary as intended") {
    const std::set<std::string> meant{"document",  "heading",    "table",     "table_header",
                                      "table_row", "table_cell", "paragraph", "text",
                                      "softbreak", "code_block", "list",      "item"};
    const Reading reading(".md", report::to_markdown);
    const helpers::TemporaryFolder folder;
    CHECK(look(folder.write("marks.md", "**a** <b>\n")).elements.count("strong") == 1);
    const std::vector<Submission> all = submissions();
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        const Markdown found = look(reading.files()[i]);
        for (const std::string& element : found.elements)
            CHECK_MESSAGE(meant.count(element) == 1, element);
        CHECK(found.all_rows_fit);
        std::size_t rows = all[i].labs.size();
        for (const report::Result& lab : all[i].labs)
            rows += std::max<std::size_t>(lab.cases.size(), 1);
        CHECK(found.rows == rows);
    }
}
