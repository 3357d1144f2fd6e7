/* Counters of a server with relaxed atomics, and a gauge that several threads set to what they see. Only the counters are exact. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long requests, bytes, last_size;

static void *serve(void *size) {
  for (int i = 0; i < 3; i++) {
    atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, *(int *)size, memory_order_relaxed);
    atomic_store_explicit(&last_size, *(int *)size, memory_order_relaxed);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int small = 10, large = 1000;
  pthread_create(&a, NULL, serve, &small);
  pthread_create(&b, NULL, serve, &large);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(requests == 6 && bytes == 3030);
  assert(last_size == 10 || last_size == 1000);
  printf("%ld requests, %ld bytes\n", requests, bytes);
  return 0;
}
