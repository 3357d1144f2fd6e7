/*
 * Peterson's lock of two threads around a plain counter, three rounds each.
 * Wrong: the turn is given away before the own flag is set, so both can be in, and a count is lost.
 */
// expects: order-violation, atomicity, data-race, not isolated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int counter;

static void *worker(void *number) {
  int own = *(int *)number, other = 1 - own;
  for (int i = 0; i < 3; i++) {
    atomic_store(&turn, other);                                                    // bug
    atomic_store(&wants[own], 1);                                                  // bug
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) sched_yield(); // bug
    counter++;                                                                     // bug
    atomic_store(&wants[own], 0);                                                  // bug
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, worker, &zero);
  pthread_create(&b, NULL, worker, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 6);
  printf("counter %d\n", counter);
  return 0;
}
