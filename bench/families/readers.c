/* One thread writes, N threads read. */
#include "threads.h"

static atomic_int x;

static void *write_it(void *none) {
  atomic_store(&x, 1);
  return none;
}

static void *read_it(void *none) {
  (void)atomic_load(&x);
  return none;
}

int main(void) {
  start(write_it, 0);
  for (int i = 1; i <= N; i++) start(read_it, i);
  return join_all();
}
