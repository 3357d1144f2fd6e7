/*
 * A loader makes the settings that the others use as soon as the pointer is there.
 * Wrong: the pointer is set before the settings are filled in.
 */
// expects: data-race, order-violation
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int workers;
  const char *name;
} Settings;

static Settings *settings;

static void *load(void *none) {
  Settings *made = calloc(1, sizeof *made);
  settings = made; // bug
  made->workers = 4;
  made->name = "west";   // bug
  return none;
}

static void *use(void *none) {
  usleep(12000);
  Settings *now = settings; // bug
  if (!now) return none; // the built-in ones will do
  assert(now->workers == 4);
  assert(now->name[0] == 'w'); // bug
  return none;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, load, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d workers\n", settings->workers);
  free(settings);
  return 0;
}
