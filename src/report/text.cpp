#include "report/text.hpp"

#include <nlohmann/json.hpp>

namespace report {
namespace {

/// Replaces what is no UTF-8.
std::string valid_utf8(const std::string& text) {
    using Json = nlohmann::json;
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
        .get<std::string>();
}

bool is_control(unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7F; }

} // namespace

std::string printable(const std::string& text) {
    std::string result;
    const std::string valid = valid_utf8(text);
    for (std::size_t i = 0; i < valid.size(); ++i) {
        const auto c = static_cast<unsigned char>(valid[i]);
        const auto next = static_cast<unsigned char>(i + 1 < valid.size() ? valid[i + 1] : '\0');
        // U+0080 to U+009F are control characters, too.
        const bool two_bytes = c == 0xC2 && next >= 0x80 && next < 0xA0;
        result += is_control(c) || two_bytes ? '?' : valid[i];
        i += two_bytes ? 1 : 0;
    }
    return result;
}

} // namespace report
