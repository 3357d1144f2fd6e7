/*
 * The four ends of what a recorder can meet, each alone: `micro KIND THREADS COUNT`. Prints a number that depends on all the work.
 *
 *   locks     one mutex, a shared counter and a private one: nothing but short critical sections
 *   atomics   a shared counter without a lock
 *   private   each thread sweeps memory of its own: what a filter should drop
 *   malloc    small blocks, some given to the next thread to free
 *   barrier   rounds of all threads, each reading what its neighbour wrote the round before
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 64
static int threads;
static long count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long shared;
static atomic_long counter;
static pthread_barrier_t barrier;
static struct { long value; char apart[56]; } cells[THREADS];
static _Atomic(char *) handed[THREADS];

static void *locks(void *arg) {
  long own = (long)arg;
  for (long i = 0; i < count; i++) {
    pthread_mutex_lock(&lock);
    shared += own + 1;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void *atomics(void *arg) {
  long own = (long)arg;
  for (long i = 0; i < count; i++) atomic_fetch_add(&counter, own + 1);
  return NULL;
}

static void *private(void *arg) {
  unsigned size = 1 << 14, own = (unsigned)(long)arg + 1;
  unsigned *table = malloc(size * sizeof *table);
  for (unsigned i = 0; i < size; i++) table[i] = i * own;
  for (long round = 0; round < count; round++)
    for (unsigned i = 1; i < size; i++) table[i] = table[i - 1] * 31 + table[i];
  atomic_fetch_add(&counter, table[size - 1]);
  free(table);
  return NULL;
}

static void *blocks(void *arg) {
  long own = (long)arg;
  unsigned long seed = own + 1, sum = 0;
  for (long i = 0; i < count; i++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    size_t size = 16 + (seed >> 56);
    char *block = malloc(size);
    memset(block, (int)i, size);
    sum += (unsigned char)block[size - 1];
    if (i % 8 == 0) block = atomic_exchange(&handed[(own + 1) % threads], block);
    free(block);
  }
  atomic_fetch_add(&counter, (long)sum);
  return NULL;
}

static void *rounds(void *arg) {
  long own = (long)arg;
  for (long i = 0; i < count; i++) {
    long next = cells[(own + 1) % threads].value;
    pthread_barrier_wait(&barrier);
    cells[own].value = next * 3 + own + 1;
    pthread_barrier_wait(&barrier);
  }
  atomic_fetch_add(&counter, cells[own].value & 0xffffff);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: micro KIND THREADS COUNT\n"), 2;
  static const struct { const char *name; void *(*run)(void *); } kinds[] = {
    { "locks", locks }, { "atomics", atomics }, { "private", private }, { "malloc", blocks }, { "barrier", rounds },
  };
  void *(*run)(void *) = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(argv[1], kinds[i].name) == 0) run = kinds[i].run;
  threads = atoi(argv[2]);
  count = atol(argv[3]);
  if (!run || threads < 1 || threads > THREADS) return 2;
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  pthread_t all[THREADS];
  for (long i = 0; i < threads; i++) pthread_create(&all[i], NULL, run, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  for (int i = 0; i < threads; i++) free(handed[i]);
  printf("%ld\n", shared + counter);
  return 0;
}
