// What waits here is let go by a handler of a signal, and by a thread that the library makes for a timer: neither is observed.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static sem_t posted, passed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void on_alarm(int number) {
  (void)number;
  sem_post(&posted);
}
static void on_tick(union sigval value) {
  (void)value;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
}
static void *waits(void *unused) {
  sem_wait(&posted);
  puts("posted");
  sem_post(&passed);
  return unused;
}

int main(void) {
  pthread_t thread;
  timer_t timer;
  sem_init(&posted, 0, 0);
  sem_init(&passed, 0, 0);
  signal(SIGALRM, on_alarm);
  pthread_create(&thread, NULL, waits, NULL);
  struct itimerval soon = {{0, 0}, {0, 150000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  sem_wait(&passed);
  pthread_join(thread, NULL);
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = on_tick;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  struct itimerspec later = {{0, 0}, {0, 150000000}};
  timer_settime(timer, 0, &later, NULL);
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  puts("ticked");
}
