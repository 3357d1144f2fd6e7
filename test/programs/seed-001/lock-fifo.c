/*
 * Seed 001, kind lock, after pbzip2-lck: main hands blocks to consumers by a queue that has its own lock. When all blocks are written
 * main deletes the queue, its lock included, though the consumers may not have looked into it for the last time. Each consumer packs
 * under a lock of its own as well. -DRIGHT: main waits for the consumers first.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONSUMERS 2
#define BLOCKS 6

typedef struct {
  pthread_mutex_t mut;
  pthread_cond_t not_empty;
  int blocks[BLOCKS];
  int head, tail, all_in;
} Queue;

static Queue *fifo;
static pthread_mutex_t out_mut = PTHREAD_MUTEX_INITIALIZER;
static int out[BLOCKS];
static int finished;

static void lock(pthread_mutex_t *mutex) {
  int error = pthread_mutex_lock(mutex);
  if (error == 0) return;
  fprintf(stderr, "pthread_mutex_lock: %s\n", strerror(error));
  abort();
}

static void unlock(pthread_mutex_t *mutex) {
  int error = pthread_mutex_unlock(mutex);
  if (error == 0) return;
  fprintf(stderr, "pthread_mutex_unlock: %s\n", strerror(error));
  abort();
}

static void *consumer(void *arg) {
  Queue *q = arg;
  pthread_mutex_t own;
  pthread_mutex_init(&own, NULL);
  int packed = 0;
  for (;;) {
    lock(&q->mut);
    while (q->head == q->tail && !q->all_in) pthread_cond_wait(&q->not_empty, &q->mut);
    if (q->head == q->tail) {
      unlock(&q->mut);
      break;
    }
    int block = q->blocks[q->head++];
    unlock(&q->mut);
    lock(&own);
    packed += block;
    unlock(&own);
    lock(&out_mut);
    out[finished++] = block;
    unlock(&out_mut);
  }
  pthread_mutex_destroy(&own);
  return packed < 0 ? NULL : arg;
}

int main(void) {
  pthread_t threads[CONSUMERS];
  fifo = calloc(1, sizeof *fifo);
  pthread_mutex_init(&fifo->mut, NULL);
  pthread_cond_init(&fifo->not_empty, NULL);
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&threads[i], NULL, consumer, fifo);
  for (int b = 0; b < BLOCKS; b++) {
    lock(&fifo->mut);
    fifo->blocks[fifo->tail++] = b;
    pthread_cond_signal(&fifo->not_empty);
    unlock(&fifo->mut);
  }
  lock(&fifo->mut);
  fifo->all_in = 1;
  pthread_cond_broadcast(&fifo->not_empty);
  unlock(&fifo->mut);
#ifdef RIGHT
  for (int i = 0; i < CONSUMERS; i++) pthread_join(threads[i], NULL);
#endif
  for (int done = 0; done < BLOCKS;) {
    usleep(30000);
    lock(&out_mut);
    done = finished;
    unlock(&out_mut);
  }
  pthread_mutex_destroy(&fifo->mut);
  pthread_cond_destroy(&fifo->not_empty);
#ifdef RIGHT
  free(fifo);
#else
  for (int i = 0; i < CONSUMERS; i++) pthread_join(threads[i], NULL);
  free(fifo);
#endif
  puts("done");
  return 0;
}
