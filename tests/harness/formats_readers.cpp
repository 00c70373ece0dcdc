/// Every result, read by what reads such files: their schemas, GitHub's own Markdown, a browser's HTML.

#include "formats.hpp"
#include "helpers.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

using report::Submission;

namespace {

/// What there may be to report: something of everything, nothing, and whatever students can write.
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

/// What a reader of results says, and whether it takes them.
struct Opinion {
    int status = -1;
    std::string text;
};

/// Writes each submission as `format` does, and has all files read by one `command`, which "FILES" in
/// it stand for.
class Reading {
  public:
    Reading(const std::string& extension, const Format& format) {
        for (const Submission& submission : submissions())
            files_.push_back(
                folder_.write(std::to_string(files_.size()) + extension, format(submission)));
    }

    const std::vector<std::string>& files() const { return files_; }

    /// `before` stands before each file, as in "-i ".
    Opinion read(const std::string& command, const std::string& before = "") const {
        std::string line = command;
        for (const std::string& file : files_)
            line.append(" ").append(before).append("'").append(file).append("'");
        return run(line);
    }

    Opinion run(const std::string& command) const {
        const std::string said = folder_.path("said");
        const int status = std::system((command + " > '" + said + "' 2>&1").c_str());
        std::ifstream stream(said, std::ios::binary);
        return {status, {std::istreambuf_iterator<char>(stream), {}}};
    }

  private:
    helpers::TemporaryFolder folder_;
    std::vector<std::string> files_;
};

std::string schema(const std::string& name) {
    return (fs::path(__FILE__).parent_path() / "schemas" / name).string();
}

/// What a validator of JSON says of every submission as `format` writes it.
Opinion validated(const Format& format, const std::string& name) {
    return Reading(".json", format).read("jsonschema '" + schema(name) + "'", "-i ");
}

/// The elements of a document in the XML of cmark-gfm, and how many cells its tables have.
struct Markdown {
    std::set<std::string> elements;
    std::vector<std::size_t> rows; ///< the cells of each
    bool all_rows_fit = true;      ///< each row has as many cells as the head of its table
};

Markdown look(const std::string& xml) {
    Markdown found;
    pugi::xml_document document;
    REQUIRE(document.load_string(xml.c_str()));
    for (const pugi::xpath_node& node : document.select_nodes("//*"))
        found.elements.insert(node.node().name());
    for (const pugi::xpath_node& table : document.select_nodes("//table")) {
        const auto cells = [](const pugi::xml_node& row) {
            return static_cast<std::size_t>(std::distance(row.begin(), row.end()));
        };
        const std::size_t head = cells(table.node().child("table_header"));
        for (const pugi::xml_node& row : table.node().children("table_row")) {
            found.rows.push_back(cells(row));
            found.all_rows_fit = found.all_rows_fit && cells(row) == head;
        }
    }
    return found;
}

} // namespace

TEST_CASE("readers of the Classroom reporter's results take every one") {
    const Opinion opinion = validated(report::to_classroom, "classroom.schema.json");
    CHECK_MESSAGE(opinion.status == 0, opinion.text);
}

TEST_CASE("readers of Classroom 50's results take every one") {
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
    const Opinion opinion = validated(format, "classroom50.schema.json");
    CHECK_MESSAGE(opinion.status == 0, opinion.text);
    for (const Submission& submission : submissions()) { // what no schema can say
        const auto result = nlohmann::json::parse(format(submission));
        CHECK(result["score"] <= result["max-score"]);
        for (const auto& test : result["tests"])
            CHECK(test["score"] <= test["max-score"]);
    }
    const Format without_environment = [](const Submission& submission) {
        return report::to_classroom50(submission);
    };
    CHECK(validated(without_environment, "classroom50.schema.json").status != 0);
}

TEST_CASE("readers of Gradescope's results take every one") {
    const Opinion opinion = validated(report::to_gradescope, "gradescope.schema.json");
    CHECK_MESSAGE(opinion.status == 0, opinion.text);
}

TEST_CASE("readers of JUnit XML take every result") {
    const Reading reading(
        ".xml", [](const Submission& submission) { return report::to_junit(submission); });
    const Opinion opinion =
        reading.read("xmllint --nonet --noout --schema '" + schema("junit.xsd") + "'");
    CHECK_MESSAGE(opinion.status == 0, opinion.text);
}

TEST_CASE("browsers take every page as it is") {
    const Reading reading(".html", report::to_html);
    const Opinion opinion = reading.read("tidy -quiet -errors --drop-empty-elements no");
    CHECK_MESSAGE(opinion.status == 0, opinion.text); // 256: warnings, 512: errors
}

TEST_CASE("GitHub shows every summary as what it is meant to be") {
    const std::set<std::string> meant{"document",  "heading",    "table",     "table_header",
                                      "table_row", "table_cell", "paragraph", "text",
                                      "softbreak", "code_block", "list",      "item"};
    const Reading reading(".md", report::to_markdown);
    const auto shown = [&](const std::string& file) {
        const Opinion opinion = reading.run(
            "cmark-gfm --to xml -e table -e strikethrough -e autolink -e tasklist '" + file + "'");
        REQUIRE_MESSAGE(opinion.status == 0, opinion.text);
        return look(opinion.text);
    };
    const helpers::TemporaryFolder folder;
    CHECK(shown(folder.write("marks.md", "**a** <b>\n")).elements.count("strong") == 1);
    const std::vector<Submission> all = submissions();
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        const Markdown found = shown(reading.files()[i]);
        for (const std::string& element : found.elements)
            CHECK_MESSAGE(meant.count(element) == 1, element);
        CHECK(found.all_rows_fit);
        std::size_t rows = all[i].labs.size();
        for (const report::Result& lab : all[i].labs)
            rows += std::max<std::size_t>(lab.cases.size(), 1);
        CHECK(found.rows.size() == rows);
    }
}
