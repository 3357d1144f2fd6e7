/*
 * Two threads count what they have done. They try the lock first.
 * Wrong: when the other thread is at it the count is dropped.
 */
// expects: order-violation at lock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *none) {
  if (pthread_mutex_trylock(&lock) != 0) return none; // bug
  done++; // bug
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  usleep(30000);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("done %d\n", done);
  assert(done == 2);
  return 0;
}
