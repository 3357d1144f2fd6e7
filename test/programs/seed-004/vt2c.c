/*
 * Seed 004, Table 1, vt2c: one variable, written once before the section and once in it, and read in the other one. The first write is a
 * race with the read; CP misses it, because of the second write.
 * Given: the row of the table: one variable, one read, two writes, one potential race. Chosen: which access is outside.
 *
 * trace:
 * main                       T1
 * fork(T1)
 * w(x)=1
 * acq(l) w(x)=2 rel(l)
 *                            acq(l) r(x)=2 rel(l)
 * join(T1)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int x;

static void later(int n) { usleep(n * 20000); }

static void *child(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  int seen = x;
  pthread_mutex_unlock(&l);
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_create(&t, NULL, child, NULL);
  x = 1;
  pthread_mutex_lock(&l);
  x = 2;
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
