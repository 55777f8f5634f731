#pragma once
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/delete_flag.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/log_upkeep.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/schema_evolution.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/sink_settings.hpp>
#include <etlantic/connect/delta/transaction.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/core/json_writer.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// How often a commit or a merge is tried again when others are faster.
inline constexpr int most_commit_attempts = 100;
inline constexpr int most_merge_attempts = 10;

class table_sink final : public sink {
 public:
  explicit table_sink(sink_settings settings)
      : settings_(std::move(settings)), store_(settings_.path), upkeep_(settings_.checkpoint_interval) {}
  ~table_sink() override { abort(); }

  result<std::optional<std::int64_t>> published(const publisher& who) override;
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override;
  result<void> prepare(const publication& what) override;
  result<void> commit(std::int64_t batch) override;
  void abort() override;
  std::string describe() const override { return "delta " + settings_.path; }

 private:
  /// A batch whose files are written and that no commit names yet.
  struct prepared_batch {
    std::int64_t batch = 0;
    output_mode mode = output_mode::append;
    std::vector<block> rows;  // as the table has them; kept of a merge, which may have to be done again
    std::vector<std::vector<bool>> deletes{};  // of each block, if rows can say that their key is to be gone
    commit_content content;
    pending_write depends;
    std::vector<std::string> written;
  };

  /// Whoever writes the table knows its batches by this name in the log.
  static std::string application_of(const publisher& who) { return "etlantic/" + who.query + '/' + who.node; }

  result<void> create_table();
  result<void> check_table();
  result<void> take_layout(const table_metadata& table);
  failure misfit(const std::vector<std::string>& differences) const;
  result<void> find_key();
  result<void> check_partition() const;
  write_intent intent() const {
    return key_names_.empty() && mode_ != output_mode::complete ? write_intent::add_rows : write_intent::change_rows;
  }
  bool merges(output_mode mode) const { return !key_.empty() && mode != output_mode::complete; }
  result<void> convert(const publication& what, prepared_batch& batch) const;
  result<void> write_files(prepared_batch& batch, std::span<const block> rows);
  result<void> catch_up();
  result<commit_outcome> try_commit(const prepared_batch& batch);
  failure overtaken(conflict why, const std::string& by) const;
  void forget_files(std::vector<std::string>& written);
  commit_description description_of(const prepared_batch& batch, std::string id) const;

  sink_settings settings_;
  folder_store store_;
  table_state table_;
  delete_flag flag_;
  schema contract_;                        // without the flag
  table_layout layout_;                    // with what the next batch changes of the schema
  std::string schema_;                     // of the table, for which the layout was made
  std::optional<table_metadata> evolved_;  // what the next batch with rows makes of the table
  std::string table_id_;
  std::string application_;
  std::vector<std::string> key_names_;
  std::vector<std::size_t> key_;  // columns of the table
  std::vector<bool> given_;       // columns of the table that the contract has
  output_mode mode_ = output_mode::append;
  log_upkeep upkeep_;
  std::optional<prepared_batch> prepared_;
};

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
  if (auto found = find_key(); !found) return found;
  auto table = load_table(store_);
  if (!table) return table.error();
  table_ = std::move(*table);
  if (!table_.exists())
    if (auto created = create_table(); !created) return created;
  if (auto checked = check_table(); !checked) return checked;
  return upkeep_.open(store_);
}

inline result<void> table_sink::find_key() {
  std::vector<const field_description*> keys;
  for (const field_description& each : contract_.fields)
    if (each.key_position >= 0) keys.push_back(&each);
  std::sort(keys.begin(), keys.end(), [](const auto* a, const auto* b) { return a->key_position < b->key_position; });
  key_names_.clear();
  const auto wrong = [&](const std::string& message, const std::string& help) {
    return failure{failure_class::configuration, "PMSTREAM430", message, describe(), help};
  };
  if (settings_.mode == write_mode::merge && keys.empty())
    return wrong("mode merge needs a contract with a primary key",
                 "declare the primary key in the contract, or use mode append");
  if (flag_.is_used() && (keys.empty() || settings_.mode == write_mode::append || mode_ == output_mode::complete))
    return wrong("delete_when needs rows that are merged by a primary key",
                 "declare the primary key in the contract and merge by it, or leave delete_when out");
  if (settings_.mode == write_mode::append) return {};
  for (const field_description* each : keys) {
    const std::string name(each->data_name);
    if (each->nullable)
      return unusable_contract("the key field `" + name + "` can be null, and null equals nothing", describe(),
                               "make it required, or use mode append");
    if (each->type == logical_type::structure || each->type == logical_type::list)
      return unusable_contract("the key field `" + name + "` is a " + std::string(name_of(each->type)), describe(),
                               "use other fields as the key, or mode append");
    key_names_.push_back(name);
  }
  return {};
}

inline result<void> table_sink::create_table() {
  auto columns = schema_of_contract(contract_, describe());
  if (!columns) return columns.error();
  auto id = make_uuid(), commit_id = make_uuid();
  if (!id || !commit_id) return id ? commit_id.error() : id.error();
  commit_content content;
  content.protocol = table_protocol{};
  content.metadata = table_metadata{};
  table_metadata& made = *content.metadata;
  made.id = *id;
  made.schema = schema_text((*columns)->described.fields);
  made.partition_columns = settings_.partition_by;
  // The default may differ from engine to engine, and a blind append must not slip past a merge.
  made.configuration["delta.isolationLevel"] = "Serializable";
  if (settings_.checkpoint_interval)
    made.configuration["delta.checkpointInterval"] = std::to_string(*settings_.checkpoint_interval);
  std::string key;
  for (const std::string& each : key_names_) key += (key.empty() ? "" : ",") + each;
  if (!key.empty()) made.configuration["etlantic.primaryKey"] = key;
  made.created = milliseconds_now();
  if (auto fits = take_layout(made); !fits) return fits;
  if (auto fits = check_partition(); !fits) return fits;
  if (auto folders = store_.make_folders(); !folders) return folders;
  const std::string text = write_commit({"CREATE TABLE", {}, {}, false, *commit_id, *made.created}, content);
  auto put = store_.put_if_absent(commit_name(0), text);
  // Whoever created it, we or another, what is there now counts; an outcome that is unknown shows there too.
  auto table = load_table(store_);
  if (!table) return table.error();
  if (!table->exists() && !put) return put.error();
  if (!put)
    if (auto synced = store_.sync("_delta_log"); !synced) return synced;
  table_ = std::move(*table);
  return {};
}

inline result<void> table_sink::take_layout(const table_metadata& table) {
  auto layout = layout_of(table, describe());
  if (!layout) return layout.error();
  layout_ = std::move(*layout);
  return {};
}

inline result<void> table_sink::check_partition() const {
  for (const std::size_t column : layout_.partition_indices)
    if (!can_partition(layout_.whole->described.fields[column]))
      return failure{failure_class::configuration, "PMSTREAM430",
                     "the table cannot be partitioned by `" +
                         std::string(layout_.whole->described.fields[column].name) + "`, which is " +
                         type_text(layout_.whole->described.fields[column]),
                     describe(), "partition it by numbers, texts, dates or times"};
  if (layout_.partition_indices.size() >= layout_.whole->described.fields.size())
    return failure{failure_class::configuration, "PMSTREAM430",
                   "the table would have no columns besides those it is partitioned by", describe(),
                   "partition it by fewer columns"};
  return {};
}

inline failure table_sink::misfit(const std::vector<std::string>& differences) const {
  std::string all;
  for (const std::string& each : differences) all += (all.empty() ? "" : "; ") + each;
  const auto could_be = [&](schema_evolution allowed) {
    table_metadata table = *table_.metadata;
    auto text = evolved_schema(table, contract_, allowed, describe());
    if (!text) return false;
    table.schema = *text;
    auto evolved = parse_schema(table, describe());
    return evolved && differences_for_writing(contract_, (*evolved)->described).empty();
  };
  if (could_be(schema_evolution::add_nullable_fields))
    return table_differs(all, describe(), "set schema_evolution: add_nullable_fields, or change the table");
  if (could_be(schema_evolution::widen))
    return table_differs(all, describe(), "set schema_evolution: widen, or change the table");
  if (settings_.evolution == schema_evolution::none) return table_differs(all, describe());
  return table_differs(all, describe(),
                       "schema_evolution adds optional fields, and widens byte to short and integer, and short to "
                       "integer only; change the table, or bind the asset to another one");
}

inline result<void> table_sink::check_table() {
  if (auto writable = check_writable(table_, intent(), describe()); !writable) return writable;
  if (auto columns = schema_of_contract(contract_, describe()); !columns) return columns.error();
  table_metadata table = *table_.metadata;
  table_id_ = table.id;
  schema_ = table.schema;
  auto evolved = evolved_schema(table, contract_, settings_.evolution, describe());
  if (!evolved) return evolved.error();
  const bool changes = *evolved != table.schema;
  table.schema = std::move(*evolved);
  if (auto taken = take_layout(table); !taken) return taken;
  evolved_ = changes ? std::optional(std::move(table)) : std::nullopt;
  if (auto fits = check_partition(); !fits) return fits;
  std::vector<std::string> found = differences_for_writing(contract_, layout_.whole->described);
  if (!settings_.partition_by.empty() &&
      !std::equal(settings_.partition_by.begin(), settings_.partition_by.end(), layout_.partition_columns.begin(),
                  layout_.partition_columns.end(), is_same_column))
    found.push_back("it is not partitioned by the columns of partition_by");
  if (!found.empty()) return misfit(found);
  const auto columns = layout_.whole->described.fields;
  key_.clear();
  for (const std::string& name : key_names_)
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_same_column(columns[i].name, name)) key_.push_back(i);
  given_.assign(columns.size(), false);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const field_description& each : contract_.fields)
      if (is_same_column(columns[i].name, each.data_name)) given_[i] = true;
  return {};
}

/// The newest version; the table must still be the one that was opened.
inline result<void> table_sink::catch_up() {
  if (auto done = refresh(store_, table_); !done) return done;
  if (!table_.exists()) return table_differs("it is gone", describe());
  if (!table_.metadata || table_.metadata->id != table_id_)
    return table_differs("another table has taken its place", describe());
  // Columns that others have added since then must not be lost when rows are written again.
  if (table_.metadata->schema != schema_) return check_table();
  return check_writable(table_, intent(), describe());
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
  if (count > 0) batch.content.metadata = evolved_;
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
