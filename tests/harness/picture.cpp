#include "report/picture.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <pugixml.hpp>
#include <string>

using report::Picture;

namespace {

using Kind = wire::TracedAccess::Kind;

std::uint64_t bits(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

wire::TracedAccess access(Kind kind, std::size_t item, std::size_t phase,
                          wire::TracedElement element, float value) {
    wire::TracedAccess one;
    one.kind = kind;
    one.item = item;
    one.phase = phase;
    one.line = 2;
    one.element = element;
    one.name = "temp[" + std::to_string(element.index) + "]";
    one.value = {bits(value)};
    return one;
}

/// Two work-items store 1 and 2 in local memory; after a barrier, work-item 0 adds them.
Picture some_picture() {
    Picture::Launch launch;
    launch.source = {"__kernel void add(...) {", "    temp[lid] += <\"'&> temp[lid + 1];", "}"};
    launch.trace.kernel = "add";
    launch.trace.groups = 1;
    launch.trace.group_size = 2;
    wire::TracedArray temp;
    temp.name = "temp";
    temp.local = true;
    temp.elements = 2;
    launch.trace.arrays = {temp};
    launch.buffers = {0};
    launch.trace.barriers = {{0, 0, 3, {}}};
    auto& accesses = launch.trace.accesses;
    accesses.push_back(access(Kind::store, 0, 0, {0, 0}, 1));
    accesses.push_back(access(Kind::store, 1, 0, {0, 1}, 2));
    accesses.push_back(access(Kind::load, 0, 1, {0, 0}, 1));
    accesses.push_back(access(Kind::load, 0, 1, {0, 1}, 2));
    accesses.push_back(access(Kind::store, 0, 1, {0, 0}, 3));
    accesses.back().from = {{0, 0}, {0, 1}};
    Picture picture;
    picture.title = "some lab, n = 2";
    picture.launches = {launch};
    picture.result = {{3, 3, false}};
    return picture;
}

pugi::xml_document drawn(const Picture& picture) {
    pugi::xml_document document;
    const std::string svg = to_svg(picture);
    CAPTURE(svg);
    REQUIRE(document.load_string(svg.c_str()));
    CHECK(std::string(document.document_element().name()) == "svg");
    return document;
}

std::size_t count(const pugi::xml_document& document, const std::string& path) {
    return document.select_nodes(path.c_str()).size();
}

std::string description(const pugi::xml_document& document) {
    return document.document_element().child("desc").text().get();
}

} // namespace

TEST_CASE("a picture shows each step, with an arrow from every element that a value is made of") {
    const pugi::xml_document document = drawn(some_picture());
    CHECK(count(document, "//g[@class='cell changed']") == 3);
    CHECK(count(document, "//g[@class='cell']") == 2); // temp[1] in the second step, the result
    CHECK(count(document, "//path[@class='flow']") == 2);
    CHECK(count(document, "//path[@class='problem']") == 0);
    CHECK(count(document, "//text[text()='barrier, line 3']") == 1);
}

TEST_CASE("a picture shows which work-items do not reach a barrier") {
    Picture picture = some_picture();
    CHECK_FALSE(report::shows_mistake(picture));
    picture.launches[0].trace.group_size = 4;
    picture.launches[0].trace.barriers = {{0, 0, 3, {1}}};
    CHECK(report::shows_mistake(picture));
    pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//line[@class='problem']") == 1);
    CHECK(count(document, "//text[@class='bad' and text()='barrier, line 3: not reached by "
                          "work-item 1']") == 1);
    CHECK(description(document).find("After a barrier not reached by work-item 1, temp becomes") !=
          std::string::npos);
    picture.launches[0].trace.barriers = {{0, 0, 3, {1, 2, 3}}};
    document = drawn(picture);
    CHECK(description(document).find("not reached by work-items 1 to 3,") != std::string::npos);
    picture.launches[0].trace.barriers = {{0, 0, 3, {0, 1, 3}}};
    document = drawn(picture);
    CHECK(description(document).find("not reached by work-items 0, 1 and 3,") != std::string::npos);
}

TEST_CASE("a picture says in words what it shows") {
    const pugi::xml_document document = drawn(some_picture());
    const pugi::xml_node svg = document.document_element();
    CHECK(std::string(svg.attribute("role").value()) == "img");
    CHECK(std::string(svg.child("title").text().get()) == "some lab, n = 2");
    CHECK(description(document).find(
              "After a barrier, temp becomes [0]=3 from temp[0] and temp[1], [1]=2, line 2") !=
          std::string::npos);
}

TEST_CASE("a picture shows the right value beside a wrong one") {
    Picture picture = some_picture();
    Picture::Launch& launch = picture.launches[0];
    launch.expected = launch.trace.accesses;
    CHECK(count(drawn(picture), "//g[@class='cell wrong']") == 0);
    launch.expected.back().value = {bits(4)};
    const pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//g[@class='cell wrong']") == 1);
    CHECK(count(document, "//text[@class='bad' and text()='not 4']") == 1);
    CHECK(description(document).find(
              "temp becomes [0]=3 (not 4) from temp[0] and temp[1], [1]=2") != std::string::npos);
}

/// A launch of two groups, each of which stores a float in a buffer, and the right second one.
Picture picture_of_buffer(float second, float right) {
    Picture picture = some_picture();
    Picture::Launch& launch = picture.launches[0];
    wire::TracedArray sums;
    sums.name = "sums";
    sums.argument = 1;
    sums.elements = 2;
    launch.trace.groups = 2;
    launch.trace.arrays.push_back(sums);
    launch.buffers.push_back(1);
    launch.trace.accesses.push_back(access(Kind::store, 0, 1, {1, 0}, 3));
    launch.trace.accesses.push_back(access(Kind::store, 0, 1, {1, 1}, second));
    launch.trace.accesses.back().group = 1;
    if (second != right)
        launch.right[{1, 1}] = {bits(right)};
    return picture;
}

TEST_CASE("a picture marks what a launch leaves wrong in a buffer") {
    CHECK(count(drawn(picture_of_buffer(7, 7)), "//g[@class='cell wrong']") == 0);
    const pugi::xml_document document = drawn(picture_of_buffer(7, 12));
    // After the launch, and where the group that is drawn, the first wrong one, stores it.
    CHECK(count(document, "//g[@class='cell wrong']") == 2);
    CHECK(count(document, "//text[@class='bad' and text()='not 12']") == 2);
    CHECK(count(document, "//text[contains(text(), 'local memory of work-group 1')]") == 1);
    CHECK(description(document).find("sums holds [0]=3 [1]=7 (not 12)") != std::string::npos);
}

TEST_CASE("a picture shows words of several parts in hexadecimal digits") {
    Picture picture = picture_of_buffer(7, 7);
    Picture::Launch& launch = picture.launches[0];
    launch.trace.arrays[1].numbers = wire::TracedArray::Numbers::without_sign;
    launch.trace.accesses.back().value = {0x24188};
    CHECK(description(drawn(picture)).find("[1]=0x24188") != std::string::npos);
    launch.trace.accesses.back().value = {24188};
    CHECK(description(drawn(picture)).find("[1]=24188") != std::string::npos);
}

TEST_CASE("a picture marks races, with both sides") {
    Picture picture = some_picture();
    auto& accesses = picture.launches[0].trace.accesses;
    for (wire::TracedAccess& one : accesses)
        one.phase = 0;
    accesses[3].race = 1; // reads what work-item 1 has written
    const pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//path[@class='problem']") == 1);
    CHECK(count(document, "//g[@class='cell race']") == 1);
    CHECK(description(document).find(
              "work-item 1 writes temp[1] (line 2) and work-item 0 reads it (line 2)") !=
          std::string::npos);
}

TEST_CASE("a picture marks what is outside or uninitialized") {
    Picture picture = some_picture();
    auto& accesses = picture.launches[0].trace.accesses;
    accesses[2].uninitialized = true;
    accesses[3].outside = true;
    accesses[3].element.index = 7;
    accesses[3].name = "temp[7]";
    const std::string text = description(drawn(picture));
    CHECK(text.find("temp[0] (line 2), which holds no value yet") != std::string::npos);
    CHECK(text.find("temp[7] (line 2), which is outside: there are 2 elements") !=
          std::string::npos);
}

TEST_CASE("a picture shows the expected value beside a wrong one") {
    Picture picture = some_picture();
    picture.result = {{3, 4, true}};
    picture.message = "wrong sum";
    const pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//g[@class='cell wrong']") == 1);
    CHECK(count(document, "//text[text()='not 3']") == 1);
    CHECK(description(document).find("expected 3") != std::string::npos);
}

TEST_CASE("a picture of turns shows the holder of a lock, and a lost update") {
    Picture picture = some_picture();
    wire::Trace& trace = picture.launches[0].trace;
    trace.arrays[0].local = false;
    trace.arrays[0].numbers = wire::TracedArray::Numbers::with_sign;
    trace.groups = 2;
    trace.accesses.clear();
    const auto add = [&](Kind kind, std::size_t group, std::int64_t index, std::uint64_t before,
                         std::uint64_t after) {
        wire::TracedAccess one = access(kind, 0, 0, {0, index}, 0);
        one.group = group;
        one.before = {before};
        one.value = {after};
        one.operation = kind == Kind::atomic ? "atomic_xchg" : "";
        if (kind == Kind::store)
            one.from = {{0, index}};
        trace.accesses.push_back(one);
    };
    add(Kind::atomic, 0, 0, 0, 1); // takes the lock
    add(Kind::load, 0, 1, 0, 5);
    add(Kind::load, 1, 1, 0, 5); // without the lock
    add(Kind::store, 1, 1, 5, 6);
    add(Kind::store, 0, 1, 6, 7);
    add(Kind::atomic, 0, 0, 1, 0);
    add(Kind::atomic, 1, 0, 0, 0);
    const pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//line[@class='held']") == 5);
    CHECK(count(document, "//g[@class='cell wrong']") == 1);
    CHECK(description(document).find("overwrites what work-item 0 of group 1 stored at line 2") !=
          std::string::npos);
}

TEST_CASE("a picture of nothing, and one of hostile texts, are valid images") {
    CHECK(count(drawn({}), "//svg") == 1);
    Picture picture = some_picture();
    picture.title = picture.message = "]]></svg><script>\x1b\xff</script>";
    picture.launches[0].trace.kernel = picture.message;
    picture.launches[0].trace.arrays[0].name = picture.message;
    const pugi::xml_document document = drawn(picture);
    CHECK(count(document, "//script") == 0);
}

TEST_CASE("a picture of a trace whose numbers make no sense is still an image") {
    Picture picture = some_picture();
    auto& accesses = picture.launches[0].trace.accesses;
    accesses[4].from = {{0, -5}, {0, 1000}};
    accesses[4].line = 1000;
    accesses[4].element.index = 1 << 30;
    accesses[3].race = 0;
    picture.launches[0].source.clear();
    CHECK(count(drawn(picture), "//svg") == 1);
}
