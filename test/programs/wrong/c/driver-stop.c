/*
 * A driver counts the requests that are under way, and stops when there are none.
 * Wrong: a request looks whether the driver stops before it counts itself.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate, explored
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int pending = 1;
static atomic_bool stopping, stopped;
static sem_t idle;

static void leave(void) {
  if (atomic_fetch_sub(&pending, 1) == 1) sem_post(&idle);
}

static bool enter(void) {
  if (stopping) return false; // bug
  atomic_fetch_add(&pending, 1); // bug
  return true;
}

static void *request(void *none) {
  if (!enter()) return none;
  assert(!stopped); // bug
  leave();
  return none;
}

static void *stop(void *none) {
  stopping = true; // bug
  leave();
  sem_wait(&idle);
  stopped = true; // bug
  return none;
}

int main(void) {
  sem_init(&idle, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, request, NULL);
  usleep(12000);
  pthread_create(&b, NULL, stop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("stopped\n");
  return 0;
}
