/*
 * The filter lock of three threads: at each level one who came last stays behind.
 * Right: of N threads N - 1 levels let one through.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 3
#define LEVELS 2

static atomic_int level[N], victim[N];
static int counter;

static int anyAtOrAbove(int me, int l) {
  for (int k = 0; k < N; k++)
    if (k != me && atomic_load(&level[k]) >= l) return 1;
  return 0;
}

static void *worker(void *number) {
  int me = (int)(long)number;
  for (int l = 1; l <= LEVELS; l++) {
    atomic_store(&level[me], l);
    atomic_store(&victim[l], me);
    while (anyAtOrAbove(me, l) && atomic_load(&victim[l]) == me) sched_yield();
  }
  counter++;
  atomic_store(&level[me], 0);
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
