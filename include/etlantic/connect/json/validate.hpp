#pragma once
#include <cstdint>
#include <string_view>

namespace etlantic {

enum class json_verdict : std::uint8_t { json, malformed, too_deep };

/// Judges one whole JSON text (RFC 8259, UTF-8, a byte order mark at the start is skipped, at most 1024 open
/// containers). Numbers of any size are JSON. At least 64 bytes behind the end are readable.
json_verdict validate_json(std::string_view text);

namespace detail {
/// As is_utf8, at the speed of memory.
bool is_utf8_text(std::string_view bytes);
}  // namespace detail

}  // namespace etlantic
