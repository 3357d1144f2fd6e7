/* A program with threads starts a child that computes and ends; the threads of the parent go on. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work;

static void *worker(void *none) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    work++;
    pthread_mutex_unlock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pid_t child = fork();
  if (child == 0) _exit(40 + 2);
  int status;
  pid_t ended = waitpid(child, &status, 0);
  assert(ended == child);
  pthread_join(thread, NULL);
  assert(work == 3 && WEXITSTATUS(status) == 42);
  printf("the child says %d\n", WEXITSTATUS(status));
  return 0;
}
