/* Declarations shared by the files about synchronization: locks.c, conds.c, counting.c, and threads.c for the names of C11. */
#ifndef HEDDLE_SYNC_H
#define HEDDLE_SYNC_H
#include "gate.h"
#include "heddle.h"
#include "objects.h"
#include "real.h"
#include <time.h>

typedef const struct timespec Time;

/*
 * How something is asked for that may be taken. Part of the value of records. A time-out of many seconds is there to end a program that hangs: it is not
 * counted on, and no other thread can be said to be that late.
 */
enum { HD_AS_LONG_AS_IT_TAKES = 0, HD_ONCE_ONLY = 1, HD_IN_TIME = 2 };
#define HD_LONG 10000000000
uint64_t hd_how(bool once, clockid_t clock, Time *until);

/* --- locks.c --- */
/* An absolute time of this clock as a moment of ours; 0 where there is none. */
int64_t hd_moment(clockid_t clock, Time *until);
/* An object begins its life: a step. */
void hd_made(const void *object, int kind, uint64_t value, void *pc);
/* It ends: a step, before the real one is destroyed. The thread is to be left afterwards; NULL: nothing is to be done. */
static inline Thread *hd_ends(const void *object, int kind, void *pc) {
  Thread *t = hd_enter();
  if (!t) return NULL;
  hd_step(t, kind, object, pc);
  hd_record(t, kind, object, 0, pc);
  return t;
}
int hd_take(void *mutex, bool try_only, Time *until, void *pc);
int hd_give(void *mutex, void *pc);
/* In a replay, when the model says that it is free. */
int hd_take_again(Thread *t, void *mutex);

/* --- conds.c --- */
int hd_wait(void *cond, void *mutex, Time *until, void *pc);
int hd_tell_waiters(void *cond, bool all, void *pc);

/* --- counting.c --- */
void hd_call_once(void *once, void (*function)(void), void *pc);

#endif
