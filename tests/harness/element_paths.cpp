#include "grader/element_paths.hpp"

#include <bit>
#include <doctest/doctest.h>

namespace {

using grader::TracedLaunch;
using grader::where_doubled;
using grader::where_lost;
using grader::where_made;
using grader::where_overwritten;
using Kind = wire::TracedAccess::Kind;

constexpr std::size_t data = 0;
constexpr std::size_t tmp = 1;
constexpr std::size_t result = 2;
constexpr std::uint64_t data_buffer = 10;
constexpr std::uint64_t result_buffer = 11;
constexpr float value = 7; ///< of the element that is followed

/// A launch of a kernel with a buffer, local memory and a buffer for its results.
class Launch {
  public:
    explicit Launch(std::size_t lanes = 1, std::uint64_t from = data_buffer,
                    std::uint64_t to = result_buffer) {
        launch_.trace.kernel = "reduce";
        launch_.arguments.resize(3);
        launch_.arguments[data].buffer = from;
        launch_.arguments[result].buffer = to;
        for (const char* name : {"data", "tmp", "result"}) {
            wire::TracedArray array;
            array.name = name;
            array.local = array.name == "tmp";
            array.argument = static_cast<int>(launch_.trace.arrays.size());
            array.lanes = lanes;
            launch_.trace.arrays.push_back(array);
        }
    }

    /// Work-item `item` loads an element of an array at a line.
    Launch& load(std::size_t item, std::size_t array, std::int64_t index, int line) {
        return add(Kind::load, item, array, index, line);
    }
    /// It stores a value that is made of `from`, with these lanes.
    Launch& store(std::size_t item, std::size_t array, std::int64_t index, int line,
                  const std::vector<wire::TracedElement>& from,
                  const std::vector<float>& lanes = {value}) {
        add(Kind::store, item, array, index, line);
        wire::TracedAccess& access = launch_.trace.accesses.back();
        access.from = from;
        for (const float lane : lanes)
            access.value.push_back(std::bit_cast<std::uint32_t>(lane));
        return *this;
    }
    operator TracedLaunch() const { return launch_; } // NOLINT(google-explicit-constructor)

  private:
    Launch& add(Kind kind, std::size_t item, std::size_t array, std::int64_t index, int line) {
        wire::TracedAccess access;
        access.kind = kind;
        access.item = item;
        access.line = line;
        access.element = {array, index};
        access.name = launch_.trace.arrays[array].name + "[" + std::to_string(index) + "]";
        launch_.trace.accesses.push_back(access);
        return *this;
    }

    TracedLaunch launch_;
};

/// Element 1 is copied to local memory, by lines 3.
Launch copying() { return Launch().load(1, data, 1, 3).store(1, tmp, 1, 3, {{data, 1}}); }

std::string loss(const std::vector<TracedLaunch>& launches, std::size_t element = 1) {
    const auto found = where_lost(launches, {element, value});
    return found ? found->text : "";
}

} // namespace

TEST_CASE("an element that reaches a result is not lost") {
    CHECK(loss({copying().load(0, tmp, 1, 5).store(0, result, 0, 6, {{tmp, 1}})}).empty());
}

TEST_CASE("an element that nothing reads has no path") {
    CHECK(loss({}).empty());
    CHECK(loss({Launch()}).empty());
    CHECK(loss({copying()}, 2).empty());
}

TEST_CASE("an element is lost where nothing reads it") {
    const auto found = where_lost({copying()}, {1, value});
    REQUIRE(found);
    CHECK(found->kernel == "reduce");
    CHECK(found->lines == std::vector{3});
    CHECK(found->text ==
          "element 1 gets as far as tmp[1], stored at line 3, and nothing reads it there");
}

TEST_CASE("an element is lost where something overwrites it") {
    const auto found = where_lost({copying().store(0, tmp, 1, 5, {}, {0})}, {1, value});
    REQUIRE(found);
    CHECK(found->lines == std::vector{3, 5});
    CHECK(found->text == "element 1 gets as far as tmp[1], stored at line 3: line 5 overwrites it "
                         "before anything reads it");
}

TEST_CASE("an element is lost where it is read, but nothing is stored") {
    CHECK(loss({copying().load(0, tmp, 1, 5)}) ==
          "element 1 gets as far as tmp[1], stored at line 3: line 5 reads it, but nothing that is "
          "stored later contains it");
    CHECK(loss({Launch().load(1, data, 1, 3)}) ==
          "line 3 reads element 1, but nothing that is stored later contains it");
}

TEST_CASE("a value counts only if it contains the element") {
    SUBCASE("the result is made of its cell, but not of its lane") {
        CHECK(loss({Launch(4)
                        .load(0, data, 0, 3)
                        .store(0, tmp, 0, 3, {{data, 0}}, {0, value, 0, 0})
                        .load(0, tmp, 0, 5)
                        .store(0, result, 0, 6, {{tmp, 0}}, {0, 0, 0, 0})}) ==
              "element 1 gets as far as tmp[0].y, stored at line 3: line 5 reads it, but nothing "
              "that is stored later contains it");
    }
    SUBCASE("a work-item has read the cell before it contained the element") {
        CHECK(loss({Launch()
                        .load(0, tmp, 1, 2)
                        .load(1, data, 1, 3)
                        .store(1, tmp, 1, 3, {{data, 1}})
                        .store(0, result, 0, 6, {{tmp, 1}})}) ==
              "element 1 gets as far as tmp[1], stored at line 3, and nothing reads it there");
    }
}

TEST_CASE("an element is followed from launch to launch") {
    const TracedLaunch first = copying().load(0, tmp, 1, 5).store(0, result, 0, 6, {{tmp, 1}});
    SUBCASE("to a result") {
        CHECK(loss({first, Launch(1, result_buffer, data_buffer)
                               .load(0, data, 0, 3)
                               .store(0, result, 0, 6, {{data, 0}})})
                  .empty());
    }
    SUBCASE("to a place where the next one does not read it") {
        CHECK(loss({first, Launch(1, result_buffer, data_buffer).load(0, data, 1, 3)}) ==
              "element 1 gets as far as result[0], stored at line 6, and nothing reads it there");
    }
    SUBCASE("local memory does not last") {
        CHECK(loss({copying(), Launch().load(0, tmp, 1, 5).store(0, result, 0, 6, {{tmp, 1}})}) ==
              "element 1 gets as far as tmp[1], stored at line 3, and nothing reads it there");
    }
}

TEST_CASE("a value that is no element is made where it is first stored") {
    Launch launch =
        Launch(4).load(0, data, 0, 2).store(0, tmp, 0, 3, {{data, 0}}, {1, value, 1, 1});
    SUBCASE("and not loaded before") {
        const auto found = where_made({launch.load(0, tmp, 0, 4)}, value);
        REQUIRE(found);
        CHECK(found->text == "7 is no element: line 3 stores it first, in tmp[0].y");
        CHECK(found->lines == std::vector{3});
    }
    SUBCASE("in a later launch, too") {
        const auto found = where_made({launch, Launch().store(0, result, 0, 6, {}, {9})}, 9);
        REQUIRE(found);
        CHECK(found->text == "9 is no element: line 6 stores it first, in result[0]");
    }
    SUBCASE("otherwise, that is not known") { CHECK_FALSE(where_made({launch}, 9)); }
}

TEST_CASE("an element counts twice where two values with it are combined") {
    Launch launch = copying();
    launch.load(0, tmp, 1, 5).store(0, tmp, 0, 5, {{tmp, 1}});
    SUBCASE("in one line") {
        launch.load(0, tmp, 0, 7).load(0, tmp, 1, 7);
        const auto found = where_doubled({launch.store(0, result, 0, 8, {{tmp, 0}, {tmp, 1}})}, 1);
        REQUIRE(found);
        CHECK(found->text == "line 7 combines tmp[0] and tmp[1], but both contain element 1");
        CHECK(found->lines == std::vector{7});
    }
    SUBCASE("in two lines") {
        launch.load(0, tmp, 0, 6).load(0, tmp, 1, 7);
        const auto found = where_doubled({launch.store(0, result, 0, 8, {{tmp, 0}, {tmp, 1}})}, 1);
        REQUIRE(found);
        CHECK(found->text == "lines 6 and 7 combine tmp[0] and tmp[1], but both contain element 1");
        CHECK(found->lines == std::vector{6, 7});
    }
    SUBCASE("because two work-items have read it") {
        launch.load(2, data, 1, 4).store(2, tmp, 3, 4, {{data, 1}});
        launch.load(0, tmp, 1, 7).load(0, tmp, 3, 7);
        const auto found = where_doubled({launch.store(0, result, 0, 8, {{tmp, 1}, {tmp, 3}})}, 1);
        REQUIRE(found);
        CHECK(found->text == "element 1 is read twice, by work-item 1 of group 0 at line 3 and by "
                             "work-item 2 of group 0 at line 4");
        CHECK(found->lines == std::vector{3, 4});
    }
    SUBCASE("on the way to one of several results") {
        launch.load(0, tmp, 0, 7).load(0, tmp, 1, 7).store(0, tmp, 2, 7, {{tmp, 0}, {tmp, 1}});
        launch.store(0, result, 0, 8, {{tmp, 1}}).load(0, tmp, 2, 9);
        launch.store(0, result, 1, 9, {{tmp, 2}});
        CHECK_FALSE(where_doubled({launch}, 1, 0));
        const auto found = where_doubled({launch}, 1, 1);
        REQUIRE(found);
        CHECK(found->lines == std::vector{7});
    }
    SUBCASE("but not where one of them does not have it, or no result does") {
        launch.load(0, tmp, 0, 7).load(0, tmp, 2, 7);
        CHECK_FALSE(where_doubled({launch.store(0, result, 0, 8, {{tmp, 0}, {tmp, 2}})}, 1));
        launch.load(0, tmp, 1, 7);
        CHECK_FALSE(where_doubled({launch.store(0, tmp, 3, 8, {{tmp, 0}, {tmp, 1}})}, 1));
    }
}

TEST_CASE("an element counts twice where one work-item reads it at two lines") {
    const auto found = where_doubled(
        {Launch().load(1, data, 1, 3).load(1, data, 1, 5).store(1, result, 0, 6, {{data, 1}})}, 1);
    REQUIRE(found);
    CHECK(found->text == "work-item 1 of group 0 reads element 1 at line 3, and again at line 5");
    CHECK(found->lines == std::vector<int>{3, 5});
    CHECK(!where_doubled(
        {Launch().load(1, data, 1, 3).load(1, data, 1, 3).store(1, result, 0, 6, {{data, 1}})}, 1));
}

TEST_CASE("an element is missing where something overwrites the sum with it") {
    Launch launch = copying(); // element 1, to tmp[1]
    launch.load(0, data, 0, 3).store(0, tmp, 1, 5, {{data, 0}}, {0});
    launch.load(2, tmp, 1, 8).store(2, result, 2, 8, {{tmp, 1}}, {0});
    const auto found = where_overwritten({launch}, {1, value}, 2);
    REQUIRE(found);
    CHECK(found->text ==
          "tmp[1] contains element 1 until line 5 overwrites it, but line 8 reads it later");
    CHECK(found->lines == std::vector<int>{5, 8});
    CHECK(!where_overwritten({launch}, {1, value}, 1));
    CHECK(!where_overwritten({launch.store(2, result, 2, 9, {{data, 1}})}, {1, value}, 2));
}
