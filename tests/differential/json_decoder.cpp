#include "support/catch.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace etlantic;

namespace {

const constant_description zero[] = {{}};
const constant_description hundred[] = {{.exact = 100}};
const constant_description eight[] = {{.exact = 8}};
const constant_description currencies[] = {{.characters = "EUR"}, {.characters = "USD"}};
const constraint_description positive[] = {{constraint_kind::gt, zero}};
const constraint_description up_to_hundred[] = {{constraint_kind::ge, zero}, {constraint_kind::le, hundred}};
const constraint_description short_text[] = {{constraint_kind::max_length, eight}};
const constraint_description currency[] = {{constraint_kind::one_of, currencies}};
const std::string_view states[] = {"paid", "cancelled", "refunded", "p"};

field_description with(field_description field, std::span<const constraint_description> rules) {
  field.constraints = rules;
  return field;
}
field_description rounding(field_description field) {
  field.rounds = true;
  return field;
}
field_description counted(std::string_view name, time_form form) {
  field_description field = test::plain_field(name, logical_type::timestamp);
  field.form = form;
  return field;
}

const field_description point[] = {test::plain_field("x", logical_type::int32),
                                   test::nullable(test::plain_field("y", logical_type::text))};
const field_description element[] = {test::plain_field("element", logical_type::int16)};

const field_description fields[] = {
    test::plain_field("id", logical_type::text),
    with(test::plain_field("order_id", logical_type::int64), positive),
    test::nullable(with(test::plain_field("note", logical_type::text), short_text)),
    with(test::decimal_field("total", 18, 2), positive),
    test::enum_field("status", states),
    test::plain_field("time", logical_type::timestamp),
    test::nullable(rounding(test::decimal_field("tax", 9, 3))),
    test::nullable(test::plain_field("paid_at", logical_type::timestamp)),
    test::nullable(test::enum_field("before", states)),
    with(test::plain_field("percent", logical_type::int8), up_to_hundred),
    test::plain_field("count", logical_type::uint32),
    counted("millis", time_form::epoch_milliseconds),
    with(test::plain_field("currency", logical_type::text), currency),
    test::nullable(test::plain_field("flag", logical_type::boolean)),
    test::plain_field("rate", logical_type::float64),
    test::nullable(test::decimal_field("wide", 38, 4)),
    test::nullable(test::nested_field("list", logical_type::list, element)),
    test::nullable(test::nested_field("point", logical_type::structure, point)),
};

// Of these, every value has a fast form of its own.
constexpr std::size_t fields_with_a_form = 13;

/// Lines as programs write them, with values of every kind in and out of their range.
class line_maker {
 public:
  /// Lines keep their style for about `style_lines` lines.
  line_maker(unsigned seed, std::size_t field_count, unsigned style_lines)
      : random_(seed), count_(field_count), style_lines_(style_lines) {
    new_style();
  }

  /// How rare values are that are wrong or unusual: 1 makes most rows invalid.
  void set_calm(unsigned calm) { calm_ = calm; }

  std::string next() {
    if (chance(style_lines_)) new_style();
    std::string line = lead_ + "{";
    for (std::size_t i : order_) {
      std::string value = i < count_ ? value_of(i) : unknown_value();
      if (value.empty()) continue;
      if (line.back() != '{') line += comma_;
      const std::string name = i < count_ ? std::string(fields[i].data_name) : "other" + std::to_string(i);
      line += "\"" + name + "\"" + colon_ + value;
    }
    return line + "}" + tail_;
  }

  std::string mutate(std::string line) {
    for (auto times = 1 + random_() % 2; times > 0 && !line.empty(); --times) {
      const std::size_t at = random_() % line.size();
      switch (random_() % 6) {
        case 0: line[at] = static_cast<char>(random_() % 256); break;
        case 1: line[at] = piece().front(); break;
        case 2: line.insert(chance(4) ? line.size() : at, piece()); break;
        case 3: line.erase(at, 1 + random_() % 3); break;
        case 4: line.resize(at); break;
        default: std::swap(line[at], line[random_() % line.size()]); break;
      }
    }
    return line;
  }

  bool chance(unsigned one_in) { return random_() % one_in == 0; }

 private:
  bool odd(unsigned one_in) { return random_() % (one_in * calm_) == 0; }

  void new_style() {
    order_.clear();
    for (std::size_t i = 0; i < count_ + 2; ++i)
      if (i < count_ ? !(fields[i].nullable && chance(4)) : chance(3)) order_.push_back(i);
    if (chance(2)) std::shuffle(order_.begin(), order_.end(), random_);
    if (odd(20)) order_.push_back(random_() % count_);  // a name that comes twice
    comma_ = chance(3) ? ", " : ",";
    colon_ = chance(3) ? ": " : chance(8) ? "\t : \r" : ":";
    lead_ = chance(9) ? " " : "";
    tail_ = chance(4) ? "\r" : chance(9) ? "  " : "";
  }

  std::string pick(std::initializer_list<const char*> texts) { return *(texts.begin() + random_() % texts.size()); }
  std::string digits(unsigned most) {
    std::string text(1, static_cast<char>('1' + random_() % 9));
    for (auto n = random_() % most; n > 0; --n) text.push_back(static_cast<char>('0' + random_() % 10));
    return text;
  }
  std::string two(unsigned below) {
    const auto value = random_() % below;
    return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  }
  std::string time() {
    std::string text = "2026-0" + std::to_string(1 + random_() % 3) + "-" + (odd(6) ? two(33) : "15") + "T" +
                       two(odd(20) ? 26 : 24) + ":" + two(odd(20) ? 62 : 60) + ":" + two(odd(20) ? 62 : 60);
    if (!chance(4)) text += "." + (odd(3) ? digits(12) : two(100) + two(100) + two(100));
    return "\"" + text + (odd(12) ? pick({"", "z", "+01:00", "-00:30", "+19:00", " Z"}) : "Z") + "\"";
  }
  std::string text() {
    std::string text;
    for (auto n = random_() % (odd(2) ? 24 : 8); n > 0; --n) text.push_back(static_cast<char>('a' + random_() % 26));
    if (chance(8))
      text += pick(
          {"\xc3\xa9", "\\n", "\\u00e9", "\\ud834\\udd1e", "\xe2\x82\xac", "\\\\", "\\\"", "\xf0\x9d\x84\x9e", "'"});
    if (odd(300)) text += pick({"\xff", "\xc3", "\\ud800", "\\x", "\t", "\x01"});
    return "\"" + text + "\"";
  }
  std::string number() {
    std::string text = (odd(12) ? "-" : "") + (odd(8) ? "0" : digits(odd(6) ? 20 : 5));
    if (!chance(4)) text += "." + (odd(6) ? digits(12) : two(100));
    if (odd(30)) text += pick({"e2", "E-2", "e+0", "e400", "e-400"});
    return odd(12) ? "\"" + text + "\"" : text;
  }

  std::string value_of(std::size_t i) {
    if (odd(60)) return pick({"null", "true", "{}", "[]", "\"\"", "0", "-0", "1.0", "\"x\"", "01", "-1", "nul", "1e2"});
    if (fields[i].nullable && chance(5)) return "null";
    switch (fields[i].type) {
      case logical_type::text:
        return fields[i].data_name == "currency"
                   ? (odd(4) ? pick({"\"E\\u0055R\"", "\"GBP\""}) : pick({"\"EUR\"", "\"USD\""}))
                   : text();
      case logical_type::int64: return digits(odd(4) ? 20 : 7);
      case logical_type::int8: return odd(9) ? std::to_string(random_() % 300) : std::to_string(random_() % 101);
      case logical_type::uint32: return digits(odd(9) ? 11 : 9);
      case logical_type::decimal: return number();
      case logical_type::enumeration:
        return "\"" + (odd(4) ? pick({"pa", "", "paidx"}) : pick({"paid", "cancelled", "refunded", "p"})) + "\"";
      case logical_type::timestamp: return fields[i].form == time_form::rfc3339 ? time() : digits(odd(9) ? 19 : 14);
      case logical_type::boolean: return pick({"true", "false"});
      case logical_type::float64: return number();
      case logical_type::list:
        if (!odd(4)) return pick({"[]", "[1]", "[1,2,3]"});
        return pick({"[ 1 , 40000 ]", "[null]", "[1,[2]]", "[1,]", "[-5,6]"});
      default:
        if (!odd(4))
          return pick({"{\"x\":1}", "{\"x\":2,\"y\":\"long enough to be borrowed\"}", "{\"y\":null,\"x\":3}"});
        return pick({"{\"x\":1}", "{\"x\":2,\"y\":\"long enough to be borrowed\"}", "{\"y\":null,\"x\":3}", "{}",
                     "{\"x\":1,\"x\":4}", "{\"x\":\"1\"}", "{\"x\":5,\"z\":[]}"});
    }
  }
  std::string unknown_value() {
    if (count_ == fields_with_a_form) return text();
    if (!odd(4)) return pick({"1", "\"some text\"", "[1,{\"a\":[]}]", "null", "true"});
    return pick({"1", "\"some text\"", "[1,{\"a\":[]}]", "{\"id\":1}", "null", "-1.5e3", "\"\"", "01", "[1 2]",
                 "{\"a\" 1}", "true"});
  }
  std::string piece() {
    return pick({"\"", "\\", "{",    "}",    "[",        "]", ",",  ":", " ",    "0",       "1",        "-",
                 ".",  "e",  "\xc3", "\x80", "\xc3\xa9", "n", "\r", "Z", "\x1f", "\\u0061", "\"id\":1,"});
  }

  std::mt19937 random_;
  std::size_t count_;
  unsigned style_lines_;
  unsigned calm_ = 1;
  std::vector<std::size_t> order_;
  std::string comma_, colon_, lead_, tail_;
};

constexpr instruction_set all_instruction_sets[] = {instruction_set::baseline, instruction_set::avx2,
                                                    instruction_set::avx512};

/// A batch of lines: clean ones, ones that are all damaged, or some of both. Some batches end without a line feed.
std::string batch_of_lines(line_maker& lines, int batch) {
  lines.set_calm(batch % 5 == 0 ? 1 : 50);
  const unsigned damaged_one_in = batch % 4 == 0 ? 1 : batch % 4 == 1 ? 1'000'000 : 10;
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    std::string line = lines.next();
    if (lines.chance(damaged_one_in)) line = lines.mutate(std::move(line));
    bytes += line + "\n";
    if (lines.chance(50)) bytes += lines.chance(2) ? "\n" : " \r\n";
  }
  if (lines.chance(2)) bytes.resize(bytes.size() - 1 - (lines.chance(2) ? bytes.size() % 60 : 0));
  return bytes;
}

/// Decodes 50,000 lines of the first `field_count` fields both ways, the fast one with all instructions of this
/// machine.
void compare(unsigned seed, std::size_t field_count, unsigned style_lines) {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = std::span(fields).first(field_count)};
  line_maker lines(seed, field_count, style_lines);
  const std::size_t most = field_count * 25;
  const auto general =
      make_json_decoder(contract, test::rejected_schema(), {}, {.fast_path = false, .max_line_bytes = most});
  std::vector<std::unique_ptr<json_decoder>> fast;
  for (const instruction_set each : all_instruction_sets)
    if (each <= available_instruction_set())
      fast.push_back(
          make_json_decoder(contract, test::rejected_schema(), {}, {.max_line_bytes = most, .instructions = each}));
  for (int batch = 0; batch < 500; ++batch) {
    const test::padded_bytes padded(batch_of_lines(lines, batch));
    test::decoded_rows expected;
    const auto rows = general->decode("s", batch, padded.view(), expected);
    REQUIRE(rows.ok());
    REQUIRE(static_cast<std::size_t>(*rows) == expected.rows.size());
    for (const auto& decoder : fast) {
      test::decoded_rows got;
      REQUIRE(decoder->decode("s", batch, padded.view(), got).ok());
      for (const auto& [position, row] : expected.rows)
        if (got.rows[position] != row) FAIL("expected " << row << "\n got " << got.rows[position]);
      REQUIRE(got.rows.size() == expected.rows.size());
      REQUIRE(got.in_order);
    }
  }
  CHECK(general->counts().fast == 0);
  for (const auto& decoder : fast) {
    const decoder_counts& counts = decoder->counts();
    CHECK(counts.rows > 49'000);
    CHECK(counts.blank == general->counts().blank);
    CHECK(counts.by_reason == general->counts().by_reason);
    // The comparison says something only if all paths and the reasons had their share.
    CHECK(counts.fast > 16'000);
    CHECK(counts.valid > 16'000);
    if (style_lines > 1'000) CHECK(counts.by_layout > 4'000);
    if (field_count == fields_with_a_form) CHECK(counts.by_name > 4'000);
    for (const auto reason : {violation_reason::missing, violation_reason::null, violation_reason::wrong_type,
                              violation_reason::out_of_range, violation_reason::constraint,
                              violation_reason::not_in_set, violation_reason::bad_text, violation_reason::scale,
                              violation_reason::malformed, violation_reason::too_long}) {
      INFO(name_of(reason));
      CHECK(counts.by_reason[static_cast<std::size_t>(reason)] > 0);
    }
  }
}

}  // namespace

TEST_CASE("the fast path gives the same rows and reasons as the general one") {
  compare(20260115, std::size(fields), 150);
}

TEST_CASE("the same where every value has a fast form") { compare(7, fields_with_a_form, 150); }

TEST_CASE("the same where lines keep their layout") { compare(11, fields_with_a_form, 5'000); }

TEST_CASE("rows without escapes all take the fast path, also when optional members come and go") {
  const field_description few[] = {test::plain_field("id", logical_type::int64),
                                   test::nullable(test::plain_field("note", logical_type::text)),
                                   test::nullable(test::nested_field("list", logical_type::list, element))};
  const schema small{.id = "rows", .version = "1.0.0", .fields = few};
  const auto decoder = make_json_decoder(small, test::rejected_schema(), {});
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) {
    bytes += "{\"id\":" + std::to_string(i);
    if (i % 3 != 0) bytes += i % 2 == 0 ? ",\"note\":null" : ",\"note\":\"\xc3\xa9\"";
    if (i % 5 != 0) bytes += ",\"list\":[1,2]";
    bytes += "}\n";
  }
  const test::padded_bytes padded(bytes);
  test::decoded_rows seen;
  REQUIRE(decoder->decode("s", 0, padded.view(), seen).ok());
  CHECK(decoder->counts().valid == 10'000);
  CHECK(decoder->counts().fast == 10'000);
  CHECK(seen.rows.begin()->second == "valid 0 null null");
}
