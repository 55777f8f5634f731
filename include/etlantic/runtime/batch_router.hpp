#pragma once
#include <etlantic/runtime/missed_windows.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/publication_buffer.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace etlantic {

/// Carries blocks along the edges of a program: at once to every step that reads a port, and as copies to the loads.
class batch_router {
 public:
  /// Stages by node index; null where the node is no step. Both outlive the router.
  batch_router(const program& what, const std::vector<std::unique_ptr<stage>>& stages);

  /// Forgets what the batch before left.
  void begin();

  result<void> emit(port_reference from, const block& rows);
  /// Lets a step emit what its batch came to.
  result<void> finish(std::size_t node);

  /// Rows that were handed to a step since `begin`.
  std::int64_t delivered(std::size_t node) const { return delivered_[node]; }
  /// Time that a step took since `begin`, without the steps behind it; of a load, the time of keeping its rows.
  double seconds(std::size_t node) const { return seconds_[node]; }
  publication_buffer& publication(std::size_t load) { return publications_[load]; }
  /// What late rows have missed since `begin` of the steps whose results a correction run computes again.
  const missed_windows& missed() const { return missed_; }

 private:
  template <class Work>
  result<void> timed(std::size_t node, Work work);

  struct reader {
    std::size_t node;
    std::size_t input;
  };
  /// The outputs of one step, as its stage sees them.
  struct step_outputs : stage_outputs {
    step_outputs(batch_router& owner, std::size_t of) : router(owner), node(of) {}
    result<void> emit(std::size_t port, const block& rows) override { return router.emit({node, port}, rows); }

    batch_router& router;
    std::size_t node;
  };

  const program& program_;
  const std::vector<std::unique_ptr<stage>>& stages_;
  std::vector<std::vector<std::vector<reader>>> readers_;  // by node and port
  std::vector<publication_buffer> publications_;           // by node
  std::vector<std::vector<bool>> tells_missed_;            // by node and port
  missed_windows missed_;
  std::vector<std::int64_t> delivered_;  // by node
  std::vector<double> seconds_;          // by node
  double seconds_inside_ = 0;            // of what the node that is being timed has called
};

/// The two outputs of an extract, as a decoder sees them.
struct extract_outputs : row_receiver {
  extract_outputs(batch_router& owner, std::size_t of) : router(owner), node(of) {}
  result<void> valid(const block& rows) override { return router.emit({node, 0}, rows); }
  result<void> invalid(const block& rows) override { return router.emit({node, 1}, rows); }

  batch_router& router;
  std::size_t node;
};

}  // namespace etlantic
