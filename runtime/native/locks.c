/*
 * Mutexes, spin locks and rwlocks. In a recorded run the real functions are called, and the result is recorded. In a replay locks are modelled: a
 * thread that finds a lock taken waits at the gate, and the real lock is only kept in step, for code that is not intercepted.
 */
#include "crash.h"
#include "sync.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static int64_t ns_of(Time *time) { return time->tv_sec > 4000000000 ? INT64_MAX / 2 : (int64_t)time->tv_sec * 1000000000 + time->tv_nsec; }

/* An absolute time of this clock as a moment of ours; never 0, which is none. */
int64_t hd_moment(clockid_t clock, Time *until) {
  if (!until) return 0;
  struct timespec now;
  clock_gettime(clock, &now);
  int64_t left = ns_of(until) - ns_of(&now);
  int64_t at = hd_now() + (left > 0 ? left : 0);
  return at > 0 ? at : 1;
}

uint64_t hd_how(bool once, clockid_t clock, Time *until) {
  if (once) return HD_ONCE_ONLY;
  return until && hd_moment(clock, until) - hd_now() < HD_LONG ? HD_IN_TIME : HD_AS_LONG_AS_IT_TAKES;
}

enum { MUTEX, SPIN, WRITER, READER };

static bool is_recursive(int what, const void *lock) {
  return what == MUTEX && (((const pthread_mutex_t *)lock)->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
}
static bool checks_errors(int what, const void *lock) {
  return what == MUTEX && (((const pthread_mutex_t *)lock)->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP;
}

/* glibc marks a destroyed mutex; who makes it anew, by whatever means, takes the mark away. */
static bool is_destroyed(int what, const void *lock, const Sync *s) {
  if (what == MUTEX) return ((const pthread_mutex_t *)lock)->__data.__kind == -1;
  return s->destroyed;
}

static void tell_destroyed(Thread *t, const Sync *s, const void *lock, void *pc) {
  hd_violation(t, "use of a destroyed lock", lock, pc, s->destroyer ? s->destroyer->name : NULL, s->destroy_pc);
}

static int real_lock(int what, void *lock) {
  switch (what) {
    case MUTEX: return REAL(pthread_mutex_lock)(lock);
    case SPIN: return REAL(pthread_spin_lock)(lock);
    case WRITER: return REAL(pthread_rwlock_wrlock)(lock);
    default: return REAL(pthread_rwlock_rdlock)(lock);
  }
}
static int real_try(int what, void *lock) {
  switch (what) {
    case MUTEX: return REAL(pthread_mutex_trylock)(lock);
    case SPIN: return REAL(pthread_spin_trylock)(lock);
    case WRITER: return REAL(pthread_rwlock_trywrlock)(lock);
    default: return REAL(pthread_rwlock_tryrdlock)(lock);
  }
}
static int real_unlock(int what, void *lock) {
  switch (what) {
    case MUTEX: return REAL(pthread_mutex_unlock)(lock);
    case SPIN: return REAL(pthread_spin_unlock)(lock);
    default: return REAL(pthread_rwlock_unlock)(lock);
  }
}
static int real_until(int what, void *lock, clockid_t clock, Time *until) {
  switch (what) {
    case MUTEX: return REAL(pthread_mutex_clocklock)(lock, clock, until);
    case WRITER: return REAL(pthread_rwlock_clockwrlock)(lock, clock, until);
    default: return REAL(pthread_rwlock_clockrdlock)(lock, clock, until);
  }
}

static void now_held(Sync *s, Thread *t, int what, void *pc) {
  if (what == READER) {
    atomic_fetch_add(&s->readers, 1);
  } else {
    s->owner = t;
    s->count++;
    s->last_owner = t;
  }
  s->lock_pc = pc;
}

/* The model: is it to be had? */
static bool to_be_had(const Sync *s, const Thread *t, int what, const void *lock) {
  if (what == READER) return s->owner == NULL;
  if (s->owner == t) return is_recursive(what, lock);
  return s->owner == NULL && (what != WRITER || s->readers == 0);
}

/* In step with the model. Code that does not come by here may have it: then it is waited for as for anything outside. */
static int take_really(Thread *t, int what, void *lock) {
  int result = real_try(what, lock);
  if (result != EBUSY) return result;
  hd_outside(t);
  result = real_lock(what, lock);
  hd_back(t);
  return result;
}

/* --- outside of replays by steps: a row of threads that wait for each other --- */

static bool waits_for_itself(const Thread *t) {
  const Thread *next = t;
  for (int i = 0; i < 64; i++) {
    const void *lock = next->waits_for;
    if (!lock) return false;
    next = hd_sync(lock)->owner;
    if (next == t) return true;
    if (!next) return false;
  }
  return false;
}

/* Nobody ends it: it is told as a replay by steps tells it. */
static void tell_cycle(const Thread *t) {
  if (!hd_is_ours() || !waits_for_itself(t) || !hd_first_to_tell()) return;
  const Thread *next = t;
  do {
    const Thread *holder = next->waits_for ? hd_sync(next->waits_for)->owner : NULL;
    if (!holder) return; /* somebody let one of them go on after all */
    hd_tell_wait(next, holder);
    next = holder;
  } while (next != t);
  hd_deadlocked();
}

/* Who has to wait says for what, and looks now and then whether it waits for itself. What is seen twice stays so: nobody in the row goes on. */
static int lock_watched(Thread *t, Sync *s, int what, void *lock, int kind, void *pc) {
  int result = real_try(what, lock);
  if (result != EBUSY || what == SPIN || hd_sync_is_common(s) || !hd_waits_really())
    return result == EBUSY ? real_lock(what, lock) : result;
  t->waits_kind = kind;
  t->waits_pc = hd_site(pc);
  hd_callers(t, pc, t->waits_stack);
  t->waits_for = lock;
  for (int seen = 0;;) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    result = real_until(what, lock, CLOCK_MONOTONIC, &until);
    if (result != ETIMEDOUT) break;
    seen = waits_for_itself(t) ? seen + 1 : 0;
    if (seen == 2) tell_cycle(t);
  }
  t->waits_for = NULL;
  return result == EINVAL ? real_lock(what, lock) : result;
}

static const unsigned char TAKES[] = {HD_LOCK, HD_LOCK, HD_LOCK, HD_LOCK_SHARED};

/* `until` and `clock` for the timed ones; `once`: a try. */
static int take(int what, void *lock, bool once, clockid_t clock, Time *until, void *pc) {
  Thread *t = hd_enter();
  if (!t) return once ? real_try(what, lock) : until ? real_until(what, lock, clock, until) : real_lock(what, lock);
  Sync *s = hd_sync(lock);
  int kind = TAKES[what];
  uint64_t asked = (uint64_t)what | hd_how(once, clock, until) << 4;
  hd_step(t, kind, lock, pc);
  bool freed = hd_call_on_freed(t, kind, lock, pc);
  if (!freed && is_destroyed(what, lock, s)) tell_destroyed(t, s, lock, pc);
  int result;
  if (hd_gated() && !hd_sync_is_common(s)) {
    result = 0;
    if (s->owner == t && checks_errors(what, lock) && !once) result = EDEADLK;
    else if (once) result = to_be_had(s, t, what, lock) ? 0 : EBUSY;
    else
      while (!to_be_had(s, t, what, lock)) {
        hd_block(t, kind, lock, pc, hd_moment(clock, until));
        if (t->woken == 2) {
          result = ETIMEDOUT;
          break;
        }
      }
    if (result == 0 && !freed) result = take_really(t, what, lock);
  } else if (freed) {
    result = 0;
  } else {
    result = once ? real_try(what, lock) : until ? real_until(what, lock, clock, until) : lock_watched(t, s, what, lock, kind, pc);
  }
  if (result == 0 || result == EOWNERDEAD) {
    pc = hd_site(pc);
    now_held(s, t, what, pc);
    hd_record(t, kind, lock, asked, pc);
  } else {
    hd_record(t, HD_TRY_FAILED, lock, asked, pc);
  }
  hd_leave(t);
  return result;
}

static int give(int what, void *lock, void *pc) {
  Thread *t = hd_enter();
  if (!t) return real_unlock(what, lock);
  Sync *s = hd_sync(lock);
  /* Of a rwlock the holder says what it is. */
  if (what == WRITER && s->owner != t) what = READER;
  int kind = what == READER ? HD_UNLOCK_SHARED : HD_UNLOCK;
  hd_step(t, kind, lock, pc);
  bool known = !hd_sync_is_common(s);
  bool freed = hd_call_on_freed(t, kind, lock, pc);
  if (!freed && is_destroyed(what, lock, s)) {
    tell_destroyed(t, s, lock, pc);
  } else if (!freed && known && what != READER && s->owner != t && !checks_errors(what, lock) && !is_recursive(what, lock)) {
    if (s->owner) hd_violation(t, "unlock by another thread", lock, pc, s->owner->name, s->lock_pc);
    else if (s->last_owner) hd_violation(t, "unlock of a free lock", lock, pc, s->last_owner->name, s->unlock_pc);
  }
  bool ours = s->owner == t || (what == MUTEX && s->owner && !checks_errors(what, lock) && !is_recursive(what, lock));
  hd_record(t, kind, lock, (uint64_t)what, pc);
  if (what == READER) {
    if (atomic_load(&s->readers) > 0) atomic_fetch_sub(&s->readers, 1);
  } else if (ours && --s->count <= 0) {
    s->count = 0;
    s->owner = NULL;
    s->unlock_pc = hd_site(pc);
  }
  int result = freed ? 0 : real_unlock(what == READER ? WRITER : what, lock);
  if (hd_gated()) hd_wake_all(lock);
  hd_leave(t);
  return result;
}

void hd_made(const void *object, int kind, uint64_t value, void *pc) {
  Thread *t = hd_enter();
  if (!t) return;
  Sync *s = hd_sync(object);
  if (!hd_sync_is_common(s)) {
    uintptr_t at = s->at;
    memset((char *)s + sizeof s->at, 0, sizeof *s - sizeof s->at);
    s->at = at;
    s->value = (int64_t)value;
    s->seen = true;
  }
  hd_step(t, kind, object, pc);
  hd_record(t, kind, object, value, pc);
  hd_leave(t);
}

/* Before it is destroyed. */
static Thread *unmade(const void *object, int kind, int what, void *pc) {
  Thread *t = hd_enter();
  if (!t) return NULL;
  Sync *s = hd_sync(object);
  hd_step(t, kind, object, pc);
  if (!hd_sync_is_common(s)) {
    if (is_destroyed(what, object, s)) tell_destroyed(t, s, object, pc);
    else if (s->owner || s->readers > 0)
      hd_violation(t, "destroy of a held lock", object, pc, s->owner ? s->owner->name : NULL, s->lock_pc);
    s->destroyed = true;
    s->destroy_pc = hd_site(pc);
    s->destroyer = t;
    hd_remember_destroyed(s);
  }
  hd_record(t, kind, object, 0, pc);
  return t;
}

HD_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  int result = REAL(pthread_mutex_init)(m, a);
  if (result == 0) hd_made(m, HD_LOCK_INIT, 0, HD_CALLER);
  return result;
}
HD_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m) {
  Thread *t = unmade(m, HD_LOCK_DESTROY, MUTEX, HD_CALLER);
  int result = REAL(pthread_mutex_destroy)(m);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_mutex_lock(pthread_mutex_t *m) { return take(MUTEX, m, false, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m) { return take(MUTEX, m, true, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, Time *until) { return take(MUTEX, m, false, CLOCK_REALTIME, until, HD_CALLER); }
HD_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t c, Time *until) { return take(MUTEX, m, false, c, until, HD_CALLER); }
HD_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m) { return give(MUTEX, m, HD_CALLER); }

HD_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  int result = REAL(pthread_spin_init)(l, shared);
  hd_made((void *)l, HD_LOCK_INIT, SPIN, HD_CALLER);
  return result;
}
HD_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l) {
  Thread *t = unmade((void *)l, HD_LOCK_DESTROY, SPIN, HD_CALLER);
  int result = REAL(pthread_spin_destroy)(l);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_spin_lock(pthread_spinlock_t *l) { return take(SPIN, (void *)l, false, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l) { return take(SPIN, (void *)l, true, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l) { return give(SPIN, (void *)l, HD_CALLER); }

HD_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) {
  int result = REAL(pthread_rwlock_init)(l, a);
  if (result == 0) hd_made(l, HD_LOCK_INIT, WRITER, HD_CALLER);
  return result;
}
HD_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  Thread *t = unmade(l, HD_LOCK_DESTROY, WRITER, HD_CALLER);
  int result = REAL(pthread_rwlock_destroy)(l);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return take(READER, l, false, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return take(READER, l, true, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, Time *u) { return take(READER, l, false, CLOCK_REALTIME, u, HD_CALLER); }
HD_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t c, Time *u) { return take(READER, l, false, c, u, HD_CALLER); }
HD_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return take(WRITER, l, false, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { return take(WRITER, l, true, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, Time *u) { return take(WRITER, l, false, CLOCK_REALTIME, u, HD_CALLER); }
HD_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t c, Time *u) { return take(WRITER, l, false, c, u, HD_CALLER); }
HD_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l) { return give(WRITER, l, HD_CALLER); }

int hd_take(void *m, bool try_only, Time *until, void *pc) { return take(MUTEX, m, try_only, CLOCK_REALTIME, until, pc); }
int hd_give(void *m, void *pc) { return give(MUTEX, m, pc); }
int hd_take_again(Thread *t, void *m) { return take_really(t, MUTEX, m); }
