/* Settings come from a file, or from the defaults where that is not there yet. Fails when both are late. With -DRIGHT it does not. */
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

static int settings, defaults;

static void *load_settings(void *none) {
  set(&settings, 1);
  return none;
}

static void *load_defaults(void *none) {
  set(&defaults, 2);
  return none;
}

static void *begin(void *none) {
  usleep(100000);
  int name = get(&settings);
  usleep(1000);
  if (name == 0) name = get(&defaults);
#ifndef RIGHT
  if (name == 0) abort();
#endif
  return none;
}

static void *(*run[])(void *) = {load_settings, load_defaults, begin};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
