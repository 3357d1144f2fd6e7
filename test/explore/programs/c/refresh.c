/* A reader that finds a refresh under way takes the old value, and gives it back when the refresh is over. Fails when the session has ended in between. With -DRIGHT it does not. */
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

static int refreshing, ended;

static void *refresher(void *none) {
  set(&refreshing, 1);
  set(&refreshing, 0);
  return none;
}

static void *reader(void *none) {
  usleep(50000);
  if (get(&refreshing)) {
#ifndef RIGHT
    if (get(&ended)) abort();
#endif
  }
  return none;
}

static void *closer(void *none) {
  usleep(100000);
  set(&ended, 1);
  return none;
}

static void *(*run[])(void *) = {refresher, reader, closer};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
