/* Two threads talk through a pair of sockets: what was sent before is read after. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static int shared; // handed over with every message

static void *server(void *none) {
  char c;
  while (read(ends[1], &c, 1) == 1) {
    shared++;
    if (write(ends[1], &c, 1) != 1) break;
  }
  close(ends[1]);
  return none;
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
  pthread_t thread;
  pthread_create(&thread, NULL, server, NULL);
  for (int i = 0; i < 3; i++) {
    char c = 'x';
    shared++;
    ssize_t sent = write(ends[0], &c, 1), got = read(ends[0], &c, 1);
    assert(sent == 1 && got == 1);
  }
  shutdown(ends[0], SHUT_WR);
  pthread_join(thread, NULL);
  close(ends[0]);
  assert(shared == 6);
  printf("shared %d\n", shared);
  return 0;
}
