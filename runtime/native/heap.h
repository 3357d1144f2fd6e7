/* Declarations shared by the files about memory: blocks.c (which blocks exist), poison.c (freed blocks), memory.c, new.c, ranges.c and strings.c. */
#ifndef HEDDLE_HEAP_H
#define HEDDLE_HEAP_H
#include "heddle.h"

/* Set by hd_memory_start: from then on every block is noted. */
extern bool hd_blocks_on;

enum { HD_FREE_FINE, HD_FREE_AGAIN, HD_FREE_MIDDLE, HD_FREE_UNKNOWN };

/* --- blocks.c --- */
void hd_blocks_start(void);
void hd_block_made(void *block);
/* Is it a block that may be freed? If so, it is no longer one: of two threads that ask, one is told so. */
int hd_block_gone(void *block, const char *who, void *pc);
/* The thread and the place that freed this block, as far as remembered; "-" and NULL where not. */
void hd_block_freed_by(uintptr_t block, const char **who, void **pc);
size_t hd_block_size(void *block);
/* Bits of poison.c, one for 8 bytes. */
void hd_bits_set(uintptr_t from, size_t bytes);
void hd_bits_clear(uintptr_t from, size_t bytes);
bool hd_bits_any(uintptr_t from, size_t bytes);

/* --- poison.c --- */
void hd_poison_start(void);
/* Fills the block and keeps it; false if it is too large to be kept: then it is given back. */
bool hd_poison_keep(void *block, const char *who, void *pc);

/* --- memory.c: the same as malloc and the others, for the given place of the program --- */
void *hd_malloc_at(size_t size, void *pc);
void *hd_memalign_at(size_t alignment, size_t size, void *pc);
void hd_free_at(void *block, void *pc);
/* False where the program has its own malloc: then what it may free must come from that one. */
bool hd_malloc_is_ours(void);

/* --- keys.c --- */
/* A destructor of thread-specific data was called from there. */
void hd_destructors_from(void *pc);
void *hd_site_of_free(void *pc);

/* --- ranges.c --- */
void hd_ranges_start(void);
void hd_strings_start(void); /* strings.c */
void hd_fill(void *at, int byte, size_t bytes);
void hd_copy(void *to, const void *from, size_t bytes);
/* The thread, if ranges count now. */
Thread *hd_range_enter(void);
/* After a step of this kind: its record, and whether it touched what is freed. */
void hd_range_touched(Thread *t, int kind, const void *at, size_t bytes, void *pc);
/* A step that reads or writes (HD_RANGE_READ, HD_RANGE_WRITE) so many bytes; nothing while there is one thread. */
void hd_range(Thread *t, int kind, const void *at, size_t bytes, void *pc);

/* glibc's own, which are never interposed. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

#endif
