/*
 * Two threads tell each other how far they are.
 * Wrong: the last step is taken to be impossible. It is reached when each sees every step of the other.
 */
// expects: atomicity, order-violation, data-race, not isolated
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int left, right;

static void *first(void *none) {
  left = 1; // bug
  if (right != 1) return none; // bug
  left = 2; // bug
  if (right == 2) abort(); // bug
  return none;
}

static void *second(void *none) {
  usleep(5000);
  if (left != 1) return none; // bug
  right = 1; // bug
  if (left == 2) right = 2; // bug
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
