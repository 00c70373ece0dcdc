#include "kernel_case.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace {

constexpr std::size_t alignment = 64;

/// A type's name without the number of lanes, and that number.
std::pair<std::string, std::size_t> split_type(const std::string& type) {
    const std::size_t digits = type.find_first_of("0123456789");
    if (digits == std::string::npos)
        return {type, 1};
    return {type.substr(0, digits), std::stoul(type.substr(digits))};
}

std::size_t scalar_size(const std::string& scalar) {
    static const std::map<std::string, std::size_t> sizes{
        {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
        {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
    const auto known = sizes.find(scalar);
    if (known == sizes.end())
        throw std::runtime_error("there is no type " + scalar);
    return known->second;
}

template <class T> void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + sizeof value);
    std::memcpy(bytes.data() + begin, &value, sizeof value);
}

void append_scalar(std::vector<std::byte>& bytes, const std::string& scalar, double value) {
    if (scalar == "float")
        append(bytes, static_cast<float>(value));
    else if (scalar == "double")
        append(bytes, value);
    else if (scalar_size(scalar) == 8)
        append(bytes, static_cast<std::int64_t>(value));
    else if (scalar_size(scalar) == 4)
        append(bytes, static_cast<std::int32_t>(static_cast<std::int64_t>(value)));
    else if (scalar_size(scalar) == 2)
        append(bytes, static_cast<std::int16_t>(value));
    else
        append(bytes, static_cast<std::int8_t>(value));
}

/// Reads sizes such as "16x8" and returns their number.
unsigned read_sizes(const std::string& text, std::array<std::size_t, 3>& sizes) {
    std::istringstream stream(text);
    unsigned count = 0;
    for (std::string size; std::getline(stream, size, 'x') && count < sizes.size(); ++count)
        sizes[count] = std::stoul(size);
    return count;
}

/// Whether a comment that begins like this, before a colon, is meant as a header.
bool is_word(const std::string& key) {
    return std::ranges::all_of(key,
                               [](char one) { return (one >= 'a' && one <= 'z') || one == '-'; });
}

} // namespace

void KernelCase::add_argument(const std::string& kind, const std::string& text) {
    using Kind = wire::LaunchArgument::Kind;
    std::istringstream words(text);
    std::string type;
    std::string first;
    std::string equals;
    std::string fill = "0";
    words >> type >> first >> equals >> fill;
    const auto [scalar, lanes] = split_type(type);
    if (kind == "local") {
        launch.arguments.push_back(
            {Kind::local, {0, std::stoul(first) * lanes * scalar_size(scalar)}});
        return;
    }
    memory.resize((memory.size() + 2 * alignment - 1) / alignment * alignment);
    const std::size_t begin = memory.size();
    const bool buffer = kind != "value";
    const std::size_t count = (buffer ? std::stoul(first) : 1) * lanes;
    const std::string& value = buffer ? fill : first;
    for (std::size_t i = 0; value != "unwritten" && i < count; ++i)
        append_scalar(memory, scalar, value == "iota" ? static_cast<double>(i) : std::stod(value));
    for (std::size_t i = 0; value == "unwritten" && i < count * scalar_size(scalar); ++i)
        memory.push_back(static_cast<std::byte>(wire::poison >> 8 * (i % sizeof wire::poison)));
    launch.arguments.push_back({buffer ? Kind::buffer : Kind::value,
                                {begin, memory.size() - begin},
                                kind == "read-only",
                                kind == "write-only"});
}

KernelCase KernelCase::read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return {path, text.str()};
}

KernelCase::KernelCase(const std::string& path, std::string source) {
    program.source = std::move(source);
    program.options = "-cl-std=CL1.2";

    std::istringstream lines(program.source);
    int number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with("// ") || colon == std::string::npos)
            continue;
        const std::string key = line.substr(3, colon - 3);
        const std::string value = line.substr(colon + 2);
        std::istringstream words(value);
        try {
            if (key == "run") {
                std::string sizes;
                words >> launch.kernel >> sizes;
                const std::size_t slash = sizes.find('/');
                launch.dimensions = read_sizes(sizes.substr(0, slash), launch.global_size);
                read_sizes(sizes.substr(slash + 1), launch.work_group_size);
            } else if (key == "global" || key == "write-only" || key == "read-only" ||
                       key == "local" || key == "value") {
                add_argument(key, value);
            } else if (key == "again") {
                launch.arguments.push_back(launch.arguments.at(std::stoul(value)));
            } else if (key == "options") {
                program.options += " " + value;
            } else if (key == "says") {
                said.push_back(value);
            } else if (key == "never") {
                never_said.push_back(value);
            } else if (key == "counts") {
                auto& [what, count] = counts.emplace_back();
                words >> what >> count;
            } else if (key == "expect") {
                Finding finding;
                words >> finding.first >> finding.second;
                if (value != "nothing")
                    expected.push_back(finding);
            } else if (is_word(key)) {
                throw std::runtime_error("there is no header \"" + key +
                                         "\"; kernel_case.hpp lists all");
            }
        } catch (const std::exception& error) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
        }
    }
    launch.memory_size = memory.size();
    if (launch.kernel.empty())
        throw std::runtime_error(path + " does not say what to run");
}
