/*
 * Seed 004, Table 1, vt2b: as vt2, but y is read inside the section, before x: there nothing of the other section has been seen, and y is
 * a race. CP, for which the sections have an order because they share x, misses it. This is y of Figure 7.
 * Given: the row of the table. Chosen: the names.
 *
 * trace:
 * main                       T1
 * fork(T1)
 * w(y)=1
 * acq(l) w(x)=1 rel(l)
 *                            acq(l) r(y)=1 r(x)=1 rel(l)
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
  int seen = y;
  seen += x;
  pthread_mutex_unlock(&l);
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
