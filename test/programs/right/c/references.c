/* A message for two receivers; the last one to let go frees it. The count is atomic, and the one who brings it to zero knows. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  atomic_int references;
  char text[28];
} Message;

static void let_go(Message *message) {
  if (atomic_fetch_sub(&message->references, 1) == 1) free(message);
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
