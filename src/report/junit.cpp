#include "report/result.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

namespace report {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void add_body(pugi::xml_node node, const char* element, const Case& one) {
    pugi::xml_node body = node.append_child(element);
    body.append_attribute("message") = printable(first_line(one.message)).c_str();
    std::string text = one.message;
    if (!one.file.empty())
        text += "\n" + one.file + ":" + std::to_string(one.line);
    body.append_child(pugi::node_pcdata).set_value(printable(text).c_str());
}

} // namespace

std::string to_junit(const Result& result) {
    const auto count = [&](auto... statuses) {
        return std::count_if(result.cases.begin(), result.cases.end(),
                             [&](const Case& one) { return ((one.status == statuses) || ...); });
    };
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
    suite.append_attribute("name") = result.lab.c_str();
    suite.append_attribute("tests") = static_cast<unsigned>(result.cases.size());
    suite.append_attribute("failures") = static_cast<int>(count(Status::fail, Status::blocked));
    suite.append_attribute("errors") = static_cast<int>(count(Status::error));
    suite.append_attribute("skipped") = static_cast<int>(count(Status::skipped));
    double seconds = 0;
    for (const Case& one : result.cases)
        seconds += one.seconds;
    suite.append_attribute("time") = seconds;

    for (const Case& one : result.cases) {
        pugi::xml_node node = suite.append_child("testcase");
        node.append_attribute("classname") = result.lab.c_str();
        node.append_attribute("name") = printable(one.name).c_str();
        node.append_attribute("time") = one.seconds;
        if (one.status == Status::fail || one.status == Status::blocked)
            add_body(node, "failure", one);
        else if (one.status == Status::error)
            add_body(node, "error", one);
        else if (one.status == Status::skipped)
            add_body(node, "skipped", one);
        if (!one.output.empty())
            node.append_child("system-out")
                .append_child(pugi::node_pcdata)
                .set_value(printable(one.output).c_str());
    }
    std::ostringstream text;
    document.save(text, "  ");
    return text.str();
}

} // namespace report
