#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace bench {

/// The columns of a block of house rows, as a program by hand would keep them.
struct house_columns {
  static constexpr std::size_t capacity = 8192;
  std::vector<std::int64_t> customer_id = std::vector<std::int64_t>(capacity);
  std::vector<std::int64_t> order_cents = std::vector<std::int64_t>(capacity);
  std::vector<std::uint8_t> status = std::vector<std::uint8_t>(capacity);
  std::vector<std::int64_t> event_time = std::vector<std::int64_t>(capacity);
  std::vector<std::int64_t> order_id = std::vector<std::int64_t>(capacity);
  std::size_t rows = 0;
};

/// House lines to columns with simdjson's On-Demand interface, written by hand for this one contract: every field is
/// there, the customer is an integer above 0 and the order one not below it, the total is an exact decimal with at most
/// two places and not negative, the status is one of three, the time is RFC 3339 in UTC.
class on_demand_decoder {
 public:
  on_demand_decoder();
  ~on_demand_decoder();

  /// Whole lines, with 64 readable bytes behind them. The columns of full blocks are overwritten by the next ones.
  void decode(std::string_view lines);
  /// One message without a line feed.
  void decode_message(std::string_view message);

  std::int64_t valid() const { return valid_; }
  std::int64_t invalid() const { return invalid_; }
  /// Called with each block that is full, and with the last one by `finish`. Without it blocks are dropped.
  void set_receiver(std::function<void(const house_columns&)> take) { receiver_ = std::move(take); }
  void finish() { end_block(); }

 private:
  struct parser;
  template <class Document>
  void take(Document&& document);
  void end_block();

  std::unique_ptr<parser> parser_;
  house_columns block_;
  std::int64_t valid_ = 0;
  std::int64_t invalid_ = 0;
  std::function<void(const house_columns&)> receiver_;
};

/// simdjson's structural index (stage 1, with its check of UTF-8) and nothing else.
class structural_indexer {
 public:
  explicit structural_indexer(std::size_t longest_chunk);
  ~structural_indexer();
  /// Number of structural characters.
  std::int64_t index(std::string_view lines);

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
};

}  // namespace bench
