/*
 * Two threads need a folder; the first one makes it.
 * Right: each makes it, and is content with one that is there.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static void need(void) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) abort();
}

static void *early(void *none) {
  need();
  return none;
}

static void *late(void *none) {
  usleep(6000);
  need();
  return none;
}

int main(void) {
  snprintf(path, sizeof path, "/tmp/heddle-file-make-%d", (int)getpid());
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, early, NULL);
  pthread_create(&threads[1], NULL, late, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  rmdir(path);
  puts("done");
  return 0;
}
