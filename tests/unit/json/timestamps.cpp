#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/data.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>

#include <string>
#include <vector>

using namespace etlantic;

namespace {

const field_description fields[] = {test::plain_field("t", logical_type::timestamp)};
const schema timed{.id = "timed", .version = "1.0.0", .fields = fields};

/// Every text of the file, 70 times in a row, so that lines are decoded together and one by one.
void check_texts(const std::string& file, std::size_t verdict, const decoder_options& options) {
  std::string bytes;
  std::vector<std::pair<std::int64_t, std::string>> expected;
  for (const auto& row : test::read_csv(test::data_folder() / "timestamps" / file)) {
    if (row[0].find_first_of("\"\\\n\r\t") != std::string::npos) continue;  // would have to be escaped
    const std::string line = "{\"t\":\"" + row[0] + "\"}";
    for (int copy = 0; copy < 70; ++copy) {
      expected.emplace_back(static_cast<std::int64_t>(bytes.size()),
                            row[verdict] == "valid" ? "valid " + row[verdict + 1] : "PMSTREAM202 t=bad_text " + line);
      bytes += line + "\n";
    }
  }
  REQUIRE(expected.size() > 70);
  const auto decoder = make_json_decoder(timed, test::rejected_schema(), {}, options);
  const test::padded_bytes padded(bytes);
  test::decoded_rows seen;
  REQUIRE(decoder->decode("s", 0, padded.view(), seen).ok());
  REQUIRE(seen.rows.size() == expected.size());
  for (const auto& [position, row] : expected) REQUIRE(seen.rows[position] == row);
  if (options.fast_path) CHECK(decoder->counts().by_layout > 0);
}

}  // namespace

TEST_CASE("time stamps have the verdicts and values of a second implementation in every way of decoding") {
  for (const char* file : {"timestamps.csv", "rfc3339-suite.csv"}) {
    const std::size_t verdict = file[0] == 't' ? 1 : 2;
    check_texts(file, verdict, {.fast_path = false});
    for (const instruction_set each : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512})
      if (each <= available_instruction_set()) check_texts(file, verdict, {.instructions = each});
  }
}
