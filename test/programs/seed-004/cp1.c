/*
 * Seed 004, Table 1, cp1: the first example of [24]. Two critical sections share x, so what comes before the first is over when the
 * second is; y is safe, and UCG, which does not look at x, calls it a race.
 * Given: the row of the table (test/seeds/table-004.ts). Chosen: all names, and that the accesses which the counts leave over are the
 * initial writes of main: with them the number of potential races (r-p) comes out as in the table, here and in all cp programs.
 *
 * trace:
 * main        T1                              T2
 * w(x)=0
 * w(y)=0
 * fork(T1)
 * fork(T2)
 *             w(y)=1
 *             acq(l) w(x)=1 rel(l)
 *                                             acq(l) r(x)=1 rel(l)
 *                                             r(y)=1
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int x, y;

/* Nothing in the program asks for this order; it is that of the recorded run. */
static void later(int n) { usleep(n * 20000); }

static void *first(void *arg) {
  y = 1;
  pthread_mutex_lock(&l);
  x = 1;
  pthread_mutex_unlock(&l);
  return arg;
}

static void *second(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  int seen = x;
  pthread_mutex_unlock(&l);
  seen += y;
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&l, NULL);
  x = 0;
  y = 0;
  pthread_create(&t1, NULL, first, NULL);
  pthread_create(&t2, NULL, second, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
