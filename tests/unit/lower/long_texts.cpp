#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// Blocks that a stage puts together from rows of many others end before their texts are too long for a column. The
// limit is a small one here.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Page {
  std::int64_t id;
  timestamp seen_at;
  text words;
};
struct TwoPages {
  std::int64_t id;
  text first;
  text second;
};
struct Longest {
  std::int64_t id;
  timestamp window_end;
  text words;
};
struct Few {
  std::int64_t id;
  timestamp window_end;
  text words;
  checked<std::int64_t, lt<10>> pages;
};

constexpr std::size_t most_bytes = 2'000;
constexpr std::size_t text_size = 300;

struct seen_blocks final : stage_outputs {
  std::size_t blocks = 0;
  std::size_t greatest = 0;
  std::vector<std::int64_t> rows = std::vector<std::int64_t>(3, 0);  // by port

  result<void> emit(std::size_t port, const block& given) override {
    rows[port] += static_cast<std::int64_t>(given.rows);
    ++blocks;
    for (const column& each : given.columns) greatest = std::max(greatest, variable_bytes(each));
    return {};
  }
};

block pages(std::int64_t count, std::int64_t keys) {
  block made(schema_of<Page>());
  for (std::int64_t i = 0; i < count; ++i)
    append_row(made, Page{i % keys, {10'000'000}, text(std::string(text_size, static_cast<char>('a' + i % 26)))});
  return made;
}

template <class S>
std::unique_ptr<stage> make(const S& chain, const schema* rejected = nullptr) {
  stage_place place{.step = "pages"};
  place.most_bytes = most_bytes;
  place.invalid = rejected;
  place.invalid_port = 1;
  return etlantic::detail::lower_stream(chain, place);
}

batch_context closing() {
  batch_context batch;
  batch.watermark = {1'000'000'000};
  return batch;
}

}  // namespace

TEST_CASE("blocks of joined rows end where their texts are long enough") {
  auto work = make(inner_join(input<Page>{0} | watermark<"seen_at">(0s), input<Page>{1} | watermark<"seen_at">(0s),
                              on<"id">, same_time()) |
                   select<TwoPages>(named<"first"> = left<"words">, named<"second"> = right<"words">));
  seen_blocks out;
  work->begin({});
  REQUIRE(work->process(0, pages(200, 10), out).ok());
  REQUIRE(work->process(1, pages(200, 10), out).ok());
  REQUIRE(work->finish(out).ok());
  CHECK(out.rows[0] == 10 * 20 * 20);
  CHECK(out.greatest <= most_bytes + text_size);
  // What waits is saved and read again in pieces that are no longer.
  state_writer saved;
  work->save(saved);
  auto restored = make(inner_join(input<Page>{0} | watermark<"seen_at">(0s), input<Page>{1} | watermark<"seen_at">(0s),
                                  on<"id">, same_time()) |
                       select<TwoPages>(named<"first"> = left<"words">, named<"second"> = right<"words">));
  state_reader from(saved.bytes());
  REQUIRE(restored->restore(from).ok());
  seen_blocks more;
  restored->begin({});
  REQUIRE(restored->process(0, pages(10, 10), more).ok());
  CHECK(more.rows[0] == 10 * 20);
}

TEST_CASE("blocks of results end where their texts are long enough") {
  SECTION("of groups") {
    auto work = make(input<Page>{0} | watermark<"seen_at">(0s) | group_by<"id"> | tumbling<"seen_at">(10s) |
                     aggregate<Longest>(named<"words"> = max(field<"words">)));
    seen_blocks out;
    work->begin(closing());
    REQUIRE(work->process(0, pages(500, 500), out).ok());
    REQUIRE(work->finish(out).ok());
    CHECK(out.rows[0] == 500);
    CHECK(out.greatest <= most_bytes + text_size);
  }
  SECTION("of sessions") {
    auto work = make(input<Page>{0} | watermark<"seen_at">(0s) | group_by<"id"> | session<"seen_at">(10s) |
                     aggregate<Longest>(named<"words"> = max(field<"words">)));
    seen_blocks out;
    work->begin(closing());
    REQUIRE(work->process(0, pages(500, 500), out).ok());
    REQUIRE(work->finish(out).ok());
    CHECK(out.rows[0] == 500);
    CHECK(out.greatest <= most_bytes + text_size);
  }
  SECTION("and of those that break their contract") {
    // The keys below 100 have ten pages, which is too many.
    auto work = make(input<Page>{0} | watermark<"seen_at">(0s) | group_by<"id"> | tumbling<"seen_at">(10s) |
                         aggregate<Few>(named<"words"> = max(field<"words">), named<"pages"> = count()),
                     &schema_of<rejected<Few>>());
    seen_blocks out;
    work->begin(closing());
    REQUIRE(work->process(0, pages(1'000, 100), out).ok());
    REQUIRE(work->process(0, pages(300, 150), out).ok());
    REQUIRE(work->finish(out).ok());
    CHECK(out.rows[0] == 50);
    CHECK(out.rows[1] == 100);
    CHECK(out.greatest <= most_bytes + 2 * text_size);
  }
}
