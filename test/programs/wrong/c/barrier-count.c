/*
 * Four threads fill a part of a table each, meet, and read the part of their neighbour.
 * Wrong: the barrier waits for two. Two threads go on while the other two still fill their parts.
 */
// expects: data-race, order-violation at part
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 4
static pthread_barrier_t filled;
static int part[THREADS];

static void *worker(void *number) {
  int own = *(int *)number, next = (own + 1) % THREADS;
  part[own] = own + 1; // bug
  pthread_barrier_wait(&filled);
  usleep(25000);
  assert(part[next] == next + 1); // bug
  return NULL;
}

int main(void) {
  pthread_barrier_init(&filled, NULL, THREADS / 2);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, worker, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&filled);
  printf("%d parts\n", THREADS);
  return 0;
}
