/// The verdicts that handouts and docs/ show are what the harness prints today. In Markdown, a verdict is
/// a block after a line that names the wrong submission it comes from:
///
///     <!-- verdict of lab1-tree-ends-early -->
///
/// make verdicts writes them all anew.

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

/// The block that the terminal shows for the case that fails.
std::string verdict_of(const std::string& name) {
    const Submission submission =
        read_submission(fs::absolute("tests/submissions/wrong/" + name + ".patch"));
    const Prepared prepared = prepare(submission);
    INFO(name, ": ", prepared.problem, prepared.output);
    REQUIRE(prepared.problem.empty());
    const tree::Outcome outcome =
        run_grader(submission, prepared, " --seed 7 -tc='" + submission.failing_case + "'");
    std::istringstream lines(outcome.output);
    std::string block;
    for (std::string line; std::getline(lines, line);) {
        const bool begins = line.rfind("FAIL ", 0) == 0;
        if (begins || (!block.empty() && line.rfind("  ", 0) == 0))
            block += line + "\n";
    }
    const std::string folder = prepared.folder + "/";
    for (std::size_t at = block.find(folder); at != std::string::npos; at = block.find(folder))
        block.erase(at, folder.size());
    return block;
}

/// `block` without what differs between two runs or two compilers.
std::string comparable(const std::string& block) {
    static const std::regex seconds("[0-9]+\\.[0-9] s");
    static const std::regex printed("        \\| [^\n]*\n");
    return std::regex_replace(std::regex_replace(block, seconds, "N s"), printed, "");
}

void write_anew(const Shown& shown, const std::string& block) {
    std::string text = tree::read(shown.page);
    const std::size_t at = text.find(shown.block);
    REQUIRE(at != std::string::npos);
    tree::write(fs::absolute(shown.page), text.replace(at, shown.block.size(), block));
}

} // namespace

TEST_CASE("verdicts in handouts and docs are what the harness prints") {
    std::vector<Shown> all = shown_verdicts();
    REQUIRE(all.size() >= 15);
    const bool write = std::getenv("WRITE_VERDICTS") != nullptr; // NOLINT(concurrency-mt-unsafe)
    std::vector<std::string> names;
    std::transform(all.begin(), all.end(), std::back_inserter(names),
                   [](const Shown& shown) { return shown.submission; });
    const bool each = write || corpora::chosen() == "all";
    const auto drawn = corpora::draw(names, each ? names.size() : 5, corpora::commit());
    build_solutions();
    for (const Shown& shown : all) {
        if (std::find(drawn.begin(), drawn.end(), shown.submission) == drawn.end())
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
