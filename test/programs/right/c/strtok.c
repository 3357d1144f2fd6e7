/*
 * Two threads split lines into fields.
 * Right: strtok_r keeps its position in a variable of the thread.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fields(char *line) {
  int n = 0;
  char *position;
  for (char *word = strtok_r(line, ",", &position); word; word = strtok_r(NULL, ",", &position)) n++;
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
