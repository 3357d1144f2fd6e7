/*
 * Seed 004, Table 1, cp5b: cp5 without the two reads of a's variable and without the first write of b's; by that the counts of the two
 * rows differ. Now T2 writes a's variable without having read it: nothing keeps T2 and T3 from coming before T1, and z is a race. For CP
 * two writes of one variable under a lock are an order, and it misses the race.
 * Given: the row of the table. Chosen: as in cp5; the section of b in T1 stays, and is empty.
 *
 * trace:
 * main      T1                                T2                                T3
 * w(av)=0
 * w(bv)=0
 * w(z)=0
 * fork(T1)
 * fork(T2)
 * fork(T3)
 *           acq(b) rel(b)
 *           acq(m)
 *           acq(a) w(av)=1 rel(a)
 *           w(z)=1
 *           rel(m)
 *                                             acq(a) w(av)=2 rel(a)
 *                                             acq(b) r(bv)=0 w(bv)=1 rel(b)
 *                                                                               acq(m)
 *                                                                               acq(b) r(bv)=1 w(bv)=2 rel(b)
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

static void write_under(pthread_mutex_t *lock, volatile int *variable, int value) {
  pthread_mutex_lock(lock);
  *variable = value;
  pthread_mutex_unlock(lock);
}

static void *first(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_lock(&m);
  write_under(&a, &av, 1);
  z = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *second(void *arg) {
  later(1);
  write_under(&a, &av, 2);
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
