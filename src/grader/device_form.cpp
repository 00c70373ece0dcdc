#include "grader/device_form.hpp"

#include "grader/words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace grader {
namespace {

const std::string call_name = "get_local_size";

constexpr long first_without_wait_group_events = 4;

bool is_pocl(const wire::DeviceInfo& device) {
    return device.version.find("PoCL") != std::string::npos ||
           device.version.find("pocl") != std::string::npos ||
           device.platform.find("Portable Computing Language") != std::string::npos;
}

/// The version of the driver is POCL's own: "3.1".
long pocl_version(const wire::DeviceInfo& device) {
    return std::strtol(device.driver.c_str(), nullptr, 10);
}

/// Walks over OpenCL C and tells where functions begin.
class Walk {
  public:
    explicit Walk(const std::string& source) : source_(source) {}

    /// The place behind the next brace that opens a function; npos if there is none.
    std::size_t next_body() {
        while (at_ < source_.size()) {
            if (skips_comment() || skips_literal() || skips_directive())
                continue;
            const char c = source_[at_++];
            const bool opens_body = c == '{' && depth_ == 0 && last_ == ')';
            if (c == '{')
                ++depth_;
            else if (c == '}')
                --depth_;
            else if (c == '\n')
                line_has_code_ = false;
            if (std::isspace(static_cast<unsigned char>(c)) == 0) {
                last_ = c;
                line_has_code_ = true;
            }
            if (opens_body)
                return at_;
        }
        return std::string::npos;
    }

  private:
    bool is_at(const char* text) const { return source_.compare(at_, 2, text) == 0; }

    void go_behind(const char* end, std::size_t length) {
        const std::size_t found = source_.find(end, at_ + length);
        at_ = found == std::string::npos ? source_.size() : found + length;
    }

    bool skips_comment() {
        if (is_at("//"))
            at_ = std::min(source_.find('\n', at_), source_.size());
        else if (is_at("/*"))
            go_behind("*/", 2);
        else
            return false;
        return true;
    }

    bool skips_literal() {
        const char quote = source_[at_];
        if (quote != '"' && quote != '\'')
            return false;
        for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_) {
            if (source_[at_] == '\\')
                ++at_;
        }
        at_ = std::min(at_ + 1, source_.size());
        last_ = quote;
        line_has_code_ = true;
        return true;
    }

    /// A preprocessor's line, with those that continue it.
    bool skips_directive() {
        if (source_[at_] != '#' || line_has_code_)
            return false;
        for (; at_ < source_.size() && source_[at_] != '\n'; ++at_) {
            if (source_[at_] == '\\')
                ++at_;
        }
        return true;
    }

    const std::string& source_;
    std::size_t at_ = 0;
    int depth_ = 0;
    char last_ = 0; ///< of the code
    bool line_has_code_ = false;
};

/// Whether `line` has a for whose condition asks for get_local_size().
bool has_loop_bound(const std::string& line) {
    std::size_t at = 0;
    while ((at = find_word(line, "for", at)) != std::string::npos) {
        const std::size_t bracket = skip_blanks(line, at + 3);
        if (!stands_at(line, bracket, "(")) {
            at = bracket;
            continue;
        }
        // A for between here and the condition has the same condition.
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

/// `source` with a name for each call of get_local_size() with a number. Every line stays where it is.
std::string with_local_sizes_named(const std::string& source) {
    std::string text;
    std::size_t copied = 0;
    std::size_t call = 0;
    for (std::size_t at = 0; (call = find_word(source, call_name, at)) != std::string::npos;) {
        at = skip_blanks(source, call + call_name.size());
        if (!stands_at(source, at, "("))
            continue;
        at = skip_blanks(source, at + 1);
        const char dimension = at < source.size() ? source[at] : ' ';
        if (dimension < '0' || dimension > '2')
            continue;
        ++at;
        if (at < source.size() && std::string("uUlL").find(source[at]) != std::string::npos)
            ++at;
        at = skip_blanks(source, at);
        if (!stands_at(source, at, ")"))
            continue;
        ++at;
        text.append(source, copied, call - copied).append("grader_local_size_");
        text.append(1, dimension);
        const auto begin = source.begin() + static_cast<std::ptrdiff_t>(call);
        const auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
        text.append(static_cast<std::size_t>(std::count(begin, end, '\n')), '\n');
        copied = at;
    }
    return text + source.substr(copied);
}

} // namespace

bool miscompiles_loop_bounds(const wire::DeviceInfo& device) { return is_pocl(device); }

int find_loop_bound(const std::string& source) {
    std::istringstream lines(source);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (has_loop_bound(line))
            return number;
    }
    return 0;
}

std::string hoist_local_sizes(const std::string& source) {
    const std::string hoisted = with_local_sizes_named(source);
    if (hoisted == source)
        return source;
    std::string text;
    std::size_t copied = 0;
    Walk walk(hoisted);
    for (std::size_t body = 0; (body = walk.next_body()) != std::string::npos; copied = body) {
        text.append(hoisted, copied, body - copied);
        for (const char dimension : {'0', '1', '2'}) {
            text.append(" const size_t grader_local_size_").append(1, dimension);
            text.append(" = get_local_size(").append(1, dimension).append(");");
        }
    }
    return text + hoisted.substr(copied);
}

std::string replace_wait_group_events(const std::string& source) {
    if (source.find("wait_group_events") == std::string::npos)
        return source;
    return "#undef wait_group_events\n"
           "#define wait_group_events(count, events) "
           "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
           "#line 1\n" +
           source;
}

std::string device_form(const wire::DeviceInfo& device, const std::string& source) {
    const std::string form = miscompiles_loop_bounds(device) ? hoist_local_sizes(source) : source;
    return is_pocl(device) && pocl_version(device) >= first_without_wait_group_events
               ? replace_wait_group_events(form)
               : form;
}

} // namespace grader
