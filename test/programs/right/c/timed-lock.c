/*
 * The halves of a pair are the same, under a lock that is waited for for a second.
 * Right: where it did not get the lock in time, it waits on.
 */

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *change(void *none) {
  pthread_mutex_lock(&lock);
  left++;
  right++;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *look(void *none) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  if (pthread_mutex_timedlock(&lock, &until) != 0) pthread_mutex_lock(&lock);
  assert(left == right);
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  usleep(20000);
  pthread_create(&b, NULL, look, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  puts("the same");
  return 0;
}
