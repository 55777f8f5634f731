#pragma once
#include <etlantic/connect/sqlite/database.hpp>
#include <etlantic/connect/sqlite/row_writer.hpp>
#include <etlantic/connect/sqlite/row_writer.inl.hpp>
#include <etlantic/connect/sqlite/sink.hpp>
#include <etlantic/connect/sqlite/table.hpp>
#include <etlantic/connect/sqlite/table.inl.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/sink.hpp>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace etlantic::sqlite {

enum class write_mode : std::uint8_t { automatic, merge, append };

struct table_settings {
  database_settings file;
  std::string table;
  write_mode mode = write_mode::automatic;
};

class table_sink final : public sink {
 public:
  explicit table_sink(table_settings settings) : settings_(std::move(settings)) {}
  ~table_sink() override { abort(); }

  result<std::optional<std::int64_t>> published(const publisher& who) override;
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override;
  result<void> prepare(const publication& what) override;
  result<void> commit(std::int64_t batch) override;
  void abort() override;
  std::string describe() const override { return "sqlite " + settings_.file.path + ", table " + settings_.table; }

 private:
  struct prepared_batch {
    std::int64_t batch = 0;
    std::uint64_t transaction = 0;
  };

  result<void> attach(const publisher& who);
  result<bool> wants_key() const;
  result<void> create_tables(const table_plan& table);
  result<void> prepare_statements(const table_plan& table, insert_kind kind);
  result<void> prepare_reading();
  /// What the ledger, which is there, has of this publisher.
  result<std::int64_t> newest_in_ledger();
  result<void> write(const publication& what);
  result<void> write_ledger(std::int64_t batch);
  result<void> run(statement& what);
  bool takes_part() const { return prepared_ && prepared_->transaction == database_->transaction(); }

  table_settings settings_;
  std::vector<flat_field> fields_;
  publisher who_;
  // Before the statements, which must be finalized before the connection closes.
  std::shared_ptr<database> database_;
  row_writer rows_;
  statement delete_all_;
  statement read_ledger_;
  statement write_ledger_;
  std::optional<prepared_batch> prepared_;
};

inline table_plan ledger_plan() {
  return {"etlantic_ledger",
          {{"query", "TEXT", false, 0}, {"node", "TEXT", false, 1}, {"batch", "INTEGER", false, -1}}};
}

inline result<bool> table_sink::wants_key() const {
  bool has_key = false;
  for (const flat_field& each : fields_) has_key = has_key || each.key_position >= 0;
  if (settings_.mode == write_mode::merge && !has_key)
    return failure{failure_class::configuration, "PMSTREAM430", "mode merge needs a contract with a primary key",
                   describe(), "declare the primary key in the contract, or use mode append"};
  return has_key && settings_.mode != write_mode::append;
}

inline result<void> table_sink::attach(const publisher& who) {
  who_ = who;
  auto shared = database::share(settings_.file, who.query);
  if (!shared) return shared.error();
  database_ = *shared;
  const std::lock_guard lock(database_->mutex);
  // Nobody attaches within a batch: what is still open was left by one that nobody ended.
  database_->roll_back();
  return {};
}

inline result<std::optional<std::int64_t>> table_sink::published(const publisher& who) {
  constexpr std::optional<std::int64_t> nothing = nothing_published;
  std::error_code unknown;
  if (!std::filesystem::exists(settings_.file.path, unknown) && !unknown) return nothing;
  if (auto attached = attach(who); !attached) return attached.error();
  const std::lock_guard lock(database_->mutex);
  // A ledger says nothing about a table that is gone.
  auto table = detail::kind_of(*database_, settings_.table);
  if (!table) return table.error();
  auto has_ledger = table_exists_and_fits(*database_, ledger_plan());
  if (!has_ledger) return has_ledger.error();
  if (table->empty() || !*has_ledger) return nothing;
  if (auto ready = prepare_reading(); !ready) return ready.error();
  auto newest = newest_in_ledger();
  if (!newest) return newest.error();
  return std::optional<std::int64_t>(*newest);
}

inline result<void> table_sink::open(const schema& contract, output_mode mode, const publisher& who) {
  fields_ = flatten(contract);
  auto is_keyed = wants_key();
  if (!is_keyed) return is_keyed.error();
  auto table = plan_table(settings_.table, fields_, *is_keyed);
  if (!table) return table.error();
  if (auto attached = attach(who); !attached) return attached;
  const std::lock_guard lock(database_->mutex);
  if (auto created = create_tables(*table); !created) return created;
  // In a complete result two rows of one key are a mistake, which merging would hide.
  const bool merges = *is_keyed && mode != output_mode::complete;
  return prepare_statements(*table, merges ? insert_kind::merge : insert_kind::add);
}

inline result<void> table_sink::create_tables(const table_plan& table) {
  const table_plan ledger = ledger_plan();
  auto has_table = table_exists_and_fits(*database_, table);
  if (!has_table) return has_table.error();
  auto has_ledger = table_exists_and_fits(*database_, ledger);
  if (!has_ledger) return has_ledger.error();
  if (auto ready = database_->make_writable(); !ready) return ready;
  if (*has_table && *has_ledger) return {};
  if (auto begun = database_->begin(); !begun) return begun;
  for (const table_plan& plan : {table, ledger}) {
    // Looked at again under the write lock: another program may have created it in between.
    auto has = table_exists_and_fits(*database_, plan);
    result<void> done = has ? result<void>() : has.error();
    if (done && !*has) done = database_->execute(create_statement(plan));
    if (!done) {
      database_->roll_back();
      return done;
    }
  }
  return database_->commit();
}

inline result<void> table_sink::prepare_reading() {
  auto made = database_->prepare("SELECT batch FROM etlantic_ledger WHERE query = ?1 AND node = ?2");
  if (!made) return made.error();
  read_ledger_ = std::move(*made);
  return {};
}

inline result<void> table_sink::prepare_statements(const table_plan& table, insert_kind kind) {
  auto rows = row_writer::prepare(*database_, table, kind, fields_);
  if (!rows) return rows.error();
  rows_ = std::move(*rows);
  const std::pair<statement*, std::string> others[] = {
      {&delete_all_, "DELETE FROM " + sql_name(table.name)},
      {&write_ledger_,
       "INSERT INTO etlantic_ledger VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET batch = excluded.batch"},
  };
  for (const auto& [to, sql] : others) {
    auto made = database_->prepare(sql);
    if (!made) return made.error();
    *to = std::move(*made);
  }
  return prepare_reading();
}

inline result<void> table_sink::run(statement& what) {
  what.step();
  const int code = what.code();
  result<void> done;
  if (code != SQLITE_DONE) done = failure_of(database_->connection(), describe());
  what.reset();
  return done;
}

inline result<std::int64_t> table_sink::newest_in_ledger() {
  read_ledger_.bind(1, who_.query);
  read_ledger_.bind(2, who_.node);
  std::int64_t batch = nothing_published;
  if (read_ledger_.step())
    batch = read_ledger_.number(0);
  else if (read_ledger_.code() != SQLITE_DONE)
    return failure_of(database_->connection(), describe());
  read_ledger_.reset();
  return batch;
}

inline result<void> table_sink::write(const publication& what) {
  if (what.mode == output_mode::complete)
    if (auto done = run(delete_all_); !done) return done;
  if (auto done = rows_.write(what.blocks, describe()); !done) return done;
  return write_ledger(what.batch);
}

inline result<void> table_sink::write_ledger(std::int64_t batch) {
  write_ledger_.bind(1, who_.query);
  write_ledger_.bind(2, who_.node);
  write_ledger_.bind(3, batch);
  return run(write_ledger_);
}

inline result<void> table_sink::prepare(const publication& what) {
  const std::lock_guard lock(database_->mutex);
  // The batch is tried again without an abort: what there is of it must not count twice.
  if (takes_part()) database_->roll_back();
  prepared_.reset();
  const bool is_first = database_->transaction() == 0;
  if (is_first)
    if (auto begun = database_->begin(); !begun) return begun;
  auto newest = newest_in_ledger();
  if (newest && *newest >= what.batch) {
    if (is_first) database_->roll_back();
    return {};
  }
  result<void> written = newest ? write(what) : newest.error();
  if (!written) {
    database_->roll_back();
    return written;
  }
  prepared_ = prepared_batch{what.batch, database_->transaction()};
  return {};
}

inline result<void> table_sink::commit(std::int64_t batch) {
  const std::lock_guard lock(database_->mutex);
  if (!prepared_ || prepared_->batch != batch) {
    auto newest = newest_in_ledger();
    if (!newest) return newest.error();
    if (*newest >= batch) return {};
    return failure{failure_class::internal, "PMSTREAM438",
                   "batch " + std::to_string(batch) + " is to be committed and was not prepared", describe(), ""};
  }
  if (takes_part())
    if (auto done = database_->commit(); !done) return done;
  if (!database_->has_committed(prepared_->transaction))
    return failure{failure_class::internal, "PMSTREAM438",
                   "batch " + std::to_string(batch) + " was rolled back with the other sinks of its database",
                   describe(), "the batch will be replayed"};
  prepared_.reset();
  return {};
}

inline void table_sink::abort() {
  if (database_ == nullptr) return;
  const std::lock_guard lock(database_->mutex);
  if (takes_part()) database_->roll_back();
  prepared_.reset();
}

inline failure wrong_option(const std::string& name, const std::string& value, const std::string& valid) {
  return {failure_class::configuration, "PMSTREAM430",
          "option " + name + (value.empty() ? " is missing" : " of the sqlite sink is `" + value + "`"), "sqlite sink",
          "valid: " + valid};
}

/// A whole number between `least` and `most`, or `otherwise` if the option is not given.
inline result<std::int64_t> number_option(const asset_binding& binding, const std::string& name, std::int64_t otherwise,
                                          std::int64_t least, std::int64_t most) {
  if (!binding.options.contains(name)) return otherwise;
  const std::string value = option_of(binding, name);
  std::int64_t number = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
  if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || number < least || number > most)
    return wrong_option(name, value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

inline result<write_mode> mode_option(const asset_binding& binding) {
  const std::string mode = option_of(binding, "mode");
  if (mode.empty() || mode == "auto") return write_mode::automatic;
  if (mode == "merge") return write_mode::merge;
  if (mode == "append") return write_mode::append;
  return wrong_option("mode", mode, "auto, merge, append");
}

inline result<std::string> table_option(const asset_binding& binding) {
  const std::string table = option_of(binding, "table");
  const bool is_reserved = detail::in_upper_case(table).starts_with("SQLITE_") ||
                           detail::in_upper_case(table) == detail::in_upper_case(ledger_plan().name);
  if (table.empty() || is_reserved || table.find('\0') != std::string::npos)
    return wrong_option("table", table, "any name but etlantic_ledger and names that begin with sqlite_");
  return table;
}

}  // namespace etlantic::sqlite

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<sink>> make_sqlite_sink(const asset_binding& binding) {
  const std::string path = option_of(binding, "path");
  if (path.empty() || path.find('\0') != std::string::npos)
    return sqlite::wrong_option("path", path, "the path of a database file");
  auto table = sqlite::table_option(binding);
  if (!table) return table.error();
  auto mode = sqlite::mode_option(binding);
  if (!mode) return mode.error();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  auto timeout = sqlite::number_option(binding, "busy_timeout_ms", 5000, 0, most);
  if (!timeout) return timeout.error();
  auto cache = sqlite::number_option(binding, "cache_mib", sqlite::default_cache_mib, 1, 65'536);
  if (!cache) return cache.error();
  auto max_pages = sqlite::number_option(binding, "max_pages", 0, 0, most);
  if (!max_pages) return max_pages.error();
  return std::shared_ptr<sink>(std::make_shared<sqlite::table_sink>(
      sqlite::table_settings{{path, static_cast<int>(*timeout), *max_pages, *cache}, *table, *mode}));
}

}  // namespace etlantic
