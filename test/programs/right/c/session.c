/* A session of a user: a thread writes its log, main waits for it and ends the session. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char *user;
  int requests;
} Session;

static int logged;

static void *logger(void *argument) {
  Session *session = argument;
  assert(session->requests == 3);
  assert(strcmp(session->user, "alice") == 0);
  __atomic_store_n(&logged, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  Session *session = malloc(sizeof *session);
  session->user = strdup("alice");
  session->requests = 3;
  pthread_t thread;
  pthread_create(&thread, NULL, logger, session);
  pthread_join(thread, NULL);
  free(session->user);
  free(session);
  printf("logged %d\n", logged);
  return 0;
}
