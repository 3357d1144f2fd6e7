/*
 * A reader uses a file of a cache, a cleaner removes it.
 * Wrong: it looks whether there is one, and takes it for granted that it is still there when it is opened.
 */
// expects: atomicity, order-violation, data-race, not isolated
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static void *reader(void *none) {
  if (access(path, F_OK) != 0) return none; // bug
  FILE *file = fopen(path, "r"); // bug
  if (file == NULL) abort();
  fclose(file);
  return none;
}

static void *cleaner(void *none) {
  usleep(5000);
  unlink(path); // bug
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
