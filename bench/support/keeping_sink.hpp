#pragma once
#include <etlantic/runtime/sink.hpp>

#include <string>
#include <vector>

namespace bench {

/// Keeps the blocks of the last run and does nothing else: the cheapest end that still holds the result.
class keeping_sink final : public etlantic::sink {
 public:
  std::vector<etlantic::block> blocks;

  etlantic::result<void> open(const etlantic::schema&, etlantic::output_mode, const etlantic::publisher&) override {
    blocks.clear();
    return {};
  }
  etlantic::result<void> prepare(const etlantic::publication& what) override {
    blocks.insert(blocks.end(), what.blocks.begin(), what.blocks.end());
    return {};
  }
  etlantic::result<void> commit(std::int64_t) override { return {}; }
  void abort() override {}
  std::string describe() const override { return "memory"; }
};

}  // namespace bench
