/*
 * An entry of a table that is freed with its last reference, and looked up under the table's lock.
 * The last reference is given back under the lock.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  atomic_int references;
  int value;
} Entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Entry *entry;

static Entry *look_up(void) {
  pthread_mutex_lock(&lock);
  Entry *found = entry;
  if (found) atomic_fetch_add(&found->references, 1);
  pthread_mutex_unlock(&lock);
  return found;
}

static void give_back(Entry *old) {
  pthread_mutex_lock(&lock);
  if (atomic_fetch_sub(&old->references, 1) == 1) {
    entry = NULL;
    free(old);
  }
  pthread_mutex_unlock(&lock);
}

static void *last_user(void *none) {
  give_back(entry);
  return none;
}

static void *next_user(void *none) {
  usleep(10000);
  Entry *found = look_up();
  if (!found) return none;
  if (found->value != 5) abort();
  give_back(found);
  return none;
}

int main(void) {
  entry = malloc(sizeof *entry);
  atomic_init(&entry->references, 1);
  entry->value = 5;
  pthread_t a, b;
  pthread_create(&a, NULL, last_user, NULL);
  pthread_create(&b, NULL, next_user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%s\n", entry ? "still there" : "given back");
  return 0;
}
