/* A ring between a producer and a consumer with two semaphores: what is free, and what is full. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define SIZE 2
#define ITEMS 5
static sem_t free_places, full_places;
static int ring[SIZE];

static void *producer(void *none) {
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&free_places);
    ring[i % SIZE] = i;
    sem_post(&full_places);
  }
  return none;
}

static void *consumer(void *none) {
  for (int i = 0; i < ITEMS; i++) {
    sem_wait(&full_places);
    assert(ring[i % SIZE] == i);
    sem_post(&free_places);
  }
  return none;
}

int main(void) {
  sem_init(&free_places, 0, SIZE);
  sem_init(&full_places, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sem_destroy(&free_places);
  sem_destroy(&full_places);
  printf("%d items\n", ITEMS);
  return 0;
}
