/*
 * A total and its double, each with a lock of its own.
 * Right: both locks are held until both are written, and while both are read.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int total, doubled;

static void *update(void *none) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&other);
  total = 4;
  doubled = 8;
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&lock);
  return none;
}

static void *check(void *none) {
  usleep(12000);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&other);
  int t = total, d = doubled;
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&lock);
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
