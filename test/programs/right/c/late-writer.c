/*
 * main starts a thread that fills a table in the background, uses what is there, and returns.
 * Right: whoever is there first takes the table, and only who has taken it touches it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static int *take(void) {
  pthread_mutex_lock(&lock);
  int *mine = table;
  table = NULL;
  pthread_mutex_unlock(&lock);
  return mine;
}

static void *fill(void *none) {
  usleep(20000);
  int *mine = take();
  for (int i = 0; mine && i < 8; i++) mine[i] = i;
  free(mine);
  return none;
}

static void give_back(void) { free(take()); }

int main(void) {
  table = calloc(8, sizeof *table);
  atexit(give_back);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  pthread_detach(thread);
  printf("good bye\n");
  return 0;
}
