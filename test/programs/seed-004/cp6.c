/*
 * Seed 004, Table 1, cp6: the rule of cp5 twice. T1's section of n, with a section of m in it, comes before T4's section of n, because
 * what is inside goes from T1 to T2 by a, to T3 by b, and to T4 by d. So z is safe.
 * Given: the row of the table: eight "sync" on four locks, two more locks with two sections each, two writes of z account for all of it.
 * Chosen: which thread does what.
 *
 * trace:
 * main      T1                             T2                             T3                             T4
 * w(av)=0
 * w(bv)=0
 * w(cv)=0
 * w(dv)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 * fork(T3)
 * fork(T4)
 *           acq(n) acq(m)
 *           acq(a) r(av)=0 w(av)=1 rel(a)
 *           rel(m)
 *           w(z)=1
 *           rel(n)
 *                                          acq(a) r(av)=1 w(av)=2 rel(a)
 *                                          acq(b) r(bv)=0 w(bv)=1 rel(b)
 *                                                                         acq(m)
 *                                                                         acq(b) r(bv)=1 w(bv)=2 rel(b)
 *                                                                         rel(m)
 *                                                                         acq(c) r(cv)=0 w(cv)=1 rel(c)
 *                                                                         acq(d) r(dv)=0 w(dv)=1 rel(d)
 *                                                                                                        acq(c) r(cv)=1 w(cv)=2 rel(c)
 *                                                                                                        acq(n)
 *                                                                                                        acq(d) r(dv)=1 w(dv)=2 rel(d)
 *                                                                                                        rel(n)
 *                                                                                                        w(z)=2
 * join(T1)
 * join(T2)
 * join(T3)
 * join(T4)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t a, b, c, d, m, n;
volatile int av, bv, cv, dv, z;

static void later(int turns) { usleep(turns * 20000); }

static void sync_on(pthread_mutex_t *lock, volatile int *variable) {
  pthread_mutex_lock(lock);
  int seen = *variable;
  *variable = seen + 1;
  pthread_mutex_unlock(lock);
}

static void *first(void *arg) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  sync_on(&a, &av);
  pthread_mutex_unlock(&m);
  z = 1;
  pthread_mutex_unlock(&n);
  return arg;
}

static void *second(void *arg) {
  later(1);
  sync_on(&a, &av);
  sync_on(&b, &bv);
  return arg;
}

static void *third(void *arg) {
  later(2);
  pthread_mutex_lock(&m);
  sync_on(&b, &bv);
  pthread_mutex_unlock(&m);
  sync_on(&c, &cv);
  sync_on(&d, &dv);
  return arg;
}

static void *fourth(void *arg) {
  later(3);
  sync_on(&c, &cv);
  pthread_mutex_lock(&n);
  sync_on(&d, &dv);
  pthread_mutex_unlock(&n);
  z = 2;
  return arg;
}

int main(void) {
  pthread_t t1, t2, t3, t4;
  pthread_mutex_t *locks[] = {&a, &b, &c, &d, &m, &n};
  for (int i = 0; i < 6; i++) pthread_mutex_init(locks[i], NULL);
  av = 0;
  bv = 0;
  cv = 0;
  dv = 0;
  z = 0;
  pthread_create(&t1, NULL, first, NULL);
  pthread_create(&t2, NULL, second, NULL);
  pthread_create(&t3, NULL, third, NULL);
  pthread_create(&t4, NULL, fourth, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  pthread_join(t4, NULL);
  return 0;
}
