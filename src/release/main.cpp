/// Creates the files that are handed out: make starters, make release, make gradescope.

#include "release/package.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>

namespace fs = std::filesystem;

namespace release {
namespace {

/// Throws std::runtime_error unless `folder` is empty or does not exist. It can contain the git
/// history of earlier releases.
void require_empty(const fs::path& folder, const fs::path& root) {
    if (!fs::exists(folder))
        return;
    if (fs::equivalent(folder, root))
        throw std::runtime_error(folder.string() +
                                 " is the course itself; name a folder elsewhere: OUT=../dir");
    const auto is_history = [](const fs::directory_entry& entry) {
        return entry.path().filename() == ".git";
    };
    if (!fs::is_directory(folder) ||
        !std::all_of(fs::directory_iterator(folder), fs::directory_iterator(), is_history))
        throw std::runtime_error(
            folder.string() + " is not an empty folder; remove it or name another one: OUT=dir" +
            (fs::exists(folder / ".git")
                 ? "\nif it contains an earlier release: git -C " + folder.string() + " rm -rq ."
                 : ""));
}

void hand_out(const Files& files, const fs::path& root, const fs::path& folder) {
    require_empty(folder, root);
    write(files, folder);
    std::cout << files.size() << " files in " << folder.string() << "\n";
}

int run(int argc, const char* const* argv) {
    CLI::App app("Creates the files of the course that are handed out.", "release");
    fs::path root = ".";
    fs::path out;
    app.add_option("--root", root, "the course's folder");
    app.require_subcommand(1);
    auto* starter = app.add_subcommand("starters", "make labs/ and kernels/ from solutions/");
    auto* students = app.add_subcommand("release", "write the students' template");
    students->add_option("out", out, "an empty or new folder")->required();
    auto* plain = app.add_subcommand("solutions", "write the solutions without marks");
    plain->add_option("out", out, "an empty or new folder")->required();
    std::string labs;
    std::string service;
    auto* autograding =
        app.add_subcommand("autograder", "write the files that a service needs for grading");
    autograding->add_option("service", service)
        ->required()
        ->check(CLI::IsMember({"gradescope", "classroom50"}));
    autograding->add_option("out", out, "an empty or new folder")->required();
    autograding->add_option("--labs", labs,
                            "the labs to grade, such as \"lab1 lab2\"; default: all");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }

    if (*starter) {
        write(starters(root), root);
        std::cout << "labs/ and kernels/ now contain the starters\n";
    } else if (*students) {
        hand_out(student_template(root), root, out);
    } else if (*plain) {
        hand_out(plain_solutions(root), root, out);
    } else if (*autograding) {
        hand_out(autograder(root, service, labs), root, out);
    }
    return 0;
}

} // namespace
} // namespace release

int main(int argc, char** argv) {
    try {
        return release::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "release: " << error.what() << "\n";
        return 2;
    }
}
