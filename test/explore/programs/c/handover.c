/* An owner that is asked to stop before it has saved does so in its own time. Fails when the next owner does not wait for that. With -DRIGHT it does not. */
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

static int stopping, saved, late;

static void *old_owner(void *none) {
  if (get(&stopping)) {
    set(&late, 1);
    set(&saved, 1);
  } else
    set(&saved, 1);
  return none;
}

static void *new_owner(void *none) {
  usleep(100000);
  set(&stopping, 1);
  int seen_late = get(&late);
  int seen_saved = get(&saved);
#ifdef RIGHT
  while (!seen_saved) {
    usleep(1000);
    seen_saved = get(&saved);
  }
#endif
  if (seen_late && !seen_saved) abort();
  return none;
}

static void *(*run[])(void *) = {old_owner, new_owner};

int main(void) {
  pthread_t threads[sizeof run / sizeof *run];
  int count = sizeof run / sizeof *run;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
