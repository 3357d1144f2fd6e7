/* Who finds an old claim leads in the place of its owner. Fails when the owner comes back and leads, too. With -DRIGHT it does not. */
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

static int claimed, leader;

static void *first(void *none) {
  set(&claimed, 1);
  if (get(&leader) == 2) {
#ifndef RIGHT
    abort();
#endif
    return none;
  }
  set(&leader, 1);
  return none;
}

static void *second(void *none) {
  usleep(100000);
  if (get(&leader) == 0 && get(&claimed)) set(&leader, 2);
  return none;
}

static void *(*run[])(void *) = {first, second};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
