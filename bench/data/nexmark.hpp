#pragma once
#include <data/line.hpp>
#include <data/options.hpp>
#include <data/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {

/// A bid of the Nexmark generator, without its texts (channel, url, extra).
struct nexmark_bid {
  std::int64_t auction;
  std::int64_t bidder;
  std::int64_t price;
  std::int64_t date_time;  ///< microseconds since 1970; 10,000 events a second
};

/// Bid `number`: of 50 events one is a person, three are auctions and 46 are bids.
inline nexmark_bid make_nexmark_bid(const data_options&, std::uint32_t number) {
  const std::int64_t cycle = number / 46;
  const std::int64_t event = cycle * 50 + 4 + number % 46;
  const std::int64_t last_person = 1'000 + cycle;
  const std::int64_t last_auction = 1'000 + cycle * 3 + 2;
  const std::int64_t oldest_auction = std::max<std::int64_t>(last_auction - 100, 1'000);
  const std::int64_t oldest_person = std::max<std::int64_t>(last_person - 1'000, 1'000);
  nexmark_bid made{};
  made.auction = mix(number, 1) % 2 == 0 ? last_auction / 100 * 100
                                         : oldest_auction + mix(number, 2) % (last_auction - oldest_auction + 11);
  made.bidder = mix(number, 3) % 4 != 0 ? last_person / 100 * 100 + 1
                                        : oldest_person + mix(number, 4) % (last_person - oldest_person + 11);
  made.price = std::llround(std::pow(10.0, 6.0 * mix(number, 5) / 4'294'967'296.0) * 100.0);
  made.date_time = january + event * 100;
  return made;
}

}  // namespace bench
