#include "grader/hint_levels.hpp"

#include "grader/course_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace grader {

HintLevels::HintLevels(Options options) : options_(std::move(options)) { read(); }

void HintLevels::read() {
    std::ifstream stream(options_.file, std::ios::binary);
    if (!stream)
        return;
    try {
        const auto all = nlohmann::json::parse(stream);
        for (const auto& [name, seen] : all.items())
            seen_[name] = {seen.at("level").get<std::size_t>(),
                           seen.at("first").get<std::string>()};
    } catch (const nlohmann::json::exception&) {
        seen_.clear(); // the file is damaged, so the hints start over
    }
}

void HintLevels::choose(report::Case& one) const {
    if (report::has_passed(one.status))
        return;
    if (one.status != report::Status::fail)
        one.hints.clear();
    limit_hints(one, options_.most);
    if (one.hints.empty() || !(options_.asked || options_.always))
        return;
    const auto known = seen_.find(one.name);
    const bool is_same = known != seen_.end() && known->second.first == one.hints.front();
    const std::size_t least = options_.always ? 1 : 0;
    const std::size_t before = std::max(is_same ? known->second.level : 0, least);
    const std::size_t wanted = !options_.asked      ? before
                               : options_.level > 0 ? static_cast<std::size_t>(options_.level)
                                                    : before + 1;
    one.hint_level = std::min(wanted, one.hints.size());
}

void HintLevels::remember(const report::Result& result) {
    for (const report::Case& one : result.cases) {
        if (report::has_passed(one.status))
            seen_.erase(one.name);
        else if (one.hint_level != 0 && options_.asked)
            seen_[one.name] = {one.hint_level, one.hints.front()};
    }
    if (options_.file.empty())
        return;
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [name, seen] : seen_)
        all[name] = {{"level", seen.level}, {"first", seen.first}};
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(options_.file).parent_path(),
                                        ignored);
    std::ofstream(options_.file, std::ios::binary) << all.dump(2) << '\n';
}

} // namespace grader
