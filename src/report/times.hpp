#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace report {

/// Seconds since 1970 for a time as in 2026-12-04T23:59:00+01:00; nothing for anything else.
/// Fractions of a second are left out, Z is a zone as well.
std::optional<std::int64_t> seconds_of(const std::string& time);

} // namespace report
