#include "grade/scratch.hpp"

#include "grade/command.hpp"
#include "helpers.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

using grade::Scratch;
using helpers::has;
using sandbox::Protection;
using sandbox::Sandbox;

namespace {

template <class Function> void for_each_sandbox(const Function& function) {
    const auto tests = fs::read_symlink("/proc/self/exe").parent_path();
    for (const Protection one : {Protection::bubblewrap, Protection::user, Protection::none}) {
        std::optional<Sandbox> box;
        try {
            box = Sandbox::choose((tests.parent_path() / "sandbox/confine").string(), one);
        } catch (const std::exception&) {
            continue; // the sandbox tests print why
        }
        CAPTURE(box->describe());
        function(*box);
    }
}

/// The number of folders that look like scratch folders.
std::size_t scratch_folders(const fs::path& parent) {
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent))
        count += entry.path().filename().string().starts_with(grade::scratch_prefix) ? 1 : 0;
    return count;
}

} // namespace

TEST_CASE("a scratch folder is in a place where sandboxed programs can run") {
    const helpers::TemporaryFolder open;
    fs::permissions(open.path(""), fs::perms(0755));
    const helpers::TemporaryFolder closed; // only its owner can enter, as in a home
    for_each_sandbox([&](const Sandbox& box) {
        fs::path path;
        {
            const Scratch scratch({"/nowhere", closed.path(""), open.path("")}, box);
            path = scratch.path();
            const bool passes_by = box.protection() == Protection::user;
            CHECK(path.parent_path() ==
                  fs::path(passes_by ? open.path("") : closed.path("")).parent_path());
            CHECK(fs::is_empty(path));
            const auto others = fs::status(path).permissions() & fs::perms::others_all;
            CHECK((others == (passes_by ? fs::perms::others_exec : fs::perms::none)));
        }
        CHECK_FALSE(fs::exists(path));
        CHECK(fs::is_empty(closed.path("")));
    });
}

TEST_CASE("without a place for a scratch folder, the message says what was tried") {
    for_each_sandbox([&](const Sandbox& box) {
        const std::string complaint = helpers::what_of<std::runtime_error>([&] {
            Scratch({"/nowhere", "/proc"}, box);
        });
        CHECK(has(complaint, "/nowhere: cannot create a folder: No such file"));
        CHECK(has(complaint, "/proc: "));
        CHECK(has(complaint, "set TMPDIR"));
    });
}

TEST_CASE("only the leftovers of killed gradings are removed") {
    const helpers::TemporaryFolder folder;
    fs::permissions(folder.path(""), fs::perms(0755));
    const auto path = [&](const std::string& name) {
        return folder.path(grade::scratch_prefix + name);
    };
    fs::create_directories(path("killed") + "/0/place");
    fs::create_directory(path("runs"));
    const wire::UniqueFd runs(::open(path("runs").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    REQUIRE(::flock(runs.get(), LOCK_EX) == 0);
    fs::create_directory(folder.path("target"));
    folder.write("target/file", "kept");
    fs::create_symlink(folder.path("target"), path("link"));
    const bool is_root = ::geteuid() == 0;
    if (is_root) {
        fs::create_directory(path("of-another"));
        REQUIRE(::chown(path("of-another").c_str(), 12345, 12345) == 0);
    }
    for_each_sandbox([&](const Sandbox& box) {
        const Scratch scratch({folder.path("")}, box);
        CHECK_FALSE(fs::exists(path("killed")));
        CHECK(fs::exists(path("runs")));
        CHECK(fs::exists(folder.path("target/file")));
        CHECK(fs::exists(path("of-another")) == is_root);
        // A second grading leaves the first one's folder alone.
        const Scratch second({folder.path("")}, box);
        CHECK(fs::exists(scratch.path()));
        CHECK(scratch.path() != second.path());
    });
    CHECK(scratch_folders(folder.path("")) == (is_root ? 3 : 2));
}
