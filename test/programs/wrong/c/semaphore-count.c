/*
 * A semaphore guards the numbers of orders.
 * Wrong: it begins with 2, so two threads are inside at the same time, and the same number is given twice.
 */
// expects: data-race, atomicity, order-violation at last_order
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t inside;
static int last_order;
static int orders[2];

static void *customer(void *which) {
  int *order = which;
  if (order == &orders[1]) usleep(12000);
  sem_wait(&inside);
  last_order = last_order + 1; // bug
  *order = last_order;         // bug
  sem_post(&inside);
  return NULL;
}

int main(void) {
  sem_init(&inside, 0, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, customer, &orders[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  sem_destroy(&inside);
  assert(orders[0] != orders[1]);
  printf("%d orders\n", last_order);
  return 0;
}
