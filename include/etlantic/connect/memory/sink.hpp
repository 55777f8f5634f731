#pragma once
#include <etlantic/column/rows.hpp>
#include <etlantic/runtime/sink.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// Keeps what is published, batch by batch, for tests and for embedding. Exactly once as long as the object lives: a
/// batch that was committed is not taken again, whichever query object hands it over.
template <class C>
class memory_sink final : public sink {
 public:
  struct published_batch {
    std::int64_t batch;
    std::vector<C> rows;
  };

  /// Everything that was committed, in order; in complete mode each batch holds the whole result.
  std::vector<published_batch> batches() const {
    const std::lock_guard guard(lock_);
    return committed_;
  }

  /// The rows of all committed batches; in complete mode those of the last.
  std::vector<C> rows() const {
    const std::lock_guard guard(lock_);
    std::vector<C> all;
    for (const published_batch& each : committed_) {
      if (mode_ == output_mode::complete) all.clear();
      all.insert(all.end(), each.rows.begin(), each.rows.end());
    }
    return all;
  }

  result<void> open(const schema&, output_mode mode, const publisher& who) override {
    const std::lock_guard guard(lock_);
    mode_ = mode;
    who_ = who.query;
    who_.append("/").append(who.node);
    return {};
  }

  result<void> prepare(const publication& what) override {
    const std::lock_guard guard(lock_);
    prepared_ = {what.batch, {}};
    for (const block& each : what.blocks)
      for (std::size_t row = 0; row < each.rows; ++row) prepared_.rows.push_back(row_at<C>(each, row));
    return {};
  }

  result<void> commit(std::int64_t batch) override {
    const std::lock_guard guard(lock_);
    const auto [last, first_time] = ledger_.try_emplace(who_, batch);
    if (!first_time && last->second >= batch) return {};
    last->second = batch;
    if (mode_ == output_mode::complete || !prepared_.rows.empty()) committed_.push_back(std::exchange(prepared_, {}));
    return {};
  }

  void abort() override {
    const std::lock_guard guard(lock_);
    prepared_ = {};
  }

  std::string describe() const override { return "memory"; }

 private:
  mutable std::mutex lock_;
  output_mode mode_ = output_mode::append;
  std::string who_;
  std::map<std::string, std::int64_t> ledger_;  // last committed batch of each publisher
  published_batch prepared_{};
  std::vector<published_batch> committed_;
};

}  // namespace etlantic
