#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace report {

/// Returns the seconds since 1970 for a time such as 2026-12-04T23:59:00+01:00; nothing for
/// anything else. Drops fractions of a second; accepts Z as a zone.
std::optional<std::int64_t> seconds_of(const std::string& time);

} // namespace report
