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

/// What an escaped character at `i` would mean without its escape on a service's page; "" if
/// nothing.
std::string mention_at(const std::string& text, std::size_t i) {
    if (text[i] == '@' && i + 1 < text.size() && text[i + 1] != ' ')
        return "a name: " + text.substr(i, 10);
    if (text[i] == '#' && i + 1 < text.size() && std::isalnum(text[i + 1]) != 0)
        return "an issue: " + text.substr(i, 10);
    return {};
}

/// Markup in a line of Markdown that should have only our own; "" if there is none.
std::string markup_in(const std::string& line) {
    std::string text = line;
    for (const std::string own : {"### ", "## ", "# "}) {
        if (text.starts_with(own)) {
            text.erase(0, own.size());
            break;
        }
    }
    if (!text.empty() && text.front() == '|') { // pipes are counted elsewhere
        std::ranges::replace(text, '|', ' ');
        if (text.find_first_not_of(" -:") == std::string::npos)
            return {};
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size() &&
            std::string("\\`*_[]!#~@$").find(text[i + 1]) != std::string::npos) {
            ++i;
            if (std::string mention = mention_at(text, i); !mention.empty())
                return mention;
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
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* link : {"://", "www.e", "gh-1", "@e", "@s", "#1"}) {
        if (has(small, link))
            return link;
    }
    return {};
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
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

/// Whether no heading is more than one level below the one before it.
bool headings_in_order(const pugi::xml_document& page) {
    int before = 0;
    for (const auto node : page.select_nodes("//h1|//h2|//h3|//h4|//h5|//h6")) {
        const int level = node.node().name()[1] - '0';
        if (level > before + 1)
            return false;
        before = level;
    }
    return before != 0;
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
    CHECK(own.count("script") + own.count("img") + !own.contains("link"));
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
                    CHECK(!key.starts_with("on"));
                    CHECK(key != "style");
                    CHECK(key != "src");
                    if (key == "href")
                        CHECK(given.starts_with("#lab-"));
                    if (!text.empty() && text != " ")
                        CHECK(given.find(text) == std::string::npos);
                }
            }
        }
        CHECK(times(html, "<") == marks);
        CHECK(times(html, "/>") ==
              page.elements.found["meta"].size()); // HTML ignores the / of <p/>
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
            return std::ranges::find(texts, expected) != texts.end();
        };
        const std::string part = text.substr(0, 5000);
        CHECK(has_text("bdi", report::visible_line(part, 200)));
        CHECK(has_text("span", report::visible_line(text, 200)));
        CHECK(has_text("li", report::visible("x" + part, 1000)));
        if (!text.empty()) {
            CHECK(has_text("pre", report::visible(text, 4096)));
            CHECK(has_text("p", report::visible(text, 2048)));
        }
    }
}

TEST_CASE("a page shows all lines of a message: what it says, and code that it quotes") {
    for (const std::string text :
         {"wrong sum\nexpected 1, got 2", "wrong\n  12 | code;\nmore\n  13 |   x",
          "f.cl:1:2: error\n  1 | no;\n      ^~~",
          " | no number\n^ no caret: a\n 99999999999999 | x"}) {
        CAPTURE(text);
        Case fails = failing(text);
        fails.output.clear();
        Page page(report::to_html(one_case(fails)));
        std::string shown = page.texts("h4").at(0) + "\n";
        for (const char* element : {"p", "pre"}) {
            for (const std::string& part : page.texts(element))
                shown += part + "\n";
        }
        for (const std::string& line : lines_of(text))
            CHECK_MESSAGE(has(shown, line), line);
    }
}

TEST_CASE("a page forbids browsers to load or run anything") {
    const std::string html = report::to_html(some_submission());
    CHECK(html.starts_with("<!DOCTYPE html>"));
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

TEST_CASE("a page begins with what to fix first") {
    Page page(report::to_html(some_submission()));
    CHECK(page.texts("title") == std::vector<std::string>{"12 of 42 points: ada"});
    const auto start = page.document.child("html").child("body").child("main").child("p");
    CHECK(std::string(start.child("a").text().get()) == "lab1: Sums");
    CHECK(std::string(start.last_child().value()) == ": wrong <here> & \"there\" (3 points)");
    const auto section = page.elements.found["section"].at(0);
    CHECK(std::string(section.child("h3").text().get()) == "Fix this first");
    const auto first = section.child("article");
    CHECK(std::string(first.child("h4").text().get()) == "wrong <here> & \"there\" (3 points)");
    CHECK(std::string(first.child("p").child("span").text().get()) == "failed");
    CHECK(std::string(first.find_child_by_attribute("p", "class", "says").text().get()) ==
          "and more");
    // Everything else that is wrong comes after it and is folded.
    CHECK(std::string(first.next_sibling().text().get()) == "Then");
    const auto second = first.next_sibling().next_sibling();
    CHECK(std::string(second.child("h4").text().get()) == "no answer (5 points)");
    const auto folded = second.child("h4").next_sibling();
    CHECK(std::string(folded.name()) == "details");
    CHECK(folded.attribute("open").empty());
    CHECK(folded == second.last_child());
}

TEST_CASE("a page shows all details of a case") {
    Page page(report::to_html(some_submission()));
    const auto first = page.elements.found["article"].at(0);
    const auto folded = [&](const std::string& summary) {
        return first.find_child([&](const pugi::xml_node& node) {
            return std::string(node.child("summary").text().get()) == summary;
        });
    };
    CHECK(std::string(folded("Hint").child("p").text().get()) == "look twice\nand then again");
    CHECK(std::string(folded("What the code printed").child("pre").text().get()) ==
          "printed ]]> <b>\n");
    CHECK(std::string(first.find_child_by_attribute("class", "faint").text().get()) ==
          "Last launches: sum (4096\xC3\x97"
          "2\xC3\x97"
          "1 work-items, work-groups of 64)");
    CHECK(std::string(first.last_child().child("code").text().get()) ==
          "./harness --seed 18446744073709551615 -tc=\"fails\"");
    const auto picture = first.find_child_by_attribute("class", "picture scroll").child("svg");
    CHECK(std::string(picture.child("rect").attribute("width").value()) == "9");
    std::vector<std::string> badges;
    for (const auto node : page.elements.found["section"].at(0).select_nodes(".//span")) {
        if (std::string(node.node().attribute("class").value()).compare(0, 6, "badge ") == 0)
            badges.emplace_back(node.node().text().get());
    }
    CHECK(badges == std::vector<std::string>{"failed", "error: no verdict",
                                             "blocked by another mistake", "passed",
                                             "unsure, counts as passed", "skipped", "skipped"});
    const auto cells = page.texts("td");
    for (const char* cell : {"6 of 21", "2 of 7", "0 of 1", "77", "70", "1.10 \xC3\x97"}) {
        CAPTURE(std::string(cell));
        CHECK(std::ranges::count(cells, cell) > 0);
    }
    const std::string html = report::to_html(some_submission());
    for (const char* text : {"labs/lab3/sum.cpp does not compile", "data race: two work-items",
                             "0.00 GB/s, 5.500 ms", "1.25 times as long (from 1.00 to 2.00 in 11"})
        CHECK_MESSAGE(has(html, text), std::string(text));
}

TEST_CASE("a page shows the lines of the kernel that a case and a finding name") {
    report::Result lab = formats::some_result("lab1");
    lab.cases[0] = case_of("no data race", Status::fail, 0, 3,
                           "kernels/sum.cl:7: data race: two work-items (n = 1)\n"
                           "   7 | line 7 of <sum>;\n   8 | line 8 of <sum>;\n   9 | else");
    lab.cases[0].file = "kernels/sum.cl";
    lab.cases[0].line = 7;
    lab.cases[0].finding = "data-race";
    Page page(report::to_html(lab));
    const auto first = page.elements.found["article"].at(0);
    CHECK(std::string(first.child("h3").text().get()) ==
          "Data race at kernels/sum.cl:7 (3 points)");
    CHECK(std::string(first.find_child_by_attribute("p", "class", "says").text().get()) ==
          "two work-items (n = 1)");
    const auto code = first.find_child_by_attribute("class", "code");
    std::vector<std::string> lines;
    for (const auto list : code.children("ol")) {
        CHECK(std::string(list.attribute("start").value()) == "3");
        for (const auto item : list.children("li"))
            lines.emplace_back(std::string(item.child("code").text().get()) + "|" +
                               item.child("span").text().get());
    }
    const std::string arrow = "\xE2\x96\xB2 ";
    REQUIRE(lines.size() == 11);
    CHECK(lines[0] == "line 3 of <sum>;|");
    CHECK(lines[4] == "line 7 of <sum>;|" + arrow + "one side of the race");
    CHECK(lines[6] == "line 9 of <sum>;|" + arrow + "the other side of the race");
    // The message need not repeat the lines that are shown, but other quotes stay.
    CHECK(std::string(first.child("pre").text().get()) == "   9 | else");

    lab.findings[0].other_line = 7;
    CHECK(has(report::to_html(lab), arrow + "both sides of the race"));
    lab.sources[0].text = "no such line";
    const Page other(report::to_html(lab));
    CHECK_FALSE(other.document.select_node("//article//*[@class='code']"));
}

TEST_CASE("a page copies only shapes and text of a picture") {
    Case fails = failing("wrong");
    fails.trace = R"svg(<?x y?><!-- no --><svg onload="alert(1)" viewBox="0 0 1 1">
        <script>alert(1)</script><g style="x" fill="url(http://e)"><text x="1">a &lt; b</text></g>
        <image href="http://e"/><foreignObject><p>no</p></foreignObject>
        <use xlink:href="#a"/><style>p { color: red }</style><path d="M0 0"/></svg><b>no</b>)svg";
    const std::string html = report::to_html(one_case(fails));
    CHECK(has(html, R"(<svg viewBox="0 0 1 1"><g><text x="1">a &lt; b</text></g>)"
                    R"(<path d="M0 0"></path></svg></div>)"));
    for (const char* dropped : {"alert", "http:", "onload", "<use", "red", "<b>", "foreign"})
        CHECK_MESSAGE(!has(html, dropped), std::string(dropped));
    fails.trace = "<svg>unfinished";
    CHECK(has(report::to_html(one_case(fails)), "wrong"));
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
    for (const bool is_lab : {false, true}) {
        CAPTURE(is_lab);
        Page page(is_lab ? report::to_html(formats::some_result("lab1"))
                         : report::to_html(some_submission()));
        CHECK(std::string(page.document.child("html").attribute("lang").value()) == "en");
        CHECK(page.elements.found["h1"].size() == 1);
        CHECK(page.elements.found["header"].size() == 1);
        CHECK(page.elements.found["main"].size() == 1);
        std::set<std::string> ids;
        for (const auto heading : page.elements.found["h2"]) {
            if (const auto id = heading.attribute("id"))
                CHECK(ids.insert(id.value()).second);
        }
        CHECK(ids.size() == (is_lab ? 0 : 3));
        for (const auto section : page.elements.found["section"])
            CHECK(ids.count(section.attribute("aria-labelledby").value()) == 1);
        for (const auto link : page.elements.found["a"])
            CHECK(ids.count(link.attribute("href").value() + 1) == 1);
        for (const auto table : page.elements.found["table"])
            CHECK_FALSE(table.child("caption").empty());
        for (const auto heading : page.elements.found["th"])
            CHECK_FALSE(heading.attribute("scope").empty());
        for (const auto& [name, nodes] : page.elements.found) {
            for (const auto node : nodes) { // what scrolls must take the focus
                const std::string kind = node.attribute("class").value();
                const bool scrolls = name == "pre" || kind == "code" || has(kind, "scroll");
                CHECK(scrolls == (std::string(node.attribute("tabindex").value()) == "0"));
                CHECK(scrolls == (std::string(node.attribute("role").value()) == "region"));
                if (scrolls || name == "svg")
                    CHECK((!node.attribute("aria-label").empty() ||
                           has(node.parent().attribute("class").value(), "picture")));
            }
        }
        CHECK(headings_in_order(page.document));
    }
}

TEST_CASE("a page without results says so") {
    CHECK(has(report::to_html(Submission()), "No lab was graded."));
    CHECK(has(report::to_html(Submission()), "0 of 0 points"));
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
            } else if (!line.empty()) { // all other lines begin with our own words
                const bool own = std::ranges::any_of(
                    beginnings, [&](const std::string& begin) { return line.starts_with(begin); });
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
            found = found || (line.starts_with("### ") &&
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
    CHECK(markdown.starts_with("# 12 of 42 points: ada\n"));
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
    CHECK(has(report::to_markdown(all_skipped()), "| a | skipped | optional |"));
}

TEST_CASE("a summary never exceeds the limit for a step, and says what is missing") {
    Submission submission = one_case(failing(std::string(8000, '`') + "\n::x\n##[y"));
    submission.labs[0].cases.resize(400, submission.labs[0].cases[0]);
    const std::string markdown = report::to_markdown(submission);
    CHECK(markdown.size() <= 1024 * 1024);
    CHECK(markdown.size() > 900 * 1024);
    CHECK(has(markdown, "The rest does not fit into this summary: see report.html"));
    const Markdown parts(markdown); // no fence is left open
    CHECK(parts.fenced.size() > 10);

    submission.labs[0].cases.assign(20000, case_of(std::string(200, 'x'), Status::pass, 1, 1));
    CHECK(report::to_markdown(submission).size() < 10000); // the table has no room at all
    CHECK(has(report::to_markdown(submission),
              "The rest does not fit into this summary: see report.html"));
    CHECK_FALSE(has(report::to_markdown(some_submission()),
                    "The rest does not fit into this summary: see report.html"));
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
        CHECK(body.starts_with(report::visible(text, 8192)));
        if (!text.empty())
            CHECK(fails->child("system-out").text().get() == report::visible(text, 4096));
    }
}
