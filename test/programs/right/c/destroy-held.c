/* A table with a lock is torn down at the end of the program, after the thread that uses it has ended. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rows;

static void *fill(void *none) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 3; i++) rows++;
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  pthread_join(thread, NULL);
  int busy = pthread_mutex_destroy(&lock);
  assert(!busy);
  printf("%d rows\n", rows);
  return 0;
}
