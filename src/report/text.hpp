#pragma once

#include <algorithm>
#include <string>

namespace report {

/// `text` with a "?" for every control character but line feed and tab: student code must not move
/// the cursor of a terminal, and XML 1.0 has no way to write them.
inline std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7F; }, '?');
    return text;
}

} // namespace report
