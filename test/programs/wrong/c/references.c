/*
 * A message for two receivers; the last one to let go frees it.
 * Wrong: counting down and looking at the count are two steps, and not atomic. Both can see zero, and free twice.
 */
// expects: data-race, atomicity, order-violation, typestate at references.c
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  int references;
  char text[28];
} Message;

static void let_go(Message *message) {
  message->references--;                        // bug
  if (message->references == 0) free(message); // bug
}

static void *fast(void *message) {
  assert(strcmp(((Message *)message)->text, "hello") == 0);
  let_go(message);
  return NULL;
}

static void *slow(void *message) {
  usleep(12000);
  assert(strcmp(((Message *)message)->text, "hello") == 0);
  let_go(message);
  return NULL;
}

int main(void) {
  Message *message = malloc(sizeof *message);
  message->references = 2;
  strcpy(message->text, "hello");
  pthread_t a, b;
  pthread_create(&a, NULL, fast, message);
  pthread_create(&b, NULL, slow, message);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("received\n");
  return 0;
}
