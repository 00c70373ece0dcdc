#include "wire/made_up_words.hpp"

#include "wire/messages.hpp"

#include <doctest/doctest.h>

using wire::MadeUpWords;

TEST_CASE("words of a result are made up until the host can know them") {
    MadeUpWords words({7, 5, 5, 9});
    CHECK(words.count() == 4);
    words.remove(5);
    CHECK(words.count() == 2);
    words.remove(5);
    words.remove(6);
    words.remove(10);
    CHECK(words.count() == 2);
    words.remove(9);
    words.remove(7);
    CHECK(words.count() == 0);
}

TEST_CASE("nobody makes up 0 or what fills buffers") {
    CHECK(MadeUpWords({0, wire::poison, wire::finite_guard}).count() == 0);
    CHECK(MadeUpWords({}).count() == 0);
}
