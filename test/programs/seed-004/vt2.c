/*
 * Seed 004, Table 1, vt2: cp1 with main as one of the two. The sections share x, so y is safe. UCG calls it a race.
 * Given: the row of the table. Chosen: the names.
 *
 * trace:
 * main                       T1
 * fork(T1)
 * w(y)=1
 * acq(l) w(x)=1 rel(l)
 *                            acq(l) r(x)=1 rel(l)
 *                            r(y)=1
 * join(T1)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int x, y;

static void later(int n) { usleep(n * 20000); }

static void *child(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  int seen = x;
  pthread_mutex_unlock(&l);
  seen += y;
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_create(&t, NULL, child, NULL);
  y = 1;
  pthread_mutex_lock(&l);
  x = 1;
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
