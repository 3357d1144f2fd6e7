/* Barriers, semaphores and once. */
#include "sync.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

/* --- barriers --- */

HD_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
  int result = REAL(pthread_barrier_init)(b, a, count);
  if (result == 0) hd_made(b, HD_BARRIER_INIT, count, HD_CALLER);
  return result;
}
HD_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b) {
  Thread *t = hd_ends(b, HD_BARRIER_DESTROY, HD_CALLER);
  int result = REAL(pthread_barrier_destroy)(b);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  Thread *t = hd_enter();
  if (!t) return REAL(pthread_barrier_wait)(b);
  void *pc = HD_CALLER;
  Sync *s = hd_sync(b);
  hd_step(t, HD_BARRIER_ARRIVE, b, pc);
  hd_call_on_freed(t, HD_BARRIER_ARRIVE, b, pc);
  hd_record(t, HD_BARRIER_ARRIVE, b, (uint64_t)s->value, pc);
  int result = 0;
  if (hd_gated()) {
    uint64_t mine = s->generation;
    if (++s->count >= s->value) {
      s->count = 0;
      s->generation++;
      result = PTHREAD_BARRIER_SERIAL_THREAD;
      hd_wake_all(b);
      hd_step(t, HD_BARRIER_LEAVE, b, pc);
    } else {
      t->steps++;
      while (s->generation == mine) hd_block(t, HD_BARRIER_LEAVE, b, pc, 0);
    }
  } else {
    hd_waits(t, HD_BARRIER_LEAVE, b, pc);
    result = REAL(pthread_barrier_wait)(b);
    hd_waited(t);
    hd_step(t, HD_BARRIER_LEAVE, b, pc);
  }
  hd_record(t, HD_BARRIER_LEAVE, b, (uint64_t)s->value, pc);
  hd_leave(t);
  return result;
}

/* --- semaphores --- */

static Sync *semaphore(sem_t *sem) {
  Sync *s = hd_sync(sem);
  if (!s->seen) {
    int value = 0;
    REAL(sem_getvalue)(sem, &value);
    s->value = value;
    s->seen = true;
  }
  return s;
}

bool hd_semaphore_posted(const void *sem) {
  Sync *s = hd_sync_if(sem);
  int value = 0;
  if (!s || REAL(sem_getvalue)((sem_t *)sem, &value) != 0 || value <= s->value) return false;
  s->value = value;
  return true;
}

static int pass(sem_t *sem, bool once, clockid_t clock, Time *until, void *pc) {
  Thread *t = hd_enter();
  if (!t) return once ? REAL(sem_trywait)(sem) : until ? REAL(sem_clockwait)(sem, clock, until) : REAL(sem_wait)(sem);
  uint64_t how = hd_how(once, clock, until);
  hd_step(t, HD_SEM_WAIT, sem, pc);
  hd_call_on_freed(t, HD_SEM_WAIT, sem, pc);
  int result = 0;
  if (hd_gated()) {
    Sync *s = semaphore(sem);
    while (s->value <= 0 && result == 0) {
      if (once) {
        errno = EAGAIN;
        result = -1;
        break;
      }
      hd_block(t, HD_SEM_WAIT, sem, pc, hd_moment(clock, until));
      hd_end_if_cancelled(t);
      if (t->woken == 2) {
        errno = ETIMEDOUT;
        result = -1;
      }
    }
    if (result == 0) {
      s->value--;
      REAL(sem_trywait)(sem);
    }
  } else {
    if (!once && !until) hd_waits(t, HD_SEM_WAIT, sem, pc);
    result = once ? REAL(sem_trywait)(sem) : until ? REAL(sem_clockwait)(sem, clock, until) : REAL(sem_wait)(sem);
    hd_waited(t);
  }
  int error = errno;
  hd_record(t, result == 0 ? HD_SEM_WAIT : HD_SEM_FAILED, sem, how, pc);
  hd_leave(t);
  errno = error;
  return result;
}

HD_EXPORT int sem_init(sem_t *sem, int shared, unsigned value) {
  int result = REAL(sem_init)(sem, shared, value);
  if (result == 0) hd_made(sem, HD_SEM_INIT, value, HD_CALLER);
  return result;
}
HD_EXPORT int sem_destroy(sem_t *sem) {
  Thread *t = hd_ends(sem, HD_SEM_DESTROY, HD_CALLER);
  int result = REAL(sem_destroy)(sem);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int sem_wait(sem_t *sem) { return pass(sem, false, 0, NULL, HD_CALLER); }
HD_EXPORT int sem_trywait(sem_t *sem) { return pass(sem, true, 0, NULL, HD_CALLER); }
HD_EXPORT int sem_timedwait(sem_t *sem, Time *until) { return pass(sem, false, CLOCK_REALTIME, until, HD_CALLER); }
HD_EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, Time *until) { return pass(sem, false, clock, until, HD_CALLER); }
HD_EXPORT int sem_post(sem_t *sem) {
  Thread *t = hd_enter();
  if (!t) return REAL(sem_post)(sem);
  void *pc = HD_CALLER;
  hd_step(t, HD_SEM_POST, sem, pc);
  hd_call_on_freed(t, HD_SEM_POST, sem, pc);
  hd_record(t, HD_SEM_POST, sem, 0, pc);
  if (hd_gated()) semaphore(sem)->value++;
  int result = REAL(sem_post)(sem);
  if (hd_gated()) hd_wake_all(sem);
  hd_leave(t);
  return result;
}

/* --- once --- */

static __thread void (*once_function)(void);
static __thread Thread *once_thread;
static __thread const void *once_object;
static __thread void *once_pc;

static void run_once(void) {
  Thread *t = once_thread;
  const void *object = once_object;
  void *pc = once_pc;
  hd_record(t, HD_ONCE_BEGIN, object, 0, pc);
  hd_sync(object)->value = 1;
  hd_leave(t);
  once_function();
  t = hd_enter();
  if (!t) return;
  hd_step(t, HD_ONCE_END, object, pc);
  hd_record(t, HD_ONCE_END, object, 0, pc);
  hd_sync(object)->value = 2;
}

static int once(pthread_once_t *o, void (*function)(void), void *pc) {
  Thread *t = hd_enter();
  if (!t) return REAL(pthread_once)(o, function);
  Sync *s = hd_sync(o);
  hd_step(t, HD_ONCE_BEGIN, o, pc);
  if (hd_gated())
    while (s->value == 1) hd_block(t, HD_ONCE_BEGIN, o, pc, 0);
  void (*outer_function)(void) = once_function;
  const void *outer_object = once_object;
  once_function = function;
  once_thread = t;
  once_object = o;
  once_pc = pc;
  int64_t before = s->value;
  int result = REAL(pthread_once)(o, run_once);
  bool ran = before == 0 && s->value == 2 && once_thread == t && t->last_op == HD_ONCE_END;
  once_function = outer_function;
  once_object = outer_object;
  if (!ran) hd_record(t, HD_ONCE_SEEN, o, 0, pc);
  else if (hd_gated()) hd_wake_all(o);
  t->last_op = 0;
  hd_leave(t);
  return result;
}
HD_EXPORT int pthread_once(pthread_once_t *o, void (*function)(void)) { return once(o, function, HD_CALLER); }

void hd_call_once(void *o, void (*function)(void), void *pc) { once(o, function, pc); }
