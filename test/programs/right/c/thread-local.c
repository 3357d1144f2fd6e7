/* Thread-local variables and thread-specific data with a destructor; results go to places of their own. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int depth;
static pthread_key_t key;
static atomic_int destroyed;
static int results[3];

static void destroy(void *buffer) {
  free(buffer);
  atomic_fetch_add(&destroyed, 1);
}

static int descend(int levels) {
  depth++;
  *(int *)pthread_getspecific(key) += depth;
  return levels > 1 ? descend(levels - 1) : *(int *)pthread_getspecific(key);
}

static void *worker(void *number) {
  int own = *(int *)number;
  pthread_setspecific(key, calloc(1, sizeof(int)));
  results[own] = descend(own + 1);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t threads[3];
  int numbers[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(destroyed == 3);
  printf("%d %d %d\n", results[0], results[1], results[2]);
  return 0;
}
