/*
 * Seed 004, Table 1, cp2b: has the counts of cp2 and is another program. A value is published by a flag under a lock, and read twice:
 * both are safe, and UCG reports both. What the first thread writes after it has left its section is a race with what the second one
 * reads there.
 * Given: the row of the table. Chosen: everything else.
 *
 * trace:
 * main           T1                                       T2
 * w(value)=0
 * w(ready)=0
 * w(late)=0
 * w(other)=0
 * fork(T1)
 * fork(T2)
 *                w(value)=5
 *                acq(l) w(ready)=1 rel(l)
 *                w(late)=7
 *                                                         acq(l) r(ready)=1 rel(l)
 *                                                         r(value)=5
 *                                                         r(value)=5
 *                                                         r(late)=7
 *                                                         r(other)=0
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int value, ready, late, other;

static void later(int n) { usleep(n * 20000); }

static void *publish(void *arg) {
  value = 5;
  pthread_mutex_lock(&l);
  ready = 1;
  pthread_mutex_unlock(&l);
  late = 7;
  return arg;
}

static void *take(void *arg) {
  later(1);
  pthread_mutex_lock(&l);
  int is_ready = ready;
  pthread_mutex_unlock(&l);
  if (!is_ready) return arg;
  int sum = value;
  sum += value;
  sum += late;
  sum += other;
  return sum < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&l, NULL);
  value = 0;
  ready = 0;
  late = 0;
  other = 0;
  pthread_create(&t1, NULL, publish, NULL);
  pthread_create(&t2, NULL, take, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
