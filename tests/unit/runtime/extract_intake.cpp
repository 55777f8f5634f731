#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/runtime/extract_intake.hpp>

using namespace etlantic;
using namespace etlantic::test;

namespace {

struct counting_receiver : row_receiver {
  result<void> valid(const block& rows) override {
    valid_rows += rows.rows;
    return {};
  }
  result<void> invalid(const block& rows) override {
    invalid_rows += rows.rows;
    return {};
  }
  std::size_t valid_rows = 0;
  std::size_t invalid_rows = 0;
};

}  // namespace

TEST_CASE("what an extract read is what came out valid and invalid, by reason") {
  number_decoder decoder;
  counting_receiver next;
  extract_progress counted;
  buffer storage;
  extract_intake into(decoder, next, counted, storage);
  REQUIRE(into.lines("file", 0, "1\nbad\n2\n-3\n").ok());
  REQUIRE(into.lines("file", 11, "-4\n5").ok());
  CHECK(counted.read == 6);
  CHECK(counted.valid == 3);
  CHECK(counted.invalid == 3);
  CHECK(counted.bytes == 15);
  CHECK(counted.reasons == std::map<std::string, std::int64_t>{{"malformed", 1}, {"out_of_range", 2}});
  CHECK(next.valid_rows == 3);
  CHECK(next.invalid_rows == 3);
}

TEST_CASE("rows that are columns already are counted too") {
  number_decoder decoder;
  counting_receiver next;
  extract_progress counted;
  buffer storage;
  extract_intake into(decoder, next, counted, storage);
  block rows(events);
  rows.resize(4);
  REQUIRE(into.rows(rows).ok());
  CHECK(counted.read == 4);
  CHECK(next.valid_rows == 4);
}

TEST_CASE("a decoder that loses a row stops the query") {
  class losing_decoder : public number_decoder {
    result<std::int64_t> decode(std::string_view split, std::int64_t begin, std::string_view bytes,
                                row_receiver& into) override {
      result<std::int64_t> read = number_decoder::decode(split, begin, bytes, into);
      return *read + 1;
    }
  };
  losing_decoder decoder;
  counting_receiver next;
  extract_progress counted{.node = "orders", .reasons = {}, .ranges = {}};
  buffer storage;
  extract_intake into(decoder, next, counted, storage);
  const result<void> read = into.lines("file", 0, "1\n2\n");
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().code == "PMSTREAM472");
  CHECK(read.error().message.find("extract 'orders' read 3 rows, but 2 valid and 0 invalid") == 0);
}
