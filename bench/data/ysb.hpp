#pragma once
#include <data/line.hpp>
#include <data/options.hpp>
#include <data/random.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

/// An event of the Yahoo streaming benchmark. Its join from ad to campaign is done: `campaign_id` is a field of the
/// event, and of ten ads of a campaign nothing is left but their identifiers. The time is a number, not a string.
struct ysb_row {
  std::int32_t campaign_id;
  std::uint8_t event_type;
  std::int64_t event_time;  ///< milliseconds since 1970
};

inline constexpr std::array<std::string_view, 3> ysb_event_types = {"view", "click", "purchase"};
inline constexpr std::array<std::string_view, 5> ysb_ad_types = {"banner", "modal", "sponsored_search", "mail",
                                                                 "mobile"};
inline constexpr std::uint32_t ysb_campaigns = 100;
inline constexpr std::uint32_t ysb_events_per_millisecond = 100;

inline ysb_row make_ysb_row(const data_options&, std::uint32_t number) {
  return {static_cast<std::int32_t>(mix(number, 1) % ysb_campaigns), static_cast<std::uint8_t>(mix(number, 2) % 3),
          january / 1'000 + number / ysb_events_per_millisecond};
}

/// Something that looks like the UUID of one of `count` things.
inline void append_identifier(std::string& line, std::string_view name, std::uint32_t which) {
  constexpr std::string_view digits = "0123456789abcdef";
  line.append("\"").append(name).append("\":\"");
  for (std::uint32_t word = 0; word < 4; ++word) {
    std::uint32_t bits = mix(which, 100 + word);
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) {
      line += digits[bits & 15];
      if ((word == 1 || word == 2) && digit == 3) line += '-';
    }
    if (word == 0 || word == 1) line += '-';
  }
  line += '"';
}

inline void append_ysb_line(std::string& line, const data_options& options, std::uint32_t number) {
  const ysb_row row = make_ysb_row(options, number);
  line += '{';
  append_identifier(line, "user_id", mix(number, 3) % 100);
  line += ',';
  append_identifier(line, "page_id", 1'000 + mix(number, 4) % 100);
  line += ',';
  append_identifier(line, "ad_id", 2'000 + static_cast<std::uint32_t>(row.campaign_id) * 10 + mix(number, 5) % 10);
  line.append(R"(,"ad_type":")").append(ysb_ad_types[mix(number, 6) % 5]);
  line.append(R"(","event_type":")").append(ysb_event_types[row.event_type]).append(R"(","event_time":)");
  append_number(line, row.event_time);
  line += R"(,"ip_address":"1.2.3.4","campaign_id":)";
  append_number(line, row.campaign_id);
  line += "}\n";
}

}  // namespace bench
