#include "grader/disagreement.hpp"

#include "grader/words.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace grader {
namespace {

const std::string call_name = "get_local_size";

constexpr long first_without_wait_group_events = 4;

bool is_pocl(const wire::DeviceInfo& device) {
    return device.version.find("PoCL") != std::string::npos ||
           device.version.find("pocl") != std::string::npos ||
           device.platform.find("Portable Computing Language") != std::string::npos;
}

/// POCL's version is the version of the driver: "3.1".
long pocl_version(const wire::DeviceInfo& device) {
    return std::strtol(device.driver.c_str(), nullptr, 10);
}

/// Whether `line` has a for loop whose condition calls get_local_size().
bool has_loop_bound(const std::string& line) {
    std::size_t at = 0;
    while ((at = find_word(line, "for", at)) != std::string::npos) {
        const std::size_t bracket = skip_blanks(line, at + 3);
        if (!stands_at(line, bracket, "(")) {
            at = bracket;
            continue;
        }
        // A `for` between here and the condition has the same condition.
        at = std::min(line.find(';', bracket), line.size());
        const std::size_t end = std::min(line.find(';', at + 1), line.size());
        const std::string condition = line.substr(at, end - at);
        for (std::size_t call = find_word(condition, call_name, 0); call != std::string::npos;
             call = find_word(condition, call_name, call + 1)) {
            if (stands_at(condition, skip_blanks(condition, call + call_name.size()), "("))
                return true;
        }
    }
    return false;
}

/// Whether `line` has a loop without a condition: for (;;), while (1) or while (true).
bool has_loop_without_condition(std::string line) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
    const std::size_t begin = line.find("for(");
    return (begin != std::string::npos && line.find(";;", begin) != std::string::npos) ||
           line.find("while(1)") != std::string::npos ||
           line.find("while(true)") != std::string::npos;
}

/// The statement or block that begins after `at`: up to the brace that closes its first one.
std::string_view block_after(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t end = at; end < text.size(); ++end) {
        depth += text[end] == '{' ? 1 : 0;
        depth -= text[end] == '}' && depth != 0 ? 1 : 0;
        if (text[end] == '}' && depth == 0)
            return text.substr(at, end - at);
    }
    return text.substr(std::min(at, text.size()));
}

/// The first line with a loop for which `has` is true and that contains a barrier; 0 if there is none.
template <class Predicate> int find_loop(const std::string& source, const Predicate& has) {
    int number = 0;
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        ++number;
        const std::string line = source.substr(begin, end - begin);
        const bool ends_block = line.find('}') < line.find("while"); // of do ... while
        if (has(line) &&
            (ends_block ? std::string_view(source) : block_after(source, begin)).find("barrier") !=
                std::string_view::npos)
            return number;
        begin = end + 1;
    }
    return 0;
}

} // namespace

int find_loop_bound(const std::string& source) { return find_loop(source, has_loop_bound); }

int find_loop_without_condition(const std::string& source) {
    return find_loop(source, has_loop_without_condition);
}

std::string known_bug(const wire::DeviceInfo& device, const KernelFile& kernels) {
    if (!is_pocl(device))
        return "";
    // pocl issue 1390: POCL must recognize that the bound is the same for all work-items.
    if (const int line = find_loop_bound(kernels.text()); line != 0)
        return "known cause: POCL miscompiles a loop that contains a barrier if its bound is "
               "get_local_size(0) itself (" +
               kernels.name() + ":" + std::to_string(line) +
               "); copy the size to a const variable before the loop, and this device gets it "
               "right, too";
    if (const int line = find_loop_without_condition(kernels.text()); line != 0)
        return "probable cause: POCL miscompiles some loops that contain a barrier and end with "
               "break, return or goto (" +
               kernels.name() + ":" + std::to_string(line) +
               "); write the condition at the beginning or at the end of the loop";
    // Debian's and Ubuntu's packages of 4.0 and later cannot load a kernel that calls it.
    if (pocl_version(device) >= first_without_wait_group_events &&
        find_word(kernels.text(), "wait_group_events", 0) != std::string::npos)
        return "known cause: this POCL has no wait_group_events()";
    return "";
}

std::string explain_disagreement(const wire::DeviceInfo& device, const KernelFile& kernels,
                                 bool is_right) {
    const std::string bug = known_bug(device, kernels);
    return "this device (" + device.name +
           (is_right
                ? ") fails here, but labgrind gets the right result and finds no mistake in the "
                  "kernels: from here on, labgrind runs the launches, and you lose no points"
                : ") does not get the result that labgrind gets, and labgrind finds no mistake in "
                  "the kernels: "
                  "from here on, labgrind runs the launches") +
           (bug.empty() ? "" : "\n" + bug);
}

} // namespace grader
