// The threads, mutexes and conditions of C11 by those of POSIX, which the thread sanitizer knows. It does not know the
// former, which librdkafka uses: a thread of theirs crashes in its allocator, and what their mutexes order looks like a
// race. glibc's are the same objects. Only in builds with the thread sanitizer.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>

namespace {

int c11_outcome(int error) {
  switch (error) {
    case 0: return thrd_success;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

struct thread_start {
  thrd_start_t run;
  void* with;
};

void* begin(void* given) {
  const std::unique_ptr<thread_start> start(static_cast<thread_start*>(given));
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start->run(start->with)));
}

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t run, void* with) {
  std::unique_ptr<thread_start> start(new (std::nothrow) thread_start{run, with});
  if (start == nullptr) return thrd_nomem;
  const int error = pthread_create(thread, nullptr, begin, start.get());
  if (error == 0) start.release();
  return c11_outcome(error);
}

int thrd_join(thrd_t thread, int* result) {
  void* returned = nullptr;
  const int error = pthread_join(thread, &returned);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return c11_outcome(error);
}

int thrd_detach(thrd_t thread) { return c11_outcome(pthread_detach(thread)); }

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  const int error = pthread_mutex_init(posix(mutex), &kind);
  pthread_mutexattr_destroy(&kind);
  return c11_outcome(error);
}

void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }
int mtx_lock(mtx_t* mutex) { return c11_outcome(pthread_mutex_lock(posix(mutex))); }
int mtx_trylock(mtx_t* mutex) { return c11_outcome(pthread_mutex_trylock(posix(mutex))); }
int mtx_unlock(mtx_t* mutex) { return c11_outcome(pthread_mutex_unlock(posix(mutex))); }

int cnd_init(cnd_t* condition) { return c11_outcome(pthread_cond_init(posix(condition), nullptr)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }
int cnd_signal(cnd_t* condition) { return c11_outcome(pthread_cond_signal(posix(condition))); }
int cnd_broadcast(cnd_t* condition) { return c11_outcome(pthread_cond_broadcast(posix(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) { return c11_outcome(pthread_cond_wait(posix(condition), posix(mutex))); }
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return c11_outcome(pthread_cond_timedwait(posix(condition), posix(mutex), until));
}

}  // extern "C"
