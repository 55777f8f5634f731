#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/runtime/parallel_read.hpp>

#include <sys/resource.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // gcc
#define WITH_SANITIZERS
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WITH_SANITIZERS
#endif
#endif

using namespace etlantic;
using namespace etlantic::test;

namespace {

/// Piece i holds the lines `i 00` to `i 49` as numbers. Pieces may fail or throw.
class numbered_source : public source {
 public:
  explicit numbered_source(std::size_t pieces) {
    for (std::size_t i = 0; i < pieces; ++i)
      ranges.push_back({"numbers", static_cast<std::int64_t>(i), static_cast<std::int64_t>(i + 1)});
  }

  result<std::vector<split_range>> plan(const intake_limits&) override { return std::vector<split_range>{}; }
  result<void> restore(const std::vector<split_range>&) override { return {}; }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return "numbers"; }

  result<void> read(const split_range& range, intake& into) override {
    ++reads;
    if (range.begin == fails_at) return failure{failure_class::source_data, "X", "no", "numbers", ""};
    if (range.begin == throws_at) throw std::runtime_error("no memory");
    std::string text;
    for (int i = 0; i < 50; ++i) text += std::to_string(range.begin * 100 + i) + "\n";
    buffer& bytes = into.storage();
    bytes.clear();
    bytes.append(text.data(), text.size());
    return into.lines(range.split, range.begin, {reinterpret_cast<const char*>(bytes.data()), text.size()});
  }

  std::vector<split_range> ranges;
  std::atomic<int> reads{0};
  std::int64_t fails_at = -1;
  std::int64_t throws_at = -1;
};

struct number_list : row_receiver {
  result<void> valid(const block& rows) override {
    for (std::size_t row = 0; row < rows.rows; ++row) seen.push_back(rows.columns[0].value<std::int64_t>(row) / second);
    return {};
  }
  result<void> invalid(const block&) override { return {}; }
  std::vector<std::int64_t> seen;
};

struct reading_workers {
  explicit reading_workers(std::size_t count) : pool(count) {
    std::vector<row_decoder*> given;
    for (std::size_t i = 0; i < count; ++i) {
      decoders.push_back(std::make_unique<number_decoder>());
      given.push_back(decoders.back().get());
    }
    reader = std::make_unique<parallel_read>(pool, std::move(given));
  }

  result<void> run(numbered_source& from) {
    return reader->run(from, from.ranges, [&](const decoded_piece& piece) { return piece.give(numbers); });
  }

  std::vector<std::unique_ptr<row_decoder>> decoders;
  worker_pool pool;
  std::unique_ptr<parallel_read> reader;
  number_list numbers;
};

/// A decoder that gives each line as a text that points into the bytes.
class line_decoder final : public row_decoder {
 public:
  void begin(timestamp) override {}
  result<std::int64_t> decode(std::string_view, std::int64_t, std::string_view bytes, row_receiver& into) override {
    block rows(described);
    rows.columns[0].borrowed = bytes.data();
    rows.resize(1);
    rows.columns[0].borrow_text(0, bytes.substr(0, 27));
    if (auto taken = into.valid(rows); !taken) return taken.error();
    return 1;
  }
  result<std::int64_t> check(const block&, row_receiver&) override { return 0; }

  const field_description fields[1] = {{.name = "line", .data_name = "line", .type = logical_type::text}};
  const schema described{.id = "lines", .version = "1.0.0", .fields = fields};
};

struct text_list : row_receiver {
  result<void> valid(const block& rows) override {
    seen.emplace_back(rows.columns[0].text_at(0));
    return {};
  }
  result<void> invalid(const block&) override { return {}; }
  std::vector<std::string> seen;
};

}  // namespace

TEST_CASE("pieces come in the order of the plan, however many workers decode them") {
  std::vector<std::int64_t> expected;
  for (std::int64_t piece = 0; piece < 200; ++piece)
    for (std::int64_t i = 0; i < 50; ++i) expected.push_back(piece * 100 + i);
  for (const std::size_t count : {1u, 2u, 3u, 8u}) {
    reading_workers workers(count);
    numbered_source from(200);
    for (int again = 0; again < 3; ++again) {
      workers.numbers.seen.clear();
      REQUIRE(workers.run(from).ok());
      REQUIRE(workers.numbers.seen == expected);
    }
    CHECK(from.reads == 600);
  }
}

TEST_CASE("a piece that cannot be read ends the reading after the pieces before it") {
  reading_workers workers(4);
  numbered_source from(1000);
  from.fails_at = 17;
  const result<void> done = workers.run(from);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "X");
  CHECK(workers.numbers.seen.size() == 17 * 50);
  CHECK(from.reads <= 17 + 10 + 1);  // no further ahead than the pieces that may wait

  from.fails_at = -1;
  workers.numbers.seen.clear();
  REQUIRE(workers.run(from).ok());
  CHECK(workers.numbers.seen.size() == 50'000);
}

TEST_CASE("a pool that gets fewer threads than it asks for works with those") {
#ifdef WITH_SANITIZERS
  WARN("not with sanitizers: they end the process when the address space is limited");
#else
  // No thread fits into what is left of the address space, but for stacks that are kept from threads before.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit none{1, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_AS, &none) == 0);
  std::size_t workers = 0;
  bool threw = false;
  try {
    const worker_pool pool(64);
    workers = pool.workers();
  } catch (...) {
    threw = true;
  }
  REQUIRE(::setrlimit(RLIMIT_AS, &before) == 0);
  CHECK_FALSE(threw);
  CHECK(workers >= 1);
  CHECK(workers < 64);
#endif
}

TEST_CASE("what a worker throws is thrown where the reading was asked for") {
  reading_workers workers(3);
  numbered_source from(100);
  from.throws_at = 5;
  CHECK_THROWS_AS(workers.run(from), std::runtime_error);
  from.throws_at = -1;
  CHECK(workers.run(from).ok());
}

TEST_CASE("who takes the pieces can refuse one") {
  reading_workers workers(4);
  numbered_source from(100);
  int taken = 0;
  const result<void> done = workers.reader->run(from, from.ranges, [&](const decoded_piece&) -> result<void> {
    if (++taken == 3) return failure{failure_class::sink_rejected, "Y", "full", "", ""};
    return {};
  });
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "Y");
  CHECK(taken == 3);
}

TEST_CASE("texts outlive the bytes that a source reads over") {
  class two_step_source final : public numbered_source {
   public:
    two_step_source() : numbered_source(1) { ranges[0].end = 64; }
    result<void> read(const split_range& range, intake& into) override {
      buffer& bytes = into.storage();
      for (const char* text : {"{\"a\":\"the first long text\"}\n", "{\"a\":\"another longer text\"}\n"}) {
        bytes.clear();
        bytes.append(text, 28);
        const auto begin = text[7] == 'h' ? 0 : 28;
        if (auto done = into.lines(range.split, begin, {reinterpret_cast<const char*>(bytes.data()), 28}); !done)
          return done;
      }
      return {};
    }
  };
  line_decoder decoder;
  two_step_source from;
  decoded_piece piece;
  piece.read(from, decoder, from.ranges[0]);
  text_list texts;
  REQUIRE(piece.give(texts).ok());
  CHECK(texts.seen == std::vector<std::string>{"{\"a\":\"the first long text\"}", "{\"a\":\"another longer text\"}"});
}

TEST_CASE("texts outlive the bytes that a source reads into memory of its own") {
  class own_memory_source final : public numbered_source {
   public:
    own_memory_source() : numbered_source(1) {}
    result<void> read(const split_range& range, intake& into) override {
      std::string own = "{\"a\":\"the second long one\"}\n" + std::string(buffer::padding, '\0');
      result<void> done = into.lines(range.split, range.begin, std::string_view(own).substr(0, 28));
      own.assign(own.size(), 'x');
      return done;
    }
  };
  line_decoder decoder;
  own_memory_source from;
  decoded_piece piece;
  piece.read(from, decoder, from.ranges[0]);
  text_list texts;
  REQUIRE(piece.give(texts).ok());
  CHECK(texts.seen == std::vector<std::string>{"{\"a\":\"the second long one\"}"});
}
