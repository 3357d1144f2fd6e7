/*
 * The main thread waits for an answer, two seconds at most.
 * Wrong: it goes on after its time-out as if the answer were there.
 */
// expects: order-violation at there
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;
static const char *answer;

static void *work(void *none) {
  usleep(20000);
  pthread_mutex_lock(&lock);
  answer = "42";
  pthread_cond_signal(&there); // bug
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  pthread_mutex_lock(&lock);
  if (!answer) pthread_cond_timedwait(&there, &lock, &until); // bug
  printf("answer %c\n", answer[0]); // bug
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
  return 0;
}
