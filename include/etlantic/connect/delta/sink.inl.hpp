#pragma once
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/merge.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/table_options.hpp>
#include <etlantic/connect/delta/transaction.hpp>
#include <etlantic/connect/delta/unique_id.hpp>
#include <etlantic/core/json_writer.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::delta {

enum class write_mode : std::uint8_t { automatic, merge, append };

struct table_settings {
  std::string path;
  write_mode mode = write_mode::automatic;
  std::vector<std::string> partition_by{};
  std::optional<std::int64_t> checkpoint_interval{};
  std::optional<std::int64_t> rows_per_file{};
  std::string codec = "zstd";
};

/// How often a commit or a merge is tried again when others are faster.
inline constexpr int most_commit_attempts = 100;
inline constexpr int most_merge_attempts = 10;

class table_sink final : public sink {
 public:
  explicit table_sink(table_settings settings) : settings_(std::move(settings)), store_(settings_.path) {}
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
    commit_content content;
    pending_write depends;
    std::vector<std::string> written;
  };

  /// Whoever writes the table knows its batches by this name in the log.
  static std::string application_of(const publisher& who) { return "etlantic/" + who.query + '/' + who.node; }

  result<void> create_table(const schema& contract);
  result<void> check_table(const schema& contract);
  result<void> take_layout();
  result<void> find_key(const schema& contract);
  result<void> check_partition() const;
  bool merges(output_mode mode) const { return !key_.empty() && mode != output_mode::complete; }
  result<void> convert(const publication& what, std::vector<block>& rows) const;
  result<void> write_files(prepared_batch& batch, std::span<const block> rows);
  result<void> catch_up();
  result<commit_outcome> try_commit(const prepared_batch& batch);
  void write_checkpoint_if_due();
  result<void> write_checkpoint();
  void forget_files(std::vector<std::string>& written);
  commit_description description_of(const prepared_batch& batch, std::string id) const;

  table_settings settings_;
  folder_store store_;
  table_state table_;
  table_layout layout_;
  std::string table_id_;
  std::string application_;
  std::vector<std::string> key_names_;
  std::vector<std::size_t> key_;  // columns of the table
  std::vector<bool> given_;       // columns of the table that the contract has
  output_mode mode_ = output_mode::append;
  std::int64_t checkpointed_ = -1;
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
  if (auto found = find_key(contract); !found) return found;
  auto table = load_table(store_);
  if (!table) return table.error();
  table_ = std::move(*table);
  if (!table_.exists())
    if (auto created = create_table(contract); !created) return created;
  if (auto checked = check_table(contract); !checked) return checked;
  auto names = store_.list("_delta_log");
  if (!names) return names.error();
  const auto newest = log_listing(*names).newest_checkpoint(INT64_MAX);
  checkpointed_ = newest ? newest->version : -1;
  return {};
}

inline result<void> table_sink::find_key(const schema& contract) {
  std::vector<const field_description*> keys;
  for (const field_description& each : contract.fields)
    if (each.key_position >= 0) keys.push_back(&each);
  std::sort(keys.begin(), keys.end(), [](const auto* a, const auto* b) { return a->key_position < b->key_position; });
  key_names_.clear();
  if (settings_.mode == write_mode::merge && keys.empty())
    return failure{failure_class::configuration, "PMSTREAM430", "mode merge needs a contract with a primary key",
                   describe(), "declare the primary key in the contract, or use mode append"};
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

inline result<void> table_sink::create_table(const schema& contract) {
  auto columns = schema_of_contract(contract, describe());
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
  table_ = {};
  table_.metadata = made;
  if (auto fits = take_layout(); !fits) return fits;
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

inline result<void> table_sink::take_layout() {
  auto layout = layout_of(*table_.metadata, describe());
  if (!layout) return layout.error();
  layout_ = std::move(*layout);
  table_id_ = table_.metadata->id;
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

inline result<void> table_sink::check_table(const schema& contract) {
  if (auto writable = check_writable(table_, !key_names_.empty() || mode_ == output_mode::complete, describe());
      !writable)
    return writable;
  if (auto columns = schema_of_contract(contract, describe()); !columns) return columns.error();
  if (auto taken = take_layout(); !taken) return taken;
  if (auto fits = check_partition(); !fits) return fits;
  std::vector<std::string> found = differences_for_writing(contract, layout_.whole->described);
  if (!settings_.partition_by.empty() &&
      !std::equal(settings_.partition_by.begin(), settings_.partition_by.end(), layout_.partition_columns.begin(),
                  layout_.partition_columns.end(), is_same_column))
    found.push_back("it is not partitioned by the columns of partition_by");
  std::string all;
  for (const std::string& each : found) all += (all.empty() ? "" : "; ") + each;
  if (!all.empty()) return table_differs(all, describe());
  const auto columns = layout_.whole->described.fields;
  key_.clear();
  for (const std::string& name : key_names_)
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_same_column(columns[i].name, name)) key_.push_back(i);
  given_.assign(columns.size(), false);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const field_description& each : contract.fields)
      if (is_same_column(columns[i].name, each.data_name)) given_[i] = true;
  return {};
}

/// The newest version; the table must still be the one that was opened.
inline result<void> table_sink::catch_up() {
  if (auto done = refresh(store_, table_); !done) return done;
  if (!table_.exists()) return table_differs("it is gone", describe());
  if (!table_.metadata || table_.metadata->id != table_id_)
    return table_differs("another table has taken its place", describe());
  return check_writable(table_, !key_.empty() || mode_ == output_mode::complete, describe());
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
    auto merged = merge_rows(store_, layout_, table_, rows, key_, given_, settings, batch.written);
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
  return {};
}

inline result<void> table_sink::convert(const publication& what, std::vector<block>& rows) const {
  for (const block& each : what.blocks) {
    auto made = converted(each, layout_.whole->described);
    if (!made) {
      made.error().where = describe();
      return made.error();
    }
    rows.push_back(std::move(*made));
  }
  return {};
}

inline result<void> table_sink::prepare(const publication& what) {
  abort();
  if (auto done = catch_up(); !done) return done;
  if (table_.newest_of(application_) >= what.batch)
    return store_.sync("_delta_log");  // the commit may not be durable yet
  prepared_batch batch{what.batch, what.mode, {}, {}, {}, {}};
  // Rows of a merge are kept, because it may have to be done again.
  const bool as_they_are =
      !merges(what.mode) && std::all_of(what.blocks.begin(), what.blocks.end(), [&](const block& each) {
        return has_layout_of(each, layout_.whole->described);
      });
  if (!as_they_are)
    if (auto done = convert(what, batch.rows); !done) return done;
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
      write_checkpoint_if_due();
      return {};
    }
    const bool can_do_again =
        outcome->in_the_way == conflict::added_rows || outcome->in_the_way == conflict::removed_file;
    if (!can_do_again)
      return failure{failure_class::sink_conflict, "PMSTREAM447",
                     "another writer has changed the table: " + std::string(name_of(outcome->in_the_way)) + " (" +
                         outcome->winner + ", version " + std::to_string(table_.version) + ')',
                     describe(),
                     "start again: the table is looked at anew, and the batch is replayed if the table lacks it"};
    if (auto done = catch_up(); !done) return done;
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

/// A checkpoint only makes opening faster: one that fails is tried again after the next commit.
inline void table_sink::write_checkpoint_if_due() {
  std::int64_t interval = settings_.checkpoint_interval.value_or(10);
  const auto property = table_.metadata->configuration.find("delta.checkpointInterval");
  if (!settings_.checkpoint_interval && property != table_.metadata->configuration.end()) {
    const std::string& text = property->second;
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{} && number > 0)
      interval = number;
  }
  if (table_.version - std::max<std::int64_t>(checkpointed_, 0) < interval) return;
  if (write_checkpoint()) checkpointed_ = table_.version;
}

/// The commit of the same version stays where it is: some readers look for it.
inline result<void> table_sink::write_checkpoint() {
  auto checkpoint = encode_checkpoint(table_, milliseconds_now());
  if (!checkpoint) return checkpoint.error();
  if (auto done = store_.replace(checkpoint_name(table_.version), checkpoint->bytes); !done) return done;
  json_writer hint;
  hint.begin_object().member("version", table_.version).member("size", checkpoint->actions);
  hint.member("sizeInBytes", checkpoint->bytes.size()).member("numOfAddFiles", table_.files.size()).end_object();
  return store_.replace("_delta_log/_last_checkpoint", hint.text());
}

}  // namespace etlantic::delta

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<sink>> make_delta_sink(const asset_binding& binding) {
  delta::table_settings settings;
  auto path = delta::path_option(binding, "sink");
  if (!path) return path.error();
  settings.path = std::move(*path);
  const std::string mode = option_of(binding, "mode");
  if (mode == "merge")
    settings.mode = delta::write_mode::merge;
  else if (mode == "append")
    settings.mode = delta::write_mode::append;
  else if (!mode.empty() && mode != "auto")
    return delta::wrong_option("sink", "mode", mode, "auto, merge, append");
  settings.partition_by = delta::names_option(binding, "partition_by");
  constexpr std::int64_t most = 100'000'000;
  auto interval = delta::number_option(binding, "checkpoint_interval", most);
  if (!interval) return interval.error();
  settings.checkpoint_interval = *interval;
  auto rows = delta::number_option(binding, "rows_per_file", most);
  if (!rows) return rows.error();
  settings.rows_per_file = *rows;
  if (const std::string codec = option_of(binding, "compression"); !codec.empty()) settings.codec = codec;
  if (settings.codec != "zstd" && settings.codec != "snappy" && settings.codec != "none")
    return delta::wrong_option("sink", "compression", settings.codec, "zstd, snappy, none");
  return std::shared_ptr<sink>(std::make_shared<delta::table_sink>(std::move(settings)));
}

}  // namespace etlantic
