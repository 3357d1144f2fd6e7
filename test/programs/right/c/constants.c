/* A table filled before the threads start is read by all of them without a lock; results come back by join. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int squares[8];
static const char *unit;

static void *look_up(void *argument) {
  int *value = argument;
  assert(unit[0] == 'm');
  *value = squares[*value];
  return value;
}

int main(void) {
  for (int i = 0; i < 8; i++) squares[i] = i * i;
  unit = "m";
  pthread_t threads[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int *value = malloc(sizeof *value);
    *value = i + 2;
    pthread_create(&threads[i], NULL, look_up, value);
  }
  for (int i = 0; i < 3; i++) {
    void *value;
    pthread_join(threads[i], &value);
    sum += *(int *)value;
    free(value);
  }
  assert(sum == 29);
  printf("%d %s\n", sum, unit);
  return 0;
}
