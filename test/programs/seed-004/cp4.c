/*
 * Seed 004, Table 1, cp4: a lock that protects nothing. In the recorded run one section comes before the other, and so does the write of
 * x; happens-before takes that for an order, every method of the table knows better.
 * Given: the row of the table: one variable, three writes, no read. Chosen: that both sections are empty.
 *
 * trace:
 * main        T1                  T2
 * w(x)=0
 * fork(T1)
 * fork(T2)
 *             w(x)=1
 *             acq(l) rel(l)
 *                                 acq(l) rel(l)
 *                                 w(x)=2
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int x;

static void later(int n) { usleep(n * 20000); }

static void *first(void *arg) {
  x = 1;
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  return arg;
}

static void *second(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  pthread_mutex_unlock(&l);
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&l, NULL);
  x = 0;
  pthread_create(&t1, NULL, first, NULL);
  pthread_create(&t2, NULL, second, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
