#include "report/drawing.hpp"

#include "report/picture.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace report {
namespace {

constexpr double margin_of_drawing = 16;
/// Upper bounds: of 12 px monospace, and of 14 px bold sans-serif on average.
constexpr double width_of_letter = 7.3;
constexpr double width_of_title_letter = 8.8;

/// The colors have a contrast of at least 4.5 to their page.
constexpr const char* drawing_style = R"(
.trace { background: var(--page); --page: #ffffff; --ink: #1b1f24; --soft: #57606a; --edge: #8c959f; --fill: #ddf4ff;
  --strong: #0550ae; --bad: #a40e26; --bad-fill: #ffebe9; --band: #eaeef2; }
@media (prefers-color-scheme: dark) { .trace { --page: #0d1117; --ink: #e6edf3; --soft: #9198a1;
  --edge: #6e7681; --fill: #10304f; --strong: #79b8ff; --bad: #ffa198; --bad-fill: #3c1618;
  --band: #1c2128; } }
@media print { .trace { max-width: 100%; height: auto; max-height: 95vh; --page: #ffffff; --ink: #000000; --soft: #333333; --edge: #555555;
  --fill: #e6e6e6; --strong: #000000; --bad: #8a0a1d; --bad-fill: #ffffff; --band: #f0f0f0; } }
.trace text { white-space: pre; fill: var(--ink); font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
.trace .title { font: bold 14px system-ui, sans-serif; }
.trace .code, .trace .note, .trace .title, .trace .index, .trace .bad { paint-order: stroke;
  stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
.trace .note { fill: var(--soft); font: 12px system-ui, sans-serif; }
.trace .index { fill: var(--soft); font-size: 10px; }
.trace .bad { fill: var(--bad); font-weight: bold; }
.trace rect { fill: var(--page); stroke: var(--edge); }
.trace rect.background { stroke: none; }
.trace .changed rect { fill: var(--fill); stroke: var(--strong); stroke-width: 2; }
.trace .changed text { font-weight: bold; }
.trace .unknown rect { stroke-dasharray: 3 3; }
.trace .unknown text { fill: var(--soft); }
.trace .wrong rect, .trace .race rect { fill: var(--bad-fill); stroke: var(--bad);
  stroke-width: 3; }
.trace .race rect { stroke-dasharray: 6 2; }
.trace .wrong text, .trace .race text { fill: var(--bad); font-weight: bold; }
.trace .flow { stroke: var(--edge); fill: none; }
.trace .problem { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 6 3; fill: none; }
.trace .barrier { stroke: var(--soft); stroke-dasharray: 1 4; }
.trace .held { stroke: var(--strong); stroke-width: 4; }
.trace .share { fill: var(--band); stroke: var(--edge); stroke-width: 0.5; }
)";

std::string pixels(double number) {
    std::ostringstream text;
    text << std::round(number * 10) / 10;
    return text.str();
}

void put(pugi::xml_node node, const char* name, double value) {
    node.append_attribute(name) = pixels(value).c_str();
}

void put_text(pugi::xml_node node, const std::string& text) {
    node.append_child(pugi::node_pcdata).set_value(visible_line(text, 200).c_str());
}

} // namespace

const char* style_of_pictures() { return drawing_style; }

Drawing::Drawing() : svg_(document_.append_child("svg")) {
    behind_ = svg_.append_child("g");
    front_ = svg_.append_child("g");
}

void Drawing::grow(Point corner) {
    size_.x = std::max(size_.x, corner.x);
    size_.y = std::max(size_.y, corner.y);
}

void Drawing::text(Point at, const std::string& text, const char* kind) {
    pugi::xml_node node = front_.append_child("text");
    put(node, "x", at.x);
    put(node, "y", at.y);
    node.append_attribute("class") = kind;
    put_text(node, text);
    const double letter =
        std::string_view(kind) == "title" ? width_of_title_letter : width_of_letter;
    grow({at.x + letter * static_cast<double>(text.size()), at.y + 4});
}

void Drawing::centered(Point at, const std::string& text, const char* kind) {
    pugi::xml_node node = front_.append_child("text");
    put(node, "x", at.x);
    put(node, "y", at.y);
    node.append_attribute("text-anchor") = "middle";
    node.append_attribute("class") = kind;
    put_text(node, text);
}

void Drawing::box(const Box& box, const std::string& text, const std::string& kind) {
    pugi::xml_node group = front_.append_child("g");
    group.append_attribute("class") = kind.c_str();
    pugi::xml_node rectangle = group.append_child("rect");
    put(rectangle, "x", box.at.x);
    put(rectangle, "y", box.at.y);
    put(rectangle, "width", box.width);
    put(rectangle, "height", box.height);
    put(rectangle, "rx", 3);
    pugi::xml_node words = group.append_child("text");
    put(words, "x", box.at.x + box.width / 2);
    put(words, "y", box.at.y + box.height / 2 + 4);
    words.append_attribute("text-anchor") = "middle";
    put_text(words, text);
    grow({box.at.x + box.width, box.at.y + box.height});
}

void Drawing::line(Point from, Point to, const char* kind) {
    pugi::xml_node node = behind_.append_child("line");
    put(node, "x1", from.x);
    put(node, "y1", from.y);
    put(node, "x2", to.x);
    put(node, "y2", to.y);
    node.append_attribute("class") = kind;
}

void Drawing::arrow(Point from, Point to, const char* kind) {
    pugi::xml_node node = behind_.append_child("path");
    const std::string head = pixels(to.x) + " " + pixels(to.y);
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    const auto barb = [&](double turn) {
        constexpr double length = 6;
        return "M" + head + " L" + pixels(to.x - length * std::cos(angle + turn)) + " " +
               pixels(to.y - length * std::sin(angle + turn));
    };
    const std::string path = "M" + pixels(from.x) + " " + pixels(from.y) + " L" + head + " " +
                             barb(0.4) + " " + barb(-0.4);
    node.append_attribute("d") = path.c_str();
    node.append_attribute("class") = kind;
}

void Drawing::curve(Point from, Point to, const char* kind) {
    pugi::xml_node node = front_.append_child("path");
    const Point middle{(from.x + to.x) / 2, std::min(from.y, to.y) - 14};
    const std::string path = "M" + pixels(from.x) + " " + pixels(from.y) + " Q" + pixels(middle.x) +
                             " " + pixels(middle.y) + " " + pixels(to.x) + " " + pixels(to.y) +
                             " m-5 -6 l5 6 l5 -6";
    node.append_attribute("d") = path.c_str();
    node.append_attribute("class") = kind;
}

void Drawing::area(const std::vector<Point>& corners, const char* kind) {
    std::string points;
    for (const Point& corner : corners)
        points += (points.empty() ? "" : " ") + pixels(corner.x) + "," + pixels(corner.y);
    pugi::xml_node node = behind_.append_child("polygon");
    node.append_attribute("points") = points.c_str();
    node.append_attribute("class") = kind;
}

std::string Drawing::finish(const std::string& title, const std::string& description) {
    const double width = size_.x + margin_of_drawing;
    const double height = size_.y + margin_of_drawing;
    svg_.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
    svg_.append_attribute("class") = "trace";
    svg_.append_attribute("role") = "img";
    svg_.append_attribute("viewBox") = ("0 0 " + pixels(width) + " " + pixels(height)).c_str();
    put(svg_, "width", width);
    put(svg_, "height", height);
    pugi::xml_node background = svg_.prepend_child("rect");
    background.append_attribute("class") = "background";
    background.append_attribute("width") = "100%";
    background.append_attribute("height") = "100%";
    svg_.prepend_child("style").append_child(pugi::node_pcdata).set_value(drawing_style);
    svg_.prepend_child("desc")
        .append_child(pugi::node_pcdata)
        .set_value(visible(description).c_str());
    svg_.prepend_child("title")
        .append_child(pugi::node_pcdata)
        .set_value(visible_line(title).c_str());
    std::ostringstream out;
    document_.save(out, " ", pugi::format_default | pugi::format_no_declaration);
    return out.str();
}

} // namespace report
