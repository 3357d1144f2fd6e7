/* A payment is tried again when no answer is seen. Fails when the first try is late and comes after the second was closed. With -DRIGHT it does not. */
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

static int answered, closed;

static void *first_try(void *none) {
  if (get(&closed)) {
#ifndef RIGHT
    abort();
#endif
    return none;
  }
  set(&answered, 1);
  return none;
}

static void *watcher(void *none) {
  usleep(100000);
  if (!get(&answered)) {
    set(&answered, 2);
    set(&closed, 1);
  }
  return none;
}

static void *(*run[])(void *) = {first_try, watcher};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
