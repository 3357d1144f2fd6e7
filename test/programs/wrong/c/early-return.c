/*
 * A thread saves the settings in the background; at the end of the program it is looked whether all were saved.
 * Wrong: main returns without waiting for it.
 */
// expects: data-race, order-violation at saved
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int saved;

static void at_end(void) {
  if (saved != 3) { // bug
    fprintf(stderr, "settings are lost\n");
    _exit(5);
  }
}

static void *save(void *none) {
  for (int i = 0; i < 3; i++) saved++; // bug
  return none;
}

int main(void) {
  atexit(at_end);
  pthread_t thread;
  pthread_create(&thread, NULL, save, NULL);
  pthread_detach(thread);
  usleep(25000);
  printf("good bye\n");
  return 0;
}
