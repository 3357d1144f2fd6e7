/*
 * main starts a thread that fills a table in the background, uses what is there, and returns.
 * Wrong: the table may be given back while the thread still fills it.
 */
// expects: typestate, data-race, order-violation at late-writer.c
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int *table;

static void *fill(void *none) {
  usleep(20000);
  int *mine = table;
  for (int i = 0; mine && i < 8; i++) mine[i] = i; // bug
  return none;
}

static void give_back(void) {
  int *old = table;
  table = NULL;
  free(old); // bug
}

int main(void) {
  table = calloc(8, sizeof *table);
  atexit(give_back);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  pthread_detach(thread);
  printf("good bye\n");
  return 0;
}
