#include "sandbox/processes.hpp"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace sandbox {
namespace {

/// A kernel can be built without lists of children.
bool kernel_lists_children() { return ::access("/proc/thread-self/children", R_OK) == 0; }

pid_t parent_of(const std::filesystem::path& process) {
    std::ifstream stream(process / "stat");
    // "12 (name) S 1 ...": the name can contain anything, including brackets.
    for (std::string text; std::getline(stream, text);) {
        const auto end = text.rfind(") ");
        if (end != std::string::npos && end + 4 < text.size())
            return static_cast<pid_t>(std::strtol(text.c_str() + end + 4, nullptr, 10));
    }
    return -1;
}

std::vector<pid_t> children_by_scan(pid_t parent) {
    std::vector<pid_t> found;
    std::error_code error;
    std::filesystem::directory_iterator entry("/proc", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (std::isdigit(static_cast<unsigned char>(name.front())) != 0 &&
            parent_of(entry->path()) == parent)
            found.push_back(static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10)));
    }
    return found;
}

} // namespace

std::vector<pid_t> children(pid_t parent) {
    if (!kernel_lists_children())
        return children_by_scan(parent);
    std::vector<pid_t> found;
    std::error_code error;
    std::filesystem::directory_iterator task("/proc/" + std::to_string(parent) + "/task", error);
    for (; !error && task != std::filesystem::directory_iterator(); task.increment(error)) {
        std::ifstream stream(task->path() / "children");
        for (pid_t child = 0; stream >> child;)
            found.push_back(child);
    }
    return found;
}

std::vector<pid_t> descendants(pid_t top) {
    std::vector<pid_t> found = children(top);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::vector<pid_t> below = children(found[i]);
        found.insert(found.end(), below.begin(), below.end());
    }
    return found;
}

} // namespace sandbox
