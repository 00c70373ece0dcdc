#include "formats.hpp"
#include "helpers.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

using formats::case_of;
using formats::first_command;
using formats::hostile_texts;
using formats::is_utf8;
using formats::lines_of;
using formats::some_submission;
using formats::submission_of;
using formats::unseen_character;
using helpers::has;
using helpers::times;
using report::Case;
using report::Status;
using report::Submission;

namespace {

/// The nodes of a page by the names of their elements.
class Elements : public pugi::xml_tree_walker {
  public:
    std::map<std::string, std::vector<pugi::xml_node>> found;

    bool for_each(pugi::xml_node& node) override {
        if (node.type() == pugi::node_element)
            found[node.name()].push_back(node);
        else if (node.type() != pugi::node_pcdata)
            others.insert(static_cast<int>(node.type()));
        return true;
    }

    std::set<int> others; ///< kinds of nodes that are neither elements nor text
};

/// A page read as XML, including comments.
struct Page {
    explicit Page(const std::string& text) {
        REQUIRE(document.load_string(text.c_str(), pugi::parse_full & ~pugi::parse_eol));
        document.traverse(elements);
    }

    std::vector<std::string> texts(const std::string& element) {
        std::vector<std::string> result;
        for (const auto node : elements.found[element])
            result.emplace_back(node.text().get());
        return result;
    }

    pugi::xml_document document;
    Elements elements;
};

/// Markdown in parts: the lines in fences, and all others.
struct Markdown {
    explicit Markdown(const std::string& text) {
        std::string fence;
        for (const std::string& line : lines_of(text)) {
            const std::size_t run = std::min(line.find_first_not_of('`'), line.size());
            if (fence.empty() && run >= 3) {
                fence = std::string(run, '`');
                CHECK(line == fence + "text");
                fenced.emplace_back();
            } else if (!fence.empty() && run >= fence.size() && run == line.size()) {
                fence.clear();
            } else if (!fence.empty()) {
                fenced.back() += line + "\n";
            } else {
                outside.push_back(line);
            }
        }
        CHECK(fence.empty());
    }

    std::vector<std::string> fenced;
    std::vector<std::string> outside;
};

/// What Markdown shows for inline text.
std::string rendered(std::string text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() &&
            std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0) {
            result += text[++i];
            continue;
        }
        bool entity = false;
        for (const auto& [name, c] : {std::pair<std::string, char>{"&lt;", '<'},
                                      {"&gt;", '>'},
                                      {"&amp;", '&'},
                                      {"&#124;", '|'}}) {
            if (text.compare(i, name.size(), name) == 0) {
                result += c;
                i += name.size() - 1;
                entity = true;
                break;
            }
        }
        if (!entity)
            result += text[i];
    }
    return result;
}

/// Markup in a line of Markdown that should have only our own; "" if there is none.
std::string markup_in(const std::string& line) {
    std::string text = line;
    for (const std::string own : {"### ", "## ", "# "}) {
        if (text.compare(0, own.size(), own) == 0) {
            text.erase(0, own.size());
            break;
        }
    }
    if (!text.empty() && text.front() == '|') { // pipes are counted elsewhere
        std::replace(text.begin(), text.end(), '|', ' ');
        if (text.find_first_not_of(" -:") == std::string::npos)
            return {};
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size() &&
            std::string("\\`*_[]!#~@$").find(text[i + 1]) != std::string::npos) {
            ++i;
            if (text[i] == '@' && i + 1 < text.size() && text[i + 1] != ' ')
                return "a name: " + text.substr(i, 10);
            if (text[i] == '#' && i + 1 < text.size() && std::isalnum(text[i + 1]) != 0)
                return "an issue: " + text.substr(i, 10);
            continue;
        }
        if (std::string("<>`*_[]!#~@$|\\").find(c) != std::string::npos)
            return "markup: " + text.substr(i, 10);
        const bool entity = text.compare(i, 4, "&lt;") == 0 || text.compare(i, 4, "&gt;") == 0 ||
                            text.compare(i, 5, "&amp;") == 0 || text.compare(i, 6, "&#124;") == 0;
        if (c == '&' && !entity)
            return "an entity: " + text.substr(i, 10);
        if (c == '&')
            i = text.find(';', i); // its # begins no heading or issue
    }
    std::string small = rendered(line);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* link : {"://", "www.e", "gh-1", "@e", "@s", "#1"}) {
        if (has(small, link))
            return link;
    }
    return {};
}

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

/// The cells of a line of a table.
std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');)
        result.push_back(cell);
    return result;
}

/// A submission of one lab with one case.
Submission one_case(const Case& one) {
    Submission submission;
    submission.student = "ada";
    submission.labs.resize(1);
    submission.labs[0].lab = "lab1";
    submission.labs[0].cases = {one};
    return submission;
}

Case failing(const std::string& text) {
    Case one = case_of("a case", Status::fail, 0, 1, text);
    one.output = text;
    return one;
}

Submission all_skipped() {
    Submission submission = one_case(case_of("a", Status::skipped, 0, 0, "no such device"));
    submission.labs[0].cases.push_back(case_of("b", Status::skipped, 0, 0, "no such device"));
    return submission;
}

} // namespace

TEST_CASE("a page contains only its own markup, whatever a submission contains") {
    const Page plain(report::to_html(some_submission()));
    std::set<std::string> own;
    for (const auto& [name, nodes] : plain.elements.found)
        own.insert(name);
    CHECK(own.count("script") + own.count("img") + own.count("link") == 0);
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const std::string html = report::to_html(submission_of(text));
        REQUIRE(is_utf8(html));
        CHECK(unseen_character(html).empty());
        CHECK(first_command(html).empty());
        Page page(html);
        CHECK(page.elements.others == plain.elements.others); // the document type, no comments
        std::size_t marks = 1;                                // <!DOCTYPE html>
        for (const auto& element : page.elements.found) {
            const std::string& name = element.first;
            const auto& nodes = element.second;
            CAPTURE(name);
            CHECK(own.count(name) == 1);
            marks += name == "meta" ? nodes.size() : 2 * nodes.size();
            for (const pugi::xml_node node : nodes) {
                for (const pugi::xml_attribute attribute : node.attributes()) {
                    const std::string key = attribute.name();
                    const std::string given = attribute.value();
                    CAPTURE(key);
                    CHECK(key.compare(0, 2, "on") != 0);
                    CHECK(key != "style");
                    CHECK(key != "src");
                    if (key == "href")
                        CHECK(given.compare(0, 5, "#lab-") == 0);
                    if (!text.empty() && text != " ")
                        CHECK(given.find(text) == std::string::npos);
                }
            }
        }
        CHECK(times(html, "<") == marks);
        CHECK(times(html, "/>") == page.elements.found["meta"].size()); // <p/> is no end to HTML
    }
}

TEST_CASE("a page shows texts unchanged") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        if (text == " ") // reading XML drops it
            continue;
        Page page(report::to_html(submission_of(text)));
        const auto has_text = [&](const char* element, const std::string& expected) {
            const auto texts = page.texts(element);
            return std::find(texts.begin(), texts.end(), expected) != texts.end();
        };
        const std::string part = text.substr(0, 5000);
        CHECK(has_text("bdi", report::visible_line(part, 200)));
        CHECK(has_text("h3", report::visible_line(text, 200)));
        CHECK(has_text("li", report::visible("x" + part, 1000)));
        if (!text.empty()) {
            CHECK(has_text("pre", report::visible(text, 8192)));
            CHECK(has_text("pre", report::visible(text, 4096)));
            CHECK(has_text("p", "Hint: " + report::visible(text, 2048)));
        }
    }
}

TEST_CASE("a page forbids browsers to load or run anything") {
    const std::string html = report::to_html(some_submission());
    CHECK(html.compare(0, 15, "<!DOCTYPE html>") == 0);
    Page page(html);
    std::vector<std::string> policies;
    for (const auto meta : page.elements.found["meta"]) {
        if (std::string(meta.attribute("http-equiv").value()) == "Content-Security-Policy")
            policies.emplace_back(meta.attribute("content").value());
    }
    CHECK(policies == std::vector<std::string>{"default-src 'none'; style-src 'unsafe-inline'"});
    const std::string style = page.texts("style").at(0);
    CHECK_FALSE(has(style, "url("));
    CHECK_FALSE(has(style, "@import"));
    CHECK(style.find_first_of("<>&") == std::string::npos); // HTML has no entities there
    CHECK(has(html, style));
    CHECK(has(style, "prefers-color-scheme: dark"));
    CHECK(has(style, "@media print"));
}

TEST_CASE("a page shows all details of a case") {
    Page page(report::to_html(some_submission()));
    CHECK(page.texts("title") == std::vector<std::string>{"12 of 42 points: ada"});
    REQUIRE(page.elements.found["article"].size() == 15);
    const auto fails = page.elements.found["article"][1];
    CHECK(std::string(fails.attribute("class").value()) == "case fail");
    const auto title = fails.child("div");
    CHECK(std::string(title.child("span").text().get()) == "failed");
    CHECK(std::string(title.child("h3").text().get()) == "fails");
    CHECK(std::string(title.last_child().text().get()) == "1 of 4");
    CHECK(std::string(fails.child("pre").text().get()) == "wrong <here> & \"there\"\nand more");
    CHECK(std::string(fails.child("p").child("code").text().get()) == "kernels/sum.cl:12");
    CHECK(std::string(fails.find_child_by_attribute("class", "hint").text().get()) ==
          "Hint: look twice\nand then again");
    CHECK(std::string(fails.find_child_by_attribute("class", "faint").text().get()) ==
          "Last launches: sum (4096\xC3\x97"
          "2\xC3\x97"
          "1 work-items, work-groups of 64)");
    CHECK(std::string(fails.last_child().text().get()) == "printed ]]> <b>\n");
    std::vector<std::string> badges;
    for (std::size_t i = 0; i < 7; ++i)
        badges.emplace_back(
            page.elements.found["article"][i].child("div").child("span").text().get());
    CHECK(badges == std::vector<std::string>{"passed", "failed", "error",
                                             "undecided, counts as passed", "blocked", "skipped",
                                             "skipped"});
    const auto cells = page.texts("td");
    for (const char* cell : {"6 of 21", "2 of 7", "0 of 1", "labs/lab3/sum.cpp does not compile",
                             "data-race", "two work-items", "5.500", "1.25", "1.00 to 2.00"}) {
        CAPTURE(std::string(cell));
        CHECK(std::count(cells.begin(), cells.end(), cell) > 0);
    }
}

TEST_CASE("a page is brief about a case that passed") {
    Case passes = case_of("passes", Status::pass, 1, 1);
    passes.hint = "never needed";
    passes.output = "chatter";
    const std::string html = report::to_html(one_case(passes));
    CHECK_FALSE(has(html, "never needed"));
    CHECK_FALSE(has(html, "chatter"));
    CHECK(has(html, "1 of 1 cases passed"));
}

TEST_CASE("a page is readable without seeing it") {
    Page page(report::to_html(some_submission()));
    CHECK(std::string(page.document.child("html").attribute("lang").value()) == "en");
    CHECK(page.elements.found["h1"].size() == 1);
    CHECK(page.elements.found["main"].size() == 1);
    std::set<std::string> ids;
    for (const auto heading : page.elements.found["h2"]) {
        if (const auto id = heading.attribute("id"))
            CHECK(ids.insert(id.value()).second);
    }
    CHECK(ids.size() == 3);
    for (const auto section : page.elements.found["section"])
        CHECK(ids.count(section.attribute("aria-labelledby").value()) == 1);
    for (const auto link : page.elements.found["a"])
        CHECK(ids.count(link.attribute("href").value() + 1) == 1);
    for (const auto table : page.elements.found["table"])
        CHECK_FALSE(table.child("caption").empty());
    for (const auto heading : page.elements.found["th"])
        CHECK_FALSE(heading.attribute("scope").empty());
    for (const auto block : page.elements.found["pre"]) { // scrollable, so it must take the focus
        CHECK(std::string(block.attribute("tabindex").value()) == "0");
        CHECK_FALSE(block.attribute("aria-label").empty());
    }
}

TEST_CASE("a page without results says so") {
    CHECK(has(report::to_html({}), "No lab was graded."));
    CHECK(has(report::to_html({}), "0 of 0 points"));
    Submission no_cases;
    no_cases.labs.resize(1);
    CHECK(has(report::to_html(no_cases), "no case was run"));
    CHECK(has(report::to_html(all_skipped()), "0 of 0 points"));
    CHECK(times(report::to_html(all_skipped()), ">skipped<") == 2);
}

TEST_CASE("a page stays small even if texts are long") {
    const std::string html = report::to_html(one_case(failing(std::string(1 << 20, 'x'))));
    CHECK(html.size() < 40000);
    CHECK(has(html, "... 1040384 bytes more"));
    CHECK(has(html, "... 1044480 bytes more"));
}

TEST_CASE("a summary contains only its own markup, whatever a submission contains") {
    const std::vector<std::string> beginnings{"# ",
                                              "## ",
                                              "### ",
                                              "- Note: ",
                                              "Sandbox for student code",
                                              "In ",
                                              "Hint: ",
                                              "The code printed:",
                                              "Graded by "};
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const std::string markdown = report::to_markdown(submission_of(text));
        REQUIRE(is_utf8(markdown));
        CHECK(unseen_character(markdown).empty());
        CHECK(first_command(markdown).empty());
        CHECK(markdown.size() <= 1024 * 1024);
        const Markdown parts(markdown);
        std::size_t rows = 0;
        for (const std::string& line : parts.outside) {
            CAPTURE(line.substr(0, 300));
            CHECK(markup_in(line).empty());
            if (!line.empty() && line[0] == '|') {
                const std::size_t columns = cells(line).size();
                CHECK((columns == 3 || columns == 4));
                ++rows;
            } else if (!line.empty()) { // every other line begins with our own words
                const bool own = std::any_of(
                    beginnings.begin(), beginnings.end(),
                    [&](const std::string& begin) { return line.rfind(begin, 0) == 0; });
                CHECK(own);
            }
        }
        CHECK(rows == 2 + 3 + 3 * 2 + 15);
    }
}

TEST_CASE("a summary shows texts unchanged, except for blanks that break links and commands") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        Case one = failing(text);
        one.name = text;
        const std::string markdown = report::to_markdown(one_case(one));
        const Markdown parts(markdown);
        const std::string name = without_blanks(report::visible_line(text, 200));
        bool found = false;
        for (const std::string& line : parts.outside)
            found = found || (line.rfind("### ", 0) == 0 &&
                              without_blanks(rendered(line)) == "###fail:" + name);
        CHECK(found);
        REQUIRE(parts.fenced.size() == (text.empty() ? 0 : 2));
        if (!text.empty()) {
            const auto shown = [](std::string expected) {
                if (expected.empty() || expected.back() != '\n')
                    expected += '\n';
                return without_blanks(expected);
            };
            CHECK(without_blanks(parts.fenced[0]) == shown(report::visible(text, 8192)));
            CHECK(without_blanks(parts.fenced[1]) == shown(report::visible(text, 4096)));
        }
    }
}

TEST_CASE("the summary tests' own checks detect markup") {
    for (const char* line :
         {"a <b>", "`x`", "[a](b)", "a *b*", "\\", "see \\@ada", "\\#12", "a|b", "http://x",
          "&copy;", "| a | <b> |", "## \\\\`x`", "www.evil.example"}) {
        CAPTURE(std::string(line));
        CHECK_FALSE(markup_in(line).empty());
    }
    CHECK(markup_in("## a \\* b \\@ ada &lt; \\# 12").empty());
}

TEST_CASE("a summary has the points, the tables and the failures") {
    const std::string markdown = report::to_markdown(some_submission());
    CHECK(markdown.rfind("# 12 of 42 points: ada\n", 0) == 0);
    CHECK(has(markdown, "| lab1: Sums | 6 of 21 | 2 of 7 |  |\n"));
    CHECK(has(markdown, "| lab3 | 0 of 0 | 0 of 1 | labs/lab3/sum.cpp does not compile |\n"));
    CHECK(has(markdown, "- Note: labs/lab1/extra.cpp was not taken: the lab has no such file\n"));
    CHECK(has(markdown, "Sandbox for student code: a sandbox\n"));
    CHECK(has(markdown, "## lab2: Sums\n"));
    CHECK(times(markdown, "| fails | fail | 1 of 4 |\n") == 2);
    CHECK(has(markdown, "### fail: fails\n\n```text\nwrong <here> & \"there\"\nand more\n```\n\n"
                        "In kernels/sum.cl:12\n\nHint: look twice and then again\n\n"
                        "The code printed:\n\n```text\nprinted ]]> <b>\n```\n"));
    CHECK_FALSE(has(markdown, "### pass"));
    CHECK_FALSE(has(markdown, "### inconclusive"));
    CHECK(has(report::to_markdown({}), "No lab was graded."));
    CHECK(has(report::to_markdown(all_skipped()), "| a | skipped | 0 of 0 |"));
}

TEST_CASE("a summary never exceeds the limit for a step, and says what is missing") {
    Submission submission = one_case(failing(std::string(8000, '`') + "\n::x\n##[y"));
    submission.labs[0].cases.resize(400, submission.labs[0].cases[0]);
    const std::string markdown = report::to_markdown(submission);
    CHECK(markdown.size() <= 1024 * 1024);
    CHECK(markdown.size() > 900 * 1024);
    CHECK(has(markdown, "See report.html for the rest"));
    const Markdown parts(markdown); // no fence is left open
    CHECK(parts.fenced.size() > 10);

    submission.labs[0].cases.assign(20000, case_of(std::string(200, 'x'), Status::pass, 1, 1));
    CHECK(report::to_markdown(submission).size() < 10000); // the table has no room at all
    CHECK(has(report::to_markdown(submission), "See report.html for the rest"));
    CHECK_FALSE(has(report::to_markdown(some_submission()), "See report.html for the rest"));
}

TEST_CASE("JUnit has one suite per lab") {
    pugi::xml_document document;
    REQUIRE(document.load_string(report::to_junit(some_submission()).c_str()));
    const auto suites = document.child("testsuites");
    CHECK(std::string(suites.attribute("name").value()) == "ada");
    CHECK(suites.attribute("tests").as_int() == 15);
    CHECK(suites.attribute("failures").as_int() == 4);
    CHECK(suites.attribute("errors").as_int() == 3);
    CHECK(suites.attribute("skipped").as_int() == 4);
    CHECK(suites.attribute("time").as_double() == 0.5);
    std::vector<std::string> names;
    for (const auto suite : suites.children("testsuite"))
        names.emplace_back(suite.attribute("name").value());
    CHECK(names == std::vector<std::string>{"lab1", "lab2", "lab3"});
    const auto last = suites.last_child();
    CHECK(last.attribute("errors").as_int() == 1);
    CHECK(std::string(last.child("testcase").child("error").attribute("message").value()) ==
          "labs/lab3/sum.cpp does not compile");

    REQUIRE(document.load_string(report::to_junit(Submission()).c_str()));
    CHECK(document.child("testsuites").attribute("tests").as_int() == 0);
    REQUIRE(document.load_string(report::to_junit(all_skipped()).c_str()));
    CHECK(document.child("testsuites").attribute("skipped").as_int() == 2);
}

TEST_CASE("JUnit has texts as plain text, whatever a submission contains") {
    for (const std::string& text : hostile_texts()) {
        CAPTURE(text.substr(0, 100));
        const std::string junit = report::to_junit(submission_of(text));
        REQUIRE(is_utf8(junit));
        CHECK(unseen_character(junit).empty());
        CHECK(first_command(junit).empty());
        CHECK_FALSE(has(junit, "<![CDATA["));
        for (int code = 0; code < 32; ++code) { // not even as a character reference
            if (code != '\t' && code != '\n')
                CHECK_FALSE(has(junit, "&#" + std::to_string(code) + ";"));
        }
        pugi::xml_document document;
        REQUIRE(document.load_string(junit.c_str(), pugi::parse_full | pugi::parse_ws_pcdata));
        const auto suites = document.child("testsuites");
        CHECK(suites.attribute("name").value() == report::visible_line(text.substr(0, 5000), 200));
        const auto fails = std::next(suites.child("testsuite").children("testcase").begin());
        CHECK(fails->attribute("name").value() == report::visible_line(text, 200));
        const std::string body = fails->child("failure").text().get();
        CHECK(body.rfind(report::visible(text, 8192), 0) == 0);
        if (!text.empty())
            CHECK(fails->child("system-out").text().get() == report::visible(text, 4096));
    }
}
