/*
 * Messages are handed over through a queue and freed by the receiver.
 * Wrong: the sender counts the bytes of the message after it has handed it over.
 */
// expects: data-race, order-violation, typestate at handed-over.c
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MESSAGES 3
typedef struct {
  int bytes;
} Message;

static Message *queue[MESSAGES];
static sem_t full;
static int sent;

static void *sender(void *none) {
  for (int i = 0; i < MESSAGES; i++) {
    Message *message = malloc(sizeof *message);
    message->bytes = 10;
    queue[i] = message;
    sem_post(&full);
    sent += message->bytes; // bug
  }
  return none;
}

static void *receiver(void *none) {
  for (int i = 0; i < MESSAGES; i++) {
    usleep(8000); // the work
    sem_wait(&full);
    assert(queue[i]->bytes == 10);
    free(queue[i]); // bug
  }
  return none;
}

int main(void) {
  sem_init(&full, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, receiver, NULL);
  pthread_create(&b, NULL, sender, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sent == 30);
  printf("%d bytes\n", sent);
  return 0;
}
