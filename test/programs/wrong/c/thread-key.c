/*
 * Every thread has a name in its thread-specific data; main reads it for its list.
 * Wrong: the name is freed at the end of the thread, and main keeps the pointer.
 */
// expects: data-race, order-violation, typestate
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_key_t key;
static sem_t named;
static char *shown;

static void *worker(void *none) {
  char *name = malloc(16);
  strcpy(name, "indexer");
  pthread_setspecific(key, name);
  shown = name;
  sem_post(&named);
  usleep(25000); // the work
  return none;
}

int main(void) {
  pthread_key_create(&key, free); // bug
  sem_init(&named, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&named);
  assert(strcmp(shown, "indexer") == 0); // bug
  assert(shown[0] == 'i'); // bug
  pthread_join(thread, NULL);
  printf("one thread\n");
  return 0;
}
