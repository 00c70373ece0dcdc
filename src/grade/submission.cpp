#include "grade/submission.hpp"

#include "grade/files.hpp"
#include "report/text.hpp"

#include <algorithm>

namespace fs = std::filesystem;

namespace grade {
namespace {

constexpr const char* result_name = "result.json";

/// The folder for copies of the graded files, under their own paths, with the basis of their grades
/// and the labs of an unfinished grading beside them.
constexpr const char* copies_name = "graded";
constexpr const char* basis_name = "basis";

/// Returns a log without anything that a terminal or a workflow takes for a command.
std::string shown(const std::string& log) { return report::without_commands(report::visible(log)); }

/// Whether `result` is of `lab` and would be the same again.
bool stands(const report::Result& result, const std::string& lab, const Settings& settings) {
    return result.lab == lab && !result.harness_failed &&
           result.seed == settings.seed.value_or(result.seed);
}

std::string text_of(const Revisions& revisions) {
    std::string text;
    for (const auto& [lab, revision] : revisions)
        text.append(lab)
            .append(" commit ")
            .append(revision.commit)
            .append(revision.pushed ? " pushed " : " committed ")
            .append(revision.time)
            .append("\n");
    return text;
}

} // namespace

std::string basis_of(const Course& course, const Settings& settings) {
    const std::string device = settings.device ? std::to_string(*settings.device) : "the CPU";
    return "course " + course.digest() + "\ndevice " + device + "\nprotection " +
           sandbox::name_of(settings.protection) + "\nseconds a lab " +
           std::to_string(settings.lab_seconds) + "\n";
}

/// Whether exactly these files were graded here, with this basis.
bool Results::is_of(const Files& files, const std::string& basis) const {
    const fs::path copies = folder_ / copies_name;
    const auto is_copied = [&](const auto& file) {
        return read_file(copies / file.first) == file.second;
    };
    const auto is_absent = [&](const auto& file) { return !fs::exists(copies / file.first); };
    return read_file(copies / basis_name) == basis + text_of(files.revisions) &&
           std::ranges::all_of(files.contents, is_copied) &&
           std::ranges::all_of(files.refused, is_absent);
}

std::optional<report::Submission> Results::finished(const Course& course, const Files& files,
                                                    const Settings& settings) const {
    const auto text = read_file(folder_ / result_name);
    if (!text || !is_of(files, basis_of(course, settings)))
        return std::nullopt;
    try {
        report::Submission known = report::submission_from_json(*text);
        const std::vector<std::string>& labs = course.labs();
        if (std::equal(known.labs.begin(), known.labs.end(), labs.begin(), labs.end(),
                       [&](const report::Result& result, const std::string& lab) {
                           return stands(result, lab, settings);
                       }))
            return known;
    } catch (const std::runtime_error&) {
        return std::nullopt; // of another version, or not a result
    }
    return std::nullopt;
}

void Results::forget() const {
    fs::remove(folder_ / result_name);
    // The folder that was chosen for the results can contain other files.
    if (fs::exists(folder_ / copies_name / basis_name))
        fs::remove_all(folder_ / copies_name);
}

void Results::tidy() const {
    remove_partial_files(folder_);
    remove_partial_files(folder_ / copies_name);
    std::error_code error;
    fs::directory_iterator entry(folder_ / copies_name, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (entry->path().extension() == ".json")
            fs::remove(entry->path(), ignored);
    }
}

void Results::begin(const Files& files, const std::string& basis) const {
    fs::remove(folder_ / result_name);
    remove_partial_files(folder_);
    remove_partial_files(folder_ / copies_name);
    if (is_of(files, basis))
        return;
    forget();
    fs::create_directories(folder_ / copies_name);
    write_file(folder_ / copies_name / basis_name, "");
    for (const auto& [path, text] : files.contents) {
        fs::create_directories((folder_ / copies_name / path).parent_path());
        write_file(folder_ / copies_name / path, text);
    }
    // Last, because it shows that the others are there.
    write_file(folder_ / copies_name / basis_name, basis + text_of(files.revisions));
}

std::optional<Graded> Results::kept(const std::string& lab, const Settings& settings) const {
    const auto text = read_file(folder_ / copies_name / (lab + ".json"));
    if (!text)
        return std::nullopt;
    try {
        Graded graded{report::result_from_json(*text), {}};
        if (stands(graded.result, lab, settings))
            return graded;
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
    return std::nullopt;
}

void Results::keep(const Graded& lab) const {
    fs::create_directories(folder_ / copies_name);
    write_file(folder_ / (lab.result.lab + ".log"), shown(lab.log));
    if (!lab.result.harness_failed)
        write_file(folder_ / copies_name / (lab.result.lab + ".json"), report::to_json(lab.result));
}

void Results::write(const report::Submission& submission) const {
    fs::create_directories(folder_);
    write_file(folder_ / "classroom.json", report::to_classroom(submission));
    write_file(folder_ / "classroom50.json",
               report::to_classroom50(submission, report::classroom50_environment()));
    write_file(folder_ / "gradescope.json", report::to_gradescope(submission));
    write_file(folder_ / "junit.xml", report::to_junit(submission));
    write_file(folder_ / "summary.md", report::to_markdown(submission));
    write_file(folder_ / "annotations.txt", report::to_annotations(submission));
    write_file(folder_ / "report.html", report::to_html(submission));
    write_file(folder_ / result_name, report::to_json(submission));
    for (const report::Result& lab : submission.labs)
        fs::remove(folder_ / copies_name / (lab.lab + ".json"));
}

} // namespace grade
