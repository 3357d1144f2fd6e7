/*
 * A configuration behind a lock for readers and writers.
 * Wrong: while it is being changed a reader gets nothing, and uses that.
 */
// expects: order-violation at lock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int limit = 10;

static void *change(void *none) {
  pthread_rwlock_wrlock(&lock); // bug
  limit *= 2;
  pthread_rwlock_unlock(&lock);
  return none;
}

static void *serve(void *none) {
  int now = 0;
  usleep(30000);
  if (pthread_rwlock_tryrdlock(&lock) == 0) { // bug
    now = limit;
    pthread_rwlock_unlock(&lock);
  }
  assert(now >= 10); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, serve, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("limit %d\n", limit);
  return 0;
}
