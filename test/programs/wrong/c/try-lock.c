/*
 * Statistics with a lock that must not make anybody wait: trylock.
 * Wrong: nobody looks whether it was taken. Where it was not, the count goes on without it.
 */
// expects: atomicity, order-violation, data-race
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void count(void) {
  pthread_mutex_trylock(&lock); // bug
  int now = hits; // bug
  hits = now + 1; // bug
  pthread_mutex_unlock(&lock);
}

static void *serve(void *delay) {
  usleep(*(int *)delay);
  for (int i = 0; i < 3; i++) count();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, late = 12000;
  pthread_create(&a, NULL, serve, &now);
  pthread_create(&b, NULL, serve, &late);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(hits == 6);
  printf("%d hits\n", hits);
  return 0;
}
