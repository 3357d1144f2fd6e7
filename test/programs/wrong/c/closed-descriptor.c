/*
 * A thread reads the lines of a file that main has opened; main closes it.
 * Wrong: main does not wait for the reader. A read of a closed descriptor fails.
 */
// expects: typestate, order-violation, data-race at descriptor
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *reader(void *descriptor) {
  char buffer[4];
  for (;;) {
    ssize_t count = read(*(int *)descriptor, buffer, sizeof buffer); // bug
    if (count == 0) return NULL;
    if (count < 0) {
      perror("read");
      exit(4);
    }
  }
}

int main(void) {
  char path[] = "/tmp/heddle-closed-XXXXXX";
  int fd = mkstemp(path);
  if (write(fd, "one\ntwo\n", 8) != 8) return 2;
  lseek(fd, 0, SEEK_SET);
  unlink(path);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, &fd);
  usleep(25000);
  close(fd); // bug
  pthread_join(thread, NULL);
  printf("read to the end\n");
  return 0;
}
