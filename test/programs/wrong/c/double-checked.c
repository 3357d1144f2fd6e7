/*
 * A dictionary that is loaded at its first use: look, lock, look again, load.
 * Wrong: the pointer is set before the words are there. A thread that looks in between skips the lock and uses an empty dictionary.
 */
// expects: data-race, order-violation at double-checked.c
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int words;
} Dictionary;

static _Atomic(Dictionary *) loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Dictionary *dictionary(void) {
  Dictionary *it = atomic_load_explicit(&loaded, memory_order_acquire); // bug
  if (it) return it;
  pthread_mutex_lock(&lock);
  it = atomic_load_explicit(&loaded, memory_order_relaxed);
  if (!it) {
    it = calloc(1, sizeof *it);
    atomic_store_explicit(&loaded, it, memory_order_release); // bug
    it->words = 1000; // bug
  }
  pthread_mutex_unlock(&lock);
  return it;
}

static void *spell(void *delay) {
  usleep(*(int *)delay);
  assert(dictionary()->words == 1000); // bug
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, spell, &now);
  pthread_create(&b, NULL, spell, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d words\n", loaded->words);
  free(loaded);
  return 0;
}
