/*
 * Seed 001, kind lock: counters in shards, each with a lock. Threads say that they are busy by a count; shut-down waits until it is
 * nought and destroys the locks. But a thread counts itself out before it adds its last numbers. -DRIGHT: it counts itself out last.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARDS 4
#define THREADS 3

typedef struct {
  pthread_mutex_t lock;
  long sum;
} Shard;

static Shard shards[SHARDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy = THREADS;

static void must(int error, const char *what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, strerror(error));
  abort();
}

static void add(int shard, long number) {
  must(pthread_mutex_lock(&shards[shard].lock), "lock of a shard");
  shards[shard].sum += number;
  must(pthread_mutex_unlock(&shards[shard].lock), "unlock of a shard");
}

static void out(void) {
  must(pthread_mutex_lock(&lock), "lock");
  busy--;
  must(pthread_mutex_unlock(&lock), "unlock");
}

static void *count(void *arg) {
  int id = (int)(long)arg;
  pthread_mutex_t own;
  pthread_mutex_init(&own, NULL);
  for (int i = 0; i < 6; i++) {
    must(pthread_mutex_lock(&own), "own lock");
    add((id + i) % SHARDS, i);
    must(pthread_mutex_unlock(&own), "own lock");
  }
  pthread_mutex_destroy(&own);
#ifdef RIGHT
  add(id % SHARDS, 100);
  out();
#else
  out();
  add(id % SHARDS, 100);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < SHARDS; i++) pthread_mutex_init(&shards[i].lock, NULL);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, count, (void *)i);
  for (int left = THREADS; left > 0;) {
    usleep(30000);
    must(pthread_mutex_lock(&lock), "lock");
    left = busy;
    must(pthread_mutex_unlock(&lock), "unlock");
  }
  for (int i = 0; i < SHARDS; i++) pthread_mutex_destroy(&shards[i].lock);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  long sum = 0;
  for (int i = 0; i < SHARDS; i++) sum += shards[i].sum;
  if (sum != THREADS * 115) abort();
  puts("done");
  return 0;
}
