/*
 * A thread sends its results to main through a pipe; a stop closes the pipe.
 * Wrong: the end for writing is closed by another thread, which does not wait for the sender.
 */
// expects: typestate, order-violation, data-race at descriptor
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *sender(void *none) {
  for (int i = 0; i < 3; i++) {
    if (write(ends[1], "x", 1) != 1) { // bug
      perror("write");
      exit(7);
    }
  }
  return none;
}

static void *stop(void *none) {
  usleep(25000);
  close(ends[1]); // bug
  return none;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  if (pipe(ends) != 0) return 2;
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, stop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  char buffer[8];
  ssize_t got = read(ends[0], buffer, sizeof buffer);
  assert(got == 3);
  close(ends[0]);
  printf("3 results\n");
  return 0;
}
