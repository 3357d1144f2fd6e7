/*
 * A program that does not do the same twice: how many rounds the threads take, and how many blocks they ask for, depends on the clock,
 * and on whether there is a cache: the first run makes one. Main frees a session as soon as the thread that has it is warm, and the
 * thread may still have to use it. Other sessions are used and freed at the same places, each by one thread, so that it matters which
 * object it is.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int id;
  int requests;
} Session;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, warm;

static Session *open_session(int id) {
  Session *s = malloc(sizeof *s);
  s->id = id;
  s->requests = 0;
  return s;
}

static void use(Session *s, int id) {
  if (s->id == id) return;
  fprintf(stderr, "session %d is %d\n", id, s->id);
  abort();
}

static void drop(Session *s) { free(s); }

static void warm_up(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int n = (int)(now.tv_nsec / 1000 % 50) + (access("cache", F_OK) == 0 ? 5 : 200);
  FILE *cache = fopen("cache", "w");
  if (cache) fclose(cache);
  for (; n > 0; n--) {
    char *block = malloc(16 + (size_t)n % 64);
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    free(block);
  }
}

static void *worker(void *arg) {
  warm_up();
  pthread_mutex_lock(&lock);
  warm = 1;
  pthread_mutex_unlock(&lock);
  use(arg, 7);
  return NULL;
}

static void *other(void *arg) {
  for (int i = 0; i < 2; i++) {
    Session *own = open_session(100 + i);
    use(own, 100 + i);
    drop(own);
  }
  return arg;
}

int main(void) {
  pthread_t threads[3];
  Session *s = open_session(7);
  pthread_create(&threads[0], NULL, other, NULL);
  pthread_create(&threads[1], NULL, worker, s);
  pthread_create(&threads[2], NULL, other, NULL);
  for (int ready = 0; !ready;) {
    usleep(30000);
    pthread_mutex_lock(&lock);
    ready = warm;
    pthread_mutex_unlock(&lock);
  }
  drop(s);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
