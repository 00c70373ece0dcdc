#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

/// What the HTML pages have in common: a document without scripts that loads nothing, in the same
/// colors. All text is escaped. Labels never contain a student's text.
namespace report::page {

using Node = pugi::xml_node;

/// Adds an empty element of class `kind`, "" for none.
Node add(Node parent, const char* element, const char* kind = "");

/// Adds `text` itself.
void write(Node node, const std::string& text);

/// Adds an element that contains `text`.
Node add_text(Node parent, const char* element, const std::string& text, const char* kind = "");

void set(Node node, const char* attribute, const std::string& value);

/// Adds a heading of this level, from 1 to 6.
Node add_heading(Node parent, int level, const std::string& text);

/// Adds a box with this name that scrolls on its own, also with the keyboard.
Node add_region(Node parent, const char* element, const std::string& label, const char* kind = "");

/// Adds a closed box that opens without a script, and returns it. Its summary contains `text`.
Node add_details(Node parent, const std::string& text, const char* kind = "");

struct Column {
    const char* heading = "";
    bool number = false;
};

/// Adds a table in a region with this label, with its headings, and returns its body.
Node add_table(Node parent, const char* label, const std::string& caption,
               const std::vector<Column>& columns);

/// Adds a bar of which `fraction` is filled. `text` says in words what it shows.
void add_bar(Node parent, double fraction, const std::string& text, const char* kind);

/// Starts a page in `document` and returns its body. `style` is added to the common style and
/// contains none of <, > and &, which HTML and XML parse differently there.
Node begin(pugi::xml_document& document, const std::string& title, const std::string& style = "");

/// Returns the finished page as text.
std::string finish(const pugi::xml_document& document);

} // namespace report::page
