/* See shadow.h. */
#include "shadow.h"
#include <sys/mman.h>

void hd_shadow_start(void) {
  size_t bytes = ((size_t)1 << SHADOW_BITS) / 8 * sizeof *hd_shadow;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    hd_result("note The system gives no room for a map of shared places: accesses of single threads are kept, too.");
    return;
  }
  madvise(at, bytes, MADV_DONTDUMP);
  hd_shadow = at;
}

bool hd_touch_slowly(_Atomic uint16_t *cell, uint16_t mine) {
  uint16_t there = atomic_load_explicit(cell, memory_order_relaxed);
  for (;;) {
    uint16_t wanted;
    if (there == 0) wanted = mine;
    else if ((there & SHADOW_SHARED) || (there & SHADOW_OWNER) == (mine & SHADOW_OWNER)) wanted = there | (mine & SHADOW_WRITTEN);
    else wanted = SHADOW_SHARED | ((there | mine) & SHADOW_WRITTEN);
    if (wanted == there || atomic_compare_exchange_weak_explicit(cell, &there, wanted, memory_order_relaxed, memory_order_relaxed))
      return (wanted & SHADOW_SHARED) != 0;
  }
}
