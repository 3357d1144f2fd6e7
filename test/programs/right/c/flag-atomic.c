/* A thread waits for another by looking at an atomic flag again and again; what was written before the flag is read after it. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int payload;
static atomic_bool ready;

static void *producer(void *none) {
  payload = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return none;
}

static void *consumer(void *none) {
  while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
  assert(payload == 42);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("payload %d\n", payload);
  return 0;
}
