/*
 * Local statics of C++: the first thread initialises, the others wait. They are recorded as pthread_once is. The compiler reads the first byte of the
 * guard before it calls these functions, with an atomic load that is recorded; so the store by libstdc++ to that byte is recorded, too.
 */
#include "gate.h"
#include "objects.h"

typedef int (*Acquire)(uint64_t *);
typedef void (*Release)(uint64_t *);

/* Looked up when they are needed: C programs have none. */
static void *real(_Atomic(void *) *place, const char *name) {
  void *found = atomic_load_explicit(place, memory_order_acquire);
  if (!found) {
    found = hd_real(name);
    atomic_store_explicit(place, found, memory_order_release);
  }
  return found;
}

HD_EXPORT int __cxa_guard_acquire(uint64_t *guard) {
  static _Atomic(void *) place;
  Acquire acquire = (Acquire)real(&place, "__cxa_guard_acquire");
  Thread *t = hd_enter();
  if (!t) return acquire(guard);
  void *pc = HD_CALLER;
  Sync *s = hd_sync(guard);
  hd_step(t, HD_ONCE_BEGIN, guard, pc);
  /* A thread that comes back to a guard of its own is the program's mistake, which libstdc++ tells by an exception. */
  if (hd_gated())
    while (s->value == 1 && s->owner != t) hd_block(t, HD_ONCE_BEGIN, guard, pc, 0);
  hd_leave(t);
  int mine = acquire(guard);
  t->inside = 1;
  if (mine) {
    s->value = 1;
    s->owner = t;
  }
  hd_record(t, mine ? HD_ONCE_BEGIN : HD_ONCE_SEEN, guard, 0, pc);
  hd_leave(t);
  return mine;
}

static void give(uint64_t *guard, bool done, Release release, void *pc) {
  Thread *t = hd_enter();
  if (!t) {
    release(guard);
    return;
  }
  if (done && hd_multi) {
    hd_step(t, HD_ATOMIC_WRITE, guard, pc);
    hd_record(t, HD_ATOMIC_WRITE, guard, 1, pc);
  }
  hd_step(t, HD_ONCE_END, guard, pc);
  hd_record(t, HD_ONCE_END, guard, 0, pc);
  Sync *s = hd_sync(guard);
  s->value = done ? 2 : 0;
  s->owner = NULL;
  release(guard);
  if (hd_gated()) hd_wake_all(guard);
  hd_leave(t);
}

HD_EXPORT void __cxa_guard_release(uint64_t *guard) {
  static _Atomic(void *) place;
  give(guard, true, (Release)real(&place, "__cxa_guard_release"), HD_CALLER);
}

/* The initialisation threw: the next one tries again. */
HD_EXPORT void __cxa_guard_abort(uint64_t *guard) {
  static _Atomic(void *) place;
  give(guard, false, (Release)real(&place, "__cxa_guard_abort"), HD_CALLER);
}
