/*
 * A thread sells a ticket, another one picks it up.
 * Right: where it is not there yet, it waits.
 */

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t tickets;
static int seat;

static void *sell(void *none) {
  seat = 12;
  sem_post(&tickets);
  return none;
}

static void *pick_up(void *none) {
  usleep(30000);
  if (sem_trywait(&tickets) != 0) sem_wait(&tickets);
  assert(seat == 12);
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
