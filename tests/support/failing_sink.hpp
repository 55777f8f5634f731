#pragma once
#include <etlantic/runtime/sink.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace etlantic::test {

/// Dies before or behind the publication of its rows, if told to.
class failing_sink final : public sink {
 public:
  explicit failing_sink(std::shared_ptr<sink> target) : target_(std::move(target)) {}
  bool fails_before = false;
  bool fails_behind = false;

  result<std::optional<std::int64_t>> published(const publisher& who) override { return target_->published(who); }
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override {
    return target_->open(contract, mode, who);
  }
  result<void> prepare(const publication& what) override { return fails_before ? died() : target_->prepare(what); }
  result<void> commit(std::int64_t batch) override {
    if (auto done = target_->commit(batch); !done) return done;
    return fails_behind ? died() : result<void>();
  }
  void abort() override { target_->abort(); }
  std::string describe() const override { return target_->describe(); }

 private:
  static failure died() { return {failure_class::connectivity, "TEST", "the process died here", "", ""}; }

  std::shared_ptr<sink> target_;
};

}  // namespace etlantic::test
