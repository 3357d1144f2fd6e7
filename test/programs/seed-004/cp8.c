/*
 * Seed 004, Table 1, cp8: sections of three locks, one pair of which really is an order, and not one that helps. T1 writes z under n
 * after it has left m; T2 passes through n before it enters m, and writes z with no lock held. Happens-before has an order by n; no
 * method of the table has one.
 * Given: the row of the table: one "sync" lock, two more with two sections each, two writes of z. Chosen: which thread does what.
 *
 * trace:
 * main      T1                                T2
 * w(av)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 *           acq(m)
 *           acq(a) r(av)=0 w(av)=1 rel(a)
 *           rel(m)
 *           acq(n) w(z)=1 rel(n)
 *                                             acq(n) rel(n)
 *                                             acq(m)
 *                                             acq(a) r(av)=1 w(av)=2 rel(a)
 *                                             rel(m)
 *                                             w(z)=2
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t a, m, n;
volatile int av, z;

static void later(int turns) { usleep(turns * 20000); }

static void sync_on(pthread_mutex_t *lock, volatile int *variable) {
  pthread_mutex_lock(lock);
  int seen = *variable;
  *variable = seen + 1;
  pthread_mutex_unlock(lock);
}

static void *first(void *arg) {
  pthread_mutex_lock(&m);
  sync_on(&a, &av);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&n);
  z = 1;
  pthread_mutex_unlock(&n);
  return arg;
}

static void *second(void *arg) {
  later(1);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&m);
  sync_on(&a, &av);
  pthread_mutex_unlock(&m);
  z = 2;
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&a, NULL);
  pthread_mutex_init(&m, NULL);
  pthread_mutex_init(&n, NULL);
  av = 0;
  z = 0;
  pthread_create(&t1, NULL, first, NULL);
  pthread_create(&t2, NULL, second, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
