#include "report/result.hpp"
#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <pugixml.hpp>
#include <sstream>

namespace report {
namespace {

/// The counts of a suite, or the sums of several.
struct Counts {
    unsigned tests = 0;
    unsigned failures = 0;
    unsigned errors = 0;
    unsigned skipped = 0;
    double seconds = 0;
};

Counts count(const std::vector<Case>& cases) {
    Counts counts;
    for (const Case& one : cases) {
        ++counts.tests;
        counts.failures += one.status == Status::fail || one.status == Status::blocked ? 1 : 0;
        counts.errors += one.status == Status::error ? 1 : 0;
        counts.skipped += one.status == Status::skipped ? 1 : 0;
        counts.seconds += finite(one.seconds);
    }
    return counts;
}

/// Returns a decimal number such as "0.000057": the schemas do not allow exponents.
std::string decimal(double seconds) { return std::to_string(finite(seconds)); }

void add_counts(pugi::xml_node node, const Counts& counts) {
    node.append_attribute("tests") = counts.tests;
    node.append_attribute("failures") = counts.failures;
    node.append_attribute("errors") = counts.errors;
    node.append_attribute("skipped") = counts.skipped;
    node.append_attribute("time") = decimal(counts.seconds).c_str();
}

void add_text(pugi::xml_node node, const std::string& text) {
    node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

void add_body(pugi::xml_node node, const char* element, const Case& one) {
    pugi::xml_node body = node.append_child(element);
    body.append_attribute("message") = visible_line(first_line(one.message), line_limit).c_str();
    std::string text = visible(one.message, message_limit);
    if (!one.file.empty())
        text += "\n" + place(one.file, one.line);
    add_text(body, text);
}

Counts add_suite(pugi::xml_node suites, const Result& result) {
    const std::vector<Case> cases = shown_cases(result);
    const Counts counts = count(cases);
    const std::string lab = visible_line(result.lab, name_limit);
    pugi::xml_node suite = suites.append_child("testsuite");
    suite.append_attribute("name") = lab.c_str();
    add_counts(suite, counts);
    pugi::xml_node property = suite.append_child("properties").append_child("property");
    property.append_attribute("name") = "harness";
    property.append_attribute("value") = product().c_str();
    for (const Case& one : cases) {
        pugi::xml_node node = suite.append_child("testcase");
        node.append_attribute("classname") = lab.c_str();
        node.append_attribute("name") = visible_line(one.name, name_limit).c_str();
        node.append_attribute("time") = decimal(one.seconds).c_str();
        if (one.status == Status::fail || one.status == Status::blocked)
            add_body(node, "failure", one);
        else if (one.status == Status::error)
            add_body(node, "error", one);
        else if (one.status == Status::skipped)
            add_body(node, "skipped", one);
        if (!one.output.empty())
            add_text(node.append_child("system-out"), visible(one.output, output_limit));
    }
    return counts;
}

pugi::xml_node begin(pugi::xml_document& document) {
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    return document.append_child("testsuites");
}

std::string saved(const pugi::xml_document& document) {
    std::ostringstream text;
    document.save(text, "  ");
    return without_commands(text.str(), marks_in_markup);
}

} // namespace

std::string to_junit(const Result& result) {
    pugi::xml_document document;
    add_suite(begin(document), result);
    return saved(document);
}

std::string to_junit(const Submission& submission) {
    pugi::xml_document document;
    pugi::xml_node suites = begin(document);
    suites.append_attribute("name") = visible_line(submission.student, name_limit).c_str();
    Counts sums;
    for (const Result& lab : submission.labs) {
        const Counts counts = add_suite(suites, lab);
        sums.tests += counts.tests;
        sums.failures += counts.failures;
        sums.errors += counts.errors;
        sums.skipped += counts.skipped;
        sums.seconds += counts.seconds;
    }
    add_counts(suites, sums);
    return saved(document);
}

} // namespace report
