/*
 * Seed 004, Table 1, vtex6: Figure 7, its first trace, without y. The wait is not skipped, and the signal orders the two accesses of x:
 * no method reports a race.
 * Given: the program of the figure and the row of the table: three threads, so that main is none of the two. Chosen: nothing but names.
 *
 * trace:
 * main        T1                                T2
 * w(x)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 *                                               acq(l) r(z)=0 rel(l)
 *             w(x)=1
 *             acq(l) notify(c) w(z)=1 rel(l)
 *                                               wake(c) acq(l)
 *                                               r(x)=1
 *                                               rel(l)
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
pthread_cond_t c;
volatile int x, z;

static void later(int n) { usleep(n * 20000); }

static void *tells(void *arg) {
  later(1);
  x = 1;
  pthread_mutex_lock(&l);
  pthread_cond_signal(&c);
  z = 1;
  pthread_mutex_unlock(&l);
  return arg;
}

static void *waits(void *arg) {
  pthread_mutex_lock(&l);
  if (z == 0) pthread_cond_wait(&c, &l);
  int seen = x;
  pthread_mutex_unlock(&l);
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&l, NULL);
  pthread_cond_init(&c, NULL);
  x = 0;
  z = 0;
  pthread_create(&t1, NULL, tells, NULL);
  pthread_create(&t2, NULL, waits, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
