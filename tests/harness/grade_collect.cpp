#include "grade/collect.hpp"
#include "helpers.hpp"
#include "wire/handles.hpp"

#include <doctest/doctest.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace fs = std::filesystem;

using grade::collect;
using grade::Files;
using helpers::has;

namespace {

const std::string host_file = "labs/lab1/sum.cpp";
const std::string kernel_file = "kernels/lab1_sum.cl";
const std::vector<std::string> wanted{host_file, kernel_file};

/// A submission with both wanted files, and a folder around it.
class Student {
  public:
    Student() {
        fs::create_directories(path("labs/lab1"));
        fs::create_directories(path("kernels"));
        write(host_file, "host code");
        write(kernel_file, "a kernel");
    }

    fs::path root() const { return folder_.path("submission"); }
    fs::path path(const std::string& name) const { return root() / name; }
    /// A path that is not part of the submission.
    fs::path outside(const std::string& name) const { return folder_.path(name); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
    }
    /// Removes `name`, a file or a folder.
    void remove(const std::string& name) const { fs::remove_all(path(name)); }
    Files collected() const { return collect(root(), wanted); }

  private:
    helpers::TemporaryFolder folder_;
};

/// Why the host file is not taken, although the kernel file is; "" if it is taken.
std::string refusal_of_host_file(const Student& student) {
    const Files files = student.collected();
    CHECK(files.contents.count(kernel_file) == 1);
    CHECK(files.contents.size() + files.refused.size() == wanted.size());
    const auto refused = files.refused.find(host_file);
    return refused == files.refused.end() ? "" : refused->second;
}

/// The remark on what was not taken; "" if there is none.
std::string remark_on(const Student& student) {
    const Files files = student.collected();
    CHECK(files.contents.size() == wanted.size());
    CHECK(files.remarks.size() <= 1);
    return files.remarks.empty() ? "" : files.remarks.front();
}

} // namespace

TEST_CASE("a submission's required files are collected unchanged") {
    const Student student;
    const std::string text("a\0b\r\n\xFF", 6);
    student.write(kernel_file, text);
    const Files files = student.collected();
    CHECK(files.contents ==
          std::map<std::string, std::string>{{host_file, "host code"}, {kernel_file, text}});
    CHECK(files.refused.empty());
    CHECK(files.remarks.empty());
}

TEST_CASE("an empty file is accepted, and a submission without files has only rejections") {
    const Student student;
    student.write(host_file, "");
    CHECK(refusal_of_host_file(student).empty());
    student.remove("labs");
    student.remove("kernels");
    const Files files = student.collected();
    CHECK(files.contents.empty());
    CHECK(files.refused.size() == 2);
    CHECK(files.remarks.empty());
}

TEST_CASE("a missing file or folder is rejected with its path") {
    const Student student;
    student.remove(host_file);
    CHECK(refusal_of_host_file(student) == host_file + " is missing");
    student.remove("labs");
    CHECK(refusal_of_host_file(student) == host_file + " is missing");
}

TEST_CASE("a link in place of a file is rejected") {
    const Student student;
    std::ofstream(student.outside("secret")) << "secret";
    const std::vector<fs::path> targets{student.outside("secret"),
                                        "../../../secret",
                                        student.path(kernel_file),
                                        "nowhere",
                                        "sum.cpp",
                                        "/dev/zero"};
    for (const fs::path& target : targets) {
        CAPTURE(target.string());
        student.remove(host_file);
        fs::create_symlink(target, student.path(host_file));
        CHECK(has(refusal_of_host_file(student), host_file + " is a link"));
    }
}

TEST_CASE("a file below a linked folder is rejected") {
    const Student student;
    fs::create_directories(student.outside("elsewhere/lab1"));
    std::ofstream(student.outside("elsewhere/lab1/sum.cpp")) << "somebody else's";
    std::ofstream(student.outside("elsewhere/lab1/more.cpp")) << "somebody else's";
    const auto link = [&](const fs::path& target, const std::string& name) {
        student.remove(name);
        fs::create_symlink(target, student.path(name));
        CHECK(has(refusal_of_host_file(student), "through a link"));
        CHECK(student.collected().remarks.empty()); // links are not followed for remarks either
    };
    link(student.outside("elsewhere/lab1"), "labs/lab1");
    link("../../elsewhere/lab1", "labs/lab1");
    link("lab1", "labs/lab1");
    link("nowhere", "labs/lab1");
    link(student.outside("elsewhere"), "labs");
    link(".", "labs");
}

TEST_CASE("a pipe is rejected without waiting for it") {
    const Student student;
    student.remove(host_file);
    REQUIRE(::mkfifo(student.path(host_file).c_str(), 0600) == 0);
    REQUIRE(helpers::survives([&] {
        ::alarm(30); // kills the process if it blocks
        student.collected();
    }));
    CHECK(refusal_of_host_file(student) == host_file + " is not a regular file");
}

TEST_CASE("a socket is rejected") {
    const Student student;
    student.remove(host_file);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = student.path(host_file);
    REQUIRE(path.size() < sizeof address.sun_path);
    path.copy(static_cast<char*>(address.sun_path), path.size());
    const wire::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), // NOLINT(*-cast)
                   sizeof address) == 0);
    CHECK(has(refusal_of_host_file(student), "cannot be read"));
}

TEST_CASE("a folder in place of a file and a file in place of a folder are rejected") {
    const Student student;
    student.remove(host_file);
    fs::create_directory(student.path(host_file));
    CHECK(refusal_of_host_file(student) == host_file + " is not a regular file");
    student.remove("labs/lab1");
    student.write("labs/lab1", "no folder");
    CHECK(has(refusal_of_host_file(student), "not a folder"));
}

TEST_CASE("a file of the maximum size is collected completely, and a larger one is rejected") {
    const Student student;
    const std::string largest(grade::max_file_size, 'x');
    student.write(host_file, largest);
    CHECK(student.collected().contents[host_file] == largest);
    student.write(host_file, largest + 'x');
    CHECK(refusal_of_host_file(student) == host_file + " is larger than 256 KiB");
    fs::resize_file(student.path(host_file), std::size_t{1} << 40); // a sparse file
    CHECK(refusal_of_host_file(student) == host_file + " is larger than 256 KiB");
}

TEST_CASE("an unreadable file is rejected") {
    if (::geteuid() == 0) {
        MESSAGE("skipped: root can read every file");
        return;
    }
    const Student student;
    fs::permissions(student.path(host_file), fs::perms::none);
    CHECK(has(refusal_of_host_file(student), host_file + " cannot be read"));
    fs::permissions(student.path(host_file), fs::perms::owner_all);
    fs::permissions(student.path("labs"), fs::perms::none);
    CHECK(has(refusal_of_host_file(student), host_file + " cannot be read"));
    fs::permissions(student.path("labs"), fs::perms::owner_all);
}

TEST_CASE("a hard link to the student's own file is accepted, and one to another "
          "user's is rejected") {
    const Student student;
    std::ofstream(student.outside("file")) << "text";
    student.remove(host_file);
    fs::create_hard_link(student.outside("file"), student.path(host_file));
    CHECK(student.collected().contents[host_file] == "text");
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can give a file to another user");
        return;
    }
    constexpr uid_t nobody = 65534;
    REQUIRE(::chown(student.outside("file").c_str(), nobody, static_cast<gid_t>(-1)) == 0);
    CHECK(has(refusal_of_host_file(student), "a hard link to another user's file"));
    fs::remove(student.outside("file")); // then only one name is left
    CHECK(refusal_of_host_file(student).empty());
}

TEST_CASE("only files beside the required ones cause a remark") {
    const Student student;
    student.write("labs/lab1/more.cpp", "");
    student.write("kernels/more.cl", "");
    student.write("kernels/.hidden.cl", "");
    fs::create_directory(student.path("kernels/folder.cl"));
    fs::create_symlink("/", student.path("kernels/link.cl"));
    // These are not beside wanted files, or not code.
    student.write("more.cpp", "");
    student.write("labs/notes.cpp", "");
    student.write("labs/lab1/notes.txt", "");
    student.write("labs/lab1/cpp", "");
    fs::create_directory(student.path("labs/lab1/deeper"));
    student.write("labs/lab1/deeper/more.cpp", "");
    CHECK(remark_on(student) ==
          "ignored, because only the files that the course hands out count: kernels/.hidden.cl, "
          "kernels/folder.cl, kernels/link.cl, kernels/more.cl, labs/lab1/more.cpp");
}

TEST_CASE("a rejected file is not reported as unexpected") {
    const Student student;
    student.remove(host_file);
    fs::create_directory(student.path(host_file));
    CHECK(student.collected().remarks.empty());
}

TEST_CASE("of many unexpected files, some are named and the rest are counted") {
    const Student student;
    for (int i = 0; i < 20; ++i)
        student.write("kernels/more" + std::to_string(10 + i) + ".cl", "");
    const std::string remark = remark_on(student);
    CHECK(has(remark, "kernels/more10.cl, "));
    CHECK(has(remark, "kernels/more17.cl and 12 more"));
    CHECK_FALSE(has(remark, "more18"));
}

TEST_CASE("an unprintable file name is reported without its control characters") {
    const Student student;
    student.write("kernels/a\n::error::b.cl", "");
    student.write("kernels/\x1B[2J\xFF.cl", "");
    const std::string remark = remark_on(student);
    CHECK(has(remark, "kernels/a"));
    CHECK(has(remark, "b.cl"));
    CHECK_FALSE(has(remark, "\x1B"));
    CHECK_FALSE(has(remark, "\xFF"));
}

TEST_CASE("files at the top of a submission can be wanted as well") {
    const Student student;
    student.write("main.cpp", "at the top");
    student.write("other.cpp", "");
    const Files files = collect(student.root(), {"main.cpp"});
    CHECK(files.contents == std::map<std::string, std::string>{{"main.cpp", "at the top"}});
    REQUIRE(files.remarks.size() == 1);
    CHECK(has(files.remarks[0], ": other.cpp"));
    CHECK(collect(student.root(), {"main.cpp"}, {"other.cpp"}).remarks.empty());
}

TEST_CASE("a missing submission is rejected with what to give instead") {
    const Student student;
    const auto complaint = [&](const fs::path& path) {
        std::string text = helpers::what_of<std::runtime_error>([&] { collect(path, wanted); });
        CHECK(has(text, path.string()));
        return text;
    };
    CHECK(has(complaint(student.outside("nowhere")), "give the folder that holds its labs/"));
    CHECK(has(complaint(student.path(host_file)), "give the folder that holds its labs/"));
    fs::create_symlink("loop", student.outside("loop"));
    CHECK(has(complaint(student.outside("loop")), "give the folder that holds its labs/"));
}

TEST_CASE("collecting files leaves no file open") {
    const auto open_files = [] {
        const fs::directory_iterator entries("/proc/self/fd");
        return std::distance(begin(entries), end(entries));
    };
    const Student student;
    student.write("kernels/more.cl", "");
    student.remove(host_file);
    fs::create_directory(student.path(host_file));
    const auto before = open_files();
    student.collected();
    CHECK(open_files() == before);
}
