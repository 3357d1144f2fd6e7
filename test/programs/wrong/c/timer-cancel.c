/*
 * A timer that is cancelled before the connection is closed, all of it on main's stack.
 * Wrong: the timer gives the lock back before it ticks: cancelled then, it ticks all the same.
 */
// expects: order-violation, data-race, atomicity, not isolated
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int is_open, ticks;
} Connection;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int is_cancelled;
  Connection *connection;
} Timer;

static void tick(Connection *connection) {
  if (!connection->is_open) { // bug
    fprintf(stderr, "tick of a closed connection\n");
    abort();
  }
  connection->ticks++;
}

static void *wait_and_tick(void *given) {
  Timer *timer = given;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 10000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&timer->lock);
  while (!timer->is_cancelled && pthread_cond_timedwait(&timer->changed, &timer->lock, &until) == 0) continue;
  int fires = !timer->is_cancelled; // bug
  pthread_mutex_unlock(&timer->lock);
  if (fires) tick(timer->connection);
  return NULL;
}

int main(void) {
  Connection connection = {1, 0};
  Timer timer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, &connection};
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_tick, &timer);
  usleep(50000);
  pthread_mutex_lock(&timer.lock);
  timer.is_cancelled = 1;
  pthread_cond_signal(&timer.changed);
  pthread_mutex_unlock(&timer.lock);
  connection.is_open = 0; // bug
  pthread_join(thread, NULL);
  printf("closed\n");
  return 0;
}
