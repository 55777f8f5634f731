#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/buffer.hpp>
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/client_metrics.hpp>
#include <etlantic/runtime/row_condition.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// What a batch reads of one split: the half-open range [begin, end). For files the unit is the byte, and both ends
/// lie at the start of a line (or at the end of a file that is complete); for memory it is the row.
struct split_range {
  std::string split;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  friend bool operator==(const split_range&, const split_range&) = default;
};

inline constexpr std::int64_t no_limit = INT64_MAX;

/// How much one batch may read. Files are planned faster without a limit of rows, which needs every line counted.
struct intake_limits {
  std::int64_t max_rows = no_limit;
  std::int64_t max_bytes = std::int64_t{24} << 20;
  std::int64_t max_files = no_limit;
  std::int64_t max_reference_bytes = std::int64_t{1} << 30;  ///< of a reference, which is read whole
};

/// The present content of a source that is read as a whole.
struct whole_content {
  std::string version;  ///< another one for another content
  bool settled = true;  ///< false: the content may still change and keep the version, so that it is read to be sure
  std::vector<split_range> ranges;
};

/// What lies in an input behind everything that was planned; what is empty is not known.
struct waiting_input {
  std::optional<std::int64_t> rows{};
  std::optional<std::int64_t> bytes{};

  bool known() const { return rows || bytes; }
  friend bool operator==(const waiting_input&, const waiting_input&) = default;
};

/// A document of text in bytes that hold several: where it lies in them, and its place in the split.
struct document {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::int64_t position = 0;
};

struct message_batch;

/// Where a source delivers what it reads. Called with some hundred kilobytes at a time, never per row.
class intake {
 public:
  virtual ~intake() = default;

  /// Whole lines of text; the last one may lack its line feed. `begin` is the place of the first byte in the split.
  /// At least 64 bytes behind the end are readable.
  virtual result<void> lines(std::string_view split, std::int64_t begin, std::string_view bytes) = 0;

  /// One row each, as messages carry them: they may contain line feeds, and an empty one is a wrong row. In `bytes`,
  /// less than 1 GiB, they lie in order with one line feed behind each that does not belong to it. At least 64 bytes
  /// behind the end are readable.
  virtual result<void> documents(std::string_view split, std::string_view bytes, std::span<const document> each);

  /// The same with what messages carry beside their values (message_batch.hpp), for a contract that asks for it.
  virtual result<void> messages(std::string_view split, const message_batch& batch);

  /// Records that are no rows, such as deletions: counted and nothing else.
  virtual void skipped(std::int64_t) {}

  /// Rows that are columns already; `positions` of the block are set.
  virtual result<void> rows(const block& typed) = 0;

  /// Where a source may put the bytes that it reads, which saves copies of their texts. What it hands over, from here
  /// or from memory of its own, it may write over afterwards.
  virtual buffer& storage() { return storage_; }

 private:
  buffer storage_;
};

inline result<void> intake::documents(std::string_view split, std::string_view, std::span<const document>) {
  return failure{failure_class::configuration, "PMSTREAM408", "messages cannot be read here", std::string(split),
                 "Bind the asset to files or memory."};
}

inline result<void> intake::messages(std::string_view split, const message_batch&) {
  return failure{failure_class::configuration, "PMSTREAM408", "messages cannot be read here", std::string(split),
                 "Bind the asset to files or memory."};
}

/// An end from which rows come. Plans are made first and stored; reading a stored plan again gives the same rows.
class source {
 public:
  virtual ~source() = default;

  /// Tells a source the contract of the rows that are wanted, before everything else. Input that has types of its own
  /// refuses a contract that it does not fit; lines are judged one by one. The contract outlives the source.
  virtual result<void> open(const schema&) { return {}; }

  /// Tells a source, behind `open`, what rows have to keep in order not to be filtered by the first thing that looks at
  /// them. All rows are filtered all the same: a source may leave out what surely has no row that is wanted or wrong.
  virtual void narrow(std::span<const row_condition>) {}

  /// Tells a source, behind `open`, that rejected rows are wanted with what their messages have beside the value. A
  /// source without messages has nothing to give.
  virtual void give_origins() {}

  /// What the plans since the last call left out because of these conditions.
  virtual left_out_input take_left_out() { return {}; }

  /// What the next batch should read, after everything that was planned or restored before; empty when nothing waits.
  /// Rows are counted exactly, so that the limits hold.
  virtual result<std::vector<split_range>> plan(const intake_limits& limits) = 0;

  /// Tells a source what the query has read already: the last range of each split, in the order of first reading.
  /// Called at each start, before `plan`. A source that the program has bound is told again when its query starts again
  /// after a failure: it forgets what it has planned since, and its end if it was frozen.
  virtual result<void> restore(const std::vector<split_range>& read) = 0;

  /// Of ranges that have been read, given as to `restore`, those that it needs; the others are forgotten, and are not
  /// in snapshots. For a source whose splits come and go. Nothing: all of them.
  virtual std::optional<std::vector<split_range>> needed_positions(const std::vector<split_range>&) {
    return std::nullopt;
  }

  /// Delivers exactly the rows of the range, in order.
  virtual result<void> read(const split_range& range, intake& into) = 0;

  /// Cuts a range into parts of some hundred kilobytes, in order, that `read` may be called for at the same time from
  /// several threads. A source that can only be read in one go gives one part.
  virtual result<std::vector<split_range>> pieces(const split_range& range) { return std::vector{range}; }

  /// Marks the present end of the input: `plan` never goes beyond it any more (trigger "available now").
  virtual result<void> freeze() = 0;

  /// Those of some splits that have been read which can get no more rows than those that were planned; nobody waits for
  /// them. Asked behind `plan` or `restore`. A source that cannot tell names none.
  virtual std::vector<std::string> finished(const std::vector<std::string>&) { return {}; }

  /// Waits, at most so long, for rows behind what was planned; whether some may have come, which is no promise: `plan`
  /// looks again. Nothing: this source cannot wait for its input. Called where `plan` found nothing.
  virtual std::optional<bool> await_rows(duration) { return std::nullopt; }

  /// How much the query is behind. Asked once a batch, behind `plan`, so that it should cost no new look at what is
  /// read: what the newest plan saw is enough. A source that cannot tell leaves it empty.
  virtual waiting_input waiting() { return {}; }

  /// What the client of a server tells; asked behind `waiting`, under the same rule. Sources without one leave it
  /// empty.
  virtual std::optional<client_metrics> metrics() { return std::nullopt; }

  /// All that is there now, for a reference; `plan` and `restore` are not called then. What `read` gives of the ranges
  /// is this content as long as `whole` gives the same version.
  virtual result<whole_content> whole() {
    return failure{failure_class::configuration, "PMSTREAM408", "this source cannot be read as a reference", describe(),
                   "Bind the reference to a source that can be read again as a whole: files, or memory."};
  }

  /// Sentences about input that `plan` left out, each told once.
  virtual std::vector<std::string> take_warnings() { return {}; }

  /// Longer lines need not be handed over whole; they are rejected as too long.
  virtual std::size_t max_line_bytes() const { return std::size_t{16} << 20; }

  /// For people: what is read, without secrets.
  virtual std::string describe() const = 0;
};

}  // namespace etlantic
