#include "grade/course.hpp"

#include "grade/command.hpp"
#include "grade/files.hpp"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace grade {
namespace {

bool is_lab(const std::string& name) {
    return name.size() > 3 && name.starts_with("lab") &&
           name.find_first_not_of("0123456789", 3) == std::string::npos;
}

/// Returns the names in `folder` with this beginning and extension, sorted.
std::vector<std::string> names_in(const fs::path& folder, const std::string& beginning,
                                  const std::string& extension) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(beginning) && entry.path().extension() == extension)
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

void copy_files(const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        if (!entry.is_regular_file())
            continue;
        fs::copy_file(entry.path(), to / entry.path().filename());
        // make compares these times.
        fs::last_write_time(to / entry.path().filename(), entry.last_write_time());
    }
}

/// FNV-1a of 64 bits over texts, each with an end mark. It only distinguishes versions.
class Digest {
  public:
    void add(const std::string& text) {
        for (const char c : text)
            add(static_cast<unsigned char>(c));
        add(end);
    }

    std::string text() const {
        std::ostringstream stream;
        stream << std::hex << std::setfill('0') << std::setw(16) << value_;
        return stream.str();
    }

  private:
    static constexpr unsigned end = 256; // not a byte

    void add(unsigned word) { value_ = (value_ ^ word) * 0x100000001B3; }

    std::uint64_t value_ = 0xCBF29CE484222325;
};

/// Returns a digest of the sources in `root` that decide a result, without students' files.
std::string digest_of(const fs::path& root) {
    std::vector<fs::path> files{root / "Makefile", root / "labs/course.json"};
    const auto add = [&](const fs::path& folder, const auto& is_wanted) {
        if (!fs::is_directory(folder))
            return;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file() && is_wanted(entry.path()))
                files.push_back(entry.path());
        }
    };
    const auto is_code = [](const fs::path& file) {
        return file.extension() == ".cpp" || file.extension() == ".hpp";
    };
    add(root / "src", is_code);
    add(root / "tests/labs", is_code);
    add(root / "labs", [](const fs::path& file) { return file.extension() == ".hpp"; });
    std::ranges::sort(files);
    Digest digest;
    for (const fs::path& file : files) {
        digest.add(file.lexically_relative(root));
        digest.add(read_file(file).value_or(""));
    }
    // Of the files that students write only the names count, because they decide which files are
    // taken.
    files.clear();
    const auto is_written = [](const fs::path& file) {
        return file.extension() == ".cpp" || file.extension() == ".cl";
    };
    add(root / "labs", is_written);
    add(root / "kernels", is_written);
    std::ranges::sort(files);
    for (const fs::path& file : files)
        digest.add(file.lexically_relative(root));
    return digest.text();
}

/// Returns the cases and points of a lab, with the settings in labs/course.json. Throws
/// std::runtime_error.
report::Result declared_by_grader(const fs::path& root, const std::string& lab) {
    const fs::path grader = root / "build/grader" / lab;
    if (!fs::exists(grader))
        throw std::runtime_error("the grader of " + lab +
                                 " is not built; run make grade to build it");
    constexpr double seconds = 60;
    const Outcome outcome = run({{grader, "--root", root, "--declare"}, root, seconds, {}, {}});
    if (!outcome.succeeded())
        throw std::runtime_error(why_without_result(outcome));
    return report::result_from_json(outcome.output);
}

} // namespace

Course::Course(fs::path root, const std::vector<std::string>& wanted)
    : root_(std::move(root)), digest_(digest_of(root_)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(root_ / "labs")) {
        const std::string name = entry.path().filename();
        if (is_lab(name) && entry.is_directory())
            labs_.push_back(name);
    }
    std::ranges::sort(labs_, [](const std::string& a, const std::string& b) {
        return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
    });
    for (const std::string& lab : wanted) {
        if (std::ranges::find(labs_, lab) == labs_.end())
            throw std::runtime_error("the course has no " + lab);
    }
    if (!wanted.empty()) {
        const auto others =
            std::stable_partition(labs_.begin(), labs_.end(), [&](const std::string& lab) {
                return std::ranges::find(wanted, lab) != wanted.end();
            });
        other_labs_.assign(others, labs_.end());
        labs_.erase(others, labs_.end());
    }
    for (const std::string& lab : labs_)
        declared_[lab] = declared_by_grader(root_, lab);
}

std::vector<std::string> Course::files_of(const std::string& lab) const {
    std::vector<std::string> files;
    for (const std::string& name : names_in(root_ / "labs" / lab, "", ".cpp"))
        files.push_back(fs::path("labs") / lab / name);
    for (const std::string& name : names_in(root_ / "kernels", lab + "_", ".cl"))
        files.push_back("kernels/" + name);
    return files;
}

std::vector<std::string> Course::files_of(const std::vector<std::string>& labs) const {
    std::vector<std::string> all;
    for (const std::string& lab : labs) {
        const std::vector<std::string> files = files_of(lab);
        all.insert(all.end(), files.begin(), files.end());
    }
    return all;
}

std::vector<std::string> Course::files() const { return files_of(labs_); }

std::vector<std::string> Course::other_files() const { return files_of(other_labs_); }

void Course::stage(const fs::path& folder) const {
    if (!fs::exists(root_ / "build/labgrind/labgrind"))
        throw std::runtime_error(
            "grading needs the kernel analysis, which is not installed; make setup installs it or "
            "says why it cannot");
    for (const char* part : {"src/runner", "src/wire", "build/src/runner", "build/src/wire",
                             "build/runner", "build/device", "build/labgrind", "build/sandbox"}) {
        if (!fs::is_directory(root_ / part))
            throw std::runtime_error(std::string(part) + " is missing; run make grade to build it");
        copy_files(root_ / part, folder / part);
    }
    fs::copy_file(root_ / "Makefile", folder / "Makefile");
    fs::create_directories(folder / "labs");
    for (const std::string& name : names_in(root_ / "labs", "", ".hpp"))
        fs::copy_file(root_ / "labs" / name, folder / "labs" / name);
    // The grader takes points, due dates and hints from it.
    if (fs::exists(root_ / "labs/course.json"))
        fs::copy_file(root_ / "labs/course.json", folder / "labs/course.json");
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
