#include <etlantic/etlantic.hpp>

// What tests/crash/crash_test.py kills: every kind of state, and every sink that survives the process, in one pipeline.

using namespace etlantic;
using namespace std::chrono_literals;

struct Visit {
  std::int64_t id;
  text user;
  std::int64_t value;
  timestamp time;
  using key = primary_key<"id">;
};
struct Purchase {
  std::int64_t id;
  text user;
  std::int64_t amount;
  timestamp time;
};

struct UserWindow {
  text user;
  timestamp window_start, window_end;
  std::int64_t visits, value, users;
  using key = primary_key<"user", "window_start">;
};
struct UserSession {
  text user;
  timestamp window_start, window_end;
  std::int64_t visits;
  text last_user;
};
struct UserTotal {
  text user;
  std::int64_t visits, value;
  using key = primary_key<"user">;
};
struct Pair {
  std::int64_t visit;
  std::optional<std::int64_t> purchase;
  text user;
  timestamp time;
};

struct FirstVisits {
  input<Visit> visits;
  output<Visit> first;
};
constexpr auto implement(const FirstVisits& t) { return t.visits | watermark<"time">(20s) | deduplicate<"id", "time">; }

struct CountVisits {
  input<Visit> visits;
  output<UserWindow> windows, moving;
  output<UserSession> sessions;
  output<UserTotal> totals;
};
constexpr auto implement(const CountVisits& t) {
  constexpr auto counts = aggregate<UserWindow>(named<"visits"> = count(), named<"value"> = sum(field<"value">),
                                                named<"users"> = count_distinct(field<"user">));
  const auto timed = t.visits | watermark<"time">(20s);
  return outputs(
      named<"windows"> = timed | group_by<"user"> | tumbling<"time">(30s) | counts,
      named<"moving"> = timed | group_by<"user"> | sliding<"time">(30s, 10s) | counts,
      named<"sessions"> =
          timed | group_by<"user"> | session<"time">(7s) |
          aggregate<UserSession>(named<"visits"> = count(), named<"last_user"> = max_by(field<"user">, field<"time">)),
      named<"totals"> = t.visits | group_by<"user"> |
                        aggregate<UserTotal>(named<"visits"> = count(), named<"value"> = sum(field<"value">)));
}

struct MatchPurchases {
  input<Visit> visits;
  input<Purchase> purchases;
  output<Pair> pairs;
};
constexpr auto implement(const MatchPurchases& t) {
  return left_join(t.visits | watermark<"time">(20s), t.purchases | watermark<"time">(20s), on<"user">,
                   within(-5s, 5s)) |
         select<Pair>(named<"visit"> = left<"id">, named<"purchase"> = right<"id">, named<"time"> = left<"time">);
}

struct Crashing {
  extract<Visit, "visits"> visits;
  extract<Purchase, "purchases"> purchases;
  step<FirstVisits, "visits.valid"> once;
  step<CountVisits, "once.first"> count;
  step<MatchPurchases, "visits.valid", "purchases.valid"> match;

  load<UserWindow, "windows", "count.windows", output_mode::update> windows;
  load<UserWindow, "moving", "count.moving", output_mode::append> moving;
  load<UserSession, "sessions", "count.sessions"> sessions;
  load<UserTotal, "totals", "count.totals", output_mode::complete> totals;
  load<Visit, "first_visits", "once.first"> first_visits;
  load<Pair, "pairs", "match.pairs"> pairs;
  load<rejected<Visit>, "rejected_visits", "visits.invalid"> rejected_visits;
  load<late<Visit>, "late_visits", "once.late"> late_visits;
};

int main(int argc, char** argv) { return etlantic::main<Crashing>(argc, argv); }
