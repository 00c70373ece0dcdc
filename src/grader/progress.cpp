#include "grader/progress.hpp"

#include "report/shown_cases.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace grader {
namespace {

namespace fs = std::filesystem;

/// The number in the name of a lab, such as 10 in "lab10"; 0 if it is not a lab.
int number_of(const std::string& lab) {
    const std::string prefix = "lab";
    int number = 0;
    const char* end = lab.data() + lab.size();
    if (!lab.starts_with(prefix) ||
        std::from_chars(lab.data() + prefix.size(), end, number).ptr != end)
        return 0;
    return number;
}

/// The rest of the first line of `text` that begins with `beginning`; "" if none does.
std::string after(const std::string& beginning, std::ifstream& text) {
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with(beginning))
            return line.substr(beginning.size());
    }
    return "";
}

} // namespace

bool is_whole(const report::Result& result) {
    return !result.cases.empty() && std::ranges::all_of(result.cases, [](const report::Case& one) {
        return one.progress == report::Case::Progress::ended;
    });
}

void write_progress(const report::Result& result, fs::file_time_type start,
                    const std::string& file) {
    std::error_code ignored;
    const fs::path path = file;
    const fs::path partial = file + ".partial";
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream stream(partial, std::ios::binary);
    if (result.max_score() == 0)
        stream << report::passed_cases(result.cases) << " of " << result.cases.size();
    else
        stream << result.score() << " of " << result.max_score();
    stream << '\n' << std::flush;
    if (!stream)
        return;
    stream.close();
    fs::last_write_time(partial, start, ignored);
    fs::rename(partial, path, ignored);
}

std::optional<report::NextLab> lab_after(const std::string& root, const std::string& lab) {
    const int number = number_of(lab);
    int next = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(root) / "labs", ignored)) {
        const int other = number_of(entry.path().filename());
        if (other > number && (next == 0 || other < next) && entry.is_directory(ignored))
            next = other;
    }
    if (next == 0)
        return std::nullopt;
    report::NextLab found;
    found.name = "lab" + std::to_string(next);
    std::ifstream handout(fs::path(root) / "labs" / found.name / "README.md");
    const std::string heading = after("# ", handout);
    const std::size_t colon = heading.find(": ");
    found.title = colon == std::string::npos ? heading : heading.substr(colon + 2);
    found.teaches = after("You learn: ", handout);
    return found;
}

} // namespace grader
