#pragma once
#include <etlantic/connect/sqlite/failure.hpp>
#include <etlantic/connect/sqlite/gathered_log.hpp>
#include <etlantic/connect/sqlite/statement.hpp>
#include <etlantic/core/result.hpp>

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

namespace etlantic::sqlite {

struct database_settings {
  std::string path;
  int busy_timeout_ms = 5000;
  std::int64_t max_pages = 0;  ///< 0: no limit of our own
  std::int64_t cache_mib = 0;  ///< 0: default_cache_mib
};

/// So that a merge into a large table finds the inner pages in memory.
inline constexpr std::int64_t default_cache_mib = 64;

/// One connection to a database file with at most one transaction, shared by the sinks of one query: they commit
/// together or not at all. Each query has a connection of its own, so that one waits for the other (busy timeout)
/// instead of being committed by it.
class database {
 public:
  /// Held by whoever calls one of the functions below; the connection itself does not lock.
  std::mutex mutex;

  ~database() {
    roll_back();
    // The last connection to a file checkpoints and removes its WAL: one file remains.
    sqlite3_close(connection_);
  }
  database(const database&) = delete;
  database& operator=(const database&) = delete;

  /// The connection that the sinks of this query use for this file.
  static result<std::shared_ptr<database>> share(const database_settings& settings, const std::string& query);

  sqlite3* connection() const { return connection_; }
  const std::string& path() const { return path_; }

  /// Makes commits durable. Not part of opening, because the journal mode is written into the file, and a file that is
  /// refused must stay as it is.
  result<void> make_writable();

  /// Number of the transaction that is open, or 0.
  std::uint64_t transaction() const { return open_; }
  bool has_committed(std::uint64_t transaction) const { return transaction == committed_; }

  result<void> begin() {
    // IMMEDIATE takes the write lock now: a writer that starts as a reader can find itself unable to go on.
    if (auto begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
    open_ = ++started_;
    return {};
  }

  result<void> commit() {
    auto done = execute("COMMIT");
    if (!done) {
      roll_back();
      return done;
    }
    committed_ = std::exchange(open_, 0);
    return {};
  }

  void roll_back() {
    // SQLite rolls back by itself after some failures (a full disk); a second ROLLBACK would be an error.
    if (connection_ != nullptr && sqlite3_get_autocommit(connection_) == 0) (void)execute("ROLLBACK");
    open_ = 0;
  }

  result<void> execute(const std::string& sql) {
    if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      return failure_of(connection_, path_);
    return {};
  }

  result<statement> prepare(std::string_view sql) { return statement::prepare(connection_, sql, path_); }

 private:
  database(sqlite3* connection, std::string path) : connection_(connection), path_(std::move(path)) {}

  static result<std::shared_ptr<database>> open(const std::string& path);
  result<void> apply(const database_settings& settings);
  result<void> set_cache(std::int64_t mib);

  sqlite3* connection_ = nullptr;
  std::string path_;
  bool writable_ = false;
  std::int64_t cache_mib_ = 0;  // the greatest that somebody asked for
  std::uint64_t started_ = 0;
  std::uint64_t open_ = 0;
  std::uint64_t committed_ = 0;
};

inline result<std::shared_ptr<database>> database::open(const std::string& path) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, layer_with_gathered_log());
  std::shared_ptr<database> opened(new database(connection, path));
  if (code != SQLITE_OK) return failure_of(connection, path);
  // A file that may only be read is opened all the same.
  if (sqlite3_db_readonly(connection, "main") == 1) return failure_of(SQLITE_READONLY, "it may only be read", path);
  return opened;
}

inline result<void> database::apply(const database_settings& settings) {
  sqlite3_busy_timeout(connection_, settings.busy_timeout_ms);
  if (settings.cache_mib > cache_mib_) {
    if (auto done = set_cache(settings.cache_mib); !done) return done;
    cache_mib_ = settings.cache_mib;
  }
  if (settings.max_pages <= 0) return {};
  return execute("PRAGMA max_page_count=" + std::to_string(settings.max_pages));
}

inline result<void> database::set_cache(std::int64_t mib) {
  return execute("PRAGMA cache_size=-" + std::to_string(mib * 1024));
}

inline result<std::shared_ptr<database>> database::share(const database_settings& settings, const std::string& query) {
  static std::mutex guard;
  static std::map<std::pair<std::string, std::string>, std::weak_ptr<database>> known;

  const std::filesystem::path given(settings.path);
  std::error_code ignored;  // what cannot be created or resolved cannot be opened either, and that is reported
  if (given.has_parent_path()) std::filesystem::create_directories(given.parent_path(), ignored);
  // Made absolute first: a relative path of a file that is not there yet would stay relative and count as another one.
  std::filesystem::path resolved =
      std::filesystem::weakly_canonical(std::filesystem::absolute(given, ignored), ignored);
  if (ignored || resolved.empty()) resolved = given;

  const std::lock_guard lock(guard);
  std::erase_if(known, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<database>& slot = known[{resolved.string(), query}];
  std::shared_ptr<database> shared = slot.lock();
  if (shared == nullptr) {
    auto opened = open(resolved.string());
    if (!opened) return opened;
    shared = *opened;
  }
  const std::lock_guard use(shared->mutex);
  if (auto applied = shared->apply(settings); !applied) return applied.error();
  slot = shared;
  return shared;
}

inline result<void> database::make_writable() {
  if (writable_) return {};
  // WAL: readers see the last batch while the next one is written. FULL syncs the log at every commit; with NORMAL a
  // power failure could lose a batch that the checkpoint takes for published, and the gathered log needs it.
  if (auto done = execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"); !done) return done;
  if (cache_mib_ == 0)
    if (auto done = set_cache(default_cache_mib); !done) return done;
  // The log is copied into the database every 32 MB instead of every 4 MB: pages that many batches change are copied
  // once.
  if (auto done = execute("PRAGMA wal_autocheckpoint=8192"); !done) return done;
  writable_ = true;
  return {};
}

}  // namespace etlantic::sqlite
