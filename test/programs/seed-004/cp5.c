/*
 * Seed 004, Table 1, cp5: the rule of [24] that carries an order from what two sections hold to the sections. T1 counts a up inside m, T2
 * counts a and then b up, T3 counts b up inside m: each has read what the one before wrote, so T1's whole section of m comes before T3's,
 * and with it the write of z at its end. UCG does not look at a and b.
 * Given: the row of the table, and "sync(a)" of [24]: read and write a variable of its own under lock a. Chosen: which thread does what;
 * the section that the counts leave over is a first write of b's variable.
 *
 * trace:
 * main      T1                                T2                                T3
 * w(av)=0
 * w(bv)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 * fork(T3)
 *           acq(b) w(bv)=1 rel(b)
 *           acq(m)
 *           acq(a) r(av)=0 w(av)=1 rel(a)
 *           w(z)=1
 *           rel(m)
 *                                             acq(a) r(av)=1 w(av)=2 rel(a)
 *                                             acq(b) r(bv)=1 w(bv)=2 rel(b)
 *                                                                               acq(m)
 *                                                                               acq(b) r(bv)=2 w(bv)=3 rel(b)
 *                                                                               rel(m)
 *                                                                               w(z)=2
 * join(T1)
 * join(T2)
 * join(T3)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t a, b, m;
volatile int av, bv, z;

static void later(int n) { usleep(n * 20000); }

static void sync_on(pthread_mutex_t *lock, volatile int *variable) {
  pthread_mutex_lock(lock);
  int seen = *variable;
  *variable = seen + 1;
  pthread_mutex_unlock(lock);
}

static void *first(void *arg) {
  pthread_mutex_lock(&b);
  bv = 1;
  pthread_mutex_unlock(&b);
  pthread_mutex_lock(&m);
  sync_on(&a, &av);
  z = 1;
  pthread_mutex_unlock(&m);
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
  z = 2;
  return arg;
}

int main(void) {
  pthread_t t1, t2, t3;
  pthread_mutex_init(&a, NULL);
  pthread_mutex_init(&b, NULL);
  pthread_mutex_init(&m, NULL);
  av = 0;
  bv = 0;
  z = 0;
  pthread_create(&t1, NULL, first, NULL);
  pthread_create(&t2, NULL, second, NULL);
  pthread_create(&t3, NULL, third, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
