#include "report/class_page.hpp"

#include "report/causes.hpp"
#include "report/page.hpp"
#include "report/shown_cases.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace report::page {
namespace {

constexpr const char* class_style = R"(
body { max-width: 84rem; }
.mistakes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr));
  gap: 0.75rem; padding: 0; list-style: none; }
.mistakes li { min-width: 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line);
  border-radius: 0.375rem; }
.mistakes h3 { margin: 0; font-size: 1rem; }
.mistakes pre { white-space: pre; overflow-wrap: normal; }
.mistakes details { margin: 0; }
.labs { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.labs figure { margin: 0; }
.labs svg { display: block; width: 100%; height: 5rem; border-bottom: 1px solid var(--faint); }
.labs rect { fill: var(--fill); }
.ends { display: flex; justify-content: space-between; }
.map table { width: auto; border-collapse: separate; border-spacing: 1px; font-size: 0.8125rem; }
.map th, .map td { padding: 0.125rem; border: 0; }
.map tbody th, .map .corner { position: sticky; left: 0; z-index: 1; min-width: 9rem;
  max-width: 42vw; padding-right: 0.5rem; background: var(--page); }
.map thead th { vertical-align: bottom; background: var(--page); font-weight: 400; }
.map .who { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 12rem;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.map .part { padding-right: 0.5rem; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.k { min-width: 1.125rem; text-align: center; font: 0.75rem/1.25 ui-monospace, monospace; }
.p { background: var(--good-page); color: var(--good); }
.f, .e { background: var(--bad); color: var(--page); font-weight: 700; }
.i, .b { background: var(--unsure-page); color: var(--unsure); }
.s, .n { background: var(--panel); color: var(--faint); }
.legend span { display: inline-block; padding: 0 0.375rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
@media (forced-colors: active) { .labs rect { fill: CanvasText; }
  .f, .e { border: 1px solid CanvasText; } }
@media print { .map { overflow: visible; } .f, .e { border: 1px solid; }
  .p, .f, .e, .i, .b, .s, .n { background: none; color: var(--text); } }
)";

/// A status in the map: a letter, so that the map is readable without colors.
struct Sign {
    std::string letter;
    std::string kind;
    const char* meaning;
};

Sign sign_of(Status status) {
    const StatusNames& names = names_of(status);
    return {std::string(1, names.label.front()), std::string("k ") + names.name[0], names.words};
}

const Sign not_graded{"\xE2\x80\x93", "k n", "not graded"};

std::string short_name(const std::string& text) { return visible_line(text, name_limit); }

std::string students(std::size_t count) { return count_of(count, "student"); }

int score_of(const ClassEntry& entry) {
    int score = 0;
    for (const ClassLab& lab : entry.labs)
        score += lab.graded ? lab.score : 0;
    return score;
}

/// Returns a relative address of a folder's file: every byte that could mean something is a code.
std::string address_of(const std::string& folder) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string address = "./";
    for (const char c : folder) {
        const auto code = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (plain)
            address += c;
        else
            address += {'%', digits[code / 16U], digits[code % 16U]};
    }
    return address + "/report.html";
}

/// The students in the order of the page, with the names that it shows.
struct Class {
    std::vector<const ClassEntry*> entries;
    std::vector<std::string> names;
    bool anonymous = false;
};

/// Sorts by points. Students with as many points are sorted by what they passed: the order of an
/// anonymous page says nothing about names.
Class sorted_class(const std::vector<ClassEntry>& entries, bool anonymous) {
    using Key = std::tuple<int, std::vector<std::vector<Status>>>;
    std::vector<std::pair<Key, const ClassEntry*>> order;
    order.reserve(entries.size());
    for (const ClassEntry& entry : entries) {
        Key key{-score_of(entry), {}};
        for (const ClassLab& lab : entry.labs)
            std::get<1>(key).push_back(lab.statuses);
        order.emplace_back(std::move(key), &entry);
    }
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first < b.first; });
    Class result;
    result.anonymous = anonymous;
    for (const auto& [key, entry] : order) {
        result.entries.push_back(entry);
        result.names.push_back(anonymous ? std::to_string(result.names.size() + 1)
                                         : short_name(entry->student));
    }
    return result;
}

void add_student(Node parent, const Class& all, std::size_t i) {
    if (all.anonymous) {
        write(parent, all.names[i]);
        return;
    }
    Node link = add(parent, "a");
    set(link, "href", address_of(all.entries[i]->student));
    add_text(link, "bdi", all.names[i]);
}

// --- mistakes ------------------------------------------------------------------------------------

/// A mistake and the students who make it, as indices into the class.
struct Common {
    const Mistake* example = nullptr;
    std::vector<std::size_t> students;
    std::size_t first = 0; ///< the number of them for whom it is what to fix first in the lab
};

std::vector<Common> common_mistakes(const Class& all) {
    std::map<std::pair<std::string, std::string>, Common> by_text;
    for (std::size_t i = 0; i < all.entries.size(); ++i) {
        for (const Mistake& mistake : all.entries[i]->mistakes) {
            Common& common = by_text[{mistake.lab, mistake.text}];
            if (common.example == nullptr ||
                (common.example->code.empty() && !mistake.code.empty()))
                common.example = &mistake;
            if (common.students.empty() || common.students.back() != i)
                common.students.push_back(i);
            common.first += mistake.first ? 1 : 0;
        }
    }
    std::vector<Common> mistakes;
    mistakes.reserve(by_text.size());
    for (const auto& [text, common] : by_text)
        mistakes.push_back(common);
    std::ranges::stable_sort(mistakes, [](const Common& a, const Common& b) {
        return std::pair(a.first, a.students.size()) > std::pair(b.first, b.students.size());
    });
    return mistakes;
}

/// Returns a line of code without comments, which can contain a name.
std::string without_comments(const std::string& code) {
    return code.substr(0, std::min(code.find("//"), code.find("/*")));
}

void add_mistake(Node list, const Common& common, const Class& all) {
    const Mistake& mistake = *common.example;
    const std::string share =
        std::to_string(common.students.size()) + " of " + students(all.entries.size());
    Node item = add(list, "li");
    add_heading(item, 3, short_name(mistake.lab) + ": " + visible_line(mistake.text, line_limit));
    add_bar(item,
            static_cast<double>(common.students.size()) / static_cast<double>(all.entries.size()),
            share, "mine");
    const std::string code = all.anonymous ? without_comments(mistake.code) : mistake.code;
    if (code.find_first_not_of(' ') != std::string::npos) {
        add_text(item, "div", "for example " + visible_line(mistake.place, line_limit), "faint");
        write(add_region(item, "pre", "a line of code with this mistake", ""),
              visible_line(code, name_limit));
    }
    Node names = add_text(add_details(item, share), "p", "");
    for (std::size_t i = 0; i < common.students.size(); ++i) {
        if (i != 0)
            write(names, ", ");
        add_student(names, all, common.students[i]);
    }
}

void add_mistakes(Node parent, const Class& all) {
    constexpr std::size_t most = 10;
    const std::vector<Common> mistakes = common_mistakes(all);
    Node section = add(parent, "section");
    add_heading(section, 2, "The most common mistakes");
    if (mistakes.empty())
        add_text(section, "p", "There are none.");
    else
        add_text(
            section, "p",
            "The list begins with the mistakes that most students must fix first. A wrong result "
            "often follows from another mistake.",
            "faint");
    Node list = mistakes.empty() ? Node() : add(section, "ol", "mistakes");
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        if (i == most)
            list = add(add_details(section, std::to_string(mistakes.size() - most) + " more"), "ol",
                       "mistakes");
        add_mistake(list, mistakes[i], all);
    }
}

// --- labs ----------------------------------------------------------------------------------------

/// A lab of the class: the results of all students in it, in the order of the class.
struct LabOfClass {
    std::string title;
    int max_score = 0;
    std::vector<std::string> cases;
    std::vector<const ClassLab*> students; ///< null: no result
};

/// Returns the labs, in the order in which they are first met.
std::vector<LabOfClass> labs_of(const Class& all) {
    std::vector<LabOfClass> labs;
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < all.entries.size(); ++i) {
        for (const ClassLab& lab : all.entries[i]->labs) {
            const auto [known, added] = index.try_emplace(lab.lab, labs.size());
            if (added)
                labs.push_back({lab.lab, 0, {}, {}});
            LabOfClass& of_class = labs[known->second];
            of_class.students.resize(all.entries.size());
            if (!lab.graded)
                continue;
            of_class.students[i] = &lab;
            of_class.max_score = std::max(of_class.max_score, lab.max_score);
            if (!lab.title.empty() && of_class.title == lab.lab)
                of_class.title += ": " + lab.title;
            for (const std::string& name : lab.cases) {
                if (std::ranges::find(of_class.cases, name) == of_class.cases.end())
                    of_class.cases.push_back(name);
            }
        }
    }
    return labs;
}

/// What students are counted by: points, or cases where a lab has none.
struct Scale {
    int most = 0;
    std::string unit; ///< begins with a space
};

/// Returns the scores of the students with a result, sorted.
std::vector<int> scores_of(const LabOfClass& lab, const Scale& scale) {
    std::vector<int> scores;
    for (const ClassLab* one : lab.students) {
        if (one == nullptr)
            continue;
        const auto passed =
            std::ranges::count_if(one->statuses, [](Status status) { return has_passed(status); });
        const int score = lab.max_score > 0 ? one->score : static_cast<int>(passed);
        scores.push_back(std::clamp(score, 0, scale.most));
    }
    std::ranges::sort(scores);
    return scores;
}

/// Draws how many students have each score.
void add_bars(Node parent, const std::vector<int>& scores, const Scale& scale) {
    // Labs can be worth any number of points, so neighboring ones share a bar.
    constexpr int most_bars = 25;
    const int width = scale.most / most_bars + 1;
    std::vector<std::size_t> bars(static_cast<std::size_t>(scale.most / width + 1));
    for (const int score : scores)
        ++bars[static_cast<std::size_t>(score / width)];
    const std::size_t highest = *std::ranges::max_element(bars);
    Node picture = add(parent, "svg");
    set(picture, "viewBox", "0 0 " + std::to_string(10 * bars.size()) + " 100");
    set(picture, "preserveAspectRatio", "none");
    set(picture, "role", "img");
    std::string text;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (bars[i] == 0)
            continue;
        const int first = static_cast<int>(i) * width;
        const int last = std::min(first + width - 1, scale.most);
        const std::string title = std::to_string(first) +
                                  (last > first ? " to " + std::to_string(last) : "") + scale.unit +
                                  ": " + students(bars[i]);
        text += (text.empty() ? "" : ", ") + title;
        const std::size_t height = std::max<std::size_t>(100 * bars[i] / highest, 2);
        Node bar = add(picture, "rect");
        set(bar, "x", std::to_string(10 * i + 1));
        set(bar, "y", std::to_string(100 - height));
        set(bar, "width", "8");
        set(bar, "height", std::to_string(height));
        add_text(bar, "title", title);
    }
    set(picture, "aria-label", text);
}

void add_distribution(Node parent, const LabOfClass& lab) {
    const Scale scale = lab.max_score > 0
                            ? Scale{lab.max_score, " points"}
                            : Scale{static_cast<int>(lab.cases.size()), " cases passed"};
    const std::vector<int> scores = scores_of(lab, scale);
    Node figure = add(parent, "figure");
    add_text(figure, "figcaption", short_name(lab.title));
    if (scores.empty()) {
        add_text(figure, "p", "no results", "faint");
        return;
    }
    add_bars(figure, scores, scale);
    Node ends = add(figure, "div", "ends faint");
    add_text(ends, "span", "0");
    add_text(ends, "span", std::to_string(scale.most) + scale.unit);
    const auto with_all = std::ranges::count(scores, scale.most);
    add_text(figure, "div",
             "median " + points(scores[scores.size() / 2], scale.most) + ", " +
                 students(static_cast<std::size_t>(with_all)) + " of " +
                 std::to_string(scores.size()) + " with all" + scale.unit,
             "faint");
}

/// Returns the status of a case in a student's lab, or null.
const Status* status_in(const ClassLab* lab, const std::string& name) {
    if (lab == nullptr)
        return nullptr;
    const auto found = std::ranges::find(lab->cases, name);
    return found == lab->cases.end()
               ? nullptr
               : &lab->statuses.at(static_cast<std::size_t>(found - lab->cases.begin()));
}

void add_map(Node parent, const LabOfClass& lab, const Class& all) {
    add_heading(parent, 3, short_name(lab.title));
    Node table = add(add_region(parent, "div", "cases and students", "scroll map"), "table");
    add_text(table, "caption", "Students with more points come first.");
    Node heading = add(add(table, "thead"), "tr");
    const auto add_column = [&](const char* kind) {
        Node cell = add(heading, "th", kind);
        set(cell, "scope", "col");
        return cell;
    };
    write(add_column("corner"), "case");
    write(add_column("part"), "passed");
    for (std::size_t i = 0; i < all.entries.size(); ++i)
        add_student(add(add_column(""), "div", "who"), all, i);
    Node body = add(table, "tbody");
    for (const std::string& name : lab.cases) {
        Node row = add(body, "tr");
        set(add_text(row, "th", short_name(name)), "scope", "row");
        Node part = add(row, "td", "part");
        std::size_t passed = 0;
        for (const ClassLab* one : lab.students) {
            const Status* status = status_in(one, name);
            passed += status != nullptr && has_passed(*status) ? 1 : 0;
            const Sign sign = status == nullptr ? not_graded : sign_of(*status);
            add_text(row, "td", sign.letter, sign.kind.c_str());
        }
        write(part, std::to_string(passed) + "/" + std::to_string(all.entries.size()));
    }
}

void add_legend(Node parent) {
    Node legend = add(parent, "ul", "legend");
    const auto add_sign = [&](const Sign& sign) {
        Node item = add(legend, "li");
        add_text(item, "span", sign.letter, sign.kind.c_str());
        write(item, std::string(" ") + sign.meaning);
    };
    for (const StatusNames& one : statuses)
        add_sign(sign_of(one.status));
    add_sign(not_graded);
}

void add_students(Node parent, const Class& all) {
    Node section = add(parent, "section");
    add_heading(section, 2, "Students");
    Node body = add_table(section, "all students", "All students, highest scores first",
                          {{"student"}, {"points", true}, {"remark"}});
    for (std::size_t i = 0; i < all.entries.size(); ++i) {
        const ClassEntry& entry = *all.entries[i];
        int max_score = 0;
        std::string remark = all.anonymous && !entry.note.empty() ? "no result" : entry.note;
        for (const ClassLab& lab : entry.labs) {
            max_score += lab.max_score;
            if (!lab.graded)
                remark += (remark.empty() ? "" : "; ") + lab.lab + " was not graded";
        }
        Node row = add(body, "tr");
        Node name = add(row, "th");
        set(name, "scope", "row");
        add_student(name, all, i);
        add_text(row, "td", entry.labs.empty() ? "" : points(score_of(entry), max_score), "number");
        add_text(row, "td", visible_line(remark, line_limit));
    }
}

std::string page_of_class(const std::vector<ClassEntry>& entries, bool anonymous) {
    const Class all = sorted_class(entries, anonymous);
    const std::vector<LabOfClass> labs = labs_of(all);
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(
        entries, [](const ClassEntry& entry) { return !entry.note.empty(); }));
    const std::string title = students(entries.size()) + ", " + count_of(labs.size(), "lab");
    pugi::xml_document document;
    Node body = begin(document, "Class: " + title, class_style);
    Node header = add(body, "header");
    add_heading(header, 1, "The class at a glance");
    add_text(header, "p", title, "score");
    if (missing != 0)
        add_text(header, "p",
                 students(missing) + (missing == 1 ? " has" : " have") +
                     " no result; the table at the end says why",
                 "reason");
    add_text(header, "p", "Graded by " + product(), "faint");
    Node main = add(body, "main");
    add_mistakes(main, all);
    Node section = add(main, "section");
    add_heading(section, 2, "Points");
    Node figures = add(section, "div", "labs");
    for (const LabOfClass& lab : labs)
        add_distribution(figures, lab);
    section = add(main, "section");
    add_heading(section, 2, "Cases and students");
    add_legend(section);
    for (const LabOfClass& lab : labs)
        add_map(section, lab, all);
    add_students(main, all);
    return finish(document);
}

} // namespace
} // namespace report::page

namespace report {
namespace {

/// Returns `line` without what differs between inputs: "wrong sum", "launch # of this call".
std::string without_numbers(const std::string& line) {
    const std::string head = line.substr(0, line.find(" for n = "));
    std::string text;
    for (const char c : head) {
        const bool is_digit = c >= '0' && c <= '9';
        const char before = text.empty() ? ' ' : text.back();
        const bool in_name = before == '_' || std::isalnum(static_cast<unsigned char>(before)) != 0;
        if (!is_digit || in_name)
            text += c;
        else if (before != '#')
            text += '#';
    }
    return text;
}

std::string text_of(const Cause& cause) {
    if (cause.finding != nullptr)
        return words_of_kind(cause.finding->kind);
    const std::string& guess = cause.cases.front()->guess;
    return without_numbers(title_of(cause)) + (guess.empty() ? "" : "; looks like: " + guess);
}

} // namespace

std::vector<Mistake> mistakes_in(const Result& lab) {
    std::vector<Case> cases = shown_cases(lab);
    const auto is_left_out = [](const Case& one) {
        return one.max_score == 0 && one.not_implemented;
    };
    std::erase_if(cases, is_left_out);
    std::vector<Mistake> mistakes;
    for (const Cause& cause : causes_of(cases, lab.findings).causes) {
        Mistake mistake{
            lab.lab, visible_line(text_of(cause), line_limit), {}, {}, mistakes.empty()};
        if (std::ranges::any_of(mistakes,
                                [&](const Mistake& known) { return known.text == mistake.text; }))
            continue;
        const Case& first = *cause.cases.front();
        const std::string& file = cause.finding == nullptr ? first.file : cause.finding->file;
        const int line = cause.finding == nullptr ? first.line : cause.finding->line;
        if (const Source* source = source_of(lab.sources, file)) {
            std::string code = line_of(*source, line);
            code.erase(0, after_blanks(code, 0));
            // The beginning of a kernel is a place to start, not a mistake.
            if (code.find("__kernel") == std::string::npos) {
                mistake.code = code.substr(0, line_limit);
                mistake.place = place(file, line);
            }
        }
        mistakes.push_back(std::move(mistake));
    }
    return mistakes;
}

std::string class_page(const std::vector<ClassEntry>& entries, bool anonymous) {
    return page::page_of_class(entries, anonymous);
}

} // namespace report
