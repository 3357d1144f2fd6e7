/*
 * Two customers draw numbers, and the lower one is served first.
 * Right: who draws says so, and is waited for.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 2
static atomic_int drawing[N], number[N], served;

static void *customer(void *which) {
  int me = (int)(long)which, highest = 0;
  drawing[me] = 1;
  for (int i = 0; i < N; i++) {
    int there = number[i];
    if (there > highest) highest = there;
  }
  number[me] = highest + 1;
  drawing[me] = 0;
  for (int i = 0; i < N; i++) {
    if (i == me) continue;
    while (drawing[i]) sched_yield();
    for (;;) {
      int there = number[i];
      if (there == 0 || there > number[me] || (there == number[me] && i > me)) break;
      sched_yield();
    }
  }
  assert(served == 0);
  served = 1;
  served = 0;
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
