/* Statistics with a lock that must not make anybody wait: where trylock fails, the count is kept for later. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static atomic_int later;

static void count(void) {
  if (pthread_mutex_trylock(&lock) != 0) {
    atomic_fetch_add(&later, 1);
    return;
  }
  int now = hits;
  hits = now + 1;
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
  assert(hits + later == 6);
  printf("%d hits\n", hits + later);
  return 0;
}
