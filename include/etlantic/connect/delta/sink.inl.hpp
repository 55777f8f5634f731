#pragma once
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/sink_table.inl.hpp>
#include <etlantic/connect/delta/table_sink.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/core/json_writer.hpp>
#include <etlantic/runtime/connector.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace etlantic::delta {

inline result<std::optional<std::int64_t>> table_sink::published(const publisher& who) {
  auto table = load_table(store_);
  if (!table) return table.error();
  if (!table->exists()) return std::optional<std::int64_t>(nothing_published);
  if (auto readable = check_readable(*table, describe()); !readable) return readable.error();
  return std::optional<std::int64_t>(table->newest_of(application_of(who)));
}

inline result<void> table_sink::open(const schema& contract, output_mode mode, const publisher& who) {
  abort();
  application_ = application_of(who);
  mode_ = mode;
  flag_ = {};
  if (!settings_.delete_when.empty())
    if (auto taken = flag_.take(settings_.delete_when, contract, describe()); !taken) return taken;
  contract_ = flag_.without(contract);
  met_ = check_constraints_of(contract_);
  if (auto found = find_key(); !found) return found;
  auto table = load_table(store_);
  if (!table) return table.error();
  table_ = std::move(*table);
  if (!table_.exists())
    if (auto created = create_table(); !created) return created;
  if (auto checked = check_table(); !checked) return checked;
  return upkeep_.open(store_);
}

/// The newest version; the table must still be the one that was opened.
inline result<void> table_sink::catch_up() {
  if (auto done = refresh(store_, table_); !done) return done;
  if (!table_.exists()) return table_differs("it is gone", describe());
  if (!table_.metadata || table_.metadata->id != table_id_)
    return table_differs("another table has taken its place", describe());
  // Columns that others have added since then must not be lost when rows are written again.
  if (table_.metadata->schema != schema_ || table_.metadata->partition_columns != layout_.partition_columns)
    return check_table();
  return check_writable(table_, intent(), describe(), met_);
}

inline result<void> table_sink::write_files(prepared_batch& batch, std::span<const block> rows) {
  forget_files(batch.written);
  batch.content = {};
  batch.depends = {write_kind::blind_append, application_, {}};
  const file_settings settings{
      settings_.codec,
      static_cast<std::size_t>(settings_.rows_per_file.value_or(merges(batch.mode) ? 100'000 : 1'000'000))};
  std::vector<add_file> replaced;
  std::size_t count = 0;
  for (const block& each : rows) count += each.rows;
  if (merges(batch.mode) && count > 0) {
    auto merged = merge_rows(store_, layout_, table_, {rows, batch.deletes, key_, given_}, settings, batch.written);
    if (!merged) return merged.error();
    batch.depends.kind = write_kind::merge;
    batch.content.added = std::move(merged->added);
    replaced = std::move(merged->replaced);
  } else {
    file_writer writer(store_, layout_, settings);
    result<void> done = writer.append(rows);
    if (done) done = writer.finish();
    for (const add_file& each : writer.files()) batch.written.push_back(each.path);
    if (!done) return done;
    batch.content.added = std::move(writer.files());
    if (batch.mode == output_mode::complete) {
      batch.depends.kind = write_kind::overwrite;
      for (const auto& [identity, file] : table_.files) replaced.push_back(file);
    }
  }
  const std::int64_t now = milliseconds_now();
  for (const add_file& each : replaced) {
    batch.depends.files_read.insert(identity_of(each.path, each.deleted));
    batch.content.removed.push_back({each.path, now, true, each.partition, each.size, each.deleted});
  }
  batch.content.transactions.push_back({application_, batch.batch, now});
  if (count > 0 && evolved_) {
    batch.content.metadata = table_.metadata;
    batch.content.metadata->schema = *evolved_;
  }
  return {};
}

inline result<void> table_sink::convert(const publication& what, prepared_batch& batch) const {
  for (const block& each : what.blocks) {
    auto made = converted(each, layout_.whole->described);
    if (!made) {
      made.error().where = describe();
      return made.error();
    }
    batch.rows.push_back(std::move(*made));
    if (flag_.is_used()) batch.deletes.push_back(flag_.rows_of(each));
  }
  return {};
}

inline result<void> table_sink::prepare(const publication& what) {
  abort();
  if (auto done = catch_up(); !done) return done;
  if (table_.newest_of(application_) >= what.batch)
    return store_.sync("_delta_log");  // the commit may not be durable yet
  prepared_batch batch{what.batch, what.mode, {}, {}, {}, {}, {}};
  // Rows of a merge are kept, because it may have to be done again.
  const bool as_they_are =
      !merges(what.mode) && std::all_of(what.blocks.begin(), what.blocks.end(), [&](const block& each) {
        return has_layout_of(each, layout_.whole->described);
      });
  if (!as_they_are)
    if (auto done = convert(what, batch); !done) return done;
  result<void> done = write_files(batch, as_they_are ? std::span<const block>(what.blocks) : batch.rows);
  if (!done) {
    forget_files(batch.written);
    return done;
  }
  if (!merges(batch.mode)) batch.rows.clear();  // an append is not done again
  prepared_ = std::move(batch);
  return {};
}

inline commit_description table_sink::description_of(const prepared_batch& batch, std::string id) const {
  commit_description made{
      "WRITE", {}, table_.version, batch.depends.kind == write_kind::blind_append, std::move(id), milliseconds_now()};
  if (batch.depends.kind == write_kind::merge) {
    made.operation = "MERGE";
    std::string predicate;
    for (const std::string& each : key_names_)
      predicate += (predicate.empty() ? "target." : " AND target.") + each + " = source." + each;
    json_writer text;
    text.value(predicate);
    made.parameters["predicate"] = text.text();
  } else {
    made.parameters["mode"] = batch.depends.kind == write_kind::overwrite ? "Overwrite" : "Append";
  }
  return made;
}

inline result<commit_outcome> table_sink::try_commit(const prepared_batch& batch) {
  auto id = make_uuid();
  if (!id) return id.error();
  return delta::commit(store_, table_, description_of(batch, *id), batch.content, batch.depends, most_commit_attempts);
}

inline failure table_sink::overtaken(conflict why, const std::string& by) const {
  return {failure_class::sink_conflict, "PMSTREAM447",
          "another writer has changed the table: " + std::string(name_of(why)) + " (" + by + "version " +
              std::to_string(table_.version) + ')',
          describe(), "start again: the table is looked at anew, and the batch is replayed if the table lacks it"};
}

inline result<void> table_sink::commit(std::int64_t batch) {
  if (!prepared_ || prepared_->batch != batch) {
    if (table_.newest_of(application_) >= batch) return {};
    return failure{failure_class::internal, "PMSTREAM438",
                   "batch " + std::to_string(batch) + " is to be committed and was not prepared", describe(), ""};
  }
  for (int attempt = 0; attempt < most_merge_attempts; ++attempt) {
    auto outcome = try_commit(*prepared_);
    if (!outcome) return outcome.error();
    if (outcome->in_the_way == conflict::none) {
      prepared_.reset();
      upkeep_.after_commit(store_, table_);
      return {};
    }
    const bool can_do_again =
        outcome->in_the_way == conflict::added_rows || outcome->in_the_way == conflict::removed_file;
    if (!can_do_again) return overtaken(outcome->in_the_way, outcome->winner + ", ");
    const std::string schema = schema_;
    if (auto done = catch_up(); !done) return done;
    if (schema_ != schema) return overtaken(conflict::metadata, "");  // the rows are as the table was
    if (auto done = write_files(*prepared_, prepared_->rows); !done) return done;
  }
  return failure{
      failure_class::connectivity, "PMSTREAM447",
      "other writers changed the table " + std::to_string(most_merge_attempts) + " times while the batch was merged",
      describe(), "start again; the batch will be replayed"};
}

/// Removes files that no commit names. Best effort: readers do not see them.
inline void table_sink::forget_files(std::vector<std::string>& written) {
  for (const std::string& each : written) (void)store_.remove(each);
  written.clear();
}

inline void table_sink::abort() {
  if (!prepared_) return;
  // Where the outcome of the commit is not known the files may be those of the table.
  if (refresh(store_, table_) && table_.newest_of(application_) < prepared_->batch) forget_files(prepared_->written);
  prepared_.reset();
}

}  // namespace etlantic::delta

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<sink>> make_delta_sink(const asset_binding& binding) {
  auto settings = delta::read_sink_settings(binding);
  if (!settings) return settings.error();
  return std::shared_ptr<sink>(std::make_shared<delta::table_sink>(std::move(*settings)));
}

}  // namespace etlantic
