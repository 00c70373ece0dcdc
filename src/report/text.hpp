#pragma once

#include <string>

namespace report {

/// `text` as valid UTF-8 without control characters other than line feed and tab: student code must
/// not move the cursor of a terminal, and XML 1.0 has no way to write them. What is neither becomes
/// "?" or the replacement character.
std::string printable(const std::string& text);

} // namespace report
