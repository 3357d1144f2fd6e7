/*
 * A thread waits for another by a volatile flag and sleeps meanwhile, as programs did before C11. The language calls it a race, and the
 * sanitizer reports it; on the machines it was written for it does what it should, in every order.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int payload;
static volatile int ready;

static void *producer(void *none) {
  payload = 42;
  ready = 1;
  return none;
}

static void *consumer(void *none) {
  while (!ready) usleep(100);
  assert(payload == 42);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("payload %d\n", payload);
  return 0;
}
