/* Read, copy, update: a writer replaces the settings by a changed copy. Old ones are freed when the readers have ended. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int width, height;
} Settings;

#define UPDATES 3
static _Atomic(Settings *) current;
static Settings *old[UPDATES];

static void *reader(void *none) {
  for (int i = 0; i < 3; i++) {
    Settings *now = atomic_load_explicit(&current, memory_order_acquire);
    assert(now->height == 2 * now->width);
  }
  return none;
}

static void *writer(void *none) {
  for (int i = 0; i < UPDATES; i++) {
    Settings *copy = malloc(sizeof *copy);
    *copy = *atomic_load_explicit(&current, memory_order_relaxed);
    copy->width++;
    copy->height += 2;
    old[i] = atomic_exchange_explicit(&current, copy, memory_order_acq_rel);
  }
  return none;
}

int main(void) {
  Settings *first = malloc(sizeof *first);
  *first = (Settings){1, 2};
  atomic_store(&current, first);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (int i = 0; i < UPDATES; i++) free(old[i]);
  printf("%d by %d\n", current->width, current->height);
  free(current);
  return 0;
}
