#include "release/package.hpp"

#include "release/marks.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace fs = std::filesystem;

namespace release {
namespace {

constexpr fs::perms may_execute =
    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

File read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + file.string());
    std::string text(std::istreambuf_iterator<char>(stream), {});
    return {std::move(text),
            (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none};
}

/// Returns all files in the folder `path` of `root` that have one of `extensions`.
Files files_in(const fs::path& root, const fs::path& path,
               const std::vector<std::string>& extensions) {
    Files files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / path)) {
        const std::string extension = entry.path().extension();
        if (entry.is_regular_file() && std::ranges::find(extensions, extension) != extensions.end())
            files[entry.path().lexically_relative(root)] = read(entry.path());
    }
    return files;
}

/// Returns the files in solutions/, each converted by `convert`, by their paths in that folder.
template <class Convert> Files from_solutions(const fs::path& root, const Convert& convert) {
    Files files;
    for (const auto& [path, file] : files_in(root, "solutions", {".cpp", ".cl"}))
        files[path.lexically_relative("solutions")] = {convert(path.string(), file.text)};
    if (files.empty())
        throw std::runtime_error("there are no solutions in " + (root / "solutions").string());
    return files;
}

} // namespace

Files starters(const fs::path& root) { return from_solutions(root, starter_of); }

Files plain_solutions(const fs::path& root) { return from_solutions(root, without_marks); }

Files student_template(const fs::path& root) {
    Files files = starters(root);
    files.merge(files_in(root, "labs", {".hpp", ".md", ".svg"}));
    files.merge(files_in(root, "tests/labs", {".cpp", ".hpp"}));
    for (const char* room : {"grade", "grader", "labgrind", "report", "runner", "sandbox", "wire"})
        files.merge(files_in(root, fs::path("src") / room, {".cpp", ".hpp", ".md"}));
    for (const char* path :
         {"labs/course.json", "Makefile", "harness", "src/loop/watch", "src/loop/progress",
          "README.md", "LICENSE", "docs/how-it-works.md", "docs/reading-a-verdict.md",
          "docs/race.svg", "docs/schedule.svg", "docs/launches.svg", ".gitignore", ".clang-format",
          ".clangd", ".devcontainer/devcontainer.json"})
        files[path] = read(root / path);
    files[".github/workflows/autograding.yml"] = read(root / ".github/classroom/autograding.yml");
    for (auto& [path, file] : files) {
        if (path.extension() == ".md")
            file.text = starter_of(path.string(), file.text);
    }
    return files;
}

Files autograder(const fs::path& root, const std::string& service, const std::string& labs) {
    std::istringstream names(labs);
    for (std::string lab; names >> lab;) {
        if (!fs::exists(root / "tests/labs" / (lab + ".cpp")))
            throw std::runtime_error("there is no " + lab + " to grade; see the folders in " +
                                     (root / "labs").string());
    }
    Files files;
    for (const auto& [path, file] : student_template(root))
        files["course" / path] = file;
    const fs::path scripts = root / ".github/classroom" / service;
    for (const fs::directory_entry& entry : fs::directory_iterator(scripts))
        files[entry.path().filename()] = read(entry.path());
    files["labs.txt"] = {labs + "\n"};
    return files;
}

void write(const Files& files, const fs::path& folder) {
    for (const auto& [path, file] : files) {
        const fs::path to = folder / path;
        fs::create_directories(to.parent_path());
        std::ofstream stream(to, std::ios::binary);
        stream << file.text << std::flush;
        if (!stream)
            throw std::runtime_error("cannot write " + to.string());
        stream.close();
        if (file.is_program)
            fs::permissions(to, may_execute, fs::perm_options::add);
    }
}

} // namespace release
