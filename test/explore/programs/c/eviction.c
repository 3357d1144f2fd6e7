/* A sweep evicts what was loaded while it ran. Fails when a reader comes back to it. With -DRIGHT it does not. */
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

static int sweeping, entry, late;

static void *reader(void *none) {
  int during = get(&sweeping);
  set(&entry, 1);
  if (during) {
    set(&late, 1);
#ifndef RIGHT
    if (get(&entry) == 0) abort();
#endif
  }
  return none;
}

static void *sweeper(void *none) {
  usleep(100000);
  set(&sweeping, 1);
  if (get(&late)) set(&entry, 0);
  set(&sweeping, 0);
  return none;
}

static void *(*run[])(void *) = {reader, sweeper};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
