/*
 * A spin lock made by hand around the statistics.
 * Wrong: it looks and then takes, in two steps. Two threads that look at the same time are both inside.
 */
// expects: data-race, atomicity, order-violation
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int taken;
static int total;

static void lock(void) {
  while (atomic_load(&taken)) sched_yield(); // bug
  atomic_store(&taken, 1); // bug
}

static void unlock(void) { atomic_store(&taken, 0); }

static void *count(void *delay) {
  usleep(*(int *)delay);
  for (int i = 0; i < 3; i++) {
    lock();
    total++; // bug
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
