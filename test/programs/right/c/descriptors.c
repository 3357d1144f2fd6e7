/* Every thread opens, writes and closes files of its own; the system gives the same numbers again and again. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *worker(void *none) {
  for (int i = 0; i < 3; i++) {
    char path[] = "/tmp/heddle-right-XXXXXX";
    int fd = mkstemp(path);
    assert(fd >= 0);
    unlink(path);
    ssize_t count = write(fd, "abc", 3);
    assert(count == 3);
    int failed = close(fd);
    assert(!failed);
  }
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("6 files\n");
  return 0;
}
