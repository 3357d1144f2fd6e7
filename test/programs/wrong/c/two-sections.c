/*
 * A total and its double, each with a lock of its own.
 * Wrong: between the two sections one of them is new and the other is old.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int total, doubled;

static void *update(void *none) {
  pthread_mutex_lock(&lock);
  total = 4; // bug
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&other);
  doubled = 8; // bug
  pthread_mutex_unlock(&other);
  return none;
}

static void *check(void *none) {
  usleep(12000);
  pthread_mutex_lock(&lock);
  int t = total; // bug
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&other);
  int d = doubled; // bug
  pthread_mutex_unlock(&other);
  assert(d == 2 * t);
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, update, NULL);
  pthread_create(&b, NULL, check, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("checked\n");
  return 0;
}
