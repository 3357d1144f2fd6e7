/*
 * A connection is closed when the peer hangs up, or by its time-out, whichever comes first.
 * Wrong: both look whether it is closed, and then close it. If both look first, the buffer is freed twice.
 */
// expects: data-race, atomicity, order-violation, typestate
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int closed;
  char *buffer;
} Connection;

static void close_connection(Connection *c) {
  if (c->closed) return; // bug
  free(c->buffer);       // bug
  c->closed = 1;         // bug
}

static void *hang_up(void *connection) {
  close_connection(connection);
  return NULL;
}

static void *time_out(void *connection) {
  usleep(12000);
  close_connection(connection);
  return NULL;
}

int main(void) {
  Connection connection = {0, malloc(64)};
  pthread_t a, b;
  pthread_create(&a, NULL, hang_up, &connection);
  pthread_create(&b, NULL, time_out, &connection);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("closed %d\n", connection.closed);
  return 0;
}
