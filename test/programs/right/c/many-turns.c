/*
 * Two threads add to each other's number.
 * Right: the limit is more than they can come to.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 5
#define LIMIT 145
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a = 1, b = 1;

static void *first(void *none) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    a += b;
    pthread_mutex_unlock(&lock);
  }
  return none;
}

static void *second(void *none) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    b += a;
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
  if (a >= LIMIT || b >= LIMIT) abort();
  puts("below the limit");
  return 0;
}
