#pragma once
#include <sqlite3.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace etlantic::sqlite {

/// Name of a SQLite file layer that gathers what goes into the write-ahead log: SQLite writes a log page by page in
/// two calls each, and here a commit is a few large ones. Everything else is the layer that SQLite has by default.
/// Null where it cannot be had, which is SQLite's word for its default.
///
/// Only for connections with synchronous=FULL: what is gathered is written at the latest when SQLite syncs the log,
/// and with FULL it does so before it tells other connections of the commit.
const char* layer_with_gathered_log();

namespace detail {

// SQLite never writes more than 128 KiB at once, and its layer for Unix cannot.
inline constexpr int gathered_bytes = 124 * 1024;

inline sqlite3_vfs* layer_below(sqlite3_vfs* layer) { return static_cast<sqlite3_vfs*>(layer->pAppData); }

/// Hands a call of the layer on to the one below.
template <auto Call>
struct to_layer_below;
template <class Result, class... Arguments, Result (*sqlite3_vfs::*Call)(sqlite3_vfs*, Arguments...)>
struct to_layer_below<Call> {
  static Result call(sqlite3_vfs* layer, Arguments... arguments) {
    return (layer_below(layer)->*Call)(layer_below(layer), arguments...);
  }
};

/// The log of one connection. SQLite makes the room for it, zeroed, with the file of the layer below behind it.
struct gathered_log {
  sqlite3_file as_sqlite_sees_it;
  char* gathered;        // follow each other in the file
  sqlite3_int64 begins;  // where in the file
  int size;

  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  int write_gathered() {
    if (size == 0) return SQLITE_OK;
    const int code = below()->pMethods->xWrite(below(), gathered, size, begins);
    size = 0;
    return code;
  }

  int write(const void* bytes, int count, sqlite3_int64 place) {
    if (size != 0 && (place != begins + size || count > gathered_bytes - size))
      if (const int code = write_gathered(); code != SQLITE_OK) return code;
    if (count > gathered_bytes) return below()->pMethods->xWrite(below(), bytes, count, place);
    if (size == 0) begins = place;
    std::memcpy(gathered + size, bytes, static_cast<std::size_t>(count));
    size += count;
    return SQLITE_OK;
  }

  int close() {
    // What was not synced belongs to no commit.
    delete[] gathered;
    return below()->pMethods->xClose(below());
  }
};

inline gathered_log* log_of(sqlite3_file* file) { return reinterpret_cast<gathered_log*>(file); }

/// Hands a call of the file on to the layer below, which has everything that was written.
template <auto Call>
struct to_file_below;
template <class... Arguments, int (*sqlite3_io_methods::*Call)(sqlite3_file*, Arguments...)>
struct to_file_below<Call> {
  static int call(sqlite3_file* file, Arguments... arguments) {
    gathered_log& log = *log_of(file);
    if (const int code = log.write_gathered(); code != SQLITE_OK) return code;
    return (log.below()->pMethods->*Call)(log.below(), arguments...);
  }
};

/// Of version 1: a log is neither shared memory nor mapped.
inline const sqlite3_io_methods* methods_of_gathered_log() {
  static const sqlite3_io_methods methods = [] {
    sqlite3_io_methods made{};
    made.iVersion = 1;
    made.xClose = [](sqlite3_file* file) { return log_of(file)->close(); };
    made.xWrite = [](sqlite3_file* file, const void* bytes, int count, sqlite3_int64 place) {
      return log_of(file)->write(bytes, count, place);
    };
    made.xRead = to_file_below<&sqlite3_io_methods::xRead>::call;
    made.xTruncate = to_file_below<&sqlite3_io_methods::xTruncate>::call;
    made.xSync = to_file_below<&sqlite3_io_methods::xSync>::call;
    made.xFileSize = to_file_below<&sqlite3_io_methods::xFileSize>::call;
    made.xLock = to_file_below<&sqlite3_io_methods::xLock>::call;
    made.xUnlock = to_file_below<&sqlite3_io_methods::xUnlock>::call;
    made.xCheckReservedLock = to_file_below<&sqlite3_io_methods::xCheckReservedLock>::call;
    made.xFileControl = to_file_below<&sqlite3_io_methods::xFileControl>::call;
    // These two answer with numbers, not with codes, and look at nothing that was written.
    made.xSectorSize = [](sqlite3_file* file) {
      sqlite3_file* below = log_of(file)->below();
      return below->pMethods->xSectorSize(below);
    };
    made.xDeviceCharacteristics = [](sqlite3_file* file) {
      sqlite3_file* below = log_of(file)->below();
      return below->pMethods->xDeviceCharacteristics(below);
    };
    return made;
  }();
  return &methods;
}

inline int open_with_gathered_log(sqlite3_vfs* layer, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  sqlite3_vfs* below = layer_below(layer);
  if ((flags & SQLITE_OPEN_WAL) == 0) return below->xOpen(below, name, file, flags, flags_out);
  gathered_log& log = *log_of(file);
  log = {};
  std::unique_ptr<char[]> room(new (std::nothrow) char[gathered_bytes]);
  if (room == nullptr) return SQLITE_NOMEM;
  const int code = below->xOpen(below, name, log.below(), flags, flags_out);
  if (code != SQLITE_OK) {
    // A file that could not be opened may have to be closed all the same; SQLite does not close ours.
    if (log.below()->pMethods != nullptr) log.below()->pMethods->xClose(log.below());
    return code;
  }
  log.gathered = room.release();
  log.as_sqlite_sees_it.pMethods = methods_of_gathered_log();
  return SQLITE_OK;
}

}  // namespace detail

namespace detail {

inline sqlite3_vfs layer_above(sqlite3_vfs& below) {
  sqlite3_vfs made{};
  made.iVersion = below.iVersion < 3 ? below.iVersion : 3;
  made.szOsFile = static_cast<int>(sizeof(gathered_log)) + below.szOsFile;
  made.mxPathname = below.mxPathname;
  made.zName = "etlantic-gathered-log";
  made.pAppData = &below;
  made.xOpen = open_with_gathered_log;
  made.xDelete = to_layer_below<&sqlite3_vfs::xDelete>::call;
  made.xAccess = to_layer_below<&sqlite3_vfs::xAccess>::call;
  made.xFullPathname = to_layer_below<&sqlite3_vfs::xFullPathname>::call;
  made.xDlOpen = to_layer_below<&sqlite3_vfs::xDlOpen>::call;
  made.xDlError = to_layer_below<&sqlite3_vfs::xDlError>::call;
  made.xDlSym = to_layer_below<&sqlite3_vfs::xDlSym>::call;
  made.xDlClose = to_layer_below<&sqlite3_vfs::xDlClose>::call;
  made.xRandomness = to_layer_below<&sqlite3_vfs::xRandomness>::call;
  made.xSleep = to_layer_below<&sqlite3_vfs::xSleep>::call;
  made.xCurrentTime = to_layer_below<&sqlite3_vfs::xCurrentTime>::call;
  made.xGetLastError = to_layer_below<&sqlite3_vfs::xGetLastError>::call;
  if (below.iVersion >= 2) made.xCurrentTimeInt64 = to_layer_below<&sqlite3_vfs::xCurrentTimeInt64>::call;
  if (below.iVersion >= 3) {
    made.xSetSystemCall = to_layer_below<&sqlite3_vfs::xSetSystemCall>::call;
    made.xGetSystemCall = to_layer_below<&sqlite3_vfs::xGetSystemCall>::call;
    made.xNextSystemCall = to_layer_below<&sqlite3_vfs::xNextSystemCall>::call;
  }
  return made;
}

}  // namespace detail

inline const char* layer_with_gathered_log() {
  static const char* name = []() -> const char* {
    sqlite3_vfs* below = sqlite3_vfs_find(nullptr);
    if (below == nullptr) return nullptr;
    static sqlite3_vfs layer = detail::layer_above(*below);
    return sqlite3_vfs_register(&layer, 0) == SQLITE_OK ? layer.zName : nullptr;
  }();
  return name;
}

}  // namespace etlantic::sqlite
