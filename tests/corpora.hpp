#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The corpora, tests/submissions and tests/labgrind, are too large to be tried completely on every
/// push. Each commit tries its own share, the same one every time; make soak tries all. The
/// variable CORPUS selects "all", "third" for a third of the share and of the seeds, or members by name
/// (make try NAME=...).
namespace corpora {

inline std::string chosen() {
    const char* const value =
        std::getenv("CORPUS"); // NOLINT(concurrency-mt-unsafe): never set here
    return value == nullptr ? "" : value;
}

/// Whether the user has named the members to try and wants to see their outcomes.
inline bool are_named() { return !chosen().empty() && chosen() != "all" && chosen() != "third"; }

/// How many of `count` members, or seeds, this run tries.
inline std::size_t share_of(std::size_t count) {
    constexpr std::size_t part = 3;
    return chosen() == "third" ? (count + part - 1) / part : count;
}

/// The commit that is tested; "" outside a repository.
inline std::string commit() {
    const std::unique_ptr<FILE, int (*)(FILE*)> git(
        ::popen("git rev-parse HEAD 2> /dev/null", "re"), ::pclose);
    std::array<char, 64> line{};
    if (git == nullptr || std::fgets(line.data(), line.size(), git.get()) == nullptr)
        return "";
    return std::string(line.data()).substr(0, 40);
}

/// `count` of `names`, the same ones in every call with the same `commit`.
inline std::vector<std::string> draw(std::vector<std::string> names, std::size_t count,
                                     const std::string& commit) {
    std::sort(names.begin(), names.end());
    std::seed_seq seed(commit.begin(), commit.end());
    std::mt19937 random(seed);
    count = std::min(count, names.size());
    for (std::size_t i = 0; i < count; ++i) // std::shuffle differs between libraries
        std::swap(names[i], names[i + random() % (names.size() - i)]);
    names.resize(count);
    std::sort(names.begin(), names.end());
    return names;
}

/// The names, without extension, of the files in `folder` with this `extension`. Throws
/// std::runtime_error if there are none.
inline std::vector<std::string> members(const std::string& folder, const std::string& extension) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == extension)
            names.push_back(entry.path().stem());
    }
    if (names.empty())
        throw std::runtime_error("there is nothing to try in " + folder);
    return names;
}

/// The labs of the course: the folders in `root`/labs whose names end in a digit, "lab9" before
/// "lab10". Throws std::runtime_error if there are none.
inline std::vector<std::string> labs(const std::filesystem::path& root) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root / "labs")) {
        const std::string name = entry.path().filename();
        if (entry.is_directory() && name.back() >= '0' && name.back() <= '9')
            names.push_back(name);
    }
    if (names.empty())
        throw std::runtime_error("there are no labs in " + (root / "labs").string());
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return names;
}

/// A folder of members. `least`: how many there are at least; raise it as the folder grows.
struct Corpus {
    std::string folder;
    std::string extension;
    std::size_t least;
};

/// The names of the members of `corpus` that this run tries: `count` of them, or those that CORPUS
/// selects. Prints how many. Throws std::runtime_error if members are missing.
inline std::vector<std::string> share(const Corpus& corpus, std::size_t count) {
    const std::vector<std::string> all = members(corpus.folder, corpus.extension);
    if (all.size() < corpus.least)
        throw std::runtime_error(corpus.folder + " has only " + std::to_string(all.size()) +
                                 " members; there were " + std::to_string(corpus.least));
    std::vector<std::string> some;
    if (are_named()) {
        std::istringstream names(chosen());
        for (std::string name; names >> name;) {
            if (std::find(all.begin(), all.end(), name) != all.end())
                some.push_back(name);
        }
        return some;
    }
    const std::string drawn_by = commit();
    some = draw(all, chosen() == "all" ? all.size() : share_of(count), drawn_by);
    std::cout << corpus.folder << ": trying " << some.size() << " of " << all.size()
              << (some.size() == all.size() ? ""
                                            : ", the share of commit " + drawn_by.substr(0, 12))
              << std::endl; // NOLINT(performance-avoid-endl): before a long silence
    return some;
}

} // namespace corpora
