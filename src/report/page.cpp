#include "report/page.hpp"

#include "report/shown_cases.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace report::page {
namespace {

constexpr const char* common_style = R"(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --faint: #57606a;
  --line: #d0d7de; --panel: #f6f8fa; --link: #0550ae; --good: #116329; --good-page: #dafbe1;
  --bad: #a40e26; --bad-page: #ffebe9; --unsure: #6a4700; --unsure-page: #fff3c4;
  --fill: #0969da; --rest: #d0d7de; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3;
  --faint: #9198a1; --line: #3d444d; --panel: #161b22; --link: #79b8ff; --good: #7ee787;
  --good-page: #12301c; --bad: #ffa198; --bad-page: #3c1618; --unsure: #f2cc60;
  --unsure-page: #33290e; --fill: #58a6ff; --rest: #3d444d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.375rem; line-height: 1.3; }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1.125rem; line-height: 1.35; }
h4, h5 { margin: 0; font-size: 1rem; line-height: 1.4; }
section + section h2 { padding-top: 1.5rem; border-top: 1px solid var(--line); }
a { color: var(--link); }
p { margin: 0.5rem 0; }
ul { margin: 0.5rem 0; padding-left: 1.25rem; }
.score { font-size: 1.5rem; font-weight: 600; }
.faint { color: var(--faint); font-size: 0.875rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin: 0.75rem 0; }
caption { text-align: left; color: var(--faint); font-size: 0.875rem; }
th, td { padding: 0.375rem 0.5rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
thead th { background: var(--panel); font-size: 0.875rem; }
tbody th { min-width: 7rem; font-weight: inherit; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.reason { padding: 0.5rem 1rem; border-radius: 0.375rem; background: var(--bad-page);
  color: var(--bad); white-space: pre-wrap; }
details { margin: 0.5rem 0; }
summary { padding: 0.25rem 0; cursor: pointer; }
pre, .code { margin: 0.5rem 0; padding: 0.5rem 0.75rem; overflow: auto; border-radius: 0.375rem;
  background: var(--panel); font: 0.8125rem/1.5 ui-monospace, monospace; tab-size: 4;
  overflow-wrap: normal; }
pre { max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: 0.875em ui-monospace, monospace; }
.bar { display: block; width: 100%; height: 0.75rem; margin: 0.25rem 0; }
.bar .rest { fill: var(--rest); }
.bar .mine { fill: var(--fill); }
.bar .other { fill: var(--faint); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (forced-colors: active) { .bar .rest { fill: Canvas; stroke: CanvasText; }
  .bar .mine, .bar .other { fill: CanvasText; } }
@media print { :root { color-scheme: light; --page: #ffffff; --text: #000000; --faint: #444444;
  --line: #999999; --panel: #f4f4f4; --link: #000000; --good: #0b4a1e; --good-page: #ffffff;
  --bad: #8a0a1d; --bad-page: #ffffff; --unsure: #4d3400; --unsure-page: #ffffff;
  --fill: #444444; --rest: #dddddd; }
  body { max-width: none; padding: 0; font-size: 10pt; } pre { max-height: none; }
  pre, .code { border: 1px solid var(--line); } svg { print-color-adjust: exact; }
  h2, h3, h4, h5, summary { break-after: avoid; } tr, li { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; } }
)";

} // namespace

Node add(Node parent, const char* element, const char* kind) {
    Node node = parent.append_child(element);
    if (*kind != '\0')
        node.append_attribute("class") = kind;
    return node;
}

// An element with text, even "", is never written as <p/>, which HTML takes for an opening tag.
void write(Node node, const std::string& text) {
    node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

Node add_text(Node parent, const char* element, const std::string& text, const char* kind) {
    Node node = add(parent, element, kind);
    write(node, text);
    return node;
}

void set(Node node, const char* attribute, const std::string& value) {
    node.append_attribute(attribute) = value.c_str();
}

Node add_heading(Node parent, int level, const std::string& text) {
    return add_text(parent, ("h" + std::to_string(std::clamp(level, 1, 6))).c_str(), text);
}

Node add_region(Node parent, const char* element, const std::string& label, const char* kind) {
    Node region = add(parent, element, kind);
    set(region, "tabindex", "0");
    set(region, "role", "region");
    set(region, "aria-label", label);
    return region;
}

Node add_details(Node parent, const std::string& text, const char* kind) {
    Node details = add(parent, "details", kind);
    add_text(details, "summary", text);
    return details;
}

Node add_table(Node parent, const char* label, const std::string& caption,
               const std::vector<Column>& columns) {
    Node table = add(add_region(parent, "div", label, "scroll"), "table");
    add_text(table, "caption", caption);
    Node row = add(add(table, "thead"), "tr");
    for (const Column& column : columns) {
        Node heading = add_text(row, "th", column.heading, column.number ? "number" : "");
        set(heading, "scope", "col");
    }
    return add(table, "tbody");
}

void add_bar(Node parent, double fraction, const std::string& text, const char* kind) {
    Node bar = add(parent, "svg", "bar");
    set(bar, "viewBox", "0 0 1000 10");
    set(bar, "preserveAspectRatio", "none");
    set(bar, "role", "img");
    set(bar, "aria-label", text);
    const auto add_part = [&](const char* part, int width) {
        Node rectangle = add_text(bar, "rect", "", part);
        set(rectangle, "width", std::to_string(width));
        set(rectangle, "height", "10");
    };
    add_part("rest", 1000);
    add_part(kind, static_cast<int>(std::lround(1000 * std::clamp(finite(fraction), 0.0, 1.0))));
}

Node begin(pugi::xml_document& document, const std::string& title, const std::string& style) {
    document.append_child(pugi::node_doctype).set_value("html");
    Node html = document.append_child("html");
    set(html, "lang", "en");
    Node head = add(html, "head");
    set(head.append_child("meta"), "charset", "utf-8");
    const auto add_meta = [&](const char* kind, const char* name, const char* content) {
        Node meta = head.append_child("meta");
        set(meta, kind, name);
        set(meta, "content", content);
    };
    add_meta("http-equiv", "Content-Security-Policy",
             "default-src 'none'; style-src 'unsafe-inline'");
    add_meta("name", "viewport", "width=device-width, initial-scale=1");
    add_meta("name", "referrer", "no-referrer");
    add_text(head, "title", title);
    add_text(head, "style", std::string(common_style) + style);
    return add(html, "body");
}

std::string finish(const pugi::xml_document& document) {
    std::ostringstream text;
    // Indented markup would add blanks to preformatted text.
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
    return without_commands(text.str() + "\n", marks_in_markup);
}

} // namespace report::page
