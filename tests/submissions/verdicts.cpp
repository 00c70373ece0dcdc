/// The verdicts in handouts and docs/ are those that the harness prints today. In Markdown, a
/// verdict is a block after a line that names the wrong submission it comes from:
///
///     <!-- verdict of lab1-tree-ends-early -->
///
/// A picture comes from a wrong submission, or from a lab's solution:
///
///     <!-- picture of lab1 -->
///     ![what it shows](picture.svg)
///
/// make verdicts writes all of them again.

#include "../corpora.hpp"
#include "submission.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// A verdict in one of the pages.
struct Shown {
    fs::path page;
    std::string submission;
    std::string block; ///< between its fences
};

std::vector<fs::path> pages() {
    std::vector<fs::path> all{"README.md"};
    for (const std::string& lab : tree::labs())
        all.emplace_back("labs/" + lab + "/README.md");
    for (const auto& entry : fs::directory_iterator("docs")) {
        if (entry.path().extension() == ".md")
            all.push_back(entry.path());
    }
    return all;
}

const std::regex& shown_verdict() {
    static const std::regex pattern("<!-- verdict of ([a-z0-9-]+) -->\n```\n([^`]*)```\n");
    return pattern;
}

std::vector<Shown> shown_verdicts() {
    std::vector<Shown> all;
    for (const fs::path& page : pages()) {
        const std::string text = tree::read(page);
        for (std::sregex_iterator match(text.begin(), text.end(), shown_verdict()), end;
             match != end; ++match)
            all.push_back({page, (*match)[1], (*match)[2]});
    }
    return all;
}

/// A picture in one of the pages.
struct ShownPicture {
    std::string of; ///< a lab, or a wrong submission
    fs::path file;
};

std::vector<ShownPicture> shown_pictures() {
    static const std::regex pattern(
        "<!-- picture of ([a-z0-9-]+) -->\n!\\[[^\\]]*\\]\\(([a-z0-9-]+\\.svg)\\)");
    std::vector<ShownPicture> all;
    for (const fs::path& page : pages()) {
        const std::string text = tree::read(page);
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end;
             ++match)
            all.push_back({(*match)[1], page.parent_path() / match->str(2)});
    }
    return all;
}

/// A solution of a lab, or a wrong submission.
Submission submission_named(const std::string& name) {
    const std::vector<std::string>& labs = tree::labs();
    if (std::ranges::find(labs, name) == labs.end())
        return read_submission(fs::absolute("tests/submissions/wrong/" + name + ".patch"));
    Submission solution;
    solution.name = solution.lab = name;
    return solution;
}

/// Runs the grader as a student does: in the folder of the submission, because the length of paths
/// affects where lines wrap.
tree::Outcome run_as_student(const Submission& submission, const Prepared& prepared,
                             const std::string& options) {
    const std::string& folder = prepared.folder;
    const std::string runner = prepared.runner.starts_with(folder + "/")
                                   ? prepared.runner.substr(folder.size() + 1)
                                   : prepared.runner;
    return tree::run("unset COLUMNS; ln -sfn ../.. " + folder + "/build && build/grader/" +
                     submission.lab + " --root \"$PWD/" + folder + "\" --files . --runner " +
                     runner + options);
}

/// The picture that the harness draws. One case has to run beside it.
std::string picture_of(const std::string& name) {
    const Submission submission = submission_named(name);
    const Prepared prepared = prepare(submission);
    INFO(name, ": ", prepared.problem, prepared.output);
    REQUIRE(prepared.problem.empty());
    const std::string file = prepared.folder + "/picture.svg";
    const tree::Outcome outcome =
        run_as_student(submission, prepared,
                       " --seed 7 -tc='*data race*,*fences*' --trace " + file +
                           (submission.patch.empty() ? " --without-code" : ""));
    INFO(outcome.output);
    REQUIRE(fs::exists(tree::root() / file));
    return tree::read(tree::root() / file);
}

/// The block that the terminal shows for the case that fails.
std::string verdict_of(const std::string& name) {
    const Submission submission =
        read_submission(fs::absolute("tests/submissions/wrong/" + name + ".patch"));
    const Prepared prepared = prepare(submission);
    INFO(name, ": ", prepared.problem, prepared.output);
    REQUIRE(prepared.problem.empty());
    const tree::Outcome outcome =
        run_as_student(submission, prepared, " --seed 7 -tc='" + submission.failing_case + "'");
    std::istringstream lines(outcome.output);
    std::string block;
    for (std::string line; std::getline(lines, line);) {
        const bool begins = line.starts_with("FAIL ");
        if (begins || (!block.empty() && line.starts_with("  ")))
            block += line + "\n";
    }
    return block;
}

/// `block` without what differs between two runs or two compilers. Times have different widths, so
/// with times, lines can be broken at different places.
std::string comparable(const std::string& block) {
    static const std::regex seconds("[0-9]+\\.[0-9]\\s+s");
    static const std::regex printed("        \\| [^\n]*\n");
    static const std::regex blanks("\\s+");
    std::string same = std::regex_replace(block, printed, "");
    if (!std::regex_search(same, seconds))
        return same;
    return std::regex_replace(std::regex_replace(same, seconds, "N s"), blanks, " ");
}

void write_anew(const Shown& shown, const std::string& block) {
    std::string text = tree::read(shown.page);
    const std::size_t at = text.find(shown.block);
    REQUIRE(at != std::string::npos);
    tree::write(fs::absolute(shown.page), text.replace(at, shown.block.size(), block));
}

bool is_writing() {
    return std::getenv("WRITE_VERDICTS") != nullptr; // NOLINT(concurrency-mt-unsafe)
}

} // namespace

TEST_CASE("verdicts in handouts and docs are what the harness prints") {
    std::vector<Shown> all = shown_verdicts();
    REQUIRE(all.size() >= 15);
    const bool write = is_writing();
    std::vector<std::string> names;
    std::ranges::transform(all, std::back_inserter(names),
                           [](const Shown& shown) { return shown.submission; });
    const bool each = write || corpora::chosen() == "all";
    const auto drawn = corpora::draw(names, each ? names.size() : 5, corpora::commit());
    build_solutions();
    for (const Shown& shown : all) {
        if (std::ranges::find(drawn, shown.submission) == drawn.end())
            continue;
        const std::string now = verdict_of(shown.submission);
        INFO(shown.page.string(), ": the verdict of ", shown.submission,
             " has changed; type: make verdicts");
        if (!write)
            CHECK(comparable(shown.block) == comparable(now));
        else if (comparable(shown.block) != comparable(now))
            write_anew(shown, now);
    }
}

TEST_CASE("pictures in handouts and docs are what the harness draws") {
    const std::vector<ShownPicture> all = shown_pictures();
    REQUIRE(all.size() >= 10);
    std::vector<std::string> names;
    std::ranges::transform(all, std::back_inserter(names),
                           [](const ShownPicture& shown) { return shown.of; });
    const bool each = is_writing() || corpora::chosen() == "all";
    const auto drawn = corpora::draw(names, each ? names.size() : 4, corpora::commit());
    build_solutions();
    for (const ShownPicture& shown : all) {
        if (std::ranges::find(drawn, shown.of) == drawn.end())
            continue;
        const std::string now = picture_of(shown.of);
        INFO(shown.file.string(), " is stale; type: make verdicts");
        if (is_writing())
            tree::write(fs::absolute(shown.file), now);
        else
            CHECK((tree::read(shown.file) == now)); // without its thousands of characters
    }
}
