#include "report/causes.hpp"
#include "report/page.hpp"
#include "report/picture.hpp"
#include "report/shown_cases.hpp"
#include "report/submission.hpp"
#include "report/text.hpp"
#include "report/version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace report::page {
namespace {

constexpr const char* report_style = R"(
.cause { margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line);
  border-left: 0.375rem solid var(--bad); border-radius: 0.375rem; }
.cause h3, .cause h4 { margin: 0; font-size: 1rem; }
.says { white-space: pre-wrap; }
.badge { display: inline-block; padding: 0 0.5rem; border-radius: 1rem; background: var(--panel);
  font-size: 0.8125rem; font-weight: 600; }
.badge.pass { background: var(--good-page); color: var(--good); }
.badge.fail, .badge.error { background: var(--bad-page); color: var(--bad); }
.badge.blocked, .badge.inconclusive { background: var(--unsure-page); color: var(--unsure); }
.cases { padding: 0; list-style: none; }
.cases li { margin: 0.375rem 0; }
.hint { padding-left: 0.75rem; border-left: 3px solid var(--line); white-space: pre-wrap; }
.code ol { margin: 0; padding-left: 3.5em; width: max-content; min-width: 100%; }
.code ol + ol { margin-top: 0.5rem; padding-top: 0.5rem; border-top: 1px dashed var(--faint); }
.code li::marker { color: var(--faint); }
.code li code { font: inherit; white-space: pre; }
.code .marked { background: var(--unsure-page); }
.code .marked::marker { color: var(--text); font-weight: 700; }
.code .note { display: block; color: var(--unsure); font-family: system-ui, sans-serif; }
figure { margin: 0.75rem 0; }
.first { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.375rem; }
@media print { .picture { overflow: visible; max-height: none; } .badge { border: 1px solid; } .code ol { width: auto; }
  .code li code { white-space: pre-wrap; } .code .marked { border: 1px solid; } }
)";

std::string name_of(const std::string& text) { return visible_line(text, name_limit); }

std::string with_digits(double number, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << finite(number);
    return text.str();
}

std::string show_size(const std::array<std::size_t, 3>& size) {
    std::string text = std::to_string(size[0]);
    for (std::size_t i = 1; i < 3 && (size[1] > 1 || size[2] > 1); ++i)
        text += "\xC3\x97" + std::to_string(size.at(i));
    return text;
}

std::string show_launch(const wire::Launch& launch) {
    return name_of(launch.kernel) + " (" + show_size(launch.global_size) + " work-items, " +
           (launch.work_group_size[0] == 0
                ? "work-groups chosen by the device"
                : "work-groups of " + show_size(launch.work_group_size)) +
           ")";
}

std::string show_launches(const std::vector<wire::Launch>& launches) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(launches.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + show_launch(launches[i]);
    return text + (launches.size() > most
                       ? " and " + std::to_string(launches.size() - most) + " more"
                       : "");
}

// --- source code ---------------------------------------------------------------------------------

/// Notes at lines of a file, by number.
using Notes = std::map<int, std::string>;

Notes notes_on(const Finding& finding) {
    Notes notes;
    const bool is_race = finding.kind == "data-race";
    const bool same_line = finding.line == finding.other_line;
    if (finding.other_line > 0)
        notes[finding.other_line] = is_race ? "the other side of the race" : "related line";
    if (finding.line > 0)
        notes[finding.line] = !is_race    ? words_of_kind(finding.kind)
                              : same_line ? "both sides of the race"
                                          : "one side of the race";
    return notes;
}

/// How many lines to show beside one with a note.
struct Around {
    int before;
    int after;
};
constexpr Around both_sides{4, 4};
constexpr Around what_follows{2, 14}; ///< a case names the line where its kernel begins
constexpr Around everything{static_cast<int>(source_limit), static_cast<int>(source_limit)};

/// Adds the lines of `source` around those with a note. Returns the numbers of the lines it shows.
std::set<int> add_code(Node parent, const Source& source, const Notes& notes, Around around) {
    std::set<int> shown;
    const auto lines = static_cast<int>(1 + std::ranges::count(source.text, '\n'));
    const int last = source.text.empty() || source.text.back() == '\n' ? lines - 1 : lines;
    for (const auto& [number, note] : notes) {
        const int begin = number - std::min(number - 1, around.before);
        for (int line = begin; line <= last && line - number <= around.after; ++line)
            shown.insert(line);
    }
    if (shown.empty())
        return shown;
    Node box = add_region(parent, "div",
                          "source code, lines " + std::to_string(*shown.begin()) + " to " +
                              std::to_string(*shown.rbegin()),
                          "code");
    Node list;
    int previous = 0;
    std::istringstream text(source.text);
    std::string code;
    for (int line = 1; line <= *shown.rbegin() && std::getline(text, code); ++line) {
        if (!shown.contains(line))
            continue;
        if (!list || line != previous + 1) {
            list = add(box, "ol");
            set(list, "start", std::to_string(line));
        }
        previous = line;
        const auto note = notes.find(line);
        Node item = add(list, "li", note == notes.end() ? "" : "marked");
        add_text(item, "code", visible(code, line_limit));
        if (note != notes.end())
            add_text(item, "span", "\xE2\x96\xB2 " + note->second, "note");
    }
    return shown;
}

// --- cases ---------------------------------------------------------------------------------------

/// Whether a line of a message points into the line above.
bool is_caret(const std::string& line) {
    return line.find('^') != std::string::npos &&
           line.find_first_not_of(" ^~") == std::string::npos;
}

/// Returns the number of the line that a line of a message quotes ("  12 | code"); 0 if none.
int quoted_line(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' ');
    int number = 0;
    if (begin == std::string::npos)
        return 0;
    const char* const end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data() + begin, end, number);
    const bool quotes =
        error == std::errc() && std::string_view(stop, end - stop).substr(0, 3) == " | ";
    return quotes ? number : 0;
}

/// The lines of a message by kind: what it says, and code that it quotes.
struct Message {
    std::string says;
    std::string quotes;
};

/// Splits a message. Quotes of `shown` lines of `source` are left out, unless a caret points there.
Message split(const std::string& message, const Source* source, const std::set<int>& shown) {
    std::istringstream stream(visible(message, message_limit));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    const bool has_carets = std::ranges::any_of(lines, is_caret);
    Message parts;
    for (const std::string& line : lines) {
        const int number = quoted_line(line);
        const bool is_shown = !has_carets && source != nullptr && shown.contains(number) &&
                              line.substr(line.find('|') + 2) == visible(line_of(*source, number));
        std::string& part = number != 0 || is_caret(line) ? parts.quotes : parts.says;
        if (!is_shown)
            part += (part.empty() ? "" : "\n") + line;
    }
    return parts;
}

void add_message(Node parent, const Message& message) {
    if (!message.says.empty())
        add_text(parent, "p", message.says, "says");
    if (!message.quotes.empty())
        write(add_region(parent, "pre", "code that the message quotes", ""), message.quotes);
}

/// The elements of a picture; all others are left out.
constexpr std::array<std::string_view, 13> picture_elements{
    "svg",     "g",        "path", "line",  "rect",  "circle", "ellipse",
    "polygon", "polyline", "text", "tspan", "title", "desc"};

bool is_harmless(const pugi::xml_attribute& attribute) {
    const std::string name = attribute.name();
    const std::string value = attribute.value();
    return !name.starts_with("on") && name.find("href") == std::string::npos && name != "style" &&
           name != "src" && name != "id" && value.find("url(") == std::string::npos;
}

void copy_picture(Node from, Node to) {
    for (const Node child : from.children()) {
        if (child.type() == pugi::node_pcdata)
            write(to, visible(child.value(), message_limit));
        const std::string_view name = child.name();
        if (std::ranges::find(picture_elements, name) == picture_elements.end())
            continue;
        Node copy = add_text(to, child.name(), "");
        for (const pugi::xml_attribute& attribute : child.attributes()) {
            if (is_harmless(attribute))
                set(copy, attribute.name(), visible_line(attribute.value()));
        }
        copy_picture(child, copy);
    }
}

/// Adds the picture of how a case fails, if there is one.
void add_trace(Node parent, const std::string& svg) {
    pugi::xml_document picture;
    if (svg.empty() || !picture.load_string(svg.c_str()))
        return;
    pugi::xml_document copy;
    copy_picture(picture.root(), copy.root());
    if (const Node drawing = copy.child("svg"))
        add_region(parent, "div", "what the kernels do with a small input, as a picture",
                   "picture scroll")
            .append_copy(drawing);
}

void add_title(Node parent, const Case& one) {
    add_text(parent, "span", names_of(one.status).words,
             ("badge " + std::string(to_string(one.status))).c_str());
    write(parent, " ");
    add_text(parent, "span", name_of(one.name));
    write(parent, ", ");
    add_text(parent, "span", points(one));
}

/// Adds what helps with a case besides its message.
void add_help(Node parent, const Case& one, const Result& lab) {
    add_trace(parent, one.trace);
    if (!one.hint.empty())
        add_text(add_details(parent, "Hint"), "p", visible(one.hint, hint_limit), "hint");
    if (!one.output.empty())
        write(add_region(add_details(parent, "What the code printed"), "pre",
                         "what the code printed", ""),
              visible(one.output, output_limit));
    if (!one.launches.empty())
        add_text(parent, "p", "Last launches: " + show_launches(one.launches), "faint");
    Node again = add_text(parent, "p", "Again: ", "faint");
    add_text(again, "code",
             "./harness --seed " + std::to_string(lab.seed) + " -tc=\"" + name_of(one.name) + "\"");
}

/// Adds the cases of a cause other than the first.
void add_others(Node parent, const std::string& summary, const std::vector<const Case*>& cases,
                const std::string& known_message, const Result& lab) {
    if (cases.empty())
        return;
    Node list = add(add_details(parent, summary), "ul", "cases");
    for (const Case* one : cases) {
        Node item = add(list, "li");
        add_title(item, *one);
        if (one->message != known_message)
            add_message(item, split(one->message, nullptr, {}));
        if (one->status != Status::blocked && one->message != known_message)
            add_help(item, *one, lab);
        else
            add_trace(item, one->trace);
    }
}

/// Returns what the message says beyond `title`, which is its first line or names its finding.
std::string without_title(const std::string& says, const Cause& cause) {
    const std::string title = title_of(cause);
    if (cause.finding == nullptr) {
        const std::size_t end = says.find('\n');
        return says.substr(0, end) != title ? says
               : end == std::string::npos   ? ""
                                            : says.substr(end + 1);
    }
    const std::string prefix = place(cause.finding->file, cause.finding->line) + ": " +
                               words_of_kind(cause.finding->kind) + ": ";
    return says.starts_with(prefix) ? says.substr(prefix.size()) : says;
}

/// Adds the body of a cause: its first case with the lines of code, and the other cases folded.
void add_cause(Node parent, const Cause& cause, const Result& lab) {
    const Case& first = *cause.cases.front();
    add_title(add(parent, "p"), first);
    const std::string& file = cause.finding == nullptr ? first.file : cause.finding->file;
    const Source* source = source_of(lab.sources, file);
    Notes notes;
    if (cause.finding != nullptr)
        notes = notes_on(*cause.finding);
    else if (first.line > 0)
        notes[first.line] = "the line that the case names";
    pugi::xml_document code;
    const std::set<int> shown =
        source == nullptr ? std::set<int>{}
                          : add_code(code.root(), *source, notes,
                                     cause.finding == nullptr ? what_follows : both_sides);
    Message message = split(first.message, source, shown);
    message.says = without_title(message.says, cause);
    add_message(parent, message);
    if (!file.empty() && cause.finding == nullptr)
        add_text(add_text(parent, "p", "In "), "code", place(file, first.line));
    for (const Node node : code.children())
        parent.append_copy(node);
    if (source != nullptr && notes.empty())
        add_code(add_details(parent, "The code of " + name_of(source->file)), *source, {{0, ""}},
                 everything);
    add_help(parent, first, lab);
    add_others(parent,
               cause.cases.size() == 2 ? "1 more case fails for the same reason"
                                       : std::to_string(cause.cases.size() - 1) +
                                             " more cases fail for the same reason",
               {cause.cases.begin() + 1, cause.cases.end()}, first.message, lab);
    add_others(parent,
               cause.following.size() == 1 ? "1 case cannot be decided before this is fixed"
                                           : std::to_string(cause.following.size()) +
                                                 " cases cannot be decided before this is fixed",
               cause.following, first.message, lab);
}

std::string costs(const Cause& cause) {
    return " (" + count_of(static_cast<std::size_t>(std::max(cause.lost_points(), 0)), "point") +
           ")";
}

void add_causes(Node parent, const Causes& causes, const Result& lab, int level) {
    for (std::size_t i = 0; i < causes.causes.size(); ++i) {
        const Cause& cause = causes.causes[i];
        const std::string title = title_of(cause);
        if (i <= 1)
            add_heading(parent, level, i == 0 ? "Fix this first" : "Then");
        Node block = add(parent, "article", "cause");
        add_heading(block, level + 1, title + costs(cause));
        add_cause(i == 0 ? block : add_details(block, "What fails, and where"), cause, lab);
    }
    add_others(parent,
               count_of(causes.unassigned.size(), "case") +
                   " cannot be decided before these are fixed",
               causes.unassigned, "", lab);
}

/// Adds the cases that `belongs` chooses, folded. Does nothing if there are none.
template <class Belongs> void add_folded(Node parent, const std::vector<Case>& cases,
                                         const std::string& what, const Belongs& belongs) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(cases, belongs));
    if (count == 0)
        return;
    Node list = add(add_details(parent, count_of(count, "case") + " " + what), "ul", "cases");
    for (const Case& one : cases) {
        if (!belongs(one))
            continue;
        Node item = add(list, "li");
        add_title(item, one);
        add_message(item, split(one.message, nullptr, {}));
    }
}

// --- measurements --------------------------------------------------------------------------------

/// What a count means, in the words of the handouts; "" if it is not known.
const char* meaning_of(const std::string& count) {
    const auto* const found = std::ranges::find(wire::work_counts, count, &wire::WorkCount::name);
    return found == wire::work_counts.end() ? "" : found->words;
}

std::string in_words(std::string count) {
    std::ranges::replace(count, '_', ' ');
    return count;
}

Node add_count(Node body, const char* count) {
    Node row = add(body, "tr");
    Node name = add_text(row, "th", in_words(count));
    set(name, "scope", "row");
    add_text(add(name, "div"), "span", meaning_of(count), "faint");
    return row;
}

std::string times_as_many(std::uint64_t mine, std::uint64_t needed) {
    if (needed == 0)
        return "";
    return with_digits(static_cast<double>(mine) / static_cast<double>(needed), 2) + " \xC3\x97";
}

void add_work(Node parent, const Result& lab, int level) {
    if (lab.work.empty())
        return;
    add_heading(parent, level, "Work");
    add_text(parent, "p",
             std::string("Counted while the kernels were interpreted, for one call.") +
                 (lab.needs.empty() ? ""
                                    : " The handout's algorithm needs the numbers in the column "
                                      "\"needed\"; a few more are fine."),
             "faint");
    for (const wire::WorkCounts& work : lab.work) {
        std::map<std::string, std::uint64_t> needed;
        for (const Need& need : lab.needs) {
            if (need.kernel == work.kernel && meaning_of(need.count)[0] != '\0')
                needed[need.count] = need.value;
        }
        const std::string kernel = name_of(work.kernel) + ": " + count_of(work.launches, "launch") +
                                   ", " + count_of(work.groups, "group") + ", " +
                                   count_of(work.work_items, "work-item");
        if (!needed.empty()) {
            Node body = add_table(parent, "work of a kernel", kernel,
                                  {{"count"}, {"yours", true}, {"needed", true}, {"ratio", true}});
            for (const wire::WorkCount& count : wire::work_counts) {
                const auto need = needed.find(count.name);
                if (need == needed.end())
                    continue;
                Node row = add_count(body, count.name);
                add_text(row, "td", std::to_string(work.*count.value), "number");
                add_text(row, "td", std::to_string(need->second), "number");
                add_text(row, "td", times_as_many(work.*count.value, need->second), "number");
            }
        }
        Node body = add_table(add_details(parent, "All counts of " + kernel),
                              "all counts of a kernel", kernel, {{"count"}, {"yours", true}});
        for (const wire::WorkCount& count : wire::work_counts)
            add_text(add_count(body, count.name), "td", std::to_string(work.*count.value),
                     "number");
    }
}

/// A bandwidth and the time it leads to.
struct Speed {
    double bandwidth;   ///< bytes per second
    double nanoseconds; ///< for the same number of elements
};

/// Adds a bar for a bandwidth, as a part of the largest one.
void add_speed(Node parent, const std::string& whose, const Speed& speed, double largest,
               const char* kind) {
    const std::string text = with_digits(speed.bandwidth * 1e-9, 2) + " GB/s, " +
                             with_digits(speed.nanoseconds * 1e-6, 3) + " ms";
    add_text(parent, "div", whose + ": " + text);
    add_bar(parent, largest > 0 ? speed.bandwidth / largest : 0, text, kind);
}

void add_timings(Node parent, const Result& lab, int level) {
    if (lab.timings.empty())
        return;
    add_heading(parent, level, "Time");
    add_text(parent, "p",
             "The median of several rounds, alternating with a kernel of the harness. Bandwidth is "
             "the minimum traffic that the algorithm needs, divided by the time.",
             "faint");
    for (const Timing& timing : lab.timings) {
        Node figure = add(parent, "figure");
        add_text(figure, "figcaption",
                 name_of(timing.name) + ": " + count_of(timing.elements, "element"));
        const double fraction = finite(timing.bandwidth_fraction);
        const double ratio = finite(timing.ratio);
        const Speed mine{finite(timing.bytes_per_second), timing.nanoseconds};
        const Speed other{fraction > 0 ? mine.bandwidth / fraction : 0,
                          ratio > 0 ? mine.nanoseconds / ratio : 0};
        const double largest = std::max(mine.bandwidth, other.bandwidth);
        add_speed(figure, "yours", mine, largest, "mine");
        add_speed(figure, name_of(timing.baseline), other, largest, "other");
        add_text(figure, "p",
                 "yours takes " + with_digits(ratio, 2) + " times as long (from " +
                     with_digits(timing.ratio_low, 2) + " to " + with_digits(timing.ratio_high, 2) +
                     " in " + std::to_string(timing.rounds) + " rounds)",
                 "faint");
    }
}

/// Adds the findings, and the kernel files whole, with all lines marked that findings name.
void add_files(Node parent, const Result& lab, int level) {
    if (lab.findings.empty())
        return;
    add_heading(parent, level, "What the analysis found");
    Node list = add(parent, "ul");
    for (const Finding& finding : lab.findings) {
        Node item = add(list, "li");
        add_text(item, "code", place(finding.file, finding.line));
        write(item,
              " " + words_of_kind(finding.kind) + ": " + visible(finding.message, line_limit));
    }
    for (const Source& source : lab.sources) {
        Notes notes;
        for (const Finding& finding : lab.findings) {
            if (finding.file == source.file) {
                const Notes more = notes_on(finding);
                notes.insert(more.begin(), more.end());
            }
        }
        if (!notes.empty())
            add_code(add_details(parent, "All of " + name_of(source.file)), source, notes,
                     everything);
    }
}

// --- labs ----------------------------------------------------------------------------------------

std::string title_of_lab(const Result& lab) {
    return name_of(lab.lab) + (lab.title.empty() ? "" : ": " + name_of(lab.title));
}

std::string cases_passed(const std::vector<Case>& cases) {
    return points(static_cast<int>(passed_cases(cases)), static_cast<int>(cases.size()));
}

double part(int score, int max_score) {
    return max_score > 0 ? static_cast<double>(score) / max_score : 0;
}

/// Adds all about a lab but its title. Its headings have this level.
void add_results(Node parent, const Result& lab, int level) {
    const std::vector<Case> cases = shown_cases(lab);
    const std::string score =
        points(lab.score(), lab.max_score()) + " points, " + cases_passed(cases) + " cases passed";
    add_text(parent, "p", score);
    add_bar(parent, part(lab.score(), lab.max_score()), score, "mine");
    const std::string remark = remark_on(lab);
    if (!remark.empty())
        add_text(parent, "p", visible(remark, message_limit), "reason");
    if (!cases.empty() && passed_cases(cases) == cases.size())
        add_text(parent, "p", "Every case passed.");
    add_causes(parent, causes_of(cases, lab.findings), lab, level);
    add_folded(parent, cases, "passed", [](const Case& one) { return has_passed(one.status); });
    add_folded(parent, cases, "skipped",
               [](const Case& one) { return one.status == Status::skipped; });
    add_work(parent, lab, level);
    add_timings(parent, lab, level);
    add_files(parent, lab, level);
    std::string facts = "seed " + std::to_string(lab.seed);
    if (!lab.device.empty())
        facts += ", device " + name_of(lab.device);
    if (!lab.protection.empty())
        facts += ", sandbox: " + name_of(lab.protection);
    if (const std::string revision = revision_of(lab); !revision.empty())
        facts += ", " + revision;
    add_text(parent, "p", facts, "faint");
}

void add_overview(Node parent, const std::vector<Result>& labs) {
    Node body =
        add_table(parent, "all labs", "All labs", {{"lab"}, {"points", true}, {"passed", true}});
    for (std::size_t i = 0; i < labs.size(); ++i) {
        const std::string score = points(labs[i].score(), labs[i].max_score());
        Node row = add(body, "tr");
        Node name = add(row, "th");
        set(name, "scope", "row");
        set(add_text(name, "a", title_of_lab(labs[i])), "href", "#lab-" + std::to_string(i + 1));
        add_bar(name, part(labs[i].score(), labs[i].max_score()), score + " points", "mine");
        if (const std::string remark = remark_on(labs[i]); !remark.empty())
            add_text(name, "div", visible(remark, line_limit), "faint");
        add_text(row, "td", score, "number");
        add_text(row, "td", cases_passed(shown_cases(labs[i])), "number");
    }
}

/// Adds where to start: the first cause of the first lab that has one.
void add_start(Node parent, const std::vector<Result>& labs) {
    for (std::size_t i = 0; i < labs.size(); ++i) {
        const std::vector<Case> cases = shown_cases(labs[i]);
        const Causes causes = causes_of(cases, labs[i].findings);
        if (causes.causes.empty())
            continue;
        Node start = add_text(parent, "p", "Start with ", "first");
        set(add_text(start, "a", title_of_lab(labs[i])), "href", "#lab-" + std::to_string(i + 1));
        write(start, ": " + title_of(causes.causes.front()) + costs(causes.causes.front()));
        return;
    }
}

std::string page_of(const Submission& submission) {
    const std::string score = points(submission.score(), submission.max_score()) + " points";
    const std::string student = name_of(submission.student);
    pugi::xml_document document;
    Node body =
        begin(document, score + ": " + student, std::string(report_style) + style_of_pictures());
    Node header = add(body, "header");
    add_text(add(header, "h1"), "bdi", student); // can be written from right to left
    add_text(header, "p", score, "score");
    if (!submission.protection.empty())
        add_text(header, "p",
                 "Sandbox for student code: " + visible_line(submission.protection, line_limit),
                 "faint");
    add_text(header, "p", "Graded by " + product(), "faint");
    Node main = add(body, "main");
    if (submission.labs.empty()) {
        add_text(main, "p", "No lab was graded.", "reason");
    } else {
        add_start(main, submission.labs);
        add_overview(main, submission.labs);
    }
    if (!submission.remarks.empty()) {
        add_heading(main, 2, "About the files");
        Node list = add(main, "ul");
        for (const std::string& remark : submission.remarks)
            add_text(list, "li", visible(remark, line_limit));
    }
    for (std::size_t i = 0; i < submission.labs.size(); ++i) {
        const std::string id = "lab-" + std::to_string(i + 1);
        Node section = add(main, "section");
        set(section, "aria-labelledby", id);
        set(add_heading(section, 2, title_of_lab(submission.labs[i])), "id", id);
        add_results(section, submission.labs[i], 3);
    }
    return finish(document);
}

std::string page_of(const Result& result) {
    pugi::xml_document document;
    const std::string title = title_of_lab(result);
    Node body = begin(document, points(result.score(), result.max_score()) + " points: " + title,
                      std::string(report_style) + style_of_pictures());
    Node header = add(body, "header");
    add_heading(header, 1, title);
    add_results(add(body, "main"), result, 2);
    return finish(document);
}

} // namespace
} // namespace report::page

namespace report {

std::string to_html(const Submission& submission) { return page::page_of(submission); }

std::string to_html(const Result& result) { return page::page_of(result); }

} // namespace report
