#include "formats.hpp"
#include "helpers.hpp"
#include "report/class_page.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <pugixml.hpp>

using formats::case_of;
using formats::hostile_texts;
using helpers::has;
using helpers::times;
using report::ClassEntry;
using report::ClassLab;
using report::Status;

namespace {

ClassEntry student(const std::string& name, int score, const std::vector<Status>& statuses) {
    ClassLab lab{"lab1", "Sums", score, 4, true, {}, statuses};
    for (std::size_t i = 0; i < statuses.size(); ++i)
        lab.cases.push_back("case " + std::to_string(i + 1));
    return {name, "", {lab}, {}};
}

/// Three students, one of whom has no result.
std::vector<ClassEntry> some_class() {
    std::vector<ClassEntry> entries{student("ada", 1, {Status::pass, Status::fail}),
                                    student("bela", 4, {Status::pass, Status::inconclusive}),
                                    {"chidi", "not graded yet", {}, {}}};
    entries[0].mistakes = {{"lab1", "data race", "k.cl:13", "x = y; // by ada"},
                           {"lab1", "wrong sum", "", "", false}};
    entries[1].mistakes = {{"lab1", "data race", "k.cl:14", "x = z;"}};
    return entries;
}

/// A page read as XML.
struct Page {
    explicit Page(const std::string& text) { REQUIRE(document.load_string(text.c_str())); }

    /// The texts of all elements that an XPath expression chooses.
    std::vector<std::string> texts(const char* path) const {
        std::vector<std::string> result;
        for (const auto& found : document.select_nodes(path)) {
            std::string text;
            for (const auto& part : found.node().select_nodes(".//text()"))
                text += part.node().value();
            result.push_back(text);
        }
        return result;
    }

    pugi::xml_document document;
};

using Texts = std::vector<std::string>;

std::vector<report::Mistake> mistakes_of(const report::Case& one) {
    report::Result lab;
    lab.lab = "lab1";
    lab.cases = {one};
    lab.findings = {{"data-race", "k.cl", 2, "two sides", 2}};
    lab.sources = {{"k.cl", "__kernel void k() {\n\t  x = y;\n}\n"}};
    return report::mistakes_in(lab);
}

} // namespace

TEST_CASE("a class page maps cases and students, those with more points first") {
    const Page page(report::class_page(some_class(), false));
    CHECK(page.texts("//h1") == Texts{"The class at a glance"});
    CHECK(page.texts("//div[@class='scroll map']//thead/tr/th") ==
          Texts{"case", "passed", "bela", "ada", "chidi"});
    CHECK(page.texts("//div[@class='scroll map']//tbody/tr[1]/*") ==
          Texts{"case 1", "2/3", "P", "P", "\xE2\x80\x93"});
    CHECK(page.texts("//div[@class='scroll map']//tbody/tr[2]/*") ==
          Texts{"case 2", "1/3", "U", "F", "\xE2\x80\x93"});
    CHECK(page.texts("//header/p[@class='reason']") ==
          Texts{"1 student has no result; the table at the end says why"});
    const Texts cells = page.texts("//div[@aria-label='all students']//tbody//td");
    CHECK(cells == Texts{"4 of 4", "", "1 of 4", "", "", "not graded yet"});
}

TEST_CASE("a class page begins with the mistakes that most students make, with a line of code") {
    const Page page(report::class_page(some_class(), false));
    CHECK(page.texts("//h2") ==
          Texts{"The most common mistakes", "Points", "Cases and students", "Students"});
    CHECK(page.texts("//ol[@class='mistakes']/li/h3") ==
          Texts{"lab1: data race", "lab1: wrong sum"});
    CHECK(page.texts("//ol[@class='mistakes']/li/details/summary") ==
          Texts{"2 of 3 students", "1 of 3 students"});
    CHECK(page.texts("//ol[@class='mistakes']/li[1]/pre") == Texts{"x = z;"});
    CHECK(page.texts("//ol[@class='mistakes']/li[1]/details/p") == Texts{"bela, ada"});
    CHECK(page.texts("//ol[@class='mistakes']/li[2]/pre").empty());

    // The mistake that most students have to fix first comes before its consequences.
    std::vector<ClassEntry> more = some_class();
    more[1].mistakes.push_back({"lab1", "wrong sum", "", "", false});
    more[2].mistakes = {{"lab1", "wrong sum", "", "", false}};
    CHECK(Page(report::class_page(more, false)).texts("//ol[@class='mistakes']/li/h3") ==
          Texts{"lab1: data race", "lab1: wrong sum"});

    std::vector<ClassEntry> many = some_class();
    for (int i = 0; i < 20; ++i)
        many[0].mistakes.push_back(
            {"lab1", "mistake " + std::string(1, static_cast<char>('a' + i)), "", ""});
    const Page long_page(report::class_page(many, false));
    CHECK(long_page.texts("//section/ol[@class='mistakes']/li").size() == 10);
    CHECK(long_page.texts("//details/ol[@class='mistakes']/li").size() == 12);
}

TEST_CASE("a class page shows how many points a lab gave") {
    std::vector<ClassEntry> entries = some_class();
    entries.push_back(student("dana", 4, {Status::pass, Status::pass}));
    const std::string html = report::class_page(entries, false);
    CHECK(has(html, R"(aria-label="1 points: 1 student, 4 points: 2 students")"));
    CHECK(has(html, "median 4 of 4, 2 students of 3 with all points"));
    for (ClassEntry& entry : entries) {
        for (ClassLab& lab : entry.labs)
            lab.graded = false;
    }
    CHECK(has(report::class_page(entries, false), "no results"));
    CHECK(has(report::class_page(entries, false), "lab1 was not graded"));
}

TEST_CASE("a class page shows how many cases of an optional lab have passed") {
    std::vector<ClassEntry> entries = some_class();
    for (ClassEntry& entry : entries) {
        for (ClassLab& lab : entry.labs)
            lab.score = lab.max_score = 0;
    }
    const std::string html = report::class_page(entries, false);
    CHECK(has(html, R"(aria-label="1 cases passed: 1 student, 2 cases passed: 1 student")"));
    CHECK(has(html, "median 2 of 2, 1 student of 2 with all cases passed"));
}

TEST_CASE("an optional case that is left out is no mistake") {
    report::Case one = case_of("dot product", Status::fail, 0, 0);
    one.not_implemented = true;
    CHECK(mistakes_of(one).empty());
    one.max_score = 2;
    CHECK(mistakes_of(one).size() == 1);
    one.max_score = 0;
    one.not_implemented = false;
    CHECK(mistakes_of(one).size() == 1);
}

TEST_CASE("an anonymous class page names no student") {
    const std::string html = report::class_page(some_class(), true);
    for (const char* name : {"ada", "bela", "chidi", "href", "not graded yet"})
        CHECK_MESSAGE(!has(html, name), std::string(name));
    const Page page(html);
    CHECK(page.texts("//div[@class='scroll map']//thead/tr/th") ==
          Texts{"case", "passed", "1", "2", "3"});
    // The page must not reveal the order of the names.
    std::vector<ClassEntry> renamed = some_class();
    std::swap(renamed[0].student, renamed[1].student);
    std::swap(renamed[0], renamed[1]);
    for (ClassEntry& entry : renamed)
        for (report::Mistake& mistake : entry.mistakes)
            mistake.code = mistake.code.substr(0, mistake.code.find(" // by"));
    const auto map_of = [](const std::string& text) {
        return text.substr(text.find("Cases and students"));
    };
    CHECK(map_of(report::class_page(renamed, true)) == map_of(html));
}

TEST_CASE("names in a class page link to the students' pages and nowhere else") {
    for (const std::string& name : hostile_texts()) {
        if (name.size() > 5000)
            continue;
        CAPTURE(name);
        std::vector<ClassEntry> entries = some_class();
        entries[0].student = entries[0].note = name;
        entries[0].mistakes = {{name, name, name, name}};
        entries[0].labs[0].lab = entries[0].labs[0].title = name;
        entries[0].labs[0].cases = {name, name};
        const std::string html = report::class_page(entries, false);
        CHECK(formats::is_utf8(html));
        CHECK(formats::unseen_character(html).empty());
        CHECK(formats::first_command(html).empty());
        const Page page(html);
        for (const char* foreign :
             {"//script", "//img", "//@onload", "//@onerror", "//@style", "//@src"})
            CHECK_MESSAGE(page.document.select_nodes(foreign).empty(), std::string(foreign));
        for (const auto& link : page.document.select_nodes("//@href")) {
            const std::string address = link.attribute().value();
            CHECK(address.starts_with("./"));
            CHECK(address.compare(address.size() - 12, 12, "/report.html") == 0);
            const std::string folder = address.substr(2, address.size() - 14);
            CHECK(std::ranges::all_of(folder, [](unsigned char c) {
                return std::isalnum(c) != 0 || c == '%' || c == '-' || c == '_';
            }));
        }
    }
}

TEST_CASE("a class page of hundreds of students with eight labs stays small") {
    std::vector<ClassEntry> entries;
    for (int i = 0; i < 300; ++i) {
        ClassEntry entry =
            student("student" + std::to_string(i), i % 5,
                    std::vector<Status>(14, i % 2 == 0 ? Status::pass : Status::fail));
        entry.labs.resize(8, entry.labs[0]);
        for (std::size_t lab = 0; lab < 8; ++lab)
            entry.labs[lab].lab = "lab" + std::to_string(lab + 1);
        entry.mistakes = {{"lab1", "data race", "k.cl:1", "x"}};
        entries.push_back(entry);
    }
    const std::string html = report::class_page(entries, false);
    CHECK(times(html, "<td class=\"k ") == 300 * 8 * 14);
    CHECK(html.size() < (3U << 20));
    CHECK(has(report::class_page({}, false), "0 students"));
}

TEST_CASE("the same mistake has the same words for all students") {
    const auto text_of = [](const std::string& message, const std::string& guess) {
        report::Case one = case_of("sum", Status::fail, 0, 1, message);
        one.guess = guess;
        return mistakes_of(one).at(0).text;
    };
    CHECK(text_of("wrong sum for n = 33, work-group size 64\nexpected 1",
                  "the last one is missing") == "wrong sum; looks like: the last one is missing");
    CHECK(text_of("kernel k2 (launch 12 of 30) hangs", "") == "kernel k2 (launch # of #) hangs");

    report::Case race = case_of("race", Status::fail, 0, 1, "k.cl:2: data race: two sides (n = 1)");
    race.file = "k.cl";
    race.line = 2;
    race.finding = "data-race";
    const auto mistakes = mistakes_of(race);
    REQUIRE(mistakes.size() == 1);
    CHECK(mistakes[0].lab == "lab1");
    CHECK(mistakes[0].text == "data race");
    CHECK(mistakes[0].place == "k.cl:2");
    CHECK(mistakes[0].code == "x = y;");
    // The line where a kernel begins is not a mistake.
    race.message = "wrong sum";
    race.line = 1;
    CHECK(mistakes_of(race).at(0).code.empty());
    CHECK(mistakes_of(case_of("sum", Status::pass, 1, 1, "fine")).empty());
}
