/*
 * A cache of parsed templates: look it up, and parse and insert where it is not there.
 * Wrong: looking up and inserting are two critical sections. Two threads that miss at the same time insert twice.
 */
// expects: atomicity, order-violation at entries
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Entry {
  struct Entry *next;
  char key[16];
  int value;
} Entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Entry *entries;

static Entry *find(const char *key) {
  for (Entry *e = entries; e; e = e->next) // bug
    if (strcmp(e->key, key) == 0) return e;
  return NULL;
}

static int get(const char *key) {
  pthread_mutex_lock(&lock);
  Entry *found = find(key);
  pthread_mutex_unlock(&lock);
  if (found) return found->value;
  Entry *fresh = malloc(sizeof *fresh);
  snprintf(fresh->key, sizeof fresh->key, "%s", key);
  fresh->value = (int)strlen(key);
  pthread_mutex_lock(&lock);
  fresh->next = entries;
  entries = fresh; // bug
  pthread_mutex_unlock(&lock);
  return fresh->value;
}

static void *request(void *delay) {
  usleep(*(int *)delay);
  assert(get("index.html") == 10);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int now = 0, later = 12000, count = 0;
  pthread_create(&a, NULL, request, &now);
  pthread_create(&b, NULL, request, &later);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (Entry *e = entries; e; e = e->next) count++;
  assert(count == 1);
  printf("%d template\n", count);
  return 0;
}
