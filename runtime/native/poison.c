/*
 * Quarantine of freed memory, so that a use after free is noticed. A freed block is filled with 0xdf. It is really freed when too many blocks are in
 * quarantine and it is the oldest.
 *
 * The blocks are kept in a ring. The ring also has the thread that freed each of them, because the program may overwrite the memory itself.
 */
#include "heap.h"
#include <sched.h>
#include <unistd.h>
#include <sys/syscall.h>

#define KEPT (1u << 17)
#define KEPT_BYTES (64ull << 20)
#define LARGEST (16ull << 20)
#define TOLD 1024

typedef struct {
  uintptr_t block;
  size_t bytes;
  const char *who;
  void *pc;
} Kept;

static Kept *ring;
static uint64_t first, after; /* those kept are first … after - 1 */
static uint64_t kept_bytes;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic uintptr_t told[TOLD];

void hd_poison_start(void) {
  if (hd_config.poison) ring = hd_map(KEPT * sizeof *ring);
}

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) syscall(SYS_sched_yield);
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

/* Takes out the oldest, if there are too many with `more` bytes of the next one; 0 if not. */
static uintptr_t too_old(size_t more) {
  if (after == first || (after - first < KEPT && kept_bytes + more <= KEPT_BYTES)) return 0;
  Kept *oldest = &ring[first++ % KEPT];
  kept_bytes -= oldest->bytes;
  hd_bits_clear(oldest->block, oldest->bytes);
  return oldest->block;
}

bool hd_poison_keep(void *block, const char *who, void *pc) {
  size_t bytes = hd_block_size(block);
  if (!ring || bytes > LARGEST) return false;
  hd_fill(block, 0xdf, bytes);
  lock();
  for (uintptr_t old; (old = too_old(bytes));) {
    unlock();
    __libc_free((void *)old);
    lock();
  }
  ring[after++ % KEPT] = (Kept){(uintptr_t)block, bytes, who, pc};
  kept_bytes += bytes;
  hd_bits_set((uintptr_t)block, bytes);
  unlock();
  return true;
}

/* An access in a loop comes here every time: looking through the ring is for the first time. */
static bool told_before(uintptr_t pc) {
  _Atomic uintptr_t *slot = &told[(pc * 0x9e3779b97f4a7c15ull >> 32) % TOLD];
  return atomic_exchange_explicit(slot, pc, memory_order_relaxed) == pc;
}

bool hd_call_on_freed(Thread *t, int kind, const void *object, void *pc) {
  if (!hd_config.poison || !hd_is_freed((uintptr_t)object)) return false;
  hd_use_of_freed(t, (uintptr_t)object, kind, pc);
  return true;
}

void hd_use_of_freed(Thread *t, uintptr_t address, int kind, void *pc) {
  (void)kind;
  if (told_before((uintptr_t)pc)) return;
  Kept found = {.who = "-"};
  lock();
  for (uint64_t i = after; i-- > first;) {
    Kept *kept = &ring[i % KEPT];
    if (address < kept->block || address >= kept->block + kept->bytes) continue;
    found = *kept;
    break;
  }
  unlock();
  hd_violation(t, "use after free", (void *)address, pc, found.who, found.pc);
}
