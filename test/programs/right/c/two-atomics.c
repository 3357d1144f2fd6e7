/* Seats of a concert: two shops sell as long as there are some, with compare and exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int seats = 1;
static atomic_int sold;

static void *shop(void *delay) {
  usleep(*(int *)delay);
  int now = atomic_load(&seats);
  while (now > 0) {
    if (!atomic_compare_exchange_weak(&seats, &now, now - 1)) continue;
    atomic_fetch_add(&sold, 1);
    break;
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
