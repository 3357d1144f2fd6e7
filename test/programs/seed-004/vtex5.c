/*
 * Seed 004, Table 1, vtex5: Figure 7, its second trace, without x. The child comes to y before it looks at z: a race, which CP misses.
 * Given: the program of the figure and the row of the table. Chosen: that main is the thread that signals; that the child reads y, where
 * the figure has a write: the row has two reads.
 *
 * trace:
 * main                                 T1
 * w(y)=0
 * w(z)=0
 * fork(T1)
 * w(y)=1
 * acq(l) notify(c) w(z)=1 rel(l)
 *                                      acq(l) r(y)=1 r(z)=1 rel(l)
 * join(T1)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
pthread_cond_t c;
volatile int y, z;

static void later(int n) { usleep(n * 20000); }

static void *child(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  int seen = y;
  if (z == 0) pthread_cond_wait(&c, &l);
  pthread_mutex_unlock(&l);
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_cond_init(&c, NULL);
  y = 0;
  z = 0;
  pthread_create(&t, NULL, child, NULL);
  y = 1;
  pthread_mutex_lock(&l);
  pthread_cond_signal(&c);
  z = 1;
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
