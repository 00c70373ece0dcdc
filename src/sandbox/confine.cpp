/// Runs a program so that it can do no harm. Not for interactive use: class Sandbox creates its
/// command lines.
///
///   confine --supervise [--user UID | --tree] -- COMMAND...
///       runs outside the sandbox, and leaves nothing of the command behind
///   confine [--user UID] [--cpu SECONDS] ... -- COMMAND...
///       runs inside, drops the rights that the program must not have, and becomes the program

#include "sandbox/confinement.hpp"
#include "sandbox/supervisor.hpp"

#include <charconv>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>

namespace {

using sandbox::Confinement;
using sandbox::Supervision;

struct CommandLine {
    bool supervise = false;
    Supervision supervision;
    Confinement confinement;
    std::vector<std::string> command;
};

std::uint64_t number_in(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end)
        throw std::runtime_error("\"" + text + "\" is not a number");
    return number;
}

uid_t user_in(const std::string& text) {
    const std::uint64_t number = number_in(text);
    const auto user = static_cast<uid_t>(number);
    if (number == 0 || user != number)
        throw std::runtime_error("untrusted programs must not run as user " + text);
    return user;
}

Confinement::Landlock landlock_in(const std::string& text) {
    if (text == "required")
        return Confinement::Landlock::required;
    if (text == "if-possible")
        return Confinement::Landlock::if_possible;
    if (text == "no")
        return Confinement::Landlock::no;
    throw std::runtime_error("--landlock must be required, if-possible or no, not " + text);
}

/// Throws std::runtime_error for unknown arguments.
CommandLine parse(const std::vector<std::string>& arguments) {
    CommandLine line;
    Confinement& inner = line.confinement;
    const std::map<std::string, std::function<void()>> flags{
        {"--supervise", [&] { line.supervise = true; }},
        {"--tree", [&] { line.supervision.tree = true; }},
        {"--die-with-parent", [&] { inner.die_with_parent = true; }},
        {"--socket-pairs", [&] { inner.socket_pairs = true; }},
    };
    using Text = const std::string&;
    const std::map<std::string, std::function<void(Text)>> options{
        {"--user", [&](Text text) { line.supervision.user = inner.user = user_in(text); }},
        {"--group", [&](Text text) { inner.groups.push_back(user_in(text)); }},
        {"--cpu", [&](Text text) { inner.cpu_seconds = number_in(text); }},
        {"--memory", [&](Text text) { inner.memory = number_in(text); }},
        {"--address-space", [&](Text text) { inner.address_space = number_in(text); }},
        {"--processes", [&](Text text) { inner.processes = number_in(text); }},
        {"--file-size", [&](Text text) { inner.file_size = number_in(text); }},
        {"--open-files", [&](Text text) { inner.open_files = number_in(text); }},
        {"--directory", [&](Text text) { inner.directory = text; }},
        {"--env", [&](Text text) { inner.environment.push_back(text); }},
        {"--landlock", [&](Text text) { inner.landlock = landlock_in(text); }},
        {"--readable", [&](Text text) { inner.files.readable.push_back(text); }},
        {"--writable", [&](Text text) { inner.files.writable.push_back(text); }},
        {"--device", [&](Text text) { inner.files.devices.push_back(text); }},
    };
    std::size_t i = 0;
    for (; i < arguments.size() && arguments[i] != "--"; ++i) {
        const auto flag = flags.find(arguments[i]);
        const auto option = options.find(arguments[i]);
        if (flag != flags.end()) {
            flag->second();
            continue;
        }
        if (option == options.end())
            throw std::runtime_error("there is no option " + arguments[i]);
        if (++i == arguments.size())
            throw std::runtime_error(option->first + " needs a value");
        option->second(arguments[i]);
    }
    if (i + 1 >= arguments.size())
        throw std::runtime_error("there is nothing to run; end with -- and a command");
    line.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
    line.supervision.command = line.command;
    return line;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const CommandLine line = parse({argv + 1, argv + argc});
        if (line.supervise)
            return sandbox::supervise(line.supervision);
        return sandbox::become(line.confinement, line.command);
    } catch (const std::exception& error) {
        std::cerr << "confine: " << error.what() << '\n';
        return sandbox::cannot_confine;
    }
}
