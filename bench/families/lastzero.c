/* Thread i puts one more into its slot than is in the slot before; one thread looks for the last slot that is zero. */
#include "threads.h"

static atomic_int a[N + 1];

static void *look(void *none) {
  for (int i = N; i >= 0 && atomic_load(&a[i]) != 0; i--);
  return none;
}

static void *put(void *which) {
  int i = (int)(intptr_t)which;
  atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
  return NULL;
}

int main(void) {
  start(look, 0);
  for (int i = 1; i <= N; i++) start(put, i);
  return join_all();
}
