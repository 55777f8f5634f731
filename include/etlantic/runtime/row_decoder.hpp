#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/message_batch.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Takes what a decoder makes of the input: rows that keep their contract, and rows that break it (contract
/// `rejected<...>`). A block is looked at during the call only, so that its giver can use it again.
class row_receiver {
 public:
  virtual ~row_receiver() = default;
  virtual result<void> valid(const block& rows) = 0;
  /// As `valid`, from a giver that fills its block anew each time: the receiver may swap it for another one of the same
  /// contract.
  virtual result<void> take_valid(block& rows) { return valid(rows); }
  virtual result<void> invalid(const block& rows) = 0;
};

/// Turns the input of one extract into rows of its contract. Knows nothing about batches and checkpoints.
class row_decoder {
 public:
  virtual ~row_decoder() = default;

  /// Begins a batch: `planned_at` is the observed time of the rows that it rejects, and what times in the future are
  /// compared with, so that a replay gives the same.
  virtual void begin(timestamp planned_at) = 0;

  /// Decodes whole lines, as `intake::lines` gives them, and hands over every row before it returns. Gives the number
  /// of rows read; blank lines are no rows. Wrong rows are no failure.
  virtual result<std::int64_t> decode(std::string_view split, std::int64_t begin, std::string_view bytes,
                                      row_receiver& into) = 0;

  /// The same for documents, as `intake::documents` gives them. Each is a row.
  virtual result<std::int64_t> decode_documents(std::string_view split, std::string_view, std::span<const document>,
                                                row_receiver&) {
    return failure{failure_class::configuration, "PMSTREAM408", "this decoder takes no messages", std::string(split),
                   "Bind the asset to files or memory."};
  }

  /// The same for messages, as `intake::messages` gives them. Each is a row.
  virtual result<std::int64_t> decode_messages(std::string_view split, const message_batch& batch, row_receiver& into) {
    return decode_documents(split, batch.bytes, batch.documents, into);
  }

  /// Checks rows that are columns already against the constraints of the contract and hands them over. Gives the
  /// number of rows read.
  virtual result<std::int64_t> check(const block& typed, row_receiver& into) = 0;

  /// Valid rows so far that were decoded the fast way, for those who look where time goes.
  virtual std::int64_t fast_rows() const { return 0; }
};

/// How far event times may lie ahead of the time at which a batch was planned.
struct future_bound {
  std::vector<std::size_t> fields;  ///< of the contract, by place; none: no bound
  duration most_ahead{};
};

/// What a decoder is made for. The schemas live as long as the program.
struct decoder_request {
  const schema* contract = nullptr;                    ///< of the rows
  const schema* rejected = nullptr;                    ///< of the rows that break it
  std::string pipeline;                                ///< goes into each rejected row
  std::size_t max_line_bytes = std::size_t{16} << 20;  ///< longer lines are rejected as `too_long`
  future_bound future{};                               ///< rows that lie further ahead are rejected as `future`
};

using decoder_factory = std::unique_ptr<row_decoder> (*)(const decoder_request&);

/// The decoder that this program was built with.
std::unique_ptr<row_decoder> make_row_decoder(const decoder_request& request);

}  // namespace etlantic
