/*
 * Seed 001, kind lock: a job with a lock in it. The worker says that the job is done while it holds the lock, and gives the lock back;
 * who asked for the job looks at the flag without the lock and destroys it at once. The last unlock may come after that. Other jobs are
 * waited for as it should be. -DRIGHT: all are.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOBS 5

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  atomic_int done;
  int input, result;
} Job;

static Job *queue[JOBS];
static int queued, taken;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void must(int error, const char *what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, strerror(error));
  abort();
}

static Job *take(void) {
  must(pthread_mutex_lock(&queue_lock), "lock of the queue");
  Job *job = taken < queued ? queue[taken++] : NULL;
  must(pthread_mutex_unlock(&queue_lock), "unlock of the queue");
  return job;
}

static void *worker(void *arg) {
  for (Job *job = take(); job; job = take()) {
    must(pthread_mutex_lock(&job->lock), "lock");
    job->result = job->input * job->input;
    atomic_store(&job->done, 1);
    pthread_cond_signal(&job->changed);
    must(pthread_mutex_unlock(&job->lock), "unlock");
  }
  return arg;
}

static void put(Job *job, int input) {
  pthread_mutex_init(&job->lock, NULL);
  pthread_cond_init(&job->changed, NULL);
  job->input = input;
  queue[queued++] = job;
}

static void destroy(Job *job) {
  must(pthread_mutex_destroy(&job->lock), "destroy");
  pthread_cond_destroy(&job->changed);
}

static int result_of(Job *job) {
  must(pthread_mutex_lock(&job->lock), "lock");
  while (!atomic_load(&job->done)) pthread_cond_wait(&job->changed, &job->lock);
  int result = job->result;
  must(pthread_mutex_unlock(&job->lock), "unlock");
  destroy(job);
  return result;
}

static int quick_result_of(Job *job) {
#ifdef RIGHT
  return result_of(job);
#else
  while (!atomic_load(&job->done)) usleep(30000);
  int result = job->result;
  destroy(job);
  return result;
#endif
}

int main(void) {
  static Job jobs[JOBS];
  pthread_t threads[2];
  for (int i = 0; i < JOBS; i++) put(&jobs[i], i);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  usleep(30000);
  int sum = 0;
  for (int i = 0; i < JOBS; i++) sum += i == 3 ? quick_result_of(&jobs[i]) : result_of(&jobs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  if (sum != 30) abort();
  puts("done");
  return 0;
}
