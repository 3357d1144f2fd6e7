/*
 * The halves of a pair are the same, under a lock that is waited for for a second.
 * Wrong: whether it got the lock in time is not looked at, and another thread is in the middle of it.
 */
// expects: order-violation, typestate, data-race, atomicity at lock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *change(void *none) {
  pthread_mutex_lock(&lock); // bug
  left++;
  right++;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *look(void *none) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  pthread_mutex_timedlock(&lock, &until); // bug
  assert(left == right); // bug
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
