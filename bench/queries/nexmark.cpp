// The queries of Nexmark over bids.
#include <data/nexmark.hpp>
#include <queries/query.hpp>

#include <etlantic/etlantic.hpp>

namespace bench {

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

struct Bid {
  std::int64_t auction;
  std::int64_t bidder;
  std::int64_t price;
  timestamp date_time;
};

struct ConvertedBid {
  std::int64_t auction;
  std::int64_t bidder;
  decimal<23, 3> price;
  timestamp date_time;
};

struct AuctionPrice {
  std::int64_t auction;
  std::int64_t price;
};

struct BidderWindow {
  std::int64_t bidder;
  timestamp window_start;
  std::int64_t bids;
};

struct HotAuction {
  std::int64_t auction;
  timestamp window_start, window_end;
  std::int64_t bids;
};

struct BidderSession {
  std::int64_t bidder;
  timestamp window_start, window_end;
  std::int64_t bids;
};

struct AuctionDay {
  std::int64_t auction;
  timestamp window_start;
  std::int64_t bids;
  std::int64_t lowest, highest;
  double mean;
  std::int64_t total;
};

program lower_q0() { return *lower(from<Bid>("in") | select<Bid>() | into("out")); }

program lower_q1() {
  return *lower(from<Bid>("in") | select<ConvertedBid>(named<"price"> = field<"price"> * decimal<4, 3>("0.908")) |
                into("out"));
}

program lower_q2() {
  return *lower(from<Bid>("in") | where(field<"auction"> % 123 == 0) | select<AuctionPrice>() | into("out"));
}

/// q5 gives all auctions with the most bids; this one the first of them.
program lower_q5() {
  return *lower(from<Bid>("in") | watermark<"date_time">(4s) | group_by<"auction"> | sliding<"date_time">(10s, 2s) |
                aggregate<HotAuction>(named<"bids"> = count()) | top<1, "bids"> | select<HotAuction>() |
                into<output_mode::append>("out"));
}

/// q7 gives all bids with the highest price; this one the first of them.
program lower_q7() {
  return *lower(from<Bid>("in") | watermark<"date_time">(4s) | tumbling<"date_time">(10s) | top<1, "price"> |
                select<Bid>() | into<output_mode::append>("out"));
}

program lower_q11() {
  return *lower(from<Bid>("in") | watermark<"date_time">(4s) | group_by<"bidder"> | session<"date_time">(10s) |
                aggregate<BidderSession>(named<"bids"> = count()) | into<output_mode::append>("out"));
}

program lower_q12() {
  return *lower(from<Bid>("in") | watermark<"date_time">(4s) | group_by<"bidder"> | tumbling<"date_time">(10s) |
                aggregate<BidderWindow>(named<"bids"> = count()) | into<output_mode::update>("out"));
}

program lower_q17() {
  return *lower(from<Bid>("in") | watermark<"date_time">(4s) | group_by<"auction"> | tumbling<"date_time">(24h) |
                aggregate<AuctionDay>(named<"bids"> = count(), named<"lowest"> = min(field<"price">),
                                      named<"highest"> = max(field<"price">), named<"mean"> = avg(field<"price">),
                                      named<"total"> = sum(field<"price">)) |
                into<output_mode::update>("out"));
}

void fill_bids(block& into, std::uint32_t first, const data_options& options) {
  for (std::size_t row = 0; row < into.rows; ++row) {
    const nexmark_bid made = make_nexmark_bid(options, first + static_cast<std::uint32_t>(row));
    into.columns[0].set(row, made.auction);
    into.columns[1].set(row, made.bidder);
    into.columns[2].set(row, made.price);
    into.columns[3].set(row, made.date_time);
  }
}

}  // namespace

std::vector<query> nexmark_queries() {
  const auto over_bids = [](std::string_view name, program (*lower)()) {
    return query{name, &schema_of<Bid>(), lower, fill_bids};
  };
  return {over_bids("nexmark.q0", lower_q0),   over_bids("nexmark.q1", lower_q1),  over_bids("nexmark.q2", lower_q2),
          over_bids("nexmark.q5", lower_q5),   over_bids("nexmark.q7", lower_q7),  over_bids("nexmark.q11", lower_q11),
          over_bids("nexmark.q12", lower_q12), over_bids("nexmark.q17", lower_q17)};
}

}  // namespace bench
