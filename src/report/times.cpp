#include "report/times.hpp"

#include <ctime>

namespace report {

std::optional<std::int64_t> seconds_of(const std::string& time) {
    std::tm parts{};
    const char* zone = ::strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (zone == nullptr)
        return std::nullopt;
    if (*zone == '.') {
        do
            ++zone;
        while (*zone >= '0' && *zone <= '9');
    }
    const char* const end = ::strptime(zone, "%z", &parts);
    if (end == nullptr || *end != '\0' || *zone == ' ')
        return std::nullopt;
    const std::tm read = parts;
    const std::int64_t seconds = ::timegm(&parts); // turns February 30 into March 2
    if (parts.tm_mday != read.tm_mday)
        return std::nullopt;
    return seconds - read.tm_gmtoff;
}

} // namespace report
