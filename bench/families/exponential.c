/* N writes of the same value in a section, which a reduction tells apart and a reader cannot. */
#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *first(void *none) {
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&m);
    atomic_store(&x, 1);
    for (int n = 0; n < N; n++) atomic_store(&y, 1);
    pthread_mutex_unlock(&m);
  }
  return none;
}

static void *second(void *none) {
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&m);
    atomic_store(&x, 0);
    pthread_mutex_unlock(&m);
    if (atomic_load(&x) > 0) {
      atomic_store(&y, atomic_load(&y) + 1);
      atomic_store(&x, 2);
    }
  }
  return none;
}

static void *third(void *none) {
  for (int k = 0; k < 2; k++)
    if (atomic_load(&x) > 1 && atomic_load(&y) != 3) atomic_store(&y, 2);
  return none;
}

int main(void) {
  start(first, 0);
  start(second, 0);
  start(third, 0);
  return join_all();
}
