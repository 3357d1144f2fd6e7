/*
 * A thread sells a ticket, another one picks it up.
 * Wrong: it looks once, and takes it for granted that the ticket is there by then.
 */
// expects: order-violation, data-race at tickets
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t tickets;
static int seat;

static void *sell(void *none) {
  seat = 12;
  sem_post(&tickets); // bug
  return none;
}

static void *pick_up(void *none) {
  usleep(30000);
  sem_trywait(&tickets); // bug
  assert(seat == 12); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  sem_init(&tickets, 0, 0);
  pthread_create(&a, NULL, sell, NULL);
  pthread_create(&b, NULL, pick_up, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("seat %d\n", seat);
  return 0;
}
