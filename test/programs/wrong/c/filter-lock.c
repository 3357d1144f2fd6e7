/*
 * The filter lock of three threads: at each level one who came last stays behind.
 * Wrong: there is one level too few. Of three threads two can be in, and a count is lost.
 */
// expects: order-violation, atomicity, data-race, not isolated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 3
#define LEVELS 1

static atomic_int level[N], victim[N];
static int counter;

static int anyAtOrAbove(int me, int l) {
  for (int k = 0; k < N; k++)
    if (k != me && atomic_load(&level[k]) >= l) return 1; // bug
  return 0;
}

static void *worker(void *number) {
  int me = (int)(long)number;
  for (int l = 1; l <= LEVELS; l++) {
    atomic_store(&level[me], l); // bug
    atomic_store(&victim[l], me); // bug
    while (anyAtOrAbove(me, l) && atomic_load(&victim[l]) == me) sched_yield(); // bug
  }
  counter++; // bug
  atomic_store(&level[me], 0); // bug
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  assert(counter == N);
  printf("%d\n", counter);
  return 0;
}
