/* Every thread has a name in its thread-specific data; it waits with its end until main has read it. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_key_t key;
static sem_t named;
static sem_t listed;
static char *shown;

static void *worker(void *none) {
  char *name = malloc(16);
  strcpy(name, "indexer");
  pthread_setspecific(key, name);
  shown = name;
  sem_post(&named);
  sem_wait(&listed);
  return none;
}

int main(void) {
  pthread_key_create(&key, free);
  sem_init(&named, 0, 0);
  sem_init(&listed, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&named);
  assert(strcmp(shown, "indexer") == 0);
  assert(shown[0] == 'i');
  sem_post(&listed);
  pthread_join(thread, NULL);
  printf("one thread\n");
  return 0;
}
