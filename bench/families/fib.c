/* Two threads that each add what the other one has, N times. */
#include "threads.h"

static atomic_int i = 1, j = 1;

static void *first(void *none) {
  for (int k = 0; k < N; k++) atomic_store(&i, atomic_load(&i) + atomic_load(&j));
  return none;
}

static void *second(void *none) {
  for (int k = 0; k < N; k++) atomic_store(&j, atomic_load(&j) + atomic_load(&i));
  return none;
}

int main(void) {
  start(first, 0);
  start(second, 0);
  return join_all();
}
