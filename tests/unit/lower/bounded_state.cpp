#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>

// The state of aggregations over a thousand window lengths of input, with keys that come and go: its size, its memory
// and the bytes that a checkpoint holds stay level.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Visit {
  text page;
  std::int64_t number;
  timestamp time;
};
struct PageVisits {
  text page, longest;
  timestamp window_start, window_end;
  std::int64_t visits, numbers;
};
struct CorrectedVisits {
  text page;
  timestamp window_start;
  std::int64_t visits;
  using key = primary_key<"page", "window_start">;
};
struct VisitsAt {
  timestamp time;
  std::int64_t visits;
};

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t length = 10 * second;  // of the windows
constexpr std::int64_t rows_per_second = 20;

/// What makes a length of so many days.
constexpr std::int64_t days_apart(std::int64_t days) { return days * 24 * 3600 * second / length; }

struct nothing final : stage_outputs {
  std::size_t rows = 0;
  result<void> emit(std::size_t, const block& given) override {
    rows += given.rows;
    return {};
  }
};

/// `scale`: how many times as far apart the rows lie. `longest`: percents of what the first tenth came to that may come
/// later, because a period is longer.
template <class Pipeline>
void stays_level(const Pipeline& pipeline, output_mode mode = output_mode::append, std::int64_t scale = 1,
                 std::int64_t longest = 100) {
  const auto lowered = lower(pipeline);
  const auto work = lowered->nodes.at(1).make_stage(mode);
  nothing out;
  state_metrics most{};
  std::int64_t most_saved = 0;
  std::int64_t watermark = 0, late_watermark = 0;
  const std::int64_t batches = 1'000 * length / second;
  for (std::int64_t at = 0; at < batches; ++at) {
    block rows(schema_of<Visit>());
    for (std::int64_t i = 0; i < rows_per_second; ++i) {
      const std::int64_t page = at * rows_per_second / 2 + i;
      append_row(rows, Visit{text("the page with number " + std::to_string(1'000'000 + page)), page,
                             timestamp{(at * second + i * second / rows_per_second) * scale}});
    }
    batch_context batch;
    batch.watermark.microseconds = watermark;
    batch.late_watermark.microseconds = late_watermark;
    work->begin(batch);
    REQUIRE(work->process(0, rows, out).ok());
    REQUIRE(work->finish(out).ok());
    late_watermark = watermark;
    watermark = (at * second - 2 * second) * scale;

    const state_metrics kept = work->state();
    state_writer saved;
    work->save(saved);
    if (at < batches / 10) {
      most.groups = std::max(most.groups, kept.groups);
      most.bytes = std::max(most.bytes, kept.bytes);
      most_saved = std::max(most_saved, std::int64_t{std::ssize(saved.bytes())});
    } else {
      REQUIRE(kept.groups * 100 <= most.groups * longest);
      REQUIRE(kept.bytes * 100 <= most.bytes * longest);
      REQUIRE(std::ssize(saved.bytes()) * 100 <= most_saved * longest);
    }
  }
  CHECK(out.rows > static_cast<std::size_t>(batches * rows_per_second) / 3);
}

template <class Window>
auto visits_per_page(const Window& window) {
  return from<Visit>("in") | watermark<"time">(2s) | group_by<"page"> | window |
         aggregate<PageVisits>(named<"longest"> = max(field<"page">), named<"visits"> = count(),
                               named<"numbers"> = count_distinct(field<"number">)) |
         into<output_mode::append>("out");
}

}  // namespace

TEST_CASE("the state of tumbling windows stays level over a thousand lengths") {
  stays_level(visits_per_page(tumbling<"time">(10s)));
}
TEST_CASE("the state of sliding windows stays level over a thousand lengths") {
  stays_level(visits_per_page(sliding<"time">(10s, 2s)));
  stays_level(visits_per_page(sliding<"time">(10s, 3s)));
}
TEST_CASE("the state of calendar windows stays level over a thousand lengths") {
  stays_level(visits_per_page(tumbling<"time">(calendar::day, in_zone<"Europe/Berlin">)), output_mode::append,
              days_apart(1), 105);  // 25 hours where the clocks go back
  stays_level(visits_per_page(tumbling<"time">(calendar::week)), output_mode::append, days_apart(7));
  // The longest month is as level as it gets.
  stays_level(visits_per_page(tumbling<"time">(calendar::month, in_zone<"America/New_York">)), output_mode::append,
              days_apart(31), 105);
}
TEST_CASE("the state of windows that accept late rows stays level over a thousand lengths") {
  stays_level(from<Visit>("in") | watermark<"time">(2s) | group_by<"page"> | tumbling<"time">(10s) | accept_late(25s) |
                  aggregate<CorrectedVisits>(named<"visits"> = count()) | into("out"),
              output_mode::update);
}
TEST_CASE("the state of groups by the event time stays level") {
  stays_level(from<Visit>("in") | watermark<"time">(2s) | group_by<"time"> |
              aggregate<VisitsAt>(named<"visits"> = count()) | into<output_mode::append>("out"));
}
TEST_CASE("the state of windows over windows stays level over a thousand lengths") {
  stays_level(from<Visit>("in") | watermark<"time">(2s) | group_by<"page"> | tumbling<"time">(10s) |
              aggregate<PageVisits>(named<"longest"> = max(field<"page">), named<"visits"> = count(),
                                    named<"numbers"> = count(field<"number">)) |
              etlantic::where(true) | group_by<"page"> | tumbling<"window_time">(1min) |
              aggregate<PageVisits>(named<"longest"> = max(field<"longest">), named<"visits"> = sum(field<"visits">),
                                    named<"numbers"> = count()) |
              into<output_mode::append>("out"));
}
