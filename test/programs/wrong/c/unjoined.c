/*
 * A value is put and then announced by one thread, reset by another, looked at by a third. Nobody waits for them: main returns while they may not have begun.
 * Wrong: who sees the announcement need not see the value.
 */
// expects: data-race, order-violation, atomicity
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int value, announced;

static void *put(void *none) {
  value = 7; // bug
  announced = 1; // bug
  return none;
}

static void *reset(void *none) {
  value = 0; // bug
  return none;
}

static void *look(void *none) {
  if (announced) assert(value == 7); // bug
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  pthread_detach(thread);
  pthread_create(&thread, NULL, reset, NULL);
  pthread_detach(thread);
  pthread_create(&thread, NULL, put, NULL);
  printf("good bye\n");
  return 0;
}
