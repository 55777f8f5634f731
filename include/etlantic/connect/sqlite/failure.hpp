#pragma once
#include <etlantic/core/result.hpp>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace etlantic::sqlite {

// PMSTREAM430 option, 431 table differs, 432 contract cannot be a table, 433 file cannot be used, 434 locked,
// 435 no room, 436 not a database or damaged, 437 rows refused, 438 batch not prepared, 439 anything else.

/// What SQLite's result code means for the one who runs the pipeline.
inline failure failure_of(int code, const std::string& said, const std::string& where) {
  using enum failure_class;
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {connectivity, "PMSTREAM434", "the database is locked by another program", where,
              "end the program that writes to it (an open sqlite3 shell, a backup), or raise busy_timeout_ms"};
    case SQLITE_FULL:
      return {resource_exhausted, "PMSTREAM435", "there is no room for the rows: " + said, where,
              "make room on the disk (or raise max_pages) and start again; the batch will be replayed"};
    case SQLITE_IOERR:
      return {resource_exhausted, "PMSTREAM435", "the disk refused to read or write: " + said, where,
              "check the disk and its free space, and start again; the batch will be replayed"};
    case SQLITE_NOMEM:
      return {resource_exhausted, "PMSTREAM435", "there is not enough memory", where, "use smaller batches"};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {configuration, "PMSTREAM433", "the database file cannot be written: " + said, where,
              "check that the path is right and that this user may write to the file and to its directory"};
    case SQLITE_NOTADB:
      return {sink_rejected, "PMSTREAM436", "the file is not a SQLite database", where,
              "name another path, or move the file away"};
    case SQLITE_CORRUPT:
      return {sink_rejected, "PMSTREAM436", "the database is damaged: " + said, where,
              "run PRAGMA integrity_check in a sqlite3 shell, and restore the file from a backup"};
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return {sink_rejected, "PMSTREAM437", "the database refused a row: " + said, where,
              "correct the data or the table; nothing of the batch was written"};
    default: return {internal, "PMSTREAM439", "SQLite failed: " + said, where, ""};
  }
}

/// Whether this user may write a file at a path. If so and SQLite cannot open it, then for want of room or handles, or
/// because of the disk; it does not keep the system's error.
inline bool may_be_written(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) == 0) return S_ISREG(found.st_mode) && ::access(path.c_str(), R_OK | W_OK) == 0;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return errno == ENOENT && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

inline failure failure_of(sqlite3* connection, const std::string& where) {
  int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(connection);
  if ((code & 0xff) == SQLITE_CANTOPEN && may_be_written(where)) code = SQLITE_IOERR;
  return failure_of(code, connection == nullptr ? "" : sqlite3_errmsg(connection), where);
}

}  // namespace etlantic::sqlite
