#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/etlantic.hpp>

#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

// Windows of a calendar against lists and the calendar of the C library: zones, periods, times before 1970, late rows,
// blocks of odd lengths, restarts.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::int64_t number;
  std::int64_t id;
  timestamp time;
};
struct Total {
  std::int64_t id;
  timestamp window_start, window_end;
  std::int64_t rows, sum;
};
using line = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

template <fixed_string Zone>
auto pipeline(calendar_period period) {
  return from<Row>("in") | watermark<"time">(1s) | group_by<"id"> | tumbling<"time">(period, in_zone<Zone>) |
         aggregate<Total>(named<"rows"> = count(), named<"sum"> = sum(field<"number">)) |
         into<output_mode::append>("out");
}

struct collected final : stage_outputs {
  std::multiset<line> results;
  std::multiset<std::int64_t> late_numbers;

  result<void> emit(std::size_t port, const block& rows) override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      if (port == 0) {
        const auto row = row_at<Total>(rows, i);
        results.insert({row.id, row.window_start.microseconds, row.window_end.microseconds, row.rows, row.sum});
      } else {
        late_numbers.insert(rows.columns[0].children[0].value<std::int64_t>(i));
      }
    return {};
  }
};

// ---- reference ------------------------------------------------------------------------------------------------------

/// The period that the clock shows at a second, as a number that grows with time.
class c_library_calendar {
 public:
  c_library_calendar(const char* zone, calendar_period period) : period_(period) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  ~c_library_calendar() {
    ::unsetenv("TZ");
    ::tzset();
  }

  std::int64_t shown(std::int64_t second) const {
    const std::time_t time = second;
    std::tm parts{};
    ::localtime_r(&time, &parts);
    const std::int64_t year = parts.tm_year + 1900;
    switch (period_.unit) {
      case calendar_unit::year: return year;
      case calendar_unit::quarter: return year * 4 + parts.tm_mon / 3;
      case calendar_unit::month: return year * 12 + parts.tm_mon;
      default: break;
    }
    std::tm midnight{};
    midnight.tm_year = parts.tm_year;
    midnight.tm_mon = parts.tm_mon;
    midnight.tm_mday = parts.tm_mday;
    const std::int64_t day = ::timegm(&midnight) / 86'400;
    if (period_.unit == calendar_unit::day) return day;
    const int behind = (parts.tm_wday - period_.first_weekday + 7) % 7;  // days since the week began
    return day - behind;
  }

  /// The window around a second, in seconds.
  std::pair<std::int64_t, std::int64_t> window_of(std::int64_t second) {
    const std::int64_t period = shown(second);
    auto& window = known_[period];
    if (window.second == window.first) {
      constexpr std::int64_t far = 400 * 86'400;
      window = {first(second - far, second, period), first(second, second + far, period + 1)};
    }
    return window;
  }

 private:
  /// The first second in between that shows that period or a later one.
  std::int64_t first(std::int64_t before, std::int64_t behind, std::int64_t period) const {
    while (behind - before > 1) {
      const std::int64_t middle = before + (behind - before) / 2;
      (shown(middle) < period ? before : behind) = middle;
    }
    return behind;
  }

  calendar_period period_;
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> known_;
};

std::int64_t floor_seconds(std::int64_t time) {
  return time >= 0 ? time / 1'000'000 : -((-time + 999'999) / 1'000'000);
}

template <fixed_string Zone>
void check(unsigned seed, calendar_period period, output_mode mode) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  const std::string zone(named_as<Zone>::name.view());
  INFO(zone << ", seed " << seed << ", " << name_of(period.unit) << ", " << name_of(mode));
  c_library_calendar expected(zone.c_str(), period);
  const auto described = pipeline<Zone>(period);
  const auto make = [&] {
    return lower_stage(etlantic::detail::as_port_stream(described.chain),
                       stage_place{mode, "step", &schema_of<late<Row>>(), 1});
  };
  std::unique_ptr<stage> work = make();

  struct sums {
    std::int64_t rows = 0, sum = 0;
    bool changed = false;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, sums> groups;  // by id and window start
  const bool drops = mode != output_mode::complete;
  std::int64_t number = 0, watermark = 0, late_watermark = 0;
  std::int64_t middle = (below(90) - 20) * 365 * 86'400'000'000;  // from 1950 on
  const std::int64_t reach = 86'400'000'000 * (below(2) == 0 ? 3 : 500);

  for (int batch = 0; batch < 6; ++batch) {
    std::vector<Row> rows;
    for (std::int64_t i = below(200); i > 0; --i) {
      std::int64_t time = middle + below(reach) - reach / 3;
      if (below(5) == 0) {  // at an edge, or a microsecond off
        const auto window = expected.window_of(floor_seconds(time));
        time = (below(2) == 0 ? window.first : window.second) * 1'000'000 + below(3) - 1;
      }
      rows.push_back({number++, below(4), {time}});
    }
    middle += below(reach);

    collected seen, wanted;
    work->begin(batch_context{batch, {}, {watermark}, {late_watermark}, "pipeline", overflow_policy::quarantine});
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = std::min(rows.size(), begin + 1 + static_cast<std::size_t>(below(90)));
      block part(schema_of<Row>());
      for (; begin < end; ++begin) append_row(part, rows[begin]);
      REQUIRE(work->process(0, part, seen).ok());
    }
    REQUIRE(work->finish(seen).ok());

    for (auto& [key, group] : groups) group.changed = false;
    std::int64_t greatest = 0;
    for (const Row& row : rows) {
      const std::int64_t time = row.time.microseconds;
      greatest = std::max(greatest, time);
      const auto window = expected.window_of(floor_seconds(time));
      if (drops && window.second * 1'000'000 <= late_watermark) {
        wanted.late_numbers.insert(row.number);
        continue;
      }
      sums& group = groups[{row.id, window.first}];
      ++group.rows;
      group.sum += row.number;
      group.changed = true;
    }
    for (auto each = groups.begin(); each != groups.end();) {
      const auto& [key, group] = *each;
      const auto [start, end] = expected.window_of(key.second);
      const bool closed = end * 1'000'000 <= watermark;
      if (mode == output_mode::complete || (mode == output_mode::append ? closed : group.changed))
        wanted.results.insert({key.first, start * 1'000'000, end * 1'000'000, group.rows, group.sum});
      each = closed && drops ? groups.erase(each) : std::next(each);
    }
    REQUIRE(seen.results == wanted.results);
    REQUIRE(seen.late_numbers == wanted.late_numbers);
    REQUIRE(work->state().groups == static_cast<std::int64_t>(groups.size()));

    late_watermark = watermark;
    watermark = std::max(watermark, (greatest - 1'000'000) / 1000 * 1000);
    if (below(2) == 0) {
      state_writer saved;
      work->save(saved);
      work = make();
      state_reader reader(saved.bytes());
      REQUIRE(work->restore(reader).ok());
    }
  }
}

}  // namespace

TEST_CASE("windows of a calendar agree with the C library's, in every zone and mode, also after restarts") {
  const calendar_period periods[] = {calendar::day,   calendar::week,    calendar::week.starting(std::chrono::Sunday),
                                     calendar::month, calendar::quarter, calendar::year};
  for (unsigned seed = 0; seed < test::rounds(60); ++seed)
    for (const calendar_period period : periods) {
      const output_mode mode = std::array{output_mode::append, output_mode::update, output_mode::complete}[seed % 3];
      check<"UTC">(seed, period, mode);
      check<"Europe/Berlin">(seed, period, mode);
      check<"America/New_York">(seed, period, mode);
      check<"America/Sao_Paulo">(seed, period, mode);  // midnight is skipped, or shown twice
      check<"Pacific/Apia">(seed, period, mode);       // a day is skipped
      check<"Australia/Lord_Howe">(seed, period, mode);
    }
}
