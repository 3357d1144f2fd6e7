/* A ring of one producer and one consumer, with atomic positions and plain items. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define SIZE 2
#define ITEMS 5
static int ring[SIZE];
static atomic_uint written, taken;

static void *producer(void *none) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&taken, memory_order_acquire) == SIZE) sched_yield();
    ring[i % SIZE] = (int)i + 100;
    atomic_store_explicit(&written, i + 1, memory_order_release);
  }
  return none;
}

static void *consumer(void *none) {
  for (unsigned i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&written, memory_order_acquire) == i) sched_yield();
    assert(ring[i % SIZE] == (int)i + 100);
    atomic_store_explicit(&taken, i + 1, memory_order_release);
  }
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d items\n", ITEMS);
  return 0;
}
