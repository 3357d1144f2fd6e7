/*
 * A request is answered by a detached thread.
 * Wrong: the thread gets a pointer into the stack of a function that has returned when it is late.
 */
// expects: data-race, order-violation at stack
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int client;
  int length;
} Request;

static sem_t done;

static void *answer(void *argument) {
  Request *request = argument;
  if (request->client != 17 || request->length != 100) abort(); // bug
  sem_post(&done);
  return NULL;
}

static void start(int client) {
  Request batch[8] = {{client, 100}};
  pthread_t thread;
  pthread_create(&thread, NULL, answer, batch);
  pthread_detach(thread);
  usleep(25000); // not too many at once
}

static void fill(int *block) {
  for (int i = 0; i < 64; i++) block[i] = i; // bug
}

static int checksum(void) {
  int block[64], sum = 0;
  fill(block);
  for (int i = 0; i < 64; i++) sum += block[i];
  return sum;
}

int main(void) {
  sem_init(&done, 0, 0);
  start(17);
  int sum = checksum();
  sem_wait(&done);
  printf("answered, %d\n", sum);
  return 0;
}
