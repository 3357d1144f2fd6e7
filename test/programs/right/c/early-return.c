/* A thread saves the settings in the background; main waits for it before it returns. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int saved;

static void at_end(void) {
  if (saved != 3) {
    fprintf(stderr, "settings are lost\n");
    _exit(5);
  }
}

static void *save(void *none) {
  for (int i = 0; i < 3; i++) saved++;
  return none;
}

int main(void) {
  atexit(at_end);
  pthread_t thread;
  pthread_create(&thread, NULL, save, NULL);
  pthread_join(thread, NULL);
  printf("good bye\n");
  return 0;
}
