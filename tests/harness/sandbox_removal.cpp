#include "helpers.hpp"
#include "sandbox/removal.hpp"
#include "wire/handles.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <grp.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>

namespace fs = std::filesystem;
using sandbox::remove_tree;
using wire::UniqueFd;

namespace {

/// Throws, because a CHECK in a child process would be lost.
void require(bool holds, const std::string& what) {
    if (!holds)
        throw std::runtime_error(what);
}

/// Nests folders below `path`, deeper than any path can reach.
void nest(const std::string& path, int levels) {
    UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; i < levels; ++i) {
        require(::mkdirat(folder.get(), "folder", S_IRWXU) == 0, "mkdir");
        // A name that the removal also uses for what it moves.
        require(::mkdirat(folder.get(), ".moved-1", S_IRWXU) == 0, "mkdir");
        folder = UniqueFd(::openat(folder.get(), "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        require(static_cast<bool>(
                    UniqueFd(::openat(folder.get(), ".moved-2", O_CREAT | O_CLOEXEC, S_IRUSR))),
                "open");
    }
}

} // namespace

TEST_CASE("a tree is removed, but not the targets of its links") {
    const helpers::TemporaryFolder folder;
    folder.write("kept", "text");
    fs::create_directory(folder.path("kept-folder"));
    folder.write("kept-folder/file", "text");
    fs::create_directories(folder.path("tree/a/b/c"));
    folder.write("tree/a/b/file", "text");
    fs::create_symlink(folder.path("kept"), folder.path("tree/a/link"));
    fs::create_directory_symlink(folder.path("kept-folder"), folder.path("tree/a/b/link"));
    fs::create_symlink("nowhere", folder.path("tree/link"));

    CHECK_FALSE(remove_tree(folder.path("tree")));
    CHECK_FALSE(fs::exists(folder.path("tree")));
    CHECK(fs::exists(folder.path("kept")));
    CHECK(fs::exists(folder.path("kept-folder/file")));

    CHECK_FALSE(remove_tree(folder.path("tree"))); // a missing tree is no error
    fs::create_directory_symlink(folder.path("kept-folder"), folder.path("link"));
    CHECK_FALSE(remove_tree(folder.path("link")));
    CHECK_FALSE(fs::is_symlink(folder.path("link")));
    CHECK_FALSE(remove_tree(folder.path("kept")));
    CHECK_FALSE(fs::exists(folder.path("kept")));
    CHECK(fs::exists(folder.path("kept-folder/file")));
}

TEST_CASE("folders nested deeper than the open-file limit are removed") {
    const helpers::TemporaryFolder folder;
    const std::string tree = folder.path("tree");
    fs::create_directory(tree);
    nest(tree, 3000);
    CHECK(helpers::survives([&] {
        const rlimit few{16, 16};
        require(::setrlimit(RLIMIT_NOFILE, &few) == 0, "setrlimit");
        require(!remove_tree(tree), "remove_tree");
    }));
    CHECK_FALSE(fs::exists(tree));
}

TEST_CASE("the grader's own folders are removed whatever their permissions are") {
    const helpers::TemporaryFolder folder;
    fs::permissions(folder.path(""), fs::perms::all);
    const std::string tree = folder.path("tree");
    CHECK(helpers::survives([&] {
        constexpr uid_t nobody = 65534; // permissions do not stop root
        if (::geteuid() == 0)
            require(::setgroups(0, nullptr) == 0 && ::setresuid(nobody, nobody, nobody) == 0,
                    "setresuid");
        fs::create_directories(tree + "/a/b/c");
        fs::create_directories(tree + "/a/d");
        for (const char* path : {"/a/b/c", "/a/b", "/a/d", "/a", ""})
            fs::permissions(tree + path, fs::perms::none);
        require(!remove_tree(tree), "remove_tree");
    }));
    CHECK_FALSE(fs::exists(tree));
}

TEST_CASE("a failure to remove something is reported, and the rest is removed") {
    if (::geteuid() != 0) {
        MESSAGE("not tested: only root can give a folder away");
        return;
    }
    const helpers::TemporaryFolder folder;
    const std::string tree = folder.path("tree");
    fs::permissions(folder.path(""), fs::perms(0711));
    fs::create_directories(tree + "/a/b");
    folder.write("tree/file", "text");
    constexpr uid_t nobody = 65534;
    REQUIRE(::chown(tree.c_str(), nobody, nobody) == 0);
    CHECK(helpers::survives([&] {
        require(::setgroups(0, nullptr) == 0 && ::setresuid(nobody, nobody, nobody) == 0,
                "setresuid");
        require(remove_tree(tree) == std::errc::permission_denied, "remove_tree");
    }));
    CHECK_FALSE(fs::exists(tree + "/file"));
    CHECK(fs::exists(tree + "/a/b"));
}
