/* Three threads in three phases over two arrays: read one, write the other, meet, change them over. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define PHASES 3
static pthread_barrier_t meet;
static int cells[2][THREADS] = {{1, 1, 1}};
static int serial;

static void *worker(void *number) {
  int own = *(int *)number;
  for (int phase = 0; phase < PHASES; phase++) {
    int *from = cells[phase % 2], *to = cells[1 - phase % 2];
    to[own] = from[own] + from[(own + 1) % THREADS];
    if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    pthread_barrier_wait(&meet);
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&meet, NULL, THREADS);
  pthread_t threads[THREADS];
  int numbers[THREADS] = {0, 1, 2};
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meet);
  assert(serial == PHASES);
  for (int i = 0; i < THREADS; i++) assert(cells[PHASES % 2][i] == 8);
  printf("%d\n", cells[PHASES % 2][0]);
  return 0;
}
