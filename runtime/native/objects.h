/* What is known of mutexes, condition variables, semaphores and similar objects: one entry for each address, found without a lock. */
#ifndef HEDDLE_OBJECTS_H
#define HEDDLE_OBJECTS_H
#include "heddle.h"

typedef struct Sync {
  _Atomic uintptr_t at;
  Thread *owner;         /* who has it for itself */
  int count;             /* how often; of a barrier: who has arrived */
  _Atomic int readers;
  int64_t value;         /* of a semaphore in a replay: its count; of a barrier: how many it waits for; of a once: 1 runs, 2 done */
  bool seen;             /* counting.c has looked at its value */
  bool destroyed;
  void *destroy_pc;
  const Thread *destroyer;
  void *lock_pc, *unlock_pc;
  const Thread *last_owner;
  uint64_t generation;   /* of a barrier */
} Sync;

/* Never NULL: where there is no room any more, one entry stands for all others, and nothing is told about it. */
Sync *hd_sync(const void *at);
/* Only if it is there. */
Sync *hd_sync_if(const void *at);
bool hd_sync_is_common(const Sync *s);
/* The memory is given back: what was destroyed in it is forgotten. memory.c calls it. */
void hd_forget(const void *at, size_t size);
void hd_remember_destroyed(Sync *s);

#endif
