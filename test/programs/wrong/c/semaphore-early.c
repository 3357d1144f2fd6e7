/*
 * A ring of items between a producer and a consumer; a semaphore counts what is in it.
 * Wrong: the producer posts before it has written the item.
 */
// expects: data-race, order-violation at ring
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#define ITEMS 4
static sem_t full;
static int ring[ITEMS];

static void *producer(void *none) {
  for (int i = 0; i < ITEMS; i++) {
    sem_post(&full); // bug
    ring[i] = 100 + i; // bug
  }
  return none;
}

static void *consumer(void *none) {
  usleep(12000);
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&full);
    assert(ring[i] == 100 + i); // bug
  }
  return none;
}

int main(void) {
  sem_init(&full, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d items\n", ITEMS);
  return 0;
}
