/*
 * As varies.c, with a lock: the index of a table is taken in one critical section and used in the next, and another thread replaces and
 * frees it in between, under the same lock. Other tables are used at the same places. How many rounds come before that depends on the
 * clock, and on whether there is a cache: the first run makes one.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock;
  int *index;
} Table;

static Table tables[3];
static int rounds, warm;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void warm_up(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int n = (int)(now.tv_nsec / 1000 % 50) + (access("cache", F_OK) == 0 ? 5 : 200);
  FILE *cache = fopen("cache", "w");
  if (cache) fclose(cache);
  for (; n > 0; n--) {
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
  }
}

static void alter(Table *table) {
  pthread_mutex_lock(&table->lock);
  int *old = table->index;
  table->index = malloc(sizeof(int));
  *table->index = 7;
  free(old);
  pthread_mutex_unlock(&table->lock);
}

static int *take(Table *table) {
  pthread_mutex_lock(&table->lock);
  int *index = table->index;
  pthread_mutex_unlock(&table->lock);
  return index;
}

static void use(Table *table, int *index) {
  pthread_mutex_lock(&table->lock);
  if (*index != 7) {
    fprintf(stderr, "the index says %d\n", *index);
    abort();
  }
  pthread_mutex_unlock(&table->lock);
}

static void *back_end(void *arg) {
  warm_up();
  int *index = take(&tables[0]);
  pthread_mutex_lock(&lock);
  warm = 1;
  pthread_mutex_unlock(&lock);
  use(&tables[0], index);
  return arg;
}

static void *other(void *arg) {
  for (int i = 0; i < 2; i++) {
    use(arg, take(arg));
    alter(arg);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    pthread_mutex_init(&tables[i].lock, NULL);
    tables[i].index = malloc(sizeof(int));
    *tables[i].index = 7;
  }
  pthread_create(&threads[0], NULL, other, &tables[1]);
  pthread_create(&threads[1], NULL, back_end, NULL);
  pthread_create(&threads[2], NULL, other, &tables[2]);
  for (int ready = 0; !ready;) {
    usleep(30000);
    pthread_mutex_lock(&lock);
    ready = warm;
    pthread_mutex_unlock(&lock);
  }
  alter(&tables[0]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
