/* Condition variables. A wait is two steps: one releases the mutex, the other acquires it again. */
#include "sync.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>

typedef struct {
  Thread *t;
  Sync *mutex;
  int count;
} Waiting;

/* A thread that is cancelled in its wait has the mutex again when its clean-up begins. */
static void cancelled(void *data) {
  Waiting *w = data;
  hd_waited(w->t);
  w->mutex->owner = w->t;
  w->mutex->count = w->count;
  hd_leave(w->t);
}

/* -1: the clock the condition variable was made with. */
static clockid_t of_wait(clockid_t clock) { return clock == (clockid_t)-1 ? CLOCK_REALTIME : clock; }

static int wait_really(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, Time *until) {
  if (!until) return REAL(pthread_cond_wait)(c, m);
  return clock == (clockid_t)-1 ? REAL(pthread_cond_timedwait)(c, m, until) : REAL(pthread_cond_clockwait)(c, m, clock, until);
}

static int modelled_wait(Thread *t, pthread_cond_t *c, pthread_mutex_t *m, Sync *s, int64_t deadline, void *pc) {
  s->count = 0;
  s->owner = NULL;
  REAL(pthread_mutex_unlock)(m);
  hd_wake_all(m);
  t->steps++; /* it stands before the step in which it goes on */
  hd_block(t, HD_WOKEN, c, pc, deadline);
  int result = t->woken == 2 ? ETIMEDOUT : 0;
  while (s->owner != NULL) hd_block(t, HD_WOKEN, m, pc, 0);
  hd_take_again(t, m);
  s->owner = t;
  s->count = 1;
  hd_end_if_cancelled(t);
  return result;
}

static int wait_for(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, Time *until, void *pc) {
  Thread *t = hd_enter();
  if (!t) return wait_really(c, m, clock, until);
  Sync *s = hd_sync(m);
  pc = hd_place(pc);
  hd_step(t, HD_WAIT, c, pc);
  hd_call_on_freed(t, HD_WAIT, c, pc);
  hd_record(t, HD_WAIT, c, (uint64_t)(uintptr_t)m | (hd_how(false, of_wait(clock), until) == HD_IN_TIME), pc);
  int count = s->count > 0 ? s->count : 1;
  int result;
  if (hd_gated()) {
    result = modelled_wait(t, c, m, s, hd_moment(of_wait(clock), until), pc);
  } else {
    s->count = 0;
    s->owner = NULL;
    Waiting waiting = {t, s, count};
    pthread_cleanup_push(cancelled, &waiting);
    if (!until) hd_waits(t, HD_WOKEN, c, pc);
    result = wait_really(c, m, clock, until);
    hd_waited(t);
    pthread_cleanup_pop(0);
    hd_step(t, HD_WOKEN, c, pc);
  }
  s->owner = t;
  s->count = count;
  s->last_owner = t;
  hd_record(t, result == ETIMEDOUT ? HD_TIMED_OUT : HD_WOKEN, c, (uint64_t)(uintptr_t)m, pc);
  hd_leave(t);
  return result;
}

HD_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
  int result = REAL(pthread_cond_init)(c, a);
  if (result == 0) hd_made(c, HD_COND_INIT, 0, HD_CALLER);
  return result;
}
HD_EXPORT int pthread_cond_destroy(pthread_cond_t *c) {
  Thread *t = hd_ends(c, HD_COND_DESTROY, HD_CALLER);
  /* In a replay nobody waits on the real one. */
  int result = REAL(pthread_cond_destroy)(c);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait_for(c, m, 0, NULL, HD_CALLER); }
HD_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, Time *until) {
  return wait_for(c, m, (clockid_t)-1, until, HD_CALLER);
}
HD_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, Time *until) {
  return wait_for(c, m, clock, until, HD_CALLER);
}

static int tell_waiters(pthread_cond_t *c, bool all, void *pc) {
  Thread *t = hd_enter();
  bool freed = false;
  if (t) {
    int kind = all ? HD_BROADCAST : HD_SIGNAL;
    hd_step(t, kind, c, pc);
    freed = hd_call_on_freed(t, kind, c, pc);
    hd_record(t, kind, c, 0, pc);
    if (hd_gated()) {
      if (all) hd_wake_all(c);
      else hd_wake_one(c);
    }
  }
  /* A thread that is not observed: those that wait do not wait on the real one. */
  if (!hd_me && hd_gated()) hd_wake_all(c);
  int result = freed ? 0 : all ? REAL(pthread_cond_broadcast)(c) : REAL(pthread_cond_signal)(c);
  if (t) hd_leave(t);
  return result;
}
HD_EXPORT int pthread_cond_signal(pthread_cond_t *c) { return tell_waiters(c, false, HD_CALLER); }
HD_EXPORT int pthread_cond_broadcast(pthread_cond_t *c) { return tell_waiters(c, true, HD_CALLER); }

int hd_wait(void *c, void *m, Time *until, void *pc) { return wait_for(c, m, until ? (clockid_t)-1 : 0, until, pc); }
int hd_tell_waiters(void *c, bool all, void *pc) { return tell_waiters(c, all, pc); }
