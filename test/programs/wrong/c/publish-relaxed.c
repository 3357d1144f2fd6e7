/*
 * Routes of a router: a new table is made ready and published by an atomic flag.
 * Wrong: the flag goes up before the last entry is written, and it is relaxed: nothing orders the table with it.
 */
// expects: data-race, order-violation
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define SIZE 4
static int route[SIZE];
static atomic_int usable;

static void *build(void *none) {
  for (int i = 0; i < SIZE; i++) {
    if (i == SIZE - 1) atomic_store_explicit(&usable, 1, memory_order_relaxed); // bug
    route[i] = 10 + i; // bug
  }
  return none;
}

static void *forward(void *none) {
  usleep(12000);
  if (!atomic_load_explicit(&usable, memory_order_relaxed)) return none; // bug
  for (int packet = 0; packet < SIZE; packet++) assert(route[packet] == 10 + packet); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, build, NULL);
  pthread_create(&b, NULL, forward, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d routes\n", SIZE);
  return 0;
}
