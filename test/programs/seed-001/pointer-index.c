/*
 * Seed 001, kind pointer, after MySQL-ptr3, which 2ndStrike found: a front-end thread alters a table and frees its old index; a back-end
 * thread has taken the index from the table in one critical section and uses it in the next. Both are under the lock of the table, so
 * there is no data race. Other tables are looked up and altered by one thread each. -DRIGHT: the index is taken anew in every section.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KEYS 8
#define TABLES 3

typedef struct {
  int version;
  int keys[KEYS];
} Index;

typedef struct {
  pthread_mutex_t lock;
  Index *index;
} Table;

static Table tables[TABLES];

static Index *make_index(int version) {
  Index *index = malloc(sizeof *index);
  index->version = version;
  for (int i = 0; i < KEYS; i++) index->keys[i] = i * 10;
  return index;
}

static void alter(Table *table) {
  pthread_mutex_lock(&table->lock);
  Index *old = table->index;
  table->index = make_index(old->version + 1);
  free(old);
  pthread_mutex_unlock(&table->lock);
}

/* Plans with the index, then looks a key up. */
static int look_up(Table *table, int key) {
  pthread_mutex_lock(&table->lock);
  Index *index = table->index;
  int from = index->keys[0] <= key ? 0 : KEYS;
  pthread_mutex_unlock(&table->lock);

  pthread_mutex_lock(&table->lock);
#ifdef RIGHT
  index = table->index;
#endif
  int found = -1;
  for (int i = from; i < KEYS && found < 0; i++)
    if (index->keys[i] == key) found = i;
  pthread_mutex_unlock(&table->lock);
  return found;
}

static void check(int found, int wanted) {
  if (found == wanted) return;
  fprintf(stderr, "key at %d instead of %d\n", found, wanted);
  abort();
}

static void *back_end(void *arg) {
  check(look_up(&tables[0], 20), 2);
  return arg;
}

static void *front_end(void *arg) {
  usleep(40000);
  alter(&tables[0]);
  return arg;
}

static void *other(void *arg) {
  Table *table = arg;
  for (int i = 0; i < 5; i++) {
    check(look_up(table, i * 10), i);
    alter(table);
  }
  return NULL;
}

int main(void) {
  for (int t = 0; t < TABLES; t++) {
    pthread_mutex_init(&tables[t].lock, NULL);
    tables[t].index = make_index(1);
  }
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, back_end, NULL);
  pthread_create(&threads[1], NULL, front_end, NULL);
  pthread_create(&threads[2], NULL, other, &tables[1]);
  pthread_create(&threads[3], NULL, other, &tables[2]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int t = 0; t < TABLES; t++) {
    free(tables[t].index);
    pthread_mutex_destroy(&tables[t].lock);
  }
  puts("done");
  return 0;
}
