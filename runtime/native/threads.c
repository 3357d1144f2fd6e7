/*
 * Threads from their creation to their end, in every way they can end; sleeps; and the threads of C11, which glibc does not implement by calling the
 * pthread functions.
 */
#include "core.h"
#include "gate.h"
#include "heap.h"
#include "sync.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_key_t end_key;

static void ended(Thread *t) {
  t->inside = 1;
  hd_step(t, HD_END, NULL, NULL);
  hd_record(t, HD_END, NULL, 0, NULL);
  t->ended = 1;
  hd_me = NULL;
  if (t->chunk && t->recording) {
    t->recording = 0;
    hd_end_file(t);
  }
  if (hd_gated()) {
    hd_wake_all(t);
    hd_gone(t);
  }
}

/* Called when the thread's data are given back, as often as the system does it, so that destructors of the program are seen. */
static void at_end(void *round) {
  uintptr_t n = (uintptr_t)round;
  hd_destructors_from(HD_CALLER);
  if (n < 4) {
    pthread_setspecific(end_key, (void *)(n + 1));
    return;
  }
  Thread *t = hd_me;
  if (t) ended(t);
}

void hd_sync_start(void) { pthread_key_create(&end_key, at_end); }

/* Of main, too: it may end by pthread_exit. */
void hd_watch_end(void) { pthread_setspecific(end_key, (void *)1); }

static void *trampoline(void *data) {
  Thread *t = data;
  hd_this_is(t);
  hd_watch_end();
  hd_step(t, HD_BEGIN, NULL, t->create_pc);
  hd_record(t, HD_BEGIN, (void *)t->stack_lo, t->stack_hi - t->stack_lo, t->create_site);
  hd_leave(t);
  return t->start(t->argument);
}

static int create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument, void *pc) {
  if (!hd_multi) hd_live();
  Thread *t = hd_enter();
  if (!t) return REAL(pthread_create)(handle, attributes, start, argument);
  hd_multi = true;
  hd_sees = !hd_config.no_accesses;
  hd_watch_stuck();
  pc = hd_place(pc);
  hd_step(t, HD_CREATE, NULL, pc);
  Thread *child = hd_new_thread(t);
  if (!child) {
    static _Atomic int told;
    if (!atomic_exchange(&told, 1)) hd_result("note There are more threads than can be told apart: later ones are not observed.");
    int result = REAL(pthread_create)(handle, attributes, start, argument);
    hd_leave(t);
    return result;
  }
  child->start = start;
  child->argument = argument;
  child->create_pc = pc;
  child->create_site = hd_site(pc);
  hd_record(t, HD_CREATE, (void *)(uintptr_t)child->id, 0, pc);
  pthread_t made = 0;
  int result = REAL(pthread_create)(&made, attributes, trampoline, child);
  if (result == 0) {
    *handle = made;
    child->handle = (unsigned long)made;
    if (hd_gated()) hd_arrived_wait(child);
  } else {
    child->state = HD_GONE;
  }
  hd_leave(t);
  return result;
}

HD_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  return create(handle, attributes, start, argument, HD_CALLER);
}

/* The newest of this handle: handles are given out again. */
static Thread *of_handle(pthread_t handle) {
  for (uint32_t i = atomic_load(&hd_thread_count); i-- > 0;) {
    Thread *t = hd_threads[i];
    if (t && t->handle == (unsigned long)handle && !t->joined) return t;
  }
  return NULL;
}

static int join(pthread_t handle, void **value, void *pc) {
  Thread *t = hd_enter();
  if (!t) return REAL(pthread_join)(handle, value);
  Thread *other = of_handle(handle);
  pc = hd_place(pc);
  hd_step(t, HD_JOIN, other, pc);
  if (hd_gated() && other)
    while (!other->ended) {
      hd_block(t, HD_JOIN, other, pc, 0);
      hd_end_if_cancelled(t);
    }
  if (other) hd_waits(t, HD_JOIN, other, pc);
  int result = REAL(pthread_join)(handle, value);
  hd_waited(t);
  if (result == 0 && other) {
    other->joined = 1;
    hd_record(t, HD_JOIN, (void *)(uintptr_t)other->id, 0, pc);
  } else {
    hd_record(t, HD_YIELD, NULL, 0, pc); /* the step is counted */
  }
  hd_leave(t);
  return result;
}
HD_EXPORT int pthread_join(pthread_t handle, void **value) { return join(handle, value, HD_CALLER); }

HD_EXPORT int pthread_detach(pthread_t handle) {
  Thread *t = hd_enter();
  if (t) {
    Thread *other = of_handle(handle);
    hd_step(t, HD_DETACH, other, HD_CALLER);
    hd_record(t, HD_DETACH, (void *)(uintptr_t)(other ? other->id : 0), 0, HD_CALLER);
  }
  int result = REAL(pthread_detach)(handle);
  if (t) hd_leave(t);
  return result;
}

/* In a replay nobody stands in a call that the system would end: it is woken, and ends itself (hd_end_if_cancelled). */
HD_EXPORT int pthread_cancel(pthread_t handle) {
  Thread *t = hd_enter();
  if (!t) return REAL(pthread_cancel)(handle);
  Thread *other = of_handle(handle);
  hd_step(t, HD_YIELD, other, HD_CALLER);
  hd_record(t, HD_YIELD, NULL, 0, HD_CALLER);
  int result = REAL(pthread_cancel)(handle);
  if (hd_gated() && other && result == 0) hd_cancel(other);
  hd_leave(t);
  return result;
}

/* Joins that may not wait, or not long. */
static int join_soon(pthread_t handle, void **value, const struct timespec *until, void *pc) {
  Thread *t = hd_enter();
  if (!t) return until ? REAL(pthread_timedjoin_np)(handle, value, until) : REAL(pthread_tryjoin_np)(handle, value);
  Thread *other = of_handle(handle);
  hd_step(t, HD_JOIN, other, pc);
  if (until) hd_outside(t);
  int result = until ? REAL(pthread_timedjoin_np)(handle, value, until) : REAL(pthread_tryjoin_np)(handle, value);
  if (until) hd_back(t);
  if (result == 0 && other) {
    other->joined = 1;
    hd_record(t, HD_JOIN, (void *)(uintptr_t)other->id, 0, pc);
  } else {
    hd_record(t, HD_YIELD, NULL, 0, pc);
  }
  hd_leave(t);
  return result;
}
HD_EXPORT int pthread_tryjoin_np(pthread_t handle, void **value) { return join_soon(handle, value, NULL, HD_CALLER); }
HD_EXPORT int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until) {
  return join_soon(handle, value, until, HD_CALLER);
}

/* --- sleeps: under a schedule they take no time, and without one others go first --- */

static bool rested(int64_t ns, void *pc) {
  Thread *t = hd_enter();
  if (!t) return false;
  hd_step(t, HD_YIELD, NULL, pc);
  hd_record(t, HD_YIELD, NULL, 0, pc);
  if (hd_gated()) hd_rest(t, ns);
  else t->deadline = hd_now() + ns;
  hd_end_if_cancelled(t);
  hd_leave(t);
  return hd_gated();
}

HD_EXPORT int sched_yield(void) { return rested(0, HD_CALLER) ? 0 : REAL(sched_yield)(); }
HD_EXPORT void thrd_yield(void) {
  if (!rested(0, HD_CALLER)) REAL(sched_yield)();
}
HD_EXPORT int usleep(useconds_t us) { return rested((int64_t)us * 1000, HD_CALLER) ? 0 : REAL(usleep)(us); }
HD_EXPORT unsigned sleep(unsigned s) { return rested((int64_t)s * 1000000000, HD_CALLER) ? 0 : REAL(sleep)(s); }
HD_EXPORT int nanosleep(const struct timespec *time, struct timespec *left) {
  return rested(time->tv_sec * 1000000000LL + time->tv_nsec, HD_CALLER) ? 0 : REAL(nanosleep)(time, left);
}
HD_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  int64_t ns = time->tv_sec * 1000000000LL + time->tv_nsec;
  if (flags & TIMER_ABSTIME) {
    struct timespec now;
    clock_gettime(clock, &now);
    ns -= now.tv_sec * 1000000000LL + now.tv_nsec;
  }
  return rested(ns > 0 ? ns : 0, HD_CALLER) ? 0 : REAL(clock_nanosleep)(clock, flags, time, left);
}
HD_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left) {
  return rested(time->tv_sec * 1000000000LL + time->tv_nsec, HD_CALLER) ? 0 : REAL(thrd_sleep)(time, left);
}

/* --- C11: the same things under other names, with other answers --- */

static int answer(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM:
    case EAGAIN: return thrd_nomem;
    default: return thrd_error;
  }
}

HD_EXPORT int thrd_create(thrd_t *handle, thrd_start_t start, void *argument) {
  /* The answer of the function is in the same register. */
  return answer(create((pthread_t *)handle, NULL, (void *(*)(void *))(uintptr_t)start, argument, HD_CALLER));
}
HD_EXPORT int thrd_join(thrd_t handle, int *value) {
  void *result = NULL;
  int error = join((pthread_t)handle, &result, HD_CALLER);
  if (value) *value = (int)(intptr_t)result;
  return answer(error);
}
HD_EXPORT int thrd_detach(thrd_t handle) { return answer(pthread_detach((pthread_t)handle)); }
HD_EXPORT int mtx_init(mtx_t *m, int type) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  if (type & mtx_recursive) pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  int result = pthread_mutex_init((pthread_mutex_t *)m, &a);
  pthread_mutexattr_destroy(&a);
  return answer(result);
}
HD_EXPORT void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
HD_EXPORT int mtx_lock(mtx_t *m) { return answer(hd_take(m, false, NULL, HD_CALLER)); }
HD_EXPORT int mtx_trylock(mtx_t *m) { return answer(hd_take(m, true, NULL, HD_CALLER)); }
HD_EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until) { return answer(hd_take(m, false, until, HD_CALLER)); }
HD_EXPORT int mtx_unlock(mtx_t *m) { return answer(hd_give(m, HD_CALLER)); }
HD_EXPORT int cnd_init(cnd_t *c) { return answer(pthread_cond_init((pthread_cond_t *)c, NULL)); }
HD_EXPORT void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }
HD_EXPORT int cnd_wait(cnd_t *c, mtx_t *m) { return answer(hd_wait(c, m, NULL, HD_CALLER)); }
HD_EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) { return answer(hd_wait(c, m, until, HD_CALLER)); }
HD_EXPORT int cnd_signal(cnd_t *c) { return answer(hd_tell_waiters(c, false, HD_CALLER)); }
HD_EXPORT int cnd_broadcast(cnd_t *c) { return answer(hd_tell_waiters(c, true, HD_CALLER)); }
HD_EXPORT void call_once(once_flag *o, void (*function)(void)) { hd_call_once(o, function, HD_CALLER); }
