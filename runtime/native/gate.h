/* The interface of gate.c. None of these functions does anything unless the program is replayed. */
#ifndef HEDDLE_GATE_H
#define HEDDLE_GATE_H
#include "heddle.h"

enum { HD_AWAY, HD_READY, HD_RUNS, HD_BLOCKED, HD_GONE };

static inline bool hd_gated(void) { return hd_config.mode == HD_REPLAY; }

void hd_gate_start(void);
/* A step past `until`: by the schedule, or in delay mode. */
void hd_gate(Thread *t, int kind, const void *object, void *pc);
/* delay.c: the same in delay mode. */
void hd_delayed(Thread *t, int kind, const void *object, void *pc);
/* The thread stands before step `t->steps`, which cannot be taken until somebody wakes it. Returns when it has the turn again. */
void hd_block(Thread *t, int kind, const void *object, void *pc, int64_t deadline);
/* Who is blocked on the object may try again. */
void hd_wake_all(const void *object);
/* The waiter that the schedule names first, else the one that has waited longest, goes on; false: there is none. */
bool hd_wake_one(const void *object);
/* It stays away for a while (a sleep): others first. */
void hd_rest(Thread *t, int64_t ns);
/* After a thread was made: it is waited for, so that the next step of the maker finds it there. */
void hd_arrived_wait(Thread *child);
void hd_gone(Thread *t);
/* Wakes one that stands where a thread may be cancelled. */
void hd_cancel(Thread *t);
void hd_end_if_cancelled(Thread *t);
/* At the end of the process: the present line counts if its last step has begun. */
void hd_last_line(void);
int64_t hd_now(void);

/* --- turns.c: rules for who goes on where the schedule says nothing --- */
bool hd_has_rule(void);
bool hd_passes_on(Thread *t, int kind, const void *object);
Thread *hd_next_by_rule(Thread *const *threads, unsigned count, Thread *last, int64_t now);
bool hd_takes_signal(unsigned nth);

/* linger.c: the end of a recorded run waits for threads that could go on. */
void hd_linger(Thread *me);

/* --- stuck.c: a run in which nobody can go on, outside of replays by steps --- */
/* From the second thread on. */
void hd_watch_stuck(void);
/* Threads of the process that we know nothing of. `ours`: one of the runtime. */
bool hd_strangers(int ours);
bool hd_timer_is_set(void);
/* A thread of the runtime's own, unseen by the program. */
bool hd_own_thread(void *(*start)(void *));
/* Threads wait as they do without the runtime. */
static inline bool hd_waits_really(void) { return hd_config.mode == HD_RECORD || hd_config.mode == HD_PLAIN || hd_config.mode == HD_DELAY; }
/* A `waits` line. */
void hd_tell_wait(const Thread *t, const Thread *holder);
/* Is this the first one to see a deadlock? */
bool hd_first_to_tell(void);
/* After the `waits` lines. A recorded run is ended: nobody else looks at it. */
void hd_deadlocked(void);
/* Around a real call without a time-out that only another thread of the program can end. */
static inline void hd_waits(Thread *t, int kind, const void *object, void *pc) {
  if (!hd_waits_really()) return;
  t->waits_kind = kind;
  t->waits_pc = pc;
  hd_callers(t, pc, t->waits_stack);
  t->waits_for = object;
}
static inline void hd_waited(Thread *t) {
  if (hd_waits_really()) t->waits_for = NULL;
}

/* Has somebody posted the semaphore who did not come by here (counting.c)? */
bool hd_semaphore_posted(const void *semaphore);

/* For `waits` lines: the thread that holds what another one waits for (objects.c). */
const Thread *hd_holder(const void *object);

#endif
