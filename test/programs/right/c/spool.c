/* A printer takes a job from the spool if its file is still there; a cleaner removes old files. Both hold the lock of the spool. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  char path[64];
  int present;
  int printed;
} job;
static pthread_mutex_t spool = PTHREAD_MUTEX_INITIALIZER;

static void *printer(void *none) {
  pthread_mutex_lock(&spool);
  if (job.present) {
    int fd = open(job.path, O_RDONLY);
    if (fd < 0) {
      perror("job vanished");
      exit(1);
    }
    job.printed = 1;
    close(fd);
  }
  pthread_mutex_unlock(&spool);
  return none;
}

static void *cleaner(void *none) {
  usleep(12000);
  pthread_mutex_lock(&spool);
  job.present = 0;
  unlink(job.path);
  pthread_mutex_unlock(&spool);
  return none;
}

int main(void) {
  snprintf(job.path, sizeof job.path, "/tmp/heddle-spool-%d", (int)getpid());
  close(open(job.path, O_CREAT | O_WRONLY, 0600));
  job.present = 1;
  pthread_t a, b;
  pthread_create(&a, NULL, printer, NULL);
  pthread_create(&b, NULL, cleaner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("the spool is empty\n");
  return 0;
}
