/*
 * Seed 004, Table 1, vt2d: has the counts of vt2c. Both write x in their sections, and the child reads it again outside. In the recorded
 * run main's section comes first; if the child's does, main's write is a race with that read. CP takes the two writes for an order.
 * Given: the row of the table. Chosen: which access is outside.
 *
 * trace:
 * main                       T1
 * fork(T1)
 * acq(l) w(x)=1 rel(l)
 *                            acq(l) w(x)=2 rel(l)
 *                            r(x)=2
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
  x = 2;
  pthread_mutex_unlock(&l);
  int seen = x;
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&l, NULL);
  pthread_create(&t, NULL, child, NULL);
  pthread_mutex_lock(&l);
  x = 1;
  pthread_mutex_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
