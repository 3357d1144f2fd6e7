/*
 * A place for one thing, with two threads that fill it and two that empty it.
 * Wrong: both wait on one condition, and signal may wake one who cannot go on, while the one who could sleeps.
 */
// expects: deadlock, order-violation, atomicity, data-race
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full;

static void *put(void *none) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (is_full) pthread_cond_wait(&changed, &lock); // bug
    is_full = 1; // bug
    pthread_cond_signal(&changed); // bug
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void *take(void *none) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (!is_full) pthread_cond_wait(&changed, &lock); // bug
    is_full = 0; // bug
    pthread_cond_signal(&changed); // bug
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? take : put, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  printf("%d left\n", is_full);
  return 0;
}
