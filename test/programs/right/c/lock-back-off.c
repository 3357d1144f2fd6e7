/* Two locks in opposite orders, but the second one by trylock: who does not get it gives the first one back and begins again. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void move(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) break;
    pthread_mutex_unlock(first);
    sched_yield();
  }
  moved++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *to_right(void *none) {
  for (int i = 0; i < 2; i++) move(&left, &right);
  return none;
}

static void *to_left(void *none) {
  for (int i = 0; i < 2; i++) move(&right, &left);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, to_right, NULL);
  pthread_create(&b, NULL, to_left, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(moved == 4);
  printf("%d moved\n", moved);
  return 0;
}
