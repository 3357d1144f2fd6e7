/*
 * A thread looks whether the main thread is at work, by trying its lock.
 * Wrong: who gets the lock never gives it back.
 */
// expects: order-violation, deadlock at lock
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *look(void *none) {
  if (pthread_mutex_trylock(&lock) == 0) { // bug
    busy = 0; // bug
  }
  return none;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&lock);
  busy = 1;
  pthread_create(&a, NULL, look, NULL);
  usleep(40000);
  pthread_mutex_unlock(&lock); // bug
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  puts("done");
  return 0;
}
