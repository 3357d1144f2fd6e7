/* Threads that talk by pipes and sockets, one that is cancelled while it reads, lines of standard input: the same in every mode. */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int there[2], back[2], counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *echo(void *unused) {
  char c;
  while (read(there[0], &c, 1) == 1) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    if (write(back[1], &c, 1) != 1) break;
  }
  return unused;
}

static void give_up(void *unused) {
  (void)unused;
  counter += 100;
  pthread_mutex_unlock(&mutex);
}
static void *cancelled(void *unused) {
  char c;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(give_up, NULL);
  if (read(there[0], &c, 1) >= 0) counter = -1000;
  pthread_cleanup_pop(1);
  return unused;
}

static void *serve(void *at) {
  char buffer[100];
  ssize_t n;
  int client = accept(*(int *)at, NULL, NULL);
  while ((n = recv(client, buffer, sizeof buffer, 0)) > 0) send(client, buffer, (size_t)n, 0);
  close(client);
  return NULL;
}

static void pipes(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, echo, NULL);
  for (char i = 0; i < 30; i++) {
    char c = i;
    struct pollfd ready = {.fd = back[0], .events = POLLIN};
    if (write(there[1], &c, 1) != 1) exit(3);
    if (i & 1) poll(&ready, 1, -1);
    if (read(back[0], &c, 1) != 1 || c != i) exit(3);
  }
  close(there[1]);
  pthread_join(thread, NULL);
}

static void tcp(void) {
  pthread_t thread;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&at, &size)) exit(3);
  pthread_create(&thread, NULL, serve, &listener);
  if (connect(client, (struct sockaddr *)&at, size)) exit(3);
  FILE *in = fdopen(client, "r"), *out = fdopen(dup(client), "w");
  char line[100];
  for (int i = 0; i < 5; i++) {
    fprintf(out, "line %d\n", i);
    fflush(out);
    if (!fgets(line, sizeof line, in) || atoi(line + 5) != i) exit(3);
  }
  fclose(out);
  fclose(in);
  pthread_join(thread, NULL);
}

static void cancel(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, cancelled, NULL);
  usleep(10000);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  char *line = NULL;
  size_t size = 0;
  int lines = 0;
  if (pipe(there) || pipe(back)) return 3;
  pipes();
  tcp();
  if (pipe(there)) return 3;
  cancel();
  while (getline(&line, &size, stdin) > 0) lines++;
  free(line);
  printf("counter %d lines %d\n", counter, lines);
  return 0;
}
