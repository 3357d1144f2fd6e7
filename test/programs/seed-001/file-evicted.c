/*
 * Seed 001, kind file, after MySQL-file (Figure 1): a cache of open tables. A reader looks up the descriptor of its table under the lock
 * and reads from it after it has given the lock back; the thread that makes room closes the descriptor, under the lock. The descriptor is
 * only ever read and written under the lock: there is no data race, and no access that is not serializable. Three readers have tables of
 * their own, opened, read and closed in their turn; one table is shared. -DRIGHT: readers are counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLES 8
#define BLOCK 64

typedef struct {
  char path[64];
  int fd;
  int readers;
} Table;

static Table tables[TABLES];
static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  abort();
}

static int look_up(Table *table) {
  pthread_mutex_lock(&cache);
  if (table->fd < 0) {
    table->fd = open(table->path, O_RDONLY);
    if (table->fd < 0) fail("open");
  }
  table->readers++;
  int fd = table->fd;
  pthread_mutex_unlock(&cache);
  return fd;
}

static void release(Table *table) {
  pthread_mutex_lock(&cache);
  if (--table->readers == 0) pthread_cond_broadcast(&unused);
  pthread_mutex_unlock(&cache);
}

static int sum_of(Table *table, int blocks) {
  char block[BLOCK];
  int sum = 0;
  int fd = look_up(table);
  for (int i = 0; i < blocks; i++) {
    if (pread(fd, block, BLOCK, i * BLOCK) != BLOCK) fail("pread");
    for (int k = 0; k < BLOCK; k++) sum += block[k];
  }
  release(table);
  return sum;
}

static void evict(Table *table) {
  pthread_mutex_lock(&cache);
#ifdef RIGHT
  while (table->readers > 0) pthread_cond_wait(&unused, &cache);
#endif
  if (table->fd >= 0) {
    close(table->fd);
    table->fd = -1;
  }
  pthread_mutex_unlock(&cache);
}

/* Reads the shared table first, then its own, again and again. */
static void *reader(void *arg) {
  long own = 1 + 2 * (long)arg;
  if (sum_of(&tables[0], 3) != 3 * BLOCK) fail("shared table");
  for (int round = 0; round < 4; round++) {
    for (int t = 0; t < 2; t++) {
      if (sum_of(&tables[own + t], 2) != 2 * BLOCK) fail("own table");
      evict(&tables[own + t]);
    }
  }
  return NULL;
}

static void *make_room(void *arg) {
  usleep(60000);
  evict(&tables[0]);
  return arg;
}

int main(void) {
  char folder[] = "/tmp/heddle-tables-XXXXXX";
  if (!mkdtemp(folder)) fail("mkdtemp");
  char content[4 * BLOCK];
  memset(content, 1, sizeof content);
  for (int t = 0; t < TABLES; t++) {
    snprintf(tables[t].path, sizeof tables[t].path, "%s/table%d", folder, t);
    int fd = open(tables[t].path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, content, sizeof content) != (ssize_t)sizeof content) fail("write");
    close(fd);
    tables[t].fd = -1;
  }
  pthread_t threads[4];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, reader, (void *)i);
  pthread_create(&threads[3], NULL, make_room, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int t = 0; t < TABLES; t++) unlink(tables[t].path);
  rmdir(folder);
  puts("done");
  return 0;
}
