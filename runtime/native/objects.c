/* See objects.h. */
#include "objects.h"
#include "gate.h"

#define ENTRIES (1u << 20)
#define MOST_PROBES 4096

static Sync *table;
static Sync common;

static Sync *entries(void) {
  static _Atomic(Sync *) made;
  Sync *there = atomic_load_explicit(&made, memory_order_acquire);
  if (HD_LIKELY(there != NULL)) return there;
  Sync *mine = hd_map(ENTRIES * sizeof(Sync));
  if (!mine) return NULL;
  /* Two may make one at the same time; the other one is never used. */
  if (atomic_compare_exchange_strong(&made, &there, mine)) return table = mine;
  return there;
}

static Sync *find(const void *at, bool make) {
  Sync *all = entries();
  uintptr_t key = (uintptr_t)at;
  if (!all) return make ? &common : NULL;
  uint32_t i = (uint32_t)((key >> 3) * 0x9e3779b97f4a7c15ull >> 44);
  for (unsigned probes = 0; probes < MOST_PROBES; probes++, i = (i + 1) & (ENTRIES - 1)) {
    uintptr_t there = atomic_load_explicit(&all[i].at, memory_order_acquire);
    if (there == key) return &all[i];
    if (there != 0) continue;
    if (!make) return NULL;
    if (atomic_compare_exchange_strong(&all[i].at, &there, key) || there == key) return &all[i];
  }
  return make ? &common : NULL;
}

Sync *hd_sync(const void *at) { return find(at, true); }
Sync *hd_sync_if(const void *at) { return find(at, false); }
bool hd_sync_is_common(const Sync *s) { return s == &common; }

const Thread *hd_holder(const void *object) {
  Sync *s = object ? hd_sync_if(object) : NULL;
  return s ? s->owner : NULL;
}

/* The last ones that were destroyed: few programs have many at once. */
#define DESTROYED 1024
static _Atomic(Sync *) destroyed[DESTROYED];
static _Atomic unsigned destroyed_count;

void hd_remember_destroyed(Sync *s) {
  if (!hd_sync_is_common(s)) atomic_store(&destroyed[atomic_fetch_add(&destroyed_count, 1) % DESTROYED], s);
}

void hd_forget(const void *at, size_t size) {
  unsigned n = atomic_load_explicit(&destroyed_count, memory_order_relaxed);
  if (HD_LIKELY(n == 0)) return;
  for (unsigned i = 0; i < n && i < DESTROYED; i++) {
    Sync *s = atomic_load_explicit(&destroyed[i], memory_order_relaxed);
    if (s && s->at - (uintptr_t)at < size) s->destroyed = false;
  }
}
