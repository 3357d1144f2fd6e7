/* A thread reads the lines of a file that main has opened; main waits for it and closes the file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *reader(void *descriptor) {
  char buffer[4];
  for (;;) {
    ssize_t count = read(*(int *)descriptor, buffer, sizeof buffer);
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
  pthread_join(thread, NULL);
  close(fd);
  printf("read to the end\n");
  return 0;
}
