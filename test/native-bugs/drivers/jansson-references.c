/* https://github.com/akheron/jansson/issues/387: two threads hold references to one value, and give them back. */
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static json_t *value;

static void *use(void *nth) {
  usleep((useconds_t)(long)nth * 12000);
  if (json_integer_value(value) != 7) abort();
  json_decref(value);
  return NULL;
}

int main(void) {
  value = json_integer(7);
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) {
    json_incref(value);
    pthread_create(&threads[i], NULL, use, (void *)i);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  if (value->refcount != 1) {
    fprintf(stderr, "%zu references left\n", (size_t)value->refcount);
    abort();
  }
  json_decref(value);
  printf("given back\n");
  return 0;
}
