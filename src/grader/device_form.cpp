#include "grader/device_form.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace grader {
namespace {

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

} // namespace

bool miscompiles_loop_bounds(const wire::DeviceInfo& device) { return is_pocl(device); }

int find_loop_bound(const std::string& source) {
    static const std::regex loop(R"(\bfor\s*\([^;]*;[^;]*\bget_local_size\s*\()");
    constexpr std::size_t longest_line =
        500; // the expression would use much stack for a longer one
    std::istringstream lines(source);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.size() <= longest_line && std::regex_search(line, loop))
            return number;
    }
    return 0;
}

std::string hoist_local_sizes(const std::string& source) {
    static const std::regex call(R"(\bget_local_size\s{0,9}\(\s{0,9}([012])[uUlL]?\s{0,9}\))");
    if (!std::regex_search(source, call))
        return source;
    const std::string hoisted = std::regex_replace(source, call, "grader_local_size_$1");
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
