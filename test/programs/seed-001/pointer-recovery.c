/*
 * Seed 001, kind pointer, after MySQL-ptr2: recovery objects. While the log is recovered, the threads that write pages ask a recovery
 * object what to do with each; main takes it away when all pages are written, and sets the pointer to NULL. A thread that checks the
 * pointer and is then late finds NULL behind it. -DRIGHT: the threads look and use under the lock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WRITERS 3
#define PAGES 4

typedef struct {
  int *states; /* of pages */
  int count;
} Recovery;

static Recovery *volatile recovery;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t page_written = PTHREAD_COND_INITIALIZER;
static int written;

static int state_of(int page) {
#ifdef RIGHT
  pthread_mutex_lock(&lock);
#endif
  int state = -1;
  if (recovery) state = recovery->states[page];
#ifdef RIGHT
  pthread_mutex_unlock(&lock);
#endif
  return state;
}

static void *write_pages(void *arg) {
  int from = (int)(long)arg * PAGES;
  int *copies[PAGES];
  for (int i = 0; i < PAGES; i++) {
    copies[i] = malloc(sizeof(int));
    *copies[i] = from + i;
    pthread_mutex_lock(&lock);
    written++;
    pthread_cond_signal(&page_written);
    pthread_mutex_unlock(&lock);
  }
  /* Once more, to see whether any of them is to be written again. */
  for (int i = 0; i < PAGES; i++) {
    int state = state_of(*copies[i]);
    if (state > 1) fprintf(stderr, "page %d is in state %d\n", *copies[i], state);
    free(copies[i]);
  }
  return NULL;
}

int main(void) {
  Recovery *r = malloc(sizeof *r);
  r->count = WRITERS * PAGES;
  r->states = calloc(r->count, sizeof(int));
  recovery = r;
  pthread_t threads[WRITERS];
  for (long i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, write_pages, (void *)i);
  pthread_mutex_lock(&lock);
  while (written < WRITERS * PAGES) pthread_cond_wait(&page_written, &lock);
  pthread_mutex_unlock(&lock);
  usleep(40000);
  pthread_mutex_lock(&lock);
  recovery = NULL;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
  free(r->states);
  free(r);
  puts("done");
  return 0;
}
