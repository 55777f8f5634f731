#include "support/catch.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <string>
#include <vector>

using namespace etlantic;

namespace {

/// Lines whose second field lies `distances` seconds ahead of the clock, and a third that may lie anywhere.
std::string lines(const field_description& field, std::int64_t clock, const std::vector<std::int64_t>& distances) {
  std::string bytes;
  for (const std::int64_t each : distances) {
    const std::int64_t second = clock + each;
    std::string value = std::to_string(second);
    if (is_text(field.form)) {
      value = format_rfc3339({second * 1'000'000});
      if (field.form == time_form::local) value.pop_back();  // the zone; it is UTC
      value = '"' + value + '"';
    }
    bytes += "{\"id\":1,\"time\":" + value + ",\"other\":\"9999-01-01T00:00:00Z\"}\n";
  }
  return bytes + "{\"id\":1,\"time\":null,\"other\":\"9999-01-01T00:00:00Z\"}\n";
}

}  // namespace

TEST_CASE("event times ahead of a batch's clock are refused in every form and every way of decoding") {
  std::vector<std::int64_t> distances;
  for (std::int64_t i = 0; i < 300; ++i)
    distances.push_back(i % 4 == 3 ? 3601 + i * i * i : i % 2 == 0 ? 3600 : -i * 900);
  for (const time_form form : {time_form::rfc3339, time_form::epoch_seconds, time_form::local}) {
    field_description fields[] = {test::plain_field("id", logical_type::int64),
                                  test::nullable(test::plain_field("time", logical_type::timestamp)),
                                  test::plain_field("other", logical_type::timestamp)};
    fields[1].form = form;
    if (form == time_form::local) fields[1].zone = "UTC";
    const schema contract{.id = "rows", .version = "1.0.0", .fields = fields};
    const auto check = [&](decoder_options options) {
      options.future = {{1}, std::chrono::hours{1}};
      const auto decoder = make_json_decoder(contract, test::rejected_schema(), {"pipeline", "rows 1.0.0"}, options);
      const test::padded_bytes padded(lines(fields[1], 1'700'000'000, distances));
      const auto invalid_at = [&](std::int64_t clock) {
        const decoder_counts before = decoder->counts();
        test::decoded_rows seen;
        decoder->begin({clock * 1'000'000});
        REQUIRE(decoder->decode("split", 0, padded.view(), seen).ok());
        const auto future = static_cast<std::size_t>(violation_reason::future);
        CHECK(decoder->counts().invalid - before.invalid ==
              decoder->counts().by_reason[future] - before.by_reason[future]);
        return decoder->counts().invalid - before.invalid;
      };
      CHECK(invalid_at(1'700'000'000) == 75);
      CHECK(invalid_at(1'900'000'000) == 0);
      CHECK(invalid_at(1'699'999'999) == 75 + 150);
      CHECK(invalid_at(1'700'000'000) == 75);
    };
    check({.fast_path = false});
    for (const instruction_set each : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512})
      if (each <= available_instruction_set()) check({.instructions = each});
  }
}
