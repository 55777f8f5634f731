// A library to preload into a program under test: counts the system calls by which files in a folder change, and lets
// one of them strike: the process dies there, or the call fails.
//
//   ETLANTIC_FAULT_FOLDER  calls on files below it count
//   ETLANTIC_FAULT_PORT    what is sent to this port counts too; it needs no room, and fails with ECONNRESET
//   ETLANTIC_FAULT_COUNT   a file of 16 bytes: how many calls there were, and which of them struck (0: none)
//   ETLANTIC_FAULT_AT      the number of the call that strikes, from 1; 0 or nothing: none
//   ETLANTIC_FAULT_KIND    kill   dies before the call
//                          done   dies after it
//                          torn   a write dies after half of its bytes, anything else after it
//                          error  the call fails with EIO
//                          short  a write takes half of its bytes, anything else fails with EIO
//                          full   from there on every call that needs room fails with ENOSPC

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

enum class fault { kill, done, torn, error, short_write, full };

struct counts {
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> struck;
};

struct plan {
  std::string folder;
  counts* shared = nullptr;
  unsigned long port = 0;
  std::uint64_t at = 0;
  fault kind = fault::kill;
};

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

fault fault_called(const char* name) {
  const char* names[] = {"kill", "done", "torn", "error", "short", "full"};
  for (int i = 0; i < 6; ++i)
    if (name != nullptr && std::strcmp(name, names[i]) == 0) return static_cast<fault>(i);
  return fault::kill;
}

plan read_plan() {
  plan made;
  const char* folder = std::getenv("ETLANTIC_FAULT_FOLDER");
  const char* count = std::getenv("ETLANTIC_FAULT_COUNT");
  if (folder == nullptr || count == nullptr) return made;
  const int file = real<int (*)(const char*, int, ...)>("open")(count, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || real<int (*)(int, off_t)>("ftruncate")(file, sizeof(counts)) != 0) std::abort();
  void* mapped = mmap(nullptr, sizeof(counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) std::abort();
  close(file);
  made.folder = folder;
  made.shared = static_cast<counts*>(mapped);
  if (const char* port = std::getenv("ETLANTIC_FAULT_PORT")) made.port = std::strtoul(port, nullptr, 10);
  if (const char* at = std::getenv("ETLANTIC_FAULT_AT")) made.at = std::strtoull(at, nullptr, 10);
  made.kind = fault_called(std::getenv("ETLANTIC_FAULT_KIND"));
  return made;
}

const plan& planned() {
  static const plan made = read_plan();
  return made;
}

bool is_inside(const char* path) {
  const std::string& folder = planned().folder;
  return planned().shared != nullptr && path != nullptr && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}
bool is_inside(int file) {
  if (planned().shared == nullptr) return false;
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = 0;
  return is_inside(path);
}
/// Of a path that may start from an open folder.
bool is_inside(int folder, const char* path) {
  return path != nullptr && path[0] == '/' ? is_inside(path) : folder != AT_FDCWD && is_inside(folder);
}

/// Of a socket that is connected to the port whose peer the test has.
bool leads_to_peer(int socket) {
  if (planned().shared == nullptr || planned().port == 0) return false;
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.ss_family != AF_INET) return false;
  return ntohs(reinterpret_cast<const sockaddr_in&>(peer).sin_port) == planned().port;
}

[[noreturn]] void die() {
  ::kill(getpid(), SIGKILL);
  for (;;) pause();
}

/// Whether the next call strikes.
bool strikes() {
  const plan& of = planned();
  const std::uint64_t number = of.shared->calls.fetch_add(1) + 1;
  if (of.at == 0 || number < of.at || (number > of.at && of.kind != fault::full)) return false;
  std::uint64_t none = 0;
  of.shared->struck.compare_exchange_strong(none, number);
  return true;
}

/// A call that changes a file or a folder and is done as a whole or not at all.
template <class Call>
int change(bool counts_here, bool needs_room, Call call) {
  if (!counts_here || !strikes()) return call();
  switch (planned().kind) {
    case fault::kill: die();
    case fault::done:
    case fault::torn: static_cast<void>(call()); die();
    case fault::full:
      if (!needs_room) return call();
      errno = ENOSPC;
      return -1;
    default: errno = EIO; return -1;
  }
}

enum class destination { file, connection };

/// A call that writes bytes: `call(n)` writes the first n of them.
template <destination To, class Call>
ssize_t pass_bytes(bool counts_here, std::size_t size, Call call) {
  if (!counts_here || !strikes()) return call(size);
  switch (planned().kind) {
    case fault::kill: die();
    case fault::done: static_cast<void>(call(size)); die();
    case fault::torn: static_cast<void>(call(size / 2)); die();
    case fault::short_write: return call(size > 1 ? size / 2 : size);
    case fault::full:
      if (To == destination::connection) return call(size);  // has no disk that could be full
      errno = ENOSPC;
      return -1;
    default: errno = To == destination::connection ? ECONNRESET : EIO; return -1;
  }
}

template <class Call>
ssize_t write_bytes(bool counts_here, std::size_t size, Call call) {
  return pass_bytes<destination::file>(counts_here, size, call);
}
template <class Call>
ssize_t send_bytes(bool counts_here, std::size_t size, Call call) {
  return pass_bytes<destination::connection>(counts_here, size, call);
}

std::size_t size_of(const iovec* pieces, int count) {
  std::size_t sum = 0;
  for (int i = 0; i < count; ++i) sum += pieces[i].iov_len;
  return sum;
}

/// Their first bytes.
std::vector<iovec> beginning_of(const iovec* pieces, int count, std::size_t size) {
  std::vector<iovec> made;
  for (int i = 0; i < count && size != 0; ++i) {
    made.push_back({pieces[i].iov_base, pieces[i].iov_len < size ? pieces[i].iov_len : size});
    size -= made.back().iov_len;
  }
  return made;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  return write_bytes(is_inside(file), size, [&](std::size_t n) { return call(file, bytes, n); });
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return write_bytes(is_inside(file), size, [&](std::size_t n) { return call(file, bytes, n, at); });
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
  return write_bytes(is_inside(file), size, [&](std::size_t n) { return call(file, bytes, n, at); });
}
ssize_t writev(int file, const iovec* pieces, int count) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int)>("writev");
  const std::size_t size = size_of(pieces, count);
  return write_bytes(is_inside(file), size, [&](std::size_t n) -> ssize_t {
    if (n == size || count == 0) return call(file, pieces, count);
    return ::write(file, pieces[0].iov_base, pieces[0].iov_len / 2);
  });
}
ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t, int)>("send");
  return send_bytes(leads_to_peer(socket), size, [&](std::size_t n) { return call(socket, bytes, n, flags); });
}
ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  static const auto call = real<ssize_t (*)(int, const msghdr*, int)>("sendmsg");
  const int count = static_cast<int>(message->msg_iovlen);
  const std::size_t size = size_of(message->msg_iov, count);
  return send_bytes(leads_to_peer(socket), size, [&](std::size_t n) {
    if (n == size) return call(socket, message, flags);
    std::vector<iovec> pieces = beginning_of(message->msg_iov, count, n);
    msghdr part = *message;
    part.msg_iov = pieces.data();
    part.msg_iovlen = pieces.size();
    return call(socket, &part, flags);
  });
}
int fsync(int file) {
  static const auto call = real<int (*)(int)>("fsync");
  return change(is_inside(file), true, [&] { return call(file); });
}
int fdatasync(int file) {
  static const auto call = real<int (*)(int)>("fdatasync");
  return change(is_inside(file), true, [&] { return call(file); });
}
int ftruncate(int file, off_t size) {
  static const auto call = real<int (*)(int, off_t)>("ftruncate");
  return change(is_inside(file), true, [&] { return call(file, size); });
}
int ftruncate64(int file, off64_t size) {
  static const auto call = real<int (*)(int, off64_t)>("ftruncate64");
  return change(is_inside(file), true, [&] { return call(file, size); });
}
int rename(const char* from, const char* to) {
  static const auto call = real<int (*)(const char*, const char*)>("rename");
  return change(is_inside(to), true, [&] { return call(from, to); });
}
int link(const char* from, const char* to) {
  static const auto call = real<int (*)(const char*, const char*)>("link");
  return change(is_inside(to), true, [&] { return call(from, to); });
}
int unlink(const char* path) {
  static const auto call = real<int (*)(const char*)>("unlink");
  return change(is_inside(path), false, [&] { return call(path); });
}
int unlinkat(int folder, const char* path, int flags) {
  static const auto call = real<int (*)(int, const char*, int)>("unlinkat");
  return change(is_inside(folder, path), false, [&] { return call(folder, path, flags); });
}
int rmdir(const char* path) {
  static const auto call = real<int (*)(const char*)>("rmdir");
  return change(is_inside(path), false, [&] { return call(path); });
}
int remove(const char* path) {
  static const auto call = real<int (*)(const char*)>("remove");
  return change(is_inside(path), false, [&] { return call(path); });
}
int mkdir(const char* path, mode_t mode) {
  static const auto call = real<int (*)(const char*, mode_t)>("mkdir");
  return change(is_inside(path), true, [&] { return call(path, mode); });
}

// Opening counts where it may make a file.
int open(const char* path, int flags, ...) {
  static const auto call = real<int (*)(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return change((flags & O_CREAT) != 0 && is_inside(path), true, [&] { return call(path, flags, mode); });
}
int open64(const char* path, int flags, ...) {
  static const auto call = real<int (*)(const char*, int, ...)>("open64");
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return change((flags & O_CREAT) != 0 && is_inside(path), true, [&] { return call(path, flags, mode); });
}
int openat(int folder, const char* path, int flags, ...) {
  static const auto call = real<int (*)(int, const char*, int, ...)>("openat");
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return change((flags & O_CREAT) != 0 && is_inside(folder, path), true,
                [&] { return call(folder, path, flags, mode); });
}

}  // extern "C"
