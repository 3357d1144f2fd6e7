/*
 * Seed 004, Table 1, vt1: main writes x before it passes through a lock, its child reads x after it has; the lock protects nothing. Every
 * method of the table sees the race.
 * Given: the row of the table: two threads, so that main is one of them, and no initial writes. Chosen: that both sections are empty.
 *
 * trace:
 * main                  T1
 * fork(T1)
 * w(x)=1
 * acq(l) rel(l)
 *                       acq(l) rel(l)
 *                       r(x)=1
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
  pthread_mutex_unlock(&l);
  int seen = x;
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_create(&t, NULL, child, NULL);
  x = 1;
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
