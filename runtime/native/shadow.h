/*
 * Which threads have accessed a location: two bytes for every eight bytes of the program. They decide which accesses get a stamp of their own, and
 * which are dropped when a buffer is full. Addresses are cut to 44 bits. If two locations share their two bytes, more is recorded than is needed,
 * never less.
 */
#ifndef HEDDLE_SHADOW_H
#define HEDDLE_SHADOW_H
#include "heddle.h"

#define SHADOW_BITS 44
#define SHADOW_OWNER 0x3fffu
#define SHADOW_WRITTEN 0x4000u
#define SHADOW_SHARED 0x8000u

/* NULL where the system does not give us the room: then everything counts as shared. */
extern uint16_t *hd_shadow;
void hd_shadow_start(void);

static inline uint16_t *hd_shadow_of(uintptr_t at) { return hd_shadow + ((at & ((1ull << SHADOW_BITS) - 1)) >> 3); }

/* Touched by more than one thread, and written by one. */
static inline bool hd_contested(uintptr_t at) {
  return (*hd_shadow_of(at) & (SHADOW_SHARED | SHADOW_WRITTEN)) == (SHADOW_SHARED | SHADOW_WRITTEN);
}

bool hd_touch_slowly(_Atomic uint16_t *cell, uint16_t mine);

/* `mine`: the thread's number, and SHADOW_WRITTEN for a write. True: others have touched it. */
static inline bool hd_touch(uintptr_t at, uint16_t mine) {
  if (HD_UNLIKELY(!hd_shadow)) return true;
  _Atomic uint16_t *cell = (_Atomic uint16_t *)hd_shadow_of(at);
  uint16_t there = atomic_load_explicit(cell, memory_order_relaxed);
  if (HD_LIKELY((there & ~SHADOW_WRITTEN) == (mine & SHADOW_OWNER) && (there & mine) == mine)) return false;
  return hd_touch_slowly(cell, mine);
}

#endif
