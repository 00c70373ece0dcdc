/// Submissions of cheaters and vandals: tests/submissions/hostile. Each file is a script that turns
/// a copy of the starters, or of the output of make solutions, into a hostile submission, and says
/// what grading must report; README.md there describes the files.
///
/// The attacks on a lab are graded as one class. make test divides its share of them among the
/// protections that work on the machine; make soak and make try grade each attack under all of
/// these.

#include "../corpora.hpp"
#include "../end_to_end/tree.hpp"
#include "wire/messages.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace fs = std::filesystem;

namespace {

constexpr const char* hostile = "tests/submissions/hostile";

struct Attack {
    std::string name;
    fs::path script;
    std::string from;
    std::string lab;
    std::string expect; ///< "0", "full", ...
    std::string says;
    bool may_fail_to_build = false;
};

Attack read_attack(const fs::path& script) {
    Attack attack{script.stem(), script, "", "", "", "", false};
    std::istringstream lines(tree::read(script));
    for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
        const auto value = [&](const std::string& key) {
            const std::string head = "# " + key + ": ";
            return line.starts_with(head) ? line.substr(head.size()) : "";
        };
        if (!value("from").empty())
            attack.from = value("from");
        if (!value("lab").empty())
            attack.lab = value("lab");
        attack.may_fail_to_build |= value("build") == "may fail";
        if (!value("says").empty())
            attack.says = value("says");
        if (!value("expect").empty())
            attack.expect = value("expect").substr(value("expect").find(' ') + 1);
    }
    return attack;
}

/// The attacks with these names, by lab.
std::map<std::string, std::vector<Attack>> read_attacks(const std::vector<std::string>& names) {
    std::map<std::string, std::vector<Attack>> by_lab;
    for (const std::string& name : names) {
        Attack attack = read_attack(fs::absolute(hostile) / (name + ".sh"));
        by_lab[attack.lab].push_back(std::move(attack));
    }
    return by_lab;
}

/// Every `hands`-th of `names`, starting with number `first`.
std::vector<std::string> dealt(const std::vector<std::string>& names, std::size_t hands,
                               std::size_t first) {
    std::vector<std::string> hand;
    for (std::size_t i = first; i < names.size(); i += hands)
        hand.push_back(names[i]);
    return hand;
}

/// The reply of a runner whose call of lab 1's function went well, as the text of a C string.
std::string forged_reply() {
    wire::CallReply reply;
    reply.outcome = wire::Outcome::returned;
    reply.result_size = 16;
    reply.reads = {4};
    reply.launches = {{"reduction_scalar", {64, 1, 1}, {64, 1, 1}, 256, 1}};
    reply.seconds = 0.1;
    reply.function_times = {1, 1};
    reply.baseline_times = {100, 100};
    std::string text;
    for (const char letter : wire::encode(wire::Reply(reply)))
        text += letter == '"' ? "\\\"" : std::string(1, letter);
    return text;
}

/// Puts a reply that the grader can read where the files of `attack` say @REPLY@. Does not look at
/// the files of other attacks: they may be links to themselves, or paths that no call accepts.
void forge_replies(const Attack& attack, const fs::path& folder) {
    const std::string mark = "@REPLY@";
    if (tree::read(attack.script).find(mark) == std::string::npos)
        return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        std::string text = entry.is_regular_file() ? tree::read(entry.path()) : "";
        const std::size_t at = text.find(mark);
        if (at != std::string::npos)
            std::ofstream(entry.path()) << text.replace(at, mark.size(), forged_reply());
    }
}

/// Makes the submission of `attack` in `folder`.
void prepare(const Attack& attack, const fs::path& folder) {
    fs::create_directories(folder);
    const fs::path source = attack.from == "solutions" ? tree::plain_solutions() : tree::root();
    const tree::Outcome made =
        tree::run("cp -R '" + (source / "labs").string() + "' '" + (source / "kernels").string() +
                  "' '" + folder.string() + "' && cd '" + folder.string() + "' && sh '" +
                  attack.script.string() + "'");
    INFO(attack.name, "\n", made.output);
    CHECK(made.status == 0);
    forge_replies(attack, folder);
}

/// Everything that attacks must not touch: names, and the contents of files of ours.
std::map<std::string, std::string> outside(const fs::path& neighbour) {
    std::map<std::string, std::string> found;
    const char* const home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): no thread
    for (const fs::path folder :
         {"/tmp", "/var/tmp", "/dev/shm", "/", home == nullptr ? "/" : home}) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const std::string name = entry.path().filename();
            if (name.find("hostile") != std::string::npos)
                found[entry.path()] = "";
        }
    }
    for (const fs::path& folder : {tree::root() / "solutions", tree::root() / "tests",
                                   tree::root() / "labs", tree::root() / "kernels", neighbour}) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file())
                found[entry.path()] = tree::read(entry.path());
        }
    }
    std::ifstream segments("/proc/sysvipc/shm");
    found["System V shared memory"] =
        std::string(std::istreambuf_iterator<char>(segments), std::istreambuf_iterator<char>());
    return found;
}

/// Processes that an attack has left behind: by their names, or because they run a runner.
std::vector<std::string> left_behind() {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string pid = entry.path().filename();
        if (pid.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream comm(entry.path() / "comm");
        std::string name;
        std::getline(comm, name);
        std::error_code gone;
        const std::string program = fs::read_symlink(entry.path() / "exe", gone);
        if (name.starts_with("hostile-") || program.find(tree::temporary().string() + '/') == 0)
            found.emplace_back(pid).append(" ").append(name).append(" ").append(program);
    }
    return found;
}

/// LAB_SECONDS: less if only a share is tried, because some attacks use all of it.
int lab_seconds() { return corpora::chosen().empty() ? 60 : 300; }

/// What differs from the expectations in the attack's file; "" if nothing does.
std::string judge(const Attack& attack, const fs::path& results) {
    for (const char* name : {"classroom.json", "classroom50.json", "gradescope.json"}) {
        if (!fs::exists(results / name) || !nlohmann::json::accept(tree::read(results / name)))
            return std::string(name) + " is missing or broken";
    }
    for (const char* name : {"junit.xml", "summary.md", "report.html"}) {
        if (!fs::exists(results / name))
            return std::string(name) + " is missing";
    }
    const auto result = nlohmann::json::parse(tree::read(results / "result.json"), nullptr, false);
    if (!result.is_object() || result["labs"].size() != 1)
        return "result.json is missing or broken";
    const auto& lab = result["labs"][0];
    const int score = lab["score"];
    const int full = lab["max_score"];
    const bool as_expected =
        (attack.expect == "0" && score == 0) || (attack.expect == "full" && score == full) ||
        (attack.expect == "below full" && score < full) || attack.expect == "any";
    if (!as_expected)
        return "expected " + attack.expect + ", got " + std::to_string(score);
    double seconds = 0;
    for (const auto& one : lab["cases"])
        seconds += one["seconds"].get<double>();
    if (seconds > lab_seconds() + 60) // no case takes longer
        return "its cases took " + std::to_string(seconds) + " s";
    const std::string reason = lab.value("reason", "");
    if (!attack.may_fail_to_build && (reason.find("does not compile") != std::string::npos ||
                                      reason.find("cannot be linked") != std::string::npos))
        return "it should have been built, but: " + reason;
    if (!attack.says.empty()) {
        std::string messages = result["remarks"].dump();
        for (const auto& one : lab["cases"])
            messages += one["message"].get<std::string>();
        if (messages.find(attack.says) == std::string::npos)
            return "it must say: " + attack.says;
    }
    return "";
}

/// Grades all attacks on a lab as one class and checks the results.
void check_class(const std::string& lab, const std::vector<Attack>& attacks,
                 const std::string& protection) {
    const fs::path folder = tree::root() / "build/hostile" / protection / lab;
    fs::remove_all(folder);
    for (const Attack& attack : attacks)
        prepare(attack, folder / "class" / attack.name);
    const tree::Outcome outcome =
        tree::run("make grade-all SUBMISSIONS='" + (folder / "class").string() + "' OUT='" +
                  (folder / "out").string() + "' LAB=" + lab + " PROTECTION=" + protection +
                  " LAB_SECONDS=" + std::to_string(lab_seconds()));
    tree::write(folder / "log", outcome.output);
    INFO(outcome.output);
    CHECK(outcome.status == 0);
    if (corpora::are_named())
        std::cout << outcome.output;
    for (const Attack& attack : attacks) {
        const fs::path results = folder / "out" / attack.name;
        const std::string problem = judge(attack, results);
        if (corpora::are_named())
            std::cout << attack.name << " under " << protection << ":\n"
                      << tree::read(results / "summary.md");
        INFO(attack.name, " under ", protection);
        CHECK(problem == "");
    }
    CHECK(tree::no_scratch_left());
}

bool is_offered(const std::string& protection) {
    const fs::path folder = tree::root() / "build/hostile/probe";
    fs::remove_all(folder);
    const tree::Outcome outcome =
        tree::run("mkdir -p '" + folder.string() +
                  "/class/nobody' && make grade-all SUBMISSIONS='" + folder.string() +
                  "/class' OUT='" + folder.string() + "/out' LAB=lab1 PROTECTION=" + protection);
    INFO(outcome.output);
    CHECK((outcome.status == 0 || outcome.status == 2));
    if (outcome.status != 0)
        std::cout << "not offered here: " << outcome.output;
    return outcome.status == 0;
}

} // namespace

TEST_CASE("attacks can use the harness's messages, although students' code is C++17") {
    const tree::Outcome compiled = tree::run("echo '#include \"wire/messages.hpp\"' | "
                                             "c++ -std=c++17 -Isrc -fsyntax-only -x c++ -");
    INFO(compiled.output);
    CHECK(compiled.status == 0);
}

TEST_CASE("hostile submissions gain nothing and leave nothing") {
    const std::vector<std::string> names = corpora::share({hostile, ".sh", 308}, 6);
    if (names.empty()) // CORPUS names others
        return;
    const fs::path neighbour = tree::root() / "build/hostile/neighbour";
    fs::remove_all(neighbour);
    tree::write(neighbour / "result.json", R"({"score": 1})");
    std::vector<std::string> offered;
    for (const char* protection : {"bubblewrap", "user"}) {
        if (is_offered(protection))
            offered.emplace_back(protection);
    }
    CHECK_FALSE(offered.empty());
    for (std::size_t i = 0; i < offered.size(); ++i) {
        const std::string& protection = offered[i];
        const auto hand = corpora::chosen().empty() ? dealt(names, offered.size(), i) : names;
        const auto before = outside(neighbour);
        for (const auto& [lab, attacks] : read_attacks(hand))
            check_class(lab, attacks, protection);
        CHECK(left_behind().empty());
        const auto after = outside(neighbour);
        for (const auto& found : after) {
            INFO(found.first, " under ", protection);
            REQUIRE(before.count(found.first) == 1);
            CHECK((before.at(found.first) == found.second));
        }
        CHECK(after.size() == before.size());
    }
}
