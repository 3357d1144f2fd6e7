/*
 * Which blocks of the heap exist: bits over the address space, in leaves that are mapped when they are needed.
 *
 * For every 16 bytes (the alignment of glibc) one bit says that a block begins there, and another that a freed block began there. Both are set
 * whether or not the allocation is recorded, so that a block that libc allocated for itself is known when the program frees it. For every 8 bytes a
 * third bit says that they belong to a freed block in quarantine (poison.c). Setting a bit is one atomic or: no lock, no table to grow.
 */
#include "heap.h"
#include <dlfcn.h>

#define LEAF_SHIFT 24
#define LEAVES (1ull << (48 - LEAF_SHIFT))
#define BLOCK_WORDS (1u << (LEAF_SHIFT - 4 - 6))
#define POISON_WORDS (1u << (LEAF_SHIFT - 3 - 6))
#define LEAF_OF(a) (((a) >> LEAF_SHIFT) & (LEAVES - 1))
#define WORD_OF(a) (((a) & ((1u << LEAF_SHIFT) - 1)) >> 10)
#define BIT_OF(a) (1ull << (((a) >> 4) & 63))
/* So many leaves, of 16 MiB each, are searched for the beginning of a block. */
#define SEARCHED 8

typedef struct {
  _Atomic uint64_t live[BLOCK_WORDS];
  _Atomic uint64_t freed[BLOCK_WORDS];
  _Atomic uint64_t poison[POISON_WORDS];
} Leaf;

/* Who freed which block last: a table by address in which newer ones replace older ones. It may tear; it is used for words only. */
#define REMEMBERED (1u << 15)
typedef struct {
  uintptr_t block;
  const char *who;
  void *pc;
} Freed;

bool hd_blocks_on;
static _Atomic(Leaf *) *leaves;
static Freed *remembered;
static size_t (*usable)(void *);
/* Nothing outside was ever poisoned. */
static _Atomic uintptr_t lowest = UINTPTR_MAX, highest;

void hd_blocks_start(void) {
  /* libc's, also where the program brings another allocator: the blocks are libc's. */
  void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  usable = libc ? (size_t(*)(void *))dlsym(libc, "malloc_usable_size") : NULL;
  leaves = hd_map(LEAVES * sizeof *leaves);
  remembered = hd_map(REMEMBERED * sizeof *remembered);
  hd_blocks_on = usable && leaves && remembered;
}

static Leaf *leaf_at(uintptr_t address) { return atomic_load_explicit(&leaves[LEAF_OF(address)], memory_order_acquire); }

static Leaf *leaf_for(uintptr_t address) {
  Leaf *leaf = leaf_at(address);
  if (HD_LIKELY(leaf)) return leaf;
  Leaf *made = hd_map(sizeof *made);
  if (!made || atomic_compare_exchange_strong(&leaves[LEAF_OF(address)], &leaf, made)) return made;
  return leaf;
}

static Freed *remembered_at(uintptr_t block) { return &remembered[(block >> 4) * 0x9e3779b97f4a7c15ull >> 49]; }

size_t hd_block_size(void *block) { return usable ? usable(block) : 0; }

void hd_block_made(void *block) {
  uintptr_t a = (uintptr_t)block;
  Leaf *leaf = leaf_for(a);
  if (!leaf) return;
  atomic_fetch_or_explicit(&leaf->live[WORD_OF(a)], BIT_OF(a), memory_order_relaxed);
  _Atomic uint64_t *freed = &leaf->freed[WORD_OF(a)];
  if (atomic_load_explicit(freed, memory_order_relaxed) & BIT_OF(a)) atomic_fetch_and_explicit(freed, ~BIT_OF(a), memory_order_relaxed);
}

/* Is the address inside a block that is there? The nearest beginning below it tells. */
static bool in_the_middle(uintptr_t a) {
  size_t word = WORD_OF(a);
  uint64_t mask = (BIT_OF(a) << 1) - 1;
  uintptr_t base = a >> LEAF_SHIFT << LEAF_SHIFT;
  for (int i = 0; i < SEARCHED; i++, base -= 1ull << LEAF_SHIFT) {
    Leaf *leaf = leaf_at(base);
    for (size_t w = word + 1; leaf && w-- > 0; mask = ~0ull) {
      uint64_t bits = atomic_load_explicit(&leaf->live[w], memory_order_relaxed) & mask;
      if (!bits) continue;
      uintptr_t block = base + (w << 10) + ((uintptr_t)(63 - __builtin_clzll(bits)) << 4);
      return a < block + usable((void *)block);
    }
    word = BLOCK_WORDS - 1;
    mask = ~0ull;
  }
  return false;
}

int hd_block_gone(void *block, const char *who, void *pc) {
  uintptr_t a = (uintptr_t)block;
  Leaf *leaf = leaf_at(a);
  uint64_t bit = BIT_OF(a);
  bool aligned = !(a & 15);
  if (HD_LIKELY(leaf && aligned && atomic_fetch_and_explicit(&leaf->live[WORD_OF(a)], ~bit, memory_order_relaxed) & bit)) {
    *remembered_at(a) = (Freed){a, who, pc};
    atomic_fetch_or_explicit(&leaf->freed[WORD_OF(a)], bit, memory_order_relaxed);
    return HD_FREE_FINE;
  }
  /* In this order: the bit of a freed block can be left over where it has become part of a larger one. */
  if (in_the_middle(a)) return HD_FREE_MIDDLE;
  return leaf && aligned && atomic_load_explicit(&leaf->freed[WORD_OF(a)], memory_order_relaxed) & bit ? HD_FREE_AGAIN : HD_FREE_UNKNOWN;
}

void hd_block_freed_by(uintptr_t block, const char **who, void **pc) {
  Freed freed = *remembered_at(block);
  bool same = freed.block == block;
  *who = same ? freed.who : "-";
  *pc = same ? freed.pc : NULL;
}

/* Both change whole words of 512 bytes where they can. */
static void each_word(uintptr_t from, size_t bytes, bool set) {
  uintptr_t to = from + ((bytes + 7) & ~7ull);
  while (from < to) {
    Leaf *leaf = leaf_for(from);
    if (!leaf) return;
    uintptr_t next = (from | 511) + 1;
    uint64_t bits = ~0ull << ((from >> 3) & 63);
    if (next > to) bits &= (1ull << ((to >> 3) & 63)) - 1;
    _Atomic uint64_t *word = &leaf->poison[(from & ((1u << LEAF_SHIFT) - 1)) >> 9];
    if (set) atomic_fetch_or_explicit(word, bits, memory_order_relaxed);
    else atomic_fetch_and_explicit(word, ~bits, memory_order_relaxed);
    from = next;
  }
}

void hd_bits_set(uintptr_t from, size_t bytes) {
  uintptr_t at = atomic_load(&lowest);
  while (from < at && !atomic_compare_exchange_weak(&lowest, &at, from)) {}
  at = atomic_load(&highest);
  while (from + bytes > at && !atomic_compare_exchange_weak(&highest, &at, from + bytes)) {}
  each_word(from, bytes, true);
}

void hd_bits_clear(uintptr_t from, size_t bytes) { each_word(from, bytes, false); }

bool hd_is_freed(uintptr_t a) {
  if (a >= atomic_load_explicit(&highest, memory_order_relaxed) || a < atomic_load_explicit(&lowest, memory_order_relaxed)) return false;
  Leaf *leaf = leaf_at(a);
  return leaf && atomic_load_explicit(&leaf->poison[(a & ((1u << LEAF_SHIFT) - 1)) >> 9], memory_order_relaxed) >> ((a >> 3) & 63) & 1;
}

bool hd_bits_any(uintptr_t from, size_t bytes) {
  uintptr_t to = from + bytes;
  if (from >= atomic_load_explicit(&highest, memory_order_relaxed)) return false;
  if (to <= atomic_load_explicit(&lowest, memory_order_relaxed)) return false;
  /* Blocks have at least 24 bytes: looking at every third word of 8 and at the last one misses none. */
  for (uintptr_t a = from; a < to; a += 24)
    if (hd_is_freed(a)) return true;
  return hd_is_freed(to - 1);
}
