#include "support/catch.hpp"

#include <etlantic/connect/kafka/records_ahead.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace etlantic;
using kafka::detail::record_chunk;
using kafka::detail::records_ahead;
using kafka::detail::spare_chunks;
using kafka::detail::wanted_details;

namespace {

/// A record has the header "of" with its value once more, and "odd" without a value.
struct told_headers final : kafka::partition_reader {
  result<kafka::fetched> fetch(int, kafka::record_taker&) override { return kafka::fetched{}; }
  std::optional<std::string_view> header(const kafka::record_view& of, const std::string& name) override {
    if (name != "of" || of.value == nullptr) return std::nullopt;
    return std::string_view(of.value, of.size);
  }
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers(
      const kafka::record_view& of) override {
    return {{"of", header(of, "of")}, {"odd", std::nullopt}};
  }
};

struct filled_ahead {
  records_ahead ahead;
  spare_chunks spare;
  told_headers reader;
  wanted_details wanted;

  void add(std::int64_t offset, const char* key, const char* value) {
    const std::string_view text = value == nullptr ? "" : value;
    ahead.add({value, text.size(), offset, key, std::string_view(key).size(), 1000 + offset, nullptr}, reader, wanted,
              1000, spare);
  }
  record_chunk taken(std::int64_t end) {
    auto chunk = ahead.take(end, 1000, spare);
    REQUIRE(chunk);
    return std::move(*chunk);
  }
};

std::string texts_of(const record_chunk& chunk) {
  std::string found;
  const std::string_view bytes(reinterpret_cast<const char*>(chunk.bytes.data()), chunk.bytes.size());
  for (const document& each : chunk.documents) {
    CHECK(bytes.at(each.begin + each.size) == '\n');
    found += std::to_string(each.position) + ":" + std::string(bytes.substr(each.begin, each.size)) + " ";
  }
  return found;
}

std::string details_of(record_chunk& chunk) {
  message_batch batch;
  chunk.details.put_into(batch, {"orders", 3});
  std::string found;
  for (std::size_t i = 0; i < batch.details.size(); ++i) {
    found += std::to_string(batch.details[i].position) + "@" + std::to_string(batch.details[i].time);
    for (std::size_t text = i * 2; text < i * 2 + 2; ++text)
      found += batch.places[text].is_there
                   ? " " + std::string(batch.texts.substr(batch.places[text].begin, batch.places[text].size))
                   : " -";
    REQUIRE(batch.origins != nullptr);
    const row_origin origin = batch.origins->origin_of(i);
    found += " (" + *origin.key;
    for (const auto& [name, value] : origin.headers) found += " " + name + "=" + value.value_or("-");
    found += ") ";
  }
  return found;
}

}  // namespace

TEST_CASE("records that came behind the end of a range are there for the next one") {
  filled_ahead filled;
  filled.ahead.begin_at(10, filled.spare);
  for (const auto& [offset, value] : {std::pair{10, "ten"}, {11, "eleven"}, {14, ""}, {15, "fifteen"}, {17, "last"}})
    filled.add(offset, "k", value);
  CHECK(filled.ahead.reached() == 18);
  CHECK(texts_of(filled.taken(12)) == "10:ten 11:eleven ");
  CHECK_FALSE(filled.ahead.take(14, 1000, filled.spare));  // a hole
  CHECK(texts_of(filled.taken(16)) == "14: 15:fifteen ");
  filled.add(17, "k", "seen already");
  filled.add(18, "k", "new");
  CHECK_FALSE(filled.ahead.take(20, 1000, filled.spare));  // more may come before the end
  filled.ahead.reach(20);
  CHECK(texts_of(filled.taken(20)) == "17:last 18:new ");
  CHECK(filled.ahead.bytes() == 0);
}

TEST_CASE("keys, headers and origins stay with their records where a range ends between them") {
  filled_ahead filled;
  filled.wanted = {.any = true, .tombstones = true, .texts = {std::nullopt, "of"}, .origins = true};
  filled.ahead.begin_at(0, filled.spare);
  filled.add(0, "a", "first");
  filled.add(1, "b", nullptr);
  filled.add(2, "c", "third");
  filled.add(3, "d", nullptr);
  record_chunk first = filled.taken(2);
  CHECK(texts_of(first) == "0:first ");
  CHECK(details_of(first) == "0@1000000 a first (a of=first odd=-) 1@1001000 b - (b of=- odd=-) ");
  record_chunk second = filled.taken(3);
  CHECK(texts_of(second) == "2:third ");
  CHECK(details_of(second) == "2@1002000 c third (c of=third odd=-) ");
  record_chunk third = filled.taken(4);
  CHECK(texts_of(third).empty());
  CHECK(details_of(third) == "3@1003000 d - (d of=- odd=-) ");
}

TEST_CASE("deletions count for the range that they lie in") {
  filled_ahead filled;
  filled.ahead.begin_at(0, filled.spare);
  for (std::int64_t offset = 0; offset < 6; ++offset) filled.add(offset, "k", offset % 2 == 0 ? nullptr : "row");
  CHECK(filled.ahead.take_deletions(3) == 2);
  CHECK(filled.ahead.take_deletions(3) == 0);
  CHECK(filled.ahead.take_deletions(6) == 1);
}
