#include "grade/course.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"

#include <algorithm>
#include <stdexcept>

namespace fs = std::filesystem;

namespace grade {
namespace {

bool is_lab(const std::string& name) {
    return name.size() > 3 && name.compare(0, 3, "lab") == 0 &&
           name.find_first_not_of("0123456789", 3) == std::string::npos;
}

/// The names in `folder` that begin and end so, in order.
std::vector<std::string> names_in(const fs::path& folder, const std::string& beginning,
                                  const std::string& extension) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.compare(0, beginning.size(), beginning) == 0 &&
            entry.path().extension() == extension)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

void copy_files(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        if (!entry.is_regular_file())
            continue;
        fs::copy_file(entry.path(), to / entry.path().filename());
        // make goes by the times.
        fs::last_write_time(to / entry.path().filename(), entry.last_write_time());
    }
}

} // namespace

Course::Course(fs::path root, const std::vector<std::string>& wanted) : root_(std::move(root)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(root_ / "labs")) {
        const std::string name = entry.path().filename();
        if (is_lab(name) && entry.is_directory())
            labs_.push_back(name);
    }
    std::sort(labs_.begin(), labs_.end(), [](const std::string& a, const std::string& b) {
        return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
    });
    for (const std::string& lab : wanted) {
        if (std::find(labs_.begin(), labs_.end(), lab) == labs_.end())
            throw std::runtime_error("the course has no " + lab);
    }
    if (!wanted.empty())
        labs_.erase(std::remove_if(labs_.begin(), labs_.end(),
                                   [&](const std::string& lab) {
                                       return std::find(wanted.begin(), wanted.end(), lab) ==
                                              wanted.end();
                                   }),
                    labs_.end());
    for (const std::string& lab : labs_) {
        const Outcome outcome =
            run({{root_ / "build/grader" / lab, "--declare"}, root_, 60, {}, {}});
        if (!outcome.succeeded())
            throw std::runtime_error("the grader of " + lab + " is not built: " + outcome.output +
                                     "; type make grade, which builds it");
        declared_[lab] = report::result_from_json(outcome.output);
    }
}

std::vector<std::string> Course::files_of(const std::string& lab) const {
    std::vector<std::string> files;
    for (const std::string& name : names_in(root_ / "labs" / lab, "", ".cpp"))
        files.push_back(fs::path("labs") / lab / name);
    for (const std::string& name : names_in(root_ / "kernels", lab + "_", ".cl"))
        files.push_back("kernels/" + name);
    return files;
}

std::vector<std::string> Course::files() const {
    std::vector<std::string> all;
    for (const std::string& lab : labs_) {
        const std::vector<std::string> files = files_of(lab);
        all.insert(all.end(), files.begin(), files.end());
    }
    return all;
}

void Course::stage(const fs::path& folder) const {
    for (const char* part : {"src/runner", "src/wire", "build/src/runner", "build/src/wire",
                             "build/runner", "build/device", "build/labgrind", "build/sandbox"}) {
        if (!fs::is_directory(root_ / part))
            throw std::runtime_error(std::string(part) + " is missing; type make grade, which "
                                                         "builds it");
        copy_files(root_ / part, folder / part);
    }
    fs::copy_file(root_ / "Makefile", folder / "Makefile");
    fs::create_directories(folder / "labs");
    for (const std::string& name : names_in(root_ / "labs", "", ".hpp"))
        fs::copy_file(root_ / "labs" / name, folder / "labs" / name);
    for (const std::string& lab : labs_) {
        fs::create_directories(folder / "labs" / lab);
        for (const std::string& name : names_in(root_ / "labs" / lab, "", ".hpp"))
            fs::copy_file(root_ / "labs" / lab / name, folder / "labs" / lab / name);
    }
}

void lay_out(const fs::path& stage, const std::string& lab,
             const std::map<std::string, std::string>& files, const fs::path& folder) {
    for (const char* part : {"labs", "kernels", "build/student"})
        fs::create_directories(folder / part);
    for (const char* part : {"Makefile", "src", "build/src", "build/runner", "build/device",
                             "build/labgrind", "build/sandbox"})
        fs::create_symlink(stage / part, folder / part);
    copy_files(stage / "labs", folder / "labs");
    copy_files(stage / "labs" / lab, folder / "labs" / lab);
    for (const auto& [path, text] : files)
        write_file(folder / path, text);
}

} // namespace grade
