/*
 * A session of a user: a thread writes its log, main ends the session.
 * Wrong: main frees it without waiting for the logger. If the logger is late, it reads freed memory.
 */
// expects: data-race, order-violation, typestate at session.c
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
  assert(session->requests == 3);             // bug
  assert(strcmp(session->user, "alice") == 0); // bug
  __atomic_store_n(&logged, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

int main(void) {
  Session *session = malloc(sizeof *session);
  session->user = strdup("alice");
  session->requests = 3;
  pthread_t thread;
  pthread_create(&thread, NULL, logger, session);
  usleep(25000);
  free(session->user); // bug
  free(session);       // bug
  pthread_join(thread, NULL);
  printf("logged %d\n", logged);
  return 0;
}
