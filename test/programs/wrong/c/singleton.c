/*
 * The connection to the database is made by the first thread that needs it.
 * Wrong: looking whether there is one and making it are two steps without a lock. Two are made, and the server allows one.
 */
// expects: data-race, atomicity, order-violation at database
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int socket;
} Database;

static Database *database;
static int connections;

static Database *make_connection(void) {
  if (__atomic_add_fetch(&connections, 1, __ATOMIC_SEQ_CST) > 1) {
    fprintf(stderr, "too many connections\n");
    exit(3);
  }
  Database *made = malloc(sizeof *made);
  made->socket = 5;
  return made;
}

static Database *connection(void) {
  if (!database) database = make_connection(); // bug
  return database;
}

static void *query(void *delay) {
  usleep(*(int *)delay);
  return connection()->socket == 5 ? NULL : delay;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000;
  pthread_create(&a, NULL, query, &now);
  pthread_create(&b, NULL, query, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(database);
  printf("one connection\n");
  return 0;
}
