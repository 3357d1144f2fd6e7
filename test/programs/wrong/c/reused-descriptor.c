/*
 * A logger writes to a file; main closes it and writes a document, whose file gets the same number.
 * Wrong: main does not wait for the logger. A late line ends up in the document.
 */
// expects: typestate, order-violation, data-race at descriptor
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int temporary(void) {
  char path[] = "/tmp/heddle-reused-XXXXXX";
  int fd = mkstemp(path);
  unlink(path);
  return fd;
}

static void *logger(void *descriptor) {
  ssize_t count = write(*(int *)descriptor, "started\n", 8); // bug
  assert(count == 8);
  return NULL;
}

int main(void) {
  int log = temporary();
  pthread_t thread;
  pthread_create(&thread, NULL, logger, &log);
  usleep(25000);
  close(log); // bug
  int document = temporary(); // bug
  ssize_t count = write(document, "text", 4);
  assert(count == 4);
  pthread_join(thread, NULL);
  assert(lseek(document, 0, SEEK_END) == 4);
  close(document);
  printf("4 bytes\n");
  return 0;
}
