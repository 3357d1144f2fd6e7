/* A ticket lock: take a number, wait until it is called. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint next_ticket, called;
static int served;

static void *customer(void *none) {
  for (int i = 0; i < 2; i++) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load_explicit(&called, memory_order_acquire) != mine) sched_yield();
    served++;
    atomic_store_explicit(&called, mine + 1, memory_order_release);
  }
  return none;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, customer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(served == 6);
  printf("%d served\n", served);
  return 0;
}
