/*
 * A table with a lock is torn down at the end of the program.
 * Wrong: nobody waits for the thread that still may be in its section. The lock is destroyed while it is held.
 */
// expects: order-violation, typestate, data-race, atomicity at lock
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rows;

static void *fill(void *none) {
  pthread_mutex_lock(&lock); // bug
  for (int i = 0; i < 3; i++) rows++;
  pthread_mutex_unlock(&lock); // bug
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  usleep(25000);
  int busy = pthread_mutex_destroy(&lock); // bug
  assert(!busy);
  pthread_join(thread, NULL);
  printf("%d rows\n", rows);
  return 0;
}
