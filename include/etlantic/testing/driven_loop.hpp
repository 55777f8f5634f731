#pragma once
#include <etlantic/runtime/query_loop.hpp>
#include <etlantic/runtime/stop_request.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// A query that runs on the caller's thread, when the caller says.
class driven_loop {
 public:
  /// Starts it from its checkpoint; completed batches go to `into`, which outlives it.
  static result<std::unique_ptr<driven_loop>> start(program what, profile where, query_environment environment,
                                                    std::vector<progress>& into) {
    std::unique_ptr<driven_loop> made(new driven_loop(std::move(what), std::move(where), std::move(environment), into));
    result<std::unique_ptr<query_loop>> claimed = query_loop::claim(made->query_, std::nullopt);
    if (!claimed) return claimed.error();
    made->loop_ = std::move(*claimed);
    if (result<void> opened = made->loop_->open(); !opened) return opened.error();
    return made;
  }

  /// Batches as the trigger says.
  result<void> run() {
    query_report report(loop_->query_id(), query_.what.id);
    return loop_->run(report, requests_);
  }

  query_loop& loop() { return *loop_; }

 private:
  struct collector final : query_listener {
    explicit collector(std::vector<progress>& to) : into(to) {}
    void batch_completed(const progress& each) override { into.push_back(each); }
    std::vector<progress>& into;
  };

  driven_loop(program what, profile where, query_environment environment, std::vector<progress>& into)
      : query_{std::move(what), std::move(where), std::move(environment), {}},
        requests_(query_.where.checkpoint, query_.where.on_stop) {
    query_.listeners.add(std::make_shared<collector>(into));
  }

  query_setting query_;  // first: the loop looks at it
  stop_request requests_;
  std::unique_ptr<query_loop> loop_;
};

}  // namespace etlantic::test_kit
