#pragma once
#include <data/options.hpp>

#include <etlantic/column/block.hpp>
#include <etlantic/runtime/program.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bench {

/// A query of the suite: from the asset "in" to the asset "out".
struct query {
  std::string_view name;
  const etlantic::schema* contract;
  etlantic::program (*lower)();
  /// Sets all rows of a block, the first of which is row `first` of the data.
  void (*fill)(etlantic::block& into, std::uint32_t first, const data_options& options);
};

std::vector<query> house_queries();
std::vector<query> ysb_queries();
std::vector<query> nexmark_queries();
std::vector<query> cluster_queries();
std::vector<query> smart_grid_queries();

inline std::vector<query> all_queries() {
  std::vector<query> all;
  for (auto* family : {house_queries, ysb_queries, nexmark_queries, cluster_queries, smart_grid_queries})
    for (const query& each : family()) all.push_back(each);
  return all;
}

}  // namespace bench
