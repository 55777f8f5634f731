#include "support/pipeline_case.hpp"

#include <etlantic/etlantic.hpp>

#include <optional>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

// Rows of the cases: a number or a text as key, with and without a value.

struct Numbered {
  std::int64_t key;
  timestamp ts;
};
struct NumberedPair {
  std::optional<std::int64_t> left_key;
  std::optional<timestamp> left_ts;
  std::optional<std::int64_t> right_key;
  std::optional<timestamp> right_ts;
};

struct Valued {
  std::int64_t key;
  timestamp ts;
  std::int64_t value;
};
struct ValuedPair {
  std::optional<std::int64_t> left_key;
  std::optional<timestamp> left_ts;
  std::optional<std::int64_t> left_value;
  std::optional<std::int64_t> right_key;
  std::optional<timestamp> right_ts;
  std::optional<std::int64_t> right_value;
};

struct Named {
  std::optional<text> key;
  timestamp ts;
};
struct NamedPair {
  std::optional<text> left_key;
  std::optional<timestamp> left_ts;
  std::optional<text> right_key;
  std::optional<timestamp> right_ts;
};

struct NamedValue {
  std::optional<text> key;
  timestamp ts;
  text value;
};
struct NamedValuePair {
  std::optional<text> left_key;
  std::optional<timestamp> left_ts;
  std::optional<text> left_value;
  std::optional<text> right_key;
  std::optional<timestamp> right_ts;
  std::optional<text> right_value;
};

struct Plain {
  std::int64_t key, value;
};
struct PlainPair {
  std::int64_t left_key, left_value, right_value;
};

template <class C>
constexpr auto pairs_of_times() {
  return select<C>(named<"left_key"> = left<"key">, named<"left_ts"> = left<"ts">, named<"right_key"> = right<"key">,
                   named<"right_ts"> = right<"ts">);
}
template <class C>
constexpr auto pairs_of_values() {
  return select<C>(named<"left_key"> = left<"key">, named<"left_ts"> = left<"ts">, named<"left_value"> = left<"value">,
                   named<"right_key"> = right<"key">, named<"right_ts"> = right<"ts">,
                   named<"right_value"> = right<"value">);
}

/// A transformation of two inputs; what it does is the tag's business.
template <class Tag, class Row, class Pair>
struct JoinOf {
  input<Row> left;
  input<Row> right;
  output<Pair> pairs;
};
template <class Tag, class Row, class Pair>
constexpr auto implement(const JoinOf<Tag, Row, Pair>& t) {
  return Tag::of(t);
}

template <class Tag, class Row, class Pair>
struct TwoInputs {
  extract<Row, "left"> left;
  extract<Row, "right"> right;
  step<JoinOf<Tag, Row, Pair>, "left.valid", "right.valid"> joined;
  load<Pair, "out", "joined.pairs"> out;
};
template <class Tag, class Row, class Pair>
struct TwoTimedInputs {
  extract<Row, "left"> left;
  extract<Row, "right"> right;
  step<JoinOf<Tag, Row, Pair>, "left.valid", "right.valid"> joined;
  load<Pair, "out", "joined.pairs"> out;
  load<late<Row>, "late_left", "joined.late_left"> late_left;
  load<late<Row>, "late_right", "joined.late_right"> late_right;
};

template <class Tag, class Row, class Pair>
void check_timed(const std::string& name) {
  pipeline_case::check(name, lower<TwoTimedInputs<Tag, Row, Pair>>());
}

struct two_sided_range {
  static constexpr auto of(const auto& t) {
    return inner_join(t.left | watermark<"ts">(20s), t.right | watermark<"ts">(30s), on<"key">, within(-5s, 10s)) |
           pairs_of_times<NumberedPair>();
  }
};
struct left_in_window {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(10s), t.right | watermark<"ts">(10s), on<"key">, same_window(10s)) |
           pairs_of_values<ValuedPair>();
  }
};
struct right_in_window {
  static constexpr auto of(const auto& t) {
    return right_join(t.left | watermark<"ts">(10s), t.right | watermark<"ts">(10s), on<"key">, same_window(10s)) |
           pairs_of_values<ValuedPair>();
  }
};
struct left_in_range {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(5s), t.right | watermark<"ts">(5s), on<"key">, within(0s, 5s)) |
           pairs_of_times<NumberedPair>();
  }
};
struct left_with_condition {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(10s), t.right | watermark<"ts">(10s), on<"key">, same_window(10s),
                     where_matched(left<"value"> > 10)) |
           pairs_of_values<ValuedPair>();
  }
};
struct inner_of_null_keys {
  static constexpr auto of(const auto& t) {
    return inner_join(t.left | watermark<"ts">(20s), t.right | watermark<"ts">(20s), on<"key">, same_time()) |
           pairs_of_values<NamedValuePair>();
  }
};
struct left_of_null_keys {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(20s), t.right | watermark<"ts">(20s), on<"key">, same_time()) |
           pairs_of_values<NamedValuePair>();
  }
};
struct full_of_null_keys {
  static constexpr auto of(const auto& t) {
    return full_join(t.left | watermark<"ts">(20s), t.right | watermark<"ts">(20s), on<"key">, same_time()) |
           pairs_of_values<NamedValuePair>();
  }
};
struct left_at_same_time {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(0s), t.right | watermark<"ts">(0s), on<"key">, same_time()) |
           pairs_of_times<NamedPair>();
  }
};
struct left_in_long_range {
  static constexpr auto of(const auto& t) {
    return left_join(t.left | watermark<"ts">(0s), t.right | watermark<"ts">(0s), on<"key">, within(0s, 100s)) |
           pairs_of_times<NamedPair>();
  }
};
struct inner_at_any_time {
  static constexpr auto of(const auto& t) {
    return inner_join(t.left, t.right, on<"key">, unbounded()) | pairs_of_times<NamedPair>();
  }
};
struct values_at_any_time {
  static constexpr auto of(const auto& t) {
    return inner_join(t.left, t.right, on<"key">, unbounded()) | pairs_of_values<NamedValuePair>();
  }
};

struct SelfJoin {
  input<Plain> rows;
  output<PlainPair> pairs;
};
constexpr auto implement(const SelfJoin& t) {
  return inner_join(t.rows, t.rows, on<"key">, unbounded()) |
         select<PlainPair>(named<"left_key"> = field<"key">, named<"left_value"> = left<"value">,
                           named<"right_value"> = right<"value">);
}
struct WithItself {
  extract<Plain, "in"> in;
  step<SelfJoin, "in.valid"> joined;
  load<PlainPair, "out", "joined.pairs"> out;
};

}  // namespace

TEST_CASE("JN-02: a range of times includes both ends, and a stored row leaves when none could match it") {
  check_timed<two_sided_range, Numbered, NumberedPair>("JN-02");
}
TEST_CASE("JN-03: rows without a match come out when the watermark has passed their window") {
  check_timed<left_in_window, Valued, ValuedPair>("JN-03a");
  check_timed<right_in_window, Valued, ValuedPair>("JN-03b");
}
TEST_CASE("JN-04: a row that once matched does not come out without a match") {
  check_timed<left_in_range, Numbered, NumberedPair>("JN-04");
}
TEST_CASE("JN-05: a row for which the condition on its own side fails comes out at once, and once") {
  check_timed<left_with_condition, Valued, ValuedPair>("JN-05");
}
TEST_CASE("JN-07: null keys never match, and rows that have them wait like others") {
  check_timed<inner_of_null_keys, NamedValue, NamedValuePair>("JN-07a");
  check_timed<left_of_null_keys, NamedValue, NamedValuePair>("JN-07b");
  check_timed<full_of_null_keys, NamedValue, NamedValuePair>("JN-07c");
}
TEST_CASE("JN-09: a late left row gives nothing at all") { check_timed<left_at_same_time, Named, NamedPair>("JN-09"); }
TEST_CASE("JN-10: a row waits for the whole of an asymmetric range, its end included") {
  check_timed<left_in_long_range, Named, NamedPair>("JN-10");
}
TEST_CASE("JN-11: duplicates multiply") {
  pipeline_case::check("JN-11a", lower<TwoInputs<inner_at_any_time, Named, NamedPair>>());
  pipeline_case::check("JN-11b", lower<TwoInputs<inner_at_any_time, Named, NamedPair>>());
}
TEST_CASE("JN-12: a stream joined with itself over a restart") { pipeline_case::check("JN-12", lower<WithItself>()); }
TEST_CASE("JN-16: the right row first, and both in one batch") {
  pipeline_case::check("JN-16a", lower<TwoInputs<values_at_any_time, NamedValue, NamedValuePair>>());
  pipeline_case::check("JN-16b", lower<TwoInputs<values_at_any_time, NamedValue, NamedValuePair>>());
}
