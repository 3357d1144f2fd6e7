/*
 * Two threads tell each other how far they are.
 * Right: the last step is one that nobody takes.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int left, right;

static void *first(void *none) {
  left = 1;
  if (right != 1) return none;
  left = 2;
  if (right == 3) abort();
  return none;
}

static void *second(void *none) {
  usleep(5000);
  if (left != 1) return none;
  right = 1;
  if (left == 2) right = 2;
  return none;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  puts("done");
  return 0;
}
