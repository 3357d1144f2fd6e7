/*
 * Seed 001, kind file: a logger that is late. Workers put lines into a queue, a thread writes them to the log; main closes the log when
 * nothing is waiting in the queue. But a line that was taken out of the queue is not yet written. Every worker also writes a report of
 * its own, opened, written and closed. -DRIGHT: the line counts as waiting until it is written.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKERS 2
#define LINES 4

static char *queue[WORKERS * LINES + 1];
static int first, last, waiting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static pthread_cond_t drained = PTHREAD_COND_INITIALIZER;
static FILE *log_file;
static char folder[] = "/tmp/heddle-log-XXXXXX";

static void fail(const char *what) {
  perror(what);
  abort();
}

static void say(const char *who, int n) {
  char *line = malloc(32);
  snprintf(line, 32, "%s %d\n", who, n);
  pthread_mutex_lock(&lock);
  queue[last++] = line;
  waiting++;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
}

static void *logger(void *arg) {
  for (int n = 0; n < WORKERS * LINES + 1; n++) {
    pthread_mutex_lock(&lock);
    while (first == last) pthread_cond_wait(&arrived, &lock);
    char *line = queue[first++];
#ifndef RIGHT
    if (--waiting == 0) pthread_cond_signal(&drained);
#endif
    pthread_mutex_unlock(&lock);
    if (fputs(line, log_file) < 0) fail("log");
    free(line);
#ifdef RIGHT
    pthread_mutex_lock(&lock);
    if (--waiting == 0) pthread_cond_signal(&drained);
    pthread_mutex_unlock(&lock);
#endif
  }
  return arg;
}

static void *worker(void *arg) {
  char path[64];
  const char *name = arg;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (int n = 0; n < LINES; n++) {
    say(name, n);
    FILE *report = fopen(path, "a");
    if (!report || fprintf(report, "%d\n", n) < 0) fail("report");
    fclose(report);
  }
  unlink(path);
  return NULL;
}

int main(void) {
  char path[64];
  if (!mkdtemp(folder)) fail("mkdtemp");
  snprintf(path, sizeof path, "%s/log", folder);
  log_file = fopen(path, "w");
  if (!log_file) fail("fopen");
  pthread_t writes, threads[WORKERS];
  static char names[WORKERS][8];
  pthread_create(&writes, NULL, logger, NULL);
  for (int i = 0; i < WORKERS; i++) {
    snprintf(names[i], sizeof names[i], "w%d", i);
    pthread_create(&threads[i], NULL, worker, names[i]);
  }
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
  say("main", 0);
  usleep(30000);
  pthread_mutex_lock(&lock);
  while (waiting > 0) pthread_cond_wait(&drained, &lock);
  pthread_mutex_unlock(&lock);
  if (fclose(log_file) != 0) fail("fclose");
  pthread_join(writes, NULL);
  unlink(path);
  rmdir(folder);
  puts("done");
  return 0;
}
