/*
 * A reader uses a file of a cache, a cleaner removes it.
 * Right: it opens it, and goes without where that fails.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char path[64];

static void *reader(void *none) {
  FILE *file = fopen(path, "r");
  if (file == NULL) return none;
  fclose(file);
  return none;
}

static void *cleaner(void *none) {
  usleep(5000);
  unlink(path);
  return none;
}

int main(void) {
  snprintf(path, sizeof path, "/tmp/heddle-file-check-%d", (int)getpid());
  FILE *file = fopen(path, "w");
  if (file == NULL) return 1;
  fclose(file);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, cleaner, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  unlink(path);
  puts("done");
  return 0;
}
