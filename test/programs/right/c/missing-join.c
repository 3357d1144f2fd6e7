/* A sum computed by a thread. Main joins it and takes the result. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long sum;

static void *add_up(void *none) {
  long mine = 0;
  for (int i = 1; i <= 100; i++) mine += i;
  sum = mine;
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add_up, NULL);
  pthread_join(thread, NULL);
  long result = sum;
  assert(result == 5050);
  printf("%ld\n", result);
  return 0;
}
