/*
 * Blocks go through a queue to two workers. When all of them are written, main closes the output and frees the queue. It has always been slower at
 * that than the workers were at leaving; nothing makes it wait for them. pbzip2 0.9.4 had this bug.
 *
 *   npx heddle cc -o queue examples/queue.c -pthread && npx heddle check -- ./queue
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PLACES = 4, BLOCKS = 8, WORKERS = 2 };

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int blocks[PLACES];
  int first, count;
  bool closed;
};

static pthread_mutex_t written_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written_changed = PTHREAD_COND_INITIALIZER;
static int written;

static void put(struct queue *q, int block) {
  pthread_mutex_lock(&q->lock);
  while (q->count == PLACES) pthread_cond_wait(&q->changed, &q->lock);
  q->blocks[(q->first + q->count++) % PLACES] = block;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

static void close_queue(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  q->closed = true;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

/* False when the queue is empty and closed. */
static bool take(struct queue *q, int *block) {
  pthread_mutex_lock(&q->lock);
  while (q->count == 0 && !q->closed) pthread_cond_wait(&q->changed, &q->lock);
  bool some = q->count > 0;
  if (some) {
    *block = q->blocks[q->first];
    q->first = (q->first + 1) % PLACES;
    q->count--;
    pthread_cond_broadcast(&q->changed);
  }
  pthread_mutex_unlock(&q->lock);
  return some;
}

static void *work(void *queue) {
  int block;
  while (take(queue, &block)) {
    pthread_mutex_lock(&written_lock);
    written++;
    pthread_cond_signal(&written_changed);
    pthread_mutex_unlock(&written_lock);
  }
  return NULL;
}

int main(void) {
  struct queue *q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->changed, NULL);
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    pthread_create(&workers[i], NULL, work, q);
    pthread_detach(workers[i]);
  }
  for (int block = 0; block < BLOCKS; block++) put(q, block);
  close_queue(q);

  pthread_mutex_lock(&written_lock);
  while (written < BLOCKS) pthread_cond_wait(&written_changed, &written_lock);
  pthread_mutex_unlock(&written_lock);
  printf("%d blocks written\n", BLOCKS);
  usleep(20000); /* closing the output */
  free(q);
  return 0;
}
