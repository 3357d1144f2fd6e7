/* A dictionary that is loaded at its first use: look, lock, look again, load, and publish with release. */
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
  Dictionary *it = atomic_load_explicit(&loaded, memory_order_acquire);
  if (it) return it;
  pthread_mutex_lock(&lock);
  it = atomic_load_explicit(&loaded, memory_order_relaxed);
  if (!it) {
    it = calloc(1, sizeof *it);
    it->words = 1000;
    atomic_store_explicit(&loaded, it, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return it;
}

static void *spell(void *delay) {
  usleep(*(int *)delay);
  assert(dictionary()->words == 1000);
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
