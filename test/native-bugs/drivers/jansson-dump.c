/* https://github.com/akheron/jansson/issues/387: two threads write the same value as text. Nobody changes it. */
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static json_t *config;

static void *save(void *nth) {
  usleep((useconds_t)(long)nth * 12000);
  char *text = json_dumps(config, JSON_COMPACT);
  if (!text) {
    fprintf(stderr, "json_dumps gave nothing\n");
    abort();
  }
  free(text);
  return NULL;
}

int main(void) {
  config = json_pack("{s:i,s:[i,i]}", "port", 80, "limits", 1, 2);
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, save, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  json_decref(config);
  printf("saved\n");
  return 0;
}
