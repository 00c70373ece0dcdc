#include "../corpora.hpp"

#include <doctest/doctest.h>
#include <set>

TEST_CASE("a corpus's share depends only on the commit, and every member is drawn in time") {
    std::vector<std::string> names;
    names.reserve(100);
    for (int i = 0; i < 100; ++i)
        names.push_back("kernel" + std::to_string(i));
    std::vector<std::string> reversed(names.rbegin(), names.rend());

    const auto share = corpora::draw(names, 10, "6698168");
    CHECK(share.size() == 10);
    CHECK(share == corpora::draw(reversed, 10, "6698168"));
    CHECK(share != corpora::draw(names, 10, "6698169"));

    std::set<std::string> tried;
    for (int commit = 0; commit < 200; ++commit) {
        const auto some = corpora::draw(names, 10, std::to_string(commit));
        tried.insert(some.begin(), some.end());
    }
    CHECK(tried.size() == names.size());
    CHECK(corpora::draw(names, 1000, "").size() == names.size());
}
