#include "fuzz/target.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/etlantic.hpp>

#include <algorithm>

// Any bytes as NDJSON: each line becomes one row or one rejected row, the same on the fast and on the general path, and
// the same whatever lines stand around it.

using namespace etlantic;

namespace {

enum class order_status { paid, cancelled, refunded };

struct Place {
  std::int32_t x;
  std::optional<text> name;
};

struct Order {
  text id;
  checked<std::int64_t, gt<0>> number;
  std::optional<decimal<18, 2>> total;
  order_status status;
  timestamp time;
  std::optional<bool> flag;
  double rate;
  std::optional<decimal<38, 4>> wide;
  std::optional<date> day;
  std::vector<std::int16_t> list;
  std::optional<Place> place;
  std::optional<epoch<std::chrono::milliseconds>> millis;
};

test::decoded_rows decoded(std::string_view lines, bool fast_path) {
  decoder_options options;
  options.fast_path = fast_path;
  options.max_line_bytes = 4096;
  const auto decoder = make_json_decoder(schema_of<Order>(), schema_of<rejected<Order>>(),
                                         {.pipeline = "fuzz", .contract = "Order 1.0.0"}, options);
  decoder->begin(timestamp{0});
  std::string padded(lines);
  padded.append(64, '\0');
  test::decoded_rows rows;
  const auto read = decoder->decode("fuzz", 0, std::string_view(padded).substr(0, lines.size()), rows);
  test::promise(read.ok(), "wrong rows are no failure");
  test::promise(*read == static_cast<std::int64_t>(rows.rows.size()), "each row is handed over once");
  test::promise(rows.in_order, "rows come in their order");
  return rows;
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view lines =
      without_mark({reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 1 << 16)});
  const test::decoded_rows fast = decoded(lines, true);
  test::promise(fast.rows == decoded(lines, false).rows, "both paths give the same rows");

  // The last line alone. Bytes in front of it cannot change what becomes of it.
  std::size_t end = lines.size();
  if (end != 0 && lines[end - 1] == '\n') --end;
  const std::size_t feed = end == 0 ? std::string_view::npos : lines.rfind('\n', end - 1);
  if (feed == std::string_view::npos) return 0;
  const std::string_view last = lines.substr(feed + 1);
  if (last.starts_with("\xef\xbb\xbf")) return 0;  // a mark counts at the beginning only
  const auto alone = decoded(last, true).rows;
  const auto behind = fast.rows.find(static_cast<std::int64_t>(feed + 1));
  test::promise(alone.empty() == (behind == fast.rows.end()), "a line is a row wherever it stands");
  if (!alone.empty()) test::promise(alone.begin()->second == behind->second, "a line's row hangs on the line alone");
  return 0;
}
