/* The connection to the database is made by the first thread that needs it, under a lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int socket;
} Database;

static Database *database;
static int connections;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
  pthread_mutex_lock(&lock);
  if (!database) database = make_connection();
  Database *it = database;
  pthread_mutex_unlock(&lock);
  return it;
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
