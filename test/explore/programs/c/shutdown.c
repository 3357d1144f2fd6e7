/*
 * A worker that finds the server ready tells it to stop; another thread must not be at work when that happens. The recorded run stops nobody: the worker looks before the server is ready.
 * Wrong, but only behind a first departure: the line that does the harm is not in the recorded run. With -DRIGHT who finds it stopped just leaves.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, stopped;

static int look(int *at) {
  pthread_mutex_lock(&lock);
  int value = *at;
  pthread_mutex_unlock(&lock);
  return value;
}

static void set(int *at) {
  pthread_mutex_lock(&lock);
  *at = 1;
  pthread_mutex_unlock(&lock);
}

static void *client(void *none) {
  if (look(&stopped)) {
#ifndef RIGHT
    fprintf(stderr, "stopped too early\n");
    abort();
#endif
  }
  return none;
}

static void *worker(void *none) {
  usleep(150000);
  if (look(&ready)) set(&stopped);
  return none;
}

static void *server(void *none) {
  usleep(400000);
  set(&ready);
  return none;
}

int main(void) {
  void *(*run[])(void *) = {client, worker, server};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
