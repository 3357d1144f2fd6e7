/* A loader makes the settings that the others use as soon as the pointer is there: filled in first, published with release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int workers;
  const char *name;
} Settings;

static _Atomic(Settings *) settings;

static void *load(void *none) {
  Settings *made = calloc(1, sizeof *made);
  made->workers = 4;
  made->name = "west";
  atomic_store_explicit(&settings, made, memory_order_release);
  return none;
}

static void *use(void *none) {
  usleep(12000);
  Settings *now = atomic_load_explicit(&settings, memory_order_acquire);
  if (!now) return none; // the built-in ones will do
  assert(now->workers == 4);
  assert(now->name[0] == 'w');
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, load, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d workers\n", settings->workers);
  free(settings);
  return 0;
}
