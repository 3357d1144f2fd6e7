/*
 * Two threads add to each other's number.
 * Wrong: the limit is what they come to if they take turns at every single addition.
 */
// expects: atomicity, order-violation, data-race, not isolated
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 5
#define LIMIT 144
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a = 1, b = 1;

static void *first(void *none) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock); // bug
    a += b; // bug
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void *second(void *none) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock); // bug
    b += a; // bug
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  if (a >= LIMIT || b >= LIMIT) abort(); // bug
  puts("below the limit");
  return 0;
}
