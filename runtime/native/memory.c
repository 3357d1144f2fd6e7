/*
 * malloc, free and related functions: they are recorded as steps, and misuse is reported. The blocks come from glibc's own allocator.
 *
 * Every block is noted (blocks.c), also if the runtime caused the allocation. Only the program's own calls are recorded.
 */
#include "heap.h"
#include "objects.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

void hd_memory_start(void) {
  hd_ranges_start();
  hd_blocks_start();
  hd_poison_start();
}

static void *noted(void *block) {
  if (block && hd_blocks_on) hd_block_made(block);
  return block;
}

static void *recorded(Thread *t, void *block, size_t size, void *pc) {
  int error = errno;
  noted(block);
  hd_record(t, HD_ALLOC, block, size, pc);
  hd_leave(t);
  errno = error;
  return block;
}

/* The body of everything that makes a block by `call`. */
#define MAKE(call, size, pc)            \
  do {                                  \
    Thread *t = hd_enter();             \
    if (!t) return noted(call);         \
    hd_step(t, HD_ALLOC, NULL, pc);     \
    return recorded(t, call, size, pc); \
  } while (0)

void *hd_malloc_at(size_t size, void *pc) { MAKE(__libc_malloc(size), size, pc); }
void *hd_memalign_at(size_t alignment, size_t size, void *pc) { MAKE(__libc_memalign(alignment, size), size, pc); }

/* May the block be given back? Tells what is wrong with it if not. */
static bool fine(Thread *t, void *block, void *pc) {
  const char *who = "-";
  void *earlier = NULL;
  switch (hd_block_gone(block, t ? t->name : "-", pc)) {
    case HD_FREE_AGAIN:
      hd_block_freed_by((uintptr_t)block, &who, &earlier);
      hd_violation(t, "double free", block, pc, who, earlier);
      return false;
    case HD_FREE_MIDDLE:
      hd_violation(t, "bad free", block, pc, who, earlier);
      return false;
    default:
      return true;
  }
}

/* With poison a wrong free is told and left out, so that what comes after it can still be seen. Else it does what it would do. */
static void give_back(Thread *t, void *block, bool is_fine, void *pc) {
  if (is_fine) hd_forget(block, hd_block_size(block));
  if (hd_config.poison && (!is_fine || hd_poison_keep(block, t ? t->name : "-", pc))) return;
  __libc_free(block);
}

void hd_free_at(void *block, void *pc) {
  if (!block) return;
  if (!hd_blocks_on) {
    __libc_free(block);
    return;
  }
  int error = errno;
  Thread *t = hd_enter();
  if (t) hd_step(t, HD_FREE, block, pc);
  void *site = hd_site_of_free(pc);
  bool is_fine = fine(t ? t : hd_me, block, site);
  if (t) hd_record(t, HD_FREE, block, is_fine ? hd_block_size(block) : 0, site);
  give_back(t ? t : hd_me, block, is_fine, site);
  if (t) hd_leave(t);
  errno = error;
}

/* With poison the block always moves, so that the old pointer is a freed one. */
static void *moved(Thread *t, void *block, size_t size, bool is_fine, void *pc) {
  if (!hd_config.poison) {
    if (is_fine) hd_forget(block, hd_block_size(block));
    return __libc_realloc(block, size);
  }
  void *made = __libc_malloc(size);
  if (!made || !is_fine) return made;
  size_t old = hd_block_size(block);
  hd_copy(made, block, old < size ? old : size);
  give_back(t, block, true, pc);
  return made;
}

/* A free and an alloc: two steps. The new block is nobody else's before the second, so both can be done in the first. */
static void *realloc_at(void *block, size_t size, void *pc) {
  if (!block) return hd_malloc_at(size, pc);
  if (!size) {
    hd_free_at(block, pc);
    return NULL;
  }
  if (!hd_blocks_on) return __libc_realloc(block, size);
  Thread *t = hd_enter(), *me = t ? t : hd_me;
  if (t) hd_step(t, HD_FREE, block, pc);
  void *site = hd_site(pc);
  bool is_fine = fine(me, block, site);
  if (t) hd_record(t, HD_FREE, block, is_fine ? hd_block_size(block) : 0, site);
  void *made = noted(moved(me, block, size, is_fine, site));
  if (!made) noted(block); /* it did not get more, and is still what it was */
  if (!t) return made;
  hd_step(t, HD_ALLOC, NULL, pc);
  recorded(t, made ? made : block, size, pc);
  return made;
}

void *hd_own_malloc(size_t size);
void *hd_own_malloc(size_t size) { return hd_malloc_at(size, HD_CALLER); }
HD_EXPORT void *malloc(size_t size) __attribute__((alias("hd_own_malloc")));
HD_EXPORT void *calloc(size_t count, size_t size) { MAKE(__libc_calloc(count, size), count * size, HD_CALLER); }
HD_EXPORT void *realloc(void *block, size_t size) { return realloc_at(block, size, HD_CALLER); }
HD_EXPORT void free(void *block) { hd_free_at(block, HD_CALLER); }
HD_EXPORT void cfree(void *block) { hd_free_at(block, HD_CALLER); }

HD_EXPORT void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc_at(block, bytes, HD_CALLER);
  errno = ENOMEM;
  return NULL;
}

HD_EXPORT void *memalign(size_t alignment, size_t size) { return hd_memalign_at(alignment, size, HD_CALLER); }
HD_EXPORT void *aligned_alloc(size_t alignment, size_t size) { return hd_memalign_at(alignment, size, HD_CALLER); }

HD_EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!alignment || alignment % sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  int error = errno;
  void *block = hd_memalign_at(alignment, size, HD_CALLER);
  errno = error;
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

HD_EXPORT void *valloc(size_t size) { return hd_memalign_at((size_t)getpagesize(), size, HD_CALLER); }
HD_EXPORT void *pvalloc(size_t size) {
  size_t page = (size_t)getpagesize(), rounded = (size + page - 1) & ~(page - 1);
  return hd_memalign_at(page, rounded < size ? size : rounded, HD_CALLER);
}

/* Here for programs that bring another allocator: the blocks are ours all the same. */
HD_EXPORT size_t malloc_usable_size(void *block) { return block ? hd_block_size(block) : 0; }

static void *(*volatile linked_malloc)(size_t) = malloc; /* filled in by the linker, like any call of it */
bool hd_malloc_is_ours(void) { return linked_malloc == hd_own_malloc; }
