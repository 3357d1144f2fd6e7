/*
 * Seed 004, Table 1, vtex4: Figure 7, its second trace, without y. The wait is skipped because the signal has been sent; that z says so
 * orders the two accesses of x. UCG, which does not look at z, calls x a race.
 * Given: the program of the figure and the row of the table, whose two variables and one event of the condition variable say which part
 * of it this is. Chosen: that main is the thread that signals.
 *
 * trace:
 * main                                 T1
 * w(x)=0
 * w(z)=0
 * fork(T1)
 * w(x)=1
 * acq(l) notify(c) w(z)=1 rel(l)
 *                                      acq(l) r(z)=1 r(x)=1 rel(l)
 * join(T1)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
pthread_cond_t c;
volatile int x, z;

static void later(int n) { usleep(n * 20000); }

static void *child(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  if (z == 0) pthread_cond_wait(&c, &l);
  int seen = x;
  pthread_mutex_unlock(&l);
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_cond_init(&c, NULL);
  x = 0;
  z = 0;
  pthread_create(&t, NULL, child, NULL);
  x = 1;
  pthread_mutex_lock(&l);
  pthread_cond_signal(&c);
  z = 1;
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
