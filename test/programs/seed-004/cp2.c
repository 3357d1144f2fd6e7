/*
 * Seed 004, Table 1, cp2: two calls of a class that counts its calls under a lock. The sections share the count, so the radius, written
 * before the first and read after the second, is safe, and so is the count that the second thread reads when it has left its section. Not
 * safe is the count that the first one reads outside: the second may be about to write it. CP sees that, too.
 * Given: the row of the table, and that both UCG's two false races and the real one are there. Chosen: what the four variables are, two
 * of which only main touches; that the pairs are on these two.
 *
 * trace:
 * main           T1                                       T2
 * w(radius)=0
 * w(angle)=0
 * w(count)=0
 * w(scale)=0
 * fork(T1)
 * fork(T2)
 *                w(radius)=5
 *                acq(l) r(count)=0 w(count)=1 rel(l)
 *                r(count)=1
 *                                                         acq(l) r(count)=1 w(count)=2 rel(l)
 *                                                         r(radius)=5
 *                                                         r(count)=2
 * join(T1)
 * join(T2)
 */
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t l;
volatile int radius, angle, count, scale;

static void later(int n) { usleep(n * 20000); }

static void counted(void) {
  pthread_mutex_lock(&l);
  int calls = count;
  count = calls + 1;
  pthread_mutex_unlock(&l);
}

static void *set_radius(void *arg) {
  radius = 5;
  counted();
  int calls = count;
  return calls < 0 ? NULL : arg;
}

static void *get_radius(void *arg) {
  later(1);
  counted();
  int seen = radius;
  seen += count;
  return seen < 0 ? NULL : arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_mutex_init(&l, NULL);
  radius = 0;
  angle = 0;
  count = 0;
  scale = 0;
  pthread_create(&t1, NULL, set_radius, NULL);
  pthread_create(&t2, NULL, get_radius, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
