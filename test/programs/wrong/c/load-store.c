/*
 * A limiter counts the requests in flight.
 * Wrong: an atomic load and an atomic store are no atomic update.
 */
// expects: atomicity, order-violation at in_flight
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int in_flight;

static void *request(void *delay) {
  usleep(*(int *)delay);
  atomic_store(&in_flight, atomic_load(&in_flight) + 1); // bug
  atomic_store(&in_flight, atomic_load(&in_flight) - 1); // bug
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, request, &now);
  pthread_create(&b, NULL, request, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (atomic_load(&in_flight) != 0) {
    fprintf(stderr, "%d in flight at the end\n", in_flight);
    return 1;
  }
  printf("none in flight\n");
  return 0;
}
