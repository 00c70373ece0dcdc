#include "grade/class.hpp"

#include "grade/files.hpp"
#include "report/shown_cases.hpp"
#include "report/times.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace grade {
namespace {

/// The gradebook's name in the output of a class.
constexpr const char* gradebook_name = "gradebook.csv";

/// The page about the class, likewise.
constexpr const char* page_name = "class.html";

/// The revisions lie beside the submissions, where no student can write.
constexpr const char* revisions_name = "revisions.tsv";

std::string note_on(const report::Submission& submission) {
    std::string note;
    for (const report::Result& lab : submission.labs) {
        const std::string remark = report::remark_on(lab);
        if (!remark.empty())
            note += (note.empty() ? "" : "; ") + lab.lab + ": " + remark;
    }
    return note;
}

report::ClassLab class_lab(const report::Result& result) {
    report::ClassLab lab{
        result.lab, result.title, result.score(), result.max_score(), !result.harness_failed, {},
        {}};
    for (const report::Case& one : result.cases) {
        lab.cases.push_back(one.name);
        lab.statuses.push_back(one.status);
    }
    return lab;
}

} // namespace

Shard parse_shard(const std::string& text) {
    constexpr std::size_t most_parts = 100000;
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto [slash, error] = std::from_chars(text.data(), end, shard.part);
    if (error == std::errc() && slash != end && *slash == '/') {
        const auto [stop, second_error] = std::from_chars(slash + 1, end, shard.parts);
        if (second_error == std::errc() && stop == end && shard.part >= 1 &&
            shard.part <= shard.parts && shard.parts <= most_parts)
            return shard;
    }
    throw std::runtime_error("SHARD must look like 2/5 (part 2 of 5), not like " + text);
}

std::vector<Task> class_in(const fs::path& submissions, const fs::path& out) {
    if (!fs::is_directory(submissions))
        throw std::runtime_error(
            submissions.string() +
            " is not a folder; give the folder that holds a folder for each student");
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(submissions)) {
        const std::string name = entry.path().filename();
        std::error_code unreadable;
        if (name.front() != '.' && fs::is_directory(entry.symlink_status(unreadable)))
            names.push_back(name);
    }
    if (names.empty())
        throw std::runtime_error(submissions.string() +
                                 " contains no folders; each student needs one");
    std::ranges::sort(names);
    for (const char* const ours : {gradebook_name, page_name}) {
        if (std::ranges::binary_search(names, ours))
            throw std::runtime_error("a submission is named " + std::string(ours) +
                                     ", like a file of the results; rename it");
    }
    std::map<std::string, Revisions> revisions =
        revisions_from(read_file(submissions / revisions_name).value_or(""));
    std::vector<Task> tasks;
    tasks.reserve(names.size());
    for (const std::string& name : names)
        tasks.push_back({name, submissions / name, Results(out / name), revisions[name]});
    return tasks;
}

std::vector<std::string> passed_over_in(const fs::path& submissions) {
    std::vector<std::string> lines;
    for (const fs::directory_entry& entry : fs::directory_iterator(submissions)) {
        const std::string name = entry.path().filename();
        std::error_code ignored;
        const bool is_folder = entry.is_directory(ignored);
        const bool is_hidden = name.front() == '.';
        if (entry.is_symlink(ignored))
            lines.push_back(name + " is a link; replace it with the folder itself");
        else if (is_folder && is_hidden)
            lines.push_back(name + " begins with a dot; rename it if it is a student's");
        else if (!is_folder && !is_hidden && name != revisions_name)
            lines.push_back(name + " is a file; each student needs a folder");
    }
    std::ranges::sort(lines);
    return lines;
}

std::map<std::string, Revisions> revisions_from(const std::string& text) {
    std::map<std::string, Revisions> revisions;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line);
        std::vector<std::string> fields;
        for (std::string field; std::getline(words, field, '\t');)
            fields.push_back(field);
        constexpr std::size_t columns = 5;
        const bool good = fields.size() == columns &&
                          (fields[3] == "pushed" || fields[3] == "committed") &&
                          report::seconds_of(fields[4]);
        if (!good)
            throw std::runtime_error(
                std::string(revisions_name) + ", line " + std::to_string(number) +
                ": expected student, lab, commit, pushed or committed, and a time such as "
                "2026-12-04T23:59:00+01:00, separated by tabs; fetch the submissions again");
        revisions[fields[0]][fields[1]] = {fields[2], fields[4], fields[3] == "pushed"};
    }
    return revisions;
}

std::vector<Task> part_of(const std::vector<Task>& tasks, const Shard& shard) {
    std::vector<Task> part;
    for (std::size_t i = shard.part - 1; i < tasks.size(); i += shard.parts)
        part.push_back(tasks[i]);
    return part;
}

Gradebook::Gradebook(const Course& course, const std::vector<Task>& tasks) : course_(course) {
    for (const Task& task : tasks)
        refresh(task);
}

void Gradebook::refresh(const Task& task) { students_[task.student] = read(task); }

Gradebook::Student Gradebook::read(const Task& task) const {
    Student student;
    report::Row& row = student.row;
    report::ClassEntry& entry = student.entry;
    row.student = entry.student = task.student;
    for (const std::string& lab : course_.labs()) {
        row.scores[lab] = std::nullopt;
        row.max += course_.declared(lab).max_score();
    }
    try {
        const auto text = read_file(task.results.folder() / "result.json");
        if (!text) {
            row.note = entry.note = "not graded yet";
            return student;
        }
        const report::Submission submission = report::submission_from_json(*text);
        for (const report::Result& lab : submission.labs) {
            entry.labs.push_back(class_lab(lab));
            if (lab.harness_failed)
                continue;
            row.scores[lab.lab] = lab.score();
            const std::vector<report::Mistake> mistakes = report::mistakes_in(lab);
            entry.mistakes.insert(entry.mistakes.end(), mistakes.begin(), mistakes.end());
        }
        row.note = note_on(submission);
    } catch (const std::exception& error) {
        row.note = entry.note = std::string("cannot read its result.json: ") + error.what();
    }
    return student;
}

std::string Gradebook::csv() const {
    std::vector<report::Row> rows;
    rows.reserve(students_.size());
    for (const auto& [name, student] : students_)
        rows.push_back(student.row);
    return report::gradebook(rows, course_.labs());
}

std::string Gradebook::page(bool anonymous) const {
    std::vector<report::ClassEntry> entries;
    entries.reserve(students_.size());
    for (const auto& [name, student] : students_)
        entries.push_back(student.entry);
    return report::class_page(entries, anonymous);
}

} // namespace grade
