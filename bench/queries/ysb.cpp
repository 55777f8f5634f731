// Yahoo's streaming benchmark behind its join: views by campaign and ten seconds.
#include <data/ysb.hpp>
#include <queries/query.hpp>

#include <etlantic/etlantic.hpp>

namespace bench {

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

enum class ad_type { banner, modal, sponsored_search, mail, mobile };
enum class event_type { view, click, purchase };

struct AdEvent {
  text user_id, page_id, ad_id;
  bench::ad_type ad_type;
  bench::event_type event_type;
  epoch<std::chrono::milliseconds> event_time;
  text ip_address;
  std::int32_t campaign_id;
};

/// What is left after the projection.
struct CampaignEvent {
  std::int32_t campaign_id;
  bench::event_type event_type;
  epoch<std::chrono::milliseconds> event_time;
};

struct CampaignWindow {
  std::int32_t campaign_id;
  timestamp window_start;
  std::int64_t views;
  timestamp latest;
  using key = primary_key<"campaign_id", "window_start">;
};

template <class Event>
program lower_ysb() {
  return *lower(from<Event>("in") | watermark<"event_time">(1min) | where(field<"event_type"> == event_type::view) |
                group_by<"campaign_id"> | tumbling<"event_time">(10s) |
                aggregate<CampaignWindow>(named<"views"> = count(), named<"latest"> = max(field<"event_time">)) |
                into<output_mode::update>("out"));
}

void fill_ysb(block& into, std::uint32_t first, const data_options& options) {
  for (std::size_t row = 0; row < into.rows; ++row) {
    const ysb_row made = make_ysb_row(options, first + static_cast<std::uint32_t>(row));
    into.columns[0].set(row, made.campaign_id);
    into.columns[1].set(row, static_cast<std::int8_t>(made.event_type));
    into.columns[2].set(row, made.event_time * 1'000);
  }
}

}  // namespace

std::vector<query> ysb_queries() {
  return {{"ysb", &schema_of<AdEvent>(), lower_ysb<AdEvent>, nullptr},
          {"ysb.projected", &schema_of<CampaignEvent>(), lower_ysb<CampaignEvent>, fill_ysb}};
}

}  // namespace bench
