/* A row that comes during a write goes into the next batch. Fails when that is written first. With -DRIGHT it does not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(int *at) {
  pthread_mutex_lock(&lock);
  int value = *at;
  pthread_mutex_unlock(&lock);
  return value;
}

static void set(int *at, int value) {
  pthread_mutex_lock(&lock);
  *at = value;
  pthread_mutex_unlock(&lock);
}

static int writing, last;

static void *writer(void *none) {
  set(&writing, 1);
#ifdef RIGHT
  set(&last, 1);
#else
  if (get(&last) > 1) abort();
  set(&last, 1);
#endif
  set(&writing, 0);
  return none;
}

static void *adder(void *none) {
  usleep(100000);
  if (get(&writing)) set(&last, 2);
  return none;
}

static void *(*run[])(void *) = {writer, adder};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
