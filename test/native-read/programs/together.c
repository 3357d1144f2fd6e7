/* Threads that race on one counter, count others in good order, and hand blocks over: whatever the order, how often is known. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { THREADS = 3, ROUNDS = 2000 };
static int raced;
static atomic_int counted;
static long guarded;
static char own[THREADS][8];
static _Atomic(char *) slot;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *me) {
  long n = (long)me;
  for (int i = 0; i < ROUNDS; i++) {
    raced++;
    atomic_fetch_add(&counted, 1);
    pthread_mutex_lock(&lock);
    guarded++;
    pthread_mutex_unlock(&lock);
    own[n][i % 8] = (char)i;
    char *block = malloc(32);
    block[5] = (char)n;
    free(atomic_exchange(&slot, block));
  }
  return NULL;
}
int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  free(slot);
  printf("%d %ld\n", counted, guarded);
  return 0;
}
