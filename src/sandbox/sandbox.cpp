#include "sandbox/sandbox.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/confine_options.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/users.hpp"
#include "sandbox/visible_files.hpp"
#include "sandbox/words.hpp"
#include "wire/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace sandbox {
namespace {

namespace fs = std::filesystem;

/// Returns the path of a system program; "" if it is not installed.
std::string find_program(const std::string& name) {
    const char* path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
    const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        std::string file = folders.substr(begin, end - begin) + "/" + name;
        if (file.front() == '/' && file.size() > name.size() + 1 &&
            ::access(file.c_str(), X_OK) == 0)
            return file;
        begin = end + 1;
    }
    return {};
}

/// Runs a command that should succeed. Returns "" if it does, otherwise what went wrong.
std::string complaint_of(const Words& command) {
    wire::PipeEnds messages = wire::create_pipe();
    wire::Program program{command};
    program.descriptors = {wire::null_device, wire::null_device, messages.writer.get()};
    const pid_t child = wire::start(program);
    messages.writer.reset();
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0;
         (count = ::read(messages.reader.get(), buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    const int status = wire::wait_for(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return {};
    if (text.empty())
        return "/bin/true failed in it";
    return text.substr(0, text.find('\n'));
}

/// Returns why only root may be allowed to create namespaces.
std::string advice_on_namespaces() {
    bool restricted = false;
    std::ifstream("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") >> restricted;
    if (::geteuid() == 0 || !restricted)
        return {};
    return " (AppArmor does not allow it for ordinary users here: sysctl "
           "kernel.apparmor_restrict_unprivileged_userns)";
}

} // namespace

std::string name_of(Protection protection) {
    switch (protection) {
    case Protection::bubblewrap:
        return "bubblewrap";
    case Protection::user:
        return "user";
    case Protection::none:
        break;
    }
    return "none";
}

Protection protection_named(const std::string& name) {
    for (const Protection one : {Protection::bubblewrap, Protection::user, Protection::none}) {
        if (name_of(one) == name)
            return one;
    }
    throw std::runtime_error("there is no protection \"" + name +
                             "\"; choose bubblewrap, user or none");
}

Sandbox::Sandbox(std::string confine, Protection protection)
    : confine_(std::move(confine)), protection_(protection) {
    if (protection_ == Protection::bubblewrap) {
        bubblewrap_ = find_program("bwrap");
        if (bubblewrap_.empty())
            throw std::runtime_error("it is not installed");
    }
    if (protection_ == Protection::user && ::geteuid() != 0)
        throw std::runtime_error("only root can run programs as another user; omit PROTECTION to "
                                 "use bubblewrap, which does not need root");
    if (protection_ == Protection::user && landlock_version() == 0)
        throw std::runtime_error("without Landlock, which this kernel lacks or forbids, programs "
                                 "could read each other's files");
    if (protection_ != Protection::none && ::geteuid() == 0) {
        SpareUser spare = find_spare_user();
        user_ = spare.id;
        reservation_ = std::move(spare.reservation);
    }
}

/// Returns why this protection does not work here; "" if it does.
std::string Sandbox::why_not() const {
    std::string complaint = complaint_of(command({}, {"/bin/true"}));
    if (complaint.empty() || protection_ != Protection::bubblewrap)
        return complaint;
    return complaint + advice_on_namespaces();
}

Sandbox Sandbox::choose(const std::string& confine, std::optional<Protection> wanted) {
    if (::access(confine.c_str(), X_OK) != 0)
        wire::throw_errno("cannot run " + confine + ", which sandboxes programs; build it first");
    const std::string path = fs::canonical(confine);
    std::vector<Protection> candidates{Protection::bubblewrap, Protection::user};
    if (wanted)
        candidates = {*wanted};
    std::string reasons;
    for (const Protection candidate : candidates) {
        std::string reason;
        try {
            Sandbox sandbox(path, candidate);
            reason = sandbox.why_not();
            if (reason.empty())
                return sandbox;
        } catch (const std::exception& error) {
            reason = error.what();
        }
        reasons += reasons.empty() ? "" : "; ";
        reasons += name_of(candidate);
        reasons += ": ";
        reasons += reason;
    }
    throw std::runtime_error("programs cannot be run safely here (" + reasons +
                             "); install bubblewrap, run this as root, or set UNSAFE=1 to run " +
                             "them without a sandbox");
}

std::string Sandbox::describe() const {
    std::string text = name_of(protection_);
    if (protection_ == Protection::user)
        text += " " + std::to_string(*user_);
    else if (user_)
        text += ", as user " + std::to_string(*user_);
    return text;
}

/// Returns the part of a command that runs outside the sandbox.
Words Sandbox::supervisor(const Cell& cell) const {
    Words words{confine_, "--supervise"};
    if (protection_ == Protection::user)
        append(words, {"--user", std::to_string(*user_)});
    if (protection_ == Protection::none)
        words.emplace_back("--tree");
    words.emplace_back("--");
    if (protection_ != Protection::bubblewrap)
        return words;
    words.push_back(bubblewrap_);
    append(words, bubblewrap_options(cell, confine_, user_.has_value()));
    words.emplace_back("--");
    return words;
}

Words Sandbox::command(const Cell& cell, const Words& program) const {
    refuse_bad_cells(cell);
    Words words = supervisor(cell);
    words.push_back(protection_ == Protection::bubblewrap ? confine_inside : confine_);
    append(words, confine_options(cell, protection_, user_));
    words.emplace_back("--");
    append(words, program);
    return words;
}

void Sandbox::hand_over(const std::string& folder) const {
    if (!user_)
        return;
    const auto give = [&](const fs::path& path) {
        if (::lchown(path.c_str(), *user_, static_cast<gid_t>(*user_)) != 0)
            wire::throw_errno("cannot hand over " + path.string());
    };
    give(folder);
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        give(entry.path());
}

} // namespace sandbox
