/*
 * A parallel compressor, after the well-known bug of pbzip2 0.9.4: consumers take blocks out of a queue and hand them to a writer.
 * Wrong: main waits for the writer only and deletes the queue, while a consumer that has handed over the last block still comes back to the
 * lock of the queue to see that all is done.
 */
// expects: typestate, order-violation, data-race at compressor.c
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCKS 4
#define CONSUMERS 2

typedef struct {
  int buf[BLOCKS], head, tail;
  pthread_mutex_t *mut;
  pthread_cond_t *not_empty;
} Queue;

static Queue *fifo;
static int all_done;
static int output[BLOCKS];
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t out_ready = PTHREAD_COND_INITIALIZER;

static Queue *queue_make(void) {
  Queue *q = calloc(1, sizeof *q);
  q->mut = malloc(sizeof *q->mut);
  pthread_mutex_init(q->mut, NULL);
  q->not_empty = malloc(sizeof *q->not_empty);
  pthread_cond_init(q->not_empty, NULL);
  return q;
}

static void queue_delete(Queue *q) {
  pthread_mutex_destroy(q->mut); // bug
  free(q->mut); // bug
  pthread_cond_destroy(q->not_empty);
  free(q->not_empty);
  free(q); // bug
}

static void *consumer(void *arg) {
  for (;;) {
    pthread_mutex_lock(fifo->mut); // bug
    while (fifo->head == fifo->tail) { // bug
      if (all_done) { // bug
        pthread_mutex_unlock(fifo->mut);
        return arg;
      }
      pthread_cond_wait(fifo->not_empty, fifo->mut);
    }
    int block = fifo->buf[fifo->head++];
    pthread_mutex_unlock(fifo->mut);
    pthread_mutex_lock(&out_lock);
    output[block] = block * 7 + 1;
    pthread_cond_signal(&out_ready);
    pthread_mutex_unlock(&out_lock);
  }
}

static void *writer(void *arg) {
  int sum = 0;
  for (int block = 0; block < BLOCKS; block++) {
    pthread_mutex_lock(&out_lock);
    while (output[block] == 0) pthread_cond_wait(&out_ready, &out_lock);
    sum += output[block];
    pthread_mutex_unlock(&out_lock);
  }
  printf("%d\n", sum);
  return arg;
}

int main(void) {
  fifo = queue_make();
  pthread_t consumers[CONSUMERS], out;
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumers[i], NULL, consumer, NULL);
  pthread_create(&out, NULL, writer, NULL);
  for (int i = 0; i < BLOCKS; i++) {
    pthread_mutex_lock(fifo->mut); // bug
    fifo->buf[fifo->tail++] = i;
    pthread_cond_signal(fifo->not_empty);
    pthread_mutex_unlock(fifo->mut);
  }
  pthread_mutex_lock(fifo->mut);
  all_done = 1;
  pthread_cond_broadcast(fifo->not_empty);
  pthread_mutex_unlock(fifo->mut);
  pthread_join(out, NULL);
  usleep(25000); // the times and ratios are computed and printed here
  queue_delete(fifo);
  fifo = NULL;
  return 0;
}
