/* A thread that waits on a condition variable is cancelled; its clean-up handler gives the lock back. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned; // not where it was cancelled before its wait

static void clean_up(void *mutex) {
  cleaned = 1;
  pthread_mutex_unlock(mutex);
}

static void *waiter(void *none) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean_up, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return none;
}

int main(void) {
  pthread_t thread;
  void *value;
  pthread_create(&thread, NULL, waiter, NULL);
  usleep(2000);
  pthread_cancel(thread);
  pthread_join(thread, &value);
  assert(value == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  printf("cancelled\n");
  pthread_mutex_unlock(&lock);
  return 0;
}
