/* Routes of a router: a new table is made ready and published by an atomic flag, with release and acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define SIZE 4
static int route[SIZE];
static atomic_int usable;

static void *build(void *none) {
  for (int i = 0; i < SIZE; i++) route[i] = 10 + i;
  atomic_store_explicit(&usable, 1, memory_order_release);
  return none;
}

static void *forward(void *none) {
  usleep(12000);
  if (!atomic_load_explicit(&usable, memory_order_acquire)) return none;
  for (int packet = 0; packet < SIZE; packet++) assert(route[packet] == 10 + packet);
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
