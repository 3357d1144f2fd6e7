/*
 * Two customers draw numbers, and the lower one is served first.
 * Wrong: that somebody is drawing is not told. Who is slow between looking and drawing gets a number that is too low, and both are served at once.
 */
// expects: order-violation, atomicity, data-race, not isolated at number
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 2
static atomic_int drawing[N], number[N], served;

static void *customer(void *which) {
  int me = (int)(long)which, highest = 0;
  for (int i = 0; i < N; i++) {
    int there = number[i]; // bug
    if (there > highest) highest = there;
  }
  number[me] = highest + 1; // bug
  for (int i = 0; i < N; i++) {
    if (i == me) continue;
    while (drawing[i]) sched_yield();
    for (;;) {
      int there = number[i]; // bug
      if (there == 0 || there > number[me] || (there == number[me] && i > me)) break;
      sched_yield();
    }
  }
  assert(served == 0); // bug
  served = 1;          // bug
  served = 0;          // bug
  number[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, customer, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  puts("served");
  return 0;
}
