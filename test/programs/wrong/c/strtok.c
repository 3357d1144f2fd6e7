/*
 * Two threads split lines into fields.
 * Wrong: strtok keeps its position in a variable of libc that all threads share.
 */
// expects: data-race, order-violation, atomicity, stale-read, typestate
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fields(char *line) {
  int n = 0;
  for (char *word = strtok(line, ","); word; word = strtok(NULL, ",")) n++; // bug
  return n;
}

static void *parse(void *nth) {
  char line[] = "name,street,town,country";
  usleep((useconds_t)(long)nth * 12000);
  assert(fields(line) == 4);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, parse, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("2 lines\n");
  return 0;
}
