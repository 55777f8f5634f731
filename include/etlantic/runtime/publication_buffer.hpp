#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/runtime/sink.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace etlantic {

/// Collects the rows that one load gets in a batch. Copies them, since blocks are used again by their givers, and puts
/// small blocks together, since sinks pay per block. Where the rows came from (`split`, `positions`) is not kept:
/// rows of one block may come from many splits.
class publication_buffer {
 public:
  void append(const block& rows);

  std::size_t rows() const {
    std::size_t sum = 0;
    for (const block& each : blocks_) sum += each.rows;
    return sum;
  }

  std::vector<block> take() { return std::exchange(blocks_, {}); }
  void clear() { blocks_.clear(); }

 private:
  bool has_room_for(const block& rows) const;

  std::vector<block> blocks_;
};

}  // namespace etlantic
