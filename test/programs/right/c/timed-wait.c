/* A thread waits for a result, some milliseconds at a time, and looks each time whether it is there. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int result;

static void *waiter(void *none) {
  pthread_mutex_lock(&lock);
  while (result == 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    int answer = pthread_cond_timedwait(&changed, &lock, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
  }
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  usleep(5000);
  pthread_mutex_lock(&lock);
  result = 9;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  printf("result %d\n", result);
  return 0;
}
