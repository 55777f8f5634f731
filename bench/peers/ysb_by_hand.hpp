#pragma once
#include <support/digest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace bench {

/// Views by campaign and ten seconds by hand, over columns; campaigns are below 128.
class ysb_by_hand {
 public:
  void add(const std::int32_t* campaigns, const std::uint8_t* types, const std::int64_t* times, std::size_t rows) {
    for (std::size_t begin = 0; begin < rows; begin += batch) {
      const std::size_t end = std::min(begin + batch, rows);
      std::uint32_t selected[batch];
      std::size_t count = 0;
      for (std::size_t row = begin; row < end; ++row) {
        selected[count] = static_cast<std::uint32_t>(row);
        count += types[row] == 0;
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = selected[i];
        if (times[row] < start_ || times[row] >= start_ + length) {
          start_ = times[row] / length * length;
          current_ = &windows_[start_];
        }
        group& found = (*current_)[static_cast<std::size_t>(campaigns[row])];
        ++found.views;
        found.latest = std::max(found.latest, times[row]);
      }
    }
  }

  std::string result() const {
    digest made;
    for (const auto& [start, groups] : windows_)
      for (std::size_t campaign = 0; campaign < groups.size(); ++campaign) {
        if (groups[campaign].views == 0) continue;
        made.begin_row();
        for (const std::int64_t value :
             {static_cast<std::int64_t>(campaign), start, groups[campaign].views, groups[campaign].latest})
          made.add(value);
        made.end_row();
      }
    return made.to_json();
  }

 private:
  static constexpr std::size_t batch = 1'024;
  static constexpr std::int64_t length = 10'000'000;
  struct group {
    std::int64_t views = 0;
    std::int64_t latest = 0;
  };
  using campaign_groups = std::array<group, 128>;

  std::map<std::int64_t, campaign_groups> windows_;
  campaign_groups* current_ = nullptr;
  std::int64_t start_ = 0;
};

}  // namespace bench
