/*
 * A sum computed by a thread.
 * Wrong: main takes the result when it thinks it should be there, and joins after that.
 */
// expects: data-race, order-violation at sum
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long sum;

static void *add_up(void *none) {
  long mine = 0;
  for (int i = 1; i <= 100; i++) mine += i;
  sum = mine; // bug
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add_up, NULL);
  usleep(25000);
  long result = sum; // bug
  pthread_join(thread, NULL);
  assert(result == 5050);
  printf("%ld\n", result);
  return 0;
}
