#include "tree.hpp"

#include "../corpora.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>

namespace tree {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 15> parts{
    "Makefile",  "harness",    "labs",          "kernels",       "src",
    "solutions", "tests",      ".github",       "docs",          "LICENSE",
    "README.md", ".gitignore", ".devcontainer", ".clang-format", ".clangd"};
/// What is already built, copied so that it need not be compiled again.
constexpr std::array<const char*, 10> built_parts{
    "build/src",    "build/tests/labs", "build/runner",   "build/grader",  "build/sandbox",
    "build/device", "build/grade",      "build/labgrind", "build/release", "build/bench"};

/// Copies `part` of the repository, as it is now, into `copy`. Keeps times, so that make sees what
/// has changed.
void copy_part(const fs::path& copy, const fs::path& part) {
    fs::remove_all(copy / part);
    fs::create_directories((copy / part).parent_path());
    const std::string command =
        "cp -Rp '" + part.string() + "' '" + (copy / part).parent_path().string() + "/'";
    if (std::system(command.c_str()) != 0) // NOLINT(concurrency-mt-unsafe)
        throw std::runtime_error("cannot copy the repository: " + command);
}

/// Copies the repository. Each of the test programs that run at the same time has its own copy.
fs::path make_copy() {
    fs::path copy = fs::absolute("build/tests/trees") / program_invocation_short_name;
    for (const char* part : parts)
        copy_part(copy, part);
    for (const char* part : built_parts) {
        if (fs::exists(part))
            copy_part(copy, part);
    }
    return copy;
}

} // namespace

const fs::path& root() {
    static const fs::path copy = make_copy();
    return copy;
}

Outcome run(const std::string& command) {
    // A student does not call make from another make. Lines are so long that no message is wrapped.
    const std::string whole = "unset MAKEFLAGS MFLAGS MAKELEVEL; export COLUMNS=5000 TMPDIR='" +
                              temporary().string() + "'; cd '" + root().string() + "' && { " +
                              command + "; } 2>&1";
    FILE* pipe = ::popen(whole.c_str(), "re");
    if (pipe == nullptr)
        throw std::runtime_error("cannot run " + command);
    Outcome outcome;
    std::array<char, 4096> buffer{};
    for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        outcome.output.append(buffer.data(), count);
    const int status = ::pclose(pipe);
    outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return outcome;
}

const fs::path& plain_solutions() {
    static const fs::path folder = [] {
        fs::path plain = root() / "build/plain-solutions";
        fs::remove_all(plain);
        const Outcome made = run("make solutions OUT='" + plain.string() + "'");
        if (made.status != 0)
            throw std::runtime_error("make solutions failed:\n" + made.output);
        return plain;
    }();
    return folder;
}

void restore_starters() {
    for (const char* part : {"labs", "kernels"}) {
        fs::remove_all(root() / part);
        fs::copy(part, root() / part, fs::copy_options::recursive);
    }
}

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text << std::flush;
    if (!stream)
        throw std::runtime_error("cannot write " + file.string());
}

Verdict verdict(const std::string& arguments) {
    const fs::path json = root() / "build/verdict.json";
    fs::remove(json);
    Verdict verdict;
    verdict.outcome = run("./harness --json '" + json.string() + "' " + arguments);
    if (fs::exists(json))
        verdict.result = nlohmann::json::parse(read(json));
    return verdict;
}

bool passes(const Verdict& verdict) {
    return verdict.result.is_object() && verdict.outcome.status == 0 &&
           verdict.result["score"] == verdict.result["max_score"];
}

namespace {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = fs::temp_directory_path() / "end_to_end_XXXXXX";
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("cannot create " + pattern);
        path_ = pattern;
        fs::permissions(path_, fs::perms(0711)); // sandboxed programs run as other users
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

} // namespace

const fs::path& temporary() {
    static const TemporaryFolder folder;
    return folder.path();
}

bool no_scratch_left() {
    const fs::directory_iterator entries(temporary());
    return std::none_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
        return entry.path().filename().string().starts_with("opencl-labs-");
    });
}

std::vector<int> processes(const std::string& text) {
    std::vector<int> found;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        try {
            if (read(entry.path() / "cmdline").find(text) != std::string::npos)
                found.push_back(std::stoi(name));
        } catch (const std::runtime_error&) {
            continue; // it has ended in the meantime
        }
    }
    return found;
}

const std::vector<std::string>& labs() {
    static const std::vector<std::string> names = corpora::labs(root());
    return names;
}

} // namespace tree
