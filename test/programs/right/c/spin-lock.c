/* A spin lock made by hand around the statistics: looks and takes in one step. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int taken;
static int total;

static void lock(void) {
  int was = 0;
  while (!atomic_compare_exchange_strong(&taken, &was, 1)) {
    was = 0;
    sched_yield();
  }
}

static void unlock(void) { atomic_store(&taken, 0); }

static void *count(void *delay) {
  usleep(*(int *)delay);
  for (int i = 0; i < 3; i++) {
    lock();
    total++;
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, count, &now);
  pthread_create(&b, NULL, count, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total == 6);
  printf("total %d\n", total);
  return 0;
}
