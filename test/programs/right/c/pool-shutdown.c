/* A thread pool with a linked queue: jobs are done, then the pool is shut down, and everything is freed. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Job {
  struct Job *next;
  int number;
} Job;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Job *first, **last;
  int over, sum;
} Pool;

static void *worker(void *argument) {
  Pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->first && !pool->over) pthread_cond_wait(&pool->changed, &pool->lock);
    Job *job = pool->first;
    if (!job) break;
    pool->first = job->next;
    if (!pool->first) pool->last = &pool->first;
    pthread_mutex_unlock(&pool->lock);
    int result = job->number * job->number;
    free(job);
    pthread_mutex_lock(&pool->lock);
    pool->sum += result;
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

int main(void) {
  Pool *pool = calloc(1, sizeof *pool);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  pool->last = &pool->first;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, pool);
  for (int i = 1; i <= 4; i++) {
    Job *job = malloc(sizeof *job);
    *job = (Job){NULL, i};
    pthread_mutex_lock(&pool->lock);
    *pool->last = job;
    pool->last = &job->next;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
  }
  pthread_mutex_lock(&pool->lock);
  pool->over = 1;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(pool->sum == 30);
  printf("sum %d\n", pool->sum);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
  return 0;
}
