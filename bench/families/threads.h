/* Threads of a family: each is a function, and main waits for all of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define MOST 64

static pthread_t threads[MOST];
static int count;

static void start(void *(*run)(void *), int i) { pthread_create(&threads[count++], NULL, run, (void *)(intptr_t)i); }

static int join_all(void) {
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return 0;
}
