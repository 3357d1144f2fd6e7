/*
 * Seed 001, kind file: a server whose reaper closes what nobody needs any more. Each connection has a thread that reads its requests and,
 * at the end, one more message, the goodbye. A connection that is kept is closed by the reaper, which counts the requests and takes the
 * last one for the end. The goodbye may still be to come. The others are closed by their own threads. -DRIGHT: the reaper waits until the
 * thread has left.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS 4
#define REQUESTS 3

typedef struct {
  int fd, peer;
  int kept;
  int requests; /* so far */
  int left;     /* the thread has had its goodbye */
} Connection;

static Connection connections[CONNECTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  abort();
}

static void *serve(void *arg) {
  Connection *c = arg;
  char message[8];
  for (int n = 0; n < REQUESTS; n++) {
    if (read(c->fd, message, sizeof message) != 8) fail("read of a request");
    pthread_mutex_lock(&lock);
    c->requests++;
    pthread_mutex_unlock(&lock);
  }
  if (read(c->fd, message, sizeof message) != 8) fail("read of the goodbye");
  pthread_mutex_lock(&lock);
  c->left = 1;
  pthread_mutex_unlock(&lock);
  if (!c->kept) close(c->fd);
  return NULL;
}

static int is_over(Connection *c) {
  pthread_mutex_lock(&lock);
#ifdef RIGHT
  int over = c->left;
#else
  int over = c->requests == REQUESTS;
#endif
  pthread_mutex_unlock(&lock);
  return over;
}

static void *reap(void *arg) {
  for (int i = 0; i < CONNECTIONS; i++) {
    if (!connections[i].kept) continue;
    do usleep(40000);
    while (!is_over(&connections[i]));
    close(connections[i].fd);
  }
  return arg;
}

int main(void) {
  pthread_t threads[CONNECTIONS], reaper;
  for (int i = 0; i < CONNECTIONS; i++) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0) fail("socketpair");
    connections[i].fd = pair[0];
    connections[i].peer = pair[1];
    connections[i].kept = i == 1;
  }
  for (int i = 0; i < CONNECTIONS; i++) pthread_create(&threads[i], NULL, serve, &connections[i]);
  pthread_create(&reaper, NULL, reap, NULL);
  for (int n = 0; n <= REQUESTS; n++) {
    for (int i = 0; i < CONNECTIONS; i++)
      if (write(connections[i].peer, n < REQUESTS ? "request" : "goodbye", 8) != 8) fail("write");
  }
  for (int i = 0; i < CONNECTIONS; i++) pthread_join(threads[i], NULL);
  pthread_join(reaper, NULL);
  for (int i = 0; i < CONNECTIONS; i++) close(connections[i].peer);
  puts("done");
  return 0;
}
