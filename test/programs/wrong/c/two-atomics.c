/*
 * Seats of a concert: two shops sell as long as there are some.
 * Wrong: the look and the sale are atomic, each by itself. The last seat is sold twice.
 */
// expects: atomicity, order-violation at seats
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int seats = 1;
static atomic_int sold;

static void *shop(void *delay) {
  usleep(*(int *)delay);
  if (atomic_load(&seats) > 0) { // bug
    atomic_fetch_sub(&seats, 1);  // bug
    atomic_fetch_add(&sold, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, shop, &now);
  pthread_create(&b, NULL, shop, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&seats) >= 0);
  printf("%d sold\n", sold);
  return 0;
}
