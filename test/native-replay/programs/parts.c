// One part of pthreads each, by the first argument.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int counter, ready;

static void *add(void *unused) {
  counter++;
  return unused;
}
static void *first(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *second(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
static void *waits(void *unused) {
  pthread_mutex_lock(&a);
  pthread_cond_wait(&cond, &a);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *signals(void *unused) {
  pthread_mutex_lock(&a);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&a);
  return unused;
}
static void give_back(void *lock) { pthread_mutex_unlock(lock); }
static void *cancelled(void *unused) {
  pthread_mutex_lock(&a);
  pthread_cleanup_push(give_back, &a);
  for (;;) pthread_cond_wait(&cond, &a);
  pthread_cleanup_pop(1);
  return unused;
}
static void *late(void *unused) {
  usleep(2000);
  puts("late");
  return unused;
}
static void *reads_nothing(void *pipe) {
  char byte;
  return read(((int *)pipe)[0], &byte, 1) < 0 ? pipe : NULL;
}

static void both(void *(*one)(void *), void *(*other)(void *)) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, other, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}

int main(int count, char **words) {
  const char *part = count > 1 ? words[1] : "";
  pthread_t t;
  if (strcmp(part, "count") == 0) {
    both(add, add);
    printf("%d\n", counter);
  } else if (strcmp(part, "locks") == 0) {
    both(first, second);
  } else if (strcmp(part, "signal") == 0) {
    both(waits, signals);
  } else if (strcmp(part, "cancel") == 0) {
    pthread_create(&t, NULL, cancelled, NULL);
    usleep(1000);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&a);
    puts("free again");
  } else if (strcmp(part, "main-ends") == 0) {
    pthread_create(&t, NULL, late, NULL);
    pthread_exit(NULL);
  } else if (strcmp(part, "time") == 0) {
    // A thread stays outside all the time; a time-out passes all the same.
    int ends[2];
    if (pipe(ends) != 0) return 1;
    pthread_create(&t, NULL, reads_nothing, ends);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 30000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&a);
    puts(pthread_cond_timedwait(&cond, &a, &until) == ETIMEDOUT ? "timed out" : "woken");
  }
  return 0;
}
