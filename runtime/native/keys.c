/*
 * Thread-specific data that is freed at the end of a thread. If the destructor of a key is `free`, libc calls it with no code of the program on the
 * stack. The site of that free is then the line that created the key.
 */
#include "heddle.h"
#include "heap.h"
#include "real.h"
#include <pthread.h>
#include <stdlib.h>

/* Where such keys are made; SEVERAL: in more than one place, and a block does not say which key it was kept under. */
#define SEVERAL ((void *)1)
static void *_Atomic made_at;
/* Where libc calls destructors from. */
static void *_Atomic called_from;

HD_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  void *none = NULL, *pc = HD_CALLER;
  if (hd_me && destructor == free && hd_in_program(pc) && !atomic_compare_exchange_strong(&made_at, &none, pc) && none != pc)
    atomic_store(&made_at, SEVERAL);
  return REAL(pthread_key_create)(key, destructor);
}

void hd_destructors_from(void *pc) { atomic_store_explicit(&called_from, pc, memory_order_relaxed); }

void *hd_site_of_free(void *pc) {
  void *made = atomic_load_explicit(&made_at, memory_order_relaxed);
  if (HD_LIKELY(!made || made == SEVERAL || pc != atomic_load_explicit(&called_from, memory_order_relaxed))) return hd_site(pc);
  return hd_site_for(pc, made);
}
