/* A sequence lock: the reader reads two atomic halves and reads again where the sequence was odd or has changed. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *none) {
  for (int i = 1; i <= 3; i++) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, i);
    atomic_store(&high, 10 * i);
    atomic_fetch_add(&sequence, 1);
  }
  return none;
}

static void *reader(void *none) {
  for (int i = 0; i < 3; i++) {
    unsigned before;
    int l, h;
    for (;;) {
      before = atomic_load(&sequence);
      l = atomic_load(&low);
      h = atomic_load(&high);
      if (before % 2 == 0 && atomic_load(&sequence) == before) break;
      sched_yield();
    }
    assert(h == 10 * l);
  }
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d %d\n", low, high);
  return 0;
}
