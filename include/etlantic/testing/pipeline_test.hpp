#pragma once
#include <etlantic/contract/late.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/runtime/lower.hpp>
#include <etlantic/runtime/lower_bare.hpp>
#include <etlantic/testing/expectation.hpp>
#include <etlantic/testing/row_difference.hpp>
#include <etlantic/testing/test_bench.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::test_kit {

/// A time of a test: `at("2026-03-01T12:00:00Z")`.
inline timestamp at(std::string_view text) {
  const std::optional<timestamp> time = parse_rfc3339(text);
  if (!time) throw wrong_use("'" + std::string(text) + "' is not a time; write 2026-03-01T12:00:00Z");
  return *time;
}

/// What became of the rows of a node, over all batches. Those that are not named are not looked at.
struct row_counts {
  std::optional<std::int64_t> read{}, valid{}, invalid{};  ///< of an extract; `invalid` of a step too
  std::optional<std::int64_t> received{}, filtered{}, late{}, duplicate{}, kept{};  ///< of a step
  std::optional<std::int64_t> rejected_results{};
};

/// The state of a step after the last batch.
struct state_size {
  std::optional<std::int64_t> windows{}, groups{};
  std::optional<std::int64_t> most_bytes{};
};

/// A row in quarantine: the first field that is wrong and why; the payload only where it is given.
struct rejection {
  std::string field;
  std::string reason;
  std::optional<std::string> payload{};
};

/// A pipeline under test: rows in, batches by hand, tables out. No files, no database, no threads; a clock that stands
/// until it is told to move; a real checkpoint, so that restarts and crashes are the real ones.
///
/// ```cpp
/// test_kit::pipeline_test<CustomerOrders> test;
/// test.add_events("order_events", std::vector{order(1, "10.00")});
/// CHECK(test.process_all_available());
/// CHECK(test.expect_table<CustomerOrderWindow>("customer_order_windows", {...}));
/// ```
template <class Pipeline>
class pipeline_test {
 public:
  explicit pipeline_test(const Pipeline& pipeline = {}) : bench_(lowered(pipeline)) {}

  // ---- input ----

  /// Rows for an extract, by its asset. What one call adds is one batch, unless `cut_batches` says otherwise.
  template <class C>
  void add_events(const std::string& asset, const std::vector<C>& rows) {
    block made(schema_of<C>());
    for (const C& each : rows) append_row(made, each);
    input_of<C>(asset).add(std::move(made));
  }
  /// Lines of JSON, right or wrong, that are decoded as those of a file.
  void add_raw(const std::string& asset, std::vector<std::string> lines) { bench_.input(asset).add(std::move(lines)); }
  /// Rows in the place of all that were added: a new version of a reference.
  template <class C>
  void replace_events(const std::string& asset, const std::vector<C>& rows) {
    input_of<C>(asset).clear();
    add_events(asset, rows);
  }
  /// From now on so many rows of an asset are a batch, however they were added.
  void cut_batches(const std::string& asset, std::int64_t rows_per_batch) {
    bench_.input(asset).cut_batches(rows_per_batch);
  }

  // ---- running ----

  /// Batch after batch until nothing waits, those without data included.
  run_outcome process_all_available() { return bench_.process_all_available(); }
  /// The next batch, which must have this id; ids count from 0.
  run_outcome run_batch(std::int64_t id) { return bench_.run_batch(id); }
  /// Runs a committed batch once more, as after a crash before its first commit. Holds if it brings the same rows to
  /// every load as it did the first time; no table takes them again.
  expectation replay_batch(std::int64_t id) {
    std::string difference;
    const run_outcome replayed = bench_.replay_batch(id, difference);
    return expectation(replayed ? difference : replayed.text());
  }
  /// Moves the watermark as rows of that time would, and processes what it closes. What waits is processed before.
  run_outcome advance_watermark(timestamp to) { return bench_.advance_watermark(to); }
  /// Ends the query and starts it again from its checkpoint; needed after a failure.
  run_outcome restart() { return bench_.restart(); }

  timestamp now() const { return bench_.now(); }
  void set_clock(timestamp to) { bench_.set_clock(to); }
  void advance_clock(duration by) { bench_.advance_clock(by); }
  /// Limits, policies and quality gates of the profile; what is changed counts from the next start on.
  profile& settings() { return bench_.settings(); }

  // ---- faults ----

  /// The process dies where a batch next comes there; `load` is the asset of the load for `after_prepare` and
  /// `after_commit`, or the first that comes.
  void fail_at(boundary where, const std::string& load = {}) { bench_.fail_at(where, load); }
  /// The process dies behind so many more operations on files of the checkpoint: for loops over all of them. No other
  /// pipeline may run in the process meanwhile.
  void fail_at_file_operation(int after) { bench_.fail_at_file_operation(after); }
  /// Whether it has died since the last restart.
  bool has_died() const { return bench_.faults().struck(); }

  // ---- what came of it ----

  /// The rows of a table as they stand there: merged by key where the load updates.
  template <class C>
  std::vector<C> rows(const std::string& asset) const {
    return structs_of<C>(table_of<C>(asset).table());
  }
  /// Of all committed batches.
  const progress& totals() const { return bench_.totals(); }

  /// A table has exactly these rows, in whatever order.
  template <class C>
  expectation expect_table(const std::string& asset, const std::vector<C>& expected) const {
    const test_sink& table = table_of<C>(asset);
    return expectation(
        difference_of_rows("table " + asset, table.contract(), row_texts_of(expected), row_texts_of(table.table())));
  }
  /// A batch brought exactly these rows to a load.
  template <class C>
  expectation expect_batch(const std::string& asset, std::int64_t batch, const std::vector<C>& expected) const {
    const test_sink& table = table_of<C>(asset);
    const block* found = table.of_batch(batch);
    if (found == nullptr) return expectation("batch " + std::to_string(batch) + " was not committed to " + asset);
    return expectation(difference_of_rows("batch " + std::to_string(batch) + " of " + asset, table.contract(),
                                          row_texts_of(expected), row_texts_of(*found)));
  }
  /// A table of late rows holds exactly these events.
  template <class C>
  expectation expect_late(const std::string& asset, const std::vector<C>& expected) const {
    std::vector<C> found;
    for (late<C>& each : rows<late<C>>(asset)) found.push_back(std::move(each.event));
    return expectation(
        difference_of_rows("late rows in " + asset, schema_of<C>(), row_texts_of(expected), row_texts_of(found)));
  }
  /// A table of rejected rows holds exactly these, in the order in which they came.
  expectation expect_quarantine(const std::string& asset, const std::vector<rejection>& expected) const;

  expectation expect_watermark(timestamp expected) const {
    std::string text;
    detail::compare(text, "watermark", format_rfc3339(expected), format_rfc3339(totals().watermark));
    return expectation(std::move(text));
  }
  /// Over all batches, by the node's name in the pipeline.
  expectation expect_counts(const std::string& node, const row_counts& expected) const;
  /// Of a step, by its name in the pipeline.
  expectation expect_state(const std::string& step, const state_size& expected) const;
  /// So many batches were committed.
  expectation expect_batches(std::int64_t expected) const {
    std::string text;
    detail::compare(text, "batches", expected, totals().batch);
    return expectation(std::move(text));
  }
  /// Another pipeline, or the same one fed otherwise, has come to the same rows in every table that both have.
  template <class Other>
  expectation expect_same_tables(const pipeline_test<Other>& other) const {
    std::string text;
    std::size_t compared = 0;
    for (const auto& [asset, mine] : bench_.tables()) {
      const auto found = other.bench().tables().find(asset);
      if (found == other.bench().tables().end()) continue;
      ++compared;
      const std::string differs = difference_of_rows("table " + asset, mine->contract(),
                                                     row_texts_of(found->second->table()), row_texts_of(mine->table()));
      if (!differs.empty()) text.append(text.empty() ? "" : "\n").append(differs);
    }
    if (compared == 0) throw wrong_use("the two pipelines have no table in common");
    return expectation(std::move(text));
  }

  const test_bench& bench() const { return bench_; }

 private:
  static program lowered(const Pipeline& pipeline) {
    result<program> made = lower(pipeline);
    if (!made) throw wrong_use("the pipeline cannot run: " + made.error().message + " (" + made.error().where + ")");
    return std::move(*made);
  }
  static void same_contract(const schema& wanted, const schema& given, const std::string& asset) {
    if (&wanted != &given)
      throw wrong_use("asset '" + asset + "' has rows of " + std::string(wanted.id) + ", not of " +
                      std::string(given.id));
  }
  template <class C>
  test_source& input_of(const std::string& asset) {
    test_source& found = bench_.input(asset);
    same_contract(found.contract(), schema_of<C>(), asset);
    return found;
  }
  template <class C>
  const test_sink& table_of(const std::string& asset) const {
    const test_sink& found = bench_.table(asset);
    same_contract(found.contract(), schema_of<C>(), asset);
    return found;
  }
  template <class C>
  static std::vector<C> structs_of(const block& from) {
    std::vector<C> made;
    for (std::size_t row = 0; row < from.rows; ++row) made.push_back(row_at<C>(from, row));
    return made;
  }
  template <class Entry>
  const Entry* entry_of(const std::vector<Entry>& entries, const std::string& node) const {
    for (const Entry& each : entries)
      if (each.node == node) return &each;
    return nullptr;
  }
  const program_node& node_of(const std::string& name, std::string_view kind) const {
    if (const program_node* found = bench_.what().find(name)) return *found;
    std::vector<std::string> known;
    for (const program_node& each : bench_.what().nodes) known.push_back(each.name);
    throw wrong_use(detail::no_such(kind, name, known));
  }

  test_bench bench_;
};

template <class Pipeline>
expectation pipeline_test<Pipeline>::expect_quarantine(const std::string& asset,
                                                       const std::vector<rejection>& expected) const {
  const test_sink& table = bench_.table(asset);
  const block found = table.table();
  const auto column_of = [&](std::string_view name) -> const column& {
    for (const column& each : found.columns)
      if (each.field->name == name) return each;
    throw wrong_use("asset '" + asset + "' has rows of " + std::string(table.contract().id) +
                    ", which are no rejected rows");
  };
  const column &field = column_of("field"), &reason = column_of("reason"), &payload = column_of("payload");
  std::string text;
  if (found.rows != expected.size())
    text = "quarantine " + asset + ": expected " + std::to_string(expected.size()) + " rows, found " +
           std::to_string(found.rows);
  for (std::size_t row = 0; row < std::max(found.rows, expected.size()); ++row) {
    const std::string place = "quarantine " + asset + ", row " + std::to_string(row);
    const auto shown = [](std::string_view a, std::string_view b) { return std::string(a) + "=" + std::string(b); };
    if (row >= found.rows)
      text += "\n  missing: " + shown(expected[row].field, expected[row].reason);
    else if (row >= expected.size())
      text += "\n  not expected: " + shown(field.text_at(row), reason.text_at(row)) + " " +
              std::string(payload.text_at(row));
    else {
      detail::compare(text, place, shown(expected[row].field, expected[row].reason),
                      shown(field.text_at(row), reason.text_at(row)));
      if (expected[row].payload)
        detail::compare(text, place + ", payload", *expected[row].payload, std::string(payload.text_at(row)));
    }
  }
  return expectation(std::move(text));
}

template <class Pipeline>
expectation pipeline_test<Pipeline>::expect_counts(const std::string& node, const row_counts& expected) const {
  const program_node& meant = node_of(node, "node");
  row_counts found;
  if (const auto* extract = entry_of(totals().extracts, node))
    found = {.read = extract->read, .valid = extract->valid, .invalid = extract->invalid};
  else if (const auto* step = entry_of(totals().steps, node))
    found = {.invalid = step->counts.invalid,
             .received = step->counts.received,
             .filtered = step->counts.filtered,
             .late = step->counts.late,
             .duplicate = step->counts.duplicate,
             .kept = step->counts.kept,
             .rejected_results = step->counts.rejected_results};
  else if (meant.kind == node_kind::load)
    throw wrong_use("'" + node + "' is a load; expect_table says what it has");
  else
    return expectation("no batch has been committed, so '" + node + "' has counted nothing");
  std::string text;
  const auto look = [&](const char* name, const std::optional<std::int64_t>& wanted,
                        const std::optional<std::int64_t>& counted) {
    if (!wanted) return;
    if (!counted)
      throw wrong_use("'" + node + "' is " + (meant.kind == node_kind::extract ? "an extract" : "a step") +
                      " and does not count rows that are " + name);
    detail::compare(text, node + ", " + name, *wanted, *counted);
  };
  look("read", expected.read, found.read);
  look("valid", expected.valid, found.valid);
  look("invalid", expected.invalid, found.invalid);
  look("received", expected.received, found.received);
  look("filtered", expected.filtered, found.filtered);
  look("late", expected.late, found.late);
  look("duplicate", expected.duplicate, found.duplicate);
  look("kept", expected.kept, found.kept);
  look("rejected results", expected.rejected_results, found.rejected_results);
  return expectation(std::move(text));
}

template <class Pipeline>
expectation pipeline_test<Pipeline>::expect_state(const std::string& step, const state_size& expected) const {
  if (node_of(step, "step").kind != node_kind::step) throw wrong_use("'" + step + "' is no step and has no state");
  state_metrics found;
  if (const auto* counted = entry_of(totals().steps, step)) found = counted->state;
  std::string text;
  if (expected.windows) detail::compare(text, step + ", windows in state", *expected.windows, found.windows);
  if (expected.groups) detail::compare(text, step + ", groups in state", *expected.groups, found.groups);
  if (expected.most_bytes && found.bytes > *expected.most_bytes)
    detail::compare(text, step + ", bytes of state at most", *expected.most_bytes, found.bytes);
  return expectation(std::move(text));
}

}  // namespace etlantic::test_kit
