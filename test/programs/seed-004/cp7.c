/*
 * Seed 004, Table 1, cp7: "comes from an example used in [24] to illustrate why there is no CP-predictable data-race and how CP can avoid
 * false alarms. Our tool discovers that it actually has a real and predictable data-race." Of the shape of cp6, but what goes from T1 to
 * T2 is a write that nobody reads: T2, T3 and T4 may come before T1, and z is a race.
 * Given: the row of the table, and the sentences above. Chosen: three "sync" locks, two locks with writes only (three and two of them), m
 * and n as in cp6: that accounts for every count of the row.
 *
 * trace:
 * main      T1                             T2                             T3                             T4
 * w(av)=0
 * w(bv)=0
 * w(cv)=0
 * w(dv)=0
 * w(ev)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 * fork(T3)
 * fork(T4)
 *           acq(n) acq(m)
 *           acq(e) w(ev)=1 rel(e)
 *           rel(m)
 *           w(z)=1
 *           rel(n)
 *                                          acq(e) w(ev)=2 rel(e)
 *                                          acq(b) r(bv)=0 w(bv)=1 rel(b)
 *                                                                         acq(m)
 *                                                                         acq(b) r(bv)=1 w(bv)=2 rel(b)
 *                                                                         rel(m)
 *                                                                         acq(c) r(cv)=0 w(cv)=1 rel(c)
 *                                                                         acq(d) w(dv)=1 rel(d)
 *                                                                         acq(a) r(av)=0 w(av)=1 rel(a)
 *                                                                                                        acq(c) r(cv)=1 w(cv)=2 rel(c)
 *                                                                                                        acq(n)
 *                                                                                                        acq(a) r(av)=1 w(av)=2 rel(a)
 *                                                                                                        rel(n)
 *                                                                                                        acq(e) w(ev)=3 rel(e)
 *                                                                                                        acq(d) w(dv)=2 rel(d)
 *                                                                                                        w(z)=2
 * join(T1)
 * join(T2)
 * join(T3)
 * join(T4)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t a, b, c, d, e, m, n;
volatile int av, bv, cv, dv, ev, z;

static void later(int turns) { usleep(turns * 20000); }

static void sync_on(pthread_mutex_t *lock, volatile int *variable) {
  pthread_mutex_lock(lock);
  int seen = *variable;
  *variable = seen + 1;
  pthread_mutex_unlock(lock);
}

static void write_under(pthread_mutex_t *lock, volatile int *variable, int value) {
  pthread_mutex_lock(lock);
  *variable = value;
  pthread_mutex_unlock(lock);
}

static void *first(void *arg) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  write_under(&e, &ev, 1);
  pthread_mutex_unlock(&m);
  z = 1;
  pthread_mutex_unlock(&n);
  return arg;
}

static void *second(void *arg) {
  later(1);
  write_under(&e, &ev, 2);
  sync_on(&b, &bv);
  return arg;
}

static void *third(void *arg) {
  later(2);
  pthread_mutex_lock(&m);
  sync_on(&b, &bv);
  pthread_mutex_unlock(&m);
  sync_on(&c, &cv);
  write_under(&d, &dv, 1);
  sync_on(&a, &av);
  return arg;
}

static void *fourth(void *arg) {
  later(3);
  sync_on(&c, &cv);
  pthread_mutex_lock(&n);
  sync_on(&a, &av);
  pthread_mutex_unlock(&n);
  write_under(&e, &ev, 3);
  write_under(&d, &dv, 2);
  z = 2;
  return arg;
}

int main(void) {
  pthread_t t1, t2, t3, t4;
  pthread_mutex_t *locks[] = {&a, &b, &c, &d, &e, &m, &n};
  for (int i = 0; i < 7; i++) pthread_mutex_init(locks[i], NULL);
  av = 0;
  bv = 0;
  cv = 0;
  dv = 0;
  ev = 0;
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
