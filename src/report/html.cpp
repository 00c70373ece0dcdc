#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <iomanip>
#include <pugixml.hpp>
#include <sstream>

namespace report {
namespace {

/// Without <, > and &, which HTML and XML parse differently here.
constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --faint: #57606a;
  --line: #d0d7de; --panel: #f6f8fa; --link: #0550ae; --good: #116329; --good-page: #dafbe1;
  --bad: #a40e26; --bad-page: #ffebe9; --unsure: #6a4700; --unsure-page: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3;
  --faint: #9198a1; --line: #3d444d; --panel: #161b22; --link: #79b8ff; --good: #7ee787;
  --good-page: #12301c; --bad: #ffa198; --bad-page: #3c1618; --unsure: #f2cc60;
  --unsure-page: #33290e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 64rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { margin: 0; font-size: 1rem; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.875rem; color: var(--faint); }
a { color: var(--link); }
p { margin: 0.5rem 0; }
.score { font-size: 1.5rem; font-weight: 600; }
.faint { color: var(--faint); font-size: 0.875rem; }
.scroll { overflow-x: auto; }
th { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; margin: 0.75rem 0; }
caption { text-align: left; color: var(--faint); font-size: 0.875rem; }
th, td { padding: 0.375rem 0.625rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
thead th { background: var(--panel); font-size: 0.875rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.case { margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line);
  border-left: 0.375rem solid var(--line); border-radius: 0.375rem; }
.case.pass { padding: 0.375rem 1rem; border-left-color: var(--good); }
.case.fail, .case.error { border-left-color: var(--bad); }
.case.blocked, .case.inconclusive { border-left-color: var(--unsure); }
.title { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.title h3 { flex: 1 1 16rem; }
.badge { padding: 0 0.5rem; border-radius: 1rem; background: var(--panel); font-size: 0.8125rem;
  font-weight: 600; }
.badge.pass { background: var(--good-page); color: var(--good); }
.badge.fail, .badge.error { background: var(--bad-page); color: var(--bad); }
.badge.blocked, .badge.inconclusive { background: var(--unsure-page); color: var(--unsure); }
.reason { padding: 0.5rem 1rem; border-radius: 0.375rem; background: var(--bad-page);
  color: var(--bad); white-space: pre-wrap; }
.hint { padding-left: 0.75rem; border-left: 3px solid var(--line); white-space: pre-wrap; }
pre { margin: 0.5rem 0; padding: 0.625rem 0.75rem; max-height: 24rem; overflow: auto;
  border-radius: 0.375rem; background: var(--panel); font: 0.8125rem/1.45 ui-monospace, monospace;
  white-space: pre-wrap; tab-size: 4; }
code { font: 0.875em ui-monospace, monospace; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media print { :root { color-scheme: light; --page: #ffffff; --text: #000000; --faint: #444444;
  --line: #999999; --panel: #f4f4f4; --link: #000000; --good: #0b4a1e; --good-page: #ffffff;
  --bad: #8a0a1d; --bad-page: #ffffff; --unsure: #4d3400; --unsure-page: #ffffff; }
  body { max-width: none; padding: 0; font-size: 10pt; } pre { max-height: none; }
  .badge { border: 1px solid; } h2, h3, h4 { break-after: avoid; }
  .case.pass, tr { break-inside: avoid; } }
)";

using Node = pugi::xml_node;

/// Adds text to `node`. An element with text, even "", is never written as <p/>, which HTML takes
/// for an opening tag.
void write(Node node, const std::string& text) {
    node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

Node add(Node parent, const char* element, const char* kind = "") {
    Node node = parent.append_child(element);
    if (*kind != '\0')
        node.append_attribute("class") = kind;
    return node;
}

Node add_text(Node parent, const char* element, const std::string& text, const char* kind = "") {
    Node node = add(parent, element, kind);
    write(node, text);
    return node;
}

/// Adds preformatted text that can be scrolled, also with the keyboard.
void add_block(Node parent, const std::string& text, const char* label) {
    Node block = add(parent, "pre");
    block.append_attribute("tabindex") = "0";
    block.append_attribute("role") = "region";
    block.append_attribute("aria-label") = label;
    write(block, text);
}

struct Column {
    const char* heading;
    bool number = false;
};

/// Adds a table with its headings, and returns its body.
Node add_table(Node parent, const char* caption, const std::vector<Column>& columns) {
    Node table = add(add(parent, "div", "scroll"), "table");
    add_text(table, "caption", caption);
    Node row = add(add(table, "thead"), "tr");
    for (const Column& column : columns) {
        Node heading = add_text(row, "th", column.heading, column.number ? "number" : "");
        heading.append_attribute("scope") = "col";
    }
    return add(table, "tbody");
}

std::string name_of(const std::string& text) { return visible_line(text, name_limit); }

std::string with_digits(double number, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << finite(number);
    return text.str();
}

const char* word(Status status) {
    switch (status) {
    case Status::pass:
        return "passed";
    case Status::fail:
        return "failed";
    case Status::error:
        return "error";
    case Status::inconclusive:
        return "undecided, counts as passed";
    case Status::blocked:
        return "blocked";
    case Status::skipped:
        return "skipped";
    }
    return "error";
}

std::string size(const std::array<std::size_t, 3>& size) {
    std::string text = std::to_string(size[0]);
    for (std::size_t i = 1; i < 3 && (size[1] > 1 || size[2] > 1); ++i)
        text += "\xC3\x97" + std::to_string(size.at(i));
    return text;
}

std::string show_launch(const wire::Launch& launch) {
    return name_of(launch.kernel) + " (" + size(launch.global_size) + " work-items, " +
           (launch.work_group_size[0] == 0 ? "work-groups chosen by the device"
                                           : "work-groups of " + size(launch.work_group_size)) +
           ")";
}

std::string show_launches(const std::vector<wire::Launch>& launches) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(launches.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + show_launch(launches[i]);
    return text + (launches.size() > most
                       ? " and " + std::to_string(launches.size() - most) + " more"
                       : "");
}

void add_case(Node parent, const Case& one) {
    const std::string kind = to_string(one.status);
    Node article = add(parent, "article", ("case " + kind).c_str());
    Node title = add(article, "div", "title");
    add_text(title, "span", word(one.status), ("badge " + kind).c_str());
    add_text(title, "h3", name_of(one.name));
    add_text(title, "span", points(one.score, one.max_score), "number");
    if (!one.message.empty())
        add_block(article, visible(one.message, message_limit), "message");
    if (!one.file.empty()) {
        Node line = add_text(article, "p", "in ");
        add_text(line, "code", place(one.file, one.line));
    }
    if (is_shown_as_passed(one))
        return;
    if (!one.hint.empty())
        add_text(article, "p", "Hint: " + visible(one.hint, hint_limit), "hint");
    if (!one.launches.empty())
        add_text(article, "p", "Last launches: " + show_launches(one.launches), "faint");
    if (!one.output.empty()) {
        add_text(article, "h4", "What the code printed");
        add_block(article, visible(one.output, output_limit), "what the code printed");
    }
}

void add_findings(Node parent, const std::vector<Finding>& findings) {
    if (findings.empty())
        return;
    Node body =
        add_table(parent, "Findings of the kernel analysis", {{"kind"}, {"place"}, {"what"}});
    for (const Finding& finding : findings) {
        Node row = add(body, "tr");
        add_text(row, "td", name_of(finding.kind));
        add_text(add(row, "td"), "code", place(finding.file, finding.line));
        add_text(row, "td", visible(finding.message, line_limit));
    }
}

void add_timings(Node parent, const std::vector<Timing>& timings) {
    if (timings.empty())
        return;
    Node body = add_table(parent, "Times",
                          {{"case"},
                           {"elements", true},
                           {"milliseconds", true},
                           {"compared with"},
                           {"times as long", true},
                           {"smallest to largest", true}});
    for (const Timing& timing : timings) {
        Node row = add(body, "tr");
        add_text(row, "td", name_of(timing.name));
        add_text(row, "td", std::to_string(timing.elements), "number");
        add_text(row, "td", with_digits(timing.nanoseconds / 1e6, 3), "number");
        add_text(row, "td", name_of(timing.baseline));
        add_text(row, "td", with_digits(timing.ratio, 2), "number");
        add_text(row, "td",
                 with_digits(timing.ratio_low, 2) + " to " + with_digits(timing.ratio_high, 2),
                 "number");
    }
}

std::string heading(const Result& lab) {
    return name_of(lab.lab) + (lab.title.empty() ? "" : ": " + name_of(lab.title));
}

void add_lab(Node parent, const Result& lab, const std::string& id) {
    const std::vector<Case> cases = shown_cases(lab);
    Node section = add(parent, "section");
    section.append_attribute("aria-labelledby") = id.c_str();
    add_text(section, "h2", heading(lab)).append_attribute("id") = id.c_str();
    add_text(section, "p",
             points(lab.score(), lab.max_score()) + " points, " +
                 points(static_cast<int>(passed_cases(cases)), static_cast<int>(cases.size())) +
                 " cases passed");
    const std::string remark = remark_on(lab);
    if (!remark.empty())
        add_text(section, "p", visible(remark, message_limit), "reason");
    std::string facts = "seed " + std::to_string(lab.seed);
    if (!lab.device.empty())
        facts += ", device " + name_of(lab.device);
    if (!lab.protection.empty())
        facts += ", sandbox: " + name_of(lab.protection);
    if (const std::string revision = revision_of(lab); !revision.empty())
        facts += ", " + revision;
    add_text(section, "p", facts, "faint");
    for (const Case& one : cases)
        add_case(section, one);
    add_findings(section, lab.findings);
    add_timings(section, lab.timings);
}

void add_overview(Node parent, const std::vector<Result>& labs) {
    Node body = add_table(parent, "All labs",
                          {{"lab"}, {"points", true}, {"cases passed", true}, {"remark"}});
    for (std::size_t i = 0; i < labs.size(); ++i) {
        const std::vector<Case> cases = shown_cases(labs[i]);
        Node row = add(body, "tr");
        Node name = add(row, "th");
        name.append_attribute("scope") = "row";
        Node link = add_text(name, "a", heading(labs[i]));
        link.append_attribute("href") = ("#lab-" + std::to_string(i + 1)).c_str();
        add_text(row, "td", points(labs[i].score(), labs[i].max_score()), "number");
        add_text(row, "td",
                 points(static_cast<int>(passed_cases(cases)), static_cast<int>(cases.size())),
                 "number");
        add_text(row, "td", visible(remark_on(labs[i]), line_limit));
    }
}

void add_head(Node html, const std::string& title) {
    Node head = add(html, "head");
    head.append_child("meta").append_attribute("charset") = "utf-8";
    const auto add_meta = [&](const char* kind, const char* name, const char* content) {
        Node meta = head.append_child("meta");
        meta.append_attribute(kind) = name;
        meta.append_attribute("content") = content;
    };
    add_meta("http-equiv", "Content-Security-Policy",
             "default-src 'none'; style-src 'unsafe-inline'");
    add_meta("name", "viewport", "width=device-width, initial-scale=1");
    add_meta("name", "referrer", "no-referrer");
    add_text(head, "title", title);
    add_text(head, "style", style);
}

} // namespace

std::string to_html(const Submission& submission) {
    const std::string score = points(submission.score(), submission.max_score()) + " points";
    const std::string student = name_of(submission.student);
    pugi::xml_document document;
    document.append_child(pugi::node_doctype).set_value("html");
    Node html = document.append_child("html");
    html.append_attribute("lang") = "en";
    add_head(html, score + ": " + student);
    Node body = add(html, "body");
    Node header = add(body, "header");
    add_text(add(header, "h1"), "bdi", student); // can be written from right to left
    add_text(header, "p", score, "score");
    if (!submission.protection.empty())
        add_text(header, "p",
                 "Sandbox for student code: " + visible_line(submission.protection, line_limit),
                 "faint");
    add_text(header, "p", "Graded by " + product(), "faint");
    Node main = add(body, "main");
    if (submission.labs.empty())
        add_text(main, "p", "No lab was graded.", "reason");
    else
        add_overview(main, submission.labs);
    if (!submission.remarks.empty()) {
        add_text(main, "h2", "About the files");
        Node list = add(main, "ul");
        for (const std::string& remark : submission.remarks)
            add_text(list, "li", visible(remark, line_limit));
    }
    for (std::size_t i = 0; i < submission.labs.size(); ++i)
        add_lab(main, submission.labs[i], "lab-" + std::to_string(i + 1));
    std::ostringstream text;
    document.save(text, " ", pugi::format_default | pugi::format_no_declaration);
    return without_commands(text.str(), marks_in_markup);
}

} // namespace report
