#pragma once
#include "recovery/hand_made_pipeline.hpp"

#include <string>

namespace etlantic::test {

/// Several batches with open windows, closed ones, late rows and a last batch without data, counted by hand:
///
///     batch  rows         in force  late by  after it
///       0    1 2 12 3          0       0        7
///       1    25 11             7       0       20
///       2    4 26 31          20       7       26   4 is kept (10 > 7); [0,10) and [10,20) leave
///       3    12 5 44          26      20       39   12 and 5 are late
///       4    70               39      26       65   [20,30) leaves
///       5    none             65      39       65   [30,40) and [40,50) leave
inline hand_made_pipeline counted_pipeline_to_batch_2(const std::string& checkpoint) {
  hand_made_pipeline pipeline{
      .window = 10 * second, .delay = 5 * second, .checkpoint = checkpoint, .retained_batches = 1};
  pipeline.input->pause_after_batch = false;
  pipeline.input->add({1, 2, 12, 3});
  pipeline.input->add({25, 11});
  pipeline.input->add({4, 26, 31});
  return pipeline;
}
inline void add_counted_rest(const hand_made_pipeline& pipeline) {
  pipeline.input->add({12, 5, 44});
  pipeline.input->add({70});
}
inline hand_made_pipeline counted_pipeline(const std::string& checkpoint) {
  hand_made_pipeline pipeline = counted_pipeline_to_batch_2(checkpoint);
  add_counted_rest(pipeline);
  return pipeline;
}

inline const table_rows counted_windows{{0, 10, 4}, {10, 20, 2}, {20, 30, 2}, {30, 40, 1}, {40, 50, 1}};
inline const table_rows counted_late_rows{{12}, {5}};

}  // namespace etlantic::test
