#pragma once

#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

namespace report {

/// A point in pixels, from the upper left corner.
struct Point {
    double x = 0;
    double y = 0;
};

/// A rectangle that holds text.
struct Box {
    Point at; ///< its upper left corner
    double width = 0;
    double height = 0;

    Point top() const { return {at.x + width / 2, at.y}; }
    Point bottom() const { return {at.x + width / 2, at.y + height}; }
    Point right() const { return {at.x + width, at.y + height / 2}; }
};

/// An SVG image that grows with what is drawn. It is readable on light and dark pages and in print;
/// nothing in it depends on color alone.
class Drawing {
  public:
    Drawing();

    /// Text that begins, or is centered, at a point on its base line. `kind` is one of the classes
    /// of the style: "title", "code", "note", "index", "bad".
    void text(Point at, const std::string& text, const char* kind);
    void centered(Point at, const std::string& text, const char* kind);
    /// A box with centered text. `kind`: "cell", and "changed", "unknown", "wrong", "race".
    void box(const Box& box, const std::string& text, const std::string& kind);
    void arrow(Point from, Point to, const char* kind);
    /// An arrow over what lies between two points.
    void curve(Point from, Point to, const char* kind);
    void line(Point from, Point to, const char* kind);
    void area(const std::vector<Point>& corners, const char* kind);

    /// Returns the image. `description` says in words what it shows, for readers who cannot see it.
    std::string finish(const std::string& title, const std::string& description);

  private:
    void grow(Point corner);

    pugi::xml_document document_;
    pugi::xml_node svg_;
    pugi::xml_node behind_; ///< areas and arrows, under the boxes
    pugi::xml_node front_;
    Point size_;
};

} // namespace report
