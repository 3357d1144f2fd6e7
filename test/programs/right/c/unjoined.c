/*
 * A value is put and announced by one thread and looked at by another. Nobody waits for them: main returns while they may not have begun.
 * Right: value and announcement change together, under a lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, announced;

static void *put(void *none) {
  pthread_mutex_lock(&lock);
  value = 7;
  announced = 1;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *reset(void *none) {
  pthread_mutex_lock(&lock);
  value = 0;
  announced = 0;
  pthread_mutex_unlock(&lock);
  return none;
}

static void *look(void *none) {
  pthread_mutex_lock(&lock);
  if (announced) assert(value == 7);
  pthread_mutex_unlock(&lock);
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
