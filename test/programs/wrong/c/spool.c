/*
 * A printer takes a job from the spool if its file is still there; a cleaner removes old files.
 * Wrong: between the look at the entry and the opening of the file the cleaner can remove it.
 */
// expects: data-race, atomicity, order-violation
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

static void *printer(void *none) {
  if (job.present) { // bug
    int fd = open(job.path, O_RDONLY); // bug
    if (fd < 0) {
      perror("job vanished");
      exit(1);
    }
    job.printed = 1; // bug
    close(fd);
  }
  return none;
}

static void *cleaner(void *none) {
  usleep(12000);
  job.present = 0; // bug
  unlink(job.path); // bug
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
  printf("printed %d\n", job.printed);
  return 0;
}
